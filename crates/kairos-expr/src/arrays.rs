//! Builtins that make or reshape arrays of values (MLS 10.3).

use kairos_base::limits;

use crate::{BinOp, Builtin, ReduceOp, Value, arith};

type Answer = Result<Value, String>;

/// Evaluates an array builtin; `None` if it is not one.
pub fn array_builtin(builtin: Builtin, args: &[Value]) -> Option<Answer> {
    Some(match builtin {
        Builtin::MinOf => reduce(ReduceOp::Min, args[0].elements()),
        Builtin::MaxOf => reduce(ReduceOp::Max, args[0].elements()),
        Builtin::Sum => reduce(ReduceOp::Sum, args[0].elements()),
        Builtin::Product => reduce(ReduceOp::Product, args[0].elements()),
        Builtin::Ndims => Ok(Value::Int(args[0].dims().len() as i64)),
        Builtin::Size => size(args),
        Builtin::Zeros => fill(Value::Int(0), args),
        Builtin::Ones => fill(Value::Int(1), args),
        Builtin::Fill => fill(args[0].clone(), &args[1..]),
        Builtin::Linspace => linspace(args),
        Builtin::Identity => {
            whole(&args[0]).and_then(at_most_square).map(|n| square(n, |i, j| Value::Int(i64::from(i == j))))
        }
        Builtin::Diagonal => {
            let v = args[0].elements();
            let zero =
                if matches!(v.first(), Some(Value::Int(_))) { Value::Int(0) } else { Value::Real(0.0) };
            at_most_square(v.len())
                .map(|n| square(n, |i, j| if i == j { v[i].clone() } else { zero.clone() }))
        }
        Builtin::Transpose => transpose(&args[0]),
        Builtin::OuterProduct => outer(&args[0], &args[1]),
        Builtin::Symmetric => {
            let [n, m] = *args[0].dims() else { return Some(Err("symmetric needs a square matrix".into())) };
            if n != m {
                return Some(Err("symmetric needs a square matrix".into()));
            }
            let v = args[0].elements();
            Ok(square(n, |i, j| v[i.min(j) * n + i.max(j)].clone()))
        }
        Builtin::Cross => cross(&args[0], &args[1]),
        Builtin::Skew => skew(&args[0]),
        Builtin::Cat => cat(args),
        Builtin::Scalar => match args[0].elements() {
            [one] => Ok(one.clone()),
            other => Err(format!("scalar() needs one element, there are {}", other.len())),
        },
        Builtin::Vector => Ok(Value::vector(args[0].elements().to_vec())),
        Builtin::Matrix => {
            let dims = args[0].dims();
            let rows = dims.first().copied().unwrap_or(1);
            let columns = dims.get(1).copied().unwrap_or(1);
            Ok(Value::array(vec![rows, columns], args[0].elements().to_vec()))
        }
        Builtin::Promote => whole(&args[1]).map(|n| promote(&args[0], n)),
        _ => return None,
    })
}

/// Folds elements; the empty cases are those of MLS 10.3.4.
pub fn reduce(op: ReduceOp, items: &[Value]) -> Answer {
    let mut items = items.iter();
    let Some(first) = items.next() else {
        return Ok(match op {
            ReduceOp::Sum => Value::Int(0),
            ReduceOp::Product => Value::Int(1),
            ReduceOp::Min => Value::Real(f64::MAX),
            ReduceOp::Max => Value::Real(-f64::MAX),
        });
    };
    items.try_fold(first.clone(), |acc, item| match op {
        ReduceOp::Sum => arith::binary(BinOp::Add, &acc, item),
        ReduceOp::Product => arith::binary(BinOp::Mul, &acc, item),
        ReduceOp::Min => {
            Ok(if arith::binary(BinOp::Lt, item, &acc)? == Value::Bool(true) { item.clone() } else { acc })
        }
        ReduceOp::Max => {
            Ok(if arith::binary(BinOp::Gt, item, &acc)? == Value::Bool(true) { item.clone() } else { acc })
        }
    })
}

/// Adds trailing dimensions of one up to `n` dimensions.
pub fn promote(value: &Value, n: usize) -> Value {
    let mut dims = value.dims().to_vec();
    if dims.len() >= n {
        return value.clone();
    }
    dims.resize(n, 1);
    Value::array(dims, value.elements().to_vec())
}

fn whole(value: &Value) -> Result<usize, String> {
    match value.as_index() {
        Some(n) if n >= 0 => Ok(n as usize),
        _ => Err(format!("{value:?} is not an array size")),
    }
}

fn square(n: usize, item: impl Fn(usize, usize) -> Value) -> Value {
    Value::array(vec![n, n], (0..n * n).map(|k| item(k / n, k % n)).collect())
}

fn size(args: &[Value]) -> Answer {
    let dims = args[0].dims();
    match args.get(1) {
        None => Ok(Value::vector(dims.iter().map(|&d| Value::Int(d as i64)).collect())),
        Some(k) => match k.as_index().and_then(|k| dims.get((k - 1) as usize)) {
            Some(&d) => Ok(Value::Int(d as i64)),
            None => Err(format!("size(…, {k:?}) of an array with {} dimensions", dims.len())),
        },
    }
}

fn fill(item: Value, sizes: &[Value]) -> Answer {
    let mut dims = sizes.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
    let count = dims
        .iter()
        .try_fold(1usize, |n, d| n.checked_mul(*d))
        .filter(|n| n.saturating_mul(item.elements().len().max(1)) <= limits::ELEMENTS);
    let count = count.ok_or_else(|| format!("an array of sizes {dims:?} is too large"))?;
    dims.extend(item.dims());
    let data = (0..count).flat_map(|_| item.elements().iter().cloned()).collect();
    Ok(Value::array(dims, data))
}

fn linspace(args: &[Value]) -> Answer {
    let (Some(a), Some(b)) = (args[0].as_f64(), args[1].as_f64()) else {
        return Err("linspace needs numbers".into());
    };
    let n = whole(&args[2])?;
    if n > limits::ELEMENTS {
        return Err(format!("an array of {n} elements is too large"));
    }
    if n < 2 {
        return Err(format!("linspace needs at least two points, not {n}"));
    }
    Ok(Value::reals((0..n).map(|i| a + (b - a) * i as f64 / (n - 1) as f64)))
}

fn transpose(m: &Value) -> Answer {
    let [rows, columns, ref rest @ ..] = *m.dims() else { return Err("transpose needs a matrix".into()) };
    let size: usize = rest.iter().product();
    let v = m.elements();
    let mut data = Vec::with_capacity(v.len());
    for j in 0..columns {
        for i in 0..rows {
            data.extend_from_slice(&v[(i * columns + j) * size..(i * columns + j + 1) * size]);
        }
    }
    let mut dims = vec![columns, rows];
    dims.extend(rest);
    Ok(Value::array(dims, data))
}

/// The size of a square matrix that has not too many elements.
fn at_most_square(n: usize) -> Result<usize, String> {
    match n.checked_mul(n) {
        Some(count) if count <= limits::ELEMENTS => Ok(n),
        _ => Err(format!("a matrix of {n} rows and columns is too large")),
    }
}

fn outer(a: &Value, b: &Value) -> Answer {
    if a.elements().len().saturating_mul(b.elements().len()) > limits::ELEMENTS {
        return Err("the outer product is too large".into());
    }
    let mut data = Vec::new();
    for x in a.elements() {
        for y in b.elements() {
            data.push(arith::binary(BinOp::Mul, x, y)?);
        }
    }
    Ok(Value::array(vec![a.elements().len(), b.elements().len()], data))
}

fn three(v: &Value) -> Result<[f64; 3], String> {
    match v.elements() {
        [a, b, c] => match (a.as_f64(), b.as_f64(), c.as_f64()) {
            (Some(a), Some(b), Some(c)) => Ok([a, b, c]),
            _ => Err("a vector of numbers is needed".into()),
        },
        other => Err(format!("a vector of three is needed, not of {}", other.len())),
    }
}

fn cross(a: &Value, b: &Value) -> Answer {
    let (a, b) = (three(a)?, three(b)?);
    Ok(Value::reals([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]))
}

fn skew(v: &Value) -> Answer {
    let [x, y, z] = three(v)?;
    let rows = [0.0, -z, y, z, 0.0, -x, -y, x, 0.0];
    Ok(Value::array(vec![3, 3], rows.into_iter().map(Value::Real).collect()))
}

/// `cat(k, a, b, …)`
fn cat(args: &[Value]) -> Answer {
    let k = whole(&args[0])?.wrapping_sub(1);
    let parts = &args[1..];
    let dims = parts[0].dims();
    if k >= dims.len() || parts.iter().any(|p| p.dims().len() != dims.len()) {
        return Err(format!("cat along dimension {} of arrays with {} dimensions", k + 1, dims.len()));
    }
    if parts.iter().any(|p| (0..dims.len()).any(|d| d != k && p.dims()[d] != dims[d])) {
        return Err("cat of arrays whose other sizes differ".into());
    }
    let mut total = dims.to_vec();
    total[k] = parts.iter().map(|p| p.dims()[k]).sum();
    let before: usize = dims[..k].iter().product();
    let mut data = Vec::new();
    for row in 0..before {
        for p in parts {
            let run: usize = p.dims()[k..].iter().product();
            data.extend_from_slice(&p.elements()[row * run..(row + 1) * run]);
        }
    }
    Ok(Value::array(total, data))
}
