//! The variables of a model as an importer sees them: what each is, whether it can be set, and what it begins with.

use crate::clocks::Clock;
use kairos::{Attribute, VarInfo, Variability};
use kairos_expr::{Node, Scalar, Store};
use kairos_fmi_runtime::Described;
use kairos_machine::Machine;
use std::collections::{BTreeMap, BTreeSet};

/// A variable as both descriptions have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exposed {
    pub reference: u32,
    pub name: String,
    pub description: String,
    pub causality: Causality,
    pub variability: &'static str,
    /// How its value at the start comes about; `None`: it is given.
    pub initial: Option<&'static str>,
    pub ty: Type,
    pub start: Option<Start>,
    pub unit: String,
    pub display_unit: String,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    /// It is the derivative of the variable with this reference.
    pub derivative_of: Option<u32>,
    /// An array: its sizes, the references of its elements, the last subscript first, and what they begin with.
    pub dimensions: Vec<usize>,
    pub elements: Vec<u32>,
    pub starts: Vec<Start>,
    /// The clock that it belongs to.
    pub clock: Option<u32>,
}

impl Exposed {
    /// Could both be elements of one array?
    pub fn is_like(&self, other: &Exposed) -> bool {
        let shape = |var: &Exposed| {
            let Exposed { causality, variability, initial, ty, min, max, nominal, .. } = var.clone();
            (causality.name(), variability, initial, ty, min, max, nominal, var.start.is_some(), var.clock)
        };
        shape(self) == shape(other) && (&self.unit, &self.display_unit) == (&other.unit, &other.display_unit)
    }
}

/// Who determines a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
}

impl Causality {
    /// As the standard spells it.
    pub fn name(self) -> &'static str {
        match self {
            Causality::Parameter => "parameter",
            Causality::CalculatedParameter => "calculatedParameter",
            Causality::Input => "input",
            Causality::Output => "output",
            Causality::Local => "local",
        }
    }
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Real,
    Integer,
    Boolean,
    String,
    /// The qualified name of the enumeration, and its literals.
    Enumeration(String, Vec<String>),
    /// Its interval and the time of its first tick, if these are the same in all runs.
    Clock(Interval),
}

/// When a clock ticks, as far as importers know it.
#[derive(Clone, Debug, PartialEq)]
pub enum Interval {
    /// When somebody decides it while it runs.
    Triggered,
    /// At intervals that are told at the start.
    Fixed,
    /// At these intervals, after this time.
    Constant(f64, f64),
}

/// A value to begin with.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    Number(f64),
    Text(String),
}

/// All variables, in the order of their references.
pub fn exposed(
    machine: &dyn Machine,
    described: &Described,
    causal: &kairos::CausalModel,
    exchanges: bool,
    tunable: &[String],
    clocks: &[Clock],
) -> Vec<Exposed> {
    let free: BTreeMap<&str, bool> = causal
        .vars
        .iter()
        .map(|var| {
            (var.name.as_str(), var.binding.or(var.start).is_none_or(|e| is_literal(&causal.store, e)))
        })
        .collect();
    let states: BTreeMap<usize, usize> = described.states.iter().copied().collect();
    let derivatives: BTreeMap<usize, usize> = described.states.iter().map(|(x, dx)| (*dx, *x)).collect();
    let belongs: BTreeMap<&str, &Clock> = causal
        .vars
        .iter()
        .filter_map(|var| {
            let partition = var.clock?;
            Some((
                var.name.as_str(),
                clocks.iter().find(|clock| clock.counted.partitions.contains(&partition))?,
            ))
        })
        .collect();
    let inner: BTreeSet<u32> = clocks.iter().flat_map(Clock::inner).collect();
    let mut list = Vec::new();
    for (k, var) in machine.info().vars.iter().enumerate().filter(|(k, _)| !described.hidden[*k]) {
        if inner.contains(&(k as u32)) {
            continue;
        }
        let Some(ty) = type_of(var) else { continue };
        let is_free = free.get(var.name.as_str()).copied().unwrap_or(false);
        // An input inside, a parameter for importers.
        let is_tunable = var.given.is_some() && tunable.contains(&var.name);
        let causality = if is_tunable { Causality::Parameter } else { causality(var, is_free) };
        let variability = match (var.variability, causality) {
            _ if is_tunable => "tunable",
            (Variability::Constant, _) => "constant",
            (Variability::Parameter, _) => "fixed",
            (_, Causality::Input) if var.is_discrete || ty != Type::Real => "discrete",
            _ if var.is_discrete || ty != Type::Real => "discrete",
            _ => "continuous",
        };
        let open = described.starts[k].filter(|_| states.contains_key(&k));
        let (initial, start) = match causality {
            Causality::Parameter if is_tunable => (Some("exact"), input_start(machine, var)),
            _ if variability == "constant" => (Some("exact"), value(machine, var, var.slot)),
            Causality::Parameter => (Some("exact"), value(machine, var, var.slot)),
            Causality::CalculatedParameter => (Some("calculated"), None),
            Causality::Input => (None, input_start(machine, var)),
            _ => match open {
                Some(slot) => (Some("exact"), Some(Start::Number(machine.values()[slot as usize]))),
                None => (Some("calculated"), None),
            },
        };
        let number = |attribute: &Option<Attribute>| match attribute {
            Some(Attribute::Number(number)) => Some(*number),
            Some(Attribute::Parameter(slot)) => Some(machine.values()[*slot as usize]),
            _ => None,
        };
        let number =
            |attribute: &Option<Attribute>| number(attribute).filter(|n| n.is_finite() && n.abs() < 1e300);
        let nominal = number(&var.nominal).filter(|nominal| *nominal > 0.0 && ty == Type::Real);
        list.push(Exposed {
            reference: k as u32,
            name: var.name.clone(),
            description: var.description.clone(),
            causality,
            variability,
            initial,
            start,
            unit: if ty == Type::Real { var.unit.clone() } else { String::new() },
            display_unit: if ty == Type::Real { var.display_unit.clone() } else { String::new() },
            min: number(&var.min),
            max: number(&var.max),
            nominal,
            derivative_of: derivatives.get(&k).filter(|_| exchanges).map(|x| *x as u32),
            dimensions: Vec::new(),
            elements: Vec::new(),
            starts: Vec::new(),
            // What comes from outside is read when the model ticks by itself, whenever it was set.
            clock: belongs
                .get(var.name.as_str())
                .filter(|clock| causality != Causality::Input || clock.trigger.is_some())
                .filter(|_| variability == "discrete")
                .map(|clock| clock.counter),
            ty,
        });
    }
    list.extend(clocks.iter().map(|clock| clock.exposed(machine, &list)).collect::<Vec<_>>());
    list
}

fn type_of(var: &VarInfo) -> Option<Type> {
    Some(match var.ty {
        Scalar::Real => Type::Real,
        Scalar::Int => Type::Integer,
        Scalar::Bool => Type::Boolean,
        Scalar::Str => Type::String,
        Scalar::Enum(_) => Type::Enumeration(var.enumeration.clone(), var.literals.clone()),
        _ => return None,
    })
}

fn causality(var: &VarInfo, is_free: bool) -> Causality {
    match var.variability {
        Variability::Constant => Causality::Local,
        // A parameter that follows from others is told, so that an importer that sets all values does not break the tie.
        Variability::Parameter if var.settable && !var.is_final && !var.is_found && is_free => {
            Causality::Parameter
        }
        Variability::Parameter => Causality::CalculatedParameter,
        _ if var.given.is_some() => Causality::Input,
        _ if var.causality == kairos::Causality::Output => Causality::Output,
        _ => Causality::Local,
    }
}

fn value(machine: &dyn Machine, var: &VarInfo, slot: u32) -> Option<Start> {
    Some(match var.ty {
        Scalar::Str => Start::Text(machine.string(slot).to_string()),
        _ => Start::Number(machine.values()[slot as usize] * if var.negated { -1.0 } else { 1.0 }),
    })
}

/// What an input is before anybody sets it.
fn input_start(machine: &dyn Machine, var: &VarInfo) -> Option<Start> {
    let declared = match &var.start {
        Some(Attribute::Number(number)) => Some(*number),
        Some(Attribute::Parameter(slot)) => Some(machine.values()[*slot as usize]),
        _ => None,
    };
    Some(match (declared, var.ty) {
        (Some(number), _) => Start::Number(number),
        (None, Scalar::Str) => Start::Text(machine.string(var.slot).to_string()),
        (None, Scalar::Enum(_)) => Start::Number(1.0),
        (None, _) => Start::Number(0.0),
    })
}

/// Does the value of a parameter follow from nothing else?
fn is_literal(store: &Store, e: kairos_expr::ExprId) -> bool {
    match store.node(e) {
        Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) => true,
        Node::Unary(_, a) => is_literal(store, *a),
        Node::Builtin(_, args) => args.iter().all(|a| is_literal(store, *a)),
        _ => false,
    }
}
