//! Tables in text files: `#1`, then `double name(rows,columns)` with numbers in row order.

use super::{Matrix, not_found};

pub(super) fn parse(content: &str, name: &str) -> Result<Matrix, String> {
    if !content.starts_with("#1") {
        return Err("a table text file must begin with the line #1".to_string());
    }
    let mut lines = content.lines().enumerate().map(|(at, line)| (at + 1, without_comment(line)));
    let mut present = Vec::new();
    while let Some((at, line)) = lines.next() {
        let Some(header) = parse_header(line) else { continue };
        let (found, rows, columns) = header.map_err(|reason| format!("line {at}: {reason}"))?;
        if found != name {
            present.push(found.to_string());
            continue;
        }
        return parse_numbers(rows, columns, std::iter::once((at, after_header(line))).chain(lines));
    }
    Err(not_found(name, &present))
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}

fn after_header(line: &str) -> &str {
    line.split_once(')').map_or("", |(_, rest)| rest)
}

/// `None` for lines that declare nothing: numbers of another table, blank lines.
fn parse_header(line: &str) -> Option<Result<(&str, usize, usize), String>> {
    let line = line.trim_start();
    let rest = line.strip_prefix("double").or_else(|| line.strip_prefix("float"))?;
    let parse = || {
        // Blanks separate as commas and brackets do, in the functions of the standard library, too.
        let (head, _) = rest.split_once(')')?;
        let mut words = head.split([' ', '\t', '(', ',']).filter(|word| !word.is_empty());
        let (name, rows, columns) = (words.next()?, words.next()?, words.next()?);
        Some((name, rows.parse().ok()?, columns.parse().ok()?))
    };
    Some(parse().ok_or_else(|| format!("expected double name(rows,columns), found \"{}\"", line.trim_end())))
}

fn parse_numbers<'a>(
    rows: usize,
    columns: usize,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Matrix, String> {
    let wanted = rows.checked_mul(columns).ok_or("its size is not credible")?;
    let mut data = Vec::with_capacity(wanted.min(1 << 20));
    for (at, line) in lines {
        if data.len() >= wanted {
            break;
        }
        let words = line.split([' ', '\t', ',', ';', '\r']).filter(|word| !word.is_empty());
        for word in words.take(wanted - data.len()) {
            let number = parse_number(word);
            data.push(number.ok_or_else(|| format!("line {at}: expected a number, found \"{word}\""))?);
        }
    }
    if data.len() < wanted {
        return Err(format!("it ends after {} of {rows} x {columns} numbers", data.len()));
    }
    Ok(Matrix { rows, columns, data })
}

/// A number in C notation.
pub(super) fn parse_number(word: &str) -> Option<f64> {
    word.parse().ok()
}
