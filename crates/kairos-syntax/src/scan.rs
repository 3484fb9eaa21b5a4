//! Byte searches that the compiler turns into vector code, for long strings and comments.

const BLOCK: usize = 32;

/// The offset of the first `a` or `b` at or after `from`, else the length of `bytes`.
pub fn find_either(bytes: &[u8], from: usize, a: u8, b: u8) -> usize {
    let rest = bytes.get(from..).unwrap_or(&[]);
    let mut at = from.min(bytes.len());
    for block in rest.chunks_exact(BLOCK) {
        // No early exit inside a block: a plain reduction is what vectorises.
        if block.iter().fold(false, |hit, &c| hit | (c == a) | (c == b)) {
            break;
        }
        at += BLOCK;
    }
    at + bytes[at..].iter().position(|&c| c == a || c == b).unwrap_or(bytes.len() - at)
}

#[cfg(test)]
mod tests {
    use super::find_either;

    #[test]
    fn agrees_with_a_plain_search() {
        let mut text = vec![b'.'; 150];
        for at in 0..150 {
            text[at] = if at % 2 == 0 { b'x' } else { b'y' };
            for from in 0..=150 {
                let plain = text[from..].iter().position(|&c| c == b'x' || c == b'y');
                assert_eq!(find_either(&text, from, b'x', b'y'), plain.map_or(150, |p| from + p));
            }
            text[at] = b'.';
        }
        assert_eq!(find_either(b"ab", 7, b'a', b'b'), 2);
    }
}
