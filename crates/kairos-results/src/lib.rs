//! Trajectories: written as they arise, read back, compared.
//!
//! Writers keep a bounded buffer and nothing else, and what they have flushed stays readable if the run is
//! killed.

mod background;
mod compare;
mod csv;
mod mat;
mod mat_reader;
mod metadata;
#[cfg(feature = "parquet")]
mod parquet_reader;
#[cfg(feature = "parquet")]
mod parquet_writer;
mod snapshots;
mod table;
mod writer;

pub use background::Background;
pub use compare::{Verdict, compare};
pub use csv::{CsvOptions, CsvWriter, read_csv};
pub use mat::MatWriter;
pub use mat_reader::read_mat;
pub use metadata::{METADATA_ENDING, apply_metadata, metadata};
#[cfg(feature = "parquet")]
pub use parquet_reader::read_parquet;
#[cfg(feature = "parquet")]
pub use parquet_writer::ParquetWriter;
pub use snapshots::{SnapshotReader, SnapshotWriter};
pub use table::{ReadError, Signal, Source, Table};
pub use writer::{Column, Kind, Role, Value, Writer};
