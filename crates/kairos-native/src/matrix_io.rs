//! Functions that read and write matrices in MAT files.

use crate::context::{Channel, Context};
use crate::files::{MatVersion, Matrix, read_mat, write_mat};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaIO_readMatrixSizes", Kind::Impure, read_sizes),
    NativeFn::new("ModelicaIO_readRealMatrix", Kind::Impure, read_matrix),
    NativeFn::new("ModelicaIO_writeRealMatrix", Kind::Impure, write_matrix),
];

// (file, name, &sizes)
fn read_sizes(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let matrix = read_mat(&context.readable(&a.text(0)?)?, &a.text(1)?)?;
    a.set(2, Arg::ints(vec![matrix.rows as i64, matrix.columns as i64]))?;
    Ok(None)
}

// (file, name, &matrix, rows, columns, verbose)
fn read_matrix(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (file, name, rows, columns) = (a.text(0)?, a.text(1)?, a.size(3)?, a.size(4)?);
    if a.bool(5)? {
        context.say(Channel::Message, &format!("... loading \"{name}\" from \"{file}\""));
    }
    let matrix = read_mat(&context.readable(&file)?, &name)?;
    if (matrix.rows, matrix.columns) != (rows, columns) {
        return Err(format!(
            "matrix \"{name}\" of \"{file}\" has size {} x {}, the model expects {rows} x {columns}: \
             ask for the size with readMatrixSize",
            matrix.rows, matrix.columns
        ));
    }
    a.set(2, Arg::matrix(rows, columns, matrix.data))?;
    Ok(None)
}

// (file, name, matrix, rows, columns, append, version) -> success
fn write_matrix(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (rows, columns, version) = (a.size(3)?, a.size(4)?, a.text(6)?);
    let version = match &*version {
        "4" => MatVersion::V4,
        "6" => MatVersion::V6,
        "7" => MatVersion::V7,
        other => {
            return Err(format!("MAT format \"{other}\" cannot be written: choose \"4\", \"6\" or \"7\""));
        }
    };
    let data = a.reals(2)?.to_vec();
    if rows.checked_mul(columns) != Some(data.len()) {
        return Err(format!("writeRealMatrix got {} numbers for a matrix of {rows} x {columns}", data.len()));
    }
    let file = a.text(0)?;
    let before = if a.bool(5)? { Some(context.readable(&file)?) } else { None };
    let matrix = Matrix { rows, columns, data };
    write_mat(&context.writable(&file)?, &a.text(1)?, &matrix, before.as_ref(), version)?;
    Ok(Some(Arg::Bool(true)))
}
