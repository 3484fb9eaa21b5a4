//! Which values a sweep gives to its parameters: all combinations, or a sample of their distributions.

use super::design::Design;
use super::indices;
use std::fmt;

/// How one parameter varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    pub name: String,
    pub spread: Spread,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// These values, as the user wrote them.
    List(Vec<String>),
    /// From, to, and how many values or how far apart.
    Linear {
        from: f64,
        to: f64,
        count: usize,
    },
    Logarithmic {
        from: f64,
        to: f64,
        count: usize,
    },
    /// For samples only, as those that follow.
    Uniform {
        from: f64,
        to: f64,
    },
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// Mean and standard deviation of the logarithm.
    LogNormal {
        mean: f64,
        deviation: f64,
    },
    Triangular {
        from: f64,
        mode: f64,
        to: f64,
    },
}

/// One value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    Number(f64),
    /// As the user wrote it.
    Text(&'a str),
}

impl Given<'_> {
    pub fn number(self) -> Option<f64> {
        match self {
            Given::Number(number) => Some(number),
            Given::Text(text) => text.parse().ok(),
        }
    }
}

impl fmt::Display for Given<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Number(number) => number.fmt(out),
            Given::Text(text) => text.fmt(out),
        }
    }
}

/// More runs than this are surely a mistake.
const MOST: u64 = 100_000_000;

impl Variation {
    /// Reads `name=1,2,5`, `name=from:step:to` as Modelica and MATLAB write ranges, `name=lin(from,to,count)`, `name=log(from,to,count)`,
    /// `name=uniform(from,to)`, `name=normal(mean,deviation)`, `name=lognormal(mean,deviation)` or `name=triangular(from,mode,to)`.
    pub fn parse(text: &str) -> Result<Variation, String> {
        let shape = "write name=1,2,5, name=FROM:STEP:TO, name=lin(FROM,TO,COUNT), name=log(FROM,TO,COUNT), \
                     name=uniform(FROM,TO), name=normal(MEAN,DEVIATION), name=lognormal(MEAN,DEVIATION) or \
                     name=triangular(FROM,MODE,TO)";
        let (name, values) = text.split_once('=').ok_or(shape)?;
        let (name, values) = (name.trim().to_string(), values.trim());
        if name.is_empty() || values.is_empty() {
            return Err(shape.into());
        }
        let numbers = |list: &str, separator: char| -> Result<Vec<f64>, String> {
            let number = |text: &str| text.trim().parse().ok().filter(|v: &f64| v.is_finite());
            list.split(separator)
                .map(|text| number(text).ok_or_else(|| format!("`{text}` is not a number")))
                .collect()
        };
        let call = values.strip_suffix(')').and_then(|rest| rest.split_once('('));
        let spread = if let Some((function, list)) = call {
            let list = numbers(list, ',')?;
            let count = |n: f64| {
                if n >= 1.0 && n.fract() == 0.0 {
                    Ok(n as usize)
                } else {
                    Err("the count must be a whole number")
                }
            };
            match (function.trim(), list.as_slice()) {
                ("lin", &[from, to, n]) => Spread::Linear { from, to, count: count(n)? },
                ("log", &[from, to, n]) if from * to > 0.0 => {
                    Spread::Logarithmic { from, to, count: count(n)? }
                }
                ("log", &[..]) if list.len() == 3 => {
                    return Err("both ends of `log` must have the same sign".into());
                }
                ("uniform", &[from, to]) if from <= to => Spread::Uniform { from, to },
                ("uniform", &[from, to]) => return Err(format!("`uniform` goes up: {from} is above {to}")),
                ("normal", &[mean, deviation]) if deviation >= 0.0 => Spread::Normal { mean, deviation },
                ("lognormal", &[mean, deviation]) if deviation >= 0.0 => {
                    Spread::LogNormal { mean, deviation }
                }
                ("normal" | "lognormal", &[_, _]) => return Err("a deviation is not negative".into()),
                ("triangular", &[from, mode, to]) if from <= mode && mode <= to => {
                    Spread::Triangular { from, mode, to }
                }
                ("triangular", &[_, _, _]) => {
                    return Err(
                        "the mode of `triangular` is between its ends: triangular(FROM,MODE,TO)".into()
                    );
                }
                _ => return Err(shape.into()),
            }
        } else if values.contains(':') {
            match *numbers(values, ':')?.as_slice() {
                [from, to] => range(from, 1.0, to)?,
                [from, step, to] => range(from, step, to)?,
                _ => return Err(shape.into()),
            }
        } else {
            Spread::List(values.split(',').map(|value| value.trim().to_string()).collect())
        };
        Ok(Variation { name, spread })
    }

    fn count(&self) -> Option<usize> {
        match &self.spread {
            Spread::List(values) => Some(values.len()),
            Spread::Linear { count, .. } | Spread::Logarithmic { count, .. } => Some(*count),
            _ => None,
        }
    }

    /// Whether all values are numbers.
    pub fn is_numeric(&self) -> bool {
        match &self.spread {
            Spread::List(values) => values.iter().all(|value| Given::Text(value).number().is_some()),
            _ => true,
        }
    }

    /// The value at a part of the way, from 0 to 1.
    fn along(&self, part: f64) -> Given<'_> {
        match &self.spread {
            Spread::List(values) => {
                let at = ((part * values.len() as f64) as usize).min(values.len().saturating_sub(1));
                Given::Text(&values[at])
            }
            Spread::Linear { from, to, .. } => Given::Number(from + part * (to - from)),
            Spread::Logarithmic { from, to, .. } => Given::Number(from * (to / from).powf(part)),
            Spread::Uniform { from, to } => Given::Number(from + part * (to - from)),
            Spread::Normal { mean, deviation } => Given::Number(mean + deviation * quantile(part)),
            Spread::LogNormal { mean, deviation } => Given::Number((mean + deviation * quantile(part)).exp()),
            Spread::Triangular { from, mode, to } => {
                let (rise, width) = (mode - from, to - from);
                Given::Number(match part * width < rise {
                    true => from + (part * width * rise).sqrt(),
                    false => to - ((1.0 - part) * width * (to - mode)).sqrt(),
                })
            }
        }
    }

    fn nth(&self, at: usize) -> Given<'_> {
        match (&self.spread, self.count()) {
            (Spread::List(values), _) => Given::Text(&values[at]),
            // The ends are met exactly.
            (Spread::Linear { to, .. } | Spread::Logarithmic { to, .. }, Some(n)) if n > 1 && at == n - 1 => {
                Given::Number(*to)
            }
            (_, Some(n)) if n > 1 => self.along(at as f64 / (n - 1) as f64),
            _ => self.along(0.0),
        }
    }
}

/// `from:step:to`; one that reads better as `from:to:step`, as other tools have it, is explained.
fn range(from: f64, step: f64, to: f64) -> Result<Spread, String> {
    let steps = (to - from) / step;
    if step == 0.0
        || steps < 0.0
        || (step.abs() > (to - from).abs() && from != to || from == to && step != 0.0)
    {
        let other = (step - from) / to;
        let meant = match to != 0.0 && other >= 1.0 {
            true => format!("; did you mean `{from}:{to}:{step}`?"),
            false => String::new(),
        };
        let text =
            format!("the step {step} does not lead from {from} to {to}: ranges are FROM:STEP:TO{meant}");
        return Err(text);
    }
    // A last value that round-off alone puts beyond the end belongs to the range.
    let count = (steps * (1.0 + 1e-12) + 1e-9).floor() as usize + 1;
    Ok(Spread::Linear { from, to: from + (count - 1) as f64 * step, count })
}

/// The points of a sweep, numbered from zero; the last parameter varies fastest.
#[derive(Clone, Debug)]
pub struct Plan {
    pub variations: Vec<Variation>,
    pub count: u64,
    /// For a sample: the part of the way of each parameter at each point.
    parts: Option<Vec<Vec<f64>>>,
}

impl Plan {
    pub fn grid(variations: Vec<Variation>) -> Result<Plan, String> {
        let mut count = 1u64;
        for variation in &variations {
            let n = variation.count().ok_or_else(|| {
                format!(
                    "`{}` is spread at random: say with --sample how many runs there are to be",
                    variation.name
                )
            })?;
            count = count.saturating_mul(n as u64);
        }
        within(count)?;
        Ok(Plan { variations, count, parts: None })
    }

    /// So many points by a design.
    pub fn sample(variations: Vec<Variation>, count: u64, design: Design, seed: u64) -> Result<Plan, String> {
        within(count)?;
        let parts = design.parts(variations.len(), count as usize, seed)?;
        Ok(Plan { variations, count, parts: Some(parts) })
    }

    /// The points from which the indices of Sobol follow: for each of `base` points one of two samples, and for each
    /// parameter the first with the parameter of the second (`indices.rs` tells the order).
    pub fn for_indices(
        variations: Vec<Variation>,
        base: u64,
        design: Design,
        seed: u64,
    ) -> Result<Plan, String> {
        if let Some(list) = variations.iter().find(|variation| !variation.is_numeric()) {
            return Err(format!(
                "the values of `{}` are no numbers, so that they have no indices",
                list.name
            ));
        }
        if base < 2 {
            return Err("indices want at least two points".into());
        }
        let count = base.saturating_mul(variations.len() as u64 + 2);
        within(count)?;
        let parts = design.parts(2 * variations.len(), base as usize, seed)?;
        Ok(Plan { count, parts: Some(indices::crossed(&parts)), variations })
    }

    /// The values of the parameters at a point.
    pub fn point(&self, index: u64) -> Vec<Given<'_>> {
        if let Some(parts) = &self.parts {
            return self
                .variations
                .iter()
                .zip(parts)
                .map(|(v, parts)| v.along(parts[index as usize]))
                .collect();
        }
        let mut rest = index;
        let mut values: Vec<Given> = self
            .variations
            .iter()
            .rev()
            .map(|variation| {
                let n = variation.count().unwrap_or(1).max(1) as u64;
                let value = variation.nth((rest % n) as usize);
                rest /= n;
                value
            })
            .collect();
        values.reverse();
        values
    }
}

fn within(count: u64) -> Result<(), String> {
    match count {
        0 => Err("there is nothing to run".into()),
        1..=MOST => Ok(()),
        _ => Err(format!("{count} runs are too many")),
    }
}

/// The quantile of the standard normal distribution, by Acklam's rational approximation (relative error 1.2e-9).
fn quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.38357751867269e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 5] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 4] = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416];
    const LOW: f64 = 0.02425;
    let horner = |coefficients: &[f64], x: f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let p = p.clamp(1e-300, 1.0 - 1e-16);
    let tail = |p: f64| {
        let q = (-2.0 * p.ln()).sqrt();
        horner(&C, q) / (horner(&D, q) * q + 1.0)
    };
    if p < LOW {
        tail(p)
    } else if p > 1.0 - LOW {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        let r = q * q;
        horner(&A, r) * q / (horner(&B, r) * r + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let plan = Plan::grid(vec![Variation::parse(text).expect("a variation")]).expect("a plan");
        (0..plan.count).map(|k| plan.point(k)[0].to_string()).collect()
    }

    #[test]
    fn spreads_are_read() {
        assert_eq!(values("R=10:10:40"), ["10", "20", "30", "40"]);
        assert_eq!(values("x=0:0.1:0.3").len(), 4);
        assert_eq!(values("n=3:-1:1"), ["3", "2", "1"]);
        assert_eq!(values("C=log(1e-2,1,3)"), ["0.01", "0.1", "1"]);
        assert_eq!(values("k=lin(1,2,3)"), ["1", "1.5", "2"]);
        assert_eq!(values("mode=open, shut"), ["open", "shut"]);
        for wrong in [
            "R",
            "R=",
            "R=1:2:3:4",
            "R=1:-1:2",
            "R=10:100:10",
            "R=log(-1,1,3)",
            "R=lin(0,1,0.5)",
            "R=1:b:2",
            "=1",
        ] {
            assert!(Variation::parse(wrong).is_err(), "{wrong}");
        }
        let normal = Variation::parse("R=normal(0,1)").expect("a variation");
        assert!(Plan::grid(vec![normal]).is_err());
    }

    #[test]
    fn a_grid_has_all_combinations_in_order() {
        let variations = ["a=1,2", "b=x,y,z"].map(|text| Variation::parse(text).expect("a variation"));
        let plan = Plan::grid(variations.to_vec()).expect("a plan");
        let points: Vec<String> =
            (0..plan.count).map(|k| plan.point(k).iter().map(Given::to_string).collect()).collect();
        assert_eq!(points, ["1x", "1y", "1z", "2x", "2y", "2z"]);
    }

    #[test]
    fn a_sample_meets_each_slice_once_and_repeats_itself() {
        let variations = || {
            vec![Variation::parse("a=0:1:10").expect("ok"), Variation::parse("b=normal(5,2)").expect("ok")]
        };
        let plan = Plan::sample(variations(), 10, Design::LatinHypercube, 7).expect("a plan");
        let mut slices: Vec<i64> =
            (0..10).map(|k| plan.point(k)[0].number().expect("number").floor() as i64).collect();
        slices.sort_unstable();
        assert_eq!(slices, (0..10).collect::<Vec<_>>());
        let mean: f64 = (0..10).map(|k| plan.point(k)[1].number().expect("number")).sum::<f64>() / 10.0;
        assert!((mean - 5.0).abs() < 0.5, "{mean}");
        let again = Plan::sample(variations(), 10, Design::LatinHypercube, 7).expect("a plan");
        assert!((0..10).all(|k| plan.point(k) == again.point(k)));
    }

    #[test]
    fn samples_have_the_moments_of_their_distributions() {
        let e = std::f64::consts::E;
        // Mean and variance in closed form.
        let cases = [
            ("x=uniform(2,5)", 3.5, 9.0 / 12.0),
            ("x=normal(1,2)", 1.0, 4.0),
            ("x=lognormal(0,0.5)", 0.125_f64.exp(), (0.25_f64.exp() - 1.0) * 0.25_f64.exp()),
            ("x=triangular(0,1,4)", 5.0 / 3.0, (16.0 + 1.0 - 4.0) / 18.0),
            ("x=triangular(1,1,2)", 4.0 / 3.0, 1.0 / 18.0),
            ("x=log(1,2.718281828459045,2)", e - 1.0, (e * e - 1.0) / 2.0 - (e - 1.0).powi(2)),
        ];
        for (text, mean, variance) in cases {
            for design in [Design::LatinHypercube, Design::Sobol] {
                let plan =
                    Plan::sample(vec![Variation::parse(text).expect("ok")], 4096, design, 3).expect("plan");
                let values: Vec<f64> =
                    (0..4096).map(|k| plan.point(k)[0].number().expect("number")).collect();
                let m = values.iter().sum::<f64>() / 4096.0;
                let v = values.iter().map(|x| (x - m).powi(2)).sum::<f64>() / 4096.0;
                assert!((m - mean).abs() < 2e-3 * mean.abs(), "{text}: {m}, not {mean}");
                // The last slice alone has more than a hundredth of the variance of a long tail.
                assert!((v - variance).abs() < 2.5e-2 * variance, "{text}: {v}, not {variance}");
            }
        }
        for wrong in ["x=uniform(2,1)", "x=triangular(0,5,4)", "x=lognormal(0,-1)", "x=uniform(1)"] {
            assert!(Variation::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn quantiles_agree_with_the_tables() {
        for (p, z) in [(0.5, 0.0), (0.975, 1.959963985), (0.001, -3.090232306), (0.9999, 3.719016485)] {
            assert!((quantile(p) - z).abs() < 1e-7, "{p}");
        }
    }
}
