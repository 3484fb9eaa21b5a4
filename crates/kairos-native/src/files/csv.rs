//! Tables in files of comma-separated values.

use super::Matrix;
use super::text::parse_number;

/// The first line after the header fixes the number of columns.
pub(super) fn parse(content: &str, delimiter: &str, header_lines: usize) -> Result<Matrix, String> {
    let mark = delimiter.chars().next().unwrap_or(',');
    let is_separator = |c: char| c == mark || matches!(c, ' ' | '\t' | '\r');
    let mut data = Vec::new();
    let (mut rows, mut columns) = (0, 0);
    for (at, line) in content.lines().enumerate().skip(header_lines) {
        let words = line.split(is_separator).map(unquoted).filter(|word| !word.is_empty());
        let before = data.len();
        for word in words {
            let number = parse_number(word);
            data.push(number.ok_or_else(|| {
                format!("line {}: expected a number, found \"{word}\"; is nHeaderLines right?", at + 1)
            })?);
        }
        let found = data.len() - before;
        if found == 0 {
            continue;
        }
        if rows == 0 {
            columns = found;
        } else if found != columns {
            return Err(format!(
                "line {} has {found} numbers, the first one has {columns}; is the delimiter '{mark}' right?",
                at + 1
            ));
        }
        rows += 1;
    }
    if rows == 0 {
        return Err(format!("it has no numbers after {header_lines} header line(s)"));
    }
    Ok(Matrix { rows, columns, data })
}

fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word)
}
