//! The record in words: how large, since when, where it lies, what is done with it. Pure.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args;
use crate::i18n::Tr;
use crate::ui::format;
use crate::ui::settings::Going;

/// What is known of the record on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The file's size in bytes.
    pub bytes: u64,
    /// What of it can be given back, in bytes.
    pub free_bytes: u64,
    /// Samples.
    pub samples: u64,
    /// The oldest and the newest sample.
    pub span: Option<(Timestamp, Timestamp)>,
    /// The newest backup, and how many there are.
    pub backup: Option<(PathBuf, usize)>,
}

/// Where things lie, and what is known of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// The database.
    pub database: PathBuf,
    /// The window's looks and what else may be deleted at any time.
    pub cache: PathBuf,
    /// The record; or why it is not known, in words.
    pub record: Result<Record, String>,
}

/// What is done with the record while it is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// A backup is written beside it.
    Backup,
    /// Unused space is given back.
    Compact,
}

impl Care {
    /// Every care, in the order of the screen.
    pub const ALL: [Self; 2] = [Self::Backup, Self::Compact];
}

/// What is done with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It is looked after.
    Care(Care),
    /// A backup takes its place.
    Restore,
    /// It is deleted, or what else the program keeps.
    Erase,
}

impl Deed {
    /// The stable name, used in message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Care(Care::Backup) => "backup",
            Self::Care(Care::Compact) => "compact",
            Self::Restore => "restore",
            Self::Erase => "erase",
        }
    }
}

/// What is being done, and how far it is.
pub fn going(going: Going, tr: &Tr) -> String {
    let words = tr.text(&format!("settings-screen-going-{}", going.deed.name()));
    match going.percent {
        Some(percent) => tr.with("settings-screen-going-percent", &args!("what" => words, "percent" => percent)),
        None => words,
    }
}

/// Named facts of the record.
pub fn facts(data: &Data, zone: &TimeZone, now: Timestamp, tr: &Tr) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (tr.text(&format!("settings-screen-data-{name}")), value);
    let mut out = Vec::new();
    match &data.record {
        Ok(record) => {
            let size = args!("size" => format::bytes(record.bytes, tr), "free" => format::bytes(record.free_bytes, tr));
            out.push(fact("size", tr.with("settings-screen-data-size-words", &size)));
            out.push(fact("samples", format::count(record.samples)));
            if let Some((first, last)) = record.span {
                let moment = |at| format::moment(at, now, zone, tr);
                let words = args!("first" => moment(first), "last" => moment(last));
                out.push(fact("span", tr.with("settings-screen-data-span-words", &words)));
            }
            out.push(fact(
                "backups",
                match &record.backup {
                    Some((newest, n)) => {
                        let words = args!("n" => *n, "path" => newest.display().to_string());
                        tr.with("settings-screen-data-backups-words", &words)
                    }
                    None => tr.text("settings-screen-data-backups-none"),
                },
            ));
        }
        Err(words) => out.push(fact("size", words.clone())),
    }
    out.push(fact("database", data.database.display().to_string()));
    out.push(fact("cache", data.cache.display().to_string()));
    out
}
