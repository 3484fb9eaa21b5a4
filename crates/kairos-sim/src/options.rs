//! What a user can ask of a run.

use serde::{Deserialize, Serialize};

/// How the continuous part is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Method {
    /// The engine chooses.
    #[default]
    Auto,
    /// Variable order, implicit: stiff systems.
    Bdf,
    /// L-stable one-step method: stiff systems with many events.
    Esdirk,
    /// Radau IIA of order 5: stiff, accurate.
    Radau,
    /// Explicit pair of order 5(4) with dense output: non-stiff systems.
    Rk45,
    /// Fixed step: explicit Euler.
    Euler,
    /// Fixed step: explicit midpoint.
    Rk2,
    /// Fixed step: the classical Runge–Kutta method.
    Rk4,
}

impl Method {
    /// Every method with the names it goes by; the first name is the one shown.
    pub const NAMES: &[(Method, &[&str])] = &[
        (Method::Auto, &["auto", "default"]),
        (Method::Bdf, &["bdf", "dassl", "ida", "cvode"]),
        (Method::Esdirk, &["esdirk"]),
        (Method::Radau, &["radau", "radau5"]),
        (Method::Rk45, &["rk45", "dopri5"]),
        (Method::Euler, &["euler"]),
        (Method::Rk2, &["rk2", "midpoint"]),
        (Method::Rk4, &["rk4"]),
    ];

    pub fn from_name(name: &str) -> Option<Method> {
        let lower = name.to_ascii_lowercase();
        Self::NAMES.iter().find(|(_, names)| names.contains(&lower.as_str())).map(|(method, _)| *method)
    }

    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(method, _)| *method == self).map_or("auto", |(_, names)| names[0])
    }

    pub fn is_fixed_step(self) -> bool {
        matches!(self, Method::Euler | Method::Rk2 | Method::Rk4)
    }
}

/// What happens at the accumulation point of infinitely many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ZenoAction {
    /// Go on from the limit state with the recurring constraint held.
    #[default]
    Continue,
    /// Report it as an error.
    Stop,
}

/// What happens where both sides of a switching surface push towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SlidingAction {
    /// Go on along the surface with the convex combination of both sides.
    #[default]
    Filippov,
    /// Step across the surface again and again.
    Off,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimOptions {
    pub start: f64,
    pub stop: f64,
    /// Distance of the communication points; zero: none but the ends and `at`.
    pub interval: f64,
    /// Further exact output points, in any order.
    pub at: Vec<f64>,
    /// Relative tolerance; the absolute one is this times a state's nominal value.
    pub tolerance: f64,
    pub method: Method,
    /// Step of the fixed-step methods; `None`: the interval of the communication points.
    pub step: Option<f64>,
    pub max_step: Option<f64>,
    pub zeno: ZenoAction,
    pub sliding: SlidingAction,
    /// The length of time that scales follow from, where nobody knows when the run will end; `None`: from start to stop.
    pub span: Option<f64>,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self {
            start: 0.0,
            stop: 1.0,
            interval: 1.0 / 500.0,
            at: Vec::new(),
            tolerance: 1e-6,
            method: Method::Auto,
            step: None,
            max_step: None,
            zeno: ZenoAction::default(),
            sliding: SlidingAction::default(),
            span: None,
        }
    }
}

impl SimOptions {
    /// The length of time that counts: what is small beside it is short.
    pub fn range(&self) -> f64 {
        self.span.unwrap_or(self.stop - self.start)
    }

    /// From `start` to `stop` with the usual 500 intervals.
    pub fn over(start: f64, stop: f64) -> Self {
        Self { start, stop, interval: (stop - start) / 500.0, ..Self::default() }
    }
}

/// How far the equation that is satisfied worst is from being so, right after the events of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LargestResidual {
    pub size: f64,
    pub equation: String,
    pub time: f64,
    /// Events that were checked.
    pub events: u64,
}

/// How much work a run was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Where the run ended: the stop time, or earlier after `terminate`.
    pub end: f64,
    pub steps: u64,
    pub rejected_steps: u64,
    pub evaluations: u64,
    pub jacobians: u64,
    pub newton_iterations: u64,
    pub crossing_evaluations: u64,
    pub state_events: u64,
    pub time_events: u64,
    pub event_iterations: u64,
    pub restarts: u64,
    pub rows: u64,
    pub warnings: u64,
    /// The text of `terminate`.
    pub terminated: Option<String>,
    /// Where the equations have residuals: the largest of them right after an event.
    pub residual: Option<LargestResidual>,
    /// What initialisation had to assume.
    pub assumptions: Vec<String>,
}
