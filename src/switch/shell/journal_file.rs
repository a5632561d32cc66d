//! The journal on disk: a line of JSON an event, only ever appended to, each synced before the next step is taken.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::private;
use crate::switch::journal::Line;

/// Why the journal could not be used. No tool's file is written then.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("the journal of switches cannot be used ({reason}); nothing was switched. Check the folder's rights and the free space: {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: io::Error,
    },
}

/// What stands in the journal.
#[derive(Debug, Default)]
pub struct Content {
    /// Its lines, oldest first.
    pub lines: Vec<Line>,
    /// How many more there are that cannot be read: what a crash cut short, what was damaged, what a newer version wrote.
    pub unreadable: usize,
}

/// The journal, held by one switch at a time in this and every other process.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Where it lies in the data folder.
    pub fn path(data: &Path) -> PathBuf {
        data.join("switches.jsonl")
    }

    /// Opens the journal for a change and waits until no other switch is under way; a switch takes milliseconds.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn lock(data: &Path) -> Result<Self, JournalError> {
        let path = Self::path(data);
        let open = || {
            private::create_folder(data)?;
            let mut options = File::options();
            options.read(true).append(true).create(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&path)?;
            file.lock()?;
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(Self { path, file }),
            Err(reason) => Err(JournalError::Io { path, reason }),
        }
    }

    /// The lines of the journal without locking it; none when there is no journal. What cannot be read is passed over.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read.
    pub fn read(data: &Path) -> Result<Vec<Line>, JournalError> {
        Ok(Self::content(data)?.lines)
    }

    /// As [`JournalFile::read`], and how much of it cannot be read.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be read at all.
    pub fn content(data: &Path) -> Result<Content, JournalError> {
        let path = Self::path(data);
        match File::open(&path) {
            Ok(file) => content(&file).map_err(|reason| JournalError::Io { path, reason }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Content::default()),
            Err(reason) => Err(JournalError::Io { path, reason }),
        }
    }

    /// The lines so far.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn lines(&mut self) -> Result<Vec<Line>, JournalError> {
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| content(&self.file));
        read.map(|content| content.lines).map_err(|reason| self.error(reason))
    }

    /// Appends a line and waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn append(&mut self, line: &Line) -> Result<(), JournalError> {
        let write = |file: &mut File| {
            let mut text = serde_json::to_vec(line)?;
            text.push(b'\n');
            // A line that a crash cut short is closed first, so that it swallows nothing.
            if !ends_with_newline(file)? {
                text.insert(0, b'\n');
            }
            file.write_all(&text)?;
            file.sync_all()
        };
        write(&mut self.file).map_err(|reason| self.error(reason))
    }

    fn error(&self, reason: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), reason }
    }
}

fn content(file: &File) -> io::Result<Content> {
    let mut content = Content::default();
    for line in BufReader::new(file).split(b'\n') {
        match serde_json::from_slice(&line?) {
            Ok(line) => content.lines.push(line),
            Err(_) => content.unreadable += 1,
        }
    }
    Ok(content)
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    use std::io::Read as _;
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
