//! Numbers for texts, so that a memory of numbers keeps, compares and copies them like everything else.

use kairos_base::hash::HashMap;
use kairos_expr::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The texts that variables have had.
#[derive(Clone, Default)]
pub struct Texts {
    list: Vec<Value>,
    numbers: HashMap<String, usize>,
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<&str> = self.list.iter().filter_map(Value::as_str).collect();
        texts.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut texts = Texts::default();
        for text in Vec::<&str>::deserialize(from)? {
            texts.number(&Value::str(text));
        }
        Ok(texts)
    }
}

impl Texts {
    /// The number of a text, from one on.
    pub fn number(&mut self, text: &Value) -> f64 {
        let Some(name) = text.as_str() else { return 0.0 };
        if let Some(&number) = self.numbers.get(name) {
            return number as f64;
        }
        self.list.push(text.clone());
        self.numbers.insert(name.to_owned(), self.list.len());
        self.list.len() as f64
    }

    /// The text with a number; zero is none.
    pub fn of(&self, number: f64) -> Option<&Value> {
        self.list.get((number as usize).checked_sub(1)?)
    }
}
