//! Functions of `Modelica.Utilities.Streams` on text files and the console.

use std::sync::Arc;

use crate::context::{Channel, Context};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("ModelicaInternal_print", Kind::Impure, print),
    NativeFn::new("ModelicaInternal_countLines", Kind::Impure, count_lines),
    NativeFn::new("ModelicaInternal_readFile", Kind::Impure, read_file),
    NativeFn::new("ModelicaInternal_readLine", Kind::Impure, read_line),
    NativeFn::new("ModelicaStreams_closeFile", Kind::Impure, |context, a| {
        let path = context.path(&a.text(0)?)?;
        context.open_files.remove(&path);
        Ok(None)
    }),
];

// (string, fileName); an empty name is the console.
fn print(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (text, name) = (a.text(0)?, a.text(1)?);
    if name.is_empty() {
        context.say(Channel::Output, &text);
        return Ok(None);
    }
    let place = context.writable(&name)?;
    context.open_files.remove(place.path());
    place
        .append(&format!("{text}\n"))
        .map_err(|error| format!("\"{}\" cannot be written: {error}", place.path().display()))?;
    Ok(None)
}

// (fileName) -> count
fn count_lines(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let count = lines(context, &a.text(0)?)?.len();
    Ok(Some(Arg::Int(count as i64)))
}

// (fileName, &lines, nLines)
fn read_file(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (name, wanted) = (a.text(0)?, a.size(2)?);
    let lines = lines(context, &name)?;
    if lines.len() < wanted {
        return Err(format!("\"{name}\" has {} lines, {wanted} are asked for: use countLines", lines.len()));
    }
    a.set(1, Arg::strs(lines[..wanted].iter().map(|line| Arc::from(line.as_str())).collect()))?;
    Ok(None)
}

// (fileName, lineNumber, &endOfFile) -> line
fn read_line(context: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (name, number) = (a.text(0)?, a.size(1)?);
    let path = context.path(&name)?;
    let lines = match context.open_files.get(&path) {
        Some(lines) => lines.clone(),
        None => lines(context, &name)?,
    };
    let line = lines.get(number.wrapping_sub(1));
    a.set(2, Arg::Bool(line.is_none()))?;
    match line {
        // Reading line by line opens the file once; its end or `close` forgets it.
        Some(_) => context.open_files.insert(path, lines.clone()),
        None => context.open_files.remove(&path),
    };
    Ok(Some(Arg::str(line.map_or("", String::as_str))))
}

fn lines(context: &Context, name: &str) -> Result<Arc<Vec<String>>, String> {
    let place = context.readable(name)?;
    let bytes = place.read().map_err(|error| {
        format!(
            "\"{}\" cannot be read ({error}): check the file name and the working directory",
            place.path().display()
        )
    })?;
    Ok(Arc::new(String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()))
}
