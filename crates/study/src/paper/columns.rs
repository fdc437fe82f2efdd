//! Rows of a file of data, with their keys written once: many rows have the same ones, which would take more room
//! than the numbers.
//!
//! ```json
//! [{"keys": ["game", "depth", "leaves"], "rows": [["chess", 4, 812], ["chess", 5, 3040]]}]
//! ```
//!
//! A row that is no object, and every row of an earlier version, stands as it is.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};

/// Neighbouring rows with the same keys.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SameKeys {
    keys: Vec<String>,
    rows: Vec<Vec<Json>>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Group {
    Same(SameKeys),
    Row(Json),
}

/// Writes the rows.
pub(super) fn serialize<S: Serializer>(rows: &[Json], serializer: S) -> Result<S::Ok, S::Error> {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let Json::Object(row) = row else {
            groups.push(Group::Row(row.clone()));
            continue;
        };
        let cells: Vec<Json> = row.values().cloned().collect();
        match groups.last_mut() {
            Some(Group::Same(same)) if same.keys.iter().eq(row.keys()) => same.rows.push(cells),
            _ => {
                let keys = row.keys().cloned().collect();
                groups.push(Group::Same(SameKeys { keys, rows: vec![cells] }));
            }
        }
    }
    groups.serialize(serializer)
}

/// Reads the rows, those of an earlier version too.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Json>, D::Error> {
    let mut rows = Vec::new();
    for group in Vec::<Group>::deserialize(deserializer)? {
        match group {
            Group::Row(row) => rows.push(row),
            Group::Same(SameKeys { keys, rows: cells }) => {
                for cells in cells {
                    if cells.len() != keys.len() {
                        let (cells, keys) = (cells.len(), keys.len());
                        let error = format!("a row of {cells} cells under {keys} keys");
                        return Err(serde::de::Error::custom(error));
                    }
                    let row: Map<String, Json> = keys.iter().cloned().zip(cells).collect();
                    rows.push(Json::Object(row));
                }
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct File {
        #[serde(with = "super")]
        rows: Vec<Json>,
    }

    #[test]
    fn keys_are_written_once_and_rows_read_back() {
        let rows = vec![
            json!({"game": "chess", "leaves": [1, 2]}),
            json!({"game": "othello", "leaves": null}),
            json!({"game": "chess", "depth": 3}),
            json!("a word"),
        ];
        let file = File { rows };
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(text.matches("leaves").count(), 1, "{text}");
        assert_eq!(serde_json::from_str::<File>(&text).unwrap(), file);
    }

    #[test]
    fn rows_of_an_earlier_version_are_read_and_torn_ones_refused() {
        let rows = vec![json!({"a": 1}), json!({"rows": 2, "b": []})];
        let plain = json!({ "rows": rows }).to_string();
        assert_eq!(serde_json::from_str::<File>(&plain).unwrap().rows, rows);
        let torn = json!({"rows": [{"keys": ["a", "b"], "rows": [[1]]}]}).to_string();
        let error = serde_json::from_str::<File>(&torn).unwrap_err().to_string();
        assert!(error.contains("a row of 1 cells under 2 keys"), "{error}");
    }
}
