//! What a dialog shows of a part: its parameters with values, units, choices and groups.

use kairos_base::Name;
use kairos_expr::Value as Constant;
use kairos_sema::{CompId, Sema, Variability, annotations, class_annotation};
use kairos_syntax::ast::{ClassBody, Component, ExprKind, ModValue};
use kairos_syntax::expr_to_string;
use serde_json::{Value, json};

/// The parameters of a component, in order of declaration.
pub fn parameters(sema: &mut Sema<'_>, comp: CompId) -> Vec<Value> {
    let parts = sema.declared_parts(comp);
    parts.into_iter().filter_map(|part| parameter(sema, part)).collect()
}

fn parameter(sema: &mut Sema<'_>, part: CompId) -> Option<Value> {
    let found = sema.comp(part);
    if found.protected || found.is_final || found.variability != Variability::Parameter {
        return None;
    }
    let name = found.name.to_string();
    let (clause, component, scope) = sema.declaration(part)?;
    let type_name = kairos_syntax::path_to_string(&clause.type_name);
    let annotation = component.comment.annotation.as_ref();
    let dialog =
        annotation.and_then(|a| annotations::find(&a.args, "Dialog")).map_or(&[][..], |(args, _)| args);
    let word = |name: &str| {
        annotations::find(dialog, name).and_then(|(_, e)| annotations::text(e?)).map(str::to_string)
    };
    let (tab, group) = (word("tab"), word("group"));
    let enabled = match annotations::find(dialog, "enable").and_then(|(_, e)| e) {
        Some(e) => !matches!(sema.value_in(scope, e), Some(Constant::Bool(false))),
        None => true,
    };
    let given = sema.given_value(part).map(expr_to_string);
    let value = known_value(sema, part);
    Some(json!({
        "name": name,
        "type": type_name,
        "description": component.comment.description.text.as_deref().unwrap_or(""),
        "value": given,
        "known": value,
        "default": declared_value(component),
        "unit": attribute(sema, part, "unit"),
        "displayUnit": attribute(sema, part, "displayUnit"),
        "tab": tab.unwrap_or_else(|| "General".into()),
        "group": group.unwrap_or_else(|| "Parameters".into()),
        "enabled": enabled,
        "choices": choices(sema, part, component),
    }))
}

/// The value of a parameter, if it follows from others without a run.
fn known_value(sema: &mut Sema<'_>, part: CompId) -> Value {
    let binding = sema.binding(part);
    match binding.and_then(|e| sema.try_constant(e)) {
        Some(Constant::Real(x)) => json!(x),
        Some(Constant::Int(i)) => json!(i),
        Some(Constant::Bool(b)) => json!(b),
        Some(Constant::Str(text)) => json!(&*text),
        _ => Value::Null,
    }
}

fn declared_value(component: &Component) -> Option<String> {
    match component.modification.as_ref()?.value.as_ref()? {
        ModValue::Expr(e) => Some(expr_to_string(e)),
        ModValue::Break(_) => None,
    }
}

fn attribute(sema: &mut Sema<'_>, part: CompId, name: &str) -> String {
    let e = sema.attribute(part, Name::new(name));
    match e.and_then(|e| sema.try_constant(e)) {
        Some(Constant::Str(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// The values to choose from: the literals of an enumeration, both Booleans, or what the declaration offers.
fn choices(sema: &Sema<'_>, part: CompId, component: &Component) -> Vec<String> {
    let class = sema.class_of(part);
    let type_name = class.map(|class| sema.class_name(class)).unwrap_or_default();
    if type_name == "Boolean" {
        return vec!["false".into(), "true".into()];
    }
    let offered = component.comment.annotation.as_ref().and_then(|a| annotations::find(&a.args, "choices"));
    if let Some((args, _)) = offered {
        let choice = |argument: &kairos_syntax::ast::Argument| match &argument.kind {
            kairos_syntax::ast::ArgumentKind::Modify { path, modification: Some(m), .. }
                if path.first().is_some_and(|p| p.name.as_str() == "choice") =>
            {
                match &m.value {
                    Some(ModValue::Expr(e)) => Some(expr_to_string(e)),
                    _ => None,
                }
            }
            _ => None,
        };
        let list: Vec<String> = args.iter().filter_map(choice).collect();
        if !list.is_empty() {
            return list;
        }
    }
    let Some(class) = class else { return Vec::new() };
    for layer in sema.layers(class) {
        if let ClassBody::Enumeration(Some(literals), _) = &layer.class.body {
            let name = sema.class_name(layer.scope);
            return literals.iter().map(|literal| format!("{name}.{}", literal.name.name)).collect();
        }
    }
    Vec::new()
}

/// The experiment that a class gives.
pub fn experiment(class: &kairos_syntax::ast::Class) -> Value {
    let args = class_annotation(class)
        .and_then(|a| annotations::find(&a.args, "experiment"))
        .map_or(&[][..], |(args, _)| args);
    let number = |name: &str| {
        let e = annotations::find(args, name)?.1?;
        match &e.kind {
            ExprKind::Real(_) | ExprKind::Integer(_) | ExprKind::Unary(..) => annotations::number(e),
            _ => None,
        }
    };
    json!({
        "start": number("StartTime"),
        "stop": number("StopTime"),
        "interval": number("Interval"),
        "tolerance": number("Tolerance"),
    })
}
