//! Variables of the system being worked on: their roles, left limits, derivatives and start values.

use crate::model::Role;
use crate::work::Work;
use kairos_expr::{ExprId, Scalar, Type, VarId};
use kairos_model::{Causality, Origin, Variability, Variable};

impl Work {
    pub fn edge(&mut self, v: VarId) -> ExprId {
        let now = self.var_expr(v);
        let before = self.pre_expr(v);
        let before = self.store.not(before);
        self.store.and(now, before)
    }

    pub fn is_discrete(&self, v: VarId) -> bool {
        matches!(self.roles[v.index()], Role::Discrete | Role::Helper)
    }

    /// Constant between events.
    pub fn is_known_between_events(&self, v: VarId) -> bool {
        !matches!(self.roles[v.index()], Role::Input | Role::State | Role::Algebraic)
    }

    pub fn new_var(&mut self, name: &str, ty: Scalar, role: Role) -> VarId {
        let span = self.here.span;
        self.vars.push(Variable::made(name, ty, span));
        self.roles.push(role);
        self.pre.push(None);
        self.der.push(None);
        VarId::new(self.vars.len() - 1)
    }

    pub fn var_expr(&mut self, v: VarId) -> ExprId {
        let ty = self.vars[v.index()].ty;
        self.store.var(v, Type::scalar(ty))
    }

    /// The variable that holds the left limit of `v`; what is constant over a run is its own.
    pub fn pre_var(&mut self, v: VarId) -> VarId {
        match self.roles[v.index()] {
            Role::Parameter | Role::FreeParameter | Role::Pre(_) => return v,
            _ => {}
        }
        if let Some(known) = self.pre[v.index()] {
            return known;
        }
        let var = &self.vars[v.index()];
        let (name, ty) = (format!("pre({})", var.name), var.ty);
        let pre = self.new_var(&name, ty, Role::Pre(v));
        self.pre[v.index()] = Some(pre);
        pre
    }

    pub fn pre_expr(&mut self, v: VarId) -> ExprId {
        let pre = self.pre_var(v);
        self.var_expr(pre)
    }

    /// The variable that holds the derivative of `v`.
    pub fn der_var(&mut self, v: VarId) -> VarId {
        if let Some(known) = self.der[v.index()] {
            return known;
        }
        let name = format!("der({})", self.vars[v.index()].name);
        let der = self.new_var(&name, Scalar::Real, Role::Algebraic);
        self.der[v.index()] = Some(der);
        der
    }

    /// Discrete inputs follow values that are set from outside: so they have left limits, changes that others see, and
    /// instants like any discrete variable.
    pub fn follow_inputs(&mut self) {
        for v in (0..self.declared).map(VarId::new) {
            let var = &self.vars[v.index()];
            if self.roles[v.index()] != Role::Discrete || !is_input(var) {
                continue;
            }
            let (name, ty, start, span) = (format!("given {}", var.name), var.ty, var.start, var.span);
            let given = self.new_var(&name, ty, Role::Given);
            self.vars[given.index()].start = start;
            let value = self.var_expr(given);
            let origin = Origin { span, ..self.here };
            // An input of a clocked partition is read when its clock ticks.
            let clock = self.vars[v.index()].clock.filter(|clock| !self.is_discretised(*clock));
            match clock.and_then(|clock| self.tick(clock, origin)) {
                Some(tick) => {
                    let own = self.var_expr(v);
                    self.clocked_row(own, value, tick.flag, Some(v), origin);
                }
                None => self.assign(v, value, origin),
            }
            self.assigned.insert(v);
        }
    }

    /// The start value, or the default of the type.
    pub fn start_expr(&mut self, v: VarId) -> ExprId {
        let var = &self.vars[v.index()];
        if let Some(start) = var.start {
            return start;
        }
        match var.ty {
            Scalar::Bool => self.store.bool(false),
            Scalar::Int => self.store.int(0),
            Scalar::Enum(ty) => self.store.literal(ty, 1),
            Scalar::Str => self.store.str(""),
            _ => self.store.zero(),
        }
    }
}

/// Is the variable set from outside, and may it vary between events?
fn is_moving_input(var: &Variable) -> bool {
    is_input(var) && var.variability == Variability::Continuous && var.ty == Scalar::Real
}

fn is_input(var: &Variable) -> bool {
    var.causality == Causality::Input && var.variability > Variability::Parameter
}

pub fn role(var: &Variable, eliminated: bool) -> Role {
    match var.variability {
        _ if eliminated => Role::Alias,
        Variability::Constant => Role::Parameter,
        Variability::Parameter if var.fixed == Some(false) => Role::FreeParameter,
        Variability::Parameter => Role::Parameter,
        _ if is_moving_input(var) => Role::Input,
        Variability::Discrete => Role::Discrete,
        Variability::Continuous if var.ty == Scalar::Real => Role::Algebraic,
        Variability::Continuous => Role::Discrete,
    }
}
