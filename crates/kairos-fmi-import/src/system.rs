//! A system of connected FMUs as one machine: the master of a co-simulation.
//!
//! From one communication point to the next every FMU goes by itself, with the inputs of the beginning; there the outputs go
//! over to the inputs that are connected with them. At a point values are exchanged until none changes, so that what passes
//! straight through one FMU reaches the next at the same time. FMUs of model exchange are integrated by runs of ours.
//!
//! The first event of an FMU between two points becomes a point of its own (`together.rs`).

use crate::archive::Archive;
use crate::description::Kind;
use crate::diagnostics;
use crate::machine::{FmuMachine, open};
use crate::ssp::{Origin, Package, System};
use crate::together::together;
use kairos_base::{Diagnostic, Span};
use kairos_expr::{Scalar, Value};
use kairos_machine::shortcuts::{Guest, Shortcuts};
use kairos_machine::{
    Changes, Effects, Eval, EvalError, Fault, Given, Machine, MachineInfo, Plan, Source, Start,
};
use kairos_sim::{SimOptions, Simulation, Sink};

/// At a communication point values are exchanged so many times for each FMU, at most.
const ROUNDS: usize = 3;
/// More events than this between two points are left to the FMUs: values are exchanged at the next point.
const MOST: usize = 200;

/// One FMU with what drives it.
pub(crate) enum Runner {
    /// Not begun.
    Waiting(Box<FmuMachine>),
    /// It goes by itself.
    Itself(Box<FmuMachine>),
    /// It is integrated.
    Integrated(Box<Simulation<'static>>),
}

/// A value that goes from one slot to another.
#[derive(Clone, Debug)]
struct Wire {
    from: u32,
    /// The part that takes it, its slot there and here.
    part: usize,
    slot: u32,
    to: u32,
    factor: f64,
    offset: f64,
}

pub(crate) struct Member {
    machine: Box<FmuMachine>,
    pub(crate) runner: Runner,
    /// Where its slots begin among those of the system.
    base: u32,
}

/// A system of FMUs.
pub struct SystemMachine {
    members: Vec<Member>,
    wires: Vec<Wire>,
    info: MachineInfo,
    values: Vec<f64>,
    pre: Vec<f64>,
    time: f64,
    reached: f64,
    /// Events since the last point that was planned.
    crowd: usize,
    start: f64,
    stop: f64,
    tolerance: f64,
    interval: f64,
    ended: Option<f64>,
    /// Values of the system's own inputs and outputs have slots at the end.
    own: Vec<(u32, u32)>,
}

pub(crate) struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _: f64, _: &dyn Machine) -> Result<(), String> {
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        false
    }

    fn wants_events(&self) -> bool {
        false
    }
}

/// Opens a system; all its FMUs are loaded.
pub fn open_system(mut package: Package) -> Result<SystemMachine, Diagnostic> {
    let path = package.path.clone();
    let system = package.system.clone();
    let wrong = |why: String| diagnostics::bad_system(&path, &why);
    let mut members = Vec::new();
    let mut info = MachineInfo { name: system.name.clone(), ..MachineInfo::default() };
    let mut slots = 0;
    for part in &system.components {
        let bytes = package
            .file(&part.source)
            .ok_or_else(|| wrong(format!("there is no file `{}` in it", part.source)))?;
        let archive = Archive::of_bytes(&part.source, bytes)?;
        let kind = match part.implementation.as_str() {
            "ModelExchange" => Kind::ModelExchange,
            "CoSimulation" => Kind::CoSimulation,
            _ if archive.description.cosimulation.is_some() => Kind::CoSimulation,
            _ => Kind::ModelExchange,
        };
        let machine = open(archive, Some(kind))?;
        for var in &machine.info().vars {
            let mut var = var.clone();
            var.name = format!("{}.{}", part.name, var.name);
            var.slot += slots;
            // What is connected is set here; what is not stays as it is set.
            var.given = None;
            var.causality = kairos_model::Causality::Local;
            info.vars.push(var);
        }
        let count = machine.values().len() as u32;
        let runner = Runner::Waiting(Box::new(machine.twin()));
        members.push(Member { runner, machine: Box::new(machine), base: slots });
        slots += count;
    }
    let mut made = SystemMachine {
        members,
        wires: Vec::new(),
        info,
        values: vec![0.0; slots as usize],
        pre: Vec::new(),
        time: 0.0,
        crowd: 0,
        reached: 0.0,
        start: 0.0,
        stop: 1.0,
        tolerance: 1e-6,
        interval: f64::INFINITY,
        ended: None,
        own: Vec::new(),
    };
    made.connect(&system).map_err(wrong)?;
    made.configure(&system).map_err(wrong)?;
    made.pre.clone_from(&made.values);
    Ok(made)
}

impl SystemMachine {
    fn find(&self, name: &str) -> Option<usize> {
        self.info.vars.iter().position(|var| var.name == name)
    }

    fn member_of(&self, slot: u32) -> usize {
        self.members.iter().rposition(|member| member.base <= slot).unwrap_or(0)
    }

    fn connect(&mut self, system: &System) -> Result<(), String> {
        // The system's own inputs are variables that the user sets.
        for input in &system.inputs {
            let slot = self.values.len() as u32;
            self.values.push(0.0);
            let mut var = self.info.vars.first().cloned().ok_or("it has no FMUs")?;
            var.name.clone_from(&input.name);
            (var.slot, var.given, var.unit) = (slot, Some(slot), input.unit.clone());
            (var.ty, var.description, var.is_discrete) = (Scalar::Real, String::new(), false);
            (var.causality, var.variability) =
                (kairos_model::Causality::Input, kairos_expr::Variability::Continuous);
            (var.start, var.min, var.max, var.nominal, var.display_unit) =
                (None, None, None, None, String::new());
            (var.is_found, var.is_final, var.settable, var.protected) = (false, false, false, false);
            self.info.given.push(slot);
            self.info.inputs.push(slot);
            self.info.vars.push(var);
        }
        for k in 0..self.info.vars.len() {
            let name = self.info.vars[k].name.clone();
            let Some(part) = system
                .components
                .iter()
                .filter(|part| name.starts_with(&format!("{}.", part.name)))
                .max_by_key(|part| part.name.len())
            else {
                continue;
            };
            let connector = &name[part.name.len() + 1..];
            if let Some(origin) = system.origin(&part.name, connector)? {
                let wire = self.wire(&origin, k, &name)?;
                self.wires.push(wire);
            }
        }
        for output in &system.outputs {
            let Some(origin) = system.origin("", &output.name)? else { continue };
            let source = self.source(&origin)?;
            let mut var = self.info.vars[source].clone();
            let slot = self.values.len() as u32;
            self.values.push(0.0);
            self.own.push((self.info.vars[source].slot, slot));
            (var.name, var.slot, var.causality) =
                (output.name.clone(), slot, kairos_model::Causality::Output);
            self.info.vars.push(var);
        }
        Ok(())
    }

    fn source(&self, origin: &Origin) -> Result<usize, String> {
        let (element, connector) = &origin.from;
        let name = if element.is_empty() { connector.clone() } else { format!("{element}.{connector}") };
        self.find(&name)
            .ok_or_else(|| format!("`{name}`, from where a connection comes, is no variable of an FMU"))
    }

    fn wire(&self, origin: &Origin, to: usize, name: &str) -> Result<Wire, String> {
        let from = self.source(origin)?;
        let (mut factor, mut offset) = (1.0, 0.0);
        let ends = (self.info.vars[from].unit.clone(), self.info.vars[to].unit.clone());
        for (k, units) in origin.units.iter().enumerate().rev() {
            let Some((first, last)) = units else { continue };
            // Where a connector does not say its unit, it is that of the variable.
            let first = if first.is_empty() && k + 1 == origin.units.len() { &ends.0 } else { first };
            let last = if last.is_empty() && k == 0 { &ends.1 } else { last };
            let (a, b) = conversion(first, last).ok_or_else(|| {
                format!("`{name}` is in `{last}`, and what is connected with it in `{first}`")
            })?;
            (factor, offset) = (a * factor, a * offset + b);
        }
        // Transformations hold for values in the unit of the end.
        let (factor, offset) = (origin.factor * factor, origin.factor * offset + origin.offset);
        let slot = self.info.vars[to].slot;
        let part = self.member_of(slot);
        Ok(Wire {
            from: self.info.vars[from].slot,
            part,
            slot: slot - self.members[part].base,
            to: slot,
            factor,
            offset,
        })
    }

    fn configure(&mut self, system: &System) -> Result<(), String> {
        for setting in &system.parameters {
            let at = self
                .find(&setting.name)
                .ok_or_else(|| format!("the parameter `{}` is in no FMU", setting.name))?;
            let var = self.info.vars[at].clone();
            if var.ty == Scalar::Str {
                self.set(var.slot, Given::Text(&setting.value));
                continue;
            }
            let number = match setting.value.trim() {
                "true" => 1.0,
                "false" => 0.0,
                text => text.parse().map_err(|_| format!("`{text}` is no value for `{}`", setting.name))?,
            };
            let (factor, offset) = conversion(&setting.unit, &var.unit).ok_or_else(|| {
                format!("`{}` is given in `{}`, and is in `{}`", setting.name, setting.unit, var.unit)
            })?;
            self.set(var.slot, Given::Number(factor * number + offset));
        }
        Ok(())
    }

    /// Reads the values of a member.
    fn read(&mut self, k: usize) -> Eval {
        let member = &mut self.members[k];
        let values = match &mut member.runner {
            Runner::Waiting(machine) => machine.values(),
            Runner::Itself(machine) => {
                machine.outputs()?;
                machine.values()
            }
            Runner::Integrated(run) => run.look().map_err(fault)?.values(),
        };
        let base = member.base as usize;
        self.values[base..base + values.len()].copy_from_slice(values);
        Ok(())
    }

    /// Sends what is connected; has anything changed?
    fn transfer(&mut self) -> bool {
        let mut changed = false;
        for k in 0..self.wires.len() {
            let wire = self.wires[k].clone();
            let value = wire.factor * self.values[wire.from as usize] + wire.offset;
            if self.values[wire.to as usize].to_bits() != value.to_bits() {
                changed = true;
                self.values[wire.to as usize] = value;
                match &mut self.members[wire.part].runner {
                    Runner::Waiting(machine) => machine.set(wire.slot, Given::Number(value)),
                    Runner::Itself(machine) => machine.set(wire.slot, Given::Number(value)),
                    Runner::Integrated(run) => run.give(wire.slot, Value::Real(value)),
                }
            }
        }
        changed
    }

    /// Exchanges values at the present point until none changes.
    fn settle(&mut self) -> Eval {
        for _ in 0..ROUNDS * self.members.len().max(1) {
            if !self.transfer() {
                break;
            }
            (0..self.members.len()).try_for_each(|k| self.read(k))?;
        }
        for &(from, to) in &self.own {
            self.values[to as usize] = self.values[from as usize];
        }
        Ok(())
    }

    fn advance(&mut self) -> Eval {
        self.settle()?;
        loop {
            let slack = 1e-12 * self.time.abs().max(1e-3);
            let to = self.next_point().min(self.time);
            if self.time - self.reached <= slack || self.ended.is_some() {
                return match self.ended {
                    Some(time) if self.time - time > slack => Err(diagnostics::ended(time)),
                    _ => Ok(()),
                };
            }
            let came = together(&mut self.members, self.reached, to, self.crowd < MOST)?;
            self.crowd = if came < to { self.crowd + 1 } else { 0 };
            for k in 0..self.members.len() {
                self.ended = self.ended.or(self.members[k].ended());
                self.read(k)?;
            }
            self.reached = came;
            self.settle()?;
        }
    }
}

pub(crate) fn fault(error: kairos_sim::SimError) -> EvalError {
    let help = error.help.clone();
    EvalError::Fatal(Fault { code: error.code, message: error.message, span: None, values: Vec::new(), help })
}

/// `to = factor*from + offset`; units that nobody tells are not converted.
fn conversion(from: &str, to: &str) -> Option<(f64, f64)> {
    if from.is_empty() || to.is_empty() || from == to {
        return Some((1.0, 0.0));
    }
    let (from, to) = (kairos_units::parse(from).ok()?, kairos_units::parse(to).ok()?);
    let (zero, one) = (kairos_units::convert(0.0, &from, &to)?, kairos_units::convert(1.0, &from, &to)?);
    Some((one - zero, zero))
}

impl Machine for SystemMachine {
    fn info(&self) -> &MachineInfo {
        &self.info
    }

    fn values(&self) -> &[f64] {
        &self.values
    }

    fn string(&self, slot: u32) -> &str {
        let member = &self.members[self.member_of(slot)];
        match &member.runner {
            Runner::Waiting(machine) => machine.string(slot - member.base),
            Runner::Itself(machine) => machine.string(slot - member.base),
            Runner::Integrated(run) => run.machine().string(slot - member.base),
        }
    }

    fn set(&mut self, slot: u32, given: Given<'_>) {
        if let Given::Number(number) = given {
            self.values[slot as usize] = number;
        }
        if self.info.given.contains(&slot) || self.own.iter().any(|(_, own)| *own == slot) {
            return;
        }
        let k = self.member_of(slot);
        let member = &mut self.members[k];
        let inner = slot - member.base;
        member.machine.set(inner, given);
        match (&mut member.runner, given) {
            (Runner::Waiting(machine), given) => machine.set(inner, given),
            (Runner::Itself(machine), given) => machine.set(inner, given),
            (Runner::Integrated(run), Given::Number(number)) => run.give(inner, Value::Real(number)),
            (Runner::Integrated(run), Given::Text(text)) => run.give(inner, Value::str(text)),
        }
    }

    fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    fn set_states(&mut self, _x: &[f64]) {}

    /// Inputs hold in the initial problems, too: these are solved again until what is connected does not change.
    fn initialise(&mut self) -> Eval<Start> {
        (self.start, self.reached, self.ended) = (self.time, self.time, None);
        // A run of a part ends later than the system: values are still exchanged at the end.
        let range = if self.stop > self.time { self.stop - self.time } else { 1.0 };
        let options = SimOptions {
            start: self.time,
            stop: self.stop + range,
            interval: 0.0,
            tolerance: self.tolerance,
            span: Some(range),
            ..SimOptions::default()
        };
        for round in 0..=self.members.len() {
            for k in 0..self.members.len() {
                let member = &mut self.members[k];
                let mut machine = member.machine.twin();
                // Connected inputs begin with what they are connected to.
                for wire in self.wires.iter().filter(|wire| wire.part == k && round > 0) {
                    machine.set(wire.slot, Given::Number(self.values[wire.to as usize]));
                }
                let step = self.interval.is_finite().then_some(self.interval);
                (&mut machine as &mut dyn Machine).announce(self.stop, self.tolerance, step);
                member.runner = match machine.fmu().1 {
                    Kind::CoSimulation => {
                        machine.set_time(options.start);
                        machine.initialise()?;
                        Runner::Itself(Box::new(machine))
                    }
                    Kind::ModelExchange => {
                        let run = Simulation::start(Box::new(machine), options.clone(), Box::new(Nowhere));
                        Runner::Integrated(Box::new(run.map_err(fault)?))
                    }
                };
                self.read(k)?;
            }
            let before = self.values.clone();
            self.settle()?;
            if before == self.values {
                break;
            }
        }
        self.pre.clone_from(&self.values);
        Ok(Start::default())
    }

    fn derivatives(&mut self, _dx: &mut [f64]) -> Eval {
        Ok(())
    }

    fn crossings(&mut self, _z: &mut [f64]) -> Eval {
        Ok(())
    }

    fn outputs(&mut self) -> Eval {
        self.advance()
    }

    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        for member in &mut self.members {
            if let Runner::Itself(machine) = &mut member.runner {
                machine.warnings(warnings);
            }
        }
    }

    fn event(&mut self, _samples: &[bool], _terminal: bool, effects: &mut Effects) -> Eval {
        effects.clear();
        self.advance()
    }

    fn advance_pre(&mut self, changes: &mut Changes) {
        changes.clear();
        let differ = |slot: &u32| self.values[*slot as usize].to_bits() != self.pre[*slot as usize].to_bits();
        let discrete = self.info.vars.iter().filter(|var| var.is_discrete).map(|var| var.slot);
        changes.discrete.extend(discrete.filter(differ));
        self.pre.clone_from(&self.values);
    }

    fn relations(&self) -> &[bool] {
        &[]
    }

    fn plan(&mut self, _source: Source) -> Eval<Plan> {
        Ok(Plan { first: f64::INFINITY, interval: f64::INFINITY })
    }

    /// A copy begins anew: a system in the middle of its way is not copied.
    fn clone_machine(&self) -> Box<dyn Machine> {
        let member = |member: &Member| Member {
            machine: Box::new(member.machine.twin()),
            runner: Runner::Waiting(Box::new(member.machine.twin())),
            base: member.base,
        };
        Box::new(SystemMachine {
            members: self.members.iter().map(member).collect(),
            wires: self.wires.clone(),
            info: self.info.clone(),
            values: self.values.clone(),
            pre: self.pre.clone(),
            own: self.own.clone(),
            ..*self
        })
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}

impl Shortcuts for SystemMachine {
    fn guest(&self) -> Option<&dyn Guest> {
        Some(self)
    }

    fn guest_mut(&mut self) -> Option<&mut dyn Guest> {
        Some(self)
    }
}

impl Guest for SystemMachine {
    fn announce(&mut self, stop: f64, tolerance: f64, step: Option<f64>) {
        (self.stop, self.tolerance) = (stop, tolerance);
        // Without a word about it the distance is a thousandth of the run.
        self.interval = step.unwrap_or((stop - self.time).abs() / 1000.0);
        if self.interval <= 0.0 {
            self.interval = f64::INFINITY;
        }
    }

    fn next_point(&self) -> f64 {
        let passed = ((self.reached - self.start) / self.interval + 1e-6).floor();
        self.start + (passed + 1.0) * self.interval
    }

    fn ended(&self) -> Option<f64> {
        self.ended
    }
}
