//! Tables of a weights file whose keys are a list: each key is there once, and no other.
//!
//! A struct with a field for every key would have a reader derived for each of its dozens of fields, which is
//! more code than the rules of both games together.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess};

/// Reads a table: `read` takes the value of the key with the given place in the list.
pub(crate) fn read_keys<'de, A: MapAccess<'de>>(
    mut table: A,
    keys: &'static [&'static str],
    mut read: impl FnMut(usize, &mut A) -> Result<(), A::Error>,
) -> Result<(), A::Error> {
    let mut found = vec![false; keys.len()];
    while let Some(place) = table.next_key_seed(PlaceIn(keys))? {
        found[place] = true;
        read(place, &mut table)?;
    }
    match found.iter().position(|&found| !found) {
        Some(missing) => Err(A::Error::missing_field(keys[missing])),
        None => Ok(()),
    }
}

/// A key is read as its place in this list.
struct PlaceIn(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for PlaceIn {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        let key = String::deserialize(deserializer)?;
        let place = self.0.iter().position(|&known| known == key);
        place.ok_or_else(|| D::Error::unknown_field(&key, self.0))
    }
}
