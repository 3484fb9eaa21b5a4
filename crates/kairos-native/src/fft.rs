//! The discrete Fourier transform of real samples.

use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

pub(crate) const FUNCTIONS: &[NativeFn] = &[NativeFn::new("ModelicaFFT_kiss_fftr", Kind::Pure, real_fft)];

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
        let amplitude = |value: &Complex<f64>| value.norm() / frequencies as f64;
        let phase = |value: &Complex<f64>| value.arg();
        a.set(4, Arg::reals(spectrum[..frequencies].iter().map(amplitude).collect()))?;
        a.set(5, Arg::reals(spectrum[..frequencies].iter().map(phase).collect()))?;
        0
    };
    Ok(Some(Arg::Int(info)))
}

/// The full spectrum of real samples, for every size.
fn transform(samples: &[f64]) -> Vec<Complex<f64>> {
    let mut values: Vec<Complex<f64>> = samples.iter().map(|&value| Complex::new(value, 0.0)).collect();
    FftPlanner::new().plan_fft_forward(values.len()).process(&mut values);
    values
}
