//! Feeds `vacancy import` with any CSV, JSON and JSON Lines.
//!
//! An input is one byte for the format, and the file. Run it from the package's folder:
//!
//! ```text
//! cargo +nightly fuzz run import --fuzz-dir tests/fuzz --features shell
//! ```
#![no_main]

use std::sync::LazyLock;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use vacancy::cli::export::Format;
use vacancy::cli::import::{BadLine, Record, parse};
use vacancy::core::target::TargetId;
use vacancy::i18n::{Lang, Tr};

static TR: LazyLock<Tr> = LazyLock::new(|| Tr::new(Lang::English));

fuzz_target!(|data: &[u8]| {
    let [format, file @ ..] = data else { return };
    let format = [None, Some(Format::Csv), Some(Format::Json), Some(Format::Jsonl)][usize::from(format % 4)];
    let latest = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_hours(24 * 365 * 60);
    let mut told = 0;
    let each = |record: Result<Record<'_>, BadLine>| {
        match record {
            Ok(record) => {
                assert!(!record.target.is_empty() && !record.target.contains(char::is_control));
                let sample = record.sample(TargetId::from(&*record.target));
                assert!(sample.at <= latest);
                record.target_info();
            }
            // Few are told, as `vacancy import` does.
            Err(bad) if told < 20 => {
                told += 1;
                let said = bad.text(&TR);
                assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
            }
            Err(_) => {}
        }
        Ok::<_, ()>(())
    };
    let _ = parse(&mut &*file, format, latest, each).expect("memory can always be read");
});
