//! Values of parameters from a file: TOML or JSON, tables inside tables as parts inside parts.

use serde_json::Value;

/// Reads `name = value` pairs; nested tables give dotted names. The error is a message and a way out.
pub fn read(path: &str) -> Result<Vec<(String, String)>, (String, String)> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| (format!("`{path}` cannot be read: {error}"), "check the path".to_string()))?;
    let parsed: Value = match path.rsplit('.').next() {
        Some("json") => serde_json::from_str(&text).map_err(|error| wrong(path, &error.to_string()))?,
        Some("toml") => toml::from_str(&text).map_err(|error| wrong(path, error.message()))?,
        _ => {
            let text = format!("`{path}` is neither .toml nor .json");
            return Err((text, "name a file with parameters, such as `R = 2.0` a line in a .toml".into()));
        }
    };
    let mut found = Vec::new();
    match &parsed {
        Value::Object(_) => collect("", &parsed, &mut found).map_err(|name| {
            let text = format!("`{name}` in `{path}` has no value that a parameter can have");
            (text, "give numbers, truth values, texts, and arrays of these".to_string())
        })?,
        _ => return Err(wrong(path, "it is not a table of names and values")),
    }
    Ok(found)
}

fn wrong(path: &str, why: &str) -> (String, String) {
    let first = why.lines().next().unwrap_or_default();
    (
        format!("`{path}` cannot be read: {first}"),
        "write `name = value` a line (TOML), or a JSON object".into(),
    )
}

/// The error is the name whose value does not fit.
fn collect(prefix: &str, value: &Value, found: &mut Vec<(String, String)>) -> Result<(), String> {
    if let Value::Object(table) = value {
        for (name, value) in table {
            let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            collect(&name, value, found)?;
        }
        return Ok(());
    }
    let text = written(value).ok_or_else(|| prefix.to_string())?;
    found.push((prefix.to_string(), text));
    Ok(())
}

/// A value as `--set` takes it. A text may be a value with a unit or a literal of an enumeration, which the parameter's type decides.
fn written(value: &Value) -> Option<String> {
    Some(match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(written).collect();
            format!("{{{}}}", items?.join(","))
        }
        Value::Null | Value::Object(_) => return None,
    })
}
