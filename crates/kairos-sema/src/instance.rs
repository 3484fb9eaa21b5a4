//! Instantiation of a whole model, and small makers of expressions.

use crate::comps::What;
use crate::{CompId, InstId, Library, MadeRefs, Sema};
use kairos_base::Diagnostic;
use kairos_base::hash::HashMap;
use kairos_expr::{Dim, ExprId, IterId, Node, Type, Value};

/// Instantiates a class by its dotted name. The root component and everything collected from it stay in the
/// returned `Sema`, from which flattening reads them.
pub fn instantiate<'a>(
    lib: &'a Library<'a>,
    made: &'a MadeRefs,
    dotted: &str,
) -> (Sema<'a>, Option<CompId>, Vec<Diagnostic>) {
    let mut sema = Sema::new(lib, made);
    let root = sema.instantiate_class(dotted);
    let mut diagnostics = lib.take_diagnostics();
    diagnostics.extend(std::mem::take(&mut sema.diagnostics));
    (sema, root, diagnostics)
}

impl<'a> Sema<'a> {
    fn instantiate_class(&mut self, dotted: &str) -> Option<CompId> {
        let Some(class) = self.find_class(dotted) else {
            let known = self.sibling_names(dotted);
            self.report(crate::diagnostics::no_such_model(dotted, &known));
            return None;
        };
        if !self.check_model(class) {
            return None;
        }
        let root = self.root_comp(class, &Default::default());
        self.model_root = Some(root);
        self.walk(root);
        self.elaborate_buses();
        self.resolve_graph();
        self.resolve_deferred();
        self.check_repeated_classes();
        self.check_bus_sources();
        Some(root)
    }

    /// Resolves the bodies of all functions that were met, and of those that they call.
    pub fn complete_functions(&mut self) {
        let mut next = 0;
        while next < self.store.functions.len() {
            self.need_function(kairos_expr::FunctionId::new(next));
            next += 1;
        }
    }

    fn sibling_names(&mut self, dotted: &str) -> Vec<String> {
        match dotted.rsplit_once('.') {
            Some((head, _)) => match self.find_class(head) {
                Some(package) => {
                    let list = self.inst(package).elements.clone();
                    list.iter().map(|e| format!("{head}.{}", self.elem(*e).name)).collect()
                }
                None => Vec::new(),
            },
            None => self.lib.known_top().iter().map(|n| n.to_string()).collect(),
        }
    }

    /// A value as a literal expression.
    pub fn value_expr(&mut self, value: &Value) -> ExprId {
        match value {
            Value::Real(x) => self.store.real(*x),
            Value::Int(i) => self.store.int(*i),
            Value::Bool(b) => self.store.bool(*b),
            Value::Str(s) => self.store.str(s),
            Value::Enum(t, i) => self.store.literal(*t, *i),
            Value::Record(r, fields) => {
                let items: Vec<ExprId> = fields.iter().map(|f| self.value_expr(f)).collect();
                self.store.add(Node::Record(*r, items.into()), Type::scalar(kairos_expr::Scalar::Record(*r)))
            }
            Value::Array(a) => {
                let items: Vec<ExprId> = a.data.iter().map(|f| self.value_expr(f)).collect();
                if items.is_empty() {
                    let dims: Vec<Dim> = a.dims.iter().map(|d| Dim::Known(*d as u32)).collect();
                    return self
                        .store
                        .add(Node::Array([].into()), Type::array(kairos_expr::Scalar::Real, dims));
                }
                self.nest(items, &a.dims.clone())
            }
            _ => self.error_expr(),
        }
    }

    pub(crate) fn replace_iterator(&mut self, e: ExprId, iter: IterId, value: ExprId) -> ExprId {
        if let Node::Iter(i) = self.store.node(e) {
            return if *i == iter { value } else { e };
        }
        let mut children = Vec::new();
        self.store.children(e, |c| children.push(c));
        let new: HashMap<ExprId, ExprId> =
            children.into_iter().map(|c| (c, self.replace_iterator(c, iter, value))).collect();
        self.store.map_children(e, |_, c| new.get(&c).copied().unwrap_or(c))
    }

    /// `getInstanceName()`: the model's short name and the path of the instance (MLS 3.7.4.5).
    pub(crate) fn instance_name(&self, scope: InstId) -> String {
        let mut current = Some(scope);
        while let Some(inst) = current {
            if let Some(comp) = self.inst(inst).comp
                && self.comp(comp).what != What::Package
            {
                let model = self.model_root.and_then(|r| self.comp(r).class).map(|c| self.inst(c).name);
                let model = model.map_or(String::new(), |n| n.to_string());
                let path = self.comp_path(comp);
                return if path.is_empty() { model } else { format!("{model}.{path}") };
            }
            current = self.inst(inst).parent;
        }
        self.inst_path(scope)
    }

    /// Hands the collected messages over.
    pub fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut all = self.lib.take_diagnostics();
        all.append(&mut self.diagnostics);
        all
    }

    pub fn root_class_name(&self, root: CompId) -> String {
        self.comp(root).class.map_or(String::new(), |c| self.inst_path(c))
    }

    /// A number of the model's `experiment` annotation.
    pub fn experiment(&self, root: CompId, name: &str) -> Option<f64> {
        let class = self.inst(self.comp(root).class?).class?;
        let kairos_syntax::ast::ClassBody::Long(body) = &class.body else { return None };
        let (args, _) = crate::annotations::find(&body.annotation.as_ref()?.args, "experiment")?;
        crate::annotations::number(crate::annotations::find(args, name)?.1?)
    }
}
