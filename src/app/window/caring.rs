//! The settings' part of the window's jobs that looks after the record: backups, compacting, what can be put back, and what
//! is done when the window has ended; and for keys. Each on a thread of its own, as it may take long.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use super::amending::Amender;
use crate::app::leaving::{self, Last};
use crate::args;
use crate::format;
use crate::settings::Settings;
use crate::store::{self, Reader, Ready, Reply, StoreError};
use crate::ui::screens::settings::data::{Care, Data, Deed, Record};
use crate::ui::screens::settings::providers::KeyState;
use crate::ui::screens::settings::question::{Answer, Copy, Holds};
use crate::ui::settings::{Ask, Told};

/// How long the record may be locked by others before it is said to be.
const BUSY: Duration = Duration::from_secs(2);

/// How often it is looked how far something is.
const LOOK: Duration = Duration::from_millis(200);

impl Amender {
    /// Does what is asked and answers; `tell` hears how far it is, where it takes long.
    pub fn answer_telling(&self, ask: Ask, tell: &dyn Fn(Told)) -> Told {
        match ask {
            Ask::Look => Told::Seen(Arc::new(self.look())),
            Ask::Write(file, wish) => self.write(file, wish),
            Ask::Care(care) => {
                let words = self.care(care, tell).unwrap_or_else(|error| error.text(&self.tr.now()));
                Told::Cared(Arc::new(self.look()), words)
            }
            Ask::Copies => Told::Copies(self.copies()),
            Ask::Belongings => Told::Belongings(leaving::belongings(&self.roots, &self.env)),
            Ask::Answer(Answer::Restore(from)) => {
                let progress = progress(Deed::Restore, tell);
                match Ready::prepare(&from, &self.roots.database(), &|done, whole| progress(share(done, whole))) {
                    Ok(ready) => self.leave(Deed::Restore, Last::Restore { from, ready }),
                    Err(error) => Told::Cared(Arc::new(self.look()), error.text(&self.tr.now())),
                }
            }
            Ask::Answer(Answer::Erase(parts)) => self.leave(Deed::Erase, Last::Erase(parts)),
            Ask::Key(id) => {
                let settings = Settings::load(&self.roots.settings_file()).ok();
                let key = settings.as_ref().and_then(|settings| settings.provider(&id)).map(|own| own.key.clone());
                Told::Key(id, key.map_or(KeyState::Needless, |key| self.look_for_key(&key)))
            }
        }
    }

    /// The rest is done when all is closed.
    fn leave(&self, deed: Deed, last: Last) -> Told {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
        Told::Leaving(deed)
    }

    pub(super) fn data(&self) -> Data {
        let database = self.roots.database();
        let record = Reader::open(&database, BUSY).and_then(|reader| reader.info());
        let record = record.map(|info| {
            let backups = store::list_backups(&database);
            Record {
                bytes: info.bytes,
                free_bytes: info.free_bytes,
                samples: info.samples,
                span: info.first_at.zip(info.last_at),
                backup: backups.last().map(|newest| (newest.clone(), backups.len())),
            }
        });
        Data { record: record.map_err(|error| error.text(&self.tr.now())), database, cache: self.roots.cache.clone() }
    }

    fn care(&self, care: Care, tell: &dyn Fn(Told)) -> Result<String, StoreError> {
        let database = self.roots.database();
        let Some(store) = &self.store else { return Err(StoreError::Missing { path: database, is_empty: false }) };
        let size = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let progress = progress(Deed::Care(care), tell);
        Ok(match care {
            Care::Backup => {
                let file = waiting(store.backup(), || {
                    let part = store::backup_in_progress(&database)?;
                    progress(share(size(&part), size(&database)));
                    Some(())
                })?;
                self.tr.now().with("data-backup-made", &args!("path" => file.display().to_string()))
            }
            Care::Compact => {
                let before = size(&database);
                let free = || Reader::open(&database, BUSY).and_then(|reader| reader.free_bytes()).ok();
                let all = free().unwrap_or(0);
                waiting(store.compact(), || {
                    progress(share(all.saturating_sub(free()?), all));
                    Some(())
                })?;
                let after = size(&database);
                let in_words = |bytes| format::bytes(bytes, &self.tr.now());
                let words = args!("bytes" => in_words(before.saturating_sub(after)), "size" => in_words(after));
                self.tr.now().with("data-compacted", &words)
            }
        })
    }

    /// Backups and records that were set aside, with what they hold.
    fn copies(&self) -> Vec<Copy> {
        let database = self.roots.database();
        let backups = store::list_backups(&database).into_iter().map(|path| (path, false));
        let is_log = |path: &Path| path.to_string_lossy().ends_with("-wal") || path.to_string_lossy().ends_with("-shm");
        let aside = store::set_aside_files(&database).into_iter().filter(|path| !is_log(path)).map(|path| (path, true));
        let copy = |(path, is_set_aside): (PathBuf, bool)| {
            let file = path.metadata().ok();
            let info = Reader::open(&path, BUSY).and_then(|reader| reader.info());
            Copy {
                is_set_aside,
                made_at: store::made_at(&path).or_else(|| Timestamp::try_from(file.as_ref()?.modified().ok()?).ok()),
                bytes: file.map_or(0, |file| file.len()),
                holds: info.map_err(|error| error.text(&self.tr.now())).map(|info| Holds {
                    targets: info.targets,
                    samples: info.samples,
                    span: info.first_at.zip(info.last_at),
                }),
                path,
            }
        };
        backups.chain(aside).map(copy).collect()
    }
}

/// A part of a whole in percent.
fn share(done: u64, whole: u64) -> u8 {
    let percent = (done.saturating_mul(100)).checked_div(whole).unwrap_or(100).min(100);
    u8::try_from(percent).unwrap_or(100)
}

/// Tells a percentage where it is another one than before.
fn progress(deed: Deed, tell: &dyn Fn(Told)) -> impl Fn(u8) {
    let told = std::cell::Cell::new(None);
    move |percent| {
        if told.replace(Some(percent)) != Some(percent) {
            tell(Told::Progress(deed, percent));
        }
    }
}

/// Waits for an answer and looks meanwhile.
fn waiting<T: Send>(reply: Reply<T>, look: impl Fn() -> Option<()>) -> Result<T, StoreError> {
    let (done, is_done) = sync_channel(1);
    std::thread::scope(|scope| {
        let waits = std::thread::Builder::new().name("vacancy-care-wait".into()).spawn_scoped(scope, move || {
            // Who waits is in this very scope.
            let _ = done.send(reply.wait());
        });
        if waits.is_err() {
            return Err(StoreError::Busy);
        }
        loop {
            match is_done.recv_timeout(LOOK) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => drop(look()),
                Err(RecvTimeoutError::Disconnected) => return Err(StoreError::Closed),
            }
        }
    })
}
