//! The modes of a linear motion: eigenvalues with frequency, damping and what takes part in them.

use kairos_native::eigen;

/// One eigenvalue of the state matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The real part, in 1/s: negative for a mode that dies out.
    pub real: f64,
    /// The imaginary part, in rad/s.
    pub imaginary: f64,
    /// The natural frequency in Hz: the magnitude over two pi.
    pub frequency: f64,
    /// The damping ratio: one for a mode that dies out without swinging, zero for one that swings for ever.
    pub damping: f64,
    /// How much each state takes part, in the order of the states; the sum is one. Empty where the vectors do not tell.
    pub participation: Vec<f64>,
}

/// The eigenvalues of a matrix, slowest first.
pub(crate) fn modes(a: &[Vec<f64>]) -> Vec<Mode> {
    let n = a.len();
    let flat: Vec<f64> = a.iter().flatten().copied().collect();
    let mut modes: Vec<Mode> = eigen(n, &flat)
        .into_iter()
        .map(|pair| {
            let (real, imaginary) = pair.value;
            let size = real.hypot(imaginary);
            let product =
                |(r, l): (&(f64, f64), &(f64, f64))| (r.0 * l.0 + r.1 * l.1).hypot(r.1 * l.0 - r.0 * l.1);
            let shares: Vec<f64> = pair.right.iter().zip(&pair.left).map(product).collect();
            let total: f64 = shares.iter().sum();
            Mode {
                real,
                imaginary,
                frequency: size / (2.0 * std::f64::consts::PI),
                damping: if size > 0.0 { -real / size } else { 1.0 },
                participation: match total.is_finite() && total > 0.0 {
                    true => shares.iter().map(|share| share / total).collect(),
                    false => Vec::new(),
                },
            }
        })
        .collect();
    modes.sort_by(|x, y| {
        let size = |mode: &Mode| mode.real.hypot(mode.imaginary);
        size(x).total_cmp(&size(y)).then(y.imaginary.total_cmp(&x.imaginary))
    });
    modes
}
