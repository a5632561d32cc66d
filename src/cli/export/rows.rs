//! Rows as text. Nothing is allocated a row: what rows share (a target's texts, a verdict's) is spelled once.

use std::io::{self, Write};

use jiff::Timestamp;

use super::Format;
use super::time::TimeText;
use crate::core::bucket::Bucket;
use crate::core::outcome::Kind;
use crate::store::{SampleRow, TargetInfo, Verdict};

/// The columns of samples: a contract.
pub const SAMPLE_COLUMNS: [&str; 14] = [
    "target",
    "provider",
    "model",
    "dialect",
    "source",
    "at",
    "kind",
    "scope",
    "http_status",
    "connect_ms",
    "first_token_ms",
    "total_ms",
    "retry_after_s",
    "rule",
];

/// The columns of buckets before and after those that count each kind.
const BUCKET_COLUMNS: (&[&str], &[&str]) = (
    &["target", "provider", "model", "dialect", "start", "up_ms", "full_ms", "fault_ms", "samples", "counted"],
    &["set_aside", "first_tokens", "first_token_p50_ms", "first_token_p90_ms"],
);

/// The columns of buckets. `samples` is all of them, `counted` those that the times stand on, `set_aside` those of a
/// countable kind that speak of the account or of this machine.
pub fn bucket_columns() -> impl Iterator<Item = &'static str> {
    let kinds = Kind::ALL.into_iter().map(Kind::name);
    BUCKET_COLUMNS.0.iter().copied().chain(kinds).chain(BUCKET_COLUMNS.1.iter().copied())
}

/// Text is handed on in pieces of about this many bytes.
const PIECE: usize = 64 * 1024;

/// Writes rows in a format.
pub struct Rows<W> {
    out: W,
    text: Vec<u8>,
    format: Format,
    spelling: &'static Spelling,
    target: Option<TargetInfo>,
    target_text: Vec<u8>,
    verdicts: Vec<Option<VerdictText>>,
    time: TimeText,
    count: u64,
}

/// What stands between the values of a sample.
struct Spelling {
    after_source: &'static [u8],
    after_at: &'static [u8],
    before_numbers: [&'static [u8]; 4],
    none: &'static [u8],
}

const CSV: Spelling =
    Spelling { after_source: b",", after_at: b",", before_numbers: [b",", b",", b",", b","], none: b"" };

const JSON: Spelling = Spelling {
    after_source: br#"","at":""#,
    after_at: br#"","kind":""#,
    before_numbers: [br#","connect_ms":"#, br#","first_token_ms":"#, br#","total_ms":"#, br#","retry_after_s":"#],
    none: b"null",
};

/// A verdict's part of a row: before and after the numbers.
struct VerdictText {
    middle: Vec<u8>,
    end: Vec<u8>,
}

impl<W: Write> Rows<W> {
    /// Begins the text with what comes before the first row.
    pub fn new(out: W, format: Format, columns: impl Iterator<Item = &'static str>) -> Self {
        let mut text = Vec::with_capacity(PIECE + 4096);
        match format {
            Format::Csv => {
                text.extend(columns.collect::<Vec<_>>().join(",").as_bytes());
                text.push(b'\n');
            }
            Format::Json => text.extend(b"["),
            Format::Jsonl => {}
        }
        let spelling = if format == Format::Csv { &CSV } else { &JSON };
        let (target, target_text, verdicts, time) = (None, Vec::new(), Vec::new(), TimeText::default());
        Self { out, text, format, spelling, target, target_text, verdicts, time, count: 0 }
    }

    /// Writes a sample.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn sample(&mut self, row: &SampleRow<'_>) -> io::Result<()> {
        self.begin_row(row.target);
        let spelling = self.spelling;
        if self.format != Format::Csv {
            self.text.extend(br#","source":""#);
        }
        self.text.extend(row.source.name().as_bytes());
        self.text.extend(spelling.after_source);
        self.text.extend(self.time.spell(row.at_ms));
        self.text.extend(spelling.after_at);
        let slot = usize::try_from(row.verdict_number).unwrap_or_default();
        if self.verdicts.len() <= slot {
            self.verdicts.resize_with(slot + 1, || None);
        }
        let format = self.format;
        let verdict = self.verdicts[slot].get_or_insert_with(|| spell_verdict(row.verdict, format));
        self.text.extend(&verdict.middle);
        let numbers = [row.connect_ms, row.first_token_ms, row.total_ms, row.retry_after_s];
        for (before, number) in spelling.before_numbers.into_iter().zip(numbers) {
            self.text.extend(before);
            match number {
                Some(number) => push_number(&mut self.text, number.into()),
                None => self.text.extend(spelling.none),
            }
        }
        self.text.extend(&verdict.end);
        self.end_row()
    }

    /// Writes a bucket that begins at `start_ms`.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn bucket(&mut self, target: &TargetInfo, start_ms: i64, bucket: &Bucket) -> io::Result<()> {
        self.begin_row(target);
        let is_csv = self.format == Format::Csv;
        self.text.extend(if is_csv { &b""[..] } else { br#","start":""# });
        self.text.extend(self.time.spell(start_ms));
        self.text.extend(if is_csv { &b""[..] } else { b"\"" });
        let counts = &bucket.counts;
        let quantile = |q| bucket.first_token.quantile(q).map(|ms| ms.round() as u64);
        let numbers = [bucket.up_ms, bucket.full_ms, bucket.fault_ms, counts.total().into(), counts.counted().into()]
            .into_iter()
            .chain(Kind::ALL.into_iter().map(|kind| counts.of(kind).into()))
            .chain([counts.set_aside().into(), bucket.first_token.total()])
            .map(Some)
            .chain([quantile(0.5), quantile(0.9)]);
        for (column, number) in bucket_columns().skip(5).zip(numbers) {
            self.text.push(b',');
            if !is_csv {
                // Names of ours, which need no escapes.
                self.text.push(b'"');
                self.text.extend(column.as_bytes());
                self.text.extend(b"\":");
            }
            match number {
                Some(number) => push_number(&mut self.text, number),
                None => self.text.extend(self.spelling.none),
            }
        }
        self.text.extend(if is_csv { &b""[..] } else { b"}" });
        self.end_row()
    }

    /// Ends the text, hands the output back and says how many rows there were.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<(W, u64)> {
        if self.format == Format::Json {
            self.text.extend(b"\n]\n");
        }
        self.out.write_all(&self.text)?;
        self.out.flush()?;
        Ok((self.out, self.count))
    }

    fn begin_row(&mut self, target: &TargetInfo) {
        if self.format == Format::Json {
            self.text.extend(if self.count == 0 { &b"\n"[..] } else { b",\n" });
        }
        if self.target.as_ref() != Some(target) {
            let values = [target.id.as_str(), &target.provider, &target.model, &target.dialect];
            self.target_text.clear();
            for (name, value) in SAMPLE_COLUMNS.into_iter().zip(values) {
                if self.format == Format::Csv {
                    push_csv(&mut self.target_text, value);
                    self.target_text.push(b',');
                } else {
                    self.target_text.push(if self.target_text.is_empty() { b'{' } else { b',' });
                    push_json(&mut self.target_text, name);
                    self.target_text.push(b':');
                    push_json(&mut self.target_text, value);
                }
            }
            self.target = Some(target.clone());
        }
        self.text.extend(&self.target_text);
    }

    fn end_row(&mut self) -> io::Result<()> {
        self.count += 1;
        if self.format != Format::Json {
            self.text.push(b'\n');
        }
        if self.text.len() >= PIECE {
            self.out.write_all(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }
}

fn spell_verdict(verdict: &Verdict, format: Format) -> VerdictText {
    let (kind, scope) = (verdict.kind.name(), verdict.scope.name());
    let status = verdict.http_status.map(|status| status.to_string());
    let (mut middle, mut end) = (Vec::new(), Vec::new());
    if format == Format::Csv {
        middle.extend(format!("{kind},{scope},{}", status.unwrap_or_default()).bytes());
        end.push(b',');
        push_csv(&mut end, &verdict.rule);
    } else {
        let status = status.as_deref().unwrap_or("null");
        middle.extend(format!(r#"{kind}","scope":"{scope}","http_status":{status}"#).bytes());
        end.extend(br#","rule":"#);
        push_json(&mut end, &verdict.rule);
        end.push(b'}');
    }
    VerdictText { middle, end }
}

/// Appends a field by the `csv` crate's rules of quoting.
fn push_csv(text: &mut Vec<u8>, field: &str) {
    // A second field keeps an empty one from being quoted to tell it from an empty line.
    let mut writer = csv::Writer::from_writer(Vec::new());
    let spelled = writer.write_record([field, "x"]).ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    text.extend(spelled.strip_suffix(b",x\n").unwrap_or_default());
}

fn push_json(text: &mut Vec<u8>, value: &str) {
    text.extend(serde_json::Value::from(value).to_string().bytes());
}

fn push_number(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend(&digits[first..]);
}

/// A time of the command line: RFC 3339, or a date, which is its midnight in UTC.
pub(crate) fn parse_time(text: &str) -> Result<Timestamp, String> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let date: jiff::civil::Date = text
        .parse()
        .map_err(|_| format!("`{text}` is neither a time like 2026-03-01T14:30:00Z nor a date like 2026-03-01"))?;
    let zoned = date.to_zoned_datetime(jiff::tz::TimeZone::UTC);
    zoned.map(|zoned| zoned.timestamp()).map_err(|_| format!("`{text}` is further away than a calendar goes"))
}
