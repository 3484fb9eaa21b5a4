//! Tables of `Modelica.Blocks`: their rows in the function table.

mod curve;
mod grid;
mod kinds;
mod source;
mod table1d;
mod table2d;
mod time_table;

pub use grid::Grid;
pub use kinds::{Extrapolation, Smoothness, TimeEvents};
pub use source::FromCode;
pub use table1d::{Column, CombiTable1D};
pub use table2d::CombiTable2D;
pub use time_table::{CombiTimeTable, TimeOptions};

use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};
use source::{Request, load};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    row("ModelicaStandardTables_CombiTable1D_init2", Kind::Constructor, init_1d),
    row("ModelicaStandardTables_CombiTable1D_init3", Kind::Constructor, init_1d),
    row("ModelicaStandardTables_CombiTable1D_close", Kind::Destructor, close),
    row("ModelicaStandardTables_CombiTable1D_read", Kind::Pure, already_read::<CombiTable1D>),
    row("ModelicaStandardTables_CombiTable1D_getValue", Kind::Pure, |_, a| {
        real(a.object::<CombiTable1D>(0)?.value(a.size(1)?, a.real(2)?))
    }),
    row("ModelicaStandardTables_CombiTable1D_getDerValue", Kind::Pure, |_, a| {
        real(a.object::<CombiTable1D>(0)?.derivative(a.size(1)?, a.real(2)?, a.real(3)?))
    }),
    row("ModelicaStandardTables_CombiTable1D_getDer2Value", Kind::Pure, |_, a| {
        real(a.object::<CombiTable1D>(0)?.second_derivative(a.size(1)?, a.real(2)?, a.real(3)?, a.real(4)?))
    }),
    row("ModelicaStandardTables_CombiTable1D_minimumAbscissa", Kind::Pure, |_, a| {
        real(Ok(a.object::<CombiTable1D>(0)?.minimum_abscissa()))
    }),
    row("ModelicaStandardTables_CombiTable1D_maximumAbscissa", Kind::Pure, |_, a| {
        real(Ok(a.object::<CombiTable1D>(0)?.maximum_abscissa()))
    }),
    row("ModelicaStandardTables_CombiTable2D_init2", Kind::Constructor, init_2d),
    row("ModelicaStandardTables_CombiTable2D_init3", Kind::Constructor, init_2d),
    row("ModelicaStandardTables_CombiTable2D_close", Kind::Destructor, close),
    row("ModelicaStandardTables_CombiTable2D_read", Kind::Pure, already_read::<CombiTable2D>),
    row("ModelicaStandardTables_CombiTable2D_getValue", Kind::Pure, |_, a| {
        real(a.object::<CombiTable2D>(0)?.value(a.real(1)?, a.real(2)?))
    }),
    row("ModelicaStandardTables_CombiTable2D_getDerValue", Kind::Pure, |_, a| {
        real(a.object::<CombiTable2D>(0)?.derivative(a.real(1)?, a.real(2)?, a.real(3)?, a.real(4)?))
    }),
    row("ModelicaStandardTables_CombiTable2D_getDer2Value", Kind::Pure, |_, a| {
        let (u1, u2, du1, du2) = (a.real(1)?, a.real(2)?, a.real(3)?, a.real(4)?);
        real(a.object::<CombiTable2D>(0)?.second_derivative(u1, u2, du1, du2, a.real(5)?, a.real(6)?))
    }),
    row("ModelicaStandardTables_CombiTable2D_minimumAbscissa", Kind::Pure, |_, a| {
        let ends = a.object::<CombiTable2D>(0)?.minimum_abscissae();
        a.set(1, Arg::reals(ends.to_vec())).map(|()| None)
    }),
    row("ModelicaStandardTables_CombiTable2D_maximumAbscissa", Kind::Pure, |_, a| {
        let ends = a.object::<CombiTable2D>(0)?.maximum_abscissae();
        a.set(1, Arg::reals(ends.to_vec())).map(|()| None)
    }),
    row("ModelicaStandardTables_CombiTimeTable_init2", Kind::Constructor, init_time),
    row("ModelicaStandardTables_CombiTimeTable_init3", Kind::Constructor, init_time),
    row("ModelicaStandardTables_CombiTimeTable_close", Kind::Destructor, close),
    row("ModelicaStandardTables_CombiTimeTable_read", Kind::Pure, already_read::<CombiTimeTable>),
    row("ModelicaStandardTables_CombiTimeTable_getValue", Kind::Pure, |_, a| {
        real(a.object::<CombiTimeTable>(0)?.value(a.size(1)?, a.real(2)?, a.real(3)?, a.real(4)?))
    }),
    row("ModelicaStandardTables_CombiTimeTable_getDerValue", Kind::Pure, |_, a| {
        let (column, t, next, pre_next) = (a.size(1)?, a.real(2)?, a.real(3)?, a.real(4)?);
        real(a.object::<CombiTimeTable>(0)?.derivative(column, t, next, pre_next, a.real(5)?))
    }),
    row("ModelicaStandardTables_CombiTimeTable_getDer2Value", Kind::Pure, |_, a| {
        let (column, t, next, pre_next) = (a.size(1)?, a.real(2)?, a.real(3)?, a.real(4)?);
        let table = a.object::<CombiTimeTable>(0)?;
        real(table.second_derivative(column, t, next, pre_next, a.real(5)?, a.real(6)?))
    }),
    row("ModelicaStandardTables_CombiTimeTable_minimumTime", Kind::Pure, |_, a| {
        real(Ok(a.object::<CombiTimeTable>(0)?.minimum_time()))
    }),
    row("ModelicaStandardTables_CombiTimeTable_maximumTime", Kind::Pure, |_, a| {
        real(Ok(a.object::<CombiTimeTable>(0)?.maximum_time()))
    }),
    row("ModelicaStandardTables_CombiTimeTable_nextTimeEvent", Kind::Pure, |_, a| {
        real(Ok(a.object::<CombiTimeTable>(0)?.next_time_event(a.real(1)?)))
    }),
];

const fn row(name: &'static str, kind: Kind, run: crate::registry::Implementation) -> NativeFn {
    NativeFn::new(name, kind, run)
}

fn real(value: Result<f64, String>) -> Result<Option<Arg>, String> {
    value.map(|value| Some(Arg::Real(value)))
}

// (file, table, data, rows, columns, selected, nSelected, smoothness, extrapolation, verbose[, delimiter, header])
fn init_1d(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let grid = load(context, &request(a, 9)?)?;
    let smoothness = Smoothness::from_index(a.int(7)?)?;
    let extrapolation = Extrapolation::from_index(a.int(8)?)?;
    Ok(Some(Arg::object(CombiTable1D::new(&grid, &a.ints(5)?, smoothness, extrapolation)?)))
}

// (file, table, data, rows, columns, smoothness, extrapolation, verbose[, delimiter, header])
fn init_2d(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let grid = load(context, &request(a, 7)?)?;
    let smoothness = Smoothness::from_index(a.int(5)?)?;
    let extrapolation = Extrapolation::from_index(a.int(6)?)?;
    Ok(Some(Arg::object(CombiTable2D::new(&grid, smoothness, extrapolation)?)))
}

// (file, table, data, rows, columns, start, selected, nSelected, smoothness, extrapolation, shift, events,
//  verbose[, delimiter, header])
fn init_time(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let grid = load(context, &request(a, 12)?)?;
    let smoothness = Smoothness::from_index(a.int(8)?)?;
    let extrapolation = Extrapolation::from_index(a.int(9)?)?;
    let options = TimeOptions {
        start_time: a.real(5)?,
        shift_time: a.real(10)?,
        events: TimeEvents::from_index(a.int(11)?)?,
    };
    Ok(Some(Arg::object(CombiTimeTable::new(&grid, &a.ints(6)?, smoothness, extrapolation, options)?)))
}

fn request(a: &Args<'_>, verbose: usize) -> Result<Request, String> {
    let newer = a.len() > verbose + 1;
    Ok(Request {
        file: a.text(0)?,
        table: a.text(1)?,
        data: a.reals(2)?,
        rows: a.size(3)?,
        columns: a.size(4)?,
        verbose: a.bool(verbose)?,
        delimiter: if newer { a.text(verbose + 1)? } else { ",".into() },
        header_lines: if newer { a.size(verbose + 2)? } else { 0 },
    })
}

// Handles are reference counted: the last one to let go frees the table.
fn close(_: &mut Context, _: &mut Args<'_>) -> Result<Option<Arg>, String> {
    Ok(None)
}

// Obsolete: tables are read when they are made.
fn already_read<T: Send + Sync + 'static>(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    a.object::<T>(0)?;
    Ok(Some(Arg::Real(1.0)))
}
