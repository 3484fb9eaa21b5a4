//! Where the variables of an FMU stand in the numbers of its machine, and what the machine tells of them.

use crate::description::{Causality, Description, Kind, Type, Variability};
use crate::variables::{self, Element};
use kairos_base::{FileId, Span};
use kairos_machine::{MachineInfo, RelationInfo};
use std::collections::BTreeMap;

/// A variable of the FMU with all its elements, however many names it has.
#[derive(Clone, Debug)]
pub struct Place {
    pub ty: Type,
    pub reference: u32,
    pub base: usize,
    pub count: usize,
    /// An input that moves between events; an input that does not.
    pub moves: bool,
    pub jumps: bool,
    /// A parameter or constant.
    pub fixed: bool,
}

impl Place {
    /// Its slots.
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.base..self.base + self.count
    }
}

/// Variables of one type, read by one call.
#[derive(Clone, Debug)]
pub struct Group {
    pub ty: Type,
    pub references: Vec<u32>,
    pub slots: Vec<u32>,
}

/// Everything that stays the same in all runs.
pub struct Layout {
    pub places: Vec<Place>,
    /// The place of each slot.
    pub place_of: Vec<u32>,
    /// What does not change in a run, and what does.
    pub fixed: Vec<Group>,
    pub varying: Vec<Group>,
    /// Slots of variables that change at events only.
    pub discrete: Vec<u32>,
    /// The references of states and of their derivatives, for derivatives along directions; only where all are scalars.
    pub states: Vec<u32>,
    pub derivatives: Vec<u32>,
    pub indicators: usize,
    /// The values to begin with.
    pub values: Vec<f64>,
    pub texts: BTreeMap<u32, String>,
}

/// Types whose references FMI 2.0 numbers by themselves.
fn class(ty: Type) -> u8 {
    match ty {
        Type::Float64 | Type::Float32 => 0,
        Type::Boolean => 1,
        Type::String => 2,
        _ => 3,
    }
}

/// Gives every variable its slots.
pub fn lay_out(description: &Description, kind: Kind) -> Result<(Layout, MachineInfo), String> {
    let elements = variables::elements(description)?;
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    elements.iter().for_each(|element| *counts.entry(element.var).or_default() += 1);
    let (mut places, mut known): (Vec<Place>, BTreeMap<(u8, u32), usize>) = Default::default();
    let mut slots = 0;
    let mut place_of = Vec::new();
    for (&k, &count) in &counts {
        let var = &description.variables[k];
        let key = (class(var.ty), var.reference);
        let at = *known.entry(key).or_insert_with(|| {
            let place = Place {
                ty: var.ty,
                reference: var.reference,
                base: slots,
                count,
                moves: false,
                jumps: false,
                fixed: true,
            };
            slots += count;
            place_of.resize(slots, places.len() as u32);
            places.push(place);
            places.len() - 1
        });
        let real = class(var.ty) == 0;
        let input = var.causality == Causality::Input;
        places[at].moves |= input && real && var.variability == Variability::Continuous;
        places[at].jumps |= input && !(real && var.variability == Variability::Continuous);
        places[at].fixed &= var.variability <= Variability::Tunable;
    }
    let place = |k: usize| {
        let var = &description.variables[k];
        known.get(&(class(var.ty), var.reference)).map(|at| &places[*at])
    };
    let (mut values, mut texts) = (vec![0.0; slots], BTreeMap::new());
    let mut info = MachineInfo { name: description.name.clone(), ..MachineInfo::default() };
    for element in &elements {
        let Element { var: k, element: at, .. } = element;
        let (var, Some(place)) = (&description.variables[*k], place(*k)) else { continue };
        let slot = (place.base + at.min(&(place.count - 1))) as u32;
        info.vars.push(variables::info(var, element, slot));
        match (variables::start(var, *at), var.ty) {
            (Some(text), Type::String) => drop(texts.insert(slot, text.to_string())),
            (Some(text), _) => values[slot as usize] = variables::number(var, text),
            (None, _) => {}
        }
    }
    let mut layout = Layout {
        fixed: groups(&places, |place| place.fixed),
        varying: groups(&places, |place| !place.fixed),
        discrete: info.vars.iter().filter(|var| var.is_discrete).map(|var| var.slot).collect(),
        states: Vec::new(),
        derivatives: Vec::new(),
        indicators: 0,
        values,
        texts,
        place_of,
        places: Vec::new(),
    };
    layout.discrete.sort_unstable();
    layout.discrete.dedup();
    let of = |reference: u32| known.get(&(0, reference)).map(|at| &places[*at]);
    if kind == Kind::ModelExchange {
        lay_out_states(description, &of, &mut layout, &mut info)?;
    }
    for place in places.iter().filter(|place| place.moves || place.jumps) {
        info.given.extend(place.slots().map(|slot| slot as u32));
        if place.moves {
            info.inputs.extend(place.slots().map(|slot| slot as u32));
        }
    }
    info.given.sort_unstable();
    layout.places = places;
    Ok((layout, info))
}

fn lay_out_states<'a>(
    description: &Description,
    of: &dyn Fn(u32) -> Option<&'a Place>,
    layout: &mut Layout,
    info: &mut MachineInfo,
) -> Result<(), String> {
    let name = |slot: u32, info: &MachineInfo| {
        info.vars.iter().find(|var| var.slot == slot).map_or(String::new(), |var| var.name.clone())
    };
    let mut scalars = true;
    for unknown in &description.derivatives {
        let slope = description
            .variables
            .iter()
            .find(|var| var.reference == unknown.reference && class(var.ty) == 0)
            .ok_or_else(|| {
                format!("no variable is the derivative with the reference {}", unknown.reference)
            })?;
        let state = slope
            .derivative_of
            .ok_or_else(|| format!("`{}` is listed as a derivative, and does not say of what", slope.name))?;
        let (Some(state), Some(slope)) = (of(state), of(unknown.reference)) else {
            return Err(format!("the state of `{}` is no variable", slope.name));
        };
        if state.count != slope.count {
            return Err("a state and its derivative have different sizes".into());
        }
        scalars &= state.count == 1;
        layout.states.push(state.reference);
        layout.derivatives.push(slope.reference);
        for (state, slope) in state.slots().zip(slope.slots()) {
            info.states.push(state as u32);
            info.derivatives.push(slope as u32);
            info.state_names.push(name(state as u32, info));
        }
    }
    let count = info.states.len();
    info.nominal = vec![1.0; count];
    // Columns of the Jacobian: what the description says of dependencies, or everything.
    info.jacobian_columns = match scalars {
        true => (0..count)
            .map(|column| {
                let depends = |row: &u32| match &description.derivatives[*row as usize].dependencies {
                    Some(on) => on.contains(&layout.states[column]),
                    None => true,
                };
                (0..count as u32).filter(depends).collect()
            })
            .collect(),
        false => vec![(0..count as u32).collect(); count],
    };
    if !scalars {
        (layout.states, layout.derivatives) = Default::default();
    }
    layout.indicators = description.indicators;
    let span = Span::new(FileId::new(0), 0, 0);
    let relation = |text: String, by_time| RelationInfo { text, span, by_time, true_side: 1, at_zero: false };
    info.relations =
        (1..=layout.indicators).map(|k| relation(format!("event indicator {k} > 0"), false)).collect();
    info.relations.push(relation("time event of the FMU".into(), true));
    Ok(())
}

fn groups(places: &[Place], wanted: impl Fn(&Place) -> bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for place in places.iter().filter(|place| wanted(place)) {
        // FMI 2.0 reads enumerations as integers; FMI 3.0 has a type for them, which is read apart.
        let at = groups.iter().position(|group| group.ty == place.ty).unwrap_or_else(|| {
            groups.push(Group { ty: place.ty, references: Vec::new(), slots: Vec::new() });
            groups.len() - 1
        });
        groups[at].references.push(place.reference);
        groups[at].slots.extend(place.slots().map(|slot| slot as u32));
    }
    groups
}
