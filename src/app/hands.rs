//! The engine's hands: tools switched by rules and by clicks outside the Switch screen.
//!
//! What the window shows before it writes nobody sees here. So nothing is written that needs an eye: a plan with such a
//! warning, or one that would not take effect, is refused with the reason. Before a rule's step the tool is read again, and
//! nothing is written when it uses anything else than the rule thinks.

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::tooling::{VERSIONS_LAST, goals, journal_words, machine, words};
use crate::args;
use crate::clock::Clock;
use crate::core::rules::{Move, Refusal, Seat, Seen, Step, ToolRule, Why};
use crate::core::target::TargetId;
use crate::engine::switching::{Hands, Order, Outcome, Report, Task};
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::switch::journal::{Purpose, Switch, last_to_undo, past};
use crate::switch::plan::Action;
use crate::switch::reach::{Goal, Reached, Way, plan_along, reach};
use crate::switch::reading::Effective;
use crate::switch::shell::apply::Walked;
use crate::switch::shell::{Applied, ApplyError, Machine, Switcher};
use crate::switch::tool::{At, Home, Tool};
use crate::switch::tools;
use crate::switch::undo::Direction;
use crate::switch::world::{FileState, Overlay, ToolFile, World};

/// A plan that was overtaken by another writer is made anew so often.
const TRIES: u32 = 2;

/// Hands on this machine's tools.
pub struct SystemHands {
    roots: Roots,
    env: Env,
    clock: Arc<dyn Clock>,
    machine: Option<(Machine, Timestamp)>,
    is_settled: bool,
}

/// A home of a tool with what it can be told.
struct Place<'a> {
    tool: &'static dyn Tool,
    home: Home,
    choices: Vec<(&'a Goal, Way)>,
    effective: Effective,
}

impl Place<'_> {
    fn uses(&self) -> Option<TargetId> {
        let reached: Vec<_> =
            self.choices.iter().map(|(goal, way)| (&goal.target, Reached::by(self.tool, way.clone()))).collect();
        Reached::used(reached.iter().map(|(target, reached)| (*target, reached)), &self.effective).cloned()
    }

    fn seat(&self) -> Seat {
        Seat { tool: self.tool.id().to_owned(), home: self.home.path.to_string() }
    }
}

impl Hands for SystemHands {
    fn carry_out(&mut self, task: Task) -> Report {
        let now = self.clock.now();
        // Reading the environment may start a shell, so a plain look is content with an older one.
        let is_look = task.order == Order::Look;
        let is_old = |made_at: Timestamp| now.duration_since(made_at).abs() > VERSIONS_LAST;
        let machine = match self.machine.take() {
            Some((machine, made_at)) if is_look || !is_old(made_at) => (machine, made_at),
            _ => (machine(&self.roots, &self.env, true), now),
        };
        let work = Work { machine: &machine.0, roots: &self.roots, clock: &*self.clock, task: &task, now };
        let mut report = Report::default();
        if !std::mem::replace(&mut self.is_settled, true)
            && let Err(error) = work.switcher().settle()
        {
            report.trouble = Some(journal_words(&error, &task.tr));
        }
        report.outcomes = work.act();
        match work.switcher().history() {
            Ok(history) => report.seen = work.seen(&history),
            Err(error) => report.trouble = Some(journal_words(&error, &task.tr)),
        }
        self.machine = Some(machine);
        report
    }
}

impl SystemHands {
    /// Hands that have read nothing yet.
    pub fn new(roots: Roots, env: Env, clock: Arc<dyn Clock>) -> Self {
        Self { roots, env, clock, machine: None, is_settled: false }
    }
}

/// One order.
struct Work<'a> {
    machine: &'a Machine,
    roots: &'a Roots,
    clock: &'a dyn Clock,
    task: &'a Task,
    now: Timestamp,
}

impl Work<'_> {
    fn switcher(&self) -> Switcher<'_> {
        Switcher { files: &self.machine.files, data: &self.roots.data, clock: self.clock }
    }

    fn said(&self, id: &str) -> Refusal {
        Refusal::Said { words: self.task.tr.text(id) }
    }

    fn failed(&self, error: &ApplyError) -> Refusal {
        Refusal::Said { words: words(error, &self.task.tr) }
    }

    fn goals(&self, chain: &[TargetId]) -> Vec<Goal> {
        goals(&self.task.settings, &self.task.board, chain)
    }

    /// The chain that a tool's rule goes along, or its own.
    fn chain(&self, tool: &str) -> Vec<TargetId> {
        let rules = self.task.settings.tool_rules();
        let ruled = rules.into_iter().find(|rule| rule.tool == tool).map(|rule| rule.chain);
        let usual = || self.task.settings.chain_for(tool).map(|chain| chain.targets.clone()).unwrap_or_default();
        ruled.unwrap_or_else(usual)
    }

    fn places<'g>(&self, tool: &'static dyn Tool, goals: &'g [Goal]) -> Vec<Place<'g>> {
        let homes = self.machine.present(tool).into_iter();
        homes.map(|home| self.place(tool, home, goals, &self.machine.world(tool))).collect()
    }

    fn place<'g>(&self, tool: &'static dyn Tool, home: Home, goals: &'g [Goal], world: &World<'_>) -> Place<'g> {
        let at = At { world: *world, home: &home };
        let endpoints = tool.endpoints(&at);
        let reading = tool.read(&at);
        let effective = reading.effective();
        let reached = goals.iter().filter(|_| reading.obstacle.is_none());
        let choices = reached.filter_map(|goal| Some((goal, reach(tool, &endpoints, world.vars, goal).ok()?)));
        Place { tool, choices: choices.collect(), effective, home }
    }

    /// The tools whose rules are on.
    fn seen(&self, history: &[Switch]) -> Vec<Seen> {
        let mut all = Vec::new();
        for ToolRule { tool, rule, chain } in self.task.settings.tool_rules() {
            let Some(tool) = tools::find(&tool).filter(|_| rule.is_on()) else { continue };
            let goals = self.goals(&chain);
            for place in self.places(tool, &goals) {
                all.push(Seen {
                    seat: place.seat(),
                    uses: place.uses(),
                    found: place.effective.model.clone(),
                    reaches: place.choices.iter().map(|(goal, _)| goal.target.clone()).collect(),
                    past: past(history, tool.id(), &place.home.path),
                });
            }
        }
        all
    }

    fn act(&self) -> Vec<Outcome> {
        match &self.task.order {
            Order::Look => Vec::new(),
            Order::Step(step) => vec![self.step(step)],
            Order::Use { tool: Some(tool), target, .. } => self.use_by(tool, target),
            Order::Use { tool: None, target, is_rest } => self.use_by_all(target, *is_rest),
            Order::Undo { id } => vec![self.undo(*id)],
        }
    }

    fn step(&self, step: &Step) -> Outcome {
        let goals = self.goals(&self.chain(&step.seat.tool));
        let found = tools::find(&step.seat.tool).and_then(|tool| {
            self.places(tool, &goals).into_iter().find(|place| place.home.path.as_str() == step.seat.home)
        });
        let purpose = Purpose::Rule {
            rule: step.way.name().to_owned(),
            from: Some(step.from.clone()),
            to: Some(step.to.clone()),
        };
        let result = match found {
            None => Err(self.said("switching-fails-gone")),
            Some(place) if place.uses().as_ref() != Some(&step.from) => {
                Err(Refusal::ChangedByOther { found: place.effective.model })
            }
            Some(_) if self.is_known_taken(&step.to) => Err(Refusal::NotFree),
            Some(place) => match self.back(&place, step, &purpose, &goals) {
                Some(done) => done,
                None => self.switch(&place, &step.to, &purpose, &goals),
            },
        };
        Outcome {
            tool: Some(step.seat.tool.clone()),
            from: Some(step.from.clone()),
            to: Some(step.to.clone()),
            why: step.why.clone(),
            result,
        }
    }

    fn use_by(&self, tool: &str, target: &TargetId) -> Vec<Outcome> {
        let goals = self.goals(&self.chain(tool));
        let places = tools::find(tool).map(|tool| self.places(tool, &goals)).unwrap_or_default();
        if places.is_empty() {
            return vec![self.outcome(Some(tool), None, target, Err(Refusal::NoTool))];
        }
        let places = places.into_iter();
        places.map(|place| self.outcome(Some(tool), place.uses(), target, self.wish(&place, target, &goals))).collect()
    }

    fn use_by_all(&self, target: &TargetId, is_rest: bool) -> Vec<Outcome> {
        let history = self.switcher().history().unwrap_or_default();
        let (mut outcomes, mut is_there) = (Vec::new(), false);
        for tool in tools::ALL {
            let chain = self.chain(tool.id());
            if !chain.contains(target) {
                continue;
            }
            let goals = self.goals(&chain);
            for place in self.places(*tool, &goals) {
                let Some(uses) = place.uses().filter(|uses| chain.contains(uses)) else { continue };
                if uses == *target {
                    is_there = true;
                    continue;
                }
                let is_reached = place.choices.iter().any(|(goal, _)| goal.target == *target);
                let came_from = |place: &Place<'_>| self.came_from(place, target, &history);
                if is_reached && (self.is_known_taken(&uses) || came_from(&place)) {
                    let result = self.wish(&place, target, &goals);
                    outcomes.push(self.outcome(Some(tool.id()), Some(uses), target, result));
                }
            }
        }
        if outcomes.is_empty() && !is_rest {
            let refusal = if is_there { Refusal::AlreadyThere } else { Refusal::NoTool };
            outcomes.push(self.outcome(None, None, target, Err(refusal)));
        }
        outcomes
    }

    fn outcome(
        &self,
        tool: Option<&str>,
        from: Option<TargetId>,
        to: &TargetId,
        result: Result<u64, Refusal>,
    ) -> Outcome {
        Outcome { tool: tool.map(str::to_owned), from, to: Some(to.clone()), why: Why::Wish, result }
    }

    /// Whether the last switch of this home that stands led away from a target.
    fn came_from(&self, place: &Place<'_>, target: &TargetId, history: &[Switch]) -> bool {
        let of_home: Vec<Switch> =
            history.iter().filter(|switch| switch.entry.home == place.home.path).cloned().collect();
        let Some(last) = last_to_undo(&of_home, Some(place.tool.id())) else { return false };
        let entry = &last.entry;
        let told = place.choices.iter().find(|(goal, _)| goal.target == *target);
        told.is_some_and(|(_, way)| {
            let reached = Reached::by(place.tool, way.clone());
            let model = entry.model_before.as_deref().unwrap_or_default();
            reached.is(model, entry.provider_before.as_deref())
        })
    }

    /// A click: the user's own choice.
    fn wish(&self, place: &Place<'_>, target: &TargetId, goals: &[Goal]) -> Result<u64, Refusal> {
        if place.uses().as_ref() == Some(target) {
            return Err(Refusal::AlreadyThere);
        }
        if self.is_known_taken(target) {
            return Err(Refusal::NotFree);
        }
        self.switch(place, target, &Purpose::Switch, goals)
    }

    /// Known, by a sign that is fresh, not to be free.
    fn is_known_taken(&self, target: &TargetId) -> bool {
        let entry = self.task.board.entry(target);
        entry.is_some_and(|entry| entry.is_fresh(self.now) && !entry.is_free(self.now))
    }

    /// Plans and writes; see the module for what is refused.
    fn switch(&self, place: &Place<'_>, target: &TargetId, purpose: &Purpose, goals: &[Goal]) -> Result<u64, Refusal> {
        let (tool, tr) = (place.tool, &self.task.tr);
        let goal = goals.iter().find(|goal| goal.target == *target).ok_or_else(|| self.said("switching-fails-gone"))?;
        for _ in 0..TRIES {
            let at = At { world: self.machine.world(tool), home: &place.home };
            let way = reach(tool, &tool.endpoints(&at), at.world.vars, goal)
                .map_err(|reason| Refusal::Said { words: reason.message(tool.name(), goal, tr) })?;
            let plan = plan_along(tool, &at, &way);
            // Between the look and now somebody may have written.
            if (&plan.before.model, &plan.before.provider) != (&place.effective.model, &place.effective.provider) {
                return Err(Refusal::ChangedByOther { found: plan.before.model });
            }
            let seen = match &plan.action {
                Action::Refuse(reason) => Some(reason),
                Action::Edit(_) => plan.warnings.iter().find(|warning| warning.code.needs_eye()),
            };
            if let Some(warning) = seen {
                return Err(Refusal::Said { words: warning.message(tr) });
            }
            let reached = Reached::by(tool, way);
            if Reached::used([(target, &reached)], &plan.after).is_none() {
                return Err(Refusal::Said { words: tr.with("rule-no-effect", &args!("tool" => tool.name())) });
            }
            match self.switcher().apply(tool, &place.home.path, &plan, purpose.clone()) {
                Err(ApplyError::Changed { .. }) => {}
                done => return self.written(done),
            }
        }
        Err(Refusal::ChangedByOther { found: place.effective.model.clone() })
    }

    fn written(&self, done: Result<Applied, ApplyError>) -> Result<u64, Refusal> {
        match done {
            Ok(Applied { id: Some(id), is_verified: true }) => Ok(id),
            Ok(Applied { id: None, .. }) => Err(Refusal::AlreadyThere),
            Ok(Applied { is_verified: false, .. }) => Err(self.said("switching-fails-unverified")),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// A rule's way back as the exact reverse of its way out, which also takes out what was not there before. `None` where
    /// that does not lead to the target: then it is a switch like any other.
    fn back(&self, place: &Place<'_>, step: &Step, purpose: &Purpose, goals: &[Goal]) -> Option<Result<u64, Refusal>> {
        if step.way != Move::Back {
            return None;
        }
        let (switcher, tool) = (self.switcher(), place.tool);
        let history = switcher.history().ok()?;
        let of_home: Vec<Switch> = history.into_iter().filter(|switch| switch.entry.home == place.home.path).collect();
        let last = last_to_undo(&of_home, Some(tool.id()))?;
        let is_out = matches!(&last.entry.purpose, Purpose::Rule { from: Some(from), to: Some(to), .. }
            if *from == step.to && *to == step.from);
        if !is_out {
            return None;
        }
        let walked = switcher.plan_walk(Direction::Undo, Some(last.entry.id), None, false).ok()?;
        if self.would_use(place, &walked, goals).as_ref() != Some(&step.to) {
            return None;
        }
        match switcher.walk_back(tool, &walked, purpose.clone()) {
            Ok(applied) => Some(self.written(Ok(applied?))),
            Err(error) => Some(Err(self.failed(&error))),
        }
    }

    /// What a tool would use if a walk were done.
    fn would_use(&self, place: &Place<'_>, walked: &Walked, goals: &[Goal]) -> Option<TargetId> {
        let mut planned = Overlay::above(&self.machine.files);
        for file in &walked.files {
            let state = file.then.clone().map_or(FileState::Missing, |bytes| FileState::File(ToolFile::plain(bytes)));
            planned.put(file.path.clone(), state);
        }
        let world = World { files: &planned, ..self.machine.world(place.tool) };
        self.place(place.tool, place.home.clone(), goals, &world).uses()
    }

    fn undo(&self, id: u64) -> Outcome {
        let mut outcome = Outcome { tool: None, from: None, to: None, why: Why::Undo, result: Err(Refusal::NoTool) };
        let planned = match self.switcher().plan_walk(Direction::Undo, Some(id), None, false) {
            Ok(planned) => planned,
            Err(ApplyError::Conflicts { conflicts }) => {
                let found = conflicts.into_iter().find_map(|conflict| conflict.found);
                outcome.result = Err(Refusal::ChangedByOther { found });
                return outcome;
            }
            Err(error) => {
                outcome.result = Err(self.failed(&error));
                return outcome;
            }
        };
        let entry = planned.switch.entry.clone();
        outcome.tool = Some(entry.tool.clone());
        let Some(tool) = tools::find(&entry.tool) else { return outcome };
        let goals = self.goals(&self.chain(&entry.tool));
        let place = self.place(tool, Home { path: entry.home, moved_by: None }, &goals, &self.machine.world(tool));
        (outcome.from, outcome.to) = (place.uses(), self.would_use(&place, &planned, &goals));
        outcome.result = match self.switcher().walk(tool, Direction::Undo, planned) {
            Ok(walked) => walked.id.ok_or(Refusal::NoTool),
            Err(error) => Err(self.failed(&error)),
        };
        outcome
    }
}
