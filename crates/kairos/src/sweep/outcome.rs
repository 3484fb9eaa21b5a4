//! What a sweep keeps of each run: a few numbers, or the trajectories of some variables.

use kairos_machine::Machine;
use kairos_sim::Sink;

/// How a trajectory becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// The value at the end of the run.
    Last,
    /// The least, the greatest and the mean over time of the values at output points and events.
    Least,
    Greatest,
    Mean,
}

/// A number wanted of each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub reduce: Reduce,
    pub variable: String,
}

impl Outcome {
    /// Reads `v`, `final(v)`, `min(v)`, `max(v)` or `mean(v)`.
    pub fn parse(text: &str) -> Result<Outcome, String> {
        let text = text.trim();
        let of = |function: &str| text.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')');
        let kinds = [
            ("final", Reduce::Last),
            ("min", Reduce::Least),
            ("max", Reduce::Greatest),
            ("mean", Reduce::Mean),
        ];
        let found = kinds.into_iter().find_map(|(function, reduce)| Some((reduce, of(function)?)));
        let (reduce, variable) = found.unwrap_or((Reduce::Last, text));
        match variable.trim() {
            "" => Err("write v, final(v), min(v), max(v) or mean(v)".into()),
            variable => Ok(Outcome { reduce, variable: variable.into() }),
        }
    }

    /// The name of its column.
    pub fn name(&self) -> String {
        match self.reduce {
            Reduce::Last => self.variable.clone(),
            Reduce::Least => format!("min({})", self.variable),
            Reduce::Greatest => format!("max({})", self.variable),
            Reduce::Mean => format!("mean({})", self.variable),
        }
    }
}

/// Where a variable's value stands, with the sign of an alias.
pub type Place = (u32, bool);

/// Follows a run and keeps only what is wanted.
pub struct Gatherer<'a> {
    places: &'a [Place],
    /// None: all rows are kept.
    reduces: Option<&'a [Reduce]>,
    last: Option<f64>,
    start: f64,
    current: Vec<f64>,
    kept: Vec<f64>,
}

impl<'a> Gatherer<'a> {
    pub fn new(places: &'a [Place], reduces: Option<&'a [Reduce]>) -> Self {
        let kept = match reduces {
            Some(_) => vec![f64::NAN; places.len()],
            None => Vec::new(),
        };
        Self { places, reduces, last: None, start: 0.0, current: vec![f64::NAN; places.len()], kept }
    }

    /// Rows of time and values one after the other; one row if the values were reduced.
    pub fn finish(mut self) -> Vec<f64> {
        let Some(reduces) = self.reduces else { return self.kept };
        let end = self.last.unwrap_or(f64::NAN);
        for (k, reduce) in reduces.iter().enumerate() {
            if *reduce == Reduce::Mean && end > self.start {
                self.kept[k] /= end - self.start;
            }
        }
        self.kept.insert(0, end);
        self.kept
    }
}

impl Sink for Gatherer<'_> {
    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        let values = machine.values();
        let first = self.last.is_none();
        let span = time - self.last.unwrap_or(time);
        if first {
            self.start = time;
        }
        self.last = Some(time);
        if self.reduces.is_none() {
            self.kept.push(time);
        }
        for (k, &(slot, negated)) in self.places.iter().enumerate() {
            let value = values[slot as usize];
            let value = if negated { -value } else { value };
            match self.reduces.map(|reduces| reduces[k]) {
                None => self.kept.push(value),
                Some(Reduce::Last) => self.kept[k] = value,
                Some(Reduce::Least) => self.kept[k] = self.kept[k].min(value),
                Some(Reduce::Greatest) => self.kept[k] = self.kept[k].max(value),
                Some(Reduce::Mean) if first => self.kept[k] = 0.0,
                Some(Reduce::Mean) => self.kept[k] += 0.5 * span * (self.current[k] + value),
            }
            self.current[k] = value;
        }
        Ok(())
    }

    fn wants_events(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read() {
        let parse = |text| Outcome::parse(text).map(|o| (o.reduce, o.variable));
        assert_eq!(parse("a.b"), Ok((Reduce::Last, "a.b".into())));
        assert_eq!(parse("max( v[1] )"), Ok((Reduce::Greatest, "v[1]".into())));
        assert_eq!(parse("der(x)"), Ok((Reduce::Last, "der(x)".into())));
        assert_eq!(parse("mean(der(x))"), Ok((Reduce::Mean, "der(x)".into())));
        assert!(parse("min()").is_err());
    }
}
