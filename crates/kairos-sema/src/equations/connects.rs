//! Connect-equations and the operators of the connection graph.

use super::{Connect, Endpoint, GraphFact};
use crate::comps::What;
use crate::resolve::Scope;
use crate::selection::Selection;
use crate::{CompId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::Value;
use kairos_syntax::ast::{self, ExprKind};

impl<'a> Sema<'a> {
    pub(super) fn graph_call(&mut self, scope: &mut Scope, what: &str, args: &'a ast::Args, span: Span) {
        if let ("uniqueRoot", [ast::Expr { kind: ExprKind::Ref(r), .. }, ..]) =
            (what, args.positional.as_slice())
        {
            // Its nodes may be an array of parts, each of which is a root.
            let found = self.select(scope, r).map_or_else(Vec::new, |selection| selection.comps.to_vec());
            self.graph.extend(found.into_iter().map(|a| (GraphFact::UniqueRoot(a), span)));
            return;
        }
        let mut nodes = Vec::new();
        for arg in &args.positional {
            if let ExprKind::Ref(r) = &arg.kind
                && nodes.len() < if what == "branch" { 2 } else { 1 }
            {
                match self.select(scope, r).and_then(|s| s.single()) {
                    Some(comp) => nodes.push(comp),
                    None => return,
                }
            }
        }
        let priority = args.positional.get(1).or_else(|| args.named.first().map(|a| &a.value));
        match (what, nodes.as_slice()) {
            ("branch", &[a, b]) => self.graph.push((GraphFact::Branch(a, b), span)),
            ("root", &[a]) => self.graph.push((GraphFact::Root(a), span)),
            ("potentialRoot", &[a]) => {
                let priority = match priority {
                    Some(e) => {
                        let e = self.expr(scope, e);
                        self.constant(e).ok().and_then(|v| v.as_index()).unwrap_or(0)
                    }
                    None => 0,
                };
                self.graph.push((GraphFact::PotentialRoot(a, priority), span));
            }
            _ => self.report(diagnostics::argument_count(what, nodes.len(), 1, 2, span)),
        }
    }

    pub(super) fn connect(
        &mut self,
        scope: &mut Scope,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
        owner: CompId,
    ) {
        let (ExprKind::Ref(r), ExprKind::Ref(s)) = (&a.kind, &b.kind) else {
            self.report(diagnostics::connect_arguments(span));
            return;
        };
        if self.is_broken_connect(r, s) {
            return;
        }
        let mark = self.diagnostics.len();
        let (x, y) = (self.connector(scope, r), self.connector(scope, s));
        let disabled = |s: &Option<Selection>| s.iter().flat_map(|s| &s.comps).any(|c| self.is_disabled(*c));
        if disabled(&x) || disabled(&y) {
            // MLS 4.4.5: the connection is removed, and with it the element that only it would need.
            self.forget_subscripts(mark);
            return;
        }
        let (Some(x), Some(y)) = (x, y) else {
            self.connect_bus(scope, r, s, span, owner);
            return;
        };
        if self.check_connector_reference(&x, r) && self.check_connector_reference(&y, s) {
            self.connect_selected(x, y, (r, s), span, owner, scope.inst);
        }
    }

    pub(crate) fn connect_selected(
        &mut self,
        x: Selection,
        y: Selection,
        refs: (&'a ast::ComponentRef, &'a ast::ComponentRef),
        span: Span,
        owner: CompId,
        scope: InstId,
    ) {
        let disabled = |me: &Self, s: &Selection| s.comps.iter().any(|c| me.is_disabled(*c));
        if disabled(self, &x) || disabled(self, &y) {
            return;
        }
        let (Some((x, s)), Some((y, t))) = (self.endpoints(&x, span), self.endpoints(&y, span)) else {
            return;
        };
        if s != t || x.len() != y.len() {
            self.report(diagnostics::connect_sizes(&format!("{s:?}"), &format!("{t:?}"), span));
            return;
        }
        let a_outside = self.is_outside(scope, refs.0);
        let b_outside = self.is_outside(scope, refs.1);
        for (a, b) in x.into_iter().zip(y) {
            self.connects.push(Connect { a, b, a_outside, b_outside, owner, span });
        }
    }

    /// The single connectors of a selection in row-major order, and their dimensions.
    pub(crate) fn endpoints(&mut self, s: &Selection, span: Span) -> Option<(Vec<Endpoint>, Vec<usize>)> {
        let Some(&first) = s.comps.first() else { return Some((Vec::new(), s.dims.clone())) };
        if !matches!(self.comp(first).what, What::Variable(_)) || self.comp(first).dims.is_empty() {
            let list = s.comps.iter().map(|c| Endpoint { comp: *c, element: None }).collect();
            return Some((list, s.dims.clone()));
        }
        let sizes: Vec<usize> = self.comp(first).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        let count: usize = sizes.iter().product();
        let all = Value::array(sizes, (0..count).map(|k| Value::Int(k as i64)).collect());
        let mut subs = Vec::new();
        for sub in s.subs.iter().skip(s.dims.len()) {
            subs.push(match sub {
                kairos_expr::Sub::All => None,
                kairos_expr::Sub::At(e) => match self.constant(*e) {
                    Ok(value) => Some(value),
                    Err(stop) => {
                        self.report_stop(stop, span, "the subscript of a connector");
                        return None;
                    }
                },
            });
        }
        let chosen = match kairos_expr::index(&all, &subs) {
            Ok(chosen) => chosen,
            Err(message) => {
                self.report(diagnostics::bad_subscript(&message, span));
                return None;
            }
        };
        let mut dims = s.dims.clone();
        dims.extend(chosen.dims());
        let mut list = Vec::new();
        for &comp in &s.comps {
            let picks = chosen.elements().iter().filter_map(|v| v.as_index());
            list.extend(picks.map(|k| Endpoint { comp, element: Some(k as u32) }));
        }
        Some((list, dims))
    }

    pub(crate) fn is_disabled(&self, comp: CompId) -> bool {
        let mut current = Some(comp);
        while let Some(c) = current {
            if self.comp(c).disabled {
                return true;
            }
            current = self.comp(c).parent;
        }
        false
    }

    /// A connector of the class itself, not of one of its parts (MLS 9.1.2).
    fn is_outside(&mut self, scope: InstId, r: &ast::ComponentRef) -> bool {
        if r.parts.len() > 1 {
            let first = r.parts[0].name.name;
            // `a.b` with `a` a connector of this class: its parts are outside as well.
            return self.is_connector_element(scope, first);
        }
        self.is_connector_element(scope, r.parts[0].name.name)
            && !self.is_outer_element(scope, r.parts[0].name.name)
    }

    fn is_outer_element(&self, scope: InstId, name: Name) -> bool {
        self.inst(scope).table.get(&name).is_some_and(|e| self.elem(*e).prefix.outer)
    }

    fn is_connector_element(&mut self, scope: InstId, name: Name) -> bool {
        let Some(comp) = self.inst(scope).comp else { return false };
        let Some(child) = self.child(comp, name) else { return false };
        self.is_connector(child) && !self.is_outer_element(scope, name)
    }

    /// Is a component part of an expandable connector?
    pub fn in_bus(&self, comp: CompId) -> bool {
        if !self.buses {
            return false;
        }
        let mut current = self.comp(comp).parent;
        while let Some(c) = current {
            if self.is_expandable(c) {
                return true;
            }
            current = self.comp(c).parent;
        }
        false
    }

    /// Is a component a connector, or a variable of connector type?
    pub fn is_connector(&self, comp: CompId) -> bool {
        use kairos_syntax::ast::ClassKind;
        let Some(class) = self.comp(comp).class else { return false };
        self.class_is(class, &[ClassKind::Connector, ClassKind::ExpandableConnector])
    }

    /// Can a component have equations of its own?
    pub fn is_model(&self, comp: CompId) -> bool {
        use kairos_syntax::ast::ClassKind;
        let Some(class) = self.comp(comp).class else { return false };
        self.class_is(class, &[ClassKind::Model, ClassKind::Block, ClassKind::Class])
    }

    pub(crate) fn class_is(&self, class: InstId, kinds: &[ast::ClassKind]) -> bool {
        kinds.contains(&self.inst(class).kind)
            || self.inst(class).bases.iter().any(|b| self.class_is(*b, kinds))
    }

    fn is_broken_connect(&self, r: &ast::ComponentRef, s: &ast::ComponentRef) -> bool {
        let text = |r: &ast::ComponentRef| {
            let parts: Vec<&str> = r.parts.iter().map(|p| p.name.name.as_str()).collect();
            parts.join(".")
        };
        self.broken_connects.iter().any(|b| match b {
            ast::Break::Connect(x, y, _) => match (&x.kind, &y.kind) {
                (ExprKind::Ref(x), ExprKind::Ref(y)) => {
                    let (x, y, r, s) = (text(x), text(y), text(r), text(s));
                    (x == r && y == s) || (x == s && y == r)
                }
                _ => false,
            },
            ast::Break::Component(_) => false,
        })
    }
}
