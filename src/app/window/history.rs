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
use crate::i18n::{Spoken, Tr};
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
    tr: Spoken,
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
    pub fn start(roots: Roots, tr: Spoken, told: Told) -> std::io::Result<Self> {
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
            let words = self.0.tr.now().with("history-export-read-failed", &args!("reason" => error.to_string()));
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
            Err(error) => Heard::Trouble(error.text(&shared.tr.now())),
        };
        shared.told.tell(Event::History(told));
    }
}

/// Writes what is shown; what became of it in words.
fn export(shared: &Shared, wanted: &Export, stop: &AtomicBool) -> String {
    let tr = &shared.tr.now();
    let path = free_name(&folder(&shared.roots), wanted);
    let shown = path.display().to_string();
    let tell = |rows: u64| shared.told.tell(Event::History(Heard::Writing(rows)));
    match write(&shared.roots.database(), &path, wanted, tr, stop, tell) {
        Ok(_) if wanted.form == Form::Png => tr.with("history-exported-picture", &args!("path" => shown)),
        Ok(rows) => tr.with("history-exported", &args!("rows" => format::count(rows), "path" => shown)),
        Err(ExportError::Stopped) => tr.text("history-export-stopped"),
        Err(ExportError::Store(error)) => tr.with("history-export-read-failed", &args!("reason" => error.text(tr))),
        Err(ExportError::Output(error)) => {
            tr.with("history-export-failed", &args!("path" => shown, "reason" => error.to_string()))
        }
    }
}

/// Writes the samples that are in view, or the picture, to a file; returns the number of rows and tells it meanwhile.
fn write(
    database: &Path,
    path: &Path,
    wanted: &Export,
    tr: &Tr,
    stop: &AtomicBool,
    tell: impl Fn(u64),
) -> Result<u64, ExportError> {
    write_file(path, false, |out| match wanted.form {
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
            let reader = Reader::open(database, BUSY)?;
            let at = |ms| Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
            let filter = Filter {
                from: Some(at(wanted.view.start)),
                to: Some(at(wanted.view.end)),
                targets: wanted.targets.clone(),
            };
            let mut told = 0;
            let course = Course::stopped_by(stop).telling(&reader, &filter, move |progress| {
                if progress.rows - told >= 1 << 18 {
                    told = progress.rows;
                    tell(told);
                }
            })?;
            // No targets to ask for are all of them, also where every one is hidden.
            let hidden = &wanted.scene.state.hidden;
            let is_wanted = |row: &SampleRow<'_>| {
                wanted.source.is_none_or(|source| row.source == source)
                    && !wanted.hidden_families.contains(&Family::of(row.verdict.kind, row.verdict.scope))
                    && !hidden.contains(&row.target.id)
            };
            write_some(&reader, What::Samples, &filter, format, out, is_wanted, course)
        }
    })
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

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use jiff::tz::TimeZone;

    use super::*;
    use crate::clock::SystemClock;
    use crate::core::outcome::{Kind, Scope};
    use crate::core::sample::{Sample, Source};
    use crate::core::target::TargetId;
    use crate::engine::planted_snapshot;
    use crate::i18n::Lang;
    use crate::settings::Settings;
    use crate::store::{Options, Store};
    use crate::ui::history::History;
    use crate::ui::screens::history::range::{Act, Preset, State};

    /// What is written of a sample, to be compared.
    type Row = (String, i64, &'static str, &'static str);

    fn row(sample: &Sample) -> Row {
        (sample.target.as_str().to_owned(), sample.at.as_millisecond(), sample.source.name(), sample.kind.name())
    }

    #[test]
    fn the_file_has_exactly_what_is_in_view() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("vacancy.sqlite");
        let now: Timestamp = "2026-11-29T13:27:00Z".parse().unwrap();
        let kinds = [
            (Kind::Available, Scope::Model),
            (Kind::AtCapacity, Scope::Model),
            (Kind::ServerError, Scope::Provider),
            (Kind::RateLimited, Scope::Account),
            (Kind::Auth, Scope::Account),
            (Kind::Skipped, Scope::Local),
        ];
        let sample = |n: i64| {
            let (kind, scope) = kinds[n as usize % kinds.len()];
            Sample {
                target: TargetId::from(["a", "b, \"c\"", "d"][n as usize / 7 % 3]),
                source: [Source::Probe, Source::ToolLog][n as usize / 5 % 2],
                at: now - SignedDuration::from_mins(n * 37),
                kind,
                scope,
                http_status: None,
                connect_ms: None,
                first_token_ms: (kind == Kind::Available).then_some(400),
                total_ms: None,
                retry_after_s: None,
                rule: "planted".into(),
            }
        };
        // Eighteen days, newest first.
        let samples: Vec<Sample> = (1..=700).map(sample).collect();
        let store = Store::open(&database, Options::default(), Arc::new(SystemClock)).unwrap();
        store.handle().append_batch(samples.clone()).wait().unwrap();
        let snapshot = planted_snapshot(&Settings::default(), Vec::new(), &TimeZone::UTC, now);
        let reader = Reader::open(&database, BUSY).unwrap();

        let hide = |names: &[&str]| names.iter().map(|name| Act::Target(TargetId::from(*name))).collect::<Vec<_>>();
        let cases: [(&str, Vec<Act>, fn(&Sample) -> bool); 7] = [
            ("all of the week", vec![], |_| true),
            ("a hidden target", hide(&["a"]), |sample| sample.target.as_str() != "a"),
            ("every target hidden", hide(&["a", "b, \"c\"", "d"]), |_| false),
            ("a hidden family", vec![Act::Family(Family::Full)], |sample| sample.kind != Kind::AtCapacity),
            ("one source", vec![Act::Source(Some(Source::ToolLog))], |sample| sample.source == Source::ToolLog),
            ("a day", vec![Act::Preset(Preset::Day)], |_| true),
            (
                "all at once",
                [hide(&["d"]), vec![Act::Family(Family::Blocked), Act::Source(Some(Source::Probe))]].concat(),
                |sample| sample.target.as_str() != "d" && sample.kind != Kind::Auth && sample.source == Source::Probe,
            ),
        ];
        for (place, (name, acts, is_shown)) in cases.into_iter().enumerate() {
            let mut state = State::default();
            let query = History::default().wanted(&state, &snapshot, now).unwrap();
            let answer = reader.history(&query, &|| false).unwrap().unwrap();
            let mut history = History::of(Some(Arc::new(answer)));
            for act in acts {
                history.wanted(&state, &snapshot, now);
                assert_eq!(history.act(&act, &mut state, &snapshot, false), None, "{name}");
            }
            for form in [Form::Csv, Form::Json, Form::Jsonl] {
                let mut history = History::of(history.answer.clone());
                history.wanted(&state, &snapshot, now);
                let asked = history.act(&Act::Export(form), &mut state, &snapshot, false);
                let Some(Ask::Export(wanted)) = asked else { panic!("{name}") };
                let path = folder.path().join(format!("{place}.{}", form.name()));
                let (tr, stop) = (Tr::new(Lang::English), AtomicBool::new(false));
                let rows = write(&database, &path, &wanted, &tr, &stop, |_| {}).unwrap();
                let mut found: Vec<Row> = Vec::new();
                let mut input = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
                let each = |record: Result<crate::cli::import::Record<'_>, crate::cli::import::BadLine>| {
                    let record = record.unwrap();
                    found.push(row(&record.sample(TargetId::from(&*record.target))));
                    Ok::<_, ()>(())
                };
                crate::cli::import::parse(&mut input, None, Timestamp::MAX, each).unwrap().unwrap();
                let view = state.view(history.extent(), now.as_millisecond());
                let is_in_view = |sample: &&Sample| view.contains(&sample.at.as_millisecond()) && is_shown(sample);
                let mut expected: Vec<Row> = samples.iter().filter(is_in_view).map(row).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{name}, {form:?}");
                assert_eq!(rows as usize, expected.len(), "{name}, {form:?}");
                assert_eq!(expected.is_empty(), name == "every target hidden");
            }
        }
    }
}
