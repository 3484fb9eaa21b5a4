//! Warnings about what is allowed but seldom meant: outputs of functions without a value, settings nobody reads.

use crate::{CompId, Sema, diagnostics};
use kairos_base::Name;
use kairos_expr::{Body, FunctionId, LocalId, Stmt, Target};
use kairos_syntax::ast::{ArgumentKind, ClassBody};
use std::collections::BTreeSet;

/// What an `experiment` annotation says (MLS 18.4).
const SETTINGS: [&str; 4] = ["StartTime", "StopTime", "Interval", "Tolerance"];

impl Sema<'_> {
    /// An output that no statement assigns keeps the default value of its type (MLS 12.4.4 leaves it undefined).
    pub(crate) fn check_outputs_assigned(&mut self, id: FunctionId) {
        // What could not be understood may have been the assignment.
        if self.diagnostics.iter().any(|d| d.is_error()) {
            return;
        }
        let function = self.store.function(id);
        let Body::Statements(statements) = &function.body else { return };
        let mut assigned = BTreeSet::new();
        collect_assigned(statements, &mut assigned);
        let left: Vec<Name> = function
            .outputs
            .iter()
            .filter(|output| function.locals[output.index()].value.is_none() && !assigned.contains(output))
            .map(|output| function.locals[output.index()].name)
            .collect();
        let (function, span) = (function.name, function.span);
        for output in left {
            self.report(diagnostics::output_without_value(output, function, span));
        }
    }

    /// A misspelt setting has no effect, and its default is used in silence.
    pub fn check_settings(&mut self, root: CompId) {
        let Some(class) = self.comp(root).class.and_then(|class| self.inst(class).class) else { return };
        let ClassBody::Long(body) = &class.body else { return };
        let Some(annotation) = &body.annotation else { return };
        let Some((settings, _)) = crate::annotations::find(&annotation.args, "experiment") else { return };
        for setting in settings {
            let ArgumentKind::Modify { path, .. } = &setting.kind else { continue };
            let Some(first) = path.first() else { continue };
            if !SETTINGS.iter().any(|known| first.name == **known) && !first.name.as_str().starts_with("__") {
                self.report(diagnostics::unknown_setting(first.name, first.span, &SETTINGS.map(Name::new)));
            }
        }
    }
}

fn collect_assigned(statements: &[Stmt], out: &mut BTreeSet<LocalId>) {
    let mut note = |target: &Target| {
        if let Target::Local(local) = *target {
            out.insert(local);
        }
    };
    for statement in statements {
        match statement {
            Stmt::Assign(target, ..) => note(&target.target),
            Stmt::AssignTuple(targets, ..) => {
                targets.iter().flatten().for_each(|target| note(&target.target))
            }
            _ => {}
        }
    }
    for statement in statements {
        statement.bodies().into_iter().for_each(|body| collect_assigned(body, out));
    }
}
