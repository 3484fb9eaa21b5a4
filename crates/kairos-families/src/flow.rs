//! Motion from event to event by another method than the engine's: extrapolated midpoint steps, and halving for instants.
//!
//! Steps are of one size, far below what the motions of the families need, so that no error control is to be trusted:
//! with six columns (Gragg, Bulirsch, Stoer) the error of a step is below round-off. An event is found by halving the step that
//! leads over it, each time from the step's beginning, so that no polynomial stands between.

/// The right side: derivatives at a time and a state.
pub type Field<'a> = &'a dyn Fn(f64, &[f64], &mut [f64]);
/// Functions that raise events where they become positive.
pub type Guards<'a> = &'a dyn Fn(f64, &[f64], &mut Vec<f64>);

/// Size of steps; nothing crosses zero twice within it.
const STEP: f64 = 2e-3;
const COLUMNS: usize = 6;

/// One step of any length.
pub fn step(field: Field, t: f64, x: &[f64], h: f64) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for j in 1..=COLUMNS {
        let mut next = vec![midpoint(field, t, x, h, 2 * j)];
        for k in 0..j - 1 {
            let ratio = (j as f64 / (j - k - 1) as f64).powi(2);
            let better =
                next[k].iter().zip(&rows[k]).map(|(new, old)| new + (new - old) / (ratio - 1.0)).collect();
            next.push(better);
        }
        rows = next;
    }
    rows.pop().expect("a column")
}

fn midpoint(field: Field, t: f64, x: &[f64], h: f64, count: usize) -> Vec<f64> {
    let h = h / count as f64;
    let mut slope = vec![0.0; x.len()];
    field(t, x, &mut slope);
    let mut before = x.to_vec();
    let mut now: Vec<f64> = x.iter().zip(&slope).map(|(x, s)| x + h * s).collect();
    for k in 1..count {
        field(t + k as f64 * h, &now, &mut slope);
        let next = before.iter().zip(&slope).map(|(x, s)| x + 2.0 * h * s).collect();
        before = std::mem::replace(&mut now, next);
    }
    // Smoothing, as Gragg has it.
    field(t + count as f64 * h, &now, &mut slope);
    now.iter().zip(&before).zip(&slope).map(|((now, before), s)| 0.5 * (now + before + h * s)).collect()
}

/// Where a motion has come to.
pub struct Reached {
    pub t: f64,
    pub x: Vec<f64>,
    /// Guards that have become positive, if it stopped for them.
    pub fired: Vec<usize>,
}

/// Goes on until a guard that is not positive becomes so, or until `end`.
pub fn advance(field: Field, guards: Guards, t: f64, x: &[f64], end: f64) -> Reached {
    let (mut t, mut x) = (t, x.to_vec());
    let (mut before, mut now) = (Vec::new(), Vec::new());
    guards(t, &x, &mut before);
    while t < end {
        let last = end - t <= STEP * 1.000001;
        let h = if last { end - t } else { STEP };
        let next = step(field, t, &x, h);
        let then = if last { end } else { t + h };
        guards(then, &next, &mut now);
        if before.iter().zip(&now).any(|(a, b)| *a <= 0.0 && *b > 0.0) {
            let (mut low, mut high, mut at_high) = (0.0, h, next);
            while high - low > 1e-15 {
                let middle = 0.5 * (low + high);
                let there = step(field, t, &x, middle);
                guards(t + middle, &there, &mut now);
                match before.iter().zip(&now).any(|(a, b)| *a <= 0.0 && *b > 0.0) {
                    true => (high, at_high) = (middle, there),
                    false => low = middle,
                }
            }
            guards(t + high, &at_high, &mut now);
            let fired = (0..now.len()).filter(|&k| before[k] <= 0.0 && now[k] > 0.0).collect();
            return Reached { t: t + high, x: at_high, fired };
        }
        (t, x) = (then, next);
        std::mem::swap(&mut before, &mut now);
    }
    Reached { t: end, x, fired: Vec::new() }
}
