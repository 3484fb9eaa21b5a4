//! Values that programs give to parameters, inputs and start values.
#![deny(missing_docs)]

/// A value for a variable: a number, a truth value, a text, or an array.
///
/// Texts are read as on the command line: `"4.7kOhm"` is converted to the variable's unit, the name of a literal is a value
/// of an enumeration, and `"{1, 2, 3}"` is an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting(pub(crate) String);

impl From<f64> for Setting {
    fn from(value: f64) -> Self {
        // The shortest text that gives the same number again; whole numbers fit Integers, too.
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        Setting(if whole { format!("{value}") } else { format!("{value:?}") })
    }
}

impl From<i32> for Setting {
    fn from(value: i32) -> Self {
        Setting(value.to_string())
    }
}

impl From<i64> for Setting {
    fn from(value: i64) -> Self {
        Setting(value.to_string())
    }
}

impl From<bool> for Setting {
    fn from(value: bool) -> Self {
        Setting(value.to_string())
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        Setting(text.to_string())
    }
}

impl From<String> for Setting {
    fn from(text: String) -> Self {
        Setting(text)
    }
}

impl<T: Copy + Into<Setting>> From<&[T]> for Setting {
    fn from(values: &[T]) -> Self {
        let values: Vec<String> = values.iter().map(|&value| value.into().0).collect();
        Setting(format!("{{{}}}", values.join(", ")))
    }
}

impl<T: Copy + Into<Setting>, const N: usize> From<[T; N]> for Setting {
    fn from(values: [T; N]) -> Self {
        values.as_slice().into()
    }
}
