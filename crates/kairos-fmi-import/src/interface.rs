//! What a component of a model sees of an FMU, in an order that the text of the component and its functions share.

use crate::description::{Causality, Description, Initial, Kind, Type, Variability, Variable};
use crate::layout::{Layout, Place};
use kairos_machine::MachineInfo;

/// Slots of the layout, by what they are to a component.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    pub parameters: Vec<Port>,
    /// States that begin with a value that can be given.
    pub starts: Vec<Port>,
    pub inputs: Vec<Port>,
    /// Outputs that move, with the places of the inputs that they depend on; `None`: on all.
    pub outputs: Vec<(Port, Option<Vec<usize>>)>,
    /// Outputs that change at events only.
    pub discrete: Vec<Port>,
}

/// One scalar of the FMU.
#[derive(Clone, Debug)]
pub struct Port {
    pub slot: u32,
    /// Its place among the machine's variables.
    pub var: usize,
    /// And among those of the description.
    pub described: usize,
}

impl Interface {
    pub fn new(description: &Description, layout: &Layout, info: &MachineInfo, kind: Kind) -> Interface {
        let mut interface = Interface::default();
        let elements = crate::variables::elements(description).unwrap_or_default();
        let ports = info.vars.iter().zip(&elements).enumerate().map(|(k, (var, element))| {
            (Port { slot: var.slot, var: k, described: element.var }, &description.variables[element.var])
        });
        let mut seen = std::collections::BTreeSet::new();
        let mut outputs = Vec::new();
        for (port, described) in ports {
            // Texts have no place in the equations of a component, and a variable with two names has one.
            if described.ty == Type::String || !seen.insert(port.slot) {
                continue;
            }
            match described.causality {
                Causality::Parameter => interface.parameters.push(port),
                Causality::Input => interface.inputs.push(port),
                Causality::Output => outputs.push((port, described)),
                _ => {}
            }
        }
        if kind == Kind::ModelExchange {
            let begins = |slot: &u32| {
                let k = info.vars.iter().position(|var| var.slot == *slot)?;
                let described = elements.get(k)?.var;
                let var = &description.variables[described];
                let open = var.initial == Initial::Exact && !var.start.is_empty();
                open.then_some(Port { slot: *slot, var: k, described })
            };
            interface.starts = info.states.iter().filter_map(begins).collect();
        }
        for (port, var) in outputs {
            match var.variability == Variability::Continuous && kind == Kind::ModelExchange {
                true => {
                    let on = dependencies(description, layout, var, &interface.inputs);
                    interface.outputs.push((port, on));
                }
                false => interface.discrete.push(port),
            }
        }
        interface
    }
}

fn dependencies(
    description: &Description,
    layout: &Layout,
    var: &Variable,
    inputs: &[Port],
) -> Option<Vec<usize>> {
    let unknown = description.outputs.iter().find(|unknown| unknown.reference == var.reference)?;
    let on = unknown.dependencies.as_ref()?;
    let place = |port: &Port| -> &Place { &layout.places[layout.place_of[port.slot as usize] as usize] };
    let depends = |(_, port): &(usize, &Port)| on.contains(&place(port).reference);
    Some(inputs.iter().enumerate().filter(depends).map(|(k, _)| k).collect())
}
