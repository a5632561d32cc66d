//! Reads the tools' logs into the record on a thread of its own, while the window goes on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Told;
use crate::clock::Clock;
use crate::i18n::Tr;
use crate::listen::backfill::{self, Control, Job, Listener, Progress};
use crate::listen::cursor::Cursor;
use crate::listen::disk::RealDisk;
use crate::listen::homes::{Home, homes};
use crate::listen::{Observation, Targets};
use crate::settings::Settings;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::store::{Reader, StoreError, StoreHandle};
use crate::ui::backfill::{Backfill, Scope, Steer};
use crate::ui::window::Event;

/// Under this name the record remembers that the user wants the logs read and the reading is not at its end.
const WANTED: &str = "backfill_wanted";

/// How often the window is told: as often as a person can read a number.
const TELL: Duration = Duration::from_millis(250);

/// How long a read of the record may wait for a lock.
const BUSY: Duration = Duration::from_secs(5);

/// What a reading works with.
#[derive(Clone)]
pub(super) struct Means {
    pub roots: Roots,
    pub env: Env,
    pub clock: Arc<dyn Clock>,
    pub store: StoreHandle,
    pub events: Told,
}

/// Begins, holds and ends readings.
pub(super) struct Backfiller {
    means: Means,
    running: Option<Arc<Control>>,
}

impl Backfiller {
    pub fn new(means: Means) -> Self {
        Self { means, running: None }
    }

    /// What there is to read. Looks at names and sizes and opens nothing.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        for home in homes(&self.means.roots, &self.means.env) {
            let files = home.files();
            if !files.is_empty() && !scope.tools.iter().any(|tool| tool == home.tool.name()) {
                scope.tools.push(home.tool.name().to_owned());
            }
            scope.files += files.len();
            scope.bytes += files.iter().map(|file| file.len).sum::<u64>();
        }
        scope
    }

    /// Whether a reading was begun and never came to its end.
    pub fn is_wanted(&self) -> bool {
        let reader = Reader::open(&self.means.roots.database(), BUSY);
        reader.and_then(|reader| reader.meta(WANTED)).is_ok_and(|value| value.as_deref() == Some("1"))
    }

    /// Does what the user wants.
    pub fn steer(&mut self, steer: Steer, tr: &Tr) {
        match (steer, &self.running) {
            (Steer::Begin, Some(control)) if Arc::strong_count(control) > 1 => control.resume(),
            (Steer::Begin, _) => self.begin(tr),
            (Steer::Pause, Some(control)) => control.pause(),
            (Steer::Resume, Some(control)) => control.resume(),
            (Steer::Cancel, Some(control)) => {
                control.cancel();
                drop(self.means.store.set_meta(WANTED, "0"));
            }
            (Steer::Pause | Steer::Resume | Steer::Cancel, None) => {}
        }
    }

    fn begin(&mut self, tr: &Tr) {
        let control = Arc::new(Control::default());
        self.running = Some(Arc::clone(&control));
        let (means, tr) = (self.means.clone(), tr.clone());
        let read = move || {
            drop(means.store.set_meta(WANTED, "1"));
            let end = match read_all(&means, &control) {
                Ok(_) if control.is_cancelled() => Backfill::Cancelled,
                Ok(observations) => Backfill::Done { observations },
                Err(error) => Backfill::Failed(error.text(&tr)),
            };
            if matches!(end, Backfill::Done { .. }) {
                drop(means.store.set_meta(WANTED, "0"));
            }
            means.events.tell(Event::Backfill(end));
        };
        if let Err(error) = std::thread::Builder::new().name("vacancy-backfill".into()).spawn(read) {
            tracing::error!(%error, "the logs are not read");
            self.running = None;
        }
    }
}

impl Drop for Backfiller {
    fn drop(&mut self) {
        // The window is gone. What is left is read at the next start, as it is still wanted.
        if let Some(control) = &self.running {
            control.cancel();
        }
    }
}

fn read_all(means: &Means, control: &Control) -> Result<usize, StoreError> {
    let cursors = match Reader::open(&means.roots.database(), BUSY) {
        Ok(reader) => reader.metas(Cursor::PREFIX)?,
        Err(StoreError::Missing { .. }) => HashMap::new(),
        Err(error) => return Err(error),
    };
    let homes: Vec<Home> = homes(&means.roots, &means.env);
    let settings = Settings::load(&means.roots.settings_file()).unwrap_or_default();
    let job = Job {
        homes: &homes,
        disk: &RealDisk,
        now: means.clock.now(),
        cursors: &cursors,
        targets: &Targets::new(settings.targets.iter().map(AsRef::as_ref)),
        control,
    };
    let mut teller = Teller { events: &means.events, control, told: None };
    let (progress, _) = backfill::run(&job, Some(&means.store), &mut teller)?;
    Ok(progress.observations)
}

/// Tells the window how far it is, now and then.
struct Teller<'a> {
    events: &'a Told,
    control: &'a Control,
    told: Option<Instant>,
}

impl Listener for Teller<'_> {
    fn observed(&mut self, _: &[Observation]) {}

    fn progress(&mut self, progress: &Progress) {
        if self.told.is_some_and(|told| told.elapsed() < TELL) && !self.control.is_paused() {
            return;
        }
        self.told = Some(Instant::now());
        self.events.tell(Event::Backfill(Backfill::Going {
            files: progress.files,
            files_total: progress.files_total,
            bytes: progress.bytes_done,
            bytes_total: progress.bytes_total,
            observations: progress.observations,
            is_paused: self.control.is_paused(),
        }));
    }
}
