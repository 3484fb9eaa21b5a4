//! Systematic search for a consistent assignment of Booleans, nearest to the present one first.

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSearch {
    /// The assignment is consistent; `flips` of it differ from the start.
    Found { tried: u64, flips: usize },
    /// All assignments were tried.
    None { tried: u64 },
    /// The budget ended before the search did.
    Exhausted { tried: u64 },
}

/// Tries assignments by the number of flips from `modes`, none first, then single ones, until `consistent` holds.
///
/// Consecutive assignments with equally many flips differ in few places, so a factorisation can follow them.
/// On success `modes` holds the assignment, else its old value.
pub fn search_modes<E>(
    modes: &mut [bool],
    budget: u64,
    mut consistent: impl FnMut(&[bool]) -> Result<bool, E>,
) -> Result<ModeSearch, E> {
    let n = modes.len();
    let mut tried = 0;
    let mut chosen: Vec<usize> = Vec::with_capacity(n);
    for flips in 0..=n {
        chosen.clear();
        chosen.extend(0..flips);
        chosen.iter().for_each(|&at| modes[at] = !modes[at]);
        loop {
            if tried == budget {
                chosen.iter().for_each(|&at| modes[at] = !modes[at]);
                return Ok(ModeSearch::Exhausted { tried });
            }
            tried += 1;
            match consistent(modes) {
                Ok(true) => return Ok(ModeSearch::Found { tried, flips }),
                Ok(false) => {}
                Err(error) => {
                    chosen.iter().for_each(|&at| modes[at] = !modes[at]);
                    return Err(error);
                }
            }
            if !next_combination(&mut chosen, n, |at| modes[at] = !modes[at]) {
                break;
            }
        }
        chosen.iter().for_each(|&at| modes[at] = !modes[at]);
    }
    Ok(ModeSearch::None { tried })
}

/// The next choice of as many places out of `n` in lexicographic order, reporting each place that changes.
fn next_combination(chosen: &mut [usize], n: usize, mut flip: impl FnMut(usize)) -> bool {
    let k = chosen.len();
    let Some(place) = (0..k).rev().find(|&place| chosen[place] < n - k + place) else { return false };
    let first = chosen[place] + 1;
    for (offset, slot) in chosen[place..].iter_mut().enumerate() {
        flip(*slot);
        *slot = first + offset;
        flip(*slot);
    }
    true
}
