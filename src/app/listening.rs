//! Joins the ears to the engine: which tools are listened to, and where what was heard goes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::{mpsc, watch};

use crate::cli::Context;
use crate::clock::Clock;
use crate::core::target::TargetId;
use crate::engine::Handle;
use crate::engine::request::{Evidence, Request};
use crate::engine::snapshot::Snapshot;
use crate::listen::backfill::AHEAD;
use crate::listen::cursor::Cursor;
use crate::listen::disk::RealDisk;
use crate::listen::homes::{Home, homes};
use crate::listen::tail::{Heard, Hearer, Listening};
use crate::listen::{Limit, Targets, Tool, place, sample, sessions};
use crate::platform::processes;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::store::{Reader, StoreHandle, TargetInfo};

/// Evidence older than this is for a backfill, not for the live picture.
const OLDEST: SignedDuration = SignedDuration::from_hours(24);

/// Running sessions are counted this often at most.
const COUNT: SignedDuration = SignedDuration::from_secs(30);

/// Starts to listen to the tools whose own targets are watched: to watch a tool's subscription is the user's consent.
pub(super) fn start(context: &Context, handle: &Handle, store: &StoreHandle) -> std::io::Result<Listening> {
    let database = context.roots.database();
    let cursors = Reader::open(&database, Duration::from_secs(1)).and_then(|reader| reader.metas(Cursor::PREFIX));
    let hearer = Wire {
        roots: context.roots.clone(),
        env: context.env.clone(),
        clock: Arc::clone(&context.clock),
        store: store.clone(),
        requests: handle.requests(),
        snapshots: handle.snapshots(),
        known: HashSet::new(),
        counted: None,
        told: Default::default(),
    };
    // Without cursors the ends of recent files are read again; the store drops what it has.
    Listening::start(Box::new(hearer), Arc::new(RealDisk), cursors.unwrap_or_default(), Arc::clone(&context.clock))
}

struct Wire {
    roots: Roots,
    env: Env,
    clock: Arc<dyn Clock>,
    store: StoreHandle,
    requests: mpsc::Sender<Request>,
    snapshots: watch::Receiver<Snapshot>,
    known: HashSet<TargetId>,
    /// When running sessions were counted last, and how many there were.
    counted: Option<(Timestamp, Vec<(Tool, usize)>)>,
    /// What the engine was told last besides samples: it is woken for news alone.
    told: (Vec<Limit>, Vec<(Tool, usize)>),
}

impl Hearer for Wire {
    fn homes(&mut self) -> Vec<Home> {
        let board = Arc::clone(&self.snapshots.borrow().board);
        let mut homes = homes(&self.roots, &self.env);
        homes.retain(|home| {
            let tool = home.tool.name();
            board.entries.iter().any(|entry| entry.target.provider.as_str() == tool)
        });
        homes
    }

    fn hear(&mut self, heard: Heard) -> bool {
        let now = self.clock.now();
        let board = Arc::clone(&self.snapshots.borrow().board);
        let targets = Targets::new(board.entries.iter().map(|entry| entry.target.as_ref()));
        let mut fresh: HashMap<TargetId, TargetInfo> = HashMap::new();
        let mut samples = Vec::new();
        for observation in &heard.observations {
            let Some(place) = place(observation).filter(|_| is_live(observation.ts, now)) else { continue };
            let place = targets.named(place);
            if !self.known.contains(&place.target) {
                fresh.entry(place.target.clone()).or_insert_with(|| TargetInfo {
                    id: place.target.clone(),
                    provider: place.provider.as_str().to_owned(),
                    model: place.model.as_str().to_owned(),
                    dialect: place.dialect.name().to_owned(),
                });
            }
            samples.extend(sample(observation, place.target));
        }
        if !fresh.is_empty() {
            self.known.extend(fresh.keys().cloned());
            // Not waited for: the store works in order, and what it cannot take now it says itself.
            drop(self.store.import(fresh.into_values().collect(), Vec::new()));
        }
        let state = (heard.limits, self.running(now).unwrap_or(heard.running));
        let is_news = !samples.is_empty() || !heard.cursors.is_empty() || self.told != state;
        self.told.clone_from(&state);
        let evidence = Evidence { samples, limits: state.0, running: state.1, cursors: heard.cursors };
        !is_news || self.requests.blocking_send(Request::Evidence(evidence)).is_ok()
    }
}

impl Wire {
    /// The user's sessions as processes; `None` where the system does not tell, and logs that grow have to do.
    fn running(&mut self, now: Timestamp) -> Option<Vec<(Tool, usize)>> {
        match &self.counted {
            Some((at, running)) if *at <= now && now.duration_since(*at) < COUNT => Some(running.clone()),
            _ => {
                let running = sessions(&processes::own()?, std::process::id());
                self.counted = Some((now, running.clone()));
                Some(running)
            }
        }
    }
}

fn is_live(ts: Option<Timestamp>, now: Timestamp) -> bool {
    ts.is_some_and(|ts| now.duration_since(ts) <= OLDEST && ts.duration_since(now) <= AHEAD)
}
