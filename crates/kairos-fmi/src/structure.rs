//! The structure of a model as importers use it: outputs, derivatives and what has to be computed at the start, each with
//! the variables that it depends on.

use crate::variables::{Causality, Exposed, Type};
use kairos_fmi_runtime::Described;
use kairos_machine::Machine;

/// References of unknowns.
#[derive(Default)]
pub struct Structure {
    pub outputs: Vec<Unknown>,
    pub derivatives: Vec<Unknown>,
    pub initial: Vec<u32>,
}

/// A variable and what it depends on; `None`: on everything.
pub struct Unknown {
    pub reference: u32,
    pub dependencies: Option<Vec<u32>>,
}

/// Finds the structure; derivatives only for model exchange.
pub fn find(
    machine: &dyn Machine,
    described: &Described,
    variables: &[Exposed],
    exchanges: bool,
) -> Structure {
    let info = machine.info();
    let states = described.states.iter().filter(|_| exchanges);
    let mut knowns: Vec<(u32, u32)> = states.map(|(x, _)| (*x as u32, info.vars[*x].slot)).collect();
    let inputs = variables.iter().filter(|var| var.causality == Causality::Input);
    knowns.extend(inputs.filter_map(|var| Some((var.reference, info.vars[var.reference as usize].given?))));
    let outputs = variables.iter().filter(|var| var.causality == Causality::Output);
    let mut unknowns: Vec<u32> = outputs.map(|var| var.reference).collect();
    let count = unknowns.len();
    if exchanges {
        unknowns.extend(described.states.iter().map(|(_, dx)| *dx as u32));
    }
    let slots = |list: &[(u32, u32)]| list.iter().map(|(_, slot)| *slot).collect::<Vec<_>>();
    let of: Vec<u32> = unknowns.iter().map(|reference| info.vars[*reference as usize].slot).collect();
    let found = machine.clone_machine().dependences(&slots(&knowns), &of);
    let mut all = unknowns.iter().enumerate().map(|(at, reference)| {
        // What changes at events only may depend on whatever its conditions read.
        let var = &info.vars[*reference as usize];
        let exact =
            variables.iter().find(|var| var.reference == *reference).is_some_and(|v| v.ty == Type::Real);
        let places = found.as_ref().map(|found| &found[at]).filter(|_| exact && !var.is_discrete);
        let references = |list: &Vec<u32>| list.iter().map(|k| knowns[*k as usize].0).collect();
        Unknown { reference: *reference, dependencies: places.map(references) }
    });
    let outputs: Vec<Unknown> = all.by_ref().take(count).collect();
    let derivatives: Vec<Unknown> = all.collect();
    let computed = |var: &&Exposed| {
        let moves = described.states.iter().any(|(x, dx)| [*x as u32, *dx as u32].contains(&var.reference));
        // Clocked variables have values from their first tick on.
        let wanted = match var.causality {
            Causality::Output => var.clock.is_none(),
            Causality::CalculatedParameter => true,
            _ => exchanges && moves,
        };
        let calculated = var.initial == Some("calculated");
        wanted && (calculated || var.causality == Causality::Output && matches!(var.ty, Type::Clock(_)))
    };
    let initial = variables.iter().filter(computed).map(|var| var.reference).collect();
    Structure { outputs, derivatives, initial }
}
