//! Tables that C code gives: the function `usertab` that the tables of the standard library ask where a table has no file.
//!
//! `int usertab(char *name, int kind, int size[2], int *by_columns, double **numbers)` gives 0 and says where the numbers stand.
//! It is among the code that some external function of the model includes.

use super::{SharedLibraries, TURN, unit};
use kairos_expr::{Carrier, Channel, ExternalCall, Scalar, Stop, UserTable};
use std::ffi::CString;
use std::sync::PoisonError;

/// More numbers than this are taken for a mistake of the code.
const MOST_NUMBERS: usize = 1 << 28;

impl SharedLibraries {
    /// A call of `usertab` for every piece of code that speaks of it.
    pub(super) fn table_calls(&self) -> Vec<ExternalCall> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut calls: Vec<ExternalCall> = Vec::new();
        for call in open.known.values().flat_map(|list| list.values()) {
            let speaks = call.code.includes.iter().any(|text| text.contains("usertab"));
            if speaks && !calls.iter().any(|other| other.code == call.code) {
                calls.push(ExternalCall {
                    symbol: "usertab".into(),
                    carriers: vec![
                        Carrier::Pointer,
                        Carrier::Whole,
                        Carrier::Pointer,
                        Carrier::Pointer,
                        Carrier::Pointer,
                    ],
                    returns: Some(Scalar::Int),
                    destructor: None,
                    ..call.clone()
                });
            }
        }
        calls
    }

    pub(super) fn user_table(
        &self,
        name: &str,
        kind: i32,
        say: &mut dyn FnMut(Channel, &str),
    ) -> Result<UserTable, Stop> {
        let nobody = || Stop::error(format!("no C code gives the table \"{name}\""));
        let text = CString::new(name).map_err(|_| nobody())?;
        for call in self.table_calls() {
            let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
            let unit = unit::Unit::new(&[&call], &self.resources, self.shelf.as_ref());
            let Ok(unit) = unit else { continue };
            let Some(entry) = unit.entry(&unit::identity(&call)) else { continue };
            let (mut size, mut by_columns) = ([0i32; 2], 0i32);
            let mut numbers: *const f64 = std::ptr::null();
            let mut words = [
                text.as_ptr() as u64,
                kind as u64,
                size.as_mut_ptr() as u64,
                &raw mut by_columns as u64,
                &raw mut numbers as u64,
            ];
            let mut returned = 0u64;
            let done = entry(words.as_mut_ptr(), &mut returned);
            for (channel, text) in unit::said() {
                say(channel, &text);
            }
            if done != 0 {
                return Err(Stop::error(unit.reason()));
            }
            if returned as i32 != 0 {
                return Err(nobody());
            }
            let [rows, columns] = size.map(|n| usize::try_from(n).unwrap_or(0));
            let count = rows.checked_mul(columns).filter(|n| (1..MOST_NUMBERS).contains(n));
            let Some(count) = count.filter(|_| !numbers.is_null()) else { return Err(nobody()) };
            // SAFETY: the code says that so many numbers stand there; the unit, and with it its memory, still lives.
            let found = unsafe { std::slice::from_raw_parts(numbers, count) };
            let data = match by_columns {
                0 => found.to_vec(),
                _ => (0..count).map(|k| found[k % columns * rows + k / columns]).collect(),
            };
            unit.tidy(false);
            return Ok(UserTable { rows, columns, data });
        }
        Err(nobody())
    }
}
