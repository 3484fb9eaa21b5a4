//! Statements and expressions of a model that become functions of their own, since only a run knows how often they turn or how
//! large their arrays are.

use crate::{
    Builtin, ExprId, ExprMap, Function, IterId, LValue, Local, LocalId, LocalKind, Node, Scalar, Step, Stmt,
    Store, Sub, Target, TypeId, VarId,
};
use kairos_base::{Name, Span};

/// What a model calls in place of its own text.
pub struct Outlined {
    pub function: Function,
    pub args: Vec<ExprId>,
}

impl Outlined {
    /// A function of a statement that assigns these variables, given as expressions: each goes in as it is before, and comes
    /// out as it is after.
    ///
    /// What speaks of events or of time goes in as well, since it stays the same meanwhile, and so do the iterators of loops
    /// around it. `None`: the statement does something that a function cannot do, or a size is not known.
    pub fn of_statement(
        store: &mut Store,
        statement: &Stmt,
        assigned: &[ExprId],
        outer: &[IterId],
        span: Span,
    ) -> Option<Outlined> {
        let mut work = Outline::new(store, outer, span);
        for &variable in assigned {
            let Node::Var(v) = *work.store.node(variable) else { return None };
            let before = work.input(variable)?;
            let after = work.output(work.store.type_id(variable))?;
            work.body.push(Stmt::Assign(whole(Target::Local(after)), before, span));
            work.places.push((v, after));
        }
        let inside = work.statement(statement)?;
        work.body.push(inside);
        Some(work.end())
    }

    /// A function that has the value of an expression.
    pub fn of_expression(store: &mut Store, e: ExprId, outer: &[IterId], span: Span) -> Option<Outlined> {
        let mut work = Outline::new(store, outer, span);
        let inside = work.expression(e)?;
        let result = work.output(work.store.type_id(e))?;
        work.body.push(Stmt::Assign(whole(Target::Local(result)), inside, span));
        Some(work.end())
    }
}

impl Stmt {
    /// The variables that it assigns, ascending; `None` where it does something else that outlasts it.
    pub fn assigned(&self) -> Option<Vec<VarId>> {
        let mut list = Vec::new();
        add_assigned(std::slice::from_ref(self), &mut list)?;
        list.sort_unstable();
        list.dedup();
        Some(list)
    }
}

fn add_assigned(statements: &[Stmt], out: &mut Vec<VarId>) -> Option<()> {
    for statement in statements {
        match statement {
            Stmt::Assign(place, ..) => out.push(variable(place)?),
            Stmt::AssignTuple(places, ..) => {
                for place in places.iter().flatten() {
                    out.push(variable(place)?);
                }
            }
            Stmt::If(..) | Stmt::For(..) | Stmt::While(..) => {
                for body in statement.bodies() {
                    add_assigned(body, out)?;
                }
            }
            Stmt::Assert { .. } | Stmt::Break => {}
            Stmt::Call(..) | Stmt::When(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::Return => {
                return None;
            }
        }
    }
    Some(())
}

fn variable(place: &LValue) -> Option<VarId> {
    match place.target {
        Target::Var(v) => Some(v),
        Target::Local(_) => None,
    }
}

fn whole(target: Target) -> LValue {
    LValue { target, path: Vec::new() }
}

struct Outline<'a> {
    store: &'a mut Store,
    /// Iterators of loops around it.
    outer: &'a [IterId],
    span: Span,
    locals: Vec<Local>,
    inputs: Vec<LocalId>,
    args: Vec<ExprId>,
    outputs: Vec<LocalId>,
    /// Variables that are assigned, and where they stand meanwhile.
    places: Vec<(VarId, LocalId)>,
    body: Vec<Stmt>,
}

impl<'a> Outline<'a> {
    fn new(store: &'a mut Store, outer: &'a [IterId], span: Span) -> Self {
        let (locals, inputs, args, outputs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { store, outer, span, locals, inputs, args, outputs, places: Vec::new(), body: Vec::new() }
    }

    fn end(self) -> Outlined {
        let Outline { store, span, locals, inputs, args, outputs, body, .. } = self;
        let name = Name::new(&format!("statement {}", store.functions.len()));
        Outlined { function: Function::of_statements(name, locals, inputs, outputs, body, span), args }
    }

    fn local(&mut self, kind: LocalKind, ty: TypeId) -> Option<LocalId> {
        let id = LocalId::new(self.locals.len());
        let name = Name::new(&format!("v{}", id.index()));
        let wanted = self.store.get_type(ty);
        if let Scalar::Clock | Scalar::Function | Scalar::Tuple | Scalar::Error = wanted.scalar {
            return None;
        }
        let sizes: Vec<usize> = wanted.dims.iter().map(|dim| dim.known()).collect::<Option<_>>()?;
        let dims = sizes.into_iter().map(|n| Some(self.store.int(n as i64))).collect();
        self.locals.push(Local { name, kind, ty, dims, value: None, span: self.span });
        Some(id)
    }

    fn output(&mut self, ty: TypeId) -> Option<LocalId> {
        let id = self.local(LocalKind::Output, ty)?;
        self.outputs.push(id);
        Some(id)
    }

    /// The input that an expression of the model comes in by.
    fn input(&mut self, e: ExprId) -> Option<ExprId> {
        let ty = self.store.type_id(e);
        let id = match self.args.iter().position(|&arg| arg == e) {
            Some(at) => self.inputs[at],
            None => {
                let id = self.local(LocalKind::Input, ty)?;
                self.inputs.push(id);
                self.args.push(e);
                id
            }
        };
        Some(self.store.local(id, ty))
    }

    fn expression(&mut self, e: ExprId) -> Option<ExprId> {
        let mut memo = ExprMap::default();
        // Operators that speak of a variable come in as they are, and their variable does not.
        let mut operators = Vec::new();
        let order = self.store.post_order(&[e], |e| {
            let cut = self.is_operator(e);
            operators.extend(cut.then_some(e));
            cut
        });
        for node in operators.into_iter().chain(order) {
            let place = match self.store.node(node) {
                Node::Var(v) => self.places.iter().find(|(w, _)| w == v).map(|(_, local)| *local),
                _ => None,
            };
            let inside = match place {
                Some(local) => {
                    let ty = self.store.type_id(node);
                    self.store.local(local, ty)
                }
                None if self.comes_in(node) => self.input(node)?,
                None => continue,
            };
            memo.insert(node, inside);
        }
        Some(self.store.rewrite(e, &mut memo, &mut |_, e| e))
    }

    fn is_operator(&self, e: ExprId) -> bool {
        use Builtin::{Change, Der, Edge, Initial, Pre, Previous, Sample, Terminal};
        let node = self.store.node(e);
        matches!(node, Node::Builtin(Pre | Previous | Der | Edge | Change | Initial | Terminal | Sample, _))
    }

    /// Is this something of the model, which a function does not see and which stays the same while it runs?
    fn comes_in(&self, e: ExprId) -> bool {
        match self.store.node(e) {
            Node::Var(_) | Node::Time | Node::Relation(_) => true,
            Node::Iter(iterator) => self.outer.contains(iterator),
            _ => self.is_operator(e),
        }
    }

    fn statements(&mut self, list: &[Stmt]) -> Option<Vec<Stmt>> {
        list.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Stmt> {
        Some(match statement {
            Stmt::Assign(place, value, span) => {
                Stmt::Assign(self.place(place)?, self.expression(*value)?, *span)
            }
            Stmt::AssignTuple(places, call, span) => {
                let mut inside = Vec::with_capacity(places.len());
                for place in places {
                    inside.push(match place {
                        Some(place) => Some(self.place(place)?),
                        None => None,
                    });
                }
                Stmt::AssignTuple(inside, self.expression(*call)?, *span)
            }
            Stmt::If(branches, otherwise) => {
                let mut inside = Vec::with_capacity(branches.len());
                for (condition, body) in branches {
                    inside.push((self.expression(*condition)?, self.statements(body)?));
                }
                Stmt::If(inside, self.statements(otherwise)?)
            }
            Stmt::For(iterator, range, body, span) => {
                Stmt::For(*iterator, self.expression(*range)?, self.statements(body)?, *span)
            }
            Stmt::While(condition, body, span) => {
                Stmt::While(self.expression(*condition)?, self.statements(body)?, *span)
            }
            Stmt::Assert { condition, message, warning, span } => Stmt::Assert {
                condition: self.expression(*condition)?,
                message: self.expression(*message)?,
                warning: *warning,
                span: *span,
            },
            Stmt::Break => Stmt::Break,
            Stmt::Call(..) | Stmt::When(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::Return => {
                return None;
            }
        })
    }

    fn place(&mut self, place: &LValue) -> Option<LValue> {
        let v = variable(place)?;
        let (_, local) = *self.places.iter().find(|(w, _)| *w == v)?;
        let mut path = Vec::with_capacity(place.path.len());
        for step in &place.path {
            path.push(match step {
                Step::Field(k) => Step::Field(*k),
                Step::Index(subs) => {
                    let mut inside = Vec::with_capacity(subs.len());
                    for sub in subs.iter() {
                        inside.push(match sub {
                            Sub::All => Sub::All,
                            Sub::At(e) => Sub::At(self.expression(*e)?),
                        });
                    }
                    Step::Index(inside.into())
                }
            });
        }
        Some(LValue { target: Target::Local(local), path })
    }
}
