//! A linear model around a point: `dx' = A dx + B du`, `dy = C dx + D du`.
//!
//! The matrices are the partial derivatives of the state derivatives and of the outputs by states and inputs, at the point
//! where a run stands: constraints are part of them, since the states are those that index reduction has chosen, and
//! algebraic variables are eliminated by the implicit function theorem. Discrete variables and relations are held.

use crate::modes::{Mode, modes};
use kairos::{Error, Model, Options, Simulation, VarInfo};
use kairos_base::Diagnostic;

/// What to linearise, and where.
#[derive(Clone, Debug, Default)]
pub struct LinearRequest {
    /// The time of the point; without one the start, after initialisation.
    pub at: Option<f64>,
    /// Names of the inputs; without any those of the model. Parameters may be inputs, too.
    pub inputs: Vec<String>,
    /// Names of the outputs; without any those of the model. Any variables may be outputs.
    pub outputs: Vec<String>,
}

/// A state, input or output of a linear model.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// The name in the model.
    pub name: String,
    /// The unit, empty if there is none.
    pub unit: String,
    /// The value at the point.
    pub value: f64,
}

/// A linear model; matrices are lists of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The name of the model that it came from.
    pub model: String,
    /// The time of the point.
    pub time: f64,
    /// The states, in the order of the columns of `a` and `c`.
    pub states: Vec<Signal>,
    /// The inputs, in the order of the columns of `b` and `d`.
    pub inputs: Vec<Signal>,
    /// The outputs, in the order of the rows of `c` and `d`.
    pub outputs: Vec<Signal>,
    /// State derivatives by states.
    pub a: Vec<Vec<f64>>,
    /// State derivatives by inputs.
    pub b: Vec<Vec<f64>>,
    /// Outputs by states.
    pub c: Vec<Vec<f64>>,
    /// Outputs by inputs.
    pub d: Vec<Vec<f64>>,
    /// The derivatives are exact, not differences.
    pub is_exact: bool,
    /// The modes of the motion: eigenvalues of `a`, slowest first.
    pub modes: Vec<Mode>,
}

/// Runs a model to the point and linearises it there.
pub fn linearise(model: &Model, request: &LinearRequest, options: &Options) -> Result<Linear, Error> {
    let options = options.clone().events(false);
    let mut sim = model.start(&options)?;
    if let Some(at) = request.at {
        if at > sim.stop() {
            sim = model.start(&options.stop(at))?;
        }
        sim.run_to(at)?;
    }
    here(model, &mut sim, request)
}

/// Linearises where a run stands.
fn here(model: &Model, sim: &mut Simulation, request: &LinearRequest) -> Result<Linear, Error> {
    let named = |names: &[String], own: Vec<&VarInfo>| match names.is_empty() {
        true => Ok(own.into_iter().cloned().collect::<Vec<VarInfo>>()),
        false => names.iter().map(|name| model.variable(name).cloned()).collect(),
    };
    let inputs = named(&request.inputs, model.inputs().filter(|var| !var.is_discrete).collect())?;
    let outputs = named(&request.outputs, model.outputs().filter(|var| !var.is_discrete).collect())?;
    let wrong = inputs.iter().find(|var| var.given.is_none() && !var.is_parameter() || var.is_discrete);
    if let Some(var) = wrong {
        let text =
            format!("`{}` is neither an input nor a parameter: nothing can move it from outside", var.name);
        let help = "name top-level inputs or parameters of the model";
        return Err(Error::from(Diagnostic::error("wrong-input", text).help(help)));
    }
    let time = sim.time();
    let mut machine = sim.look()?.clone_machine();
    let info = machine.info().clone();
    let knowns: Vec<u32> = info.states.iter().copied().chain(inputs.iter().map(|var| var.slot)).collect();
    let unknowns: Vec<u32> =
        info.derivatives.iter().copied().chain(outputs.iter().map(|var| var.slot)).collect();
    let mut rows = vec![0.0; knowns.len() * unknowns.len()];
    let is_exact = machine
        .partials(&knowns, &unknowns, &mut rows)
        .map_err(|error| model.failure(&kairos::SimError::evaluation(time, error)))?;
    let (n, m) = (info.states.len(), inputs.len());
    let sign = |var: &VarInfo| if var.negated { -1.0 } else { 1.0 };
    let mut signs = vec![1.0; n];
    signs.extend(inputs.iter().map(sign));
    let mut out_signs = vec![1.0; n];
    out_signs.extend(outputs.iter().map(sign));
    let part = |unknown: std::ops::Range<usize>, known: std::ops::Range<usize>| -> Vec<Vec<f64>> {
        let entry = |i: usize, j: usize| rows[j * unknowns.len() + i] * signs[j] * out_signs[i];
        unknown.map(|i| known.clone().map(|j| entry(i, j)).collect()).collect()
    };
    let (a, b) = (part(0..n, 0..n), part(0..n, n..n + m));
    let (c, d) = (part(n..unknowns.len(), 0..n), part(n..unknowns.len(), n..n + m));
    let value = |slot: u32, sign: f64| sign * machine.values()[slot as usize];
    let signal = |var: &VarInfo| Signal {
        name: var.name.clone(),
        unit: var.unit.clone(),
        value: value(var.slot, sign(var)),
    };
    let state = |(name, &slot): (&String, &u32)| {
        let unit =
            info.vars.iter().find(|var| var.name == *name).map_or(String::new(), |var| var.unit.clone());
        Signal { name: name.clone(), unit, value: value(slot, 1.0) }
    };
    Ok(Linear {
        model: model.name().to_string(),
        time,
        states: info.state_names.iter().zip(&info.states).map(state).collect(),
        inputs: inputs.iter().map(signal).collect(),
        outputs: outputs.iter().map(signal).collect(),
        modes: modes(&a),
        a,
        b,
        c,
        d,
        is_exact,
    })
}
