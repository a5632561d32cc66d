//! Listens to tools while they work: what they write is read within a moment, as far as it is new.
//!
//! The thread `vacancy-listen` is woken by the system's events for the folders of tools, which are hints only: sizes are
//! looked at every [`POLL`] as well, and folders listed anew every [`RELIST`]. Files are opened for a moment each time, so
//! that their owners may rename and delete them.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};

use super::cursor::Cursor;
use super::disk::Disk;
use super::follow::{Following, Start};
use super::homes::{Home, LogFile};
use super::observation::{Limit, Observation, Tool};
use super::{Seen, backfill};
use crate::clock::Clock;
use crate::file_events::FileEvents;

/// How often the sizes of files in use are looked at, whatever the system tells.
pub const POLL: Duration = Duration::from_secs(10);

/// How often folders are listed anew.
pub const RELIST: Duration = Duration::from_secs(60);

/// Bytes read of the end of a file that is met for the first time.
const FIRST_SIGHT: u64 = 8 << 20;

/// A file that was not written for longer than this is met when it is written again.
const RECENT: Duration = Duration::from_secs(24 * 3600);

/// Files whose readers are kept in memory.
const MOST_FOLLOWED: usize = 256;

/// What is held back for more to become known of it is given out after this long.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// A session counts as running when its file grew this recently.
const RUNNING: SignedDuration = SignedDuration::from_mins(5);

/// Hints that may wait; when there are more all files are looked at.
const HINTS: usize = 256;

/// What was heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// New observations.
    pub observations: Vec<Observation>,
    /// The newest reading of each window of a subscription.
    pub limits: Vec<Limit>,
    /// Sessions that are running, by tool.
    pub running: Vec<(Tool, usize)>,
    /// Places up to which all is heard: to be kept once the observations are.
    pub cursors: Vec<(String, String)>,
}

struct Followed {
    log: LogFile,
    following: Following,
    /// When it grew last.
    grew: Timestamp,
    is_settled: bool,
}

impl Followed {
    /// Gives out what is held back.
    fn settle(&mut self, out: &mut Vec<Observation>) {
        self.is_settled = true;
        self.following.settle(out);
    }
}

/// Notes how far a file is read.
fn keep(key: &str, followed: &Followed, cursors: &mut HashMap<String, String>, moved: &mut HashMap<String, String>) {
    let cursor = followed.following.cursor().to_text();
    moved.insert(key.to_owned(), cursor.clone());
    cursors.insert(key.to_owned(), cursor);
}

/// The ears without the thread: told where to listen, answers with what is new.
pub struct Ears {
    homes: Vec<Home>,
    disk: Arc<dyn Disk>,
    cursors: HashMap<String, String>,
    followed: HashMap<String, Followed>,
    /// Cursors that were not handed over yet.
    moved: HashMap<String, String>,
    limits: Vec<Limit>,
    seen: Seen,
    chunk: Vec<u8>,
}

impl Ears {
    /// Ears for these folders, with cursors by [`Cursor::key`] as stored.
    pub fn new(homes: Vec<Home>, disk: Arc<dyn Disk>, cursors: HashMap<String, String>) -> Self {
        let homes = homes.into_iter().filter(Home::is_text).collect();
        Self {
            homes,
            disk,
            cursors,
            followed: HashMap::new(),
            moved: HashMap::new(),
            limits: Vec::new(),
            seen: Seen::default(),
            chunk: Vec::new(),
        }
    }

    /// Lists the folders and reads what is new in all files that matter.
    pub fn relist(&mut self, now: Timestamp) -> Heard {
        let mut heard = Heard::default();
        self.hand_over(&mut heard);
        let logs: Vec<LogFile> = self.homes.iter().flat_map(Home::files).collect();
        for log in logs {
            let key = Cursor::key(log.tool, &log.path);
            // A clock that was set back makes files of the future, which are the newest.
            let age = backfill::system_time(now).duration_since(log.modified);
            let is_recent = age.map_or(true, |age| age < RECENT);
            let is_known = self.followed.contains_key(&key) || self.cursors.contains_key(&key);
            if is_recent || log.modified == SystemTime::UNIX_EPOCH || is_known {
                self.read(log, key, now, &mut heard);
            }
        }
        self.finish(now, heard)
    }

    /// Reads what is new in these files; others than logs are passed over.
    pub fn look_at<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>, now: Timestamp) -> Heard {
        let mut heard = Heard::default();
        for path in paths {
            if let Some(log) = self.homes.iter().find_map(|home| home.at(path)) {
                let key = Cursor::key(log.tool, &log.path);
                self.read(log, key, now, &mut heard);
            }
        }
        self.finish(now, heard)
    }

    /// Looks at the sizes of files in use.
    pub fn poll(&mut self, now: Timestamp) -> Heard {
        let paths: Vec<PathBuf> = self.followed.values().map(|followed| followed.log.path.clone()).collect();
        self.look_at(paths.iter().map(PathBuf::as_path), now)
    }

    fn read(&mut self, log: LogFile, key: String, now: Timestamp, heard: &mut Heard) {
        // What cannot be read now (sharing, permissions) is tried again when it changes.
        if let Err(error) = self.try_read(log, &key, now, heard) {
            tracing::debug!(kind = ?error.kind(), "a log cannot be read at present");
        }
    }

    fn try_read(&mut self, log: LogFile, key: &str, now: Timestamp, heard: &mut Heard) -> io::Result<()> {
        let known = self.followed.get(key).map(|followed| (followed.log.len, followed.log.modified));
        if known == Some((log.len, log.modified)) {
            return Ok(());
        }
        let again = match self.followed.get_mut(key) {
            Some(followed) => followed.following.again(&*self.disk, &log)?,
            None => None,
        };
        let (mut followed, mut source) = match (again, self.followed.remove(key)) {
            (Some(source), Some(followed)) => (followed, source),
            // Met for the first time, cut short, or another file in its place.
            (_, old) => {
                if let Some(mut old) = old {
                    old.following.settle(&mut heard.observations);
                }
                let cursor = self.cursors.get(key).and_then(|text| Cursor::from_text(text));
                let start = Start::Tail(FIRST_SIGHT);
                let begun = Following::begin(&*self.disk, &log, cursor.as_ref(), start, &self.seen)?;
                let Some((following, source)) = begun else { return Ok(()) };
                (Followed { log: log.clone(), following, grew: Timestamp::UNIX_EPOCH, is_settled: true }, source)
            }
        };
        let mut sink = |out: &mut Vec<Observation>| {
            heard.observations.append(out);
            true
        };
        let bytes = followed.following.pump(&mut source, &mut self.chunk, u64::MAX, &mut sink);
        followed.log = log;
        if *bytes.as_ref().unwrap_or(&0) > 0 {
            let modified = followed.log.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let modified = Timestamp::from_second(i64::try_from(modified.as_secs()).unwrap_or(0)).unwrap_or(now);
            // What was there before we came did not grow just now.
            followed.grew = if followed.grew == Timestamp::UNIX_EPOCH { modified.min(now) } else { now };
            followed.is_settled = false;
            Limit::merge(&mut self.limits, followed.following.limits());
            keep(key, &followed, &mut self.cursors, &mut self.moved);
        }
        self.followed.insert(key.to_owned(), followed);
        bytes.map(|_| ())
    }

    fn finish(&mut self, now: Timestamp, mut heard: Heard) -> Heard {
        let mut running: HashMap<Tool, usize> = HashMap::new();
        for (key, followed) in &mut self.followed {
            let age = now.duration_since(followed.grew);
            if !followed.is_settled && age >= PATIENCE {
                followed.settle(&mut heard.observations);
                keep(key, followed, &mut self.cursors, &mut self.moved);
            }
            if age <= RUNNING {
                *running.entry(followed.log.tool).or_default() += 1;
            }
        }
        if self.followed.len() > MOST_FOLLOWED {
            let mut ages: Vec<(Timestamp, String)> =
                self.followed.iter().map(|(key, followed)| (followed.grew, key.clone())).collect();
            ages.sort();
            for (_, key) in ages.into_iter().take(self.followed.len() - MOST_FOLLOWED) {
                if let Some(mut old) = self.followed.remove(&key) {
                    old.settle(&mut heard.observations);
                    keep(&key, &old, &mut self.cursors, &mut self.moved);
                }
            }
        }
        if !heard.observations.is_empty() {
            self.hand_over(&mut heard);
        }
        heard.observations.sort_by_key(|observation| observation.ts);
        heard.limits.clone_from(&self.limits);
        heard.running = running.into_iter().collect();
        heard.running.sort();
        heard
    }
}

impl Ears {
    fn hand_over(&mut self, heard: &mut Heard) {
        heard.cursors.extend(self.moved.drain().map(|(key, cursor)| (format!("{}{key}", Cursor::PREFIX), cursor)));
    }

    /// Gives out all that is held back, at the end.
    pub fn close(&mut self, now: Timestamp) -> Heard {
        let mut heard = Heard::default();
        for (key, followed) in &mut self.followed {
            if !followed.is_settled {
                followed.settle(&mut heard.observations);
                keep(key, followed, &mut self.cursors, &mut self.moved);
            }
        }
        self.hand_over(&mut heard);
        self.finish(now, heard)
    }
}

/// What wakes the thread.
enum Hint {
    Path(PathBuf),
    Stop,
}

/// Who is told what was heard.
pub trait Hearer: Send {
    /// Which folders to listen to now; asked at each listing.
    fn homes(&mut self) -> Vec<Home>;

    /// Takes what is new; `false` ends the listening.
    fn hear(&mut self, heard: Heard) -> bool;
}

/// A running thread; dropping it ends it.
#[derive(Debug)]
pub struct Listening {
    hints: SyncSender<Hint>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Listening {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// When the system refuses a thread.
    pub fn start(
        hearer: Box<dyn Hearer>,
        disk: Arc<dyn Disk>,
        cursors: HashMap<String, String>,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        let (hints, inbox) = sync_channel(HINTS);
        let own = hints.clone();
        let thread = std::thread::Builder::new().name("vacancy-listen".into()).spawn(move || {
            let mut work = Work { hearer, disk, clock, events: events(own) };
            work.run(&inbox, cursors);
        })?;
        Ok(Self { hints, thread: Some(thread) })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // Waits while the queue is full: the thread empties it.
        let _ = self.hints.send(Hint::Stop);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the listening thread failed");
        }
    }
}

/// The system's events, as hints where to look.
fn events(hints: SyncSender<Hint>) -> FileEvents {
    FileEvents::new(true, move |event| {
        for path in event.paths {
            // A full queue has hints enough, and the poll finds the rest. Once nobody listens it does not matter.
            let _ = hints.try_send(Hint::Path(path));
        }
    })
}

struct Work {
    hearer: Box<dyn Hearer>,
    disk: Arc<dyn Disk>,
    clock: Arc<dyn Clock>,
    events: FileEvents,
}

impl Work {
    fn run(&mut self, inbox: &Receiver<Hint>, cursors: HashMap<String, String>) {
        let mut ears = Ears::new(Vec::new(), Arc::clone(&self.disk), cursors);
        let (mut relisted, mut polled) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let is_due = |since: Timestamp, now: Timestamp, every: Duration| {
            now < since || now.duration_since(since).unsigned_abs() >= every
        };
        loop {
            let now = self.clock.now();
            let mut heard = None;
            if is_due(relisted, now, RELIST) {
                (relisted, polled) = (now, now);
                ears.homes = self.hearer.homes();
                ears.homes.retain(Home::is_text);
                // Those that exist by now.
                self.events.set(ears.homes.iter().filter_map(|home| home.folder.canonicalize().ok()).collect());
                heard = Some(ears.relist(now));
            } else if is_due(polled, now, POLL) {
                polled = now;
                heard = Some(ears.poll(now));
            }
            if heard.is_some_and(|heard| !self.hearer.hear(heard)) {
                return;
            }
            let mut paths = HashSet::new();
            // With no folder to listen to there is nothing to look at but whether one has come.
            let wait = if ears.homes.is_empty() { RELIST } else { POLL };
            match inbox.recv_timeout(wait) {
                Ok(Hint::Path(path)) => drop(paths.insert(path)),
                Err(RecvTimeoutError::Timeout) => continue,
                Ok(Hint::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            }
            let mut is_over = false;
            while let Ok(hint) = inbox.try_recv() {
                match hint {
                    Hint::Path(path) => drop(paths.insert(path)),
                    Hint::Stop => is_over = true,
                }
            }
            if is_over {
                break;
            }
            let heard = ears.look_at(paths.iter().map(PathBuf::as_path), self.clock.now());
            if !heard.observations.is_empty() && !self.hearer.hear(heard) {
                return;
            }
        }
        self.hearer.hear(ears.close(self.clock.now()));
    }
}
