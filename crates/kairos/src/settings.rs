//! Values given by name before a run: parameters, inputs and start values.

use crate::arithmetic::{Formula, formula};
use kairos_base::Diagnostic;
use kairos_base::spelling::slips;
use kairos_expr::Scalar;
use kairos_machine::{Given, Machine};
use kairos_model::ScalarModel;
use kairos_program::VarInfo;
use kairos_units::{Unit, UnitError};

/// Settings that ask for other equations.
#[derive(Clone, Debug, Default)]
pub struct BuiltIn {
    /// Modifications of the model, as Modelica text: a dotted name and its value.
    pub modifications: Vec<(String, String)>,
    /// Start values of scalar variables.
    pub starts: Vec<(String, Value)>,
    /// The names as the user wrote them.
    pub names: Vec<String>,
}

impl BuiltIn {
    /// Settings as they were written, for a model whose variables are not known.
    pub fn unread(settings: &[(String, String)]) -> Self {
        Self { modifications: settings.to_vec(), ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.modifications.is_empty() && self.starts.is_empty()
    }
}

/// Writes settings into a machine. What cannot be set without compiling anew is returned.
pub fn apply(
    machine: &mut dyn Machine,
    settings: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> BuiltIn {
    let (writes, built_in) = read(machine, settings, diagnostics);
    write(machine, &writes);
    built_in
}

/// What settings mean: values for slots of the machine, and what cannot be set without compiling anew.
pub fn read(
    machine: &dyn Machine,
    settings: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<(u32, Value)>, BuiltIn) {
    let mut reader = Reader { machine, all: false, built_in: BuiltIn::default(), writes: Vec::new() };
    reader.read_all(settings, diagnostics);
    (reader.writes, reader.built_in)
}

/// Gives slots of a machine their values.
pub fn write(machine: &mut dyn Machine, writes: &[(u32, Value)]) {
    for (slot, value) in writes {
        match value {
            Value::Number(number) => machine.set(*slot, Given::Number(*number)),
            Value::Text(text) => machine.set(*slot, Given::Text(text)),
        }
    }
}

/// A value for one variable, as it is written on the command line.
pub fn value_of(var: &VarInfo, text: &str) -> Result<Value, Diagnostic> {
    value(var, text)
}

/// All settings as parts of the model.
pub fn built_in(
    machine: &dyn Machine,
    settings: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) -> BuiltIn {
    let mut reader = Reader { machine, all: true, built_in: BuiltIn::default(), writes: Vec::new() };
    reader.read_all(settings, diagnostics);
    reader.built_in
}

/// Puts start values into the flat model.
pub fn start(model: &mut ScalarModel, starts: &[(String, Value)]) {
    for (name, value) in starts {
        let Some(var) = model.vars.iter_mut().find(|var| var.name == *name) else { continue };
        let store = &mut model.store;
        var.start = Some(match (value, var.ty) {
            (Value::Text(text), _) => store.str(text),
            (Value::Number(x), Scalar::Bool) => store.bool(*x != 0.0),
            (Value::Number(x), Scalar::Int) => store.int(*x as i64),
            (Value::Number(x), Scalar::Enum(e)) => store.literal(e, *x as u32),
            (Value::Number(x), _) => store.real(*x),
        });
    }
}

/// Makes a parameter of every fixed start value, so that a compiled model can begin elsewhere.
pub fn open_starts(model: &mut ScalarModel) {
    for k in 0..model.vars.len() {
        let var = &model.vars[k];
        let varies = var.variability >= kairos_expr::Variability::Discrete && var.clock.is_none();
        let number = matches!(var.ty, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_));
        let Some(start) = var.start.filter(|_| varies && number && var.fixed == Some(true)) else { continue };
        let parameter = kairos_model::Variable {
            variability: kairos_expr::Variability::Parameter,
            binding: Some(start),
            unit: var.unit,
            display_unit: var.display_unit,
            ..kairos_model::Variable::made(&format!("{}{START}", var.name), var.ty, var.span)
        };
        let ty = kairos_expr::Type::scalar(var.ty);
        let value = model.store.var(kairos_expr::VarId::new(model.vars.len()), ty);
        model.vars[k].start = Some(value);
        model.vars.push(parameter);
    }
}

/// Start values that the run does not begin with, because equations determine their variables.
pub fn guesses(machine: &dyn Machine, settings: &[(String, String)]) -> Vec<Diagnostic> {
    let info = machine.info();
    let computed = |name: &str| {
        let var = info.vars.iter().find(|var| var.name == name);
        let free = |var: &&VarInfo| var.given.is_none() && !var.is_parameter() && !var.is_discrete;
        var.filter(|var| free(var) && !info.states.contains(&var.slot)).is_some()
    };
    let guess =
        |(name, _): &&(String, String)| info.state_sets == 0 && info.parts.is_empty() && computed(name);
    settings
        .iter()
        .filter(guess)
        .map(|(name, _)| {
            let text =
                format!("`{name}` is neither a parameter nor a state: its start value is only a guess");
            Diagnostic::warning("setting-is-a-guess", text)
                .help(format!("set a parameter or a state; `{name}.start=...` says that a guess is meant"))
        })
        .collect()
}

/// What the start value of a variable is called.
const START: &str = ".start";

/// Attributes that are not values of a run.
const ATTRIBUTES: [&str; 8] =
    [".fixed", ".nominal", ".min", ".max", ".unit", ".displayUnit", ".stateSelect", ".quantity"];

/// What was given: a number, or the place of an enumeration's literal, or a text.
#[derive(Clone, Debug)]
pub enum Value {
    Number(f64),
    Text(String),
}

/// Finds out what settings mean.
struct Reader<'a> {
    machine: &'a dyn Machine,
    /// Nothing is written into the machine.
    all: bool,
    built_in: BuiltIn,
    writes: Vec<(u32, Value)>,
}

impl<'a> Reader<'a> {
    fn vars(&self) -> &'a [VarInfo] {
        &self.machine.info().vars
    }

    fn read_all(&mut self, settings: &[(String, String)], diagnostics: &mut Vec<Diagnostic>) {
        for (name, text) in settings {
            let before = self.writes.len();
            match self.read(name, text) {
                Ok(()) if self.writes.len() == before => self.built_in.names.push(name.clone()),
                read => diagnostics.extend(read.err()),
            }
        }
    }

    fn read(&mut self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let find = |name: &str| self.vars().iter().find(|var| var.name == name);
        if let Some(var) = find(name) {
            return match var.given {
                Some(slot) if !self.all => self.input(var, slot, text),
                _ if var.is_parameter() => self.parameter(var, text),
                _ => self.start(var, text),
            };
        }
        let before = name.strip_suffix(START);
        if let Some(var) = before.and_then(find) {
            return self.start(var, text);
        }
        if let Some(elements) = self.elements(before.unwrap_or(name)) {
            return self.array(name, before.unwrap_or(name), &elements, text);
        }
        if let Some(attribute) = ATTRIBUTES.iter().find(|attribute| {
            name.strip_suffix(*attribute).is_some_and(|var| self.vars().iter().any(|known| known.name == var))
        }) {
            let message = format!("`{name}` is an attribute that a run cannot change");
            let help = format!("set values and `.start`; change `{}` in the model", &attribute[1..]);
            return Err(Diagnostic::error("wrong-setting", message).help(help));
        }
        Err(unknown("the model", name, self.vars().iter().map(|var| var.name.as_str())))
    }

    /// The elements of an array of variables, in the order of their subscripts.
    fn elements(&self, name: &str) -> Option<Vec<&'a VarInfo>> {
        let mut found: Vec<(Vec<u64>, &VarInfo)> = self
            .vars()
            .iter()
            .filter(|var| var.name.len() > name.len() && without_subscripts(&var.name) == name)
            .map(|var| (subscripts(&var.name), var))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        (!found.is_empty()).then(|| found.into_iter().map(|(_, var)| var).collect())
    }

    fn array(
        &mut self,
        name: &str,
        array: &str,
        elements: &[&'a VarInfo],
        text: &str,
    ) -> Result<(), Diagnostic> {
        let values = leaves(text).ok_or_else(|| {
            let help = format!(
                "give {} values in braces, or one element: `{}=...`",
                elements.len(),
                elements[0].name
            );
            Diagnostic::error("wrong-setting", format!("`{array}` is an array")).help(help)
        })?;
        let parameter = elements[0].is_parameter() && name == array;
        if values.len() != elements.len() || (parameter && elements.iter().any(|var| self.is_built_in(var))) {
            // Another number of elements asks for another model, if the declaration leaves it open.
            elements.iter().try_for_each(|var| changeable(var))?;
            let written =
                values.iter().map(|value| literal(elements[0], value)).collect::<Result<Vec<_>, _>>()?;
            let mut written = written.into_iter();
            let value = replaced(text, &mut || written.next().unwrap_or_default());
            let name = if parameter { array.to_string() } else { format!("{array}{START}") };
            self.built_in.modifications.push((name, value));
            return Ok(());
        }
        for (var, value) in elements.iter().zip(&values) {
            match parameter {
                true => self.parameter(var, value)?,
                false => match var.given {
                    Some(slot) if name == array && !self.all => self.input(var, slot, value)?,
                    _ => self.start(var, value)?,
                },
            }
        }
        Ok(())
    }

    fn is_built_in(&self, var: &VarInfo) -> bool {
        self.all || !var.settable
    }

    fn parameter(&mut self, var: &'a VarInfo, text: &str) -> Result<(), Diagnostic> {
        changeable(var)?;
        if matches!(var.ty, Scalar::Real | Scalar::Int) && !var.name.contains('[') && is_open(var, text) {
            // A formula of other parameters is a part of the model.
            self.built_in.modifications.push((var.name.clone(), text.to_string()));
            return Ok(());
        }
        if !self.is_built_in(var) {
            let value = match value(var, text)? {
                Value::Number(number) if var.negated => Value::Number(-number),
                value => value,
            };
            self.writes.push((var.slot, value));
            return Ok(());
        }
        let text = literal(var, text)?;
        if !var.name.contains('[') {
            self.built_in.modifications.push((var.name.clone(), text));
            return Ok(());
        }
        // One element of an array cannot be modified alone: the others keep the values that are built in.
        let array = without_subscripts(&var.name);
        let elements = self.elements(&array).unwrap_or_default();
        if let Some(other) = elements.iter().find(|other| other.settable) {
            let message =
                format!("`{}` cannot be set without the other elements, such as `{}`", var.name, other.name);
            let help = format!("set the array as a whole: `{array}={{...}}`");
            return Err(Diagnostic::error("wrong-setting", message).help(help));
        }
        if !self.built_in.modifications.iter().any(|(name, _)| *name == array) {
            let present = nested(&elements, &mut |element| self.present(element));
            self.built_in.modifications.push((array.clone(), present));
        }
        let place = elements.iter().position(|element| element.name == var.name).unwrap_or_default();
        if let Some((_, whole)) = self.built_in.modifications.iter_mut().find(|(name, _)| *name == array) {
            let mut values = leaves(whole).unwrap_or_default();
            if let Some(value) = values.get_mut(place) {
                *value = text;
            }
            let mut values = values.into_iter();
            *whole = replaced(whole, &mut || values.next().unwrap_or_default());
        }
        Ok(())
    }

    /// An input has the value all the time.
    fn input(&mut self, var: &VarInfo, slot: u32, text: &str) -> Result<(), Diagnostic> {
        self.writes.push((slot, value(var, text)?));
        Ok(())
    }

    /// The value that is built in, as Modelica text.
    fn present(&self, var: &VarInfo) -> String {
        if var.ty == Scalar::Str {
            return quoted(self.machine.string(var.slot));
        }
        let number = self.machine.values()[var.slot as usize] * if var.negated { -1.0 } else { 1.0 };
        match var.ty {
            Scalar::Bool => (number != 0.0).to_string(),
            Scalar::Enum(_) => qualified(var, (number as usize).saturating_sub(1)),
            _ => number.to_string(),
        }
    }

    fn start(&mut self, var: &VarInfo, text: &str) -> Result<(), Diagnostic> {
        if var.name.starts_with("der(") {
            let message = format!("`{}` follows from the equations and has no start value", var.name);
            return Err(
                Diagnostic::error("wrong-setting", message).help("set a parameter, or the start of a state")
            );
        }
        let open = format!("{}{START}", var.name);
        if let Some(parameter) = self.vars().iter().find(|known| known.name == open && !self.all) {
            return self.parameter(parameter, text);
        }
        let value = value(var, text)?;
        self.built_in.starts.push((var.name.clone(), value));
        Ok(())
    }
}

/// Says why a parameter has the value that it has.
fn changeable(var: &VarInfo) -> Result<(), Diagnostic> {
    let why = match (var.is_constant(), var.is_final) {
        (true, _) => "a constant",
        (_, true) => "final",
        _ => return Ok(()),
    };
    let message = format!("`{}` is {why}: its value belongs to the model", var.name);
    Err(Diagnostic::error("wrong-setting", message).help("set what it depends on, or change its declaration"))
}

fn value(var: &VarInfo, text: &str) -> Result<Value, Diagnostic> {
    let number = match var.ty {
        Scalar::Str => return Ok(Value::Text(unquoted(text))),
        Scalar::Bool => match text {
            "true" | "1" => Some(1.0),
            "false" | "0" => Some(0.0),
            _ => None,
        },
        Scalar::Int => text.parse::<i64>().ok().map(|k| k as f64).or_else(|| {
            computed(text).filter(|number| number.fract() == 0.0 && number.abs() < f64::from(i32::MAX))
        }),
        Scalar::Real => match kairos_units::parse_quantity(text) {
            // `2*pi` is no quantity, although it begins like one.
            Some((number, unit, written)) => match computed(text) {
                Some(value) if unit.is_err() => Some(value),
                _ => Some(with_unit(var, number, unit, written)?),
            },
            None => text.parse().ok().filter(|v: &f64| v.is_finite()).or_else(|| computed(text)),
        },
        _ => {
            let last = text.rsplit('.').next().unwrap_or(text);
            let place = var.literals.iter().position(|literal| literal == last);
            place.map(|k| (k + 1) as f64)
        }
    };
    number.map(Value::Number).ok_or_else(|| {
        let expected = match var.ty {
            Scalar::Bool => "`true` or `false`".to_string(),
            Scalar::Int => "a whole number".to_string(),
            Scalar::Real => "a number, with or without a unit, or a formula of parameters".to_string(),
            _ => format!("one of {}", var.literals.join(", ")),
        };
        Diagnostic::error("wrong-setting", format!("`{text}` is not a value for `{}`", var.name))
            .help(format!("give {expected}"))
    })
}

/// The value of a formula of numbers.
fn computed(text: &str) -> Option<f64> {
    match formula(text)? {
        Formula::Number(number) => Some(number),
        Formula::Open => None,
    }
}

/// Does a text ask the model for the values of other parameters? `2/s` may also be a quantity.
fn is_open(var: &VarInfo, text: &str) -> bool {
    let quantity = kairos_units::parse_quantity(text)
        .is_some_and(|(number, unit, written)| with_unit(var, number, unit, written).is_ok());
    !quantity && matches!(formula(text), Some(Formula::Open))
}

/// `4.7kOhm` in the unit of the variable.
fn with_unit(
    var: &VarInfo,
    number: f64,
    unit: Result<Unit, UnitError>,
    written: &str,
) -> Result<f64, Diagnostic> {
    let wrong = |message: String, help: String| Err(Diagnostic::error("wrong-setting", message).help(help));
    let given = match unit {
        Ok(unit) => unit,
        Err(UnitError::Symbol(_, Some(meant))) => {
            return wrong(format!("`{written}` is no unit"), format!("did you mean `{meant}`?"));
        }
        Err(_) => {
            return wrong(format!("`{written}` is no unit"), "write it as `kOhm`, `m/s`, `J/(kg.K)`".into());
        }
    };
    let own = match kairos_units::parse(&var.unit) {
        Ok(own) => own,
        Err(_) => {
            let message = format!("`{}` has no unit to convert `{written}` to", var.name);
            return wrong(message, "give the number alone".into());
        }
    };
    kairos_units::convert(number, &given, &own).map_or_else(
        || {
            let message =
                format!("`{}` is in `{}`, which `{written}` cannot be converted to", var.name, var.unit);
            wrong(message, format!("give a value in `{}`", var.unit))
        },
        Ok,
    )
}

/// A value as Modelica text.
fn literal(var: &VarInfo, text: &str) -> Result<String, Diagnostic> {
    Ok(match (value(var, text)?, var.ty) {
        (Value::Text(text), _) => quoted(&text),
        (Value::Number(number), Scalar::Bool) => (number != 0.0).to_string(),
        (Value::Number(number), Scalar::Enum(_)) => qualified(var, number as usize - 1),
        (Value::Number(number), _) => number.to_string(),
    })
}

fn qualified(var: &VarInfo, place: usize) -> String {
    let literal = var.literals.get(place).map_or("", String::as_str);
    format!(".{}.{literal}", var.enumeration)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.map_or_else(|| text.to_string(), |text| text.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// `a.b[1].c[2,3]` is the element of `a.b.c`.
fn without_subscripts(name: &str) -> String {
    let mut depth = 0;
    let kept = name.chars().filter(|c| {
        depth += i32::from(*c == '[');
        let outside = depth == 0;
        depth -= i32::from(*c == ']');
        outside
    });
    kept.collect()
}

fn subscripts(name: &str) -> Vec<u64> {
    let parts = name.split('[').skip(1).filter_map(|part| part.split(']').next());
    parts.flat_map(|part| part.split(',')).filter_map(|k| k.trim().parse().ok()).collect()
}

/// The elements of `{1, {2, 3}}` in their order; `None`: not an array.
fn leaves(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    if !text.starts_with('{') || !text.ends_with('}') {
        return None;
    }
    let (mut word, mut within) = (String::new(), false);
    for c in text.chars() {
        within ^= c == '"';
        if within || !matches!(c, '{' | '}' | ',') {
            word.push(c);
        } else if !word.trim().is_empty() {
            found.push(std::mem::take(&mut word).trim().to_string());
        } else {
            word.clear();
        }
    }
    Some(found)
}

/// An array with other elements in the same order.
fn replaced(text: &str, next: &mut dyn FnMut() -> String) -> String {
    let (mut out, mut word, mut within) = (String::new(), String::new(), false);
    for c in text.chars() {
        within ^= c == '"';
        if within || !matches!(c, '{' | '}' | ',') {
            word.push(c);
            continue;
        }
        if !std::mem::take(&mut word).trim().is_empty() {
            out.push_str(&next());
        }
        out.push(c);
    }
    out
}

/// An array as text, by the subscripts of its elements, which are in order.
fn nested(elements: &[&VarInfo], text: &mut dyn FnMut(&VarInfo) -> String) -> String {
    fn level(
        elements: &[&VarInfo],
        depth: usize,
        text: &mut dyn FnMut(&VarInfo) -> String,
        out: &mut String,
    ) {
        let at = |var: &VarInfo| subscripts(&var.name).get(depth).copied();
        if let [var] = elements
            && at(var).is_none()
        {
            return out.push_str(&text(var));
        }
        out.push('{');
        for (k, part) in elements.chunk_by(|a, b| at(a) == at(b)).enumerate() {
            if k > 0 {
                out.push(',');
            }
            level(part, depth + 1, text, out);
        }
        out.push('}');
    }
    let mut out = String::new();
    level(elements, 0, text, &mut out);
    out
}

/// A name that is not there, with the likeliest names that are.
pub fn unknown<'a>(whose: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-variable", format!("{whose} has no variable `{name}`"));
    let known: Vec<&str> = known.collect();
    let within = |other: &&&str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
    let parts: Vec<&&str> = known.iter().filter(within).take(3).collect();
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .copied()
        .map(|other| (slips(name, other), other))
        .filter(|(d, other)| {
            let length = name.chars().count();
            let alike = *d <= 1 + length / 4 && *d < length.max(other.chars().count());
            alike || other.rsplit('.').next() == Some(name)
        })
        .collect();
    near.sort();
    near.truncate(3);
    if near.iter().all(|(d, _)| *d > 1) && !parts.is_empty() {
        let names: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
        return diagnostic.help(format!("it has parts: {}", names.join(", ")));
    }
    match near.is_empty() {
        true => diagnostic.help("`kairos flat` lists the variables of a model"),
        false => {
            let names: Vec<String> = near.iter().map(|(_, other)| format!("`{other}`")).collect();
            diagnostic.help(format!("there is {}", names.join(", ")))
        }
    }
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
