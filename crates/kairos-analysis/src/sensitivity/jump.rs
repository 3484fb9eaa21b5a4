//! What an event does to sensitivities.
//!
//! An event at time `T`, where a function `g(x, p, t)` crosses zero, comes earlier or later with a parameter: along the motion
//! `dT/dp = -(g_x s + g_p)/(dg/dt)`. The event takes the states from `x` to `R(x, p, t)`; moving along with it, the states before change by
//! `s + f dT/dp`, those after by the derivative of `R` in that direction, and without moving along, by that less `f+ dT/dp`.
//!
//! The derivatives of `g` and `R` are central differences on copies of the model, with the relations of the event held: at a zero the
//! other side is a round-off away.

use super::stride;
use kairos::{EventKind, EventRecord, Machine};
use kairos_machine::{Changes, Effects, Given, Source};

/// Relative to values: half of the digits for differences of second order.
const STRIDE: f64 = 1e-6;
/// Instants that move alike by less than this do so but for round-off of their differences.
const TOGETHER: f64 = 1e-5;
/// Rounds of one event.
const ROUNDS: usize = 50;

/// A parameter: its slot and its value, or none for a start value, which has no effect after the start but through `found`.
#[derive(Clone)]
pub struct Parameter {
    pub slot: Option<u32>,
    pub value: f64,
    /// Parameters that the initial problem has found, by slot, and their derivatives by this one.
    pub found: Vec<Found>,
}

/// A parameter that the initial problem has found.
#[derive(Clone, Copy)]
pub struct Found {
    pub slot: u32,
    pub value: f64,
    pub slope: f64,
}

impl Parameter {
    /// What moves with the parameter, and by how much.
    pub fn along(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = self.slot.map(|slot| (slot, 1.0));
        own.into_iter().chain(self.found.iter().map(|found| (found.slot, found.slope)))
    }
}

/// An event between two copies of the machine: just before it and just after it.
pub struct Event<'e> {
    pub before: &'e dyn Machine,
    pub after: &'e dyn Machine,
    pub records: &'e [EventRecord],
    pub time: f64,
    /// How long before the event the first copy stands.
    pub ahead: f64,
}

impl Event<'_> {
    /// The sensitivities after the event, for each parameter in turn; `Err` says why they cannot be found.
    pub fn jump(&self, s: &[f64], parameters: &[Parameter]) -> Result<Vec<f64>, String> {
        let n = self.before.info().states.len();
        let odd = |record: &&EventRecord| {
            !matches!(record.kind, EventKind::State | EventKind::Time | EventKind::Step | EventKind::Terminal)
        };
        if let Some(record) = self.records.iter().find(odd) {
            return Err(format!(
                "at time {} the motion changes its kind ({})",
                self.time,
                record.kind.name()
            ));
        }
        let (mut x, mut f, mut later) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut machine = self.before.clone_machine();
        machine.get_states(&mut x);
        machine.derivatives(&mut f).map_err(|error| error.fault().message.clone())?;
        // The rest of the way is too short for more than a straight line.
        x.iter_mut().zip(&f).for_each(|(x, f)| *x += self.ahead * f);
        let mut after = self.after.clone_machine();
        after.derivatives(&mut later).map_err(|error| error.fault().message.clone())?;
        let sources = self.sources();
        let mut found = Vec::with_capacity(s.len());
        for (own, parameter) in s.chunks(n.max(1)).zip(parameters) {
            let shift = self.common_shift(&sources, &x, &f, own, parameter)?;
            let along: Vec<f64> = own.iter().zip(&f).map(|(s, f)| s + f * shift).collect();
            let (states, discrete) = self.response(&x, &along, parameter, shift)?;
            if discrete {
                let text = "a number that changes at events depends on what is differentiated by";
                return Err(format!("at time {} {text}", self.time));
            }
            found.extend(states.iter().zip(&later).map(|(moved, f)| moved - f * shift));
        }
        Ok(found)
    }

    /// What may have made the event.
    fn sources(&self) -> Vec<Source> {
        let info = self.before.info();
        let causes = self.records.iter().flat_map(|record| &record.causes);
        causes
            .filter_map(|cause| {
                let relation =
                    info.relations.iter().position(|r| r.text == cause.text && r.span == cause.span);
                let sampler = || info.samplers.iter().position(|s| s.0 == cause.text && s.1 == cause.span);
                relation
                    .map(|r| Source::Relation(r as u32))
                    .or_else(|| sampler().map(|k| Source::Sampler(k as u32)))
            })
            .collect()
    }

    /// How the instant moves. Where several things come together by chance, one of them may move without the other: then there are two
    /// events, and what each does cannot be told from both.
    fn common_shift(
        &self,
        sources: &[Source],
        x: &[f64],
        f: &[f64],
        s: &[f64],
        parameter: &Parameter,
    ) -> Result<f64, String> {
        let mut common: Option<f64> = None;
        let unit = if parameter.value == 0.0 { 1.0 } else { parameter.value.abs() };
        let floor = self.time.abs().max(1e-9) / unit;
        for &source in sources {
            let Some(shift) = self.shift(source, x, f, s, parameter, sources.len() > 1)? else { continue };
            match common {
                Some(known) if (known - shift).abs() > TOGETHER * known.abs().max(shift.abs()).max(floor) => {
                    let text = "conditions change together that move apart with what is differentiated by";
                    return Err(format!("at time {} {text}", self.time));
                }
                _ => common = Some(shift),
            }
        }
        Ok(common.unwrap_or(0.0))
    }

    /// A copy with the parameter moved by `by` strides.
    fn moved(&self, parameter: &Parameter, by: f64) -> Result<Box<dyn Machine>, String> {
        let mut machine = self.before.clone_machine();
        if let Some(slot) = parameter.slot {
            machine.set(slot, Given::Number(parameter.value + by));
        }
        for found in &parameter.found {
            machine.set(found.slot, Given::Number(found.value + by * found.slope));
        }
        if parameter.along().next().is_some() {
            machine.prepare_replay().map_err(|error| error.fault().message.clone())?;
        }
        Ok(machine)
    }

    /// How the instant of a source moves with the parameter. Of several those that the motion does not lead over zero here
    /// have only followed from others.
    fn shift(
        &self,
        source: Source,
        x: &[f64],
        f: &[f64],
        s: &[f64],
        parameter: &Parameter,
        several: bool,
    ) -> Result<Option<f64>, String> {
        let info = self.before.info();
        let told = |error: kairos_machine::EvalError| error.fault().message.clone();
        let width = stride(parameter.value, STRIDE);
        let by_time = match source {
            Source::Relation(r) => info.relations[r as usize].by_time,
            Source::Sampler(_) => true,
        };
        if by_time {
            let at = |by: f64| -> Result<f64, String> {
                let mut machine = self.moved(parameter, by)?;
                machine.set_time(self.time - 1e-9 * self.time.abs().max(1e-9) - 2.0 * width.abs());
                let plan = machine.plan(source).map_err(told)?;
                Ok(match plan.interval.is_finite() && plan.interval > 0.0 {
                    true => plan.first + ((self.time - plan.first) / plan.interval).round() * plan.interval,
                    false => plan.first,
                })
            };
            let slope = (at(width)? - at(-width)?) / (2.0 * width);
            return Ok(Some(if slope.is_finite() { slope } else { 0.0 }));
        }
        let Source::Relation(r) = source else { return Ok(None) };
        let count = info.relations.len();
        let value = |by: f64, direction: &[f64], time: f64| -> Result<f64, String> {
            let mut machine = self.moved(parameter, if time == self.time { by } else { 0.0 })?;
            let there: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + by * d).collect();
            let mut z = vec![0.0; count];
            machine.crossings_at(time, &there, &mut z).map_err(told)?;
            Ok(z[r as usize])
        };
        let moved = (value(width, s, self.time)? - value(-width, s, self.time)?) / (2.0 * width);
        // Along the motion, as far as half of the digits.
        let size = |(x, nominal): (&f64, &f64)| x.abs().max(*nominal);
        let sizes: Vec<f64> = x.iter().zip(&info.nominal).map(size).collect();
        let rate = f
            .iter()
            .zip(&sizes)
            .map(|(f, size)| f.abs() / size)
            .fold(1.0 / self.time.abs().max(1.0), f64::max);
        let way = STRIDE / rate;
        let (ahead, behind) = (value(way, f, self.time + way)?, value(-way, f, self.time - way)?);
        if several && ahead * behind > 0.0 {
            return Ok(None);
        }
        let total = (ahead - behind) / (2.0 * way);
        match total != 0.0 && (moved / total).is_finite() {
            true => Ok(Some(-moved / total)),
            false => Err(format!("at time {} a condition only touches its limit", self.time)),
        }
    }

    /// How the states after the event change with a direction before it, and whether discrete numbers do.
    fn response(
        &self,
        x: &[f64],
        direction: &[f64],
        parameter: &Parameter,
        shift: f64,
    ) -> Result<(Vec<f64>, bool), String> {
        let width = stride(parameter.value, STRIDE);
        let ends = [width, -width].map(|by| {
            let mut machine = self.moved(parameter, by)?;
            machine.set_time(self.time + by * shift);
            let there: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + by * d).collect();
            machine.set_states(&there);
            machine.outputs().map_err(|error| error.fault().message.clone())?;
            machine.advance_pre(&mut Changes::default());
            self.happen(&mut *machine)?;
            let mut states = vec![0.0; x.len()];
            machine.get_states(&mut states);
            let reals = machine
                .info()
                .vars
                .iter()
                .filter(|var| var.is_discrete && !var.is_parameter() && var.ty == kairos::Scalar::Real);
            let discrete: Vec<f64> = reals.map(|var| machine.values()[var.slot as usize]).collect();
            Ok::<_, String>((states, discrete))
        });
        let [there, back] = ends;
        let ((a, p), (b, q)) = (there?, back?);
        let slope: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a - b) / (2.0 * width)).collect();
        // Numbers that stay as they are to the last digits do not depend on it.
        let moves = p.iter().zip(&q).any(|(p, q)| (p - q).abs() > 1e-13 * p.abs().max(q.abs()));
        Ok((slope, moves))
    }

    /// The event itself on a copy, with the relations at their zeros held as they were decided.
    fn happen(&self, machine: &mut dyn Machine) -> Result<(), String> {
        let told = |error: kairos_machine::EvalError| error.fault().message.clone();
        let info = self.before.info();
        let causes: Vec<&kairos::EventCause> =
            self.records.iter().flat_map(|record| &record.causes).collect();
        let pins: Vec<(u32, bool)> = info
            .relations
            .iter()
            .enumerate()
            .filter_map(|(r, relation)| {
                let cause = causes.iter().find(|c| c.text == relation.text && c.span == relation.span)?;
                let up = i32::from(relation.true_side) > 0;
                let value = match cause.became {
                    "true" => true,
                    "false" => false,
                    "up" => up,
                    "down" => !up,
                    _ => return None,
                };
                Some((r as u32, value))
            })
            .collect();
        if !pins.is_empty() && !machine.pin(&pins) {
            return Err("this kind of model cannot hold its relations".into());
        }
        let samples: Vec<bool> = info
            .samplers
            .iter()
            .map(|(text, span)| causes.iter().any(|c| c.text == *text && c.span == *span))
            .collect();
        let none = vec![false; samples.len()];
        let (mut effects, mut changes) = (Effects::default(), Changes::default());
        for round in 0..ROUNDS {
            machine.event(if round == 0 { &samples } else { &none }, false, &mut effects).map_err(told)?;
            for &(state, value) in &effects.reinits {
                machine.set_state(state, value);
            }
            let jumped = !effects.reinits.is_empty();
            machine.advance_pre(&mut changes);
            if changes.discrete.is_empty() && changes.relations.is_empty() && !jumped {
                break;
            }
        }
        machine.pin(&[]);
        Ok(())
    }
}
