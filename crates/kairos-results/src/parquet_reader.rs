//! Reading of Parquet results: numbers from the columns, constants, aliases and units from the metadata.

use std::collections::BTreeMap;

use parquet::basic::Type as Physical;
use parquet::column::reader::ColumnReader;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};

use crate::table::key;
use crate::{ReadError, Signal, Source, Table};

/// Reads a whole file, text columns left out. Of a file that was cut off, what its last table of contents knows of.
///
/// The decoder trusts some lengths in a file and breaks down where they lie; that is a damaged file, not a fault of ours.
pub fn read_parquet(input: impl ChunkReader + 'static) -> Result<Table, ReadError> {
    let damaged = || ReadError::Format("the file is damaged".into());
    quietly(|| read_or_break_down(input)).unwrap_or_else(|| Err(damaged()))
}

thread_local! {
    static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs something that may panic, without the report of a panic; `None` if it does.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                report(info);
            }
        }));
    });
    QUIET.set(true);
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok();
    QUIET.set(false);
    done
}

fn read_or_break_down(input: impl ChunkReader + 'static) -> Result<Table, ReadError> {
    let Err(cut) = ParquetMetaDataReader::new().parse_and_finish(&input) else {
        return read(&SerializedFileReader::new(input).map_err(failed)?);
    };
    let bytes = input.get_bytes(0, input.len() as usize).map_err(failed)?;
    let ends = (MAGIC.len()..=bytes.len()).rev().filter(|&end| bytes[..end].ends_with(MAGIC));
    for whole in ends.map(|end| bytes.slice(..end)) {
        if ParquetMetaDataReader::new().parse_and_finish(&whole).is_ok() {
            return read(&SerializedFileReader::new(whole).map_err(failed)?);
        }
    }
    Err(failed(cut))
}

/// What every table of contents ends with.
const MAGIC: &[u8] = b"PAR1";

fn read(file: &dyn FileReader) -> Result<Table, ReadError> {
    let schema = file.metadata().file_metadata().schema_descr();
    let mut columns: Vec<(String, usize)> = Vec::new();
    for (at, column) in schema.columns().iter().enumerate() {
        if !matches!(column.physical_type(), Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY) {
            columns.push((key(&column.path().string()), at));
        }
    }
    if columns.first().is_none_or(|(name, _)| name != "time") {
        return Err(ReadError::Format("the first column is not time".into()));
    }
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); columns.len()];
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).map_err(failed)?;
        let rows = group.metadata().num_rows();
        // A number takes at least a bit in some page: more rows than that are a lie that would take all memory.
        let bytes = group.metadata().columns().iter().map(|c| c.compressed_size().max(0)).sum::<i64>();
        if rows < 0 || rows > bytes.saturating_mul(1 << 16) {
            return Err(ReadError::Format(format!("the file is damaged: {rows} rows in {bytes} bytes")));
        }
        let rows = rows as usize;
        for ((_, at), values) in columns.iter().zip(&mut values) {
            let reader = group.get_column_reader(*at).map_err(failed)?;
            append(reader, rows, values).map_err(failed)?;
        }
    }
    let mut notes: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for entry in file.metadata().file_metadata().key_value_metadata().into_iter().flatten() {
        if let (Some((topic, name)), Some(text)) = (entry.key.split_once(':'), &entry.value) {
            notes.insert((topic, key(name)), text);
        }
    }
    let mut columns = columns.into_iter().map(|(name, _)| name);
    columns.next();
    let mut values = values.into_iter();
    let mut table = Table { time: values.next().unwrap_or_default(), ..Table::default() };
    table.series = values.collect();
    let series = columns.enumerate().map(|(index, name)| (name, Source::Series { index, negated: false }));
    let mut sources: Vec<(String, Source)> = series.collect();
    let place: BTreeMap<String, usize> = sources.iter().enumerate().map(|(k, s)| (s.0.clone(), k)).collect();
    for ((topic, name), text) in &notes {
        match *topic {
            "constant" => {
                let number = match *text {
                    "true" => Some(1.0),
                    "false" => Some(0.0),
                    text => text.parse().ok(),
                };
                sources.extend(number.map(|value| (name.clone(), Source::Constant(value))));
            }
            "alias" => {
                let (target, negated) =
                    text.strip_prefix('-').map_or((*text, false), |target| (target, true));
                let target = key(target);
                if let Some(&index) = place.get(&target) {
                    sources.push((name.clone(), Source::Series { index, negated }));
                } else if let Some(value) =
                    notes.get(&("constant", target)).and_then(|v| v.parse::<f64>().ok())
                {
                    sources.push((name.clone(), Source::Constant(if negated { -value } else { value })));
                }
            }
            _ => {}
        }
    }
    for (name, source) in sources {
        let note = |topic| notes.get(&(topic, name.clone())).map_or(String::new(), |text| text.to_string());
        let (description, unit, display_unit) = (note("description"), note("unit"), note("display_unit"));
        let is_boolean = note("kind") == "boolean";
        let literals = note("literals");
        let literals =
            literals.split('|').filter(|literal| !literal.is_empty()).map(str::to_string).collect();
        table.signals.push(Signal { name, description, unit, display_unit, is_boolean, literals, source });
    }
    table.sort();
    Ok(table)
}

fn append(reader: ColumnReader, rows: usize, out: &mut Vec<f64>) -> Result<(), ParquetError> {
    fn read<T: DataType>(
        mut reader: parquet::column::reader::ColumnReaderImpl<T>,
        rows: usize,
        number: impl Fn(&T::T) -> f64,
        out: &mut Vec<f64>,
    ) -> Result<(), ParquetError> {
        let mut batch = Vec::with_capacity(rows.min(1 << 20));
        reader.read_records(rows, None, None, &mut batch)?;
        out.extend(batch.iter().map(number));
        Ok(())
    }
    match reader {
        ColumnReader::DoubleColumnReader(reader) => read(reader, rows, |v| *v, out),
        ColumnReader::FloatColumnReader(reader) => read(reader, rows, |v| f64::from(*v), out),
        ColumnReader::Int64ColumnReader(reader) => read(reader, rows, |v| *v as f64, out),
        ColumnReader::Int32ColumnReader(reader) => read(reader, rows, |v| f64::from(*v), out),
        ColumnReader::BoolColumnReader(reader) => read(reader, rows, |v| f64::from(u8::from(*v)), out),
        _ => {
            out.extend(std::iter::repeat_n(f64::NAN, rows));
            Ok(())
        }
    }
}

fn failed(error: ParquetError) -> ReadError {
    ReadError::Format(error.to_string())
}
