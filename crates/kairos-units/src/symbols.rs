//! The symbols that unit strings are made of: SI units, those beside the SI, and prefixes.

use crate::{Dimension, Unit};
use std::f64::consts::PI;

struct Symbol(&'static str, [i16; 7], f64, f64);

const fn si(name: &'static str, dimension: [i16; 7]) -> Symbol {
    Symbol(name, dimension, 1.0, 0.0)
}

const fn other(name: &'static str, dimension: [i16; 7], factor: f64) -> Symbol {
    Symbol(name, dimension, factor, 0.0)
}

const NONE: [i16; 7] = [0; 7];
const LENGTH: [i16; 7] = [1, 0, 0, 0, 0, 0, 0];
const MASS: [i16; 7] = [0, 1, 0, 0, 0, 0, 0];
const TIME: [i16; 7] = [0, 0, 1, 0, 0, 0, 0];
const TEMPERATURE: [i16; 7] = [0, 0, 0, 0, 1, 0, 0];
const VOLUME: [i16; 7] = [3, 0, 0, 0, 0, 0, 0];
const FORCE: [i16; 7] = [1, 1, -2, 0, 0, 0, 0];
const ENERGY: [i16; 7] = [2, 1, -2, 0, 0, 0, 0];
const POWER: [i16; 7] = [2, 1, -3, 0, 0, 0, 0];
const PRESSURE: [i16; 7] = [-1, 1, -2, 0, 0, 0, 0];

/// SI units without a scale of their own come first: a dimension is printed as the first that has it.
static SYMBOLS: &[Symbol] = &[
    si("m", LENGTH),
    si("s", TIME),
    si("A", [0, 0, 0, 1, 0, 0, 0]),
    si("K", TEMPERATURE),
    si("mol", [0, 0, 0, 0, 0, 1, 0]),
    si("cd", [0, 0, 0, 0, 0, 0, 1]),
    other("g", MASS, 1e-3),
    si("N", FORCE),
    si("Pa", PRESSURE),
    si("J", ENERGY),
    si("W", POWER),
    si("C", [0, 0, 1, 1, 0, 0, 0]),
    si("V", [2, 1, -3, -1, 0, 0, 0]),
    si("F", [-2, -1, 4, 2, 0, 0, 0]),
    si("Ohm", [2, 1, -3, -2, 0, 0, 0]),
    si("S", [-2, -1, 3, 2, 0, 0, 0]),
    si("Wb", [2, 1, -2, -1, 0, 0, 0]),
    si("T", [0, 1, -2, -1, 0, 0, 0]),
    si("H", [2, 1, -2, -2, 0, 0, 0]),
    si("lx", [-2, 0, 0, 0, 0, 0, 1]),
    // Of several units of one dimension the first is printed; these are never.
    si("rad", NONE),
    si("sr", NONE),
    si("Hz", [0, 0, -1, 0, 0, 0, 0]),
    si("Bq", [0, 0, -1, 0, 0, 0, 0]),
    si("lm", [0, 0, 0, 0, 0, 0, 1]),
    si("Gy", [2, 0, -2, 0, 0, 0, 0]),
    si("Sv", [2, 0, -2, 0, 0, 0, 0]),
    si("kat", [0, 0, -1, 0, 0, 1, 0]),
    si("var", POWER),
    other("min", TIME, 60.0),
    other("h", TIME, 3600.0),
    other("d", TIME, 86400.0),
    other("l", VOLUME, 1e-3),
    other("L", VOLUME, 1e-3),
    other("t", MASS, 1e3),
    other("bar", PRESSURE, 1e5),
    other("atm", PRESSURE, 101_325.0),
    other("eV", ENERGY, 1.602_176_634e-19),
    other("cal", ENERGY, 4.184),
    other("deg", NONE, PI / 180.0),
    other("rev", NONE, 2.0 * PI),
    other("rpm", [0, 0, -1, 0, 0, 0, 0], 2.0 * PI / 60.0),
    other("debye", [1, 0, 1, 1, 0, 0, 0], 1e-21 / 299_792_458.0),
    other("u", MASS, 1.660_539_066_6e-27),
    other("ha", [2, 0, 0, 0, 0, 0, 0], 1e4),
    other("ppm", NONE, 1e-6),
    other("bit", NONE, 1.0),
    other("byte", NONE, 8.0),
    Symbol("degC", TEMPERATURE, 1.0, 273.15),
    Symbol("degF", TEMPERATURE, 5.0 / 9.0, 459.67 * 5.0 / 9.0),
    other("degRk", TEMPERATURE, 5.0 / 9.0),
];

/// Symbols of logarithmic and perceived quantities: they are known, but no product of SI units.
pub(crate) static LOGARITHMIC: [&str; 6] = ["dB", "Np", "phon", "sone", "pH", "dBm"];

/// Symbols that take no prefix.
static PLAIN: [&str; 14] =
    ["min", "h", "d", "deg", "rev", "rpm", "degC", "degF", "degRk", "ppm", "ha", "debye", "atm", "kat"];

static PREFIXES: [(&str, f64); 24] = [
    ("da", 1e1),
    ("Q", 1e30),
    ("R", 1e27),
    ("Y", 1e24),
    ("Z", 1e21),
    ("E", 1e18),
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
    ("a", 1e-18),
    ("z", 1e-21),
    ("y", 1e-24),
    ("r", 1e-27),
    ("q", 1e-30),
];

/// A symbol, or else a symbol with a prefix (MLS 19.1: in this order).
pub(crate) fn find(text: &str) -> Option<Unit> {
    if let Some(unit) = plain(text) {
        return Some(unit);
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let rest = text.strip_prefix(prefix)?;
        let unit = plain(rest).filter(|_| !PLAIN.contains(&rest))?;
        Some(Unit { factor: unit.factor * scale, ..unit })
    })
}

fn plain(text: &str) -> Option<Unit> {
    let &Symbol(_, dimension, factor, offset) = SYMBOLS.iter().find(|s| s.0 == text)?;
    Some(Unit { dimension: Dimension::whole(dimension), factor, offset })
}

/// The symbol of a dimension, if one of the SI's has just that.
pub(crate) fn symbol_of(dimension: &Dimension) -> Option<&'static str> {
    let named = SYMBOLS.iter().take_while(|s| s.0 != "rad").filter(|s| s.2 == 1.0);
    named.filter(|s| Dimension::whole(s.1) == *dimension).map(|s| s.0).next()
}

/// The symbol nearest to a misspelt one.
pub(crate) fn nearest(text: &str) -> Option<String> {
    let spelt = [
        ("sec", "s"),
        ("second", "s"),
        ("seconds", "s"),
        ("hour", "h"),
        ("hours", "h"),
        ("hr", "h"),
        ("meter", "m"),
        ("metre", "m"),
        ("meters", "m"),
        ("Nm", "N.m"),
        ("Ah", "A.h"),
        ("Wh", "W.h"),
        ("kWh", "kW.h"),
        ("ohm", "Ohm"),
        ("ohms", "Ohm"),
        ("Ω", "Ohm"),
        ("°C", "degC"),
        ("°", "deg"),
        ("µm", "um"),
        ("Celsius", "degC"),
        ("kelvin", "K"),
        ("Kelvin", "K"),
        ("%", "1"),
        ("-", "1"),
        ("kgs", "kg"),
        ("KG", "kg"),
        ("Kg", "kg"),
        ("volt", "V"),
        ("Volt", "V"),
        ("amp", "A"),
        ("Amp", "A"),
        ("watt", "W"),
        ("Watt", "W"),
        ("Newton", "N"),
        ("Joule", "J"),
        ("Pascal", "Pa"),
        ("HZ", "Hz"),
    ];
    if let Some((_, right)) = spelt.iter().find(|(wrong, _)| *wrong == text) {
        return Some((*right).to_string());
    }
    let near = |s: &&Symbol| s.0.len() > 1 && kairos_base::spelling::slips(text, s.0) == 1;
    SYMBOLS.iter().find(near).map(|s| s.0.to_string())
}
