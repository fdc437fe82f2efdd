//! The travelling salesman: the shortest tour through all cities and back.
//!
//! The tour begins in the first city. The heuristic is the least spanning tree of the city where the
//! salesman is, the cities that are left, and the first one: the rest of a tour is such a tree too, so it
//! is never shorter. Nearly every path has an f of its own here, and IDA\* is at its worst: an iteration
//! adds a state or two.

use std::fmt;

use plyground_core::space::{Cost, StateSpace};
use plyground_core::tree::mix;

use crate::error::ProblemError;

/// The most cities: the exact searches here do not come near it.
pub const MOST_CITIES: usize = 32;

/// Coordinates are 0 to this.
const MOST_COORDINATE: u32 = 1_000_000;

/// Cities in the plane. Distances are rounded to whole numbers, and at least 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salesman {
    cities: Vec<(u32, u32)>,
    distances: Vec<Vec<Cost>>,
    /// For each city all others, the nearest first.
    nearest: Vec<Vec<u8>>,
}

/// A part of a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tour {
    at: u8,
    /// The cities that are left, as a set of bits.
    left: u32,
    /// The least spanning tree of what is left.
    estimate: Cost,
}

/// The cities to go to next, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct NextCities {
    cities: [u8; MOST_CITIES],
    at: u8,
    count: u8,
}

impl Iterator for NextCities {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let city = self.cities[..self.count.into()].get(usize::from(self.at)).copied();
        self.at += u8::from(city.is_some());
        city
    }
}

impl Salesman {
    /// The problem with these cities.
    pub fn new(cities: Vec<(u32, u32)>) -> Result<Salesman, ProblemError> {
        if !(1..=MOST_CITIES).contains(&cities.len()) {
            let expected = format!("1 to {MOST_CITIES} cities, each as x,y");
            return Err(ProblemError::Count { found: cities.len(), expected });
        }
        let distance = |a: &(u32, u32), b: &(u32, u32)| {
            let (x, y) = (f64::from(a.0.abs_diff(b.0)), f64::from(a.1.abs_diff(b.1)));
            (x.hypot(y).round() as Cost).max(1)
        };
        let distances: Vec<Vec<Cost>> =
            cities.iter().map(|a| cities.iter().map(|b| distance(a, b)).collect()).collect();
        let nearest = distances.iter().enumerate().map(|(city, distances)| {
            let mut others: Vec<u8> = (0..cities.len() as u8).collect();
            others.retain(|other| usize::from(*other) != city);
            others.sort_by_key(|other| distances[usize::from(*other)]);
            others
        });
        Ok(Salesman { nearest: nearest.collect(), cities, distances })
    }

    /// Reads cities as `x,y x,y …`.
    pub fn parse(text: &str) -> Result<Salesman, ProblemError> {
        let read = |(place, word): (usize, &str)| {
            let number = |text: &str| text.parse().ok().filter(|n: &u32| *n <= MOST_COORDINATE);
            let city = word.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
            city.ok_or_else(|| ProblemError::Word {
                word: word.into(),
                place: place + 1,
                expected: format!("a city as x,y, both from 0 to {MOST_COORDINATE}"),
            })
        };
        let words = text.split_whitespace().flat_map(|word| word.split(';'));
        let cities = words.filter(|word| !word.is_empty()).enumerate().map(read);
        Salesman::new(cities.collect::<Result<_, _>>()?)
    }

    /// Cities by chance, on a square of 1000 by 1000.
    pub fn random(cities: usize, seed: u64) -> Result<Salesman, ProblemError> {
        let draw = |number: u64| (mix(seed, number) % 1000) as u32;
        Salesman::new((0..cities as u64).map(|i| (draw(2 * i), draw(2 * i + 1))).collect())
    }

    /// How many cities there are.
    pub fn count(&self) -> usize {
        self.cities.len()
    }

    /// The length of the least tree that joins these cities (Prim 1957).
    fn spanning_tree(&self, cities: u32) -> Cost {
        let mut left = cities;
        let mut total = 0;
        let mut nearest = [Cost::MAX; MOST_CITIES];
        let Some(mut added) = bits(left).next() else { return 0 };
        left &= left - 1;
        while left != 0 {
            let row = &self.distances[added];
            let mut next = (Cost::MAX, 0);
            for city in bits(left) {
                nearest[city] = nearest[city].min(row[city]);
                next = next.min((nearest[city], city));
            }
            total += next.0;
            added = next.1;
            left &= !(1 << added);
        }
        total
    }

    fn tour(&self, at: u8, left: u32) -> Tour {
        let estimate = match (at, left) {
            (0, 0) => 0,
            _ => self.spanning_tree(left | 1 << at | 1),
        };
        Tour { at, left, estimate }
    }

    /// The cities on a map of 40 by 16 places, each by its number; the first is 0.
    pub fn picture(&self) -> String {
        let (wide, high) = (40, 16);
        let most =
            |of: fn(&(u32, u32)) -> u32| self.cities.iter().map(of).max().unwrap_or(0).max(1);
        let (most_x, most_y) = (most(|c| c.0), most(|c| c.1));
        let place = |at: u32, most: u32, size: usize| at as usize * (size - 1) / most as usize;
        let mut map = vec![vec![' '; wide + 2]; high];
        for (number, (x, y)) in self.cities.iter().enumerate().rev() {
            let row = &mut map[high - 1 - place(*y, most_y, high)];
            for (i, digit) in number.to_string().chars().enumerate() {
                row[place(*x, most_x, wide) + i] = digit;
            }
        }
        map.iter().map(|row| format!("{}\n", row.iter().collect::<String>().trim_end())).collect()
    }
}

/// The numbers of the bits in a set.
fn bits(set: u32) -> impl Iterator<Item = usize> {
    let mut set = set;
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

/// The cities as [`Salesman::parse`] reads them.
impl fmt::Display for Salesman {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cities: Vec<String> = self.cities.iter().map(|(x, y)| format!("{x},{y}")).collect();
        f.write_str(&cities.join(" "))
    }
}

impl StateSpace for Salesman {
    type State = Tour;
    type Action = u8;
    type Actions = NextCities;

    fn start(&self) -> Tour {
        let all = (1u64 << self.count()) - 1;
        self.tour(0, all as u32 & !1)
    }

    fn is_goal(&self, tour: &Tour) -> bool {
        tour.left == 0 && tour.at == 0
    }

    fn heuristic(&self, tour: &Tour) -> Cost {
        tour.estimate
    }

    fn actions(&self, tour: &Tour, _: Option<u8>) -> NextCities {
        let mut next = NextCities { cities: [0; MOST_CITIES], at: 0, count: 0 };
        if tour.left == 0 {
            // The way home.
            next.count = u8::from(tour.at != 0);
            return next;
        }
        for &city in &self.nearest[usize::from(tour.at)] {
            if tour.left & 1 << city != 0 {
                next.cities[usize::from(next.count)] = city;
                next.count += 1;
            }
        }
        next
    }

    fn successor(&self, tour: &Tour, city: u8) -> (Tour, Cost) {
        let cost = self.distances[usize::from(tour.at)][usize::from(city)];
        (self.tour(city, tour.left & !(1 << city)), cost)
    }

    fn key(&self, tour: &Tour) -> u64 {
        u64::from(tour.left) << 8 | u64::from(tour.at)
    }
}
