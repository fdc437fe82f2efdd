//! The weights of the features, and the file that they are read from.
//!
//! The file has a key for each group of features, with a weight `[middlegame, endgame]` for each
//! feature of the group, in hundredths of a pawn. Everything is checked while the file is read, so that
//! an error message names the line.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, Expected, MapAccess, Visitor};

use super::layout::{FEATURES, GROUPS, KEYS, MATERIAL, TABLES};
use super::score::Score;
use crate::chess::piece::Piece;
use crate::chess::side::Side;
use crate::grid::Square;
use crate::keyed::read_keys;

/// The largest weight: twice a queen, so that no sum of weights comes near the value of a mate.
pub(super) const LARGEST: i64 = 2000;

/// A weight for every feature, and the value of each piece on each square.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// In the order of the features.
    pub(super) features: Box<[Score; FEATURES]>,
    /// Material plus piece-square table, by side, piece and square; Black's with the opposite sign.
    pub(super) placed: Box<[[[Score; 64]; 6]; 2]>,
}

impl Weights {
    fn new(features: Box<[Score; FEATURES]>) -> Self {
        let mut placed = Box::new([[[Score::ZERO; 64]; 6]; 2]);
        for (piece, square) in
            Piece::ALL.into_iter().flat_map(|p| Square::all().map(move |s| (p, s)))
        {
            let [white, black] = [Side::White, Side::Black].map(|side| {
                let table = features[table_feature(side, piece, square)];
                match material_feature(piece) {
                    Some(feature) => table + features[feature],
                    None => table,
                }
            });
            placed[0][piece.index()][square.index()] = white;
            placed[1][piece.index()][square.index()] = -black;
        }
        Self { features, placed }
    }
}

/// The file of some weights: what [`Weights`] reads. `about` is put before them as a comment.
pub(super) fn to_toml(weights: &[Score; FEATURES], about: &str) -> String {
    let mut text: String = about.lines().map(|line| format!("# {line}\n")).collect();
    let pair = |score: &Score| format!("[{}, {}]", score.middle(), score.end());
    for group in GROUPS {
        let weights = &weights[group.first..group.first + group.len];
        if let [only] = weights {
            text += &format!("\n{} = {}\n", group.key, pair(only));
            continue;
        }
        text += &format!("\n{} = [\n", group.key);
        // Half a row of the board in a line.
        for line in weights.chunks(4) {
            text += &format!("    {},\n", line.iter().map(pair).collect::<Vec<_>>().join(", "));
        }
        text += "]\n";
    }
    text
}

/// The material feature of a piece; kings have none, since there is always one of each.
pub(super) fn material_feature(piece: Piece) -> Option<usize> {
    (piece != Piece::King).then_some(MATERIAL + piece.index())
}

/// The piece-square feature of a piece.
pub(super) fn table_feature(side: Side, piece: Piece, square: Square) -> usize {
    // The tables start with the last rank, as boards are drawn.
    let row = match side {
        Side::White => 7 - square.row(),
        Side::Black => square.row(),
    };
    let column = square.column().min(7 - square.column());
    TABLES + piece.index() * 32 + row * 4 + column
}

/// A weight of the file: `[middlegame, endgame]`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "[i64; 2]")]
struct Weight(Score);

impl TryFrom<[i64; 2]> for Weight {
    type Error = String;

    fn try_from(pair: [i64; 2]) -> Result<Self, String> {
        if let Some(number) = pair.into_iter().find(|number| number.abs() > LARGEST) {
            return Err(format!("the weight {number} is not between -{LARGEST} and {LARGEST}"));
        }
        Ok(Self(Score::new(pair[0] as i32, pair[1] as i32)))
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(File).map(Self::new)
    }
}

/// The file: a key for each group of features.
struct File;

impl<'de> Visitor<'de> for File {
    type Value = Box<[Score; FEATURES]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key for each group of features")
    }

    fn visit_map<A: MapAccess<'de>>(self, file: A) -> Result<Self::Value, A::Error> {
        let mut features = Box::new([Score::ZERO; FEATURES]);
        read_keys(file, &KEYS, |group, file| {
            let group = GROUPS[group];
            file.next_value_seed(Group(&mut features[group.first..group.first + group.len]))
        })?;
        Ok(features)
    }
}

/// The weights of a group, a list; the weight of a group of one is written without a list.
struct Group<'a>(&'a mut [Score]);

impl<'de> DeserializeSeed<'de> for Group<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let weights = match self.0.len() {
            1 => vec![Weight::deserialize(deserializer)?],
            _ => Vec::deserialize(deserializer)?,
        };
        if weights.len() != self.0.len() {
            let expected = format!("{} weights [middlegame, endgame]", self.0.len());
            return Err(D::Error::invalid_length(
                weights.len(),
                &expected.as_str() as &dyn Expected,
            ));
        }
        for (place, Weight(score)) in self.0.iter_mut().zip(weights) {
            *place = score;
        }
        Ok(())
    }
}
