//! Reading samples from text: CSV, JSON and JSON Lines, a record at a time.

use std::borrow::Cow;
use std::io::{self, BufRead};

use jiff::Timestamp;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::args;
use crate::cli::bounded::{LONGEST, Line, Meter, Metered, next_line};
use crate::cli::export::{Format, SAMPLE_COLUMNS};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::target::TargetId;
use crate::i18n::Tr;
use crate::store::TargetInfo;

/// One sample as read, with what its row says of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    /// The target's name.
    pub target: Cow<'a, str>,
    provider: Cow<'a, str>,
    model: Cow<'a, str>,
    dialect: Cow<'a, str>,
    source: Source,
    at: Timestamp,
    kind: Kind,
    scope: Scope,
    http_status: Option<u16>,
    connect_ms: Option<u32>,
    first_token_ms: Option<u32>,
    total_ms: Option<u32>,
    retry_after_s: Option<u32>,
    rule: Cow<'a, str>,
}

impl Record<'_> {
    /// What the row says of the target.
    pub fn target_info(&self) -> TargetInfo {
        TargetInfo {
            id: TargetId::from(&*self.target),
            provider: self.provider.to_string(),
            model: self.model.to_string(),
            dialect: self.dialect.to_string(),
        }
    }

    /// The sample, with the target's id shared by all its samples.
    pub fn sample(&self, target: TargetId) -> Sample {
        Sample {
            target,
            source: self.source,
            at: self.at,
            kind: self.kind,
            scope: self.scope,
            http_status: self.http_status,
            connect_ms: self.connect_ms,
            first_token_ms: self.first_token_ms,
            total_ms: self.total_ms,
            retry_after_s: self.retry_after_s,
            rule: Cow::Owned(self.rule.to_string()),
        }
    }
}

/// A part of the input that is no sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its line, or its place in a JSON array; both from 1.
    pub number: u64,
    /// The number counts entries of an array.
    pub is_entry: bool,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The header lacks a column, so nothing can be read.
    Header(&'static str),
    /// A field that must be there is not.
    Missing(&'static str),
    /// A field that holds what it cannot hold.
    Value {
        /// Which.
        field: &'static str,
        /// What it holds, cut short.
        value: String,
    },
    /// Broken JSON.
    Json(String),
    /// JSON, but not an object.
    NoObject,
    /// Broken CSV.
    Csv(String),
    /// Not UTF-8.
    Encoding,
}

impl BadLine {
    /// The sentence for the user.
    pub fn text(&self, tr: &Tr) -> String {
        let reason = match &self.why {
            Why::Header(column) => tr.with("data-bad-header", &args!("column" => *column)),
            Why::Missing(field) => tr.with("data-bad-missing", &args!("field" => *field)),
            Why::Value { field, value } => {
                let known = match *field {
                    "kind" => Kind::ALL.map(Kind::name).join(", "),
                    "scope" => Scope::ALL.map(Scope::name).join(", "),
                    "at" if value.parse::<Timestamp>().is_err() => "2026-03-01T14:30:00.000Z".to_owned(),
                    _ => String::new(),
                };
                let id = match *field {
                    _ if known.is_empty() => "data-bad-value",
                    "at" => "data-bad-time",
                    _ => "data-bad-word",
                };
                tr.with(id, &args!("field" => *field, "value" => value.as_str(), "known" => known))
            }
            Why::Json(reason) => tr.with("data-bad-json", &args!("reason" => reason.as_str())),
            Why::NoObject => tr.text("data-bad-object"),
            Why::Csv(reason) => tr.with("data-bad-csv", &args!("reason" => reason.as_str())),
            Why::Encoding => tr.text("data-bad-utf8"),
        };
        let id = if self.is_entry { "data-bad-entry" } else { "data-bad-line" };
        tr.with(id, &args!("line" => self.number, "reason" => reason))
    }
}

/// What takes records and bad lines one by one; an error of its own ends the reading.
pub trait Each<E>: FnMut(Result<Record<'_>, BadLine>) -> Result<(), E> {}

impl<E, F: FnMut(Result<Record<'_>, BadLine>) -> Result<(), E>> Each<E> for F {}

/// No answer of a model is older (2015); what is was planted by a clock at its epoch, and would stretch the record over
/// centuries.
const EARLIEST: Timestamp = Timestamp::constant(1_420_070_400, 0);

/// Reads all records of `input` and hands them to `each`; a sample after `latest` is a bad line. Without a format the content decides: `[` begins JSON, `{` JSON
/// Lines, anything else CSV. Memory stays constant. The inner result is `each`'s.
///
/// # Errors
///
/// When the input cannot be read.
pub fn parse<E>(
    input: &mut dyn BufRead,
    format: Option<Format>,
    latest: Timestamp,
    each: impl Each<E>,
) -> io::Result<Result<(), E>> {
    let first = first_byte(input)?;
    let format = format.unwrap_or(match first {
        Some(b'[') => Format::Json,
        Some(b'{') => Format::Jsonl,
        _ => Format::Csv,
    });
    match format {
        Format::Csv => parse_csv(input, latest, each),
        Format::Json => Ok(parse_json(input, latest, each)),
        Format::Jsonl => parse_lines(input, latest, each),
    }
}

/// Skips a byte order mark and looks at the first byte.
fn first_byte(input: &mut dyn BufRead) -> io::Result<Option<u8>> {
    if input.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        input.consume(3);
    }
    Ok(input.fill_buf()?.iter().copied().find(|byte| !byte.is_ascii_whitespace()))
}

fn parse_csv<E>(input: &mut dyn BufRead, latest: Timestamp, mut each: impl Each<E>) -> io::Result<Result<(), E>> {
    let (input, meter) = Metered::new(input);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
    let mut row = csv::ByteRecord::new();
    let line = |number, why| Err(BadLine { number, is_entry: false, why });
    if !reader.read_byte_record(&mut row).map_err(io::Error::from)? {
        return Ok(Ok(()));
    }
    let places = SAMPLE_COLUMNS.map(|column| row.iter().position(|name| name.trim_ascii() == column.as_bytes()));
    let missing = SAMPLE_COLUMNS.into_iter().zip(places).find(|(column, place)| is_required(column) && place.is_none());
    if let Some((column, _)) = missing {
        return Ok(each(line(1, Why::Header(column))));
    }
    loop {
        meter.reset();
        match reader.read_byte_record(&mut row) {
            Ok(false) => return Ok(Ok(())),
            Ok(true) => {}
            Err(error) if error.is_io_error() => return Err(error.into()),
            Err(error) => {
                let number = error.position().map_or(0, csv::Position::line);
                if let Err(error) = each(line(number, Why::Csv(error.to_string()))) {
                    return Ok(Err(error));
                }
                continue;
            }
        }
        let number = row.position().map_or(0, csv::Position::line);
        let mut fields = [""; SAMPLE_COLUMNS.len()];
        let mut is_text = true;
        for (field, place) in fields.iter_mut().zip(places) {
            match std::str::from_utf8(place.and_then(|place| row.get(place)).unwrap_or_default()) {
                Ok(text) => *field = text,
                Err(_) => is_text = false,
            }
        }
        let record = if is_text { record(fields.map(Cow::Borrowed), latest) } else { Err(Why::Encoding) };
        if let Err(error) = each(record.or_else(|why| line(number, why))) {
            return Ok(Err(error));
        }
    }
}

fn parse_lines<E>(input: &mut dyn BufRead, latest: Timestamp, mut each: impl Each<E>) -> io::Result<Result<(), E>> {
    let mut bytes = Vec::new();
    for number in 1.. {
        match next_line(input, &mut bytes, LONGEST)? {
            Line::End => break,
            Line::Whole => {}
            Line::TooLong => {
                let why = Why::Json("more than 16 MiB".to_owned());
                if let Err(error) = each(Err(BadLine { number, is_entry: false, why })) {
                    return Ok(Err(error));
                }
                continue;
            }
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let value = serde_json::from_slice::<Value>(&bytes).map_err(|error| Why::Json(error.to_string()));
        let record = value.and_then(|value| object(&value, latest));
        if let Err(error) = each(record.map_err(|why| BadLine { number, is_entry: false, why })) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

/// Reads a JSON array entry by entry. Broken JSON ends it: what follows has no known beginning.
fn parse_json<E>(input: &mut dyn BufRead, latest: Timestamp, mut each: impl Each<E>) -> Result<(), E> {
    struct Entries<'a, F, E> {
        each: &'a mut F,
        meter: Meter,
        number: u64,
        latest: Timestamp,
        result: &'a mut Result<(), E>,
    }

    impl<'de, E, F: Each<E>> Visitor<'de> for Entries<'_, F, E> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array of samples")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
            while let Some(value) = entries.next_element::<Value>()? {
                self.number += 1;
                self.meter.reset();
                let number = self.number;
                let record = object(&value, self.latest).map_err(|why| BadLine { number, is_entry: true, why });
                if let Err(error) = (self.each)(record) {
                    *self.result = Err(error);
                    return Err(serde::de::Error::custom("ended"));
                }
            }
            Ok(())
        }
    }

    impl<'de, E, F: Each<E>> DeserializeSeed<'de> for Entries<'_, F, E> {
        type Value = ();

        fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
            deserializer.deserialize_seq(self)
        }
    }

    let mut result = Ok(());
    let (input, meter) = Metered::new(input);
    let mut deserializer = serde_json::Deserializer::from_reader(io::BufReader::new(input));
    let read =
        Entries { each: &mut each, meter, number: 0, latest, result: &mut result }.deserialize(&mut deserializer);
    result?;
    if let Err(error) = read.and_then(|()| deserializer.end()) {
        let number = u64::try_from(error.line()).unwrap_or(0);
        return each(Err(BadLine { number, is_entry: false, why: Why::Json(error.to_string()) }));
    }
    Ok(())
}

fn is_required(column: &str) -> bool {
    matches!(column, "target" | "source" | "at" | "kind" | "scope")
}

fn object(value: &Value, latest: Timestamp) -> Result<Record<'static>, Why> {
    let object = value.as_object().ok_or(Why::NoObject)?;
    let mut fields = [const { Cow::Borrowed("") }; SAMPLE_COLUMNS.len()];
    for (field, column) in fields.iter_mut().zip(SAMPLE_COLUMNS) {
        *field = text_of(object, column)?;
    }
    record(fields, latest)
}

fn text_of(object: &Map<String, Value>, column: &'static str) -> Result<Cow<'static, str>, Why> {
    match object.get(column) {
        None | Some(Value::Null) => Ok(Cow::Borrowed("")),
        Some(Value::String(text)) => Ok(Cow::Owned(text.clone())),
        Some(Value::Number(number)) => Ok(Cow::Owned(number.to_string())),
        Some(other) => Err(bad(column, &other.to_string())),
    }
}

/// The record of fields in the order of [`SAMPLE_COLUMNS`]; an empty one was not given.
fn record(fields: [Cow<'_, str>; SAMPLE_COLUMNS.len()], latest: Timestamp) -> Result<Record<'_>, Why> {
    for (column, field) in SAMPLE_COLUMNS.into_iter().zip(&fields) {
        if is_required(column) && field.is_empty() {
            return Err(Why::Missing(column));
        }
    }
    let [target, provider, model, dialect, source, at, kind, scope, status, connect, first_token, total, retry, rule] =
        fields;
    if target.contains(char::is_control) {
        return Err(bad("target", &target));
    }
    let moment: Timestamp = at.parse().map_err(|_| bad("at", &at))?;
    if !(EARLIEST..=latest).contains(&moment) {
        return Err(bad("at", &at));
    }
    Ok(Record {
        target,
        provider,
        model,
        dialect,
        source: Source::from_name(&source).ok_or_else(|| bad("source", &source))?,
        at: moment,
        kind: Kind::from_name(&kind).ok_or_else(|| bad("kind", &kind))?,
        scope: Scope::from_name(&scope).ok_or_else(|| bad("scope", &scope))?,
        http_status: number("http_status", &status)?,
        connect_ms: number("connect_ms", &connect)?,
        first_token_ms: number("first_token_ms", &first_token)?,
        total_ms: number("total_ms", &total)?,
        retry_after_s: number("retry_after_s", &retry)?,
        rule,
    })
}

fn number<T: std::str::FromStr>(field: &'static str, text: &str) -> Result<Option<T>, Why> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| bad(field, text))
}

fn bad(field: &'static str, value: &str) -> Why {
    let shown = |c: char| if c.is_control() { c.escape_debug().collect() } else { String::from(c) };
    Why::Value { field, value: value.chars().take(60).map(shown).collect() }
}
