//! Transfer functions and frequency responses of linear models.
//!
//! A transfer function is told by its poles, its zeros and its gain. Poles are the eigenvalues of `A` that the input reaches
//! and the output shows. Zeros are found by orthogonal transformations alone (Emami-Naeini and Van Dooren 1982, for one input
//! and one output): where the output is held at zero, the state that it shows is zero, and the equation of that state
//! becomes the next output, until the input stands in it; what moves then are the zeros.

use crate::linear::Linear;
use crate::modes::Mode;
use kairos_native::eigen;
pub use kairos_numerics::linear::Complex;
use kairos_numerics::linear::{DenseLu, Scalar};

/// Poles and zeros closer than this, relative to their size or to the largest pole, cancel.
const CANCEL: f64 = 1e-7;
/// An entry of less than this, relative to the largest of its kind, is zero.
const ZERO: f64 = 1e-12;

/// From one input to one output: `gain * prod(s - zero) / prod(s - pole)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// The number of the input.
    pub input: usize,
    /// The number of the output.
    pub output: usize,
    /// The factor before the products.
    pub gain: f64,
    /// Where it vanishes.
    pub zeros: Vec<Complex>,
    /// Where it is infinite.
    pub poles: Vec<Complex>,
}

impl Transfer {
    /// The coefficients of the numerator, highest power first.
    pub fn numerator(&self) -> Vec<f64> {
        polynomial(&self.zeros).into_iter().map(|c| self.gain * c).collect()
    }

    /// The coefficients of the denominator, highest power first.
    pub fn denominator(&self) -> Vec<f64> {
        polynomial(&self.poles)
    }

    /// The value for a slow input, infinite with a pole at zero.
    pub fn steady_gain(&self) -> f64 {
        let product = |roots: &[Complex]| roots.iter().fold(Complex::real(1.0), |p, r| p * -*r).re;
        self.gain * product(&self.zeros) / product(&self.poles)
    }

    /// The value at a point of the complex plane.
    pub fn at(&self, s: Complex) -> Complex {
        let above = self.zeros.iter().fold(Complex::real(self.gain), |product, zero| product * (s - *zero));
        self.poles.iter().fold(above, |product, pole| product / (s - *pole))
    }
}

/// The response to vibrations of one input as seen by one output.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The number of the input.
    pub input: usize,
    /// The number of the output.
    pub output: usize,
    /// Output over input, at each frequency.
    pub values: Vec<Complex>,
}

impl Response {
    /// The magnitudes in decibels.
    pub fn decibels(&self) -> Vec<f64> {
        self.values.iter().map(|v| 20.0 * magnitude(*v).log10()).collect()
    }

    /// The phases in degrees, without jumps by a turn.
    pub fn phases(&self) -> Vec<f64> {
        let mut last: f64 = 0.0;
        let unwrapped = |(k, v): (usize, &Complex)| {
            let mut phase = v.im.atan2(v.re).to_degrees();
            if k > 0 {
                phase -= 360.0 * ((phase - last) / 360.0).round();
            }
            last = phase;
            phase
        };
        self.values.iter().enumerate().map(unwrapped).collect()
    }
}

impl Linear {
    /// The transfer functions from every input to every output, input by input.
    pub fn transfers(&self) -> Vec<Transfer> {
        let pairs = (0..self.inputs.len()).flat_map(|i| (0..self.outputs.len()).map(move |o| (i, o)));
        pairs.map(|(input, output)| self.transfer(input, output)).collect()
    }

    /// The transfer function from one input to one output, without what cancels.
    pub fn transfer(&self, input: usize, output: usize) -> Transfer {
        let b = self.b.iter().map(|row| row[input]).collect();
        let (zeros, gain) = zeros(self.a.clone(), b, self.c[output].clone(), self.d[output][input]);
        let mut transfer = Transfer { input, output, gain, zeros, poles: Vec::new() };
        if gain != 0.0 {
            transfer.poles = self.modes.iter().map(root).collect();
            cancel(&mut transfer);
        }
        transfer
    }

    /// Frequencies in Hz that show all of the motion: from a decade below its slowest to a decade above its fastest part.
    pub fn frequencies(&self, count: usize) -> Vec<f64> {
        let sizes = self.transfers().into_iter().flat_map(|t| t.zeros.into_iter().chain(t.poles));
        let sizes: Vec<f64> = sizes.chain(self.modes.iter().map(root)).map(magnitude).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let moving = sizes.iter().copied().filter(|size| *size > 1e-9 * largest && *size > 0.0);
        let (low, high) = moving.fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s), high.max(s)));
        let hertz = |size: f64| size / (2.0 * std::f64::consts::PI);
        let (low, high) = if high > 0.0 { (hertz(low) / 10.0, hertz(high) * 10.0) } else { (0.01, 100.0) };
        let step = (high / low).ln() / (count.max(2) - 1) as f64;
        (0..count.max(2)).map(|k| low * (step * k as f64).exp()).collect()
    }

    /// The responses from every input to every output at frequencies in Hz.
    pub fn responses(&self, frequencies: &[f64]) -> Vec<Response> {
        let pairs = (0..self.inputs.len()).flat_map(|i| (0..self.outputs.len()).map(move |o| (i, o)));
        let mut responses: Vec<Response> =
            pairs.map(|(input, output)| Response { input, output, values: Vec::new() }).collect();
        let n = self.a.len();
        let mut lu: DenseLu<Complex> = DenseLu::new(n);
        for &frequency in frequencies {
            // `(j omega - A) x = b` for every input, factored once.
            let omega = 2.0 * std::f64::consts::PI * frequency;
            for (k, entry) in lu.matrix_mut().iter_mut().enumerate() {
                let (i, j) = (k / n, k % n);
                *entry = Complex { re: -self.a[i][j], im: if i == j { omega } else { 0.0 } };
            }
            let solvable = lu.factor_in_place().is_ok();
            let columns: Vec<Vec<Complex>> = (0..self.inputs.len())
                .map(|input| {
                    let mut x: Vec<Complex> = self.b.iter().map(|row| Complex::real(row[input])).collect();
                    if solvable {
                        lu.solve(&mut x);
                    } else {
                        // At a pole itself the response is infinite.
                        x.iter_mut().filter(|x| x.re != 0.0).for_each(|x| *x = Complex::real(f64::INFINITY));
                    }
                    x
                })
                .collect();
            for response in &mut responses {
                let row = self.c[response.output].iter().zip(&columns[response.input]);
                let through = Complex::real(self.d[response.output][response.input]);
                response.values.push(row.fold(through, |sum, (c, x)| sum + x.scale(*c)));
            }
        }
        responses
    }
}

/// The zeros of `c (s - A)^-1 b + d` and the factor of its leading power; a factor of zero if it is zero everywhere.
fn zeros(mut a: Vec<Vec<f64>>, mut b: Vec<f64>, mut c: Vec<f64>, mut d: f64) -> (Vec<Complex>, f64) {
    let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    // What is small is judged beside what stood in its place at first.
    let inputs = largest(&b).max(d.abs());
    let (mut outputs, mut gain) = (largest(&c).max(d.abs()), 1.0);
    while d.abs() <= ZERO * inputs.max(outputs) || d == 0.0 {
        let n = a.len();
        let length = c.iter().map(|x| x * x).sum::<f64>().sqrt();
        if n == 0 || length <= ZERO * outputs || length == 0.0 {
            return (Vec::new(), 0.0);
        }
        // A reflection turns the row into a multiple of the last unit vector; states turn with it.
        let alpha = if c[n - 1] > 0.0 { -length } else { length };
        let mut v = c.clone();
        v[n - 1] -= alpha;
        let norm: f64 = v.iter().map(|x| x * x).sum();
        if norm > 0.0 {
            let reflect = |x: &mut dyn Iterator<Item = &mut f64>| {
                let mut x: Vec<&mut f64> = x.collect();
                let share = 2.0 * x.iter().zip(&v).map(|(x, v)| **x * v).sum::<f64>() / norm;
                x.iter_mut().zip(&v).for_each(|(x, v)| **x -= share * v);
            };
            a.iter_mut().for_each(|row| reflect(&mut row.iter_mut()));
            (0..n).for_each(|j| reflect(&mut a.iter_mut().map(|row| &mut row[j])));
            reflect(&mut b.iter_mut());
        }
        gain *= alpha;
        let mut last = a.pop().unwrap_or_default();
        last.pop();
        a.iter_mut().for_each(|row| {
            row.pop();
        });
        d = b.pop().unwrap_or(0.0);
        c = last;
        outputs = largest(&c).max(d.abs());
    }
    let n = a.len();
    let flat: Vec<f64> = (0..n * n).map(|k| a[k / n][k % n] - b[k / n] * c[k % n] / d).collect();
    let root = |value: (f64, f64)| Complex { re: value.0, im: value.1 };
    (eigen(n, &flat).into_iter().map(|pair| root(pair.value)).collect(), gain * d)
}

/// Takes away pairs of poles and zeros at the same place.
fn cancel(transfer: &mut Transfer) {
    let scale = transfer.poles.iter().copied().map(magnitude).fold(0.0, f64::max);
    transfer.zeros.retain(|zero| {
        let distance = |pole: &Complex| magnitude(*pole - *zero);
        let near = transfer.poles.iter().enumerate().min_by(|x, y| distance(x.1).total_cmp(&distance(y.1)));
        match near {
            Some((k, pole)) if distance(pole) <= CANCEL * magnitude(*pole).max(1e-3 * scale) => {
                transfer.poles.remove(k);
                false
            }
            _ => true,
        }
    });
}

/// The real polynomial with these roots, highest power first.
fn polynomial(roots: &[Complex]) -> Vec<f64> {
    let mut coefficients = vec![Complex::real(1.0)];
    for root in roots {
        coefficients.push(Complex::default());
        for k in (1..coefficients.len()).rev() {
            let part = coefficients[k - 1] * *root;
            coefficients[k] -= part;
        }
    }
    coefficients.into_iter().map(|c| c.re).collect()
}

fn root(mode: &Mode) -> Complex {
    Complex { re: mode.real, im: mode.imaginary }
}

fn magnitude(z: Complex) -> f64 {
    z.re.hypot(z.im)
}
