//! Functions and the statements of functions and of model algorithms.

use crate::{ExprId, FunctionId, IterId, LocalId, Node, Scalar, Store, Sub, TypeId, Value, VarId};
use kairos_base::{Name, Span};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LocalKind {
    Input,
    Output,
    Protected,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Local {
    pub name: Name,
    pub kind: LocalKind,
    pub ty: TypeId,
    /// One per dimension; absent where it is `:`.
    pub dims: Vec<Option<ExprId>>,
    /// Default of an input, initial value of an output or protected variable.
    pub value: Option<ExprId>,
    pub span: Span,
}

/// `derivative(order, noDerivative, zeroDerivative) = f` (MLS 12.7.1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DerivativeAnnotation {
    pub function: FunctionId,
    pub order: u32,
    pub no_derivative: Vec<LocalId>,
    pub zero_derivative: Vec<LocalId>,
    /// Does the function give zero where nothing changes? Found out when it is asked first (`Store::is_derivative`).
    #[serde(skip)]
    pub vanishes: OnceLock<bool>,
}

/// `inverse(u = f_inv(y, …))` (MLS 12.8): the call gives the value of input `input`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InverseAnnotation {
    pub input: LocalId,
    pub call: ExprId,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Inline {
    #[default]
    Unspecified,
    Never,
    Always,
    Late,
    AfterIndexReduction,
}

/// How an argument is passed to a function in C (MLS 12.9.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Passing {
    /// Numbers as themselves, arrays and texts as where they are.
    Value,
    /// An output: where it is to be written.
    Reference,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExternalCall {
    pub language: String,
    pub symbol: String,
    /// Expressions over the function's locals; outputs are plain local references.
    pub args: Vec<ExprId>,
    pub output: Option<LocalId>,
    /// How each argument is passed.
    pub passing: Vec<Passing>,
    /// The type of what the function returns.
    pub returns: Option<Scalar>,
    /// What is returned and each argument, or an element of it, in the form of its declaration.
    pub result_form: Option<Value>,
    pub forms: Vec<Value>,
    /// What C needs to know of each argument.
    pub carriers: Vec<Carrier>,
    pub code: ForeignCode,
    /// For the constructor of external objects: what ends them.
    pub destructor: Option<Box<ExternalCall>>,
    /// The library whose text declares the function: its name at the top.
    pub owner: String,
    /// The function with the call, and where that stands.
    pub function: Name,
    pub span: Span,
}

/// The kind of C value that carries an argument (MLS 12.9.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Carrier {
    Number,
    Whole,
    /// Where something is: arrays, texts, records, objects, outputs.
    Pointer,
}

/// Where the code of an external function is (MLS 12.9.4). Folders are often `modelica://` names.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ForeignCode {
    pub libraries: Vec<String>,
    pub library_folders: Vec<String>,
    /// C text that declares or defines the function.
    pub includes: Vec<String>,
    pub include_folders: Vec<String>,
    pub source_folders: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    /// Declared, not yet resolved; the front end fills it on demand.
    Pending,
    Statements(Vec<Stmt>),
    External(Box<ExternalCall>),
    /// The inputs are the fields of the one output.
    RecordConstructor,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Qualified name.
    pub name: Name,
    pub locals: Vec<Local>,
    pub inputs: Vec<LocalId>,
    pub outputs: Vec<LocalId>,
    pub body: Body,
    pub pure: bool,
    pub inline: Inline,
    pub smooth_order: Option<u32>,
    pub generate_events: bool,
    pub derivatives: Vec<DerivativeAnnotation>,
    pub inverses: Vec<InverseAnnotation>,
    pub span: Span,
}

impl Function {
    /// A function that is made of statements of a model, which call it in their place: it does nothing else than these.
    pub fn of_statements(
        name: Name,
        locals: Vec<Local>,
        inputs: Vec<LocalId>,
        outputs: Vec<LocalId>,
        statements: Vec<Stmt>,
        span: Span,
    ) -> Self {
        Self {
            name,
            locals,
            inputs,
            outputs,
            body: Body::Statements(statements),
            pure: true,
            inline: Inline::Never,
            smooth_order: None,
            generate_events: false,
            derivatives: Vec::new(),
            inverses: Vec::new(),
            span,
        }
    }
}

/// What an assignment changes first: a local of a function or a variable of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Target {
    Local(LocalId),
    Var(VarId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Step {
    Field(u32),
    Index(Box<[Sub]>),
}

/// `target.field[sub]…`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LValue {
    pub target: Target,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Stmt {
    Assign(LValue, ExprId, Span),
    AssignTuple(Vec<Option<LValue>>, ExprId, Span),
    /// A call for its effect.
    Call(ExprId, Span),
    If(Vec<(ExprId, Vec<Stmt>)>, Vec<Stmt>),
    For(IterId, ExprId, Vec<Stmt>, Span),
    While(ExprId, Vec<Stmt>, Span),
    /// Only in model algorithms.
    When(Vec<(ExprId, Vec<Stmt>)>, Span),
    Assert {
        condition: ExprId,
        message: ExprId,
        warning: ExprId,
        span: Span,
    },
    Terminate(ExprId, Span),
    Reinit(VarId, ExprId, Span),
    Break,
    Return,
}

impl Store {
    /// Non-input locals so that a declaration comes after those that its size or value reads (MLS 12.4.4).
    pub fn declaration_order(&self, function: FunctionId) -> Vec<usize> {
        let f = self.function(function);
        let mut order = Vec::new();
        let mut state = vec![0u8; f.locals.len()];
        for i in 0..f.locals.len() {
            self.order_local(function, i, &mut state, &mut order);
        }
        order
    }

    fn order_local(&self, function: FunctionId, i: usize, state: &mut [u8], order: &mut Vec<usize>) {
        if state[i] != 0 {
            return;
        }
        state[i] = 1;
        let local = &self.function(function).locals[i];
        let mut todo: Vec<ExprId> = local.dims.iter().flatten().copied().chain(local.value).collect();
        while let Some(e) = todo.pop() {
            if let Node::Local(l) = self.node(e) {
                self.order_local(function, l.index(), state, order);
            }
            self.children(e, |c| todo.push(c));
        }
        if local.kind != LocalKind::Input {
            order.push(i);
        }
    }
}

impl Function {
    /// Every expression of the function, bodies and declarations.
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        for local in &mut self.locals {
            local.dims.iter_mut().flatten().for_each(&mut *visit);
            local.value.iter_mut().for_each(&mut *visit);
        }
        self.inverses.iter_mut().for_each(|i| visit(&mut i.call));
        match &mut self.body {
            Body::Statements(list) => list.iter_mut().for_each(|s| s.visit_exprs_mut(visit)),
            Body::External(call) => call.args.iter_mut().for_each(visit),
            Body::Pending | Body::RecordConstructor => {}
        }
    }
}

impl Stmt {
    /// What stands inside of it: branches and bodies of loops.
    pub fn bodies(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => vec![body],
            Stmt::If(branches, otherwise) => {
                branches.iter().map(|(_, body)| &body[..]).chain([&otherwise[..]]).collect()
            }
            Stmt::When(branches, _) => branches.iter().map(|(_, body)| &body[..]).collect(),
            Stmt::Assign(..) | Stmt::AssignTuple(..) | Stmt::Assert { .. } | Stmt::Break => Vec::new(),
            Stmt::Call(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::Return => Vec::new(),
        }
    }

    fn visit_bodies_mut(&mut self, visit: &mut dyn FnMut(&mut Stmt)) {
        match self {
            Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => body.iter_mut().for_each(visit),
            Stmt::If(branches, otherwise) => {
                branches.iter_mut().flat_map(|(_, body)| body).chain(otherwise).for_each(visit);
            }
            Stmt::When(branches, _) => branches.iter_mut().flat_map(|(_, body)| body).for_each(visit),
            Stmt::Assign(..) | Stmt::AssignTuple(..) | Stmt::Assert { .. } | Stmt::Break => {}
            Stmt::Call(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::Return => {}
        }
    }

    /// Its expressions, subscripts of targets included, without those of what stands inside of it.
    pub fn own_exprs(&self) -> Vec<ExprId> {
        let subscripts = |target: &LValue| target.subscripts().collect::<Vec<_>>();
        match self {
            Stmt::Assign(target, e, _) => target.subscripts().chain([*e]).collect(),
            Stmt::AssignTuple(targets, e, _) => {
                targets.iter().flatten().flat_map(subscripts).chain([*e]).collect()
            }
            Stmt::Call(e, _) | Stmt::Terminate(e, _) | Stmt::Reinit(_, e, _) => vec![*e],
            Stmt::Assert { condition, message, warning, .. } => vec![*condition, *message, *warning],
            Stmt::For(_, e, ..) | Stmt::While(e, ..) => vec![*e],
            Stmt::If(branches, _) | Stmt::When(branches, _) => {
                branches.iter().map(|(condition, _)| *condition).collect()
            }
            Stmt::Break | Stmt::Return => Vec::new(),
        }
    }

    /// The same expressions, to be replaced.
    pub fn visit_own_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Stmt::Assign(target, e, _) => {
                target.visit_exprs_mut(visit);
                visit(e);
            }
            Stmt::AssignTuple(targets, e, _) => {
                targets.iter_mut().flatten().for_each(|t| t.visit_exprs_mut(visit));
                visit(e);
            }
            Stmt::Call(e, _) | Stmt::Terminate(e, _) | Stmt::Reinit(_, e, _) => visit(e),
            Stmt::Assert { condition, message, warning, .. } => {
                visit(condition);
                visit(message);
                visit(warning);
            }
            Stmt::For(_, e, ..) | Stmt::While(e, ..) => visit(e),
            Stmt::If(branches, _) | Stmt::When(branches, _) => {
                branches.iter_mut().for_each(|(condition, _)| visit(condition));
            }
            Stmt::Break | Stmt::Return => {}
        }
    }

    /// Every expression of the statement and of what stands inside of it, subscripts of targets included.
    pub fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        self.visit_own_exprs_mut(visit);
        self.visit_bodies_mut(&mut |s| s.visit_exprs_mut(visit));
    }

    /// The variables of the model that the statement assigns.
    pub fn visit_vars_mut(&mut self, visit: &mut dyn FnMut(&mut VarId)) {
        match self {
            Stmt::Assign(target, ..) => target.visit_var_mut(visit),
            Stmt::AssignTuple(targets, ..) => {
                targets.iter_mut().flatten().for_each(|t| t.visit_var_mut(visit))
            }
            Stmt::Reinit(var, ..) => visit(var),
            _ => self.visit_bodies_mut(&mut |s| s.visit_vars_mut(visit)),
        }
    }
}

impl LValue {
    fn subscripts(&self) -> impl Iterator<Item = ExprId> {
        let subs = self.path.iter().filter_map(|step| match step {
            Step::Index(subs) => Some(subs),
            Step::Field(_) => None,
        });
        subs.flatten().filter_map(|sub| match sub {
            Sub::At(e) => Some(*e),
            Sub::All => None,
        })
    }

    fn visit_exprs_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        for step in &mut self.path {
            if let Step::Index(subs) = step {
                for sub in subs.iter_mut() {
                    if let Sub::At(e) = sub {
                        visit(e);
                    }
                }
            }
        }
    }

    fn visit_var_mut(&mut self, visit: &mut dyn FnMut(&mut VarId)) {
        if let Target::Var(var) = &mut self.target {
            visit(var);
        }
    }
}
