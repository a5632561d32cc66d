//! The demo's own folder: settings, a record filled with the simulated past, and the loopback provider they point at.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use toml_edit::DocumentMut;

use crate::args;
use crate::clock::Clock;
use crate::demo::cast;
use crate::demo::history::{Ending, Past, history};
use crate::demo::live::Live;
use crate::demo::tools;
use crate::i18n::Tr;
use crate::loopback::{LoopbackError, LoopbackThread, Options};
use crate::private;
use crate::settings::roots::Roots;
use crate::store::{self, Store, StoreError, TargetInfo};

/// A record made less than this ago is used again: the gap is then one that the strips can show.
const FRESH: SignedDuration = SignedDuration::from_mins(15);
/// Demos at the same time, each in a folder of its own.
const FOLDERS: u32 = 8;

/// A demo that is ready to run. Dropping it ends its loopback provider and gives its folder free.
pub struct DemoWorld {
    /// The folders of the demo, tools' home included: what the engine and the window are to work on in place of the
    /// user's.
    pub roots: Roots,
    /// Plays the present.
    pub loopback: LoopbackThread,
    /// Samples that were simulated now; 0 when the record was still fresh.
    pub simulated: usize,
    /// Held as long as the demo runs, so that another one takes another folder.
    _lock: File,
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A file or folder of the demo could not be written.
    #[error("cannot prepare the demo in {path}: {source}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// All folders are in use.
    #[error("{FOLDERS} demos run already; close one")]
    Crowded,
    /// The record could not be filled.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The loopback provider did not start.
    #[error(transparent)]
    Loopback(#[from] LoopbackError),
}

impl DemoError {
    /// What is wrong and what to do next, in the user's language.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::Folder { path, source } => {
                let path = path.display().to_string();
                tr.with("demo-folder", &args!("path" => path, "reason" => source.to_string()))
            }
            Self::Crowded => tr.with("demo-crowded", &args!("count" => FOLDERS)),
            Self::Store(error) => error.text(tr),
            Self::Loopback(error) => tr.with("demo-loopback", &args!("reason" => error.to_string())),
        }
    }
}

/// Makes a demo under the cache folder: its settings, and its record unless one of the same kind is fresh.
///
/// # Errors
///
/// When the folder cannot be written, the record cannot be filled, or the loopback provider cannot start.
pub fn prepare(
    roots: &Roots,
    seed: u64,
    weeks: u32,
    zone: &TimeZone,
    clock: &Arc<dyn Clock>,
) -> Result<DemoWorld, DemoError> {
    let (folder, lock) = own_folder(&roots.cache)?;
    let roots = Roots {
        config: folder.join("config"),
        data: folder.join("data"),
        cache: folder.join("cache"),
        home: folder.join("home"),
        root: Some(folder.join("root")),
        platform: roots.platform,
    };
    for folder in [&roots.config, &roots.cache, &roots.home] {
        private::create_folder(folder).map_err(at(folder))?;
    }
    let simulated = fill(&roots, &folder.join("made"), seed, weeks, zone, clock)?;
    let models = cast::CAST.iter().map(|member| member.model.to_owned()).collect();
    // The last thing before the start, as the present begins with it.
    let loopback = LoopbackThread::start(Options { plan: Some(Arc::new(Live)), models, ..Options::default() })?;
    let settings = roots.settings_file();
    let old = std::fs::read_to_string(&settings).unwrap_or_default();
    let made = with_looks_of(&old, cast::settings_file(&loopback.addresses().plain));
    std::fs::write(&settings, made).map_err(at(&settings))?;
    plant_tools(&roots.home, &loopback.addresses().plain)?;
    // A switch of the last demo speaks of files that are written anew.
    let journal = roots.data.join("switches.jsonl");
    match std::fs::remove_file(&journal) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&journal)(error)),
        Ok(()) | Err(_) => {}
    }
    Ok(DemoWorld { roots, loopback, simulated, _lock: lock })
}

/// The settings `made` with the looks of the old ones: a demo begins anew, but not in another language.
fn with_looks_of(old: &str, made: String) -> String {
    let looks = old.parse::<DocumentMut>().ok().and_then(|mut old| old.remove("ui"));
    match (looks, made.parse::<DocumentMut>()) {
        (Some(looks), Ok(mut made)) => {
            made.insert("ui", looks);
            made.to_string()
        }
        _ => made,
    }
}

/// Writes the tools' settings into the demo's own home.
///
/// # Errors
///
/// When a file cannot be written.
pub fn plant_tools(home: &Path, address: &str) -> Result<(), DemoError> {
    for (path, text) in tools::files(address) {
        let path = home.join(path);
        if let Some(folder) = path.parent() {
            private::create_folder(folder).map_err(at(folder))?;
        }
        std::fs::write(&path, text).map_err(at(&path))?;
    }
    Ok(())
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> DemoError {
    move |source| DemoError::Folder { path: path.to_path_buf(), source }
}

/// The first folder that no other demo uses, and the lock on it.
fn own_folder(cache: &Path) -> Result<(PathBuf, File), DemoError> {
    for number in 1..=FOLDERS {
        let folder = cache.join(if number == 1 { "demo".to_owned() } else { format!("demo-{number}") });
        private::create_folder(&folder).map_err(at(&folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => return Ok((folder, lock)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
        }
    }
    Err(DemoError::Crowded)
}

/// Fills the record and says with how many samples. `mark` says what the record holds; it is written last, so that a
/// record that was filled by half is not taken for fresh.
fn fill(
    roots: &Roots,
    mark: &Path,
    seed: u64,
    weeks: u32,
    zone: &TimeZone,
    clock: &Arc<dyn Clock>,
) -> Result<usize, DemoError> {
    let now = clock.now();
    let name = zone.iana_name().unwrap_or_default();
    let kind = format!("{} {} {seed} {weeks} {name}", env!("CARGO_PKG_VERSION"), store::FORMAT);
    if std::fs::read_to_string(mark).is_ok_and(|mark| is_fresh(&mark, &kind, now)) && roots.database().exists() {
        return Ok(0);
    }
    for path in [mark, &roots.data] {
        let removed = if path == mark { std::fs::remove_file(path) } else { std::fs::remove_dir_all(path) };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(path)(error)),
            Ok(()) | Err(_) => {}
        }
    }
    let past = Past { seed, now, zone: zone.clone(), weeks, ending: Ending::Live };
    let samples = history(&past);
    let count = samples.len();
    let record = Store::open(&roots.database(), store::Options::default(), Arc::clone(clock))?;
    let handle = record.handle();
    handle.register(cast::targets().iter().map(|target| TargetInfo::from(&**target)).collect()).wait()?;
    handle.append_batch(samples).wait()?;
    drop(record);
    std::fs::write(mark, format!("{kind}\n{}", now.as_millisecond())).map_err(at(mark))?;
    Ok(count)
}

fn is_fresh(mark: &str, kind: &str, now: Timestamp) -> bool {
    let Some((had, made)) = mark.split_once('\n') else { return false };
    let made = made.parse().ok().and_then(|made| Timestamp::from_millisecond(made).ok());
    had == kind && made.is_some_and(|made| made <= now && now.duration_since(made) < FRESH)
}
