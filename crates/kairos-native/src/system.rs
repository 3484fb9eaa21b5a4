//! Functions of `Modelica.Utilities.System`: directory, environment, clock, processes.

use crate::context::Context;
use crate::file_system::path_arg;
use crate::outside::Found;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaInternal_getcwd", Kind::Impure, |context, _| {
        Ok(Some(path_arg(context.directory())))
    }),
    NativeFn::new("ModelicaInternal_chdir", Kind::Impure, change_directory),
    NativeFn::new("ModelicaInternal_getenv", Kind::Impure, get_variable),
    NativeFn::new("ModelicaInternal_setenv", Kind::Impure, |context, a| {
        context.environment.insert(a.text(0)?.to_string(), a.text(1)?.to_string());
        Ok(None)
    }),
    NativeFn::new("ModelicaInternal_getTime", Kind::Impure, get_time),
    NativeFn::new("ModelicaInternal_getpid", Kind::Impure, |context, _| {
        Ok(Some(Arg::Int(i64::from(context.process()?))))
    }),
    NativeFn::new("system", Kind::Impure, |context, a| Ok(Some(Arg::Int(context.command(&a.text(0)?)?)))),
    NativeFn::new("exit", Kind::Impure, |_, a| {
        Err(format!(
            "the model asked to end the program with exit({}); the simulation ends instead",
            a.int(0)?
        ))
    }),
];

// (directory)
fn change_directory(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let place = context.readable(&a.text(0)?)?;
    let failed = |reason: &str| {
        format!("the working directory cannot become \"{}\": {reason}", place.path().display())
    };
    match place.found() {
        Found::Folder => context.set_directory(place.full()),
        Found::Nothing => return Err(failed("there is no such directory")),
        Found::File | Found::Other => return Err(failed("it is not a directory")),
    }
    Ok(None)
}

// (name, convertToSlash, &content, &exist)
fn get_variable(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let name = a.text(0)?;
    let content = match context.environment.get(&*name) {
        Some(own) => Some(own.clone()),
        None => context.outer_variable(&name)?,
    };
    let exists = content.is_some();
    let mut content = content.unwrap_or_default();
    if a.bool(1)? {
        content = content.replace('\\', "/");
    }
    a.set(2, Arg::str(&content))?;
    a.set(3, Arg::Bool(exists))?;
    Ok(None)
}

// (&ms, &sec, &min, &hour, &day, &mon, &year), in universal time.
fn get_time(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let since = context.clock()?;
    let seconds = since.as_secs() as i64;
    let (year, month, day) = civil_date(seconds / 86_400);
    let clock = seconds % 86_400;
    let parts =
        [i64::from(since.subsec_millis()), clock % 60, clock / 60 % 60, clock / 3600, day, month, year];
    for (at, part) in parts.into_iter().enumerate() {
        a.set(at, Arg::Int(part))?;
    }
    Ok(None)
}

/// The Gregorian date of a day counted from 1970-01-01.
fn civil_date(days: i64) -> (i64, i64, i64) {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut rest) = (1970 + 400 * (days / 146_097), days % 146_097);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::civil_date;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(11_017), (2000, 3, 1));
        assert_eq!(civil_date(20_088), (2024, 12, 31));
        assert_eq!(civil_date(47_541), (2100, 3, 1));
    }
}
