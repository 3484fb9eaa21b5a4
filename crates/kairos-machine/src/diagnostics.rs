//! The wording of numeric failures.

use crate::machine::Fault;
use kairos_base::Span;
use kairos_expr::VarId;
use kairos_numerics::linear::{Dense, RankRevealing};
use kairos_program::program::{Definition, Program, Solve};
use kairos_program::tape::Op;

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
        let Some((text, _)) = solve.equations.get(k) else { continue };
        message.push_str(&format!("; `{text}` is off by {:.3e}", residuals[k]));
    }
    let span = order.first().and_then(|&k| solve.equations.get(k)).map(|(_, span)| *span);
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
        false => better_starts(solve),
    });
    fault
}

/// A system whose equations depend on each other at this point, and contradict each other.
pub fn dependent(solve: &Solve, values: &[f64], matrix: &Dense, residuals: &[f64]) -> Fault {
    let n = residuals.len();
    let transposed = transpose(matrix);
    let worst = (0..n).max_by(|&a, &b| residuals[a].abs().total_cmp(&residuals[b].abs())).unwrap_or(0);
    let weights = combination(&transposed, worst);
    let mut rows: Vec<usize> = significant(&weights);
    rows.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    let off: f64 = weights.iter().zip(residuals).map(|(w, r)| w * r).sum();
    let equations = rows.iter().filter_map(|&k| solve.equations.get(k)).map(|(text, _)| text.clone());
    let equations: Vec<String> = equations.chain(solve.eliminated.iter().cloned()).collect();
    let open = open_unknowns(solve, matrix);
    let point = if solve.linear { "" } else { " where the search for its solution stands" };
    let message = format!(
        "the equations of a system of {n} unknown(s) are singular{point} and contradict each other by {:.3e}: {} leave {} \
         open",
        off.abs(),
        quoted(&equations),
        quoted(&open)
    );
    let span = rows.first().or(Some(&worst)).and_then(|&k| solve.equations.get(k)).map(|(_, span)| *span);
    let mut fault = fault("system-not-solved", message, span);
    let unknowns = solve.names.iter().cloned().zip(solve.unknowns.iter().copied()).take(10);
    let shown = unknowns.chain(solve.conditions.iter().cloned());
    fault.values = shown.map(|(name, slot)| (name, values[slot as usize])).collect();
    if !solve.linear {
        fault.help.push(better_starts(solve));
    }
    fault.help.push(match solve.conditions.is_empty() {
        true => "look for factors that vanish or become equal at this point, and for parameters that make them so".into(),
        false => {
            let list: Vec<String> = solve.conditions.iter().map(|(text, _)| text.clone()).collect();
            format!(
                "the branches that {} choose do not determine it: let another equation do so in this mode, or add what \
                 the ideal switch leaves out, such as a small resistance",
                quoted(&list)
            )
        }
    });
    fault
}

/// A system whose equations agree with each other and still do not determine all of its unknowns.
pub fn left_open(solve: &Solve, matrix: &Dense) -> Fault {
    let open = open_unknowns(solve, matrix);
    let (verb, them) = if open.len() == 1 { ("is", "it") } else { ("are", "them") };
    let equations = solve.equations.iter().map(|(text, _)| text.clone());
    let equations: Vec<String> = equations.chain(solve.eliminated.iter().cloned()).collect();
    let message = format!(
        "{} {verb} not determined: {} hold for more than one value of {them}; what is shown is one of many solutions",
        quoted(&open),
        quoted(&equations)
    );
    let mut fault = fault("undetermined-values", message, solve.equations.first().map(|(_, span)| *span));
    fault.help.push(
        "look for an equation that says what another one says already, and for factors that are zero; give what is open an \
         equation of its own"
            .into(),
    );
    fault
}

/// The unknowns that the others determine least.
fn open_unknowns(solve: &Solve, matrix: &Dense) -> Vec<String> {
    let weights = (0..solve.names.len()).map(|k| combination(matrix, k));
    let open = weights.max_by(|a, b| size(a).total_cmp(&size(b)));
    open.map_or(Vec::new(), |weights| significant(&weights).iter().map(|&k| solve.names[k].clone()).collect())
}

fn better_starts(solve: &Solve) -> String {
    format!("give better start values, for instance for {}", quoted(&solve.names))
}

/// Weights of rows, one of them given, of which the matrix makes nothing: `A y = 0`.
fn combination(matrix: &Dense, given: usize) -> Vec<f64> {
    let n = matrix.columns();
    let column: Vec<f64> = (0..matrix.rows()).map(|row| matrix[(row, given)]).collect();
    let found = RankRevealing::new(matrix, 1e-13).solve(matrix, &column, 1e-9);
    (0..n).map(|k| f64::from(u8::from(k == given)) - found.x[k]).collect()
}

fn size(weights: &[f64]) -> f64 {
    weights.iter().fold(0.0, |m: f64, w| m.max(w.abs()))
}

fn significant(weights: &[f64]) -> Vec<usize> {
    let largest = size(weights);
    (0..weights.len()).filter(|&k| weights[k].abs() > 1e-6 * largest).collect()
}

fn transpose(matrix: &Dense) -> Dense {
    let mut result = Dense::new(matrix.columns(), matrix.rows());
    for row in 0..matrix.rows() {
        for column in 0..matrix.columns() {
            result[(column, row)] = matrix[(row, column)];
        }
    }
    result
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

/// A variable or parameter without a value.
#[cold]
pub fn not_a_number(name: &str, value: f64) -> Fault {
    let mut fault = fault("not-a-number", format!("`{name}` is not a finite number"), None);
    fault.values.push((name.to_string(), value));
    fault.help.push("look for a division by zero or a singular system of equations at this time".into());
    fault
}

/// An Integer that 32 bits cannot hold.
#[cold]
pub fn integer_overflow(name: &str, value: f64) -> Fault {
    let text = format!("the Integer `{name}` is outside -2147483648 to 2147483647");
    let mut fault = fault("integer-overflow", text, None);
    fault.values.push((name.to_string(), value));
    fault.help.push("look for a division by zero or a count without end; a Real can be larger".into());
    fault
}
