//! The enumerations, records, external objects and functions that a flat model needs, as Modelica text.

use super::names::{Flat, item_name, object, object_of};
use super::{statements, text};
use kairos_base::string_literal;
use kairos_expr::{
    Body, Dim, ExprId, ExternalCall, Function, FunctionId, Inline, LocalId, LocalKind, Names, Node, Scalar,
    Type,
};
use std::fmt::Write;

pub(super) fn print(flat: &Flat, out: &mut String) {
    let store = &flat.model.store;
    for (e, name) in &flat.used.enums {
        let ty = store.enumeration(*e);
        if !matches!(ty.name.as_str(), "StateSelect" | "AssertionLevel") {
            let literals: Vec<&str> = ty.literals.iter().map(|l| l.as_str()).collect();
            let _ = writeln!(out, "  type {name} = enumeration({});", literals.join(", "));
        }
    }
    for (r, name) in &flat.used.records {
        let _ = writeln!(out, "  record {name}");
        for (field, ty) in &store.record(*r).fields {
            let _ = writeln!(out, "    {} {field}{};", flat.scalar(ty.scalar), dims(ty));
        }
        let _ = writeln!(out, "  end {name};");
    }
    for (f, name) in &flat.used.functions {
        let function = store.function(*f);
        match (&function.body, object_of(function)) {
            (Body::RecordConstructor, _) => {}
            (_, Some(name)) => {
                let class = object(name);
                let _ = writeln!(out, "  class {class}\n    extends ExternalObject;");
                print_function(flat, *f, "constructor", "    ", out);
                let _ = writeln!(out, "    function destructor\n      input {class} object;");
                let _ = writeln!(out, "    algorithm\n    end destructor;\n  end {class};");
            }
            _ => print_function(flat, *f, name, "  ", out),
        }
    }
    for (f, k) in &flat.used.items {
        print_item(flat, *f, *k, out);
    }
}

fn dims(ty: &Type) -> String {
    let one = |d: &Dim| d.known().map_or(":".to_string(), |n| n.to_string());
    match ty.dims.is_empty() {
        true => String::new(),
        false => format!("[{}]", ty.dims.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

fn print_function(flat: &Flat, f: FunctionId, name: &str, pad: &str, out: &mut String) {
    let flat = &flat.inside(f);
    let function = flat.model.store.function(f);
    let impure = if function.pure { "" } else { "impure " };
    let _ = writeln!(out, "{pad}{impure}function {name}");
    for k in 0..function.locals.len() {
        declare(flat, function, LocalId::new(k), pad, out);
    }
    match &function.body {
        Body::Statements(list) => {
            let _ = writeln!(out, "{pad}algorithm");
            statements::print(flat, list, pad.len() / 2 + 1, out);
        }
        Body::External(call) => external(flat, function, call, pad, out),
        Body::RecordConstructor | Body::Pending => {}
    }
    annotate(flat, function, pad, out);
    let _ = writeln!(out, "{pad}end {name};");
}

fn declare(flat: &Flat, function: &Function, l: LocalId, pad: &str, out: &mut String) {
    let local = &function.locals[l.index()];
    let ty = flat.model.store.get_type(local.ty);
    let sizes: Vec<String> = ty
        .dims
        .iter()
        .enumerate()
        .map(|(k, d)| match (d, local.dims.get(k).copied().flatten()) {
            (Dim::Known(n), _) => n.to_string(),
            (Dim::Unknown, Some(e)) => text(flat, e),
            (Dim::Unknown, None) => ":".into(),
        })
        .collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
    let prefix = match local.kind {
        LocalKind::Input => "input ",
        LocalKind::Output => "output ",
        LocalKind::Protected => "protected ",
    };
    let class = match ty.scalar {
        Scalar::Function => {
            let name = format!("'type of {}'", local.name);
            function_type(flat, function, l, &name, pad, out);
            name
        }
        other => flat.scalar(other),
    };
    // Calls give all inputs, so their defaults have done their work.
    let value = local.value.filter(|_| local.kind != LocalKind::Input);
    let value = value.map_or(String::new(), |e| format!(" = {}", text(flat, e)));
    // Each protected declaration opens a section; what follows says what it is itself.
    let section = if local.kind == LocalKind::Protected { "" } else { "public " };
    let _ = writeln!(out, "{pad}  {section}{prefix}{class} {}{sizes}{value};", local.name);
}

/// A partial function with the inputs that the body gives to a functional argument.
fn function_type(flat: &Flat, function: &Function, l: LocalId, name: &str, pad: &str, out: &mut String) {
    let (inputs, output) = signature(flat, function, l, 0)
        .unwrap_or_else(|| (vec![Type::scalar(Scalar::Real)], Type::scalar(Scalar::Real)));
    let open = |ty: &Type| match ty.dims.len() {
        0 => String::new(),
        n => format!("[{}]", vec![":"; n].join(", ")),
    };
    let _ = writeln!(out, "{pad}  public partial function {name}");
    for (k, ty) in inputs.iter().enumerate() {
        let _ = writeln!(out, "{pad}    input {} u{}{};", flat.scalar(ty.scalar), k + 1, open(ty));
    }
    let _ = writeln!(out, "{pad}    output {} y{};", flat.scalar(output.scalar), dims(&output));
    let _ = writeln!(out, "{pad}  end {name};");
}

/// How a functional argument is called, here or where it is passed on to.
fn signature(flat: &Flat, function: &Function, l: LocalId, depth: usize) -> Option<(Vec<Type>, Type)> {
    // A function that only hands the argument to itself never calls it.
    if depth > 10 {
        return None;
    }
    let store = &flat.model.store;
    let mut todo: Vec<ExprId> = Vec::new();
    function.clone().visit_exprs_mut(&mut |e| todo.push(*e));
    let is_it = |e: ExprId| matches!(store.node(e), Node::Local(k) if *k == l);
    let mut seen = std::collections::HashSet::new();
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match store.node(e) {
            Node::CallValue(f, args) if is_it(*f) => {
                return Some((args.iter().map(|a| store.ty(*a).clone()).collect(), store.ty(e).clone()));
            }
            Node::Call(g, args) => {
                let g = store.function(*g);
                if let Some(k) = args.iter().position(|a| is_it(*a))
                    && let Some(found) = signature(flat, g, *g.inputs.get(k)?, depth + 1)
                {
                    return Some(found);
                }
            }
            _ => {}
        }
        store.children(e, |c| todo.push(c));
    }
    None
}

fn external(flat: &Flat, function: &Function, call: &ExternalCall, pad: &str, out: &mut String) {
    let args: Vec<String> = call.args.iter().map(|a| text(flat, *a)).collect();
    let output = call.output.map_or(String::new(), |l| format!("{} = ", function.locals[l.index()].name));
    let _ = write!(
        out,
        "{pad}external {} {output}{}({})",
        string_literal(&call.language),
        call.symbol,
        args.join(", ")
    );
    let code = &call.code;
    let folders = if code.includes.is_empty() { Vec::new() } else { code.include_folders.clone() };
    let annotations = [
        ("Library", code.libraries.clone()),
        ("Include", code.includes.clone()),
        ("IncludeDirectory", folders),
    ];
    let said = annotations.iter().filter(|(_, list)| !list.is_empty());
    let said: Vec<String> = said
        .map(|(name, list)| {
            let list: Vec<String> = list.iter().map(|l| string_literal(l)).collect();
            format!("{name} = {{{}}}", list.join(", "))
        })
        .collect();
    if !said.is_empty() {
        let _ = write!(out, " annotation({})", said.join(", "));
    }
    let _ = writeln!(out, ";");
}

fn annotate(flat: &Flat, function: &Function, pad: &str, out: &mut String) {
    let mut list = Vec::new();
    match function.inline {
        Inline::Unspecified => {}
        Inline::Never => list.push("Inline = false".to_string()),
        Inline::Always => list.push("Inline = true".to_string()),
        Inline::Late => list.push("LateInline = true".to_string()),
        Inline::AfterIndexReduction => list.push("InlineAfterIndexReduction = true".to_string()),
    }
    if let Some(order) = function.smooth_order {
        list.push(format!("smoothOrder = {order}"));
    }
    if function.generate_events {
        list.push("GenerateEvents = true".to_string());
    }
    for d in &function.derivatives {
        let name = |l: &LocalId| function.locals[l.index()].name;
        let mut mods = vec![format!("order = {}", d.order)];
        mods.extend(d.no_derivative.iter().map(|l| format!("noDerivative = {}", name(l))));
        mods.extend(d.zero_derivative.iter().map(|l| format!("zeroDerivative = {}", name(l))));
        let function = flat.function(&flat.model.store, d.function);
        list.push(format!("derivative({}) = {function}", mods.join(", ")));
    }
    let inverses: Vec<String> = function
        .inverses
        .iter()
        .map(|i| format!("{} = {}", function.locals[i.input.index()].name, text(flat, i.call)))
        .collect();
    if !inverses.is_empty() {
        list.push(format!("inverse({})", inverses.join(", ")));
    }
    if !list.is_empty() {
        let _ = writeln!(out, "{pad}  annotation({});", list.join(", "));
    }
}

/// A function that gives one output of another: expressions can take only the first.
fn print_item(flat: &Flat, f: FunctionId, k: u32, out: &mut String) {
    let whole = flat.function(&flat.model.store, f);
    let function = flat.model.store.function(f);
    let Some(&output) = function.outputs.get(k as usize) else { return };
    let name = item_name(&whole, k);
    let inside = &flat.inside(f);
    let impure = if function.pure { "" } else { "impure " };
    let _ = writeln!(out, "  {impure}function {name}");
    let shown = |l: &LocalId| function.locals[l.index()].name.to_string();
    for &l in function.inputs.iter().chain([&output]) {
        declare(inside, function, l, "  ", out);
    }
    let args: Vec<String> = function.inputs.iter().map(shown).collect();
    let gaps = ", ".repeat(k as usize);
    let _ = writeln!(out, "  algorithm\n    ({gaps}{}) := {whole}({});", shown(&output), args.join(", "));
    let _ = writeln!(out, "  end {name};");
}
