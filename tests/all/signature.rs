//! The search's signature: one total of nodes over fixed positions and depths. It is the same in every
//! run and on every machine. A change that should not change play must not change it; one that does says
//! the new total here.

use crate::commands::stdout;

/// What `plyground bench` ends with.
const SIGNATURE: &str = "4347499 nodes";

#[test]
fn the_signature_is_pinned() {
    let text = stdout(&["bench"]);
    assert_eq!(text.lines().last(), Some(SIGNATURE), "{text}");
}
