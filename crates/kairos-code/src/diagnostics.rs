//! The wording of numeric failures.

use crate::machine::Fault;
use crate::program::{Definition, Program, Solve};
use crate::tape::Op;
use kairos_base::Span;
use kairos_expr::VarId;

pub fn fault(code: &'static str, message: impl Into<String>, span: Option<Span>) -> Fault {
    Fault { code, message: message.into(), span, values: Vec::new(), help: Vec::new() }
}

pub fn function_failed(message: String, span: Option<Span>) -> Fault {
    fault("function-failed", message, span)
}

/// An operation that gave up outside of a function.
pub fn outside(op: Op, values: &[f64]) -> Fault {
    match op {
        Op::Check { index, size } => subscript_outside(values[index as usize], size),
        _ => fault("function-failed", "an expression has no value here", None),
    }
}

/// A subscript, from 0, that is not one of `size`.
pub fn subscript_outside(index: f64, size: u32) -> Fault {
    fault("function-failed", format!("the subscript {} is outside 1:{size}", index + 1.0), None)
}

pub fn endless(name: &str, span: Span) -> Fault {
    let mut fault = fault("function-failed", format!("`{name}` did not end"), Some(span));
    fault.help.push("a while loop in it, or in a function that it calls, goes on without end".into());
    fault
}

/// The residuals that are worst, and where the iteration stands.
pub fn not_solved(solve: &Solve, values: &[f64], residuals: &[f64], why: &str) -> Fault {
    let mut order: Vec<usize> = (0..residuals.len()).collect();
    order.sort_by(|&a, &b| {
        let size = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
        size(residuals[b]).total_cmp(&size(residuals[a]))
    });
    let kind = if solve.linear { "linear" } else { "nonlinear" };
    let n = solve.unknowns.len();
    let mut message = format!("a {kind} system of {n} unknown(s) has no solution: {why}");
    for &k in order.iter().take(3) {
        let (text, _) = &solve.equations[k];
        message.push_str(&format!("; `{text}` is off by {:.3e}", residuals[k]));
    }
    let span = order.first().map(|&k| solve.equations[k].1);
    let mut fault = fault("system-not-solved", message, span);
    fault.values = solve
        .names
        .iter()
        .zip(&solve.unknowns)
        .take(10)
        .map(|(name, &slot)| (name.clone(), values[slot as usize]))
        .collect();
    fault.help.push(match solve.linear {
        true => "check the parameters that make it singular, or the mode of its switches".to_string(),
        false => format!("give better start values, for instance for `{}`", solve.names.join("`, `")),
    });
    fault
}

pub fn no_mode(texts: &[String], span: Span) -> Fault {
    let mut fault = fault(
        "mixed-no-solution",
        format!("no values of the relations are consistent with the equations: {}", quoted(texts)),
        Some(span),
    );
    fault
        .help
        .push("whatever they are assumed to be, the equations contradict it; check the conditions".into());
    fault
}

fn quoted(texts: &[String]) -> String {
    let mut list = texts.iter().take(8).map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", ");
    if texts.len() > 8 {
        list.push_str(&format!(" and {} more", texts.len() - 8));
    }
    list
}

pub fn assertion(message: &str, span: Span, values: Vec<(String, f64)>) -> Fault {
    let mut fault = fault("assertion-failed", message, Some(span));
    fault.values = values;
    fault
}

pub fn inconsistent_start(text: &str, left: f64, right: f64, span: Span) -> Fault {
    let mut fault = fault(
        "initial-inconsistent",
        format!("the initial condition `{text}` contradicts the others: {left} and {right}"),
        Some(span),
    );
    fault.help.push("remove it, or one of the conditions that determine the same variables".into());
    fault
}

/// A variable whose equation gave no number.
pub fn undefined(program: &Program, definition: &Definition, values: &[f64]) -> Fault {
    let names = |v: VarId| program.names[v.index()].clone();
    let name = names(definition.var);
    let text = kairos_expr::print(&program.store, definition.value, &names);
    let value = values[definition.slot as usize];
    let mut fault =
        fault("not-finite", format!("`{name}` is {value}: `{name} = {text}`"), Some(definition.span));
    fault.values = program
        .store
        .variables(&[definition.value])
        .into_iter()
        .take(10)
        .map(|v| (names(v), values[program.memory.slot_of[v.index()] as usize]))
        .collect();
    fault.help.push("look for a division by zero or a function outside its domain".into());
    fault
}

pub fn not_finite(name: &str, value: f64) -> Fault {
    let mut fault = fault("not-finite", format!("the derivative of `{name}` is {value}"), None);
    fault.values.push((format!("der({name})"), value));
    fault
}
