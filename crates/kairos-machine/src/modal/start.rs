//! The beginning of a run with modes: the initial problem in the mode that its own solution confirms.

use super::decide::candidates;
use super::{ModalMachine, fatal};
use crate::interpreter::Interpreter;
use crate::machine::{Changes, Effects, Eval, Given, Machine};
use kairos_base::Diagnostic;
use kairos_expr::Value;

/// So many modes are tried for the beginning.
const ATTEMPTS: usize = 64;
/// Relations whose sides differ by less may have either value.
const ZERO: f64 = 1e-12;

impl ModalMachine {
    pub(super) fn begin(&mut self) -> Eval<Vec<String>> {
        let reconciled = if self.projection { self.solve_reconciled() } else { None };
        let (machine, values, mut report) = match reconciled {
            Some(found) => found,
            None => self.solve_initial()?,
        };
        self.take_over(machine.as_ref());
        if self.projection {
            for (&slot, &value) in self.conditions.iter().zip(values.iter().flatten()) {
                self.base.values_mut()[slot as usize] = f64::from(u8::from(value));
            }
            self.reconcile(&values, &mut report)?;
        }
        self.moved();
        self.informed();
        for r in 0..self.parts.len() {
            let Self { base, modes, make, parts, now, .. } = self;
            parts[r].prepare(&modes.regions[r], &values[r], base.info(), make)?;
            parts[r].enter(&values[r], *now, base.as_mut())?;
        }
        self.entered = values.concat();
        self.describe();
        self.base.advance_pre(&mut Changes::default());
        self.affected = true;
        Ok(report)
    }

    /// From the conditions at the start values each solution decides the next mode; where that leads nowhere, the
    /// modes are tried in turn, one region after the other.
    fn solve_initial(&mut self) -> Eval<(Box<Interpreter>, Vec<Vec<bool>>, Vec<String>)> {
        let guess = self.guess();
        let mut tried: Vec<Vec<Vec<bool>>> = Vec::new();
        let mut first = None;
        let mut values = guess.clone();
        while !tried.contains(&values) && tried.len() < ATTEMPTS {
            match self.attempt(&values) {
                Ok((machine, found, report)) if found == values => match self.enterable(&values) {
                    Ok(()) => return Ok((machine, values, report)),
                    Err(error) => {
                        first = first.or(Some(error));
                        tried.push(values.clone());
                    }
                },
                Ok((_, found, _)) => tried.push(std::mem::replace(&mut values, found)),
                Err(error) => {
                    first = first.or(Some(error));
                    tried.push(values.clone());
                }
            }
        }
        // Where relations are just at zero a mode need not confirm itself: the event that follows decides.
        let mut undecided = None;
        let predicted = self.predict_all(&guess);
        for values in &predicted {
            if let Ok((machine, found, report)) = self.attempt(values)
                && found == *values
                && self.enterable(values).is_ok()
            {
                return Ok((machine, values.clone(), report));
            }
        }
        let foreseen = self.foresee(&guess).filter(|values| !tried.contains(values));
        let others = (0..self.parts.len()).flat_map(|r| {
            let guess = &guess;
            candidates(&guess[r]).take(ATTEMPTS).map(move |candidate| {
                let mut values = guess.clone();
                values[r] = candidate;
                values
            })
        });
        let count = usize::from(foreseen.is_some()) + predicted.len();
        for (k, values) in foreseen.into_iter().chain(predicted).chain(others).enumerate() {
            if let Ok((mut machine, found, report)) = self.attempt(&values) {
                if self.enterable(&values).is_err() {
                    continue;
                }
                if found == values {
                    return Ok((machine, values, report));
                }
                let mut z = vec![f64::INFINITY; machine.info().relations.len()];
                let at_zero = machine.crossings(&mut z).is_ok() && z.iter().any(|z| z.abs() < ZERO);
                undecided = undecided.or(at_zero.then_some((machine, values, report)));
            }
            // What was foreseen is right but for relations at zero.
            if k + 1 == count && undecided.is_some() {
                break;
            }
        }
        if let Some(undecided) = undecided {
            return Ok(undecided);
        }
        Err(first.unwrap_or_else(|| self.no_beginning(&tried)))
    }

    /// Start values that may contradict the constraints are those just before the start: the mode is the one that an event
    /// would enter from them, with all its pulses. A mode that confirms itself once its own constraints have overruled them
    /// (a diode that conducts, and discharges what it would block) is none.
    fn solve_reconciled(&mut self) -> Option<(Box<Interpreter>, Vec<Vec<bool>>, Vec<String>)> {
        let guess = self.guess();
        let values = self.foresee(&guess)?;
        let (machine, _, report) = self.attempt(&values).ok()?;
        Some((machine, values, report))
    }

    /// Modes that a complementarity problem foretells, for each step that it tries.
    fn predict_all(&mut self, guess: &[Vec<bool>]) -> Vec<Vec<Vec<bool>>> {
        let mut lists: Vec<Vec<Vec<bool>>> = Vec::new();
        for (r, guess) in guess.iter().enumerate() {
            lists.push(self.predictions(r, guess).into_iter().map(|found| found.mode).collect());
        }
        let most = lists.iter().map(Vec::len).max().unwrap_or(0);
        let choose = |k: usize| {
            let pairs = lists.iter().zip(guess);
            pairs.map(|(list, guess)| list.get(k).or(list.last()).unwrap_or(guess).clone()).collect()
        };
        (0..most).map(choose).collect()
    }

    /// The modes that an event would find for the start values as they stand: where one contradicts them, the pulse of
    /// the jump into it shows which conditions are wrong.
    fn foresee(&mut self, guess: &[Vec<bool>]) -> Option<Vec<Vec<bool>>> {
        for r in 0..self.parts.len() {
            for &(x, start) in &self.modes.regions[r].starts {
                let slots = &self.base.info().slots;
                let (x, start) = (slots[x.index()], slots[start.index()]);
                let value = self.base.values()[start as usize];
                self.base.values_mut()[x as usize] = value;
            }
        }
        self.moved();
        self.informed();
        let none = vec![false; self.base.info().samplers.len()];
        let mut assumed = guess.concat();
        // No mode has been entered: each of them has its jump.
        let outside: Vec<bool> = assumed.iter().map(|value| !value).collect();
        let entered = std::mem::replace(&mut self.entered, outside);
        let found = self.search(&mut assumed, &none, false);
        self.entered = entered;
        found.ok()?;
        Some(self.parts.iter().map(|part| assumed[part.place.clone()].to_vec()).collect())
    }

    /// Can the regions run in these modes? The initial problem may have a solution where a mode leaves something open: a diode
    /// across a source that is still zero.
    fn enterable(&mut self, values: &[Vec<bool>]) -> Eval {
        let Self { base, modes, make, parts, .. } = self;
        let mut regions = parts.iter_mut().zip(&modes.regions).zip(values);
        regions.try_for_each(|((part, region), values)| part.prepare(region, values, base.info(), make))
    }

    /// Solves the initial problem in one mode; what does its solution say of the conditions?
    fn attempt(&self, values: &[Vec<bool>]) -> Eval<(Box<Interpreter>, Vec<Vec<bool>>, Vec<String>)> {
        let checked = self.modes.initial(values);
        let Some(model) = checked.value else { return Err(self.refusal(values, &checked.diagnostics)) };
        let mut machine = (self.make)(model);
        self.hand_over_parameters(machine.as_mut());
        machine.set_time(self.now.time);
        machine.compute_parameters()?;
        let report = machine.find_start()?;
        let slots = &machine.info().slots;
        let value = |v: usize| machine.values()[slots[v] as usize] != 0.0;
        let regions = self.modes.regions.iter();
        let found = regions.map(|r| r.conditions.iter().map(|c| value(c.var.index())).collect()).collect();
        Ok((machine, found, report))
    }

    /// The conditions at the start values.
    fn guess(&mut self) -> Vec<Vec<bool>> {
        let none = vec![false; self.base.info().samplers.len()];
        let mut effects = Effects::default();
        let _ = self.base.find_start().and_then(|_| self.base.event(&none, false, &mut effects));
        let wanted = self.wanted();
        self.parts.iter().map(|part| wanted[part.place.clone()].to_vec()).collect()
    }

    fn hand_over_parameters(&self, machine: &mut Interpreter) {
        let (from, to) = (self.base.info(), machine.info().slots.clone());
        let settable: Vec<(u32, u32)> =
            self.modes.parameters().map(|v| (from.slots[v.index()], to[v.index()])).collect();
        for (a, b) in settable {
            machine.values_mut()[b as usize] = self.base.values()[a as usize];
        }
        for (slot, value) in self.base.given_inputs() {
            let Some(v) = from.slots.iter().position(|own| own == slot) else { continue };
            match value {
                Value::Str(text) => machine.set(to[v], Given::Text(text)),
                number => machine.set(to[v], Given::Number(number.as_f64().unwrap_or_default())),
            }
        }
    }

    /// All values of the initial solution.
    fn take_over(&mut self, machine: &Interpreter) {
        let (to, from) = (self.base.info().clone(), machine.info());
        let source = machine.values();
        let target = self.base.values_mut();
        for v in self.modes.variables() {
            target[to.slots[v.index()] as usize] = source[from.slots[v.index()] as usize];
        }
        for k in 0..to.relations.len() as u32 {
            target[(to.relation_slot + k) as usize] = source[(from.relation_slot + k) as usize];
        }
        for v in self.modes.texts() {
            let text = machine.string(from.slots[v.index()]).to_string();
            self.base.set_text(to.slots[v.index()], &text);
        }
    }

    /// Start values as given, projected along the impulses of the constraints.
    fn reconcile(&mut self, values: &[Vec<bool>], report: &mut Vec<String>) -> Eval {
        for r in 0..self.parts.len() {
            let Self { base, modes, make, parts, now, .. } = self;
            let (part, region) = (&mut parts[r], &modes.regions[r]);
            for &(x, start) in &region.starts {
                let (x, start) = (base.info().slots[x.index()], base.info().slots[start.index()]);
                let value = base.values()[start as usize];
                base.values_mut()[x as usize] = value;
            }
            part.prepare(region, &values[r], base.info(), make)?;
            let leap = part.leap(region, &values[r], &[], now.time, base.as_ref(), make)?;
            for &(slot, to) in &leap.states {
                let from = base.values()[slot as usize];
                if from != to {
                    report.push(format!("`{}` starts at {to} instead of {from}", part.name(region, slot)));
                }
                base.values_mut()[slot as usize] = to;
            }
        }
        Ok(())
    }

    fn refusal(&self, values: &[Vec<bool>], diagnostics: &[Diagnostic]) -> crate::machine::EvalError {
        let first = diagnostics.iter().find(|d| d.is_error()).map_or("", |d| d.message.as_str());
        let text = format!("the run cannot begin in the mode `{}`: {first}", self.describe_all(values));
        fatal(
            "no-initial-mode",
            text,
            "give start values for which the equations of the mode have a solution",
        )
    }

    fn no_beginning(&self, tried: &[Vec<Vec<bool>>]) -> crate::machine::EvalError {
        let list: Vec<String> =
            tried.iter().map(|values| format!("`{}`", self.describe_all(values))).collect();
        let text = format!("no mode confirms itself at the start; tried {}", list.join(" -> "));
        fatal("no-initial-mode", text, "give start values that agree with one of the modes")
    }

    fn describe_all(&self, values: &[Vec<bool>]) -> String {
        let pairs = self.modes.regions.iter().zip(values);
        let list: Vec<String> = pairs.map(|(region, values)| region.describe(values)).collect();
        list.join("; ")
    }
}
