//! Sobol's sequence: points that fill the unit cube evenly, each block of a power of two of them in every coordinate.
//!
//! Idea: the digits of the point's number, in base two, choose which direction numbers are added without carry; a recurrence with a
//! primitive polynomial over two elements makes the direction numbers of each dimension from a few first ones. A random shift, digit by
//! digit, keeps the evenness and avoids the corner at zero.
//! Literature: Bratley and Fox, Algorithm 659, ACM TOMS 14 (1988); Joe and Kuo, Constructing Sobol sequences with better two-dimensional
//! projections, SIAM J. Sci. Comput. 30 (2008), whose polynomials and first numbers these are.

use super::random::Random;

/// Digits of a coordinate: as many as a number between 0 and 1 holds, one less for the middle of the last cell.
const DIGITS: usize = 52;

/// One coordinate of the points, one after the other.
pub struct Sobol {
    directions: [u64; DIGITS],
    next: u64,
    at: u64,
}

impl Sobol {
    /// As many dimensions as there are.
    pub const DIMENSIONS: usize = FIRST.len() + 1;

    /// The coordinate of a dimension, none beyond the last; the shift is drawn.
    pub fn new(dimension: usize, random: &mut Random) -> Option<Self> {
        let directions = directions(dimension)?;
        let at = (random.unit() * (1u64 << DIGITS) as f64) as u64;
        Some(Self { directions, next: 0, at })
    }
}

impl Iterator for Sobol {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let value = (self.at as f64 + 0.5) / (1u64 << DIGITS) as f64;
        // Gray code: one digit changes from point to point, which orders each block in another way only.
        let changed = self.next.trailing_ones() as usize;
        self.at ^= self.directions.get(changed)?;
        self.next += 1;
        Some(value)
    }
}

fn directions(dimension: usize) -> Option<[u64; DIGITS]> {
    let mut numbers = [0u64; DIGITS];
    if dimension == 0 {
        numbers.iter_mut().enumerate().for_each(|(k, number)| *number = 1 << (DIGITS - 1 - k));
        return Some(numbers);
    }
    let (polynomial, first) = FIRST.get(dimension - 1)?;
    let degree = first.len();
    for k in 0..DIGITS {
        numbers[k] = match first.get(k) {
            Some(number) => u64::from(*number) << (DIGITS - 1 - k),
            None => {
                let mut number = numbers[k - degree] ^ (numbers[k - degree] >> degree);
                for back in 1..degree {
                    if polynomial >> (degree - back) & 1 == 1 {
                        number ^= numbers[k - back];
                    }
                }
                number
            }
        };
    }
    Some(numbers)
}

/// For each dimension after the first the polynomial, its highest coefficient first, and the first direction numbers.
#[rustfmt::skip]
const FIRST: [(u32, &[u32]); 99] = [
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (355, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
    (647, &[1, 1, 1, 11, 21, 53, 125, 249, 293]),
    (661, &[1, 1, 7, 11, 11, 7, 57, 79, 323]),
    (675, &[1, 1, 5, 5, 17, 13, 81, 3, 131]),
    (677, &[1, 1, 7, 13, 23, 7, 65, 251, 475]),
    (687, &[1, 3, 5, 1, 9, 43, 3, 149, 11]),
    (695, &[1, 1, 3, 13, 31, 13, 13, 255, 487]),
    (701, &[1, 3, 3, 1, 5, 63, 89, 91, 127]),
    (719, &[1, 1, 3, 3, 1, 19, 123, 127, 237]),
    (721, &[1, 1, 5, 7, 23, 31, 37, 243, 289]),
    (731, &[1, 1, 5, 11, 17, 53, 117, 183, 491]),
    (757, &[1, 1, 1, 5, 1, 13, 13, 209, 345]),
    (761, &[1, 1, 3, 15, 1, 57, 115, 7, 33]),
    (787, &[1, 3, 1, 11, 7, 43, 81, 207, 175]),
    (789, &[1, 3, 1, 1, 15, 27, 63, 255, 49]),
    (799, &[1, 3, 5, 3, 27, 61, 105, 171, 305]),
    (803, &[1, 1, 5, 3, 1, 3, 57, 249, 149]),
    (817, &[1, 1, 3, 5, 5, 57, 15, 13, 159]),
    (827, &[1, 1, 1, 11, 7, 11, 105, 141, 225]),
    (847, &[1, 3, 3, 5, 27, 59, 121, 101, 271]),
    (859, &[1, 3, 5, 9, 11, 49, 51, 59, 115]),
    (865, &[1, 1, 7, 1, 23, 45, 125, 71, 419]),
    (875, &[1, 1, 3, 5, 23, 5, 105, 109, 75]),
    (877, &[1, 1, 7, 15, 7, 11, 67, 121, 453]),
    (883, &[1, 3, 7, 3, 9, 13, 31, 27, 449]),
    (895, &[1, 3, 1, 15, 19, 39, 39, 89, 15]),
    (901, &[1, 1, 1, 1, 1, 33, 73, 145, 379]),
    (911, &[1, 3, 1, 15, 15, 43, 29, 13, 483]),
    (949, &[1, 1, 7, 3, 19, 27, 85, 131, 431]),
    (953, &[1, 3, 3, 3, 5, 35, 23, 195, 349]),
    (967, &[1, 3, 3, 7, 9, 27, 39, 59, 297]),
    (971, &[1, 1, 3, 9, 11, 17, 13, 241, 157]),
    (973, &[1, 3, 7, 15, 25, 57, 33, 189, 213]),
    (981, &[1, 1, 7, 1, 9, 55, 73, 83, 217]),
    (985, &[1, 3, 3, 13, 19, 27, 23, 113, 249]),
    (995, &[1, 3, 5, 3, 23, 43, 3, 253, 479]),
    (1001, &[1, 1, 5, 5, 11, 5, 45, 117, 217]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// `x^e` modulo a polynomial over two elements.
    fn power(exponent: u64, polynomial: u64, degree: u32) -> u64 {
        let product = |mut a: u64, mut b: u64| {
            let mut sum = 0;
            while b > 0 {
                if b & 1 == 1 {
                    sum ^= a;
                }
                b >>= 1;
                a <<= 1;
                if a >> degree & 1 == 1 {
                    a ^= polynomial;
                }
            }
            sum
        };
        let (mut result, mut base, mut rest) = (1, if degree == 1 { 2 ^ polynomial } else { 2 }, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = product(result, base);
            }
            base = product(base, base);
            rest >>= 1;
        }
        result
    }

    #[test]
    fn polynomials_are_primitive_and_differ() {
        let mut known = std::collections::BTreeSet::new();
        for (polynomial, first) in FIRST {
            let degree = first.len() as u32;
            assert_eq!(polynomial.ilog2(), degree);
            assert!(known.insert(polynomial), "{polynomial} comes twice");
            // The order of x is the whole group: x^(2^n - 1) = 1, and no proper divisor does it.
            let order = (1u64 << degree) - 1;
            let (polynomial, one) = (u64::from(polynomial), 1);
            assert_eq!(power(order, polynomial, degree), one);
            for prime in (2..=order).filter(|k| order.is_multiple_of(*k) && (2..*k).all(|j| k % j != 0)) {
                assert_ne!(power(order / prime, polynomial, degree), one, "{polynomial}");
            }
            for (k, number) in first.iter().enumerate() {
                assert!(number % 2 == 1 && *number < 2 << k);
            }
        }
    }

    #[test]
    fn each_block_meets_each_slice_once_in_every_dimension() {
        for dimension in 0..Sobol::DIMENSIONS {
            let points: Vec<f64> =
                Sobol::new(dimension, &mut Random::new(5)).expect("there").take(4096).collect();
            for power in [1, 4, 8, 11] {
                let size = 1 << power;
                for block in points.chunks_exact(size) {
                    let mut met = vec![false; size];
                    block.iter().for_each(|x| met[(x * size as f64) as usize] = true);
                    assert!(met.iter().all(|slice| *slice), "dimension {dimension}, blocks of {size}");
                }
            }
        }
        assert!(Sobol::new(Sobol::DIMENSIONS, &mut Random::new(5)).is_none());
    }

    #[test]
    fn the_first_pairs_of_dimensions_fill_boxes_of_every_shape() {
        // The first two dimensions are a (0, 2)-sequence: each block of 2^m points has one in every box of area 2^-m.
        let mut random = Random::new(9);
        let mut column =
            |dimension| Sobol::new(dimension, &mut random).expect("there").take(256).collect::<Vec<f64>>();
        let (x, y) = (column(0), column(1));
        for wide in 0..=8_u32 {
            let (across, up) = ((1u32 << wide) as f64, (1u32 << (8 - wide)) as f64);
            let boxes: std::collections::BTreeSet<(u64, u64)> =
                x.iter().zip(&y).map(|(x, y)| ((x * across) as u64, (y * up) as u64)).collect();
            assert_eq!(boxes.len(), 256, "boxes of 1/{across} by 1/{up}");
        }
    }
}
