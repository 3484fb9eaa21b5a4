//! The recurrence of `Calendar.mo` on a binary heap: what the events cost without a simulator.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

fn main() {
    let count: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let (mut s, mut k, mut sum) = (1i64, 0u64, 0i64);
    // Times are not negative, so their bits are ordered as they are.
    let mut heap = BinaryHeap::from([Reverse(0.5f64.to_bits())]);
    while let Some(Reverse(bits)) = heap.pop() {
        let time = f64::from_bits(bits);
        s = (s * 1103 + 12345).rem_euclid(65536);
        k += 1;
        sum = (sum + s).rem_euclid(1_000_003);
        if k < count {
            heap.push(Reverse((time + (1 + s) as f64 / 65536.0).to_bits()));
        }
    }
    println!("{k} {sum}");
}
