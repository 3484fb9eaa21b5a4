//! State machines as clocked equations (MLS 17.3): which state is active, and what that means for the equations of states.

mod connected;
mod merge;
mod semantics;
mod structure;

use crate::expand::{Expander, SCALARS};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Type, VarId};
use kairos_model::{ActiveState, Equation, EquationKind, Origin, Variable};
use kairos_sema::CompId;

/// A block that is active or not.
pub struct State {
    pub path: String,
    comp: CompId,
    machine: usize,
    /// Its number in the machine; the initial state is number one.
    number: i64,
    /// True at the ticks at which it acts, the states around it included.
    active: VarId,
    /// True at those of these ticks at which it begins again from its start values.
    reset: VarId,
}

/// States that transitions connect, in the order of their numbers.
struct Machine {
    states: Vec<usize>,
    /// The last one that may fire does, so they stand in the order of falling priority numbers.
    transitions: Vec<Arrow>,
    /// The state that contains the machine.
    around: Option<usize>,
    span: Span,
}

struct Arrow {
    from: i64,
    to: i64,
    condition: ExprId,
    immediate: bool,
    reset: bool,
    synchronize: bool,
    priority: i64,
    span: Span,
}

/// All states of a model, for those who need to know which of them an equation or a variable belongs to.
#[derive(Default)]
pub struct States {
    list: Vec<State>,
    /// A variable that is clocked as all machines of a hierarchy are, by state.
    leader: Vec<VarId>,
}

impl States {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The innermost state that contains an instance.
    pub fn around(&self, path: &str) -> Option<usize> {
        let inside =
            |s: &State| path.strip_prefix(&s.path).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        (0..self.list.len()).filter(|&s| inside(&self.list[s])).max_by_key(|&s| self.list[s].path.len())
    }

    /// The innermost state that declares a variable.
    pub fn of_variable(&self, name: &str) -> Option<usize> {
        let inside = |s: &State| name.strip_prefix(&s.path).is_some_and(|r| r.starts_with('.'));
        (0..self.list.len()).filter(|&s| inside(&self.list[s])).max_by_key(|&s| self.list[s].path.len())
    }

    /// A variable with the clock that everything in the state has.
    pub fn leader(&self, state: usize) -> VarId {
        self.leader[state]
    }

    pub fn activity(&self, x: &mut Expander, state: usize) -> ActiveState {
        let State { active, reset, .. } = self.list[state];
        let mut flag = |v| x.sema.store.var(v, Type::scalar(Scalar::Bool));
        ActiveState { active: flag(active), reset: flag(reset) }
    }
}

/// Adds the equations of all state machines, and makes one definition of what several states define.
pub fn lower(x: &mut Expander, vars: &mut Vec<Variable>, equations: &mut Vec<Equation>) -> States {
    let said = std::mem::take(&mut x.sema.state_machines);
    let mentioned = (0..x.sema.store.len()).any(|e| {
        use Builtin::{ActiveState, TicksInState, TimeInState};
        matches!(
            x.sema.store.node(ExprId::new(e)),
            Node::Builtin(ActiveState | TicksInState | TimeInState, _)
        )
    });
    if said.transitions.is_empty() && said.initial.is_empty() && !mentioned {
        return States::default();
    }
    let span = x.span;
    let mut made = Made { x, vars, equations: Vec::new(), span };
    let (mut states, machines) = structure::find(&mut made, &said);
    connected::merge(&mut made, equations, &states, &machines);
    let counters = semantics::equations(&mut made, &mut states, &machines);
    let mut added = made.equations;
    merge::states(x, vars, equations, &states, &machines, &counters);
    // The conditions of transitions may look back, too.
    merge::look_back(x, vars, &mut added, &states);
    equations.extend(added);
    states
}

/// What the compiler adds: variables, and equations that stand in no state.
struct Made<'m, 's, 'a> {
    x: &'m mut Expander<'s, 'a>,
    vars: &'m mut Vec<Variable>,
    equations: Vec<Equation>,
    span: Span,
}

impl Made<'_, '_, '_> {
    fn variable(&mut self, name: String, ty: Scalar, start: Option<ExprId>) -> VarId {
        let v = VarId(SCALARS + self.vars.len() as u32);
        self.vars.push(Variable { start, ..Variable::made(&name, ty, self.span) });
        self.x.types.push(ty);
        v
    }

    fn value(&mut self, v: VarId) -> ExprId {
        let ty = self.vars[(v.0 - SCALARS) as usize].ty;
        self.x.sema.store.var(v, Type::scalar(ty))
    }

    fn previous(&mut self, v: VarId) -> ExprId {
        let now = self.value(v);
        previous(self.x, now)
    }

    fn define(&mut self, v: VarId, value: ExprId) {
        let origin = Origin { span: self.span, path: Name::EMPTY };
        let kind = EquationKind::Equal(self.value(v), value);
        self.equations.push(Equation { kind, origin, clock: None });
    }
}

fn previous(x: &mut Expander, variable: ExprId) -> ExprId {
    let ty = x.sema.store.ty(variable).clone();
    x.sema.store.add(Node::Builtin(Builtin::Previous, [variable].into()), ty)
}
