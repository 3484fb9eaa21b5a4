//! Where the data of a table comes from: the model or a file.

use std::sync::Arc;

use super::grid::Grid;
use crate::context::{Channel, Context};
use crate::files;
use crate::value::Arg;

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
             (no C code of the model has a function usertab that gives tables)"
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

/// A table that C code is to give, in the function `usertab` of the standard library's tables: it has a name and no file.
pub struct FromCode {
    pub name: Arc<str>,
    /// 0: a table over time, 1: with one argument, 2: with two.
    pub kind: i32,
}

impl FromCode {
    /// Does the constructor `symbol` ask for such a table?
    pub fn of(symbol: &str, args: &[Arg]) -> Option<Self> {
        let kind = match symbol.strip_prefix("ModelicaStandardTables_Combi")?.split_once("_init")?.0 {
            "TimeTable" => 0,
            "Table1D" => 1,
            "Table2D" => 2,
            _ => return None,
        };
        let [Arg::Str(file), Arg::Str(name), ..] = args else { return None };
        (!is_given(file) && is_given(name)).then(|| FromCode { name: name.clone(), kind })
    }

    /// The arguments of the constructor with the numbers that the code gave, row by row.
    pub fn give(args: &mut [Arg], rows: usize, columns: usize, data: Vec<f64>) {
        if let [_, name, table, row_count, column_count, ..] = args {
            *name = Arg::Str("NoName".into());
            *table = Arg::RealArray { dims: vec![rows, columns], data: Arc::new(data) };
            *row_count = Arg::Int(rows as i64);
            *column_count = Arg::Int(columns as i64);
        }
    }
}

/// MSL: "NoName" or blanks mean that a name is not given.
fn is_given(name: &str) -> bool {
    name != "NoName" && name.chars().any(|c| c != ' ')
}
