//! Where the data of a table comes from: the model or a file.

use std::sync::Arc;

use super::grid::Grid;
use crate::context::{Channel, Context};
use crate::files;

/// What a table constructor says about its data.
pub(super) struct Request {
    pub file: Arc<str>,
    pub table: Arc<str>,
    pub data: Arc<Vec<f64>>,
    pub rows: usize,
    pub columns: usize,
    pub verbose: bool,
    pub delimiter: Arc<str>,
    pub header_lines: usize,
}

pub(super) fn load(context: &mut Context, request: &Request) -> Result<Grid, String> {
    let Request { file, table, .. } = request;
    match (is_given(file), is_given(table)) {
        (false, false) => Grid::new("table", request.rows, request.columns, request.data.clone()),
        (true, false) => Err(format!(
            "the table file \"{file}\" is given but not the name of the table in it: set tableName as well"
        )),
        (false, true) => Err(format!(
            "table \"{table}\" has no file: set fileName, or give the data as parameter table with tableOnFile=false \
             (tables compiled into a C function usertab are not supported)"
        )),
        (true, true) => {
            if request.verbose {
                context.say(Channel::Message, &format!("... loading \"{table}\" from \"{file}\""));
            }
            let matrix =
                files::read_table(&context.readable(file)?, table, &request.delimiter, request.header_lines)?;
            Grid::new(table, matrix.rows, matrix.columns, Arc::new(matrix.data))
        }
    }
}

/// MSL: "NoName" or blanks mean that a name is not given.
fn is_given(name: &str) -> bool {
    name != "NoName" && name.chars().any(|c| c != ' ')
}
