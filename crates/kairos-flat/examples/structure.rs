//! Prints clocks, undetermined variables and, with `--all`, equations: `structure [--lib DIR]… [--file F.mo]… MODEL`.

use kairos_base::Disk;
use kairos_expr::{ExprId, Node, Store};
use kairos_model::{Causality, ClockKind, Equation, EquationKind, ScalarModel, Variability};
use kairos_sema::{Library, MadeRefs, Trees, instantiate};

fn main() {
    let (mut libs, mut files, mut models, mut all) = (Vec::new(), Vec::new(), Vec::new(), false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--lib" => libs.extend(args.next()),
            "--file" => files.extend(args.next()),
            "--all" => all = true,
            _ => models.push(arg),
        }
    }
    for model in &models {
        let (trees, made) = (Trees::default(), MadeRefs::default());
        let lib = Library::new(&trees, &Disk, libs.clone());
        for file in &files {
            if let Err(e) = lib.add_file(file) {
                eprintln!("{file}: {e}");
            }
        }
        let (sema, root, _) = instantiate(&lib, &made, model);
        let Some(root) = root else { continue };
        let Some(flat) = kairos_flat::flatten(sema, root).value else { continue };
        report(&flat, all);
    }
}

fn report(flat: &ScalarModel, all: bool) {
    let unknown = |v: usize| {
        flat.vars[v].variability > Variability::Parameter && flat.vars[v].causality != Causality::Input
    };
    let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
    for (k, eq) in flat.equations.iter().enumerate() {
        let mut vars = Vec::new();
        let count = match &eq.kind {
            EquationKind::Equal(a, b) => {
                collect(&flat.store, *a, &mut vars);
                collect(&flat.store, *b, &mut vars);
                1
            }
            EquationKind::WhenAssign { var, .. } => {
                vars.push(var.index());
                1
            }
            EquationKind::Algorithm { outputs, .. } => {
                vars.extend(outputs.iter().map(|v| v.index()));
                outputs.len()
            }
            _ => 0,
        };
        vars.retain(|v| unknown(*v));
        vars.sort();
        vars.dedup();
        rows.extend((0..count).map(|_| (k, vars.clone())));
    }
    let mut owner: Vec<Option<usize>> = vec![None; flat.vars.len()];
    let mut free = Vec::new();
    for r in 0..rows.len() {
        let mut seen = vec![false; flat.vars.len()];
        if !augment(r, &rows, &mut owner, &mut seen) {
            free.push(rows[r].0);
        }
    }
    for (v, o) in owner.iter().enumerate() {
        if o.is_none() && unknown(v) {
            println!("undetermined {}", flat.vars[v].name);
        }
    }
    for k in free {
        println!("superfluous {}", text(flat, &flat.equations[k]));
    }
    for (k, c) in flat.clocks.iter().enumerate() {
        let kind = match &c.kind {
            ClockKind::Periodic { interval } => format!("every {} s", show(flat, *interval)),
            ClockKind::Rational { counter, resolution } => {
                format!("every {}/{} s", show(flat, *counter), show(flat, *resolution))
            }
            ClockKind::Event { condition, .. } => format!("at events of {}", show(flat, *condition)),
        };
        let size = flat.equations.iter().filter(|e| e.clock == Some(k as u32)).count();
        let vars = flat.vars.iter().filter(|v| v.clock == Some(k as u32)).count();
        println!(
            "clock {k}: base {} {kind}, factor {:?}, shift {:?}, solver {:?}, {size} equations, {vars} variables",
            c.base, c.factor, c.shift, c.solver
        );
    }
    if all {
        for eq in &flat.equations {
            println!("  {}", text(flat, eq));
        }
    }
}

fn text(flat: &ScalarModel, eq: &Equation) -> String {
    let body = match &eq.kind {
        EquationKind::Equal(a, b) => format!("{} = {}", show(flat, *a), show(flat, *b)),
        EquationKind::WhenAssign { var, branches } => {
            format!("when … {} = {}", flat.vars[var.index()].name, show(flat, branches[0].1))
        }
        EquationKind::Algorithm { outputs, .. } => {
            format!(
                "algorithm of {:?}",
                outputs.iter().map(|o| &flat.vars[o.index()].name).collect::<Vec<_>>()
            )
        }
        EquationKind::Call(e) => show(flat, *e),
        other => format!("{other:?}").chars().take(60).collect(),
    };
    format!("{body}   [{}]{}", eq.origin.path, eq.clock.map_or(String::new(), |c| format!(" clock {c}")))
}

fn show(flat: &ScalarModel, e: ExprId) -> String {
    let name = |v: kairos_expr::VarId| flat.vars.get(v.index()).map_or("?".to_string(), |v| v.name.clone());
    kairos_expr::print(&flat.store, e, &name)
}

fn collect(store: &Store, e: ExprId, out: &mut Vec<usize>) {
    if let Node::Var(v) = store.node(e) {
        out.push(v.index());
    }
    if let Node::Builtin(kairos_expr::Builtin::Pre | kairos_expr::Builtin::Previous, _) = store.node(e) {
        return;
    }
    store.children(e, |c| collect(store, c, out));
}

fn augment(r: usize, rows: &[(usize, Vec<usize>)], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &v in &rows[r].1 {
        if seen[v] {
            continue;
        }
        seen[v] = true;
        if owner[v].is_none_or(|o| augment(o, rows, owner, seen)) {
            owner[v] = Some(r);
            return true;
        }
    }
    false
}
