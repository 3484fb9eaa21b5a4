//! Names in flat text: quoted where they are composed, and different for different things.

use super::clocks;
use kairos_base::hash::HashSet;
use kairos_expr::{
    Body, EnumId, ExprId, Function, FunctionId, IterId, LocalId, Names, Node, RecordId, Scalar, Store,
    Target, Type, VarId,
};
use kairos_model::{Equation, ScalarModel};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is printed, where.
#[derive(Clone)]
pub(super) struct Flat<'m> {
    pub model: &'m ScalarModel,
    pub used: Rc<Used>,
    /// The function whose body is printed.
    function: Option<FunctionId>,
    /// The clock of the equation that is printed.
    clock: Option<u32>,
}

/// Everything that the equations lead to, with names of its own.
#[derive(Default)]
pub(super) struct Used {
    pub functions: BTreeMap<FunctionId, String>,
    pub records: BTreeMap<RecordId, String>,
    pub enums: BTreeMap<EnumId, String>,
    /// Calls of which one output of several is taken.
    pub items: BTreeSet<(FunctionId, u32)>,
    taken: HashSet<String>,
    seen: HashSet<ExprId>,
}

/// Dotted and subscripted names become quoted identifiers.
pub(super) fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let inner = name.strip_prefix('\'').and_then(|n| n.strip_suffix('\''));
    if plain || inner.is_some_and(|n| !n.contains('\'')) {
        return name.to_string();
    }
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

impl<'m> Flat<'m> {
    pub fn new(model: &'m ScalarModel) -> Self {
        let mut used = Used::default();
        for v in &model.vars {
            used.scalar(&model.store, v.ty);
            let values = [v.binding, v.start, v.nominal, v.min, v.max];
            values.into_iter().flatten().for_each(|e| used.visit(&model.store, e));
        }
        let collect = |used: &mut Used, eq: &Equation| {
            eq.clone().visit_exprs_mut(&mut |e| used.visit(&model.store, *e));
        };
        model.equations.iter().chain(&model.initial_equations).for_each(|eq| collect(&mut used, eq));
        for partition in &model.clocks {
            partition.kind.clone().visit_exprs_mut(&mut |e| used.visit(&model.store, *e));
        }
        Flat { model, used: Rc::new(used), function: None, clock: None }
    }

    pub fn at(&self, clock: Option<u32>) -> Self {
        Flat { clock, ..self.clone() }
    }

    pub fn inside(&self, function: FunctionId) -> Self {
        Flat { function: Some(function), ..self.clone() }
    }

    pub fn name(&self, var: VarId) -> String {
        self.model.vars.get(var.index()).map_or_else(|| format!("'var {}'", var.0), |v| quoted(&v.name))
    }

    fn own(&self) -> Option<&'m Function> {
        self.function.map(|f| self.model.store.function(f))
    }

    pub fn local_name(&self, local: LocalId) -> String {
        let name = self.own().and_then(|f| f.locals.get(local.index())).map(|l| l.name.to_string());
        name.unwrap_or_else(|| format!("'local {}'", local.0))
    }

    /// A type by name, without dimensions.
    pub fn scalar(&self, ty: Scalar) -> String {
        match ty {
            Scalar::Int => "Integer".into(),
            Scalar::Bool => "Boolean".into(),
            Scalar::Str => "String".into(),
            Scalar::Clock => "Clock".into(),
            Scalar::Enum(e) => self.enumeration(&self.model.store, e),
            Scalar::Record(r) => self.record(&self.model.store, r),
            Scalar::Object(name) => object(name.as_str()),
            _ => "Real".into(),
        }
    }

    pub fn target_type(&self, target: Target) -> Option<Type> {
        match target {
            Target::Var(_) => None,
            Target::Local(l) => {
                let local = self.own()?.locals.get(l.index())?;
                Some(self.model.store.get_type(local.ty).clone())
            }
        }
    }

    /// The name of a field; `ty` becomes its type.
    pub fn field(&self, ty: &mut Option<Type>, k: usize) -> String {
        let field = match ty.as_ref().map(|t| t.scalar) {
            Some(Scalar::Record(r)) => self.model.store.record(r).fields.get(k).cloned(),
            _ => None,
        };
        match field {
            Some((name, inner)) => {
                *ty = Some(inner);
                name.to_string()
            }
            None => format!("'field {k}'"),
        }
    }
}

impl Names for Flat<'_> {
    fn var(&self, var: VarId) -> String {
        let name = self.name(var);
        // A value of another partition is its most recent one.
        let ticks_with = |clock: u32| clocks::around(self, clock);
        let own = self.clock.map(ticks_with);
        let of = self.model.vars.get(var.index()).and_then(|v| v.clock).map(ticks_with);
        if own.is_some() && of.is_some() && own != of { format!("noClock({name})") } else { name }
    }

    fn local(&self, local: LocalId) -> String {
        self.local_name(local)
    }

    fn iterator(&self, store: &Store, iterator: IterId) -> String {
        let name = store.iterator_name(iterator);
        let taken = self.own().is_some_and(|f| f.locals.iter().any(|l| l.name == name));
        if taken { format!("'{name} {}'", iterator.0) } else { name.to_string() }
    }

    fn function(&self, store: &Store, function: FunctionId) -> String {
        let f = store.function(function);
        match (&f.body, f.outputs.as_slice()) {
            (Body::RecordConstructor, [output]) => match store.get_type(f.locals[output.index()].ty).scalar {
                Scalar::Record(r) => self.record(store, r),
                _ => quoted(f.name.as_str()),
            },
            _ => match object_of(f) {
                Some(name) => object(name),
                None => {
                    self.used.functions.get(&function).map_or_else(|| quoted(f.name.as_str()), Clone::clone)
                }
            },
        }
    }

    fn item(&self, store: &Store, function: FunctionId, k: u32) -> Option<String> {
        Some(item_name(&self.function(store, function), k))
    }

    fn record(&self, store: &Store, record: RecordId) -> String {
        let name = self.used.records.get(&record);
        name.map_or_else(|| quoted(store.record(record).name.as_str()), Clone::clone)
    }

    fn enumeration(&self, store: &Store, ty: EnumId) -> String {
        let name = self.used.enums.get(&ty);
        name.map_or_else(|| quoted(store.enumeration(ty).name.as_str()), Clone::clone)
    }

    fn terms(&self) -> usize {
        usize::MAX
    }

    fn depth(&self) -> usize {
        2000
    }
}

/// A quoted name at the end of a dotted one stands for itself: flat text that is read back keeps its names.
fn innermost(name: &str) -> String {
    let Some(inner) = name.strip_suffix('\'') else { return name.to_string() };
    let start = inner.char_indices().rev().find(|&(at, c)| c == '\'' && !inner[..at].ends_with('\\'));
    let Some((start, _)) = start else { return name.to_string() };
    inner[start + 1..].replace("\\'", "'").replace("\\\\", "\\")
}

/// The function that gives one output of another.
pub(super) fn item_name(function: &str, k: u32) -> String {
    let inner = function.strip_prefix('\'').and_then(|n| n.strip_suffix('\'')).unwrap_or(function);
    format!("'{inner} output {}'", k + 1)
}

/// A class of external objects in the flat text: read back, its name has that of the model before it.
pub(super) fn object(name: &str) -> String {
    quoted(&innermost(name))
}

/// The class of external objects whose constructor a function is.
pub(super) fn object_of(f: &Function) -> Option<&'static str> {
    f.name.as_str().strip_suffix(".constructor")
}

impl Used {
    fn unique(&mut self, name: &str) -> String {
        let name = innermost(name);
        let mut text = quoted(&name);
        let mut k = 1;
        while !self.taken.insert(text.clone()) {
            k += 1;
            text = quoted(&format!("{name} {k}"));
        }
        text
    }

    fn scalar(&mut self, store: &Store, ty: Scalar) {
        match ty {
            Scalar::Enum(e) if !self.enums.contains_key(&e) => {
                let predefined =
                    matches!(store.enumeration(e).name.as_str(), "StateSelect" | "AssertionLevel");
                let name = store.enumeration(e).name;
                let name = if predefined { name.to_string() } else { self.unique(name.as_str()) };
                self.enums.insert(e, name);
            }
            Scalar::Record(r) if !self.records.contains_key(&r) => {
                let name = self.unique(store.record(r).name.as_str());
                self.records.insert(r, name);
                for (_, field) in &store.record(r).fields {
                    self.scalar(store, field.scalar);
                }
            }
            _ => {}
        }
    }

    fn visit(&mut self, store: &Store, e: ExprId) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !self.seen.insert(e) {
                continue;
            }
            self.scalar(store, store.ty(e).scalar);
            match store.node(e) {
                Node::Call(f, _) | Node::Partial(f, _) => self.function(store, *f),
                Node::Item(call, k) => {
                    if let Node::Call(f, _) = store.node(*call) {
                        self.items.insert((*f, *k));
                    }
                }
                Node::Enum(t, _) => self.scalar(store, Scalar::Enum(*t)),
                Node::Record(r, _) => self.scalar(store, Scalar::Record(*r)),
                _ => {}
            }
            store.children(e, |c| todo.push(c));
        }
    }

    fn function(&mut self, store: &Store, f: FunctionId) {
        if self.functions.contains_key(&f) {
            return;
        }
        let function = store.function(f);
        let name = match function.body {
            Body::RecordConstructor => String::new(),
            _ => self.unique(function.name.as_str()),
        };
        self.functions.insert(f, name);
        for local in &function.locals {
            self.scalar(store, store.get_type(local.ty).scalar);
        }
        function.clone().visit_exprs_mut(&mut |e| self.visit(store, *e));
        function.derivatives.iter().for_each(|d| self.function(store, d.function));
    }
}
