//! Results as Parquet files that stay readable after every flush.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescriptor, Type};

use crate::writer::{resolve, wrong_row};
use crate::{Column, Kind, Role, Value, Writer};

/// Rows are grouped until they fill about this many bytes.
const GROUP: usize = 16 << 20;

/// Writes row groups. A Parquet file ends with its table of contents; here each flush appends a row group and a
/// complete table of contents behind the old one. Cut off in the middle, a file still has the old one to be read by.
///
/// Constants, aliases and units stand in the file's key–value metadata as `constant:name`, `alias:name` (with
/// `-` before a negated name) and `unit:name`.
pub struct ParquetWriter<W: Write> {
    out: W,
    inner: SerializedFileWriter<Vec<u8>>,
    metadata: Vec<KeyValue>,
    kinds: Vec<Kind>,
    time: Vec<f64>,
    numbers: Vec<Vec<f64>>,
    texts: Vec<Vec<ByteArray>>,
    /// Bytes of the rows not yet flushed.
    pending: usize,
}

impl<W: Write> ParquetWriter<W> {
    pub fn new(out: W, columns: &[Column]) -> io::Result<Self> {
        let mut fields = vec![field("time", Kind::Real)?];
        let mut metadata = Vec::new();
        let mut kinds = Vec::new();
        for (column, (target, negated, _)) in columns.iter().zip(resolve(columns)?) {
            let mut note = |topic: &str, text: String| {
                metadata.push(KeyValue::new(format!("{topic}:{}", column.name), text));
            };
            if !column.unit.is_empty() {
                note("unit", column.unit.clone());
            }
            if !column.display_unit.is_empty() {
                note("display_unit", column.display_unit.clone());
            }
            if column.kind == Kind::Boolean {
                note("kind", "boolean".into());
            }
            if !column.literals.is_empty() {
                note("literals", column.literals.join("|"));
            }
            if !column.description.is_empty() {
                note("description", column.description.clone());
            }
            match &column.role {
                Role::Varying => {
                    fields.push(field(&column.name, column.kind)?);
                    kinds.push(column.kind);
                }
                Role::Constant(value) => note("constant", show(value)),
                Role::Alias { .. } => {
                    note("alias", format!("{}{}", if negated { "-" } else { "" }, columns[target].name));
                }
            }
        }
        let schema = Type::group_type_builder("trajectory").with_fields(fields).build().map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_dictionary_enabled(false)
            .build();
        let inner =
            SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        let mut writer = ParquetWriter {
            out,
            inner,
            metadata,
            numbers: vec![Vec::new(); kinds.iter().filter(|kind| **kind != Kind::String).count()],
            texts: vec![Vec::new(); kinds.iter().filter(|kind| **kind == Kind::String).count()],
            kinds,
            time: Vec::new(),
            pending: 0,
        };
        writer.publish()?;
        Ok(writer)
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    /// Turns the pending rows into a row group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.inner.next_row_group()?;
        if let Some(mut column) = group.next_column()? {
            column.typed::<DoubleType>().write_batch(&self.time, None, None)?;
            column.close()?;
        }
        let (mut numbers, mut texts) = (self.numbers.iter(), self.texts.iter());
        for kind in &self.kinds {
            let Some(mut column) = group.next_column()? else { break };
            let values = if *kind == Kind::String { None } else { numbers.next() };
            match (kind, values) {
                (Kind::Real, Some(values)) => {
                    column.typed::<DoubleType>().write_batch(values, None, None)?;
                }
                (Kind::Integer, Some(values)) => {
                    let values: Vec<i64> = values.iter().map(|&v| v as i64).collect();
                    column.typed::<Int64Type>().write_batch(&values, None, None)?;
                }
                (Kind::Boolean, Some(values)) => {
                    let values: Vec<bool> = values.iter().map(|&v| v != 0.0).collect();
                    column.typed::<BoolType>().write_batch(&values, None, None)?;
                }
                _ => {
                    if let Some(values) = texts.next() {
                        column.typed::<ByteArrayType>().write_batch(values, None, None)?;
                    }
                }
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes what is new, followed by the table of contents, in one piece.
    fn publish(&mut self) -> io::Result<()> {
        if !self.time.is_empty() {
            self.write_group().map_err(failed)?;
            self.time.clear();
            self.numbers.iter_mut().for_each(Vec::clear);
            self.texts.iter_mut().for_each(Vec::clear);
            self.pending = 0;
        }
        self.inner.flush()?;
        let mut bytes = std::mem::take(self.inner.inner_mut());
        let group = bytes.len();
        let groups = self.inner.flushed_row_groups().to_vec();
        let rows = groups.iter().map(|group| group.num_rows()).sum();
        let schema: &SchemaDescriptor = self.inner.schema_descr();
        let file = FileMetaData::new(
            1,
            rows,
            Some("kairos".to_string()),
            Some(self.metadata.clone()),
            Arc::new(SchemaDescriptor::new(schema.root_schema_ptr())),
            None,
        );
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups))
            .finish()
            .map_err(failed)?;
        self.out.write_all(&bytes)?;
        // What comes next has its place behind this table of contents.
        self.inner.write_all(&bytes[group..])?;
        self.inner.flush()?;
        self.inner.inner_mut().clear();
        self.out.flush()
    }
}

impl<W: Write> Writer for ParquetWriter<W> {
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()> {
        if numbers.len() != self.numbers.len() || texts.len() != self.texts.len() {
            return Err(wrong_row());
        }
        self.time.push(time);
        self.numbers.iter_mut().zip(numbers).for_each(|(column, &value)| column.push(value));
        self.pending += 8 * (1 + numbers.len());
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.push(ByteArray::from(*text));
            self.pending += 48 + text.len();
        }
        if self.pending >= GROUP { self.publish() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.time.is_empty() { Ok(()) } else { self.publish() }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

fn field(name: &str, kind: Kind) -> io::Result<Arc<Type>> {
    let physical = match kind {
        Kind::Real => Physical::DOUBLE,
        Kind::Integer => Physical::INT64,
        Kind::Boolean => Physical::BOOLEAN,
        Kind::String => Physical::BYTE_ARRAY,
    };
    let mut builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
    if kind == Kind::String {
        builder = builder.with_converted_type(ConvertedType::UTF8);
    }
    builder.build().map(Arc::new).map_err(failed)
}

fn show(value: &Value) -> String {
    match value {
        Value::Real(value) => format!("{value:?}"),
        Value::Integer(value) => value.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::Text(value) => value.clone(),
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
