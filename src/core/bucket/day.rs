//! The stored form: the buckets of one target and one UTC day, in two compact byte strings.
//!
//! `spans` holds the observed times and the counts, `latency` the histograms, so that a reader who needs no latency never
//! decodes it. Both list only buckets that hold something, in order, and have one possible form for given buckets:
//!
//! - `spans`: slot (0-95) · flags (bits 0-2: up, full, fault time present; the rest: number of counts) · each time present ·
//!   each count as kind number and value;
//! - `latency`: slot · number of bins · each as bin and value.
//!
//! Slots, flags, kinds and bins are one byte, times and values LEB128.

use super::{BINS, BUCKET_MS, Bucket, Counts, DAY_MS};
use crate::core::outcome::Kind;

/// Buckets in a UTC day.
pub const BUCKETS_PER_DAY: usize = (DAY_MS / BUCKET_MS) as usize;

/// The buckets of one target and one UTC day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day(Box<[Bucket]>);

impl Default for Day {
    fn default() -> Self {
        Self(vec![Bucket::default(); BUCKETS_PER_DAY].into_boxed_slice())
    }
}

/// Stored bytes that no version of this program has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stored buckets are damaged; rebuild them")]
pub struct Damaged;

/// The observed part of a stored bucket, without kinds and latency: what shares are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Milliseconds observed as free, at most [`BUCKET_MS`].
    pub up_ms: u32,
    /// Milliseconds observed as full.
    pub full_ms: u32,
    /// Milliseconds observed as failing.
    pub fault_ms: u32,
    /// Samples that counted.
    pub counted: u32,
}

impl Day {
    /// The day's number: whole days since 1970 in UTC.
    pub const fn number(at_ms: i64) -> i64 {
        at_ms.div_euclid(DAY_MS)
    }

    /// The bucket of a slot (its place in the day), if there is such a slot.
    pub fn slot(&self, slot: usize) -> Option<&Bucket> {
        self.0.get(slot)
    }

    /// The bucket that holds a moment, whatever the moment's day.
    pub fn bucket_mut(&mut self, at_ms: i64) -> &mut Bucket {
        let slot = (at_ms.rem_euclid(DAY_MS) / BUCKET_MS) as usize;
        &mut self.0[slot]
    }

    /// The buckets that hold something, with their slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Bucket)> {
        self.0.iter().enumerate().filter(|(_, bucket)| !bucket.is_empty())
    }

    /// All buckets with their slots, in order, also those that hold nothing but latencies.
    pub fn each(&self) -> impl Iterator<Item = (usize, &Bucket)> {
        self.0.iter().enumerate()
    }

    /// Whether no bucket holds anything.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Empties all buckets.
    pub fn clear(&mut self) {
        self.0.fill(Bucket::default());
    }

    /// Writes the stored form, replacing what the buffers hold.
    pub fn encode(&self, spans: &mut Vec<u8>, latency: &mut Vec<u8>) {
        spans.clear();
        latency.clear();
        for (slot, bucket) in self.iter() {
            let times = [bucket.up_ms, bucket.full_ms, bucket.fault_ms];
            let counts = || bucket.counts.0.iter().enumerate().filter(|(_, count)| **count > 0);
            let present = times.iter().enumerate().fold(0, |flags, (bit, ms)| flags | (u8::from(*ms > 0) << bit));
            spans.extend([slot as u8, present | ((counts().count() as u8) << 3)]);
            for ms in times.into_iter().filter(|ms| *ms > 0) {
                put(spans, ms);
            }
            for (kind, count) in counts() {
                spans.push(kind as u8);
                put(spans, u64::from(*count));
            }
            let bins = bucket.first_token.iter().count();
            if bins > 0 {
                latency.extend([slot as u8, bins as u8]);
                for (bin, count) in bucket.first_token.iter() {
                    latency.push(bin as u8);
                    put(latency, u64::from(count));
                }
            }
        }
    }

    /// Reads the stored form into this day, replacing what it holds.
    ///
    /// # Errors
    ///
    /// When the bytes are not of the stored form; the day is then partly filled.
    pub fn decode(&mut self, mut spans: &[u8], mut latency: &[u8]) -> Result<(), Damaged> {
        self.clear();
        let input = &mut spans;
        while !input.is_empty() {
            let bucket = self.0.get_mut(usize::from(byte(input)?)).ok_or(Damaged)?;
            let flags = byte(input)?;
            for (bit, ms) in [&mut bucket.up_ms, &mut bucket.full_ms, &mut bucket.fault_ms].into_iter().enumerate() {
                if flags & (1 << bit) != 0 {
                    *ms = take(input)?;
                }
            }
            for _ in 0..flags >> 3 {
                let count = bucket.counts.0.get_mut(usize::from(byte(input)?)).ok_or(Damaged)?;
                *count = take_u32(input)?;
            }
        }
        let input = &mut latency;
        while !input.is_empty() {
            let bucket = self.0.get_mut(usize::from(byte(input)?)).ok_or(Damaged)?;
            for _ in 0..byte(input)? {
                let bin = usize::from(byte(input)?);
                *bucket.first_token.count_mut(bin).ok_or(Damaged)? = take_u32(input)?;
            }
        }
        Ok(())
    }
}

const _: () = assert!(BINS <= 256 && Counts::SLOTS < 32 && BUCKETS_PER_DAY <= 256, "slots, bins and counts fit a byte");

/// Calls `each` with slot and observed part of every stored bucket of a day's `spans`, without building a [`Day`].
///
/// # Errors
///
/// When the bytes are not of the stored form.
pub fn read_observed(mut spans: &[u8], mut each: impl FnMut(usize, Observed)) -> Result<(), Damaged> {
    let input = &mut spans;
    while !input.is_empty() {
        let slot = usize::from(byte(input)?);
        let flags = byte(input)?;
        let mut observed = Observed::default();
        for (bit, ms) in [&mut observed.up_ms, &mut observed.full_ms, &mut observed.fault_ms].into_iter().enumerate() {
            if flags & (1 << bit) != 0 {
                *ms = take_u32(input)?;
            }
        }
        for _ in 0..flags >> 3 {
            let kind = byte(input)?;
            let count = take_u32(input)?;
            if Kind::from_code(kind).is_some_and(Kind::is_counted) {
                observed.counted = observed.counted.saturating_add(count);
            }
        }
        each(slot, observed);
    }
    Ok(())
}

/// Like [`read_observed`], with the counts of every kind: what a history is made of. Latencies are not read.
///
/// # Errors
///
/// When the bytes are not of the stored form.
pub fn read_counted(mut spans: &[u8], mut each: impl FnMut(usize, Observed, &Counts)) -> Result<(), Damaged> {
    let input = &mut spans;
    while !input.is_empty() {
        let slot = usize::from(byte(input)?);
        let flags = byte(input)?;
        let mut observed = Observed::default();
        for (bit, ms) in [&mut observed.up_ms, &mut observed.full_ms, &mut observed.fault_ms].into_iter().enumerate() {
            if flags & (1 << bit) != 0 {
                *ms = take_u32(input)?;
            }
        }
        let mut counts = Counts::default();
        for _ in 0..flags >> 3 {
            let kind = usize::from(byte(input)?);
            *counts.0.get_mut(kind).ok_or(Damaged)? = take_u32(input)?;
        }
        observed.counted = counts.counted();
        each(slot, observed, &counts);
    }
    Ok(())
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn byte(input: &mut &[u8]) -> Result<u8, Damaged> {
    let (first, rest) = input.split_first().ok_or(Damaged)?;
    *input = rest;
    Ok(*first)
}

fn take(input: &mut &[u8]) -> Result<u64, Damaged> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let next = byte(input)?;
        value |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Ok(value);
        }
    }
    Err(Damaged)
}

/// What [`take`] does, with the lengths that counts and times mostly have, up to a quarter of an hour in milliseconds, first.
#[inline]
fn take_u32(input: &mut &[u8]) -> Result<u32, Damaged> {
    let low = |byte: u8| u32::from(byte & 0x7f);
    let (value, rest) = match *input {
        [a, rest @ ..] if *a < 0x80 => (low(*a), rest),
        [a, b, rest @ ..] if *b < 0x80 => (low(*a) | low(*b) << 7, rest),
        [a, b, c, rest @ ..] if *c < 0x80 => (low(*a) | low(*b) << 7 | low(*c) << 14, rest),
        _ => return take(input)?.try_into().map_err(|_| Damaged),
    };
    *input = rest;
    Ok(value)
}
