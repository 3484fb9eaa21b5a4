//! Derivatives, solutions and texts of expressions, against numbers.

use kairos_base::Name;
use kairos_expr::{
    Answer, BinOp, Body, Builtin, Env, ExprId, ExprMap, Function, Inline, LValue, Local, LocalId, LocalKind,
    Node, Scalar, Stmt, Store, Target, Type, Value, VarId, evaluate, print,
};

struct At(Vec<f64>);

impl Env for At {
    fn var(&self, v: VarId) -> Answer {
        Ok(Value::Real(self.0[v.index()]))
    }
}

fn real(store: &mut Store, v: u32) -> ExprId {
    store.var(VarId(v), Type::scalar(Scalar::Real))
}

fn value(store: &Store, e: ExprId, at: &[f64]) -> f64 {
    evaluate(store, &At(at.to_vec()), e).expect("a value").as_f64().expect("a number")
}

fn partial(store: &mut Store, e: ExprId, v: u32) -> ExprId {
    let mut memo = ExprMap::default();
    let d = store.differentiate(e, &mut memo, &mut |store, leaf| match *store.node(leaf) {
        Node::Var(w) if w.0 == v => Ok(Some(store.real(1.0))),
        _ => Ok(None),
    });
    d.expect("differentiable").unwrap_or_else(|| store.zero())
}

fn check_derivative(store: &mut Store, e: ExprId, at: f64) {
    let d = partial(store, e, 0);
    let h = 1e-6;
    let slope = (value(store, e, &[at + h, 0.7]) - value(store, e, &[at - h, 0.7])) / (2.0 * h);
    let exact = value(store, d, &[at, 0.7]);
    assert!((slope - exact).abs() < 1e-6 * (1.0 + exact.abs()), "{slope} {exact}");
}

#[test]
fn builtins_have_exact_slopes() {
    use Builtin::*;
    for f in [Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Log10, Sqrt, Abs] {
        let mut store = Store::default();
        let x = real(&mut store, 0);
        let e = store.apply(f, &[x]);
        check_derivative(&mut store, e, 0.37);
    }
    for f in [Atan2, Min2, Max2, Mod] {
        let mut store = Store::default();
        let (x, y) = (real(&mut store, 0), real(&mut store, 1));
        let e = store.apply(f, &[x, y]);
        check_derivative(&mut store, e, 0.37);
    }
}

#[test]
fn products_quotients_and_powers() {
    let mut store = Store::default();
    let (x, y) = (real(&mut store, 0), real(&mut store, 1));
    let three = store.int(3);
    let cube = store.power(x, three);
    let product = store.times(cube, y);
    let sum = store.plus(x, y);
    let quotient = store.over(product, sum);
    let e = store.power(quotient, x);
    check_derivative(&mut store, e, 0.37);
}

#[test]
fn a_function_is_differentiated_through_its_statements() {
    let mut store = Store::default();
    let ty = store.intern_type(Type::scalar(Scalar::Real));
    let span = kairos_base::Span::new(kairos_base::FileId(0), 0, 0);
    let local = |name: &str, kind| Local { name: Name::new(name), kind, ty, dims: vec![], value: None, span };
    let (u, w, y) = (LocalId(0), LocalId(1), LocalId(2));
    let locals =
        vec![local("u", LocalKind::Input), local("w", LocalKind::Protected), local("y", LocalKind::Output)];
    // w := u*u; y := sin(w); y := y*u
    let (eu, ew, ey) = (store.local(u, ty), store.local(w, ty), store.local(y, ty));
    let square = store.times(eu, eu);
    let sin = store.apply(Builtin::Sin, &[ew]);
    let last = store.times(ey, eu);
    let set =
        |to: LocalId, e: ExprId| Stmt::Assign(LValue { target: Target::Local(to), path: vec![] }, e, span);
    store.functions.push(Function {
        name: Name::new("f"),
        locals,
        inputs: vec![u],
        outputs: vec![y],
        body: Body::Statements(vec![set(w, square), set(y, sin), set(y, last)]),
        pure: true,
        inline: Inline::Never,
        smooth_order: None,
        generate_events: false,
        derivatives: vec![],
        inverses: vec![],
        span,
    });
    let x = real(&mut store, 0);
    let call = store.call(kairos_expr::FunctionId(0), [x].into());
    check_derivative(&mut store, call, 0.37);
}

#[test]
fn equations_are_solved_for_a_variable() {
    let mut store = Store::default();
    let (x, y) = (real(&mut store, 0), real(&mut store, 1));
    // 2 x + y = exp(y): linear in x
    let two = store.real(2.0);
    let left = store.times(two, x);
    let left = store.plus(left, y);
    let right = store.apply(Builtin::Exp, &[y]);
    let solution = store.solve(left, right, VarId(0)).expect("a solution");
    assert_eq!(solution.divisor, None);
    assert!((value(&store, solution.value, &[0.0, 1.0]) - (1f64.exp() - 1.0) / 2.0).abs() < 1e-15);
    // log(3 x) = y: through the inverse
    let three = store.real(3.0);
    let inside = store.times(three, x);
    let log = store.apply(Builtin::Log, &[inside]);
    let solution = store.solve(log, y, VarId(0)).expect("a solution");
    assert!((value(&store, solution.value, &[0.0, 1.0]) - 1f64.exp() / 3.0).abs() < 1e-15);
    // if y > 0 then x else 2 x = 1: the divisor depends on the branch
    let zero = store.int(0);
    let test = store.compare(BinOp::Gt, y, zero);
    let twice = store.times(two, x);
    let branch = store.choose(test, x, twice);
    let one = store.real(1.0);
    let solution = store.solve(branch, one, VarId(0)).expect("a solution");
    assert!(solution.divisor.is_some());
    assert_eq!(value(&store, solution.value, &[0.0, -1.0]), 0.5);
}

#[test]
fn shared_nodes_cost_once() {
    // x -> x*x forty times: 2^40 as a tree, forty nodes as a graph.
    let mut store = Store::default();
    let x = real(&mut store, 0);
    let mut e = x;
    for _ in 0..40 {
        let next = store.times(e, e);
        e = next;
    }
    let d = partial(&mut store, e, 0);
    assert!(store.post_order(&[d], |_| false).len() < 400);
}

#[test]
fn texts_read_as_modelica() {
    let mut store = Store::default();
    let (x, y) = (real(&mut store, 0), real(&mut store, 1));
    let sum = store.plus(x, y);
    let product = store.times(sum, y);
    let less = store.minus(product, x);
    let names = |v: VarId| ["x", "y"][v.index()].to_string();
    assert_eq!(print(&store, less, &names), "(x + y)*y - x");
}
