//! The wording of what causalisation has to say.

use crate::work::{Row, Work};
use kairos_base::{Diagnostic, Span};
use kairos_expr::{Node, Scalar, Undifferentiable, VarId};
use kairos_model::Variable;

/// At most this many names in one message.
const SHOWN: usize = 12;

fn list(names: &[String]) -> String {
    let mut text = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// A part of the system with more equations than unknowns, or fewer.
#[derive(Default)]
pub struct Imbalance {
    pub equations: Vec<(String, Span)>,
    pub unknowns: Vec<(String, Span)>,
    /// Those of the unknowns that are potentials of connectors, and their unit.
    pub potentials: Vec<(String, String)>,
    /// Integers that an equation gives a Real: the name, the equation and the declaration.
    pub integers: Vec<(String, Span, Span)>,
}

impl Imbalance {
    pub fn of<'a>(
        work: &Work,
        rows: impl Iterator<Item = &'a Row>,
        vars: impl Iterator<Item = VarId>,
    ) -> Imbalance {
        let mut part = Imbalance::default();
        for row in rows {
            part.equations.push((work.row_text(row), row.origin.span));
            for (side, other) in [(row.lhs, row.rhs), (row.rhs, row.lhs)] {
                if let Node::Var(v) = work.store.node(side)
                    && work.vars[v.index()].ty == Scalar::Int
                    && work.store.ty(other).scalar == Scalar::Real
                {
                    let var = &work.vars[v.index()];
                    part.integers.push((var.name.clone(), row.origin.span, var.span));
                }
            }
        }
        for var in vars.map(|v| &work.vars[v.index()]) {
            part.unknowns.push((var.name.clone(), var.span));
            if var.potential {
                part.potentials.push((var.name.clone(), var.unit.to_string()));
            }
        }
        part
    }
}

pub fn over_determined(part: &Imbalance) -> Diagnostic {
    let names: Vec<String> = part.unknowns.iter().map(|(n, _)| n.clone()).collect();
    let what = if names.is_empty() { "no unknown".into() } else { format!("only {}", list(&names)) };
    let headline = match part.equations.len() {
        1 => format!("an equation determines {what}"),
        count => format!("{count} equations determine {what}: {} too many", count - names.len().min(count)),
    };
    let mut d = Diagnostic::error("structurally-singular", headline);
    for (text, span) in part.equations.iter().take(SHOWN) {
        // `v = v` is kept as zero equals zero.
        let empty = text.split(" = ").all(|side| side.parse() == Ok(0.0));
        d = d.label(*span, if empty { "all its terms cancel".into() } else { format!("`{text}`") });
    }
    d.help("remove one of these equations, or let one of them contain another unknown")
}

/// What is wrong with a system of which a part has too many equations, or too few, or one of each.
pub fn imbalance(over: Option<Imbalance>, under: Option<Imbalance>) -> Vec<Diagnostic> {
    // Flows that sum to zero by themselves, and levels that nothing sets, are two sides of one mistake.
    if let (Some(over), Some(under)) = (&over, &under)
        && under.potentials.len() > 1
        && over.unknowns.is_empty()
    {
        return vec![floating_potentials(over, under)];
    }
    if let Some(over) = &over
        && !over.integers.is_empty()
    {
        return over.integers.iter().map(|(name, row, var)| real_for_integer(name, *row, *var)).collect();
    }
    let over = over.as_ref().map(over_determined);
    over.into_iter().chain(under.as_ref().map(under_determined)).collect()
}

/// An Integer changes at events only, so an equation with a Real that moves in between determines nothing.
fn real_for_integer(name: &str, equation: Span, declared: Span) -> Diagnostic {
    let text = format!("`{name}` is an Integer, and this equation gives it a Real that moves");
    Diagnostic::error("real-for-integer", text)
        .at(equation)
        .label(declared, "declared here")
        .help(format!("round it with `integer(...)`, which changes at events, or declare `{name}` as Real"))
}

/// Parts that are connected with each other only, so that the flows between them balance whatever the level is.
fn floating_potentials(over: &Imbalance, under: &Imbalance) -> Diagnostic {
    let names: Vec<String> = under.potentials.iter().map(|(name, _)| name.clone()).collect();
    let (what, help) = match under.potentials[0].1.as_str() {
        "V" => (
            "there is no ground in this circuit",
            "connect a ground: a part that sets one of these potentials",
        ),
        "m" | "rad" => (
            "nothing in this mechanism is fixed",
            "fix one of these flanges, or give one of these parts inertia",
        ),
        _ => (
            "no part sets their level",
            "connect a part that sets one of them, such as a boundary or a source of fixed level",
        ),
    };
    let mut d = Diagnostic::error("floating-potentials", format!("{} float: {what}", list(&names)));
    for (_, span) in over.equations.iter().take(3) {
        d = d.label(*span, "flows balance here whatever the level is");
    }
    d.help(help)
}

fn under_determined(part: &Imbalance) -> Diagnostic {
    let names: Vec<String> = part.unknowns.iter().map(|(n, _)| n.clone()).collect();
    let missing = names.len() - part.equations.len().min(names.len());
    let mut d = Diagnostic::error(
        "structurally-singular",
        format!(
            "{} not determined: {} equations for {} unknowns",
            list(&names),
            part.equations.len(),
            names.len()
        ),
    );
    for (name, span) in part.unknowns.iter().take(3) {
        d = d.label(*span, format!("`{name}`"));
    }
    for (text, span) in part.equations.iter().take(SHOWN) {
        d = d.label(*span, format!("`{text}`"));
    }
    if part.potentials.len() > 1 {
        let floating: Vec<String> = part.potentials.iter().map(|(name, _)| name.clone()).collect();
        let missing = match part.potentials[0].1.as_str() {
            "V" => "no ground in this circuit",
            "m" | "rad" => "nothing in this mechanism is fixed",
            _ => "no part connected to them sets their level",
        };
        return d.help(format!("{} float: {missing}", list(&floating)));
    }
    d.help(format!("{missing} more equation(s) needed: give a binding or an equation, or declare an input"))
}

pub fn when_conflict(name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("when-conflict", format!("two when-equations assign `{name}`"))
        .label(first, "first here")
        .label(second, "and here")
        .help("join them with `elsewhen`, or put both in one algorithm section where the later one wins")
}

pub fn discrete_conflict(name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("when-conflict", format!("`{name}` is determined by two equations"))
        .label(first, "first here")
        .label(second, "and here")
        .help("keep one of them: a variable assigned in a when-clause has no other equation")
}

pub fn discrete_loop(equations: &[(String, Span)], names: &[String]) -> Diagnostic {
    let mut d = Diagnostic::error(
        "discrete-loop",
        format!("discrete equations depend on each other: {} has no order of evaluation", list(names)),
    );
    for (text, span) in equations.iter().take(SHOWN) {
        d = d.label(*span, format!("`{text}`"));
    }
    d.help("break the cycle with `pre(...)`, which takes the value before the event")
}

pub fn not_discrete(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("discrete-equation-form", format!("`{text}` cannot be solved for a discrete variable"))
        .at(span)
        .help("write it as `variable = expression`")
}

pub fn clocked(span: Span) -> Diagnostic {
    Diagnostic::error(
        "clocked-equation",
        "this kind of equation or clock is not supported in a clocked partition",
    )
    .at(span)
    .help("write equations and assignments, and whole multiples of event clocks")
}

pub fn solver_method(name: &str, span: Span) -> Diagnostic {
    let known: Vec<String> = crate::discretise::NAMES.iter().map(|name| format!("\"{name}\"")).collect();
    Diagnostic::error("solver-method", format!("there is no solver method `{name}`"))
        .at(span)
        .help(format!("the methods are {}", known.join(", ")))
}

pub fn clocked_start(text: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "initial-over-determined",
        format!("the initial condition `{text}` is not needed: the others determine everything"),
    )
    .at(span)
    .help("it is ignored at the first tick of the partition; remove it or one of the others")
}

pub fn loop_in_algorithm(span: Span) -> Diagnostic {
    let text = "only a run knows the number of turns of this loop, and it does more than to assign variables";
    Diagnostic::error("algorithm-loop", text)
        .at(span)
        .help("take `when`, `reinit`, `terminate`, `return` and calls without results out of the loop")
}

pub fn target_in_algorithm(span: Span) -> Diagnostic {
    Diagnostic::error("algorithm-target", "the subscript of this assignment is not known at compile time")
        .at(span)
        .help("move the algorithm into a function")
}

pub fn not_differentiable(span: Span, why: &Undifferentiable, purpose: &str) -> Diagnostic {
    let (what, help) = match why {
        Undifferentiable::Function(name) => (
            format!("the function `{name}` has no derivative"),
            "give the function a `derivative` annotation".to_string(),
        ),
        Undifferentiable::Operation(name) => (
            format!("`{name}` has no derivative"),
            "use an operation that can be differentiated, or choose other states".to_string(),
        ),
        Undifferentiable::Variable => (
            "the derivative of an input or of a derivative is not known".to_string(),
            "filter the input, or choose other states with `stateSelect`".to_string(),
        ),
    };
    let why = if purpose == "der" {
        "`der` asks for it"
    } else {
        "index reduction must differentiate this equation"
    };
    Diagnostic::error("not-differentiable", format!("{what}, but {why}")).at(span).help(help)
}

pub fn conflicting_starts(kept: &Variable, other: &Variable, values: &[String; 2]) -> Diagnostic {
    Diagnostic::warning(
        "conflicting-start",
        format!(
            "`{}` and `{}` are equal but have different fixed start values, {} and {}",
            kept.name, other.name, values[0], values[1]
        ),
    )
    .label(kept.span, "this one is used")
    .label(other.span, "this one is ignored")
    .help("remove `fixed = true` from one of them; if they should differ, the equation that makes them equal is wrong: was a `der` forgotten?")
}

pub fn reinit_of_no_state(name: &str, place: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("reinit-of-no-state", format!("`{name}` is given a new value here, but it is no state"))
        .label(place, "`reinit` needs a variable that goes on by its derivative")
        .label(declared, format!("other equations determine `{name}` at every instant"))
        .help("reinitialise the state that it is computed from, or give it an equation with its derivative")
}

/// `idle`: the variable of the condition, if no equation has its derivative.
pub fn initial_over_determined(text: &str, idle: Option<&str>, span: Span) -> Diagnostic {
    let told = Diagnostic::warning(
        "initial-over-determined",
        format!("the initial condition `{text}` is not needed: the others determine everything"),
    )
    .at(span);
    let told = match idle {
        Some(name) => told.help(format!("no equation contains `der({name})`: was it forgotten?")),
        None => told,
    };
    told.help("it is checked after initialisation; remove it or one of the others")
}

pub fn state_never(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "state-selection",
        format!("`{name}` has `stateSelect = StateSelect.never` but is a state"),
    )
    .at(span)
    .help("no other choice of states is possible here")
}

pub fn state_always(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "state-selection",
        format!("`{name}` has `stateSelect = StateSelect.always` but other states determine it"),
    )
    .at(span)
    .help("it is computed from them; choose fewer states with `always`")
}

pub fn constant_without_end(name: &str, span: Span) -> Diagnostic {
    let text =
        format!("the constant `{name}` cannot be computed within {} steps", kairos_base::limits::STEPS);
    Diagnostic::error("evaluation-failed", text)
        .at(span)
        .help("look for a loop or a recursion without end, or make it a parameter, which a run computes")
}

pub fn parameter_cycle(names: &[String], span: Span) -> Diagnostic {
    Diagnostic::error("parameter-cycle", format!("the parameters {} depend on each other", list(names)))
        .at(span)
        .help("give one of them a value of its own")
}

pub fn parameter_without_value(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "parameter-without-value",
        format!("the parameter `{name}` has no value; zero is assumed"),
    )
    .at(span)
    .help("give it a value in the declaration or in a modifier")
}

pub fn changes_between_events(equation: &str, span: Span) -> Diagnostic {
    Diagnostic::warning(
        "changes-between-events",
        format!("`{equation}` changes between events, and an event depends on it: it is looked at only when another event happens"),
    )
    .at(span)
    .help("compare Reals outside of functions and of `noEvent`, or set it in a when-clause (MLS 3.8.4)")
}
