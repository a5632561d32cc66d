//! The tools for the window: read, planned, written and taken back, on the thread `vacancy-switch`.
//!
//! What is written is the very plan whose diff was shown: it is kept until it is written or another one is made.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use jiff::Timestamp;

use super::Told as Teller;
use super::amending::change_file;
use crate::app::tooling::{VERSIONS_LAST, goals, journal_words, machine, own_chain, words};
use crate::clock::Clock;
use crate::core::rules::Mode;
use crate::core::target::TargetId;
use crate::edit::unified_diff;
use crate::engine::request::Request;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Spoken;
use crate::platform::watched::{Wanted, Watched};
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::settings::{Settings, SettingsFile, WriteError};
use crate::switch::journal::{Purpose, Switch};
use crate::switch::path::ToolPath;
use crate::switch::plan::{Action, Plan};
use crate::switch::reach::{Goal, Reached, Skip, everywhere, plan_along, reach};
use crate::switch::reading::{Effective, Place};
use crate::switch::shell::apply::Walked;
use crate::switch::shell::{ApplyError, JournalError, JournalFile, Machine, Switcher};
use crate::switch::tool::{At, Home, Tool};
use crate::switch::tools;
use crate::switch::undo::Direction;
use crate::switch::world::World;
use crate::ui::switching::{Ask, Offer, Part, Seat, Seen, SeenFolder, SeenTool, Skipped, Told, What, Written};
use crate::ui::window::Event;

mod pins;

/// A tool that writes its file writes it in several steps: it is read when it has been quiet for this long.
const SETTLED: Duration = Duration::from_millis(300);

/// A file that is written again and again is read all the same.
const MOST_CHANGES: usize = 16;

/// Questions that may wait for the thread.
const QUEUE: usize = 16;

/// What the worker works with.
pub struct Means {
    /// Our folders and the tools'.
    pub roots: Roots,
    /// Our environment.
    pub env: Env,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The words.
    pub tr: Spoken,
    /// Look what running sessions of the tools were started with.
    pub asks_running: bool,
    /// Nothing may be written, not even to the journal: a picture is drawn.
    pub is_picture: bool,
    /// Tells the engine, which has hands of its own.
    pub tell: Box<dyn Fn(Request) + Send>,
    /// The newest picture: it tells which targets were seen working.
    pub snapshot: Box<dyn Fn() -> Snapshot + Send>,
}

/// What is planned and not yet written.
enum Planned {
    Switches(Vec<(&'static dyn Tool, Home, Plan)>),
    Walk(&'static dyn Tool, Direction, Box<Walked>),
    Nothing,
}

/// Reads, plans and writes; each question is answered before the next.
pub struct Worker {
    means: Means,
    machine: Machine,
    made_at: Timestamp,
    offer: Option<(Offer, Planned)>,
    serial: u64,
    settled: Option<Vec<Switch>>,
    /// What projects pin, as it was read last: looking through folders takes time.
    projects: Vec<SeenFolder>,
}

/// Takes questions; never blocks.
#[derive(Clone)]
pub(super) struct Switching(SyncSender<Ask>);

impl Switching {
    /// Starts the thread.
    pub fn start(means: Means, told: Teller) -> std::io::Result<Self> {
        let (asks, asked) = sync_channel(QUEUE);
        let own = asks.clone();
        // With a full queue there are looks enough.
        let watched = Watched::new(move || drop(own.try_send(Ask::Changed)));
        let work = move || serve(&mut Worker::new(means), &asked, &told, watched);
        std::thread::Builder::new().name("vacancy-switch".into()).spawn(work)?;
        Ok(Self(asks))
    }

    /// Hands a question on.
    pub fn ask(&self, ask: Ask) {
        if self.0.try_send(ask).is_err() {
            tracing::warn!("a question about tools was dropped: the thread that answers is busy or gone");
        }
    }
}

fn serve(worker: &mut Worker, asked: &Receiver<Ask>, told: &Teller, mut watched: Watched) {
    let mut waiting: Option<Ask> = None;
    let mut known: Option<Arc<Seen>> = None;
    while let Some(ask) = waiting.take().or_else(|| asked.recv().ok()) {
        // Of several looks in a row one is enough.
        if ask == Ask::Look
            && let Ok(next) = asked.try_recv()
        {
            waiting = Some(next);
            if waiting == Some(Ask::Look) {
                continue;
            }
        }
        let is_change = ask == Ask::Changed;
        if is_change {
            waiting = settle(asked);
        }
        for answer in worker.answer(ask) {
            if let Told::Seen(seen) = &answer {
                watched.set(worker.wanted(seen));
                // Most of what is written beside a model is no news.
                if is_change && known.as_ref() == Some(seen) {
                    continue;
                }
                known = Some(Arc::clone(seen));
                if is_change {
                    (worker.means.tell)(Request::ToolsChanged);
                }
            }
            told.tell(Event::Switching(answer));
        }
    }
}

/// Waits until no more changes come; another question that comes in between is handed back.
fn settle(asked: &Receiver<Ask>) -> Option<Ask> {
    for _ in 0..MOST_CHANGES {
        match asked.recv_timeout(SETTLED) {
            Ok(Ask::Changed) => {}
            Ok(next) => return Some(next),
            Err(_) => return None,
        }
    }
    None
}

impl Worker {
    /// A worker that has read nothing yet.
    pub fn new(means: Means) -> Self {
        let machine = machine(&means.roots, &means.env, means.asks_running);
        let made_at = means.clock.now();
        Self { means, machine, made_at, offer: None, serial: 0, settled: None, projects: Vec::new() }
    }

    /// Answers a question. Reads and writes files, and may run tools for their versions.
    pub fn answer(&mut self, ask: Ask) -> Vec<Told> {
        match ask {
            Ask::Look | Ask::Changed => {
                let now = self.means.clock.now();
                if now.duration_since(self.made_at) > VERSIONS_LAST {
                    (self.machine, self.made_at) =
                        (machine(&self.means.roots, &self.means.env, self.means.asks_running), now);
                }
                self.projects = self.look_through(&self.settings());
                vec![self.seen()]
            }
            Ask::Plan(what) => self.plan(what),
            Ask::Write(serial, ticked) => match self.offer.take_if(|(offer, _)| offer.serial == serial) {
                Some((offer, planned)) => self.write(offer, planned, &ticked),
                None => vec![self.failed("switching-fails-old")],
            },
            Ask::Ask(tool, asks) => match self.set_asks(tool, asks) {
                Ok(()) => {
                    (self.means.tell)(Request::SettingsWritten);
                    vec![self.seen()]
                }
                Err(words) => vec![Told::Failed(words), self.seen()],
            },
            Ask::Rule(tool, mode) => match self.set_rule(tool, mode) {
                Ok(()) => {
                    (self.means.tell)(Request::SettingsWritten);
                    vec![self.seen()]
                }
                Err(words) => vec![Told::Failed(words), self.seen()],
            },
            Ask::Projects(folder, is_kept) => {
                let done = if is_kept { self.add_projects(&folder) } else { self.remove_projects(&folder) };
                self.projects = self.look_through(&self.settings());
                let failure = done.err().map(Told::Failed);
                failure.into_iter().chain([self.seen()]).collect()
            }
            Ask::Confirm(news) => {
                for news in news {
                    if let Err(error) = self.switcher().confirm(news.id, news.at, news.kind) {
                        tracing::warn!(%error, "a first answer could not be noted");
                    }
                }
                vec![self.seen()]
            }
        }
    }

    /// The files that say which model the tools use.
    fn wanted(&self, seen: &Seen) -> Wanted {
        let files = &self.machine.files;
        let mut wanted = Wanted::default();
        let mut want = |path: &ToolPath| {
            wanted.files.insert(files.real(path));
            // A link is changed where it leads to.
            wanted.files.extend(files.resolved(path).ok());
        };
        for tool in &seen.tools {
            let places = tool.reading.layers.iter().map(|layer| &layer.place);
            places.for_each(|place| match place {
                Place::File { path, .. } => want(path),
                Place::Variable { .. } => {}
            });
        }
        seen.projects.iter().flat_map(|folder| &folder.pins).for_each(|pin| want(&pin.pin.file));
        // Also of tools that are not there yet: they may come with their first file.
        let homes = seen.tools.iter().map(|tool| &tool.seat.home).chain(&seen.places);
        wanted.folders.extend(homes.filter(|home| **home != seen.home).map(|home| files.real(home)));
        // Whatever a terminal switches, takes back or makes again stands there.
        wanted.files.insert(JournalFile::path(&self.means.roots.data));
        wanted
    }

    fn failed(&self, id: &str) -> Told {
        Told::Failed(self.means.tr.now().text(id))
    }

    fn switcher(&self) -> Switcher<'_> {
        Switcher { files: &self.machine.files, data: &self.means.roots.data, clock: &*self.means.clock }
    }

    fn settings(&self) -> Settings {
        // What is wrong with the file is said elsewhere.
        Settings::load(&self.means.roots.settings_file()).unwrap_or_default()
    }

    /// Everything that there is.
    fn seen(&mut self) -> Told {
        let mut trouble = None;
        let mut usual = |result: Result<Vec<Switch>, JournalError>| {
            result.unwrap_or_else(|error| {
                trouble = Some(journal_words(&error, &self.means.tr.now()));
                Vec::new()
            })
        };
        let settled = match self.settled.take() {
            Some(settled) => settled,
            None if self.means.is_picture => Vec::new(),
            None => usual(self.switcher().settle()),
        };
        if !self.means.is_picture
            && let Err(error) = self.switcher().note_overwritten()
        {
            tracing::warn!(%error, "what a tool wrote back could not be noted");
        }
        let journal = usual(self.switcher().history());
        let (settings, snapshot) = (self.settings(), (self.means.snapshot)());
        let mut seats = Vec::new();
        for tool in tools::ALL {
            for home in self.machine.present(*tool) {
                let goals = goals(&settings, &snapshot.board, own_chain(&settings, tool.id()));
                seats.push(self.tool(*tool, &home, goals, &settings));
            }
        }
        // Those that can be switched to something come first.
        seats.sort_by_cached_key(|seen: &SeenTool| {
            (!seen.choices.iter().any(|(_, reached)| reached.is_ok()), seen.name.to_lowercase())
        });
        let places = tools::ALL.iter().flat_map(|tool| self.machine.homes(*tool)).map(|home| home.path).collect();
        let home = self.machine.files.home();
        self.settled = Some(settled.clone());
        Told::Seen(Arc::new(Seen {
            home,
            tools: seats,
            places,
            journal,
            trouble,
            projects: self.projects.clone(),
            settled,
        }))
    }

    fn tool(&self, tool: &'static dyn Tool, home: &Home, goals: Vec<Goal>, settings: &Settings) -> SeenTool {
        let world = self.machine.world(tool);
        let at = At { world, home };
        let endpoints = tool.endpoints(&at);
        let choices = goals.into_iter().map(|goal| {
            let reached = reach(tool, &endpoints, world.vars, &goal).map(|way| Reached::by(tool, way));
            (goal, reached)
        });
        let rules = settings.switch_rules.get(tool.id()).copied().unwrap_or_default();
        SeenTool {
            seat: Seat { tool: tool.id(), home: home.path.clone() },
            name: tool.name(),
            versions: world.versions,
            reading: tool.read(&at),
            choices: choices.collect(),
            takes_effect: tool.takes_effect(),
            asks: rules.asks,
            rule: rules.rule,
        }
    }

    fn plan(&mut self, what: What) -> Vec<Told> {
        let (settings, snapshot) = (self.settings(), (self.means.snapshot)());
        let planned = match &what {
            What::Use(seat, target) => self.plan_use(seat, target, &goals(&settings, &snapshot.board, &[])),
            What::Everywhere(target) => self.plan_everywhere(target, &goals(&settings, &snapshot.board, &[])),
            What::Pin(seat, pin, target) => {
                self.plan_one_pin(seat, pin, target, &goals(&settings, &snapshot.board, &[]))
            }
            What::Walk { direction, id, is_forced } => self.plan_walk(*direction, *id, *is_forced),
        };
        let (mut offer, planned) = match planned {
            Ok(planned) => planned,
            Err(words) => return vec![Told::Failed(words)],
        };
        self.serial += 1;
        (offer.serial, offer.what) = (self.serial, what);
        let asks = |part: &Part| settings.switch_rules.get(part.seat.tool).copied().unwrap_or_default().asks;
        let is_trusted = !matches!(offer.what, What::Everywhere(_)) && !offer.parts.iter().any(asks);
        if is_trusted && offer.can_be_written(&BTreeSet::new()) {
            return self.write(offer, planned, &BTreeSet::new());
        }
        self.offer = Some((offer.clone(), planned));
        vec![Told::Offered(Box::new(offer))]
    }

    /// The tool of a seat with its home, as far as both are known.
    fn home(&self, seat: &Seat) -> Option<(&'static dyn Tool, Home)> {
        let tool = tools::find(seat.tool)?;
        let home = self.machine.homes(tool).into_iter().find(|home| home.path == seat.home)?;
        Some((tool, home))
    }

    fn plan_use(&self, seat: &Seat, target: &TargetId, goals: &[Goal]) -> Result<(Offer, Planned), String> {
        let gone = || self.means.tr.now().text("switching-fails-gone");
        let goal = goals.iter().find(|goal| goal.target == *target).ok_or_else(gone)?;
        let (tool, home) = self.home(seat).ok_or_else(gone)?;
        let at = At { world: self.machine.world(tool), home: &home };
        let way = reach(tool, &tool.endpoints(&at), at.world.vars, goal)
            .map_err(|reason| reason.message(tool.name(), goal, &self.means.tr.now()))?;
        let plan = plan_along(tool, &at, &way);
        let parts = vec![part(tool, &home, &plan)];
        Ok((offer(parts), Planned::Switches(vec![(tool, home, plan)])))
    }

    fn plan_everywhere(&self, target: &TargetId, goals: &[Goal]) -> Result<(Offer, Planned), String> {
        let gone = || self.means.tr.now().text("switching-fails-gone");
        let goal = goals.iter().find(|goal| goal.target == *target).ok_or_else(gone)?;
        let homes: Vec<(&'static dyn Tool, Home, World<'_>)> = tools::ALL
            .iter()
            .flat_map(|tool| {
                self.machine.present(*tool).into_iter().map(|home| (*tool, home, self.machine.world(*tool)))
            })
            .collect();
        let steps = everywhere(homes.iter().map(|(tool, home, world)| (*tool, At { world: *world, home })), goal);
        let (mut parts, mut plans, mut skips) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            let tool = tools::find(step.tool).ok_or_else(gone)?;
            match step.outcome {
                Ok(plan) => {
                    parts.push(part(tool, &step.home, &plan));
                    plans.push((tool, step.home, plan));
                }
                Err(reason) => skips.push(Skipped { name: tool.name(), reason, goal: goal.clone() }),
            }
        }
        for (tool, home, plan) in self.plan_pins(goal) {
            parts.push(part(tool, &home, &plan));
            plans.push((tool, home, plan));
        }
        // Those that are there already first: they are good news.
        skips.sort_by_key(|skip| skip.reason != Skip::AlreadyThere);
        Ok((Offer { skips, ..offer(parts) }, Planned::Switches(plans)))
    }

    fn plan_walk(&self, direction: Direction, id: Option<u64>, force: bool) -> Result<(Offer, Planned), String> {
        let tr = &self.means.tr.now();
        match self.switcher().plan_walk(direction, id, None, force) {
            Ok(walked) => {
                let entry = &walked.switch.entry;
                let tool = tools::find(&entry.tool).ok_or_else(|| tr.text("switching-fails-gone"))?;
                let parts = vec![walked_part(tool, direction, &walked)];
                Ok((offer(parts), Planned::Walk(tool, direction, Box::new(walked))))
            }
            Err(ApplyError::Conflicts { conflicts }) => {
                Ok((Offer { conflicts, ..offer(Vec::new()) }, Planned::Nothing))
            }
            Err(error) => Err(words(&error, tr)),
        }
    }

    fn write(&mut self, offer: Offer, planned: Planned, ticked: &BTreeSet<usize>) -> Vec<Told> {
        let switcher = self.switcher();
        let tr = &self.means.tr.now();
        let mut written = Vec::new();
        match planned {
            Planned::Switches(plans) => {
                for (index, (tool, home, plan)) in plans.into_iter().enumerate() {
                    if !offer.includes(index, ticked) {
                        continue;
                    }
                    let applied = switcher.apply(tool, &home.path, &plan, Purpose::Switch);
                    let (id, failure) = match applied {
                        Ok(applied) if applied.is_verified => (applied.id, None),
                        Ok(applied) => (applied.id, Some(tr.text("switching-fails-unverified"))),
                        Err(error) => (None, Some(words(&error, tr))),
                    };
                    let (seat, project) = (Seat { tool: tool.id(), home: home.path }, plan.project);
                    written.push(Written { seat, project, id, failure });
                }
            }
            Planned::Walk(tool, direction, walked) => {
                let (home, project) = (walked.switch.entry.home.clone(), walked.switch.entry.project.clone());
                let (id, failure) = match switcher.walk(tool, direction, *walked) {
                    Ok(walked) => (walked.id, None),
                    Err(error) => (None, Some(words(&error, tr))),
                };
                written.push(Written { seat: Seat { tool: tool.id(), home }, project, id, failure });
            }
            Planned::Nothing => {}
        }
        (self.means.tell)(Request::ToolsChanged);
        self.projects = self.look_through(&self.settings());
        let only =
            if let [Written { id: None, failure: Some(words), .. }] = &*written { Some(words.clone()) } else { None };
        let seen = self.seen();
        match only {
            Some(words) => vec![Told::Failed(words), seen],
            None => vec![seen, Told::Written(Box::new(offer), written)],
        }
    }

    fn set_asks(&self, tool: &str, asks: bool) -> Result<(), String> {
        self.set(|file| file.set_switch_asks(tool, asks))
    }

    fn set_rule(&self, tool: &str, mode: Mode) -> Result<(), String> {
        let tool = tools::find(tool).ok_or_else(|| self.means.tr.now().text("switching-fails-gone"))?;
        self.set(|file| file.set_switch_rule(tool, mode, mode))
    }

    fn set(&self, change: impl FnOnce(&mut SettingsFile) -> Result<(), WriteError>) -> Result<(), String> {
        change_file(&self.means.roots, &self.means.tr.now(), change)
    }
}

/// An offer of these parts; its number and what it is for come later.
fn offer(parts: Vec<Part>) -> Offer {
    let what = What::Walk { direction: Direction::Undo, id: None, is_forced: false };
    Offer { serial: 0, what, parts, skips: Vec::new(), conflicts: Vec::new() }
}

fn part(tool: &'static dyn Tool, home: &Home, plan: &Plan) -> Part {
    let (files, refusal) = match &plan.action {
        Action::Edit(edits) => (edits.iter().map(|edit| (edit.path.clone(), edit.diff())).collect(), None),
        Action::Refuse(reason) => (Vec::new(), Some(reason.clone())),
    };
    let mut warnings = plan.warnings.clone();
    warnings.retain(|warning| refusal.as_ref() != Some(warning));
    Part {
        seat: Seat { tool: tool.id(), home: home.path.clone() },
        name: tool.name(),
        project: plan.project.clone(),
        of: None,
        before: plan.before.clone(),
        after: plan.after.clone(),
        after_outside: plan.after_outside.clone(),
        after_other_roles: plan.after_other_roles.clone(),
        files,
        warnings,
        refusal,
        takes_effect: tool.takes_effect(),
    }
}

fn walked_part(tool: &'static dyn Tool, direction: Direction, walked: &Walked) -> Part {
    let entry = &walked.switch.entry;
    let side = |model: &Option<String>, provider: &Option<String>| Effective {
        model: model.clone(),
        provider: provider.clone(),
        ..Effective::default()
    };
    let old = side(&entry.model_before, &entry.provider_before);
    let new = side(&entry.model_after, &entry.provider_after);
    let (before, after) = if direction == Direction::Undo { (new, old) } else { (old, new) };
    let files = walked.files.iter().map(|file| {
        let bytes = |bytes: &Option<Arc<[u8]>>| bytes.clone().unwrap_or_default();
        (file.path.clone(), unified_diff(file.path.as_str(), &bytes(&file.now), &bytes(&file.then)))
    });
    Part {
        seat: Seat { tool: tool.id(), home: entry.home.clone() },
        name: tool.name(),
        project: entry.project.clone(),
        of: Some(entry.id),
        before,
        after,
        after_outside: None,
        after_other_roles: None,
        files: files.collect(),
        warnings: Vec::new(),
        refusal: None,
        takes_effect: tool.takes_effect(),
    }
}
