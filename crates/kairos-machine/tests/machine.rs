//! Small systems from equations to numbers, without the front end.

use kairos_base::{FileId, Name, Span};
use kairos_causal::{Options, causalise, explain};
use kairos_expr::{BinOp, Builtin, ExprId, Scalar, Store, Type, VarId};
use kairos_machine::shortcuts::Motion;
use kairos_machine::{Changes, Effects, Interpreter, Machine, NoExternals};
use kairos_model::{
    Action, Equation, EquationKind, Experiment, GuardedAction, Origin, ScalarModel, Variable,
};
use kairos_program::assemble;
use std::sync::Arc;

struct Build(ScalarModel);

fn span() -> Span {
    Span::new(FileId(0), 0, 1)
}

impl Build {
    fn new() -> Build {
        Build(ScalarModel {
            name: "test".into(),
            store: Store::default(),
            vars: Vec::new(),
            equations: Vec::new(),
            initial_equations: Vec::new(),
            experiment: Experiment::default(),
            clocks: Vec::new(),
        })
    }

    fn var(&mut self, name: &str, ty: Scalar, start: Option<f64>) -> ExprId {
        let start_expr = start.map(|s| self.0.store.literal_of(ty, s));
        self.0.vars.push(Variable {
            start: start_expr,
            fixed: start.map(|_| true),
            protected: false,
            ..Variable::made(name, ty, span())
        });
        let id = VarId::new(self.0.vars.len() - 1);
        self.0.store.var(id, Type::scalar(ty))
    }

    fn real(&mut self, name: &str) -> ExprId {
        self.var(name, Scalar::Real, None)
    }

    fn der(&mut self, e: ExprId) -> ExprId {
        self.0.store.scalar_builtin(Builtin::Der, &[e])
    }

    fn op(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.0.store.scalar_binary(op, a, b)
    }

    fn num(&mut self, x: f64) -> ExprId {
        self.0.store.real(x)
    }

    fn push(&mut self, kind: EquationKind) {
        self.0.equations.push(Equation {
            kind,
            origin: Origin { span: span(), path: Name::EMPTY },
            clock: None,
        });
    }

    fn equal(&mut self, a: ExprId, b: ExprId) {
        self.push(EquationKind::Equal(a, b));
    }

    fn machine(self) -> Interpreter {
        let checked = causalise(self.0, &Options::default());
        let errors: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let model = checked.value.expect("a model");
        println!("{}", explain(&model));
        Interpreter::new(Arc::new(assemble(model)), Arc::new(NoExternals))
    }
}

fn event(machine: &mut Interpreter) -> Effects {
    let mut effects = Effects::default();
    machine.event(&[], false, &mut effects).expect("event");
    effects
}

fn value(machine: &Interpreter, name: &str) -> f64 {
    let var = machine.info().vars.iter().find(|v| v.name == name).expect("a variable");
    let x = machine.values()[var.slot as usize];
    if var.negated { -x } else { x }
}

#[test]
fn an_explicit_ode_with_algebraic_variables() {
    let mut b = Build::new();
    let x = b.var("x", Scalar::Real, Some(2.0));
    let (y, z) = (b.real("y"), b.real("z"));
    let dx = b.der(x);
    let minus = b.0.store.negate(y);
    b.equal(dx, minus);
    let three = b.num(3.0);
    let product = b.op(BinOp::Mul, three, x);
    b.equal(product, y);
    let sum = b.op(BinOp::Add, y, z);
    let ten = b.num(10.0);
    b.equal(sum, ten);
    let mut m = b.machine();
    m.set_time(0.0);
    m.initialise().expect("initial values");
    let mut dx = [0.0];
    m.derivatives(&mut dx).expect("derivatives");
    assert_eq!(dx[0], -6.0);
    m.set_states(&[1.0]);
    m.outputs().expect("outputs");
    assert_eq!(value(&m, "z"), 7.0);
}

#[test]
fn a_ball_bounces_by_reinit() {
    let mut b = Build::new();
    let (h, v) = (b.var("h", Scalar::Real, Some(1.0)), b.var("v", Scalar::Real, Some(0.0)));
    let n = b.var("n", Scalar::Int, Some(0.0));
    let (dh, dv) = (b.der(h), b.der(v));
    b.equal(dh, v);
    let g = b.num(-9.81);
    b.equal(dv, g);
    let zero = b.0.store.int(0);
    let hit = b.op(BinOp::Lt, h, zero);
    let before = b.0.store.scalar_builtin(Builtin::Pre, &[v]);
    let factor = b.num(-0.5);
    let back = b.op(BinOp::Mul, factor, before);
    let action = Action::Reinit(VarId(1), back);
    let always = GuardedAction { guard: None, action, span: span() };
    b.push(EquationKind::WhenDo(vec![(vec![hit], vec![always])]));
    let pre = b.0.store.scalar_builtin(Builtin::Pre, &[n]);
    let one = b.0.store.int(1);
    let next = b.op(BinOp::Add, pre, one);
    b.push(EquationKind::WhenAssign { var: VarId(2), branches: vec![(vec![hit], next)] });
    let mut m = b.machine();
    m.set_time(0.0);
    m.initialise().expect("initial values");
    assert!(event(&mut m).reinits.is_empty());
    m.advance_pre(&mut Changes::default());
    m.set_time(0.5);
    m.set_states(&[-1e-9, -4.0]);
    m.advance_pre(&mut Changes::default());
    let effects = event(&mut m);
    assert_eq!(effects.reinits, vec![(1, 2.0)]);
    assert_eq!(value(&m, "n"), 1.0);
    let mut changes = Changes::default();
    m.advance_pre(&mut changes);
    assert_eq!(changes.discrete.len(), 1);
    assert!(event(&mut m).reinits.is_empty());
}

#[test]
fn an_ideal_diode_is_a_mixed_block() {
    let mut b = Build::new();
    let (s, u, i) = (b.real("s"), b.real("u"), b.real("i"));
    let off = b.var("off", Scalar::Bool, None);
    let x = b.var("x", Scalar::Real, Some(2.0));
    let one = b.num(1.0);
    let dx = b.der(x);
    b.equal(dx, one);
    let zero = b.num(0.0);
    let test = b.op(BinOp::Lt, s, zero);
    b.equal(off, test);
    let first = b.0.store.if_else(off, s, zero);
    b.equal(u, first);
    let second = b.0.store.if_else(off, zero, s);
    b.equal(i, second);
    let sum = b.op(BinOp::Add, u, i);
    b.equal(x, sum);
    let mut m = b.machine();
    m.set_time(0.0);
    m.initialise().expect("initial values");
    assert_eq!((value(&m, "i"), value(&m, "off")), (2.0, 0.0));
    m.set_states(&[-3.0]);
    event(&mut m);
    assert_eq!((value(&m, "u"), value(&m, "i"), value(&m, "off")), (-3.0, 0.0, 1.0));
}

#[test]
fn a_pendulum_is_reduced_to_two_states() {
    let mut b = Build::new();
    let (x, y) = (b.var("x", Scalar::Real, None), b.var("y", Scalar::Real, None));
    let (vx, vy, f) = (b.real("vx"), b.real("vy"), b.real("f"));
    let start = b.num(0.6);
    b.0.vars[0].start = Some(start);
    let start = b.num(-0.8);
    b.0.vars[1].start = Some(start);
    let (dx, dy, dvx, dvy) = (b.der(x), b.der(y), b.der(vx), b.der(vy));
    b.equal(dx, vx);
    b.equal(dy, vy);
    let fx = b.op(BinOp::Mul, f, x);
    b.equal(dvx, fx);
    let fy = b.op(BinOp::Mul, f, y);
    let g = b.num(10.0);
    let fall = b.op(BinOp::Sub, fy, g);
    b.equal(dvy, fall);
    let (xx, yy) = (b.op(BinOp::Mul, x, x), b.op(BinOp::Mul, y, y));
    let sum = b.op(BinOp::Add, xx, yy);
    let one = b.num(1.0);
    b.equal(sum, one);
    let mut m = b.machine();
    assert_eq!(m.info().states.len(), 2);
    m.set_time(0.0);
    let report = m.initialise().expect("initial values");
    println!("{report:?} {:?}", m.info().state_names);
    m.outputs().expect("outputs");
    // At rest the rod carries the radial part of the weight: f = 10 y.
    assert!((value(&m, "f") - 10.0 * value(&m, "y")).abs() < 1e-9, "{}", value(&m, "f"));
}

#[test]
fn the_state_jacobian_is_exact_through_loops() {
    let mut b = Build::new();
    let (x, v) = (b.var("x", Scalar::Real, Some(0.3)), b.var("v", Scalar::Real, Some(0.7)));
    let (y, f) = (b.real("y"), b.real("f"));
    let (dx, dv) = (b.der(x), b.der(v));
    b.equal(dx, v);
    b.equal(dv, f);
    // y + y^3 = x v, f = -sin(y) x
    let three = b.num(3.0);
    let cube = b.op(BinOp::Pow, y, three);
    let left = b.op(BinOp::Add, y, cube);
    let right = b.op(BinOp::Mul, x, v);
    b.equal(left, right);
    let sin = b.0.store.scalar_builtin(Builtin::Sin, &[y]);
    let product = b.op(BinOp::Mul, sin, x);
    let minus = b.0.store.negate(product);
    b.equal(f, minus);
    let mut m = b.machine();
    m.initialise().expect("initial values");
    let pattern = m.info().jacobian_columns.clone();
    let mut exact: Vec<Vec<f64>> = pattern.iter().map(|c| vec![0.0; c.len()]).collect();
    assert!(m.jacobian(&mut exact).expect("jacobian"));
    let at = [0.3, 0.7];
    for column in 0..2 {
        let side = |m: &mut Interpreter, h: f64| {
            let mut x = at;
            x[column] += h;
            m.set_states(&x);
            let mut dx = [0.0; 2];
            m.derivatives(&mut dx).expect("derivatives");
            dx
        };
        let (up, down) = (side(&mut m, 1e-6), side(&mut m, -1e-6));
        for (k, &row) in pattern[column].iter().enumerate() {
            let slope = (up[row as usize] - down[row as usize]) / 2e-6;
            assert!((slope - exact[column][k]).abs() < 1e-8, "{slope} {}", exact[column][k]);
        }
    }
}
