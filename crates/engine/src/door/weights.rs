//! A hash of an evaluator's weights, by which records tell evaluators apart.

use plyground_core::checksum::mixed;
use plyground_core::tree::mix;
use toml::Value;

/// The hash of a file of weights. If the file is TOML, its comments, its layout, the order of its
/// sections and the way its numbers are written do not matter.
pub(super) fn hash(file: &[u8]) -> u64 {
    let text = str::from_utf8(file).ok();
    match text.and_then(|text| toml::from_str::<toml::Table>(text).ok()) {
        Some(table) => table_hash(&table),
        None => mixed(file),
    }
}

fn bytes(text: &str) -> u64 {
    mixed(text.as_bytes())
}

/// The hash of a TOML table, whose keys come in alphabetical order.
fn table_hash(table: &toml::Table) -> u64 {
    let entry = |hash, (key, value): (&String, &Value)| mix(mix(hash, bytes(key)), of(value));
    table.iter().fold(1, entry)
}

fn of(value: &Value) -> u64 {
    match value {
        Value::Table(table) => table_hash(table),
        Value::Array(values) => values.iter().fold(2, |hash, value| mix(hash, of(value))),
        Value::Integer(number) => mix(3, (*number as f64).to_bits()),
        Value::Float(number) => mix(3, number.to_bits()),
        Value::Boolean(flag) => mix(4, u64::from(*flag)),
        Value::String(text) => mix(5, bytes(text)),
        Value::Datetime(time) => mix(6, bytes(&time.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_weights_matter() {
        let one = "# a comment\n[b]\nx = 1\n[a]\ny = [1.5, 2]\n";
        let same = "[a]\ny = [ 1.50,\n  2.0 ]\n[b]\nx=1.0";
        assert_eq!(hash(one.as_bytes()), hash(same.as_bytes()));
        for other in
            ["", "[b]\nx = 1", "[a]\nx = 1\n[b]\ny = [1.5, 2]", "[b]\nx=1\n[a]\ny=[2, 1.5]"]
        {
            assert_ne!(hash(one.as_bytes()), hash(other.as_bytes()), "{other}");
        }
        assert_ne!(hash(b"not = toml = x"), hash(b"not = toml = y"));
    }
}
