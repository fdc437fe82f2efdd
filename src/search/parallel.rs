//! Parallel search: the walls that every parallel algorithm stands in.

mod crew;

pub(super) use crew::Crew;
