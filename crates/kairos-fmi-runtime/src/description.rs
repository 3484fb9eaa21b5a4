//! What an FMU and its description must agree on: which variables can be set, and by which number a model is known.

use kairos_base::keyed::Keyed;
use kairos_machine::MachineInfo;
use std::collections::BTreeMap;

/// The name of the model's file in the resources of an FMU.
pub const MODEL: &str = "model.kairos";
/// Which variables are arrays, in the resources of an FMU of FMI 3.0: a line for each with the references of its elements.
pub const ARRAYS: &str = "arrays.txt";
/// The clocks of a model in the resources of an FMU of FMI 3.0: a line for each with the references of the clock, which is that of
/// the variable that counts its ticks, of the input that makes it tick, and of the parameters with its interval and the time of its
/// first tick; `-` where there is none.
pub const CLOCKS: &str = "clocks.txt";
/// The library as which the resources of an FMU are known to the model.
pub const RESOURCES: &str = "FmuResources";
/// What the parameter that holds the start value of a variable is called.
const START: &str = ".start";

/// Places in `MachineInfo::vars` that belong together. A value reference is such a place.
pub struct Described {
    /// For each variable the slot of the parameter that holds its start value.
    pub starts: Vec<Option<u32>>,
    /// Parameters that are only there to hold start values of others.
    pub hidden: Vec<bool>,
    /// The variables that are the states and their derivatives, in the order of the state vector; empty where some of
    /// them are not variables of the model, as where states are chosen while it runs.
    pub states: Vec<(usize, usize)>,
    /// The relations that are event indicators.
    pub indicators: Vec<u32>,
}

/// References of what is no variable of the machine, for FMI 3.0; they follow those of the `count` variables.
pub struct Extra;

impl Extra {
    /// The independent variable.
    pub fn time(count: usize) -> u32 {
        count as u32
    }

    /// An event indicator.
    pub fn indicator(count: usize, k: usize) -> u32 {
        (count + 1 + k) as u32
    }
}

/// Looks at the variables of a model.
pub fn describe(info: &MachineInfo) -> Described {
    let by_name: BTreeMap<&str, usize> =
        info.vars.iter().enumerate().map(|(k, var)| (var.name.as_str(), k)).collect();
    let mut hidden = vec![false; info.vars.len()];
    let mut starts = vec![None; info.vars.len()];
    for (k, var) in info.vars.iter().enumerate() {
        let parameter = by_name.get(format!("{}{START}", var.name).as_str());
        if let Some(&parameter) = parameter.filter(|_| !var.is_parameter()) {
            starts[k] = Some(info.vars[parameter].slot);
            hidden[parameter] = true;
        }
    }
    let mut of_slot: BTreeMap<u32, usize> = BTreeMap::new();
    for (k, var) in info.vars.iter().enumerate().filter(|(_, var)| !var.negated) {
        of_slot.entry(var.slot).or_insert(k);
    }
    // The derivative goes by its own name where there is one: `der(x)` rather than what equals it.
    let derivative = |state: usize, slot: u32| {
        let name = format!("der({})", info.vars[state].name);
        let named = by_name
            .get(name.as_str())
            .copied()
            .filter(|&k| info.vars[k].slot == slot && !info.vars[k].negated);
        named.or_else(|| of_slot.get(&slot).copied())
    };
    let named = |name: &str, slot: u32| {
        let own = by_name.get(name).copied().filter(|&k| info.vars[k].slot == slot && !info.vars[k].negated);
        own.or_else(|| of_slot.get(&slot).copied())
    };
    let pairs = info.states.iter().zip(&info.derivatives).zip(&info.state_names);
    let states: Option<Vec<(usize, usize)>> = pairs
        .map(|((&state, &slope), name)| {
            let state = named(name, state)?;
            Some((state, derivative(state, slope)?))
        })
        .collect();
    let searched = info.relations.iter().zip(0..).filter(|(relation, _)| !relation.by_time);
    Described {
        starts,
        hidden,
        states: states.unwrap_or_default(),
        indicators: searched.map(|(_, r)| r).collect(),
    }
}

/// By what the description of an FMU and its model know that they belong together.
pub fn token(model: &[u8]) -> String {
    let mut digest = Keyed::new(b"kairos fmu token");
    digest.write_whole(model);
    let d = digest.finish();
    let hex =
        |range: std::ops::Range<usize>| d[range].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("{{{}-{}-{}-{}-{}}}", hex(0..4), hex(4..6), hex(6..8), hex(8..10), hex(10..16))
}
