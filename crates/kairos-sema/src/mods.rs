//! Modifications: trees of values and redeclarations with the scope they were written in.

use crate::InstId;
use kairos_base::{Name, Span};
use kairos_expr::ExprId;
use kairos_syntax::ast::{self, Argument, ArgumentKind, Expr, ModValue};
use std::rc::Rc;

/// What an outer declaration says about an element and its parts. Outermost wins (MLS 7.2.4).
#[derive(Clone, Default)]
pub struct Mods<'a>(Option<Rc<ModNode<'a>>>);

#[derive(Clone)]
pub struct ModNode<'a> {
    pub span: Span,
    pub each: bool,
    pub is_final: bool,
    pub value: Option<Bind<'a>>,
    pub subs: Vec<(Name, Mods<'a>)>,
    /// Outermost first. The value and the parts above are said outside of all of them.
    pub redeclares: Vec<Redeclare<'a>>,
}

/// A value with the scope that its names are looked up in.
#[derive(Clone)]
pub struct Bind<'a> {
    pub what: BindExpr<'a>,
    pub scope: InstId,
    /// Subscripts that pick the part for one element of an array of components.
    pub index: Vec<u32>,
    pub each: bool,
    pub span: Span,
}

#[derive(Clone, Copy)]
pub enum BindExpr<'a> {
    Source(&'a Expr),
    /// Made by the front end, such as a field of the value of a whole record.
    Made(ExprId),
    /// `= break`: no value, although an inner declaration gives one.
    None,
}

/// A redeclaration, with what is said of the element inside of it.
#[derive(Clone)]
pub struct Redeclare<'a> {
    pub what: Declared<'a>,
    /// Modifiers of the element that is replaced: the new declaration's own outweigh them (MLS 7.2.2, 7.3.2).
    pub beneath: Mods<'a>,
    /// Is it in the modification of a component? Then a modification around it overrides it, as it does values (MLS 7.2.4).
    pub of_part: bool,
}

#[derive(Clone)]
pub enum Declared<'a> {
    Class {
        class: &'a ast::Class,
        scope: InstId,
        replaceable: bool,
        constraining: Option<&'a ast::Constraining>,
    },
    Component {
        clause: &'a ast::ComponentClause,
        component: &'a ast::Component,
        scope: InstId,
        /// Subscripts that pick the part of its values for one element of an array of components.
        index: Vec<u32>,
    },
}

impl<'a> Mods<'a> {
    pub fn none() -> Self {
        Self(None)
    }

    pub fn new(node: ModNode<'a>) -> Self {
        Self(Some(Rc::new(node)))
    }

    pub fn node(&self) -> Option<&ModNode<'a>> {
        self.0.as_deref()
    }

    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    pub fn sub(&self, name: Name) -> Mods<'a> {
        let found = self.node().and_then(|n| n.subs.iter().find(|(k, _)| *k == name));
        found.map_or(Mods::none(), |(_, m)| m.clone())
    }

    pub fn subs(&self) -> &[(Name, Mods<'a>)] {
        self.node().map_or(&[], |n| &n.subs)
    }

    pub fn value(&self) -> Option<&Bind<'a>> {
        self.node().and_then(|n| n.value.as_ref())
    }

    pub fn redeclares(&self) -> &[Redeclare<'a>] {
        self.node().map_or(&[], |n| &n.redeclares)
    }

    pub fn is_final(&self) -> bool {
        self.node().is_some_and(|n| n.is_final)
    }

    /// What is said outside of all redeclarations.
    pub fn without_redeclare(&self) -> Mods<'a> {
        match self.node() {
            Some(n) if !n.redeclares.is_empty() => Mods::new(ModNode { redeclares: Vec::new(), ..n.clone() }),
            _ => self.clone(),
        }
    }

    /// What holds inside: `final` forbids changes of the element itself, here those of a class.
    pub fn of_objects(&self) -> Mods<'a> {
        match self.node() {
            Some(n) if n.is_final => Mods::new(ModNode { is_final: false, ..n.clone() }),
            _ => self.clone(),
        }
    }

    /// The same without a value of its own and without its redeclaration.
    pub fn only_subs(&self) -> Mods<'a> {
        match self.node() {
            Some(n) if n.value.is_some() || !n.redeclares.is_empty() => match n.subs.is_empty() {
                true => Mods::none(),
                false => Mods::new(ModNode { value: None, redeclares: Vec::new(), ..n.clone() }),
            },
            _ => self.clone(),
        }
    }

    /// What is left of a constraining clause's modifiers in a declaration that says `own`: its values and redeclarations
    /// take their places, whether or not these are replaceable (MLS 7.3.2). What is final stays, to be told of.
    pub fn left_open_by(&self, own: &Mods<'a>) -> Mods<'a> {
        let (Some(node), Some(other)) = (self.node(), own.node()) else { return self.clone() };
        if node.is_final {
            return self.clone();
        }
        let mut node = node.clone();
        if other.value.is_some() {
            node.value = None;
        }
        if !other.redeclares.is_empty() {
            node.redeclares.clear();
        }
        node.subs = node.subs.iter().map(|(name, sub)| (*name, sub.left_open_by(&own.sub(*name)))).collect();
        node.subs.retain(|(_, sub)| !sub.is_none());
        match node.value.is_none() && node.redeclares.is_empty() && node.subs.is_empty() {
            true => Mods::none(),
            false => Mods::new(node),
        }
    }

    /// The same as an argument in the modification of a component.
    fn of_part(&self) -> Mods<'a> {
        let Some(node) = self.node().filter(|node| !node.redeclares.is_empty()) else { return self.clone() };
        let mut node = node.clone();
        node.redeclares.iter_mut().for_each(|r| r.of_part = true);
        Mods::new(node)
    }

    /// `self` over `inner`; `clash` is told of final elements that are modified.
    pub fn over(&self, inner: &Mods<'a>, clash: &mut dyn FnMut(Span, Span)) -> Mods<'a> {
        let (Some(outer), Some(base)) = (self.node(), inner.node()) else {
            return if self.is_none() { inner.clone() } else { self.clone() };
        };
        if base.is_final && (outer.value.is_some() || !outer.redeclares.is_empty() || !outer.subs.is_empty())
        {
            clash(outer.span, base.span);
        }
        if let Some((last, before)) = outer.redeclares.split_last() {
            let plain = base.value.is_some() || !base.subs.is_empty();
            let plain = if plain { inner.without_redeclare() } else { Mods::none() };
            let beneath = last.beneath.over(&plain, clash);
            let mut redeclares = before.to_vec();
            redeclares.push(Redeclare { what: last.what.clone(), beneath, of_part: last.of_part });
            redeclares.extend(base.redeclares.iter().cloned());
            let is_final = outer.is_final || base.is_final;
            return Mods::new(ModNode { is_final, redeclares, ..outer.clone() });
        }
        let mut subs: Vec<(Name, Mods<'a>)> = base.subs.clone();
        for (name, mods) in &outer.subs {
            match subs.iter_mut().find(|(k, _)| k == name) {
                Some((_, old)) => *old = mods.over(old, clash),
                None => subs.push((*name, mods.clone())),
            }
        }
        Mods::new(ModNode {
            span: outer.span,
            each: outer.each,
            is_final: outer.is_final || base.is_final,
            value: outer.value.clone().or_else(|| base.value.clone()),
            subs,
            redeclares: base.redeclares.clone(),
        })
    }

    /// The modification of one element of an array of components: values without `each` are subscripted.
    pub fn element(&self, index: &[u32]) -> Mods<'a> {
        let Some(node) = self.node() else { return Mods::none() };
        let mut node = node.clone();
        if let Some(value) = &mut node.value {
            match value.each {
                true => value.each = false,
                false => value.index.extend(index),
            }
        }
        for (_, sub) in &mut node.subs {
            *sub = sub.each_or_element(index);
        }
        for redeclare in &mut node.redeclares {
            redeclare.beneath = redeclare.beneath.each_or_element(index);
            // MLS 7.2.5: the values of a redeclaration are split as others are.
            if let Declared::Component { index: part, .. } = &mut redeclare.what {
                part.extend(index);
            }
        }
        node.each = false;
        Mods::new(node)
    }

    fn each_or_element(&self, index: &[u32]) -> Mods<'a> {
        let each = self.node().is_some_and(|n| n.each);
        if each { self.consume_each(index) } else { self.element(index) }
    }

    /// Does it say the same of every element of an array?
    pub fn is_uniform(&self) -> bool {
        let Some(node) = self.node() else { return true };
        let each = |sub: &Mods<'a>| sub.node().is_some_and(|n| n.each);
        node.value.as_ref().is_none_or(|value| value.each)
            && node.subs.iter().all(|(_, sub)| each(sub) || sub.is_uniform())
            && node.redeclares.iter().all(|r| {
                let valued = matches!(&r.what, Declared::Component { component, .. } if component.modification.is_some());
                !valued && (each(&r.beneath) || r.beneath.is_uniform())
            })
    }

    fn consume_each(&self, index: &[u32]) -> Mods<'a> {
        let Some(node) = self.node() else { return Mods::none() };
        let mut node = node.clone();
        node.each = false;
        if let Some(value) = &mut node.value {
            value.each = false;
        }
        for redeclare in &mut node.redeclares {
            redeclare.beneath = redeclare.beneath.each_or_element(index);
        }
        Mods::new(node)
    }

    /// `name = value` as a modification.
    pub fn with_sub(&self, name: Name, mods: Mods<'a>, span: Span) -> Mods<'a> {
        let node = ModNode {
            span,
            each: false,
            is_final: false,
            value: None,
            subs: vec![(name, mods)],
            redeclares: Vec::new(),
        };
        self.over(&Mods::new(node), &mut |_, _| {})
    }

    /// A modification that is only a value made by the front end.
    pub fn made(value: ExprId, scope: InstId, span: Span) -> Mods<'a> {
        let bind = Bind { what: BindExpr::Made(value), scope, index: Vec::new(), each: false, span };
        Mods::new(ModNode {
            span,
            each: false,
            is_final: false,
            value: Some(bind),
            subs: Vec::new(),
            redeclares: Vec::new(),
        })
    }
}

/// The modification that an argument list writes in `scope`; `twice` is told of elements modified twice.
pub fn from_arguments<'a>(
    args: &'a [Argument],
    scope: InstId,
    span: Span,
    twice: &mut dyn FnMut(Name, Span, Span),
) -> Mods<'a> {
    if args.is_empty() {
        return Mods::none();
    }
    let mut subs: Vec<(Name, Mods<'a>)> = Vec::new();
    for arg in args {
        let (name, mods) = from_argument(arg, scope, twice);
        match subs.iter_mut().find(|(k, _)| *k == name) {
            Some((_, old)) => {
                if let (Some(a), Some(b)) = (old.node(), mods.node())
                    && overlaps(a, b)
                {
                    twice(name, b.span, a.span);
                }
                // Of two in one list, what is said beside a redeclaration is said of the new declaration.
                *old = match old.redeclares().is_empty() {
                    true => old.over(&mods, &mut |_, _| {}),
                    false => mods.over(old, &mut |_, _| {}),
                };
            }
            None => subs.push((name, mods)),
        }
    }
    Mods::new(ModNode { span, each: false, is_final: false, value: None, subs, redeclares: Vec::new() })
}

fn overlaps(a: &ModNode, b: &ModNode) -> bool {
    let clash =
        (a.value.is_some() && b.value.is_some()) || (!a.redeclares.is_empty() && !b.redeclares.is_empty());
    let sub = a.subs.iter().any(|(n, x)| match (x.node(), b.subs.iter().find(|(m, _)| m == n)) {
        (Some(x), Some((_, y))) => y.node().is_some_and(|y| overlaps(x, y)),
        _ => false,
    });
    clash || sub
}

/// The modification of a declaration: `(args) = value`.
pub fn from_modification<'a>(
    m: Option<&'a ast::Modification>,
    scope: InstId,
    twice: &mut dyn FnMut(Name, Span, Span),
) -> Mods<'a> {
    let Some(m) = m else { return Mods::none() };
    let inner = from_arguments(&m.args, scope, m.span, twice);
    let value = m.value.as_ref().map(|v| bind(v, scope, false));
    Mods::new(ModNode {
        span: m.span,
        each: false,
        is_final: false,
        value,
        subs: inner.subs().iter().map(|(name, mods)| (*name, mods.of_part())).collect(),
        redeclares: Vec::new(),
    })
}

fn bind<'a>(value: &'a ModValue, scope: InstId, each: bool) -> Bind<'a> {
    let (what, span) = match value {
        ModValue::Expr(e) => (BindExpr::Source(e), e.span),
        ModValue::Break(span) => (BindExpr::None, *span),
    };
    Bind { what, scope, index: Vec::new(), each, span }
}

fn from_argument<'a>(
    arg: &'a Argument,
    scope: InstId,
    twice: &mut dyn FnMut(Name, Span, Span),
) -> (Name, Mods<'a>) {
    match &arg.kind {
        ArgumentKind::Modify { path, modification, .. } => {
            let mut mods = match modification {
                Some(m) => {
                    let inner = from_modification(Some(m), scope, twice);
                    let mut node = inner.node().expect("a modification").clone();
                    if let Some(value) = &mut node.value {
                        value.each = arg.each;
                    }
                    node
                }
                None => empty(arg.span),
            };
            mods.each = arg.each;
            mods.is_final = arg.is_final;
            mods.span = arg.span;
            let mut mods = Mods::new(mods);
            for part in path[1..].iter().rev() {
                let each = arg.each;
                mods = Mods::new(ModNode { subs: vec![(part.name, mods)], each, ..empty(arg.span) });
            }
            (path[0].name, mods)
        }
        ArgumentKind::Class { redeclare, replaceable, class, constraining } => {
            let constraining = constraining.as_deref();
            let what = Declared::Class { class, scope, replaceable: *replaceable, constraining };
            let what = Redeclare { what, beneath: Mods::none(), of_part: false };
            let is_final = arg.is_final;
            let redeclares = if *redeclare || *replaceable { vec![what] } else { Vec::new() };
            (class.name.name, Mods::new(ModNode { redeclares, each: arg.each, is_final, ..empty(arg.span) }))
        }
        ArgumentKind::Component { clause, .. } => {
            let Some(component) = clause.components.first() else { return (Name::EMPTY, Mods::none()) };
            let what = Declared::Component { clause, component, scope, index: Vec::new() };
            let redeclares = vec![Redeclare { what, beneath: Mods::none(), of_part: false }];
            let is_final = arg.is_final;
            (
                component.name.name,
                Mods::new(ModNode { redeclares, each: arg.each, is_final, ..empty(arg.span) }),
            )
        }
    }
}

fn empty<'a>(span: Span) -> ModNode<'a> {
    ModNode { span, each: false, is_final: false, value: None, subs: Vec::new(), redeclares: Vec::new() }
}
