//! Results as MAT v4 files in the layout that Dymola and OpenModelica write and most tools read.

use std::io::{self, Seek, SeekFrom, Write};

use crate::writer::{Slot, resolve, wrong_row};
use crate::{Column, Kind, Role, Writer};

const BUFFER: usize = 1 << 20;
const TEXT: i32 = 51;
const INT32: i32 = 20;
const DOUBLE: i32 = 0;

/// Streams columns of `data_2`; the counts in the headers are brought up to date at each flush.
pub struct MatWriter<W: Write + Seek> {
    out: W,
    buffer: Vec<u8>,
    numbers: usize,
    texts: usize,
    rows: u32,
    end: u64,
    /// Where the stop time and the number of rows stand in the file.
    stop_at: u64,
    count_at: u64,
    start: Option<f64>,
    last: f64,
}

impl<W: Write + Seek> MatWriter<W> {
    /// Writes everything but the rows. Strings have no place in this format and are left out.
    pub fn new(mut out: W, columns: &[Column]) -> io::Result<Self> {
        let resolved = resolve(columns)?;
        let mut names = vec!["time".to_string()];
        let mut descriptions = vec!["Simulation time [s]".to_string()];
        // Abscissa, its row, linear interpolation, not defined outside.
        let mut info: Vec<i32> = vec![0, 1, 0, -1];
        let mut constants = Vec::new();
        let mut constant_row = vec![0; columns.len()];
        for (column, &(target, negated, slot)) in columns.iter().zip(&resolved) {
            let (matrix, row) = match (slot, &columns[target].role) {
                (Slot::Number(at), _) => (2, at as i32 + 2),
                (_, Role::Constant(value)) => {
                    let Some(value) = value.number() else { continue };
                    if constant_row[target] == 0 {
                        constants.push(value);
                        constant_row[target] = constants.len() as i32 + 1;
                    }
                    (1, constant_row[target])
                }
                _ => continue,
            };
            names.push(column.name.clone());
            let unit = match column.display_unit.as_str() {
                "" if column.kind == Kind::Boolean => ":#(type=Boolean)".into(),
                "" if !column.literals.is_empty() => {
                    format!(":#(type=Integer,literals={})", column.literals.join("|"))
                }
                "" => column.unit.clone(),
                display => format!("{}|{display}", column.unit),
            };
            descriptions.push(match (column.description.as_str(), unit.as_str()) {
                (text, "") => text.to_string(),
                ("", unit) => format!("[{unit}]"),
                (text, unit) => format!("{text} [{unit}]"),
            });
            info.extend([matrix, if negated { -row } else { row }, 0, if matrix == 1 { 0 } else { -1 }]);
        }
        let mut head = Vec::new();
        let class = ["Atrajectory", "1.1", "", "binTrans"];
        matrix(&mut head, "Aclass", TEXT, 4, 11);
        for at in 0..11 {
            head.extend(class.iter().map(|word| word.as_bytes().get(at).copied().unwrap_or(b' ')));
        }
        text(&mut head, "name", &names);
        text(&mut head, "description", &descriptions);
        matrix(&mut head, "dataInfo", INT32, 4, names.len());
        info.iter().for_each(|value| head.extend(value.to_le_bytes()));
        matrix(&mut head, "data_1", DOUBLE, constants.len() + 1, 2);
        let mut stop_at = 0;
        for _ in 0..2 {
            stop_at = head.len() as u64;
            head.extend(0f64.to_le_bytes());
            constants.iter().for_each(|value| head.extend(value.to_le_bytes()));
        }
        let numbers = columns.iter().filter(|c| c.role == Role::Varying && c.kind != Kind::String).count();
        let texts = columns.iter().filter(|c| c.role == Role::Varying && c.kind == Kind::String).count();
        let count_at = head.len() as u64 + 8;
        matrix(&mut head, "data_2", DOUBLE, numbers + 1, 0);
        out.write_all(&head)?;
        let end = head.len() as u64;
        Ok(MatWriter {
            out,
            buffer: Vec::with_capacity(BUFFER),
            numbers,
            texts,
            rows: 0,
            end,
            stop_at,
            count_at,
            start: None,
            last: 0.0,
        })
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    fn constants(&self) -> u64 {
        // Between the end of data_1's last column and the header of data_2 lie only its own values.
        (self.count_at - 8 - self.stop_at) / 8 - 1
    }

    fn write_rows(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.out.seek(SeekFrom::Start(self.end))?;
        self.out.write_all(&self.buffer)?;
        self.end += self.buffer.len() as u64;
        self.buffer.clear();
        // Rows first, then the counts: a reader never sees more than is there.
        self.out.seek(SeekFrom::Start(self.count_at))?;
        self.out.write_all(&self.rows.to_le_bytes())?;
        let start_at = self.stop_at - (self.constants() + 1) * 8;
        self.out.seek(SeekFrom::Start(start_at))?;
        self.out.write_all(&self.start.unwrap_or(0.0).to_le_bytes())?;
        self.out.seek(SeekFrom::Start(self.stop_at))?;
        self.out.write_all(&self.last.to_le_bytes())?;
        self.out.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }
}

impl<W: Write + Seek> Writer for MatWriter<W> {
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
        if numbers.len() != self.numbers || texts.len() != self.texts {
            return Err(wrong_row());
        }
        self.start.get_or_insert(time);
        self.last = time;
        self.rows = self.rows.checked_add(1).filter(|&rows| rows < i32::MAX as u32).ok_or_else(|| {
            io::Error::new(io::ErrorKind::FileTooLarge, "a MAT v4 file has room for 2,147,483,647 rows")
        })?;
        self.buffer.extend(time.to_le_bytes());
        numbers.iter().for_each(|value| self.buffer.extend(value.to_le_bytes()));
        if self.buffer.len() >= BUFFER {
            self.write_rows()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_rows()?;
        self.out.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

fn matrix(out: &mut Vec<u8>, name: &str, kind: i32, rows: usize, columns: usize) {
    for value in [kind, rows as i32, columns as i32, 0, name.len() as i32 + 1] {
        out.extend(value.to_le_bytes());
    }
    out.extend(name.bytes());
    out.push(0);
}

/// Words as columns of characters.
fn text(out: &mut Vec<u8>, name: &str, words: &[String]) {
    let longest = words.iter().map(String::len).max().unwrap_or(0).max(1);
    matrix(out, name, TEXT, longest, words.len());
    for word in words {
        out.extend(word.bytes());
        out.extend(std::iter::repeat_n(b' ', longest - word.len()));
    }
}
