//! Exact rational numbers for clock intervals (MLS 16.7.5), checked against overflow.

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    num: i64,
    den: i64,
}

impl Rational {
    pub const ZERO: Rational = Rational { num: 0, den: 1 };
    pub const ONE: Rational = Rational { num: 1, den: 1 };

    pub fn new(num: i64, den: i64) -> Option<Rational> {
        Self::reduce(i128::from(num), i128::from(den))
    }

    fn reduce(num: i128, den: i128) -> Option<Rational> {
        if den == 0 {
            return None;
        }
        let g = gcd(num.unsigned_abs(), den.unsigned_abs()).max(1) as i128 * den.signum();
        Some(Rational { num: i64::try_from(num / g).ok()?, den: i64::try_from(den / g).ok()? })
    }

    pub fn parts(self) -> (i64, i64) {
        (self.num, self.den)
    }

    pub fn is_integer(self) -> bool {
        self.den == 1
    }

    pub fn is_negative(self) -> bool {
        self.num < 0
    }

    pub fn add(self, other: Rational) -> Option<Rational> {
        let (a, b, c, d) = self.wide(other);
        Self::reduce(a * d + c * b, b * d)
    }

    pub fn sub(self, other: Rational) -> Option<Rational> {
        let (a, b, c, d) = self.wide(other);
        Self::reduce(a * d - c * b, b * d)
    }

    pub fn mul(self, other: Rational) -> Option<Rational> {
        let (a, b, c, d) = self.wide(other);
        Self::reduce(a * c, b * d)
    }

    pub fn div(self, other: Rational) -> Option<Rational> {
        let (a, b, c, d) = self.wide(other);
        Self::reduce(a * d, b * c)
    }

    pub fn less(self, other: Rational) -> bool {
        let (a, b, c, d) = self.wide(other);
        a * d < c * b
    }

    /// The largest number of which both are whole multiples.
    pub fn common(self, other: Rational) -> Option<Rational> {
        let (a, b, c, d) = self.wide(other);
        let num = gcd((a * d).unsigned_abs(), (c * b).unsigned_abs());
        Self::reduce(i128::try_from(num).ok()?, b * d)
    }

    fn wide(self, other: Rational) -> (i128, i128, i128, i128) {
        (i128::from(self.num), i128::from(self.den), i128::from(other.num), i128::from(other.den))
    }
}

pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Rational;

    fn r(num: i64, den: i64) -> Rational {
        Rational::new(num, den).expect("a small fraction")
    }

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        assert_eq!(r(6, -4).parts(), (-3, 2));
        assert_eq!(r(1, 3).add(r(1, 6)), Some(r(1, 2)));
        assert_eq!(r(1, 3).div(r(2, 3)), Some(r(1, 2)));
        assert_eq!(Rational::new(1, 0), None);
    }

    #[test]
    fn common_measure_divides_both() {
        assert_eq!(r(3, 10).common(r(1, 4)), Some(r(1, 20)));
        assert_eq!(r(3, 10).common(Rational::ZERO), Some(r(3, 10)));
    }

    #[test]
    fn overflow_is_noticed() {
        assert_eq!(r(i64::MAX, 1).mul(r(2, 1)), None);
    }
}
