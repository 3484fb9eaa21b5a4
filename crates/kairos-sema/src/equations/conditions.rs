//! If-equations: decided at translation, kept with their branches, or waiting for the connection graph.

use super::{Deferred, Eq, EqKind};
use crate::resolve::Scope;
use crate::{CompId, Sema, diagnostics};
use kairos_base::Span;
use kairos_expr::{Builtin, ExprId, Node, Value};
use kairos_syntax::ast::{self, EquationKind, ExprKind};

impl<'a> Sema<'a> {
    pub(super) fn if_equation(
        &mut self,
        scope: &Scope,
        e: &'a ast::Equation,
        branches: &'a [(ast::Expr, Vec<ast::Equation>)],
        otherwise: &'a [ast::Equation],
        owner: CompId,
        initial: bool,
    ) -> Vec<Eq> {
        let alike = self.same_targets(branches, otherwise);
        let mut kept = Vec::new();
        let waiting = self.deferred.len();
        let mut chosen = otherwise;
        for (condition, body) in branches {
            let c = self.expr(&mut scope.clone(), condition);
            self.want_boolean(c, condition.span);
            if self.is_error(c) {
                self.unresolved::<()>(condition.span);
                continue;
            }
            if self.reads_graph(c) && !self.final_conditions {
                self.deferred.push(Deferred { equation: e, scope: scope.clone(), owner, initial });
                return Vec::new();
            }
            let fixed = match self.settled_condition(c) {
                Some(value) => Some(value),
                None if !alike && !self.depends_on_simulation(c) => match self.constant(c) {
                    Ok(value) => Some(value),
                    Err(kairos_expr::Stop::NotConstant) => None,
                    Err(stop) => {
                        self.report_stop(stop, condition.span, "the condition of an if-equation");
                        return Vec::new();
                    }
                },
                None => None,
            };
            match fixed {
                Some(Value::Bool(true)) => {
                    chosen = body;
                    break;
                }
                Some(_) => {}
                None => {
                    self.forbid_connections(body, "an if-equation whose condition changes");
                    let body = self.equations(scope, body, owner, initial);
                    kept.push((c, body));
                }
            }
        }
        if !kept.is_empty() {
            self.forbid_connections(chosen, "an if-equation whose condition changes");
        }
        let last = self.equations(scope, chosen, owner, initial);
        if !kept.is_empty() && self.deferred.len() > waiting {
            // What waits inside stays under this condition, so the whole equation waits.
            self.deferred.truncate(waiting);
            self.deferred.push(Deferred { equation: e, scope: scope.clone(), owner, initial });
            return Vec::new();
        }
        joined(kept, last, e.span, owner)
    }

    /// Do all branches define the same variables? Then a parameter in the condition can stay one.
    fn same_targets(
        &self,
        branches: &[(ast::Expr, Vec<ast::Equation>)],
        otherwise: &[ast::Equation],
    ) -> bool {
        let sources = self.lib.sources();
        let targets = |list: &[ast::Equation]| {
            let lhs = |e: &ast::Equation| match &e.kind {
                EquationKind::Equal(lhs, _) if matches!(lhs.kind, ExprKind::Ref(_)) => {
                    Some(sources.slice(lhs.span).to_string())
                }
                _ => None,
            };
            let mut names = list.iter().map(lhs).collect::<Option<Vec<String>>>()?;
            names.sort();
            Some(names)
        };
        let Some(first) = targets(otherwise) else { return false };
        branches.iter().all(|(_, b)| targets(b).as_ref() == Some(&first))
    }

    /// Connections and graph operators stand only where their number is fixed (MLS 9.3).
    pub(super) fn forbid_connections(&mut self, body: &'a [ast::Equation], place: &str) {
        for e in body {
            let structural = match &e.kind {
                EquationKind::Connect(..) => true,
                EquationKind::Call(call) => match &call.kind {
                    ExprKind::Call { function, .. } => {
                        function.parts.len() == 2 && function.parts[0].name.name == *"Connections"
                    }
                    _ => false,
                },
                _ => false,
            };
            if structural {
                self.report(diagnostics::misplaced_connection(place, e.span));
            }
        }
    }

    fn reads_graph(&self, e: ExprId) -> bool {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if let Node::Builtin(Builtin::Cardinality | Builtin::IsRoot | Builtin::Rooted, _) =
                self.store.node(e)
            {
                return true;
            }
            self.store.children(e, |c| todo.push(c));
        }
        false
    }
}

fn joined(kept: Vec<(ExprId, Vec<Eq>)>, last: Vec<Eq>, span: Span, owner: CompId) -> Vec<Eq> {
    match kept.is_empty() {
        true => last,
        false => vec![Eq { kind: EqKind::If(kept, last), span, owner }],
    }
}
