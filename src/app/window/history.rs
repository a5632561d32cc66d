//! Reads the record for History on a thread of its own (`vacancy-history`), and writes what is shown to a file on another
//! (`vacancy-export`). Only the newest question is answered: while one is read, those that follow replace each other.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use super::Told;
use crate::args;
use crate::cli::export::{Course, ExportError, Format, What, write_file, write_some};
use crate::core::history::{Answer, Query};
use crate::core::outcome::Family;
use crate::i18n::Tr;
use crate::settings::roots::Roots;
use crate::store::{Filter, Reader, SampleRow, StoreError};
use crate::ui::format;
use crate::ui::history::{Ask, Export, Told as Heard};
use crate::ui::picture;
use crate::ui::screens::history::range::Form;
use crate::ui::window::Event;

/// Answers kept, so that going back is instant: each is at most a few megabytes.
const KEPT: usize = 4;

/// How long a read of the record may wait for a lock.
const BUSY: Duration = Duration::from_secs(5);

/// What the threads share.
struct Shared {
    roots: Roots,
    tr: Tr,
    told: Told,
    newest: Mutex<Option<Query>>,
    is_asked: Condvar,
    /// Counts questions, so that a read knows that it is out of date.
    questions: AtomicU64,
    stop: Mutex<Arc<AtomicBool>>,
}

/// Takes questions and exports; never blocks.
#[derive(Clone)]
pub(super) struct Historian(Arc<Shared>);

impl Historian {
    /// Starts the thread that reads.
    pub fn start(roots: Roots, tr: Tr, told: Told) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            roots,
            tr,
            told,
            newest: Mutex::new(None),
            is_asked: Condvar::new(),
            questions: AtomicU64::new(0),
            stop: Mutex::default(),
        });
        let own = Arc::clone(&shared);
        std::thread::Builder::new().name("vacancy-history".into()).spawn(move || read(&own))?;
        Ok(Self(shared))
    }

    /// Does what History wants.
    pub fn ask(&self, ask: Ask) {
        match ask {
            Ask::Read(query) => {
                self.0.questions.fetch_add(1, Ordering::Relaxed);
                *self.0.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(*query);
                self.0.is_asked.notify_one();
            }
            Ask::Export(export) => self.export(*export),
            Ask::StopExport => {
                self.0.stop.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
            }
        }
    }

    fn export(&self, wanted: Export) {
        let stop = Arc::new(AtomicBool::new(false));
        *self.0.stop.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&stop);
        let shared = Arc::clone(&self.0);
        let work = move || {
            let words = export(&shared, &wanted, &stop);
            shared.told.tell(Event::History(Heard::Written(words)));
        };
        if let Err(error) = std::thread::Builder::new().name("vacancy-export".into()).spawn(work) {
            let words = self.0.tr.with("history-export-read-failed", &args!("reason" => error.to_string()));
            // Told from another thread, as a full queue would block the window.
            tracing::error!(%words);
        }
    }
}

/// Answers the newest question, for ever. The process ends it, as a read holds nothing.
fn read(shared: &Shared) {
    let mut kept: VecDeque<Arc<Answer>> = VecDeque::new();
    loop {
        let query = {
            let mut newest = shared.newest.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                match newest.take() {
                    Some(query) => break query,
                    None => newest = shared.is_asked.wait(newest).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        let question = shared.questions.load(Ordering::Relaxed);
        if let Some(answer) = kept.iter().find(|answer| answer.answers(&query)) {
            shared.told.tell(Event::History(Heard::Answer(Arc::clone(answer))));
            continue;
        }
        let is_over = || shared.questions.load(Ordering::Relaxed) != question;
        let answer = Reader::open(&shared.roots.database(), BUSY).and_then(|reader| {
            let before = kept.iter().find(|answer| answer.has_cells_of(&query));
            reader.history_after(before.map(|answer| &**answer), &query, &is_over)
        });
        let told = match answer {
            Ok(None) => continue,
            Ok(Some(answer)) => {
                let answer = Arc::new(answer);
                kept.push_front(Arc::clone(&answer));
                kept.truncate(KEPT);
                Heard::Answer(answer)
            }
            // Nothing was ever recorded.
            Err(StoreError::Missing { .. }) => Heard::Answer(Arc::new(Answer::empty(query))),
            Err(error) => Heard::Trouble(error.text(&shared.tr)),
        };
        shared.told.tell(Event::History(told));
    }
}

/// Writes what is shown; what became of it in words.
fn export(shared: &Shared, wanted: &Export, stop: &AtomicBool) -> String {
    let tr = &shared.tr;
    let folder = folder(&shared.roots);
    let path = free_name(&folder, wanted);
    let shown = path.display().to_string();
    let written = write_file(&path, false, |out| match wanted.form {
        Form::Png => {
            let mut png = std::io::Cursor::new(Vec::new());
            picture::history(&wanted.scene, tr)
                .write_to(&mut png, image::ImageFormat::Png)
                .map_err(|error| ExportError::Output(std::io::Error::other(error)))?;
            out.write_all(&png.into_inner())?;
            Ok(0)
        }
        form => {
            let format = match form {
                Form::Json => Format::Json,
                Form::Jsonl => Format::Jsonl,
                Form::Csv | Form::Png => Format::Csv,
            };
            let reader = Reader::open(&shared.roots.database(), BUSY)?;
            let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
            let filter = Filter {
                from: Some(at(wanted.view.start)),
                to: Some(at(wanted.view.end)),
                targets: wanted.targets.clone(),
            };
            let mut told = 0;
            let tell = |rows: u64| shared.told.tell(Event::History(Heard::Writing(rows)));
            let course = Course::stopped_by(stop).telling(&reader, &filter, move |progress| {
                if progress.rows - told >= 1 << 18 {
                    told = progress.rows;
                    tell(told);
                }
            })?;
            let is_wanted = |row: &SampleRow<'_>| {
                wanted.source.is_none_or(|source| row.source == source)
                    && !wanted.hidden_families.contains(&Family::of(row.verdict.kind, row.verdict.scope))
            };
            write_some(&reader, What::Samples, &filter, format, out, is_wanted, course)
        }
    });
    match written {
        Ok(_) if wanted.form == Form::Png => tr.with("history-exported-picture", &args!("path" => shown)),
        Ok(rows) => tr.with("history-exported", &args!("rows" => format::count(rows), "path" => shown)),
        Err(ExportError::Stopped) => tr.text("history-export-stopped"),
        Err(ExportError::Store(error)) => tr.with("history-export-read-failed", &args!("reason" => error.text(tr))),
        Err(ExportError::Output(error)) => {
            tr.with("history-export-failed", &args!("path" => shown, "reason" => error.to_string()))
        }
    }
}

/// Where a person looks for what was saved: the folder of downloads, the home, or else beside the record.
fn folder(roots: &Roots) -> PathBuf {
    let downloads = directories::UserDirs::new().and_then(|dirs| dirs.download_dir().map(Path::to_path_buf));
    let places = [downloads, Some(roots.home.join("Downloads")), Some(roots.home.clone())];
    places.into_iter().flatten().find(|folder| folder.is_dir()).unwrap_or_else(|| roots.data.clone())
}

/// A name that says what is in the file and is not taken.
fn free_name(folder: &Path, wanted: &Export) -> PathBuf {
    let zone = &wanted.scene.snapshot.zone;
    let date = |ms| Timestamp::from_millisecond(ms).map(|at| zone.to_datetime(at).date().to_string());
    let (from, to) = (date(wanted.view.start).unwrap_or_default(), date(wanted.view.end - 1).unwrap_or_default());
    let name = |n: u32| {
        let again = if n == 1 { String::new() } else { format!(" ({n})") };
        folder.join(format!("vacancy-history-{from}-to-{to}{again}.{}", wanted.form.name()))
    };
    (1..1000).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1000))
}
