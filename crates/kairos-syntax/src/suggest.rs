//! The keyword that a misspelt word was meant to be.

use crate::token::KEYWORDS;
use kairos_base::spelling::slips;

/// The nearest keyword one slip away, two for long words; none for keywords themselves.
pub fn nearest_keyword(word: &str) -> Option<&'static str> {
    let most = match word.len() {
        0..4 => return None,
        4..8 => 1,
        _ => 2,
    };
    let near = |keyword: &&&str| keyword.len() > 3 && keyword.len().abs_diff(word.len()) <= most;
    KEYWORDS
        .iter()
        .filter(near)
        .map(|keyword| (slips(word, keyword), *keyword))
        .filter(|&(slip, _)| slip > 0 && slip <= most)
        .min_by_key(|&(slip, _)| slip)
        .map(|(_, keyword)| keyword)
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
