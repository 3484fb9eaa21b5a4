//! Arguments as C sees them (MLS 12.9.1), and the memory they stand in.

use kairos_expr::{Carrier, Stop, Value};
use std::ffi::{CStr, CString, c_char};
use std::sync::Arc;

/// What a constructor has returned.
pub struct Pointer {
    pub address: usize,
    /// Ends the object when nobody knows it any more.
    pub end: Option<Box<dyn Fn(usize) + Send + Sync>>,
}

impl Drop for Pointer {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end(self.address);
        }
    }
}

/// An argument, and where it is.
pub enum Passed {
    Float(f64),
    Integer(i64),
    Floats(Vec<f64>),
    Integers(Vec<i32>),
    /// The texts, and where they are.
    Texts(#[expect(dead_code, reason = "kept alive")] Vec<CString>, Vec<*const c_char>),
    Text(CString),
    /// Structures one after the other, in words so that they are aligned, and the texts in them.
    Structures(Vec<u64>, #[expect(dead_code, reason = "kept alive")] Vec<CString>),
}

/// A value in the form of its declaration: integers that stand for real numbers are such.
pub fn formed(value: &Value, form: &Value) -> Value {
    match (value, form) {
        (Value::Int(i), Value::Real(_)) => Value::Real(*i as f64),
        (Value::Record(record, fields), Value::Record(_, forms)) => {
            let fields = fields.iter().zip(forms.iter()).map(|(field, form)| formed(field, form));
            Value::Record(*record, Arc::new(fields.collect()))
        }
        (Value::Array(array), _) => {
            Value::array(array.dims.clone(), array.data.iter().map(|item| formed(item, form)).collect())
        }
        _ => value.clone(),
    }
}

/// Is there nothing that `formed` could change?
pub fn is_formed(value: &Value, form: &Value) -> bool {
    match (value, form) {
        (Value::Int(_), Value::Real(_)) | (Value::Record(..), _) => false,
        (Value::Array(array), _) => array.data.iter().all(|item| is_formed(item, form)),
        _ => true,
    }
}

impl Passed {
    pub fn new(value: &Value, by_reference: bool, carrier: Carrier) -> Result<Self, Stop> {
        Ok(match value {
            Value::Real(x) if by_reference => Passed::Floats(vec![*x]),
            Value::Real(x) => Passed::Float(*x),
            Value::Str(text) if by_reference => Passed::texts(vec![c_text(text)?]),
            Value::Str(text) => Passed::Text(c_text(text)?),
            Value::Object(any) => match any.downcast_ref::<Pointer>() {
                Some(pointer) => Passed::Integer(pointer.address as i64),
                None => return Err(Stop::error("an external object of another library")),
            },
            Value::Record(..) => Passed::structures(std::slice::from_ref(value))?,
            Value::Array(array) => match array.data.first() {
                Some(Value::Real(_)) => {
                    Passed::Floats(array.data.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect())
                }
                Some(Value::Str(_)) => {
                    let list: Result<Vec<_>, _> =
                        array.data.iter().map(|v| c_text(v.as_str().unwrap_or(""))).collect();
                    Passed::texts(list?)
                }
                Some(Value::Record(..)) => Passed::structures(&array.data)?,
                _ => Passed::Integers(array.data.iter().map(|v| whole(v).unwrap_or(0) as i32).collect()),
            },
            other => match whole(other) {
                Some(number) if by_reference => Passed::Integers(vec![number as i32]),
                Some(number) if carrier == Carrier::Number => Passed::Float(number as f64),
                Some(number) => Passed::Integer(number),
                None => {
                    return Err(Stop::error(format!("{other:?} cannot be passed to an external function")));
                }
            },
        })
    }

    fn texts(list: Vec<CString>) -> Self {
        let places = list.iter().map(|text| text.as_ptr()).collect();
        Passed::Texts(list, places)
    }

    fn structures(records: &[Value]) -> Result<Self, Stop> {
        let (mut bytes, mut texts) = (Vec::new(), Vec::new());
        for record in records {
            write(record, &mut bytes, &mut texts)?;
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let words = bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
        Ok(Passed::Structures(words.collect(), texts))
    }

    pub fn is_float(&self) -> bool {
        matches!(self, Passed::Float(_))
    }

    pub fn word(&mut self) -> u64 {
        match self {
            Passed::Float(x) => x.to_bits(),
            // Good for `int` and for `size_t`: the lower half is the same.
            Passed::Integer(i) => *i as u64,
            Passed::Floats(list) => list.as_mut_ptr() as u64,
            Passed::Integers(list) => list.as_mut_ptr() as u64,
            Passed::Texts(_, places) => places.as_mut_ptr() as u64,
            Passed::Text(text) => text.as_ptr() as u64,
            Passed::Structures(words, _) => words.as_mut_ptr() as u64,
        }
    }

    /// What was written, in the form of what stood there.
    pub fn value(self, like: &Value) -> Result<Value, Stop> {
        let list: Vec<Value> = match self {
            Passed::Floats(list) => list.into_iter().map(Value::Real).collect(),
            Passed::Integers(list) => {
                let element = match like {
                    Value::Array(array) => array.data.first().cloned().unwrap_or(Value::Int(0)),
                    other => other.clone(),
                };
                list.into_iter().map(|i| number(&element, i)).collect()
            }
            Passed::Texts(_, places) => places.into_iter().map(text).collect::<Result<_, _>>()?,
            Passed::Structures(words, _) => {
                let records = match like {
                    Value::Array(array) => array.data.as_slice(),
                    one => std::slice::from_ref(one),
                };
                let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
                let mut at = 0;
                records.iter().map(|record| read(record, &bytes, &mut at)).collect::<Result<_, _>>()?
            }
            Passed::Float(_) | Passed::Integer(_) | Passed::Text(_) => return Ok(like.clone()),
        };
        Ok(match like {
            Value::Array(array) => Value::array(array.dims.clone(), list),
            _ => list.into_iter().next().unwrap_or_else(|| like.clone()),
        })
    }
}

fn number(like: &Value, i: i32) -> Value {
    match like {
        Value::Bool(_) => Value::Bool(i != 0),
        Value::Enum(e, _) => Value::Enum(*e, i as u32),
        _ => Value::Int(i64::from(i)),
    }
}

fn c_text(text: &str) -> Result<CString, Stop> {
    CString::new(text).map_err(|_| Stop::error("a text with a zero character"))
}

/// How C aligns a member of a structure, which is its size too unless it is a structure itself.
fn alignment(member: &Value) -> Result<usize, Stop> {
    Ok(match member {
        Value::Real(_) | Value::Str(_) => 8,
        Value::Int(_) | Value::Bool(_) | Value::Enum(..) => 4,
        Value::Record(_, fields) => {
            let inner: Result<Vec<usize>, Stop> = fields.iter().map(alignment).collect();
            inner?.into_iter().max().unwrap_or(1)
        }
        Value::Array(_) => {
            return Err(Stop::error("a record with an array cannot be passed to an external function"));
        }
        _ => {
            return Err(Stop::error(
                "a record with such a component cannot be passed to an external function",
            ));
        }
    })
}

fn write(value: &Value, bytes: &mut Vec<u8>, texts: &mut Vec<CString>) -> Result<(), Stop> {
    let alignment = alignment(value)?;
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
    match value {
        Value::Real(x) => bytes.extend(x.to_ne_bytes()),
        Value::Str(text) => {
            let text = c_text(text)?;
            // The characters stay where they are when the list grows.
            bytes.extend((text.as_ptr() as u64).to_ne_bytes());
            texts.push(text);
        }
        Value::Record(_, fields) => {
            for field in fields.iter() {
                write(field, bytes, texts)?;
            }
            bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        }
        other => bytes.extend((whole(other).unwrap_or(0) as i32).to_ne_bytes()),
    }
    Ok(())
}

fn read(like: &Value, bytes: &[u8], at: &mut usize) -> Result<Value, Stop> {
    let alignment = alignment(like)?;
    *at = at.next_multiple_of(alignment);
    if let Value::Record(record, fields) = like {
        let fields: Result<Vec<Value>, Stop> = fields.iter().map(|field| read(field, bytes, at)).collect();
        *at = at.next_multiple_of(alignment);
        return Ok(Value::Record(*record, Arc::new(fields?)));
    }
    let piece = &bytes[*at..*at + alignment];
    *at += alignment;
    let eight = || piece.try_into().unwrap_or_default();
    Ok(match like {
        Value::Real(_) => Value::Real(f64::from_ne_bytes(eight())),
        Value::Str(_) => text(u64::from_ne_bytes(eight()) as *const c_char)?,
        other => number(other, i32::from_ne_bytes(piece.try_into().unwrap_or_default())),
    })
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(b) => Some(i64::from(*b)),
        other => other.as_index(),
    }
}

pub fn text(place: *const c_char) -> Result<Value, Stop> {
    if place.is_null() {
        return Err(Stop::error("the external function gave no text"));
    }
    // SAFETY: a function declared to give a text gives one that ends in a zero character and lives on.
    Ok(Value::str(&unsafe { CStr::from_ptr(place) }.to_string_lossy()))
}
