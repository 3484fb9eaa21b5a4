//! Random numbers that are the same on every machine.

/// A generator of the PCG family.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03);
        random.bits();
        random.bits();
        random
    }

    fn bits(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// From `low` to `high`.
    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.bits()) / 4_294_967_296.0
    }

    /// As `real`, with three digits: a number that a text shows in full.
    pub fn round(&mut self, low: f64, high: f64) -> f64 {
        (self.real(low, high) * 1000.0).round() / 1000.0
    }

    /// From `low` up to, but not with, `high`.
    pub fn below(&mut self, low: usize, high: usize) -> usize {
        low + ((u64::from(self.bits()) * (high - low) as u64) >> 32) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.real(0.0, 1.0) < probability
    }
}
