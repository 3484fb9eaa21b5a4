//! Loops of algorithm sections whose number of turns is known only in a run: they become functions.

use kairos_base::{Name, Span};
use kairos_expr::{
    Builtin, ExprId, ExprMap, Function, FunctionId, IterId, LValue, Local, LocalId, LocalKind, Node, Stmt,
    Store, Target, TypeId, VarId,
};

/// The variables that a statement assigns, ascending; `None` where it does something else that outlasts it.
pub fn assigned(statement: &Stmt) -> Option<Vec<VarId>> {
    let mut list = Vec::new();
    add_assigned(std::slice::from_ref(statement), &mut list)?;
    list.sort_unstable();
    list.dedup();
    Some(list)
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
            Stmt::If(branches, otherwise) => {
                for body in branches.iter().map(|(_, body)| body).chain([otherwise]) {
                    add_assigned(body, out)?;
                }
            }
            Stmt::For(_, _, body, _) | Stmt::While(_, body, _) => add_assigned(body, out)?,
            Stmt::Assert { .. } | Stmt::Break => {}
            Stmt::Call(..) | Stmt::When(..) | Stmt::Terminate(..) | Stmt::Reinit(..) | Stmt::Return => {
                return None;
            }
        }
    }
    Some(())
}

fn variable(place: &LValue) -> Option<VarId> {
    match (place.target, place.path.is_empty()) {
        (Target::Var(v), true) => Some(v),
        _ => None,
    }
}

/// Makes a function of a loop that assigns these variables: each goes in as it is before, and comes out as it is after. Gives
/// the function and its arguments.
///
/// What speaks of events or of time goes in as well, since it stays the same while the loop turns, and so do the iterators of
/// loops around it.
pub fn outline(
    store: &mut Store,
    statement: &Stmt,
    outputs: &[(VarId, ExprId)],
    outer: &[IterId],
    span: Span,
) -> Option<(FunctionId, Vec<ExprId>)> {
    let (locals, inputs, args, places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut work = Outline { store, locals, inputs, args, places, outer, span };
    let mut body = Vec::new();
    for &(v, e) in outputs {
        let ty = work.store.type_id(e);
        let before = work.input(e);
        let after = work.local(LocalKind::Output, ty);
        body.push(Stmt::Assign(local(after), before, span));
        work.places.push((v, after));
    }
    body.extend(work.statements(std::slice::from_ref(statement))?);
    let Outline { store, locals, inputs, args, places, .. } = work;
    let function = FunctionId::new(store.functions.len());
    let name = Name::new(&format!("loop {}", function.index()));
    let outputs = places.iter().map(|(_, local)| *local).collect();
    store.functions.push(Function::of_statements(name, locals, inputs, outputs, body, span));
    Some((function, args))
}

struct Outline<'a> {
    store: &'a mut Store,
    locals: Vec<Local>,
    inputs: Vec<LocalId>,
    args: Vec<ExprId>,
    /// Variables that are assigned, and where they stand meanwhile.
    places: Vec<(VarId, LocalId)>,
    /// Iterators of loops around it.
    outer: &'a [IterId],
    span: Span,
}

impl Outline<'_> {
    fn local(&mut self, kind: LocalKind, ty: TypeId) -> LocalId {
        let id = LocalId::new(self.locals.len());
        let name = Name::new(&format!("v{}", id.index()));
        self.locals.push(Local { name, kind, ty, dims: Vec::new(), value: None, span: self.span });
        id
    }

    /// The input that an expression of the model comes in by.
    fn input(&mut self, e: ExprId) -> ExprId {
        let ty = self.store.type_id(e);
        let known = self.args.iter().position(|&arg| arg == e);
        let id = match known {
            Some(at) => self.inputs[at],
            None => {
                let id = self.local(LocalKind::Input, ty);
                self.inputs.push(id);
                self.args.push(e);
                id
            }
        };
        self.store.local(id, ty)
    }

    fn expression(&mut self, e: ExprId) -> ExprId {
        let mut memo = ExprMap::default();
        for node in self.store.post_order(&[e], |_| false) {
            let ty = self.store.type_id(node);
            let place = match self.store.node(node) {
                Node::Var(v) => self.places.iter().find(|(w, _)| w == v).map(|(_, local)| *local),
                _ => None,
            };
            let inside = match place {
                Some(local) => self.store.local(local, ty),
                None if self.stays(node) => self.input(node),
                None => continue,
            };
            memo.insert(node, inside);
        }
        self.store.rewrite(e, &mut memo, &mut |_, e| e)
    }

    /// Is this something of the model that no turn of the loop changes?
    fn stays(&self, e: ExprId) -> bool {
        use Builtin::{Change, Der, Edge, Initial, Pre, Previous, Sample, Terminal};
        match self.store.node(e) {
            Node::Var(_) | Node::Time | Node::Relation(_) => true,
            Node::Iter(iterator) => self.outer.contains(iterator),
            Node::Builtin(Pre | Previous | Der | Edge | Change | Initial | Terminal | Sample, _) => true,
            _ => false,
        }
    }

    fn statements(&mut self, list: &[Stmt]) -> Option<Vec<Stmt>> {
        list.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Stmt> {
        Some(match statement {
            Stmt::Assign(place, value, span) => {
                Stmt::Assign(self.place(place)?, self.expression(*value), *span)
            }
            Stmt::AssignTuple(places, call, span) => {
                let mut inside = Vec::new();
                for place in places {
                    inside.push(match place {
                        Some(place) => Some(self.place(place)?),
                        None => None,
                    });
                }
                Stmt::AssignTuple(inside, self.expression(*call), *span)
            }
            Stmt::If(branches, otherwise) => {
                let mut inside = Vec::new();
                for (condition, body) in branches {
                    inside.push((self.expression(*condition), self.statements(body)?));
                }
                Stmt::If(inside, self.statements(otherwise)?)
            }
            Stmt::For(iterator, range, body, span) => {
                Stmt::For(*iterator, self.expression(*range), self.statements(body)?, *span)
            }
            Stmt::While(condition, body, span) => {
                Stmt::While(self.expression(*condition), self.statements(body)?, *span)
            }
            Stmt::Assert { condition, message, warning, span } => Stmt::Assert {
                condition: self.expression(*condition),
                message: self.expression(*message),
                warning: *warning,
                span: *span,
            },
            Stmt::Break => Stmt::Break,
            _ => return None,
        })
    }

    fn place(&self, place: &LValue) -> Option<LValue> {
        let v = variable(place)?;
        self.places.iter().find(|(w, _)| *w == v).map(|(_, id)| local(*id))
    }
}

fn local(id: LocalId) -> LValue {
    LValue { target: Target::Local(id), path: Vec::new() }
}
