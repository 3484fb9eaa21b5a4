//! How far one spelling is from another.

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
pub fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
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
    use super::slips;

    #[test]
    fn each_slip_counts_once() {
        for (a, b, count) in [
            ("", "", 0),
            ("x", "", 1),
            ("height", "height", 0),
            ("hight", "height", 1),
            ("heightt", "height", 1),
            ("hieget", "height", 2),
            ("hieght", "height", 1),
            ("größe", "grösse", 2),
        ] {
            assert_eq!(slips(a, b), count, "{a} {b}");
            assert_eq!(slips(b, a), count, "{b} {a}");
        }
    }
}
