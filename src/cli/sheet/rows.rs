//! The 168 hours of each target as rows for scripts: JSON and CSV.

use serde::Serialize;

use crate::core::sheet::{Sheet, Slot, TargetSheet};

/// A row of the contract.
#[derive(Debug, Serialize)]
struct Row<'a> {
    target: &'a str,
    /// 1 = Monday.
    weekday: u8,
    hour: u8,
    share: f64,
    low: f64,
    high: f64,
    weeks: u32,
    samples: u32,
    evidence: &'static str,
}

/// A row with what was asked for besides: milliseconds to the first token.
#[derive(Debug, Serialize)]
struct TimedRow<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    answers: u64,
    median_first_token_ms: Option<u32>,
    p90_first_token_ms: Option<u32>,
}

impl<'a> Row<'a> {
    fn of(sheet: &'a TargetSheet, slot: Slot) -> Self {
        let cell = sheet.slots.get(slot);
        Self {
            target: sheet.target.as_str(),
            weekday: slot.weekday(),
            hour: slot.hour(),
            share: rounded(cell.share),
            low: rounded(cell.low),
            high: rounded(cell.high),
            weeks: cell.weeks,
            samples: cell.seen.samples,
            evidence: cell.evidence.name(),
        }
    }
}

impl<'a> TimedRow<'a> {
    fn of(sheet: &'a TargetSheet, slot: Slot) -> Self {
        let latency = sheet.latency.as_ref().and_then(|latency| latency.slot(slot));
        let ms = |ms: f64| ms.round() as u32;
        Self {
            row: Row::of(sheet, slot),
            answers: latency.map_or(0, |cell| cell.answers),
            median_first_token_ms: latency.map(|cell| ms(cell.median_ms)),
            p90_first_token_ms: latency.map(|cell| ms(cell.p90_ms)),
        }
    }
}

/// To six digits: more is noise, and no order is lost between low, share and high.
fn rounded(share: f64) -> f64 {
    (share.clamp(0.0, 1.0) * 1e6).round() / 1e6
}

fn slots(sheet: &Sheet) -> impl Iterator<Item = (&TargetSheet, Slot)> {
    sheet.targets.iter().flat_map(|target| Slot::all().map(move |slot| (target, slot)))
}

/// One array, a row a line; with latency if it `is_timed`.
///
/// # Errors
///
/// None that is known: a row has nothing that JSON cannot say.
pub(super) fn json(sheet: &Sheet, is_timed: bool) -> Result<String, serde_json::Error> {
    let line = |(target, slot): (&TargetSheet, Slot)| {
        if is_timed {
            serde_json::to_string(&TimedRow::of(target, slot))
        } else {
            serde_json::to_string(&Row::of(target, slot))
        }
    };
    let lines = slots(sheet).map(line).collect::<Result<Vec<_>, _>>()?;
    Ok(if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) })
}

/// The same rows with a header line.
///
/// # Errors
///
/// None that is known: it is written to memory.
pub(super) fn csv(sheet: &Sheet, is_timed: bool) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let names = ["target", "weekday", "hour", "share", "low", "high", "weeks", "samples", "evidence"];
    let timed: &[&str] = if is_timed { &["answers", "median_first_token_ms", "p90_first_token_ms"] } else { &[] };
    writer.write_record(names.iter().chain(timed))?;
    for (target, slot) in slots(sheet) {
        let row = Row::of(target, slot);
        if is_timed {
            let TimedRow { answers, median_first_token_ms, p90_first_token_ms, .. } = TimedRow::of(target, slot);
            writer.serialize((row, answers, median_first_token_ms, p90_first_token_ms))?;
        } else {
            writer.serialize(row)?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
