//! Conversion of models to another version of a library they use (MLS 18.8.2): rules in, minimal patches out.
//!
//! The rules (`rules`, read by `script`) name what was in the old version. `project` finds out what the names in the user's text
//! mean; `walk` visits every place that names something and patches it where a rule says so; `modify` replaces modifiers;
//! `links` are the `modelica://` names in texts. Nothing but the names and modifiers that a rule speaks of changes a byte.

mod links;
mod modify;
mod project;
mod rules;
mod script;
mod simplify;
mod walk;

pub use project::Source;
pub use rules::Rules;

use crate::patch::Patch;
use kairos_base::Diagnostic;
use kairos_syntax::ast::{Argument, ArgumentKind, ClassBody, ExprKind, ModValue};

/// What a conversion comes to.
pub struct Conversion {
    /// For every source its patches.
    pub patches: Vec<Vec<Patch>>,
    /// What could not be converted.
    pub messages: Vec<Diagnostic>,
}

/// Applies rules to texts that belong together.
pub fn convert(sources: &[Source], rules: &Rules) -> Conversion {
    let project = project::Project::new(sources, rules);
    let (mut patches, mut messages) = (Vec::new(), Vec::new());
    for source in sources {
        let mut walk = walk::Walk::new(&project, source);
        walk.source();
        let mut list = walk.patches;
        links::convert(source, rules, &mut list);
        list.sort_by_key(|patch| (patch.start, patch.end));
        list.dedup();
        patches.push(list);
        messages.append(&mut walk.messages);
    }
    Conversion { patches, messages }
}

/// The patches that make the `uses` annotations of a source ask for another version of a library.
pub fn use_version(source: &Source, library: &str, version: &str) -> Vec<Patch> {
    let mut patches = Vec::new();
    for class in &source.tree.classes {
        let annotation = match &class.body {
            ClassBody::Long(body) => body.annotation.as_ref(),
            ClassBody::Short(short) => short.comment.annotation.as_ref(),
            _ => None,
        };
        let asked = annotation
            .and_then(|a| nested(&a.args, "uses"))
            .and_then(|uses| nested(uses, library))
            .and_then(|args| value(args, "version"));
        if let Some(e) = asked
            && matches!(&e.kind, ExprKind::String(text) if **text != *version)
        {
            patches.push(Patch::replace(
                e.span.start as usize,
                e.span.end as usize,
                format!("\"{version}\""),
            ));
        }
    }
    patches
}

fn nested<'a>(args: &'a [Argument], name: &str) -> Option<&'a [Argument]> {
    args.iter().find_map(|arg| match &arg.kind {
        ArgumentKind::Modify { path, modification: Some(m), .. }
            if path.len() == 1 && path[0].name == *name =>
        {
            Some(m.args.as_slice())
        }
        _ => None,
    })
}

fn value<'a>(args: &'a [Argument], name: &str) -> Option<&'a kairos_syntax::ast::Expr> {
    args.iter().find_map(|arg| match &arg.kind {
        ArgumentKind::Modify { path, modification: Some(m), .. }
            if path.len() == 1 && path[0].name == *name =>
        {
            match &m.value {
                Some(ModValue::Expr(e)) => Some(&**e),
                _ => None,
            }
        }
        _ => None,
    })
}
