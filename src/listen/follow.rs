//! Reads one log on from where it was left, in bounded memory.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Seen;
use super::cursor::Cursor;
use super::disk::Disk;
use super::form::{Carry, Form, Reader};
use super::homes::LogFile;
use super::lines::{LineReader as _, Lines};
use super::observation::{Limit, Observation};

/// Bytes read at once.
const CHUNK: usize = 1 << 20;

/// The largest document that is read; larger ones are passed over.
const LARGEST_DOCUMENT: u64 = 64 << 20;

/// After this long without a change a last line without an end is taken for whole.
const IDLE: Duration = Duration::from_secs(60);

/// Where to begin with a file that was never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At its beginning.
    Whole,
    /// This many bytes before its end.
    Tail(u64),
}

/// What a step told.
pub(super) type Sink<'a> = dyn FnMut(&mut Vec<Observation>) -> bool + 'a;

/// A log that is being read.
#[derive(Debug)]
pub(super) struct Following {
    form: Form,
    /// None for a document.
    reader: Option<Reader>,
    lines: Lines,
    head: Vec<u8>,
    /// Bytes given to `lines`, or of the document.
    offset: u64,
    /// Where reading began when the file was met first.
    from: u64,
    /// The first bytes are in the middle of a line.
    is_cut: bool,
    /// From where all that was not given out yet can be read again, and what has to be known there.
    safe: (u64, Carry),
}

impl Following {
    /// Opens a log and finds its place. `None` when its form is not known.
    pub fn begin(
        disk: &dyn Disk,
        log: &LogFile,
        cursor: Option<&Cursor>,
        start: Start,
        seen: &Seen,
    ) -> io::Result<Option<(Self, Source)>> {
        let mut source = Source::open(disk, &log.path)?;
        let mut head = vec![0; Form::HEAD];
        let got = fill(&mut source, &mut head)?;
        head.truncate(got);
        let Some(form) = Form::detect(&head, Some(log.tool)) else { return Ok(None) };
        let mut reader = Reader::new(form, seen);
        // A backfill reads also what was before the end that was seen first.
        let is_usable = |cursor: &&Cursor| cursor.from == 0 || start != Start::Whole;
        let cursor = cursor.filter(|cursor| cursor.is_of(&head, source.len())).filter(is_usable);
        let mut following = Self {
            form,
            reader: None,
            lines: Lines::default(),
            head: Vec::new(),
            offset: 0,
            from: 0,
            is_cut: false,
            safe: Default::default(),
        };
        if let Some(reader) = &mut reader {
            let tail = match (cursor, start, source.len()) {
                (Some(cursor), ..) => cursor.offset,
                (None, Start::Tail(budget), Some(len)) => len.saturating_sub(budget),
                _ => 0,
            };
            if tail > 0 {
                // The first line says whose session it is.
                if let Some(end) = memchr::memchr(b'\n', &head) {
                    reader.line(&head[..end], &mut Vec::new());
                }
                if let Some(cursor) = cursor {
                    reader.resume(cursor.carry());
                } else {
                    following.is_cut = true;
                }
            }
            source = source.at(disk, &log.path, tail)?;
            following.offset = tail;
            following.from = cursor.map_or(tail, |cursor| cursor.from);
            following.safe = (tail, reader.carry());
        } else if cursor.is_some_and(|cursor| Some(cursor.offset) == source.len()) {
            // A document that has not changed.
            following.offset = source.len().unwrap_or_default();
            following.safe.0 = following.offset;
        }
        head.truncate(Cursor::HEAD);
        following.head = head;
        following.reader = reader;
        Ok(Some((following, source)))
    }

    /// How far it is read, in bytes as they are before any packing.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Opens the log again to read what was added; `None` when it is another file by now, or was cut short.
    pub fn again(&mut self, disk: &dyn Disk, log: &LogFile) -> io::Result<Option<Source>> {
        let mut source = Source::open(disk, &log.path)?;
        let mut head = vec![0; Cursor::HEAD];
        let got = fill(&mut source, &mut head)?;
        head.truncate(got);
        if !head.starts_with(&self.head) || source.len().is_some_and(|len| len < self.offset) {
            return Ok(None);
        }
        // A file that was short when it was met has more to be known by now.
        self.head = head;
        if self.reader.is_none() {
            return Ok(Some(source));
        }
        source.at(disk, &log.path, self.offset).map(Some)
    }

    /// Reads to the present end, or about `most` bytes of a file of lines. `sink` takes what was seen and answers whether
    /// to go on.
    pub fn pump(
        &mut self,
        source: &mut Source,
        chunk: &mut Vec<u8>,
        most: u64,
        sink: &mut Sink<'_>,
    ) -> io::Result<u64> {
        let began = self.offset;
        let mut out = Vec::new();
        let Some(reader) = &mut self.reader else {
            return self.document(source, sink);
        };
        chunk.resize(CHUNK, 0);
        while self.offset - began < most {
            let got = match source.read(chunk) {
                Ok(0) => break,
                Ok(got) => got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut bytes = &chunk[..got];
            self.offset += got as u64;
            if self.is_cut {
                let Some(end) = memchr::memchr(b'\n', bytes) else { continue };
                bytes = &bytes[end + 1..];
                self.is_cut = false;
                self.safe.0 = self.offset - bytes.len() as u64;
            }
            self.lines.feed(bytes, reader, &mut out);
            let mark = self.offset - self.lines.since_mark();
            if mark > self.safe.0 {
                self.safe = (mark, reader.marked());
            }
            if !out.is_empty() && !sink(&mut out) {
                break;
            }
        }
        Ok(self.offset - began)
    }

    fn document(&mut self, source: &mut Source, sink: &mut Sink<'_>) -> io::Result<u64> {
        let len = source.len().unwrap_or_default();
        if len > LARGEST_DOCUMENT || len == self.offset {
            return Ok(0);
        }
        let mut bytes = Vec::new();
        source.rewind()?;
        source.by_ref().take(LARGEST_DOCUMENT).read_to_end(&mut bytes)?;
        self.offset = bytes.len() as u64;
        self.safe.0 = self.offset;
        let mut out = self.form.document(&bytes);
        if !out.is_empty() {
            sink(&mut out);
        }
        Ok(self.offset)
    }

    /// Ends a file that is not being written: a last line without an end is read, and what was held back is given out.
    pub fn finish(&mut self, log: &LogFile, now: SystemTime, sink: &mut Sink<'_>) {
        let Some(reader) = &mut self.reader else { return };
        let mut out = Vec::new();
        if now.duration_since(log.modified).is_ok_and(|age| age >= IDLE) {
            self.lines.finish(reader, &mut out);
        }
        reader.settle(&mut out);
        self.safe = (self.offset - self.lines.pending(), reader.carry());
        if !out.is_empty() {
            sink(&mut out);
        }
    }

    /// Gives out what is held back for more to become known of it.
    pub fn settle(&mut self, out: &mut Vec<Observation>) {
        if let Some(reader) = &mut self.reader {
            reader.settle(out);
            self.safe = (self.offset - self.lines.pending(), reader.carry());
        }
    }

    /// How far it was read, to the end of a line after which nothing is held back.
    pub fn cursor(&self) -> Cursor {
        Cursor::new(&self.head, self.from, self.safe.0, &self.safe.1)
    }

    /// How much of the subscription's windows is used.
    pub fn limits(&self) -> &[Limit] {
        self.reader.as_ref().map_or(&[], Reader::limits)
    }
}

/// A log's bytes, decompressed if need be.
pub(super) enum Source {
    Plain(File, u64),
    Zstd(Box<ruzstd::decoding::StreamingDecoder<io::BufReader<File>, ruzstd::decoding::FrameDecoder>>),
}

impl Source {
    fn open(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        let file = disk.open(path)?;
        if path.extension().is_some_and(|end| end == "zst") {
            let file = io::BufReader::with_capacity(CHUNK, file);
            let decoder = ruzstd::decoding::StreamingDecoder::new(file).map_err(io::Error::other)?;
            return Ok(Self::Zstd(Box::new(decoder)));
        }
        let len = file.metadata()?.len();
        Ok(Self::Plain(file, len))
    }

    /// The length, where it is known without reading.
    const fn len(&self) -> Option<u64> {
        match self {
            Self::Plain(_, len) => Some(*len),
            Self::Zstd(_) => None,
        }
    }

    /// Goes to a place; a compressed file is decompressed up to there once more.
    fn at(mut self, disk: &dyn Disk, path: &Path, offset: u64) -> io::Result<Self> {
        if let Self::Plain(file, _) = &mut self {
            file.seek(SeekFrom::Start(offset))?;
            return Ok(self);
        }
        let mut again = Self::open(disk, path)?;
        io::copy(&mut again.by_ref().take(offset), &mut io::sink())?;
        Ok(again)
    }

    fn rewind(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file, _) => file.rewind(),
            Self::Zstd(_) => Ok(()),
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file, _) => file.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
        }
    }
}

/// Fills a buffer as far as the source goes.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(got) => filled += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
