//! Byte ranges of a file and what takes their place.

use std::fmt;

use super::EditError;

/// One replacement of bytes. Ranges count in the file before all splices of the same edit.
#[derive(Clone, PartialEq, Eq)]
pub struct Splice {
    /// The first byte that is replaced.
    pub start: usize,
    /// Behind the last; equal to `start` for an insertion.
    pub end: usize,
    /// The bytes in between, as they were.
    pub old: Vec<u8>,
    /// What takes their place.
    pub new: Vec<u8>,
    /// The path of the value, with dots between the keys.
    pub key: String,
}

impl fmt::Debug for Splice {
    /// Without the bytes: whoever asked for the edit knows whether they may be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (old, new) = (self.old.len(), self.new.len());
        write!(f, "Splice({}..{}, {old} -> {new} bytes, {})", self.start, self.end, self.key)
    }
}

/// The file after an edit. Insertions at one place come in their order.
///
/// # Errors
///
/// When the bytes are not the `old` ones, or the splices are out of order or overlap.
pub fn apply(bytes: &[u8], splices: &[Splice]) -> Result<Vec<u8>, EditError> {
    let added: usize = splices.iter().map(|splice| splice.new.len()).sum();
    let mut out = Vec::with_capacity(bytes.len() + added);
    let mut at = 0;
    for splice in splices {
        let stale = EditError::Stale { start: splice.start };
        if splice.start < at || bytes.get(splice.start..splice.end) != Some(&splice.old[..]) {
            return Err(stale);
        }
        out.extend_from_slice(&bytes[at..splice.start]);
        out.extend_from_slice(&splice.new);
        at = splice.end;
    }
    out.extend_from_slice(&bytes[at..]);
    Ok(out)
}

/// The edit that takes an edit back: splices of the file after it.
#[must_use]
pub fn reversed(splices: &[Splice]) -> Vec<Splice> {
    let (mut grown, mut shrunk) = (0, 0);
    splices
        .iter()
        .map(|splice| {
            let start = splice.start + grown - shrunk;
            grown += splice.new.len();
            shrunk += splice.old.len();
            Splice {
                start,
                end: start + splice.new.len(),
                old: splice.new.clone(),
                new: splice.old.clone(),
                key: splice.key.clone(),
            }
        })
        .collect()
}

/// Two edits, one after the other, as one: splices of the original file. What overlaps an earlier splice is merged with it
/// and keeps its key.
///
/// # Errors
///
/// When `first` are not splices of `original`.
pub(super) fn followed_by(original: &[u8], first: Vec<Splice>, second: Vec<Splice>) -> Result<Vec<Splice>, EditError> {
    let mut all = first;
    // From the back, so that the places of the others in the file between the edits stay right.
    for splice in second.into_iter().rev() {
        all = with_one(original, all, splice)?;
    }
    Ok(all)
}

/// Adds one splice of the file that `all` makes.
fn with_one(original: &[u8], all: Vec<Splice>, later: Splice) -> Result<Vec<Splice>, EditError> {
    let between = apply(original, &all)?;
    let ranges: Vec<_> = reversed(&all).into_iter().map(|splice| splice.start..splice.end).collect();
    let first = ranges.iter().position(|range| range.end > later.start).unwrap_or(all.len());
    let touched = ranges[first..].iter().take_while(|range| range.start < later.end && later.start < range.end).count();
    let behind = first + touched;
    // A place of the file between that lies behind so many of the splices, in the original file.
    let back = |at: usize, splices: &[Splice]| {
        splices.iter().fold(at, |at, splice| (at + splice.old.len()).saturating_sub(splice.new.len()))
    };
    if touched == 1 && later.old.is_empty() && all[first].old.is_empty() {
        // Something new within something new: each keeps its key.
        let (head, tail) = all[first].new.split_at(later.start - ranges[first].start);
        let part = |new: &[u8]| Splice { new: new.to_vec(), ..all[first].clone() };
        let own = Splice { start: all[first].start, end: all[first].end, ..later };
        let (before, after) = (&all[..first], &all[behind..]);
        return Ok(before.iter().cloned().chain([part(head), own, part(tail)]).chain(after.iter().cloned()).collect());
    }
    let (mut start, mut end) = (back(later.start, &all[..first]), back(later.end, &all[..behind]));
    let (mut new, mut key) = (later.new, later.key);
    if touched > 0 {
        let (head, tail) = (&ranges[first], &ranges[behind - 1]);
        if head.start <= later.start {
            start = all[first].start;
            new.splice(..0, between[head.start..later.start].iter().copied());
        }
        if tail.end >= later.end {
            end = all[behind - 1].end;
            new.extend_from_slice(&between[later.end..tail.end]);
        }
        key.clone_from(&all[first].key);
    }
    let merged = Splice { start, end, old: original[start..end].to_vec(), new, key };
    let mut out = all[..first].to_vec();
    out.push(merged);
    out.extend_from_slice(&all[behind..]);
    Ok(out)
}
