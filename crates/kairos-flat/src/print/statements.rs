//! Statements as Modelica text.

use super::names::Flat;
use super::text;
use kairos_expr::{LValue, Names, Node, Step, Stmt, Sub, Target};
use std::fmt::Write;

fn target(flat: &Flat, t: &LValue) -> String {
    let mut out = match t.target {
        Target::Var(v) => flat.name(v),
        Target::Local(l) => flat.local_name(l),
    };
    let mut ty = flat.target_type(t.target);
    for step in &t.path {
        match step {
            Step::Field(k) => {
                let field = flat.field(&mut ty, *k as usize);
                let _ = write!(out, ".{field}");
            }
            Step::Index(subs) => {
                let subs: Vec<String> = subs
                    .iter()
                    .map(|sub| match sub {
                        Sub::At(e) => text(flat, *e),
                        Sub::All => ":".into(),
                    })
                    .collect();
                let _ = write!(out, "[{}]", subs.join(","));
            }
        }
    }
    out
}

pub(super) fn print(flat: &Flat, list: &[Stmt], depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for s in list {
        match s {
            Stmt::Assign(t, e, _) => {
                let _ = writeln!(out, "{pad}{} := {};", target(flat, t), text(flat, *e));
            }
            Stmt::AssignTuple(ts, e, _) => {
                let ts: Vec<String> =
                    ts.iter().map(|t| t.as_ref().map_or(String::new(), |t| target(flat, t))).collect();
                let _ = writeln!(out, "{pad}({}) := {};", ts.join(", "), text(flat, *e));
            }
            Stmt::Call(e, _) => {
                let _ = writeln!(out, "{pad}{};", text(flat, *e));
            }
            Stmt::If(branches, otherwise) => {
                for (k, (c, body)) in branches.iter().enumerate() {
                    let word = if k == 0 { "if" } else { "elseif" };
                    let _ = writeln!(out, "{pad}{word} {} then", text(flat, *c));
                    print(flat, body, depth + 1, out);
                }
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{pad}else");
                    print(flat, otherwise, depth + 1, out);
                }
                let _ = writeln!(out, "{pad}end if;");
            }
            Stmt::For(iter, range, body, _) => {
                let name = flat.iterator(&flat.model.store, *iter);
                let _ = writeln!(out, "{pad}for {name} in {} loop", text(flat, *range));
                print(flat, body, depth + 1, out);
                let _ = writeln!(out, "{pad}end for;");
            }
            Stmt::While(c, body, _) => {
                let _ = writeln!(out, "{pad}while {} loop", text(flat, *c));
                print(flat, body, depth + 1, out);
                let _ = writeln!(out, "{pad}end while;");
            }
            Stmt::When(branches, _) => {
                for (k, (c, body)) in branches.iter().enumerate() {
                    let word = if k == 0 { "when" } else { "elsewhen" };
                    let _ = writeln!(out, "{pad}{word} {} then", text(flat, *c));
                    print(flat, body, depth + 1, out);
                }
                let _ = writeln!(out, "{pad}end when;");
            }
            Stmt::Assert { condition, message, warning, .. } => {
                let warning = matches!(flat.model.store.node(*warning), Node::Bool(true));
                let _ = writeln!(out, "{pad}{};", super::assert_text(flat, *condition, *message, warning));
            }
            Stmt::Terminate(e, _) => {
                let _ = writeln!(out, "{pad}terminate({});", text(flat, *e));
            }
            Stmt::Reinit(v, e, _) => {
                let _ = writeln!(out, "{pad}reinit({}, {});", flat.name(*v), text(flat, *e));
            }
            Stmt::Break => {
                let _ = writeln!(out, "{pad}break;");
            }
            Stmt::Return => {
                let _ = writeln!(out, "{pad}return;");
            }
        }
    }
}
