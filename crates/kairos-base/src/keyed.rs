//! A digest that only the holder of a secret can make: SipHash-2-4 with 128 bits (Aumasson and Bernstein).

/// The secret of a digest.
pub type Key = [u8; 16];

/// Takes bytes in pieces; pieces are not told apart, so whoever hashes several things writes their lengths too.
#[derive(Clone)]
pub struct Keyed {
    v: [u64; 4],
    /// What did not fill a word yet.
    rest: [u8; 8],
    length: u64,
}

impl Keyed {
    pub fn new(key: &Key) -> Self {
        let [a, b] = [0, 8].map(|at| word(&key[at..at + 8]));
        let v = [
            a ^ 0x736f_6d65_7073_6575,
            b ^ 0x646f_7261_6e64_6f6d ^ 0xee,
            a ^ 0x6c79_6765_6e65_7261,
            b ^ 0x7465_6462_7974_6573,
        ];
        Self { v, rest: [0; 8], length: 0 }
    }

    pub fn write(&mut self, mut bytes: &[u8]) {
        let have = (self.length % 8) as usize;
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if have > 0 {
            let take = bytes.len().min(8 - have);
            self.rest[have..have + take].copy_from_slice(&bytes[..take]);
            bytes = &bytes[take..];
            if have + take < 8 {
                return;
            }
            self.absorb(u64::from_le_bytes(self.rest));
        }
        let words = bytes.chunks_exact(8);
        let left = words.remainder();
        words.for_each(|chunk| self.absorb(word(chunk)));
        self.rest[..left.len()].copy_from_slice(left);
    }

    /// One thing among several: its length goes before it.
    pub fn write_whole(&mut self, bytes: &[u8]) {
        self.write(&(bytes.len() as u64).to_le_bytes());
        self.write(bytes);
    }

    pub fn finish(mut self) -> [u8; 16] {
        let mut last = self.rest;
        last[(self.length % 8) as usize..].fill(0);
        last[7] = self.length as u8;
        self.absorb(u64::from_le_bytes(last));
        let mut out = [0; 16];
        for (half, mark) in [(0, 0xee), (1, 0xdd)] {
            self.v[2 - half] ^= mark;
            (0..4).for_each(|_| self.round());
            let sum = self.v.iter().fold(0, |sum, v| sum ^ v);
            out[8 * half..8 * half + 8].copy_from_slice(&sum.to_le_bytes());
        }
        out
    }

    fn absorb(&mut self, word: u64) {
        self.v[3] ^= word;
        self.round();
        self.round();
        self.v[0] ^= word;
    }

    fn round(&mut self) {
        let [mut a, mut b, mut c, mut d] = self.v;
        a = a.wrapping_add(b);
        b = b.rotate_left(13) ^ a;
        a = a.rotate_left(32);
        c = c.wrapping_add(d);
        d = d.rotate_left(16) ^ c;
        a = a.wrapping_add(d);
        d = d.rotate_left(21) ^ a;
        c = c.wrapping_add(b);
        b = b.rotate_left(17) ^ c;
        c = c.rotate_left(32);
        self.v = [a, b, c, d];
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test vectors that the authors publish: key 0, 1, …, 15, and the bytes 0, 1, … in growing number.
    #[test]
    fn agrees_with_the_published_vectors() {
        let key: Key = std::array::from_fn(|k| k as u8);
        let vectors: [[u8; 16]; 2] = [
            [0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93],
            [0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45],
        ];
        for (length, expected) in vectors.iter().enumerate() {
            let mut keyed = Keyed::new(&key);
            (0..length).for_each(|k| keyed.write(&[k as u8]));
            assert_eq!(keyed.finish(), *expected, "of {length} bytes");
        }
    }

    #[test]
    fn pieces_do_not_matter_and_every_bit_does() {
        let bytes: Vec<u8> = (0..100).collect();
        let digest = |pieces: &[&[u8]]| {
            let mut keyed = Keyed::new(&[7; 16]);
            pieces.iter().for_each(|piece| keyed.write(piece));
            keyed.finish()
        };
        let whole = digest(&[&bytes]);
        for cut in 0..bytes.len() {
            assert_eq!(digest(&[&bytes[..cut], &bytes[cut..]]), whole, "cut at {cut}");
            let mut changed = bytes.clone();
            changed[cut] ^= 1;
            assert_ne!(digest(&[&changed]), whole);
            assert_ne!(digest(&[&bytes[..cut]]), whole);
        }
    }
}
