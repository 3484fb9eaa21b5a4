//! Calls of external functions, and where their annotations say that the code is.

use crate::resolve::Scope;
use crate::{InstId, Sema, annotations};
use kairos_base::Name;
use kairos_expr::{
    Body, Carrier, ExprId, ExternalCall, ForeignCode, LocalId, Node, Passing, Scalar, Type, TypeId, Value,
};
use kairos_syntax::ast::{self, ExprKind};

impl<'a> Sema<'a> {
    pub(crate) fn external_body(&mut self, external: &'a ast::External, scope: &Scope) -> Body {
        let mut scope = scope.clone();
        let language = external.language.as_deref().unwrap_or("C").to_string();
        let args = external.args.iter().map(|a| self.expr(&mut scope, a)).collect::<Vec<_>>();
        let locals = scope.locals.clone().unwrap_or_default();
        let output =
            external.output.as_ref().and_then(|o| o.parts.first()).and_then(|p| locals.get(&p.name.name));
        let mut call = ExternalCall {
            language,
            symbol: String::new(),
            args,
            output: output.map(|(l, _)| *l),
            passing: Vec::new(),
            returns: None,
            result_form: None,
            forms: Vec::new(),
            carriers: Vec::new(),
            code: ForeignCode::default(),
            destructor: None,
            owner: self.inst_path(scope.inst).split('.').next().unwrap_or_default().to_string(),
            function: Name::new(&self.inst_path(scope.inst)),
            span: external.span,
        };
        // `external "builtin" y = sin(x)` means the operator of that name (MLS 12.9).
        if call.language == "builtin"
            && let (Some(name), Some((output, ty))) = (&external.function, output.copied())
            && let Some(row) = kairos_expr::Builtin::by_name(name.name.as_str()).next()
        {
            let node = Node::Builtin(row.builtin, call.args.clone().into());
            let value = self.store.add_typed(node, ty);
            let target = kairos_expr::LValue { target: kairos_expr::Target::Local(output), path: Vec::new() };
            return Body::Statements(vec![kairos_expr::Stmt::Assign(target, value, external.span)]);
        }
        call.code = foreign_code(external.annotation.as_ref(), &call.owner);
        match &external.function {
            Some(name) => call.symbol = name.name.to_string(),
            None => {
                // Without a call the function's own name is meant, all inputs then all outputs (MLS 12.9).
                call.symbol = self.inst(scope.inst).name.to_string();
                let mut order: Vec<(LocalId, TypeId)> = locals.values().copied().collect();
                order.sort();
                let f = self.function_of_scope(&scope);
                if let Some(f) = f {
                    let f = self.store.function(f).clone();
                    let single = f.outputs.len() == 1
                        && self.store.get_type(f.locals[f.outputs[0].index()].ty).is_scalar();
                    let mut list: Vec<LocalId> = f.inputs.clone();
                    if single {
                        call.output = Some(f.outputs[0]);
                    } else {
                        list.extend(&f.outputs);
                    }
                    call.args =
                        list.into_iter().map(|l| self.store.local(l, f.locals[l.index()].ty)).collect();
                }
            }
        }
        if let Some(f) = self.function_of_scope(&scope) {
            let f = self.store.function(f);
            let passing = |arg: &ExprId| match self.store.node(*arg) {
                Node::Local(local) if f.outputs.contains(local) => Passing::Reference,
                _ => Passing::Value,
            };
            call.passing = call.args.iter().map(passing).collect();
            call.returns = call.output.map(|l| self.store.get_type(f.locals[l.index()].ty).scalar);
        }
        let form = |scalar: Scalar| Value::default(&self.store, &Type::scalar(scalar));
        call.result_form = call.returns.map(form);
        call.forms = call.args.iter().map(|&arg| form(self.store.ty(arg).scalar)).collect();
        let carriers = call.args.iter().zip(&call.passing).map(|(&arg, passing)| match self.store.ty(arg) {
            ty if *passing == Passing::Reference || !ty.is_scalar() => Carrier::Pointer,
            ty => match ty.scalar {
                Scalar::Real => Carrier::Number,
                Scalar::Int | Scalar::Bool | Scalar::Enum(_) => Carrier::Whole,
                _ => Carrier::Pointer,
            },
        });
        call.carriers = carriers.collect();
        if let Some(Scalar::Object(_)) = call.returns {
            call.destructor = self.destructor_beside(scope.inst);
        }
        Body::External(Box::new(call))
    }

    /// What ends the objects that a constructor makes (MLS 12.9.7).
    fn destructor_beside(&mut self, constructor: InstId) -> Option<Box<ExternalCall>> {
        let class = self.inst(constructor).parent?;
        let &element = self.inst(class).table.get(&Name::new("destructor"))?;
        let destructor = self.elem_class(element)?;
        let function = self.function(destructor);
        self.need_function(function);
        match &self.store.function(function).body {
            Body::External(call) => Some(call.clone()),
            _ => None,
        }
    }
}

/// Where an external function's annotation says that its code is; each may be one text or several (MLS 12.9.4).
fn foreign_code(annotation: Option<&ast::Annotation>, owner: &str) -> ForeignCode {
    let list = |name: &str| -> Vec<String> {
        match annotations::value(annotation, name) {
            Some(ast::Expr { kind: ExprKind::Array(items), .. }) => {
                items.iter().filter_map(annotations::text).map(String::from).collect()
            }
            Some(e) => annotations::text(e).map(String::from).into_iter().collect(),
            None => Vec::new(),
        }
    };
    let folders = |name: &str, usual: &str| match list(name) {
        given if given.is_empty() => vec![format!("modelica://{owner}/Resources/{usual}")],
        // The specification writes `modelica:/Name` here, and `modelica://Name` elsewhere (MLS 13.5).
        given => given
            .into_iter()
            .map(|folder| match folder.strip_prefix("modelica:/") {
                Some(rest) if !rest.starts_with('/') => format!("modelica://{rest}"),
                _ => folder,
            })
            .collect(),
    };
    ForeignCode {
        libraries: list("Library"),
        library_folders: folders("LibraryDirectory", "Library"),
        includes: list("Include"),
        include_folders: folders("IncludeDirectory", "Include"),
        source_folders: folders("SourceDirectory", "Source"),
    }
}
