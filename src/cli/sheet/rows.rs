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

/// To six digits: more is noise, and no order is lost between low, share and high.
fn rounded(share: f64) -> f64 {
    (share.clamp(0.0, 1.0) * 1e6).round() / 1e6
}

fn rows(sheet: &Sheet) -> impl Iterator<Item = Row<'_>> {
    sheet.targets.iter().flat_map(|target| Slot::all().map(move |slot| Row::of(target, slot)))
}

/// One array, a row a line.
///
/// # Errors
///
/// None that is known: a row has nothing that JSON cannot say.
pub(super) fn json(sheet: &Sheet) -> Result<String, serde_json::Error> {
    let lines = rows(sheet).map(|row| serde_json::to_string(&row)).collect::<Result<Vec<_>, _>>()?;
    Ok(if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) })
}

/// The same rows with a header line.
///
/// # Errors
///
/// None that is known: it is written to memory.
pub(super) fn csv(sheet: &Sheet) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(["target", "weekday", "hour", "share", "low", "high", "weeks", "samples", "evidence"])?;
    for row in rows(sheet) {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}
