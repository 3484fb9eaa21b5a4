//! The discrete Fourier transform of real samples.

use std::f64::consts::TAU;

use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[NativeFn::new("ModelicaFFT_kiss_fftr", Kind::Pure, real_fft)];

type Complex = (f64, f64);

// (u, nu, work, nwork, &amplitudes, &phases) -> 0 done, 1 odd size, 2 too little work space, 3 another error
fn real_fft(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (samples, n, work) = (a.reals(0)?, a.size(1)?, a.size(3)?);
    let frequencies = n / 2 + 1;
    let info = if !n.is_multiple_of(2) {
        1
    } else if work < 3 * n + 2 * frequencies {
        2
    } else if samples.len() < n || n == 0 {
        3
    } else {
        let spectrum = transform(&samples[..n]);
        // MSL divides by the number of frequencies and corrects the factor afterwards.
        let amplitude = |&(re, im): &Complex| re.hypot(im) / frequencies as f64;
        let phase = |&(re, im): &Complex| im.atan2(re);
        a.set(4, Arg::reals(spectrum[..frequencies].iter().map(amplitude).collect()))?;
        a.set(5, Arg::reals(spectrum[..frequencies].iter().map(phase).collect()))?;
        0
    };
    Ok(Some(Arg::Int(info)))
}

/// The full spectrum of real samples, for every size; fast when the size has small prime factors.
fn transform(samples: &[f64]) -> Vec<Complex> {
    let n = samples.len();
    let roots: Vec<Complex> =
        (0..n).map(|k| (-TAU * k as f64 / n as f64).sin_cos()).map(|(s, c)| (c, s)).collect();
    let samples: Vec<Complex> = samples.iter().map(|&value| (value, 0.0)).collect();
    split(&samples, 0, 1, n, &roots)
}

/// Transforms every `stride`-th sample by splitting off the smallest prime factor of their number.
fn split(samples: &[Complex], first: usize, stride: usize, count: usize, roots: &[Complex]) -> Vec<Complex> {
    if count == 1 {
        return vec![samples[first]];
    }
    let factor = (2..).take_while(|f| f * f <= count).find(|f| count.is_multiple_of(*f)).unwrap_or(count);
    let inner = count / factor;
    let parts: Vec<Vec<Complex>> =
        (0..factor).map(|i| split(samples, first + i * stride, stride * factor, inner, roots)).collect();
    let combine = |k: usize| {
        parts.iter().enumerate().fold((0.0, 0.0), |(re, im), (i, part)| {
            let (c, s) = roots[i * k * stride % roots.len()];
            let (x, y) = part[k % inner];
            (re + x * c - y * s, im + x * s + y * c)
        })
    };
    (0..count).map(combine).collect()
}
