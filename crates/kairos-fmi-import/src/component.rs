//! FMUs inside of models: what the functions call that the text of a component declares (`wrapper.rs`).
//!
//! An FMU has a hidden state, and equations are evaluated in an order and as often as solvers like. So every state that an
//! event or a step has led to is kept under a number, the *version*, which the component holds as a discrete variable and
//! gives with every question: the answer then depends on the arguments alone. An FMU that cannot keep its state answers for
//! the newest version only.

use crate::archive::Archive;
use crate::description::{Kind, Type};
use crate::instance::{Failure, Fmu, Instance, Kept, Setup};
use crate::interface::{Interface, Port};
use crate::layout::{Layout, lay_out};
use crate::library::Loaded;
use kairos_expr::{Channel, ExternalCall, Foreign, Resources, Stop, UserTable, Value};
use kairos_machine::{EvalError, MachineInfo};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The functions of components begin with this.
pub const PREFIX: &str = "kairos_fmu_";
/// So many versions are kept.
const VERSIONS: usize = 16;

/// Calls of components, and of all other functions that are not ours.
pub struct Components {
    resources: Resources,
    others: Option<Arc<dyn Foreign>>,
}

impl Components {
    /// FMUs are found where `modelica://` names lead; what is no call of a component is for the others.
    pub fn new(resources: Resources, others: Option<Arc<dyn Foreign>>) -> Self {
        Self { resources, others }
    }
}

impl Foreign for Components {
    fn table_owner(&self) -> Option<String> {
        self.others.as_ref()?.table_owner()
    }

    fn table(&self, name: &str, kind: i32, say: &mut dyn FnMut(Channel, &str)) -> Result<UserTable, Stop> {
        match &self.others {
            Some(others) => others.table(name, kind, say),
            None => Err(Stop::error(format!("no C code gives the table \"{name}\""))),
        }
    }

    fn call(
        &self,
        call: &ExternalCall,
        args: &mut [Value],
        say: &mut dyn FnMut(Channel, &str),
    ) -> Result<Option<Value>, Stop> {
        let Some(name) = call.symbol.strip_prefix(PREFIX) else {
            return match &self.others {
                Some(others) => others.call(call, args, say),
                None => Err(Stop::error(format!("the external function `{}` is not available", call.symbol))),
            };
        };
        if name == "open" {
            let file = text(args, 0)?;
            let path = self.resources.resolve(&file).unwrap_or_else(|| file.clone().into());
            let component = Component::open(&path.to_string_lossy(), truth(args, 1)?)?;
            return Ok(Some(Value::Object(Arc::new(component))));
        }
        let object = match args.first() {
            Some(Value::Object(object)) => object.clone(),
            _ => return Err(Stop::error("an FMU has to be the first argument")),
        };
        let Some(component) = object.downcast_ref::<Component>() else {
            return Err(Stop::error("this is an object of another kind than an FMU"));
        };
        match name {
            "initialise" => component.initialise(args)?,
            "derivatives" => component.derivatives(args)?,
            "indicators" => component.indicators(args)?,
            "outputs" => component.outputs(args)?,
            "event" => component.event(args)?,
            "step" => component.step(args)?,
            // The object goes with its last user.
            "close" => {}
            _ => return Err(Stop::error(format!("there is no function `{}` for FMUs", call.symbol))),
        }
        Ok(None)
    }
}

/// An FMU in a model.
struct Component {
    fmu: Arc<Fmu>,
    layout: Layout,
    info: MachineInfo,
    interface: Interface,
    now: Mutex<Versions>,
}

/// The instance, and the states it has been in.
#[derive(Default)]
struct Versions {
    instance: Option<Instance>,
    /// The version that the instance is in.
    current: i64,
    kept: BTreeMap<i64, Kept>,
    newest: i64,
    /// What the beginning was asked, and what came of it; as long as nothing has happened since.
    begun: Option<(Vec<u64>, Vec<Value>)>,
    /// What the last event or step was asked, and what came of it.
    last: Option<(Vec<u64>, Vec<Value>)>,
}

impl Drop for Versions {
    fn drop(&mut self) {
        self.end();
    }
}

impl Versions {
    /// The end of the present instance.
    fn end(&mut self) {
        if let Some(mut instance) = self.instance.take() {
            for kept in std::mem::take(&mut self.kept).into_values() {
                instance.forget(kept);
            }
            let _ = instance.terminate();
        }
    }

    /// The instance in a version.
    fn at(&mut self, version: i64) -> Result<&mut Instance, Stop> {
        let Versions { instance, current, kept, .. } = self;
        let Some(instance) = instance else { return Err(Stop::error("the FMU is not initialised")) };
        if *current != version {
            let Some(state) = kept.get(&version) else {
                return Err(Stop::error("the FMU would have to go back to a state that it has not kept"));
            };
            instance.go_back(state).map_err(told)?;
            *current = version;
        }
        Ok(instance)
    }

    /// The present state is a new version.
    fn advance(&mut self) -> Result<i64, Stop> {
        self.newest += 1;
        self.current = self.newest;
        if let Some(instance) = self.instance.as_mut().filter(|instance| instance.fmu.offer.keeps_state) {
            let state = instance.keep().map_err(told)?;
            self.kept.insert(self.newest, state);
            while self.kept.len() > VERSIONS {
                if let Some((_, oldest)) = self.kept.pop_first() {
                    instance.forget(oldest);
                }
            }
        }
        Ok(self.newest)
    }
}

fn told(failure: Failure) -> Stop {
    Stop::error(EvalError::from(failure).fault().message.clone())
}

fn number(args: &[Value], at: usize) -> Result<f64, Stop> {
    args.get(at).and_then(Value::as_f64).ok_or_else(|| Stop::error("a number is expected"))
}

fn truth(args: &[Value], at: usize) -> Result<bool, Stop> {
    args.get(at).and_then(Value::as_bool).ok_or_else(|| Stop::error("a truth value is expected"))
}

fn text(args: &[Value], at: usize) -> Result<String, Stop> {
    args.get(at).and_then(Value::as_str).map(String::from).ok_or_else(|| Stop::error("a text is expected"))
}

fn numbers(args: &[Value], at: usize) -> Result<Vec<f64>, Stop> {
    match args.get(at) {
        Some(Value::Array(array)) => {
            let number = |value: &Value| value.as_f64().ok_or_else(|| Stop::error("numbers are expected"));
            array.data.iter().map(number).collect()
        }
        _ => Err(Stop::error("a list of numbers is expected")),
    }
}

fn list(values: Vec<f64>) -> Value {
    Value::vector(values.into_iter().map(Value::Real).collect())
}

fn put(args: &mut [Value], at: usize, value: Value) -> Result<(), Stop> {
    let place = args.get_mut(at).ok_or_else(|| Stop::error("a place for a result is missing"))?;
    // Results have the size that the text of the component gives them.
    match (&*place, &value) {
        (Value::Array(wanted), Value::Array(given)) if wanted.data.len() != given.data.len() => {
            Err(Stop::error("the component does not fit its FMU: import the FMU again"))
        }
        _ => {
            *place = value;
            Ok(())
        }
    }
}

impl Component {
    fn open(path: &str, exchange: bool) -> Result<Component, Stop> {
        let kind = if exchange { Kind::ModelExchange } else { Kind::CoSimulation };
        let plain = |wrong: kairos_base::Diagnostic| Stop::error(wrong.message);
        let mut archive = Archive::open(path).map_err(plain)?;
        let description = archive.description.clone();
        let offer = description.offer(kind).cloned();
        let offer = offer.ok_or_else(|| Stop::error(format!("`{path}` has no {}", kind.name())))?;
        let (layout, info) = lay_out(&description, kind).map_err(Stop::error)?;
        let files = archive.unpack(&offer.identifier).map_err(plain)?;
        let loaded = Loaded::open(&files.library, description.version).map_err(Stop::error)?;
        let interface = Interface::new(&description, &layout, &info, kind);
        let fmu = Arc::new(Fmu { description, kind, offer, loaded, files, path: path.into() });
        Ok(Component { fmu, layout, info, interface, now: Mutex::default() })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Versions> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, instance: &mut Instance, ports: &[&Port], values: &[f64], jumps: bool) -> Result<(), Stop> {
        for (port, value) in ports.iter().zip(values) {
            let place = &self.layout.places[self.layout.place_of[port.slot as usize] as usize];
            if place.jumps && !jumps {
                continue;
            }
            if place.count == 1 {
                instance.set(place.ty, &[place.reference], &[*value]).map_err(told)?;
                continue;
            }
            // An array is set as a whole, from its first element on.
            let within = |slot: u32| place.slots().contains(&(slot as usize));
            let others = ports.iter().zip(values).filter(|(port, _)| within(port.slot));
            let whole: Vec<f64> = others.map(|(_, value)| *value).collect();
            if port.slot as usize == place.base && whole.len() == place.count {
                instance.set(place.ty, &[place.reference], &whole).map_err(told)?;
            }
        }
        Ok(())
    }

    fn get(&self, instance: &mut Instance, ports: &[&Port]) -> Result<Vec<f64>, Stop> {
        let mut values = Vec::with_capacity(ports.len());
        for port in ports {
            let place = &self.layout.places[self.layout.place_of[port.slot as usize] as usize];
            let mut all = vec![0.0; place.count];
            instance.get(place.ty, &[place.reference], &mut all).map_err(told)?;
            values.push(all[port.slot as usize - place.base]);
        }
        Ok(values)
    }

    fn inputs(&self) -> Vec<&Port> {
        self.interface.inputs.iter().collect()
    }

    /// `initialise(fmu, time, parameters, inputs; version, next, ended, x, y)`; co-simulation has no `next` and no `x`.
    fn initialise(&self, args: &mut [Value]) -> Result<(), Stop> {
        let time = number(args, 1)?;
        let (parameters, inputs) = (numbers(args, 2)?, numbers(args, 3)?);
        let mut now = self.lock();
        // Solvers of the initial problem ask again; the same question has the same version for an answer.
        let asked = key(&[&[time], &*parameters, &*inputs]);
        if let Some((_, results)) = now.begun.as_ref().filter(|(known, _)| *known == asked) {
            return results
                .clone()
                .into_iter()
                .enumerate()
                .try_for_each(|(k, value)| put(args, 4 + k, value));
        }
        now.end();
        let name = self.fmu.description.name.clone();
        let mut instance = Instance::new(&self.fmu, &name).map_err(told)?;
        let ports: Vec<&Port> = self.interface.parameters.iter().chain(&self.interface.starts).collect();
        self.set(&mut instance, &ports, &parameters, true)?;
        self.set(&mut instance, &self.inputs(), &inputs, true)?;
        let setup = Setup { start: time, stop: None, tolerance: None };
        instance.enter_initialisation(&setup).map_err(told)?;
        self.set(&mut instance, &self.inputs(), &inputs, true)?;
        instance.exit_initialisation().map_err(told)?;
        let exchange = self.fmu.kind == Kind::ModelExchange;
        let mut update = crate::Update::default();
        if exchange || instance.event_mode {
            update = instance.update().map_err(told)?;
            if !update.terminate {
                instance.leave_events().map_err(told)?;
            }
        }
        let mut x = vec![0.0; self.info.states.len()];
        if !x.is_empty() {
            instance.states(&mut x).map_err(told)?;
        }
        let y = self.get(&mut instance, &self.interface.discrete.iter().collect::<Vec<_>>())?;
        now.instance = Some(instance);
        now.last = None;
        let version = now.advance()?;
        let results = match exchange {
            true => {
                let next = Value::Real(update.next.unwrap_or(NEVER));
                vec![Value::Int(version), next, Value::Bool(update.terminate), list(x), list(y)]
            }
            false => vec![Value::Int(version), Value::Bool(update.terminate), list(y)],
        };
        now.begun = Some((asked, results.clone()));
        results.into_iter().enumerate().try_for_each(|(k, value)| put(args, 4 + k, value))
    }

    /// Brings the instance to `(fmu, version, time, x, inputs, ...)`.
    fn go<'v>(&self, now: &'v mut Versions, args: &[Value]) -> Result<&'v mut Instance, Stop> {
        let (version, time) = (number(args, 1)? as i64, number(args, 2)?);
        let x = numbers(args, 3)?;
        let instance = now.at(version)?;
        instance.set_time(time).map_err(told)?;
        if !x.is_empty() {
            instance.set_states(&x).map_err(told)?;
        }
        Ok(instance)
    }

    /// `derivatives(fmu, version, time, x, inputs; dx)`
    fn derivatives(&self, args: &mut [Value]) -> Result<(), Stop> {
        let inputs = numbers(args, 4)?;
        let mut now = self.lock();
        let instance = self.go(&mut now, args)?;
        self.set(instance, &self.inputs(), &inputs, false)?;
        let mut dx = vec![0.0; self.info.states.len()];
        instance.derivatives(&mut dx).map_err(told)?;
        put(args, 5, list(dx))
    }

    /// `indicators(fmu, version, time, x, inputs; z)`
    fn indicators(&self, args: &mut [Value]) -> Result<(), Stop> {
        let inputs = numbers(args, 4)?;
        let mut now = self.lock();
        let instance = self.go(&mut now, args)?;
        self.set(instance, &self.inputs(), &inputs, false)?;
        let mut z = vec![0.0; self.layout.indicators];
        instance.indicators(&mut z).map_err(told)?;
        put(args, 5, list(z))
    }

    /// `outputs(fmu, version, time, x, inputs, which, wanted; y)`: `which` of the inputs are given, from 1, and which
    /// outputs are wanted.
    fn outputs(&self, args: &mut [Value]) -> Result<(), Stop> {
        let (inputs, which, wanted) = (numbers(args, 4)?, numbers(args, 5)?, numbers(args, 6)?);
        let missing = || Stop::error("the component does not fit its FMU: import the FMU again");
        let ports = which.iter().map(|k| self.interface.inputs.get((*k as usize).wrapping_sub(1)));
        let ports: Vec<&Port> = ports.collect::<Option<_>>().ok_or_else(missing)?;
        let outputs = wanted.iter().map(|k| self.interface.outputs.get((*k as usize).wrapping_sub(1)));
        let outputs: Vec<&(Port, _)> = outputs.collect::<Option<_>>().ok_or_else(missing)?;
        let outputs: Vec<&Port> = outputs.into_iter().map(|(port, _)| port).collect();
        let mut now = self.lock();
        let instance = self.go(&mut now, args)?;
        self.set(instance, &ports, &inputs, false)?;
        let y = self.get(instance, &outputs)?;
        put(args, 7, list(y))
    }

    /// `event(fmu, version, time, x, inputs; version, next, ended, x, y)`
    fn event(&self, args: &mut [Value]) -> Result<(), Stop> {
        let inputs = numbers(args, 4)?;
        let mut now = self.lock();
        let asked = key(&[&[number(args, 1)?, number(args, 2)?], &*numbers(args, 3)?, &*inputs]);
        if let Some((_, results)) = now.last.as_ref().filter(|(known, _)| *known == asked) {
            return results
                .clone()
                .into_iter()
                .enumerate()
                .try_for_each(|(k, value)| put(args, 5 + k, value));
        }
        let instance = self.go(&mut now, args)?;
        self.set(instance, &self.inputs(), &inputs, false)?;
        instance.enter_events().map_err(told)?;
        self.set(instance, &self.inputs(), &inputs, true)?;
        let update = instance.update().map_err(told)?;
        if !update.terminate {
            instance.leave_events().map_err(told)?;
        }
        let mut x = numbers(args, 3)?;
        if !x.is_empty() {
            instance.states(&mut x).map_err(told)?;
        }
        let y = self.get(instance, &self.interface.discrete.iter().collect::<Vec<_>>())?;
        let version = now.advance()?;
        let next = Value::Real(update.next.unwrap_or(NEVER));
        let results = vec![Value::Int(version), next, Value::Bool(update.terminate), list(x), list(y)];
        now.begun = None;
        now.last = Some((asked, results.clone()));
        results.into_iter().enumerate().try_for_each(|(k, value)| put(args, 5 + k, value))
    }

    /// `step(fmu, version, from, to, inputs; version, ended, y)`: the inputs are those of its beginning.
    fn step(&self, args: &mut [Value]) -> Result<(), Stop> {
        let (version, from, to) = (number(args, 1)? as i64, number(args, 2)?, number(args, 3)?);
        let inputs = numbers(args, 4)?;
        let mut now = self.lock();
        let asked = key(&[&[version as f64, from, to], &*inputs]);
        if let Some((_, results)) = now.last.as_ref().filter(|(known, _)| *known == asked) {
            return results
                .clone()
                .into_iter()
                .enumerate()
                .try_for_each(|(k, value)| put(args, 5 + k, value));
        }
        let instance = now.at(version)?;
        self.set(instance, &self.inputs(), &inputs, true)?;
        let (mut time, mut ended) = (from, false);
        while time < to && !ended {
            let stepped = instance.step(time, to - time, false).map_err(told)?;
            ended = stepped.terminate;
            if stepped.event {
                instance.enter_events().map_err(told)?;
                ended |= instance.update().map_err(told)?.terminate;
                instance.leave_events().map_err(told)?;
            } else if stepped.time <= time && !ended {
                return Err(Stop::error(format!("the FMU does not come forward from time {time}")));
            }
            time = stepped.time;
        }
        let y = self.get(instance, &self.interface.discrete.iter().collect::<Vec<_>>())?;
        let version = now.advance()?;
        let results = vec![Value::Int(version), Value::Bool(ended), list(y)];
        now.begun = None;
        now.last = Some((asked, results.clone()));
        results.into_iter().enumerate().try_for_each(|(k, value)| put(args, 5 + k, value))
    }
}

/// A time that no run comes to.
const NEVER: f64 = 1e60;

fn key(parts: &[&[f64]]) -> Vec<u64> {
    parts.iter().flat_map(|part| part.iter().map(|number| number.to_bits())).collect()
}

/// Reals of all widths are Reals here.
pub fn is_real(ty: Type) -> bool {
    matches!(ty, Type::Float64 | Type::Float32)
}
