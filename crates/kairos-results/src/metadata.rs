//! Units and descriptions beside a CSV file, in the form of the W3C's "CSV on the Web": `X.csv-metadata.json`.
//!
//! A table of comma-separated values has no place for units that every reader survives: a second header line is a row of texts, and
//! comments are rows, too. The file beside it is found by those who know the standard and disturbs nobody else.

use crate::{Column, Kind, Role, Table};
use serde_json::{Value, json};

/// What follows the name of the table in the name of its metadata.
pub const METADATA_ENDING: &str = "-metadata.json";

/// The metadata of a table that is called `url`; `None` if there is nothing to tell.
pub fn metadata(url: &str, columns: &[Column]) -> Option<String> {
    let shown = |column: &&Column| !matches!(column.role, Role::Constant(_));
    let tells = |c: &Column| !c.unit.is_empty() || !c.description.is_empty() || !c.literals.is_empty();
    if !columns.iter().filter(shown).any(tells) {
        return None;
    }
    let mut list = vec![json!({ "titles": "time", "datatype": "double", "schema:unitText": "s" })];
    for column in columns.iter().filter(shown) {
        let datatype = match column.kind {
            Kind::Integer => "integer",
            // Written as 0 and 1, which are values of this type.
            Kind::Boolean => "boolean",
            Kind::String => "string",
            Kind::Real => "double",
        };
        let mut entry = json!({ "titles": column.name, "datatype": datatype });
        if !column.unit.is_empty() {
            entry["schema:unitText"] = Value::from(column.unit.as_str());
        }
        if !column.description.is_empty() {
            entry["dc:description"] = Value::from(column.description.as_str());
        }
        if !column.literals.is_empty() {
            entry["schema:option"] = Value::from(column.literals.clone());
        }
        list.push(entry);
    }
    let whole = json!({
        "@context": "http://www.w3.org/ns/csvw",
        "url": url,
        "tableSchema": { "columns": list }
    });
    Some(format!("{whole:#}\n"))
}

/// Gives signals of a table the units and descriptions that its metadata tells; what does not fit is left alone.
pub fn apply_metadata(table: &mut Table, text: &str) {
    let Ok(whole) = serde_json::from_str::<Value>(text) else { return };
    let Some(columns) = whole["tableSchema"]["columns"].as_array() else { return };
    for signal in &mut table.signals {
        let own = columns.iter().find(|column| {
            column["titles"].as_str().is_some_and(|title| crate::table::key(title) == signal.name)
        });
        let Some(own) = own else { continue };
        let told = |name: &str| own[name].as_str().unwrap_or_default().to_string();
        if signal.unit.is_empty() {
            signal.unit = told("schema:unitText");
        }
        if signal.description.is_empty() {
            signal.description = told("dc:description");
        }
        signal.is_boolean |= own["datatype"] == "boolean";
        if let Some(literals) = own["schema:option"].as_array() {
            signal.literals = literals.iter().filter_map(|name| Some(name.as_str()?.to_string())).collect();
        }
    }
}
