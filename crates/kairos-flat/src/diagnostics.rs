//! The wording of messages about connectors, clocks and streams.

use kairos_base::{Diagnostic, Span};

pub fn clock_conflict(clocked: Span, unclocked: Span) -> Diagnostic {
    Diagnostic::error("clock-conflict", "an equation mixes clocked and continuous-time variables")
        .label(clocked, "this makes it clocked")
        .label(unclocked, "this makes it continuous-time")
        .help("convert with `sample` or `hold`")
}

pub fn clock_conflict_here(why: &str, span: Span) -> Diagnostic {
    Diagnostic::error("clock-conflict", format!("the clocks of this equation contradict each other: {why}"))
        .at(span)
        .help("check the intervals, factors and shifts of the clocks that meet here")
}

pub fn two_base_clocks(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("clock-conflict", "two independent clocks meet in one clocked partition")
        .label(span, "this clock")
        .label(first, "and this one")
        .help("define one of them from the other, or separate them with `hold` and `sample`")
}

pub fn clock_undetermined(span: Span) -> Diagnostic {
    Diagnostic::error("clock-undetermined", "nothing determines the clock of this equation")
        .at(span)
        .help("give it a clock with `sample(u, clock)` or `when clock then`")
}

pub fn clock_overflow(span: Span) -> Diagnostic {
    Diagnostic::error("clock-overflow", "the factors of this clock exceed 63 bits")
        .at(span)
        .help("use smaller factors or a coarser resolution")
}

pub fn clock_default(span: Span) -> Diagnostic {
    Diagnostic::warning("clock-default", "no clock is given for a clocked partition; it ticks every second")
        .at(span)
        .help("give one of its equations a clock with `sample(u, Clock(…))`")
}

pub fn clock_argument(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "clock-argument",
        format!("the factors of `{operator}` must be positive and known before the simulation"),
    )
    .at(span)
    .help("use constants and parameters only")
}

pub fn clock_expression(span: Span) -> Diagnostic {
    Diagnostic::error("clock-expression", "this is not a clock that is known before the simulation")
        .at(span)
        .help("use clock variables, clock constructors and conditions of parameters")
}

pub fn unclocked_operator(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "unclocked",
        format!("`{operator}` needs a clocked variable, but this one has no clock"),
    )
    .at(span)
    .help("convert continuous-time variables with `sample` first")
}

pub fn solver_conflict(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("solver-conflict", "two solver methods meet in one clocked partition")
        .label(span, "this method")
        .label(first, "and this one")
        .help("give both clocks the same method")
}

pub fn no_solver(span: Span) -> Diagnostic {
    Diagnostic::error(
        "no-solver-method",
        "a differential equation in a clocked partition needs a solver method",
    )
    .at(span)
    .help("give its clock one: `Clock(c, solverMethod = \"ExplicitEuler\")`")
}

pub fn not_a_stream(operator: &str, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-stream", format!("`{operator}` needs a stream variable of a connector"))
        .at(span)
        .help("declare the variable `stream` in a connector with one flow variable")
}

pub fn constant_connector(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "constant-connector",
        format!("the connector `{path}` is declared constant or parameter"),
    )
    .at(span)
    .help("remove the prefix; single variables of a connector can be parameters")
}

pub fn stream_outside(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "stream-outside-connector",
        format!("the stream variable `{path}` is not in a connector"),
    )
    .at(span)
    .help("remove the prefix `stream`")
}

pub fn stream_type(path: &str, span: Span) -> Diagnostic {
    Diagnostic::error("stream-type", format!("the stream variable `{path}` is not Real"))
        .at(span)
        .help("declare it Real, or remove the prefix `stream`")
}

pub fn stream_flows(path: &str, flows: usize, span: Span) -> Diagnostic {
    let text = format!("the connector `{path}` has stream variables and {flows} flow variables, not one");
    Diagnostic::error("stream-flows", text)
        .at(span)
        .help("give it exactly one scalar flow variable, the flow that carries the streams")
}

pub fn unbalanced_connector(path: &str, potentials: usize, flows: usize, span: Span) -> Diagnostic {
    let text = format!("the connector `{path}` has {potentials} potential and {flows} flow variables");
    Diagnostic::error("unbalanced-connector", text)
        .at(span)
        .help("declare a flow variable for each potential variable, or make variables inputs and outputs")
}

pub fn two_sources(first: &str, second: &str, span: Span) -> Diagnostic {
    Diagnostic::error("two-signal-sources", format!("`{first}` and `{second}` both drive this connection"))
        .at(span)
        .help("connect only one output, or one input of the model itself, to each input")
}

pub fn parameters_differ(first: &str, second: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "connected-parameters",
        format!("the connected `{first}` and `{second}` have different values"),
    )
    .at(span)
    .help("give parameters of connected connectors the same value")
}

pub fn no_initial_state(span: Span) -> Diagnostic {
    Diagnostic::error("initial-state", "this state machine has no initial state")
        .at(span)
        .help("mark one of its states: `initialState(state)`")
}

pub fn two_initial_states(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("initial-state", "this state machine has two initial states")
        .label(span, "the second")
        .label(first, "the first")
        .help("keep one of them; states that no transition connects are machines of their own")
}

pub fn equal_priorities(priority: i64, span: Span, other: Span) -> Diagnostic {
    Diagnostic::error(
        "transition-priority",
        format!("two transitions of one state have the priority {priority}"),
    )
    .label(span, "this one")
    .label(other, "and this one")
    .help("give them different priorities; the transition with the smallest number fires")
}

pub fn transition_argument(span: Span) -> Diagnostic {
    Diagnostic::error(
        "transition-argument",
        "`immediate`, `reset`, `synchronize` and `priority` must be known before the simulation, the last at least 1",
    )
    .at(span)
    .help("use constants and parameters only")
}

pub fn not_in_machine(operator: &str, span: Span) -> Diagnostic {
    let (text, help) = match operator {
        "activeState" => ("`activeState` asks for a block that is no state", "name a state with transitions"),
        _ => (
            "this operator speaks of a state, and there is none around it",
            "use it in states and transitions",
        ),
    };
    Diagnostic::error("no-state-machine", text).at(span).help(help)
}

pub fn parallel_states(name: &str, span: Span, other: Span) -> Diagnostic {
    Diagnostic::error("parallel-states", format!("two states that may be active at once define `{name}`"))
        .label(span, "here")
        .label(other, "and here")
        .help("let only one of the parallel state machines define it")
}

pub fn pre_of_continuous(name: &str, span: Span, declared: Span) -> Diagnostic {
    let text = format!("`pre({name})` asks for the left limit of a variable that moves between events");
    Diagnostic::error("pre-of-continuous", text)
        .label(span, "outside of a when-clause")
        .label(declared, format!("`{name}` is continuous"))
        .help("use it inside `when`, or declare a `discrete` variable that a when-clause sets")
}

pub fn state_in_when(name: &str, set: Span, moves: Span) -> Diagnostic {
    let text = format!("`{name}` is given a value here, although its derivative says how it moves");
    Diagnostic::error("state-in-when", text)
        .at(set)
        .label(moves, format!("`der({name})` stands here"))
        .help(format!("write `reinit({name}, …)`: it goes on from that value"))
}
