//! ER (Steinberg and Solomon 1990): *e-nodes* are evaluated, *r-nodes* only refuted.
//!
//! At an e-node the first child of every child, an *elder grandchild*, is evaluated first, all at the
//! same time. That ranks the children: the best becomes the e-child, which is searched to its end; the
//! others are then refuted, in the order of their rank, at the same time. A refutation that fails has
//! searched the child completely, and raises the bound for the next. Processors without such mandatory
//! work help where a node has searched its first child.
//!
//! The paper keeps both kinds of work in queues; here they are shared nodes, and the order of the
//! queues is that of the nodes' heights. With one processor this is [`SerialEr`](crate::algorithms::SerialEr).

use super::SchemeMemory;
use super::alpha_beta::{Mandatory, Owner, Policy};
use crate::prelude::*;

scheme! {
    /// ER: elder grandchildren first; the child with the best of them is evaluated, the others refuted.
    Er: Policy {
        mandatory: Mandatory::ElderGrandchildren,
        may_share: |candidate| candidate.searched > 0,
        owner: Owner::Leaves,
        ..Policy::ALPHA_BETA
    },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "er",
        usage: "er:N",
        name: "ER(N)",
        about: "elder grandchildren first, then the best child is evaluated and the others refuted",
        paper: "Steinberg and Solomon 1990; Marsland 1991, section 4.3",
        examples: &["er:1", "er:2"],
        serial: Some("serial-er"),
        ..CatalogueEntry::SERIAL
    },
}
