//! Values given by name before a run: parameters and start values.

use kairos_base::Diagnostic;
use kairos_code::{Machine, VarInfo};
use kairos_expr::Scalar;

/// Writes settings into a machine. Names that cannot be set without compiling anew are returned.
pub fn apply(
    machine: &mut dyn Machine,
    settings: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, String)> {
    let mut structural = Vec::new();
    for (name, text) in settings {
        let variable = |name: &str| machine.info().vars.iter().find(|var| var.name == name);
        let started = name.strip_suffix(START).and_then(variable).filter(|var| !var.is_parameter);
        let Some(var) = variable(name).or(started) else {
            diagnostics.push(unknown(
                "the model",
                name,
                machine.info().vars.iter().map(|var| var.name.as_str()),
            ));
            continue;
        };
        if !var.settable {
            if name.ends_with(']') || name.contains("].") {
                let text =
                    format!("`{name}` is part of an array that can be set only as a whole, in the model");
                diagnostics.push(Diagnostic::error("wrong-setting", text).help("change its declaration"));
                continue;
            }
            structural.push((name.clone(), text.clone()));
            continue;
        }
        let (slot, negated) = (var.slot, var.negated);
        match value(var, text) {
            Ok(Value::Number(number)) => {
                machine.values_mut()[slot as usize] = if negated { -number } else { number };
            }
            Ok(Value::Text(text)) => machine.set_string(slot, text),
            Err(expected) => diagnostics.push(
                Diagnostic::error("wrong-setting", format!("`{text}` is not a value for `{name}`"))
                    .help(format!("give {expected}")),
            ),
        }
    }
    structural
}

/// What the start value of a variable is called.
const START: &str = ".start";

/// The modifications that give the values: of what is no parameter, the start value is given.
pub fn modifications(machine: &dyn Machine, settings: &[(String, String)]) -> Vec<(String, String)> {
    let starts = |name: &str| machine.info().vars.iter().any(|var| var.name == name && !var.is_parameter);
    let named = |(name, text): &(String, String)| {
        let name = if starts(name) { format!("{name}{START}") } else { name.clone() };
        (name, text.clone())
    };
    settings.iter().map(named).collect()
}

enum Value<'a> {
    Number(f64),
    Text(&'a str),
}

fn value<'a>(var: &VarInfo, text: &'a str) -> Result<Value<'a>, String> {
    let number = match var.ty {
        Scalar::Str => return Ok(Value::Text(text.trim_matches('"'))),
        Scalar::Bool => match text {
            "true" | "1" => Some(1.0),
            "false" | "0" => Some(0.0),
            _ => None,
        },
        Scalar::Int => text.parse::<i64>().ok().map(|k| k as f64),
        Scalar::Real => text.parse().ok().filter(|v: &f64| v.is_finite()),
        _ => {
            let last = text.rsplit('.').next().unwrap_or(text);
            let place = var.literals.iter().position(|literal| literal == last);
            place.map(|k| (k + 1) as f64)
        }
    };
    number.map(Value::Number).ok_or_else(|| match var.ty {
        Scalar::Bool => "`true` or `false`".to_string(),
        Scalar::Int => "a whole number".to_string(),
        Scalar::Real => "a number".to_string(),
        _ => format!("one of {}", var.literals.join(", ")),
    })
}

/// A name that is not there, with the likeliest names that are.
pub fn unknown<'a>(whose: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-variable", format!("{whose} has no variable `{name}`"));
    let mut near: Vec<(usize, &str)> = known
        .map(|other| (distance(name, other), other))
        .filter(|(d, other)| *d <= 1 + name.chars().count() / 4 || other.rsplit('.').next() == Some(name))
        .collect();
    near.sort();
    near.truncate(3);
    match near.is_empty() {
        true => diagnostic.help("`kairos flat` lists the variables of a model"),
        false => {
            let names: Vec<String> = near.iter().map(|(_, other)| format!("`{other}`")).collect();
            diagnostic.help(format!("there is {}", names.join(", ")))
        }
    }
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_get_suggestions() {
        let names = ["motor.J", "motor.R", "gear.ratio"];
        let help = unknown("the model", "moter.R", names.into_iter()).help;
        assert!(help[0].contains("`motor.R`"), "{help:?}");
        let help = unknown("the model", "ratio", names.into_iter()).help;
        assert!(help[0].contains("`gear.ratio`"), "{help:?}");
    }
}
