//! Random numbers after Vigna's xorshift generators, bit for bit as `Modelica.Math.Random` expects them.

use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaRandom_xorshift64star", Kind::Pure, |_, a| {
        draw(a, |[s]: [u64; 1], _| xorshift64star(s))
    }),
    NativeFn::new("ModelicaRandom_xorshift128plus", Kind::Pure, |_, a| {
        draw(a, |s: [u64; 2], _| xorshift128plus(s))
    }),
    NativeFn::new("ModelicaRandom_xorshift1024star", Kind::Pure, |_, a| draw(a, xorshift1024star)),
    NativeFn::new("ModelicaRandom_setInternalState_xorshift1024star", Kind::Impure, set_internal_state),
    NativeFn::new("ModelicaRandom_impureRandom_xorshift1024star", Kind::Impure, impure_random),
    NativeFn::new("ModelicaRandom_automaticGlobalSeed", Kind::Impure, automatic_global_seed),
    NativeFn::new("ModelicaRandom_convertRealToIntegers", Kind::Pure, |_, a| {
        let words = halves(a.real(0)?.to_bits());
        a.set(1, Arg::ints(words.to_vec())).map(|()| None)
    }),
];

/// One generator step: the new state words, the new position where the state has one, the raw number.
type Step<const N: usize> = ([u64; N], i64, u64);

fn xorshift64star(mut x: u64) -> Step<1> {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    // MSL keeps the scrambled number as the state, unlike the published generator.
    let x = x.wrapping_mul(2_685_821_657_736_338_717);
    ([x], 0, x)
}

fn xorshift128plus([mut s1, s0]: [u64; 2]) -> Step<2> {
    s1 ^= s1 << 23;
    // MSL keeps the sum as the state, unlike the published generator.
    let sum = (s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)).wrapping_add(s0);
    ([s0, sum], 0, sum)
}

fn xorshift1024star(mut s: [u64; 16], position: i64) -> Step<16> {
    let at = (position & 15) as usize;
    let next = (at + 1) & 15;
    let (mut s0, mut s1) = (s[at], s[next]);
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    s0 ^= s0 >> 30;
    s[next] = s0 ^ s1;
    (s, next as i64, s[next].wrapping_mul(1_181_783_497_276_652_981))
}

/// A raw number as a Real between 0 and 1: the signed 64 bits, scaled by 2^-64, around one half.
fn unit_interval(raw: u64) -> f64 {
    const SCALE: f64 = 1.0 / 18_446_744_073_709_551_616.0;
    (raw as i64) as f64 * SCALE + 0.5
}

// (stateIn, &stateOut, &result); words are pairs of Integers, the low half first, a position may follow them.
fn draw<const N: usize>(
    a: &mut Args<'_>,
    step: impl Fn([u64; N], i64) -> Step<N>,
) -> Result<Option<Arg>, String> {
    let state = a.ints(0)?;
    let (words, position) = unpack::<N>(&state)?;
    let (words, position, raw) = step(words, position);
    let mut new: Vec<i64> = words.iter().flat_map(|&word| halves(word)).collect();
    if state.len() > 2 * N {
        new.push(position);
    }
    a.set(1, Arg::ints(new))?;
    a.set(2, Arg::Real(unit_interval(raw)))?;
    Ok(None)
}

fn unpack<const N: usize>(state: &[i64]) -> Result<([u64; N], i64), String> {
    if state.len() < 2 * N {
        return Err(format!("the generator's state has {} Integers, expected {}", state.len(), 2 * N));
    }
    let words = std::array::from_fn(|i| {
        let (low, high) = (state[2 * i] as u32, state[2 * i + 1] as u32);
        u64::from(high) << 32 | u64::from(low)
    });
    Ok((words, state.get(2 * N).copied().unwrap_or(0)))
}

fn halves(word: u64) -> [i64; 2] {
    [i64::from(word as u32 as i32), i64::from((word >> 32) as u32 as i32)]
}

// (state, nState, id)
fn set_internal_state(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (words, position) = unpack::<16>(&a.ints(0)?)?;
    context.generators.insert(a.int(2)?, (words, position));
    Ok(None)
}

// (id) -> number
fn impure_random(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let id = a.int(0)?;
    let Some((words, position)) = context.generators.get_mut(&id) else {
        return Err(format!(
            "impureRandom has no generator {id}: call initializeImpureRandom before and pass its result"
        ));
    };
    let raw;
    (*words, *position, raw) = xorshift1024star(*words, *position);
    Ok(Some(Arg::Real(unit_interval(raw))))
}

// A seed that differs from run to run, in the range of a 32-bit Integer and never zero.
fn automatic_global_seed(context: &mut Context, _: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let now = context.clock()?.as_millis() as u64;
    let mixed = now.wrapping_add(6007 * u64::from(context.process()?)).wrapping_add(context.next_serial());
    Ok(Some(Arg::Int(1 + (mixed % 0x7fff_fffe) as i64)))
}
