//! The variables of an FMU one by one: arrays as their elements, each with its place in a list of numbers.

use crate::description::{Causality, Description, Dimension, Initial, Type, Variability, Variable};
use kairos_base::{FileId, Span};
use kairos_expr::{EnumId, Scalar};
use kairos_machine::VarInfo;
use kairos_program::Attribute;

/// One scalar: an element of a variable of the FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The place of the variable in the description.
    pub var: usize,
    /// Which of its elements, from 0.
    pub element: usize,
    pub name: String,
}

/// All variables that have numbers or texts, element by element; aliases share their slots with what they name.
pub fn elements(description: &Description) -> Result<Vec<Element>, String> {
    let mut list = Vec::new();
    for (k, var) in description.variables.iter().enumerate() {
        if matches!(var.ty, Type::Binary | Type::Clock) || var.causality == Causality::Independent {
            continue;
        }
        let sizes = sizes(description, var)?;
        if sizes.is_empty() {
            list.push(Element { var: k, element: 0, name: var.name.clone() });
            continue;
        }
        let count: usize = sizes.iter().product();
        if count > 10_000_000 {
            return Err(format!("`{}` has {count} elements", var.name));
        }
        for element in 0..count {
            let mut rest = element;
            let mut subscripts = vec![0; sizes.len()];
            for (subscript, size) in subscripts.iter_mut().zip(&sizes).rev() {
                (*subscript, rest) = (rest % size + 1, rest / size);
            }
            let words: Vec<String> = subscripts.iter().map(usize::to_string).collect();
            // An element of a derivative is the derivative of an element.
            let name = match var.name.strip_prefix("der(").and_then(|name| name.strip_suffix(')')) {
                Some(of) => format!("der({of}[{}])", words.join(",")),
                None => format!("{}[{}]", var.name, words.join(",")),
            };
            list.push(Element { var: k, element, name });
        }
    }
    Ok(list)
}

/// The number of states: of the elements of all derivatives.
pub fn state_count(description: &Description) -> usize {
    let count = |reference: u32| {
        let var = description.by_reference(reference);
        var.and_then(|var| sizes(description, var).ok()).map_or(1, |sizes| sizes.iter().product())
    };
    description.derivatives.iter().map(|unknown| count(unknown.reference)).sum()
}

fn sizes(description: &Description, var: &Variable) -> Result<Vec<usize>, String> {
    let size = |dimension: &Dimension| match dimension {
        Dimension::Fixed(size) => Ok(*size as usize),
        Dimension::Parameter(reference) => {
            let of = description.by_reference(*reference).and_then(|var| var.start.first());
            let size = of.and_then(|text| text.parse().ok());
            size.ok_or_else(|| format!("a size of `{}` has no start value", var.name))
        }
    };
    var.dimensions.iter().map(size).collect()
}

/// The value that an element begins with.
pub fn start(var: &Variable, element: usize) -> Option<&str> {
    let text = if var.start.len() == 1 { var.start.first() } else { var.start.get(element) };
    text.map(String::as_str)
}

/// A start value as a number.
pub fn number(var: &Variable, text: &str) -> f64 {
    match text.trim() {
        "true" => 1.0,
        "false" => 0.0,
        other => other.parse().unwrap_or_else(|_| {
            let literal = var.literals.iter().find(|(name, _)| name == other);
            literal.map_or(0.0, |(_, value)| *value as f64)
        }),
    }
}

/// Can it be set before the run?
pub fn is_settable(var: &Variable) -> bool {
    let given = matches!(var.causality, Causality::Parameter | Causality::Input);
    let begun = !var.start.is_empty() && var.initial != Initial::Calculated;
    var.variability != Variability::Constant && (given || begun)
}

/// An element as results show it.
pub fn info(var: &Variable, element: &Element, slot: u32) -> VarInfo {
    let parameter = var.variability <= Variability::Tunable;
    let ty = match var.ty {
        Type::Float64 | Type::Float32 => Scalar::Real,
        // Our Integers have 32 bits with a sign.
        Type::Integer { bits: 64, .. } | Type::Integer { bits: 32, signed: false } => Scalar::Real,
        Type::Boolean => Scalar::Bool,
        Type::String => Scalar::Str,
        // Literals go by their places; values that are numbered otherwise are shown as numbers.
        Type::Enumeration if is_numbered(var) => Scalar::Enum(EnumId(0)),
        _ => Scalar::Int,
    };
    let given = var.causality == Causality::Input;
    let whole = !matches!(var.ty, Type::Float64 | Type::Float32);
    let discrete = var.variability == Variability::Discrete || whole;
    VarInfo {
        name: element.name.clone(),
        ty,
        unit: var.unit.clone(),
        display_unit: var.display_unit.clone(),
        description: var.description.clone(),
        protected: false,
        causality: match var.causality {
            Causality::Input => kairos_model::Causality::Input,
            Causality::Output => kairos_model::Causality::Output,
            _ => kairos_model::Causality::Local,
        },
        variability: match var.variability {
            Variability::Constant => kairos_expr::Variability::Constant,
            Variability::Fixed | Variability::Tunable => kairos_expr::Variability::Parameter,
            _ if discrete => kairos_expr::Variability::Discrete,
            _ => kairos_expr::Variability::Continuous,
        },
        start: start(var, element.element).map(|text| Attribute::Number(number(var, text))),
        min: var.min.map(Attribute::Number),
        max: var.max.map(Attribute::Number),
        nominal: var.nominal.map(Attribute::Number),
        span: Span::new(FileId::new(0), 0, 0),
        is_found: parameter && var.causality != Causality::Parameter,
        is_final: parameter && var.causality != Causality::Parameter && !is_settable(var),
        is_discrete: discrete && !parameter,
        settable: parameter && is_settable(var),
        given: given.then_some(slot),
        slot,
        negated: false,
        literals: var.literals.iter().map(|(name, _)| name.clone()).collect(),
        enumeration: var.declared.clone(),
    }
}

/// Do the literals of an enumeration count from 1?
fn is_numbered(var: &Variable) -> bool {
    !var.literals.is_empty() && var.literals.iter().zip(1..).all(|((_, value), place)| *value == place)
}
