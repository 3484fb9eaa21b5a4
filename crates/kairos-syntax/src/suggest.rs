//! The keyword that a misspelt word was meant to be.

use crate::token::KEYWORDS;

/// The nearest keyword one slip away, two for long words; none for keywords themselves.
pub fn nearest_keyword(word: &str) -> Option<&'static str> {
    let slips = match word.len() {
        0..4 => return None,
        4..8 => 1,
        _ => 2,
    };
    let near = |keyword: &&&str| keyword.len() > 3 && keyword.len().abs_diff(word.len()) <= slips;
    KEYWORDS
        .iter()
        .filter(near)
        .map(|keyword| (distance(word.as_bytes(), keyword.as_bytes()), *keyword))
        .filter(|&(slip, _)| slip > 0 && slip <= slips)
        .min_by_key(|&(slip, _)| slip)
        .map(|(_, keyword)| keyword)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut best = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest_keyword;

    #[test]
    fn slips_of_the_pen_are_recognised() {
        for (word, keyword) in [
            ("paramter", Some("parameter")),
            ("modle", Some("model")),
            ("Model", Some("model")),
            ("equations", Some("equation")),
            ("algoritm", Some("algorithm")),
            ("elsif", Some("elseif")),
            ("model", None),
            ("mode", Some("model")),
            ("Real", None),
            ("x", None),
        ] {
            assert_eq!(nearest_keyword(word), keyword, "{word}");
        }
    }
}
