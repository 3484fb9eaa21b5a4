//! Small dense matrices of the oracles. They share no code with the engine, which has its own.

/// The inverse by Gauss and Jordan; `None` if there is none.
pub fn inverse(mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for c in 0..n {
        let p = (c..n).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs()))?;
        if a[p][c].abs() < 1e-13 {
            return None;
        }
        a.swap(c, p);
        let pivot = a[c][c];
        a[c].iter_mut().for_each(|x| *x /= pivot);
        let row = a[c].clone();
        for (i, other) in a.iter_mut().enumerate() {
            let factor = other[c];
            if i != c && factor != 0.0 {
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    Some(a.into_iter().map(|row| row[n..].to_vec()).collect())
}
