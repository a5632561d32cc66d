//! The machine: from the board, the clock and what the tools use to what is to be done about it.

mod wish;

use std::collections::{BTreeMap, HashMap};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use self::wish::{Wish, away_kind, occasion};
use super::{
    Away, Busy, Mode, Move, Phase, Refusal, Return, Rule, RuleState, Seat, Seen, Standing, Step, ToolRule, Why,
};
use crate::core::board::Board;
use crate::core::sheet::SWITCH_AHEAD;
use crate::core::target::TargetId;

/// What was read longer ago is read again before the user is asked.
const READ_LASTS: SignedDuration = SignedDuration::from_mins(1);

/// The tools are read again so often, as their users may have changed them.
const READ_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read the tools.
    Look,
    /// Switch, if the tool still uses what the step says.
    Do(Step),
    /// Ask the user.
    Ask(Step),
    /// A question to this seat has become moot.
    Withdraw(Seat),
    /// Say that a tool was changed by somebody else and is left alone.
    Left {
        /// Which.
        seat: Seat,
        /// The first model of its chain.
        first: TargetId,
        /// What it uses, as the tool says it.
        found: Option<String>,
    },
}

/// What outlives the program besides the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory(Vec<(Seat, Kept)>);

/// What is remembered of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// The question that stands.
    asked: Option<Asked>,
    /// When it was asked last, by way.
    asked_at: Vec<(Move, Timestamp)>,
    /// What was refused, for which occasion.
    refused: Option<(Asked, Timestamp)>,
    /// The journal's entry whose value somebody changed: that is said.
    left: Option<u64>,
    /// What the user took back before this no longer holds the rule off: he has set it anew since.
    forgiven_at: Option<Timestamp>,
}

/// A question, or a switch that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    way: Move,
    from: TargetId,
    to: TargetId,
}

impl Asked {
    fn is(&self, step: &Step) -> bool {
        (self.way, &self.from, &self.to) == (step.way, &step.from, &step.to)
    }

    fn of(step: &Step) -> Self {
        Self { way: step.way, from: step.from.clone(), to: step.to.clone() }
    }
}

#[derive(Clone, Debug, Default)]
struct State {
    kept: Kept,
    seen: Option<Seen>,
    standing: Standing,
    ordered: Option<Step>,
}

/// The rules of all tools; see the module above.
#[derive(Clone, Debug)]
pub struct Rules {
    tools: Vec<ToolRule>,
    seats: BTreeMap<Seat, State>,
    busy: HashMap<TargetId, Vec<Busy>>,
    started_at: Timestamp,
    /// When the tools were read last; `None` until they are, and after a wish to read them again.
    read_at: Option<Timestamp>,
    is_reading: bool,
}

impl Rules {
    /// Rules that have read no tool yet. Only what is seen from `started_at` on makes them act.
    pub fn new(tools: Vec<ToolRule>, memory: Memory, started_at: Timestamp) -> Self {
        let seats = memory.0.into_iter().map(|(seat, kept)| (seat, State { kept, ..State::default() }));
        Self { tools, seats: seats.collect(), busy: HashMap::new(), started_at, read_at: None, is_reading: false }
    }

    /// Takes in new settings. A rule that was changed starts afresh: what the user took back before no longer counts.
    pub fn configure(&mut self, tools: Vec<ToolRule>, now: Timestamp) {
        let before = std::mem::replace(&mut self.tools, tools);
        for (seat, state) in &mut self.seats {
            let of = |all: &[ToolRule]| all.iter().find(|rule| rule.tool == seat.tool).cloned();
            if of(&before) != of(&self.tools) {
                state.kept.forgiven_at = Some(now);
                state.kept.refused = None;
            }
        }
        self.read_at = None;
    }

    /// The rules in force.
    pub fn tools(&self) -> &[ToolRule] {
        &self.tools
    }

    /// Takes in the known usual busy times of targets, from now on.
    pub fn set_busy(&mut self, busy: HashMap<TargetId, Vec<Busy>>) {
        self.busy = busy;
    }

    /// Wants the tools read again.
    pub const fn want_look(&mut self) {
        self.read_at = None;
    }

    /// Takes in what was read of all seats of the tools with rules; one that is not among them is gone.
    pub fn seen(&mut self, all: Vec<Seen>, now: Timestamp) {
        (self.read_at, self.is_reading) = (Some(now), false);
        for state in self.seats.values_mut() {
            state.seen = None;
        }
        for seen in all {
            let state = self.seats.entry(seen.seat.clone()).or_default();
            state.standing = Standing::of(&seen.past);
            state.seen = Some(seen);
        }
    }

    /// Takes in that an ordered switch was made, or why not. Answers whether that is worth telling.
    pub fn done(&mut self, step: &Step, refusal: Option<&Refusal>, board: &Board) -> bool {
        let Some(state) = self.seats.get_mut(&step.seat) else { return true };
        state.ordered = None;
        match refusal {
            None => {
                state.kept.refused = None;
                true
            }
            Some(Refusal::ChangedByOther { .. }) => match &state.standing.away {
                // Said once: the reading that follows finds it too.
                Some(away) => state.kept.left.replace(away.id) != Some(away.id),
                // The user chose another model while nothing was switched: that is no news to him.
                None => false,
            },
            Some(_) => {
                state.kept.refused = Some((Asked::of(step), occasion(step, board)));
                true
            }
        }
    }

    /// What of the memory outlives the program.
    pub fn memory(&self) -> Memory {
        let kept = self.seats.iter().filter(|(_, state)| state.kept != Kept::default());
        Memory(kept.map(|(seat, state)| (seat.clone(), state.kept.clone())).collect())
    }

    /// What is to be done now. `is_quiet` is while nothing is probed: by the user's wish, or as our own network is down.
    pub fn decide(&mut self, board: &Board, now: Timestamp, is_quiet: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self.tools.iter().any(|tool| tool.rule.is_on()) {
            return self.withdraw_all();
        }
        if self.read_at.is_none() {
            return self.look();
        }
        let is_read_lately = self.read_at.is_some_and(|at| now.duration_since(at).abs() <= READ_LASTS);
        let mut is_look_wanted = false;
        let seats: Vec<Seat> = self.seats.keys().cloned().collect();
        for seat in seats {
            let wish = if is_quiet { None } else { self.wish(&seat, board, now) };
            let gone = self.left(&seat);
            let Some(state) = self.seats.get_mut(&seat) else { continue };
            effects.extend(gone.and_then(|(id, left)| (state.kept.left.replace(id) != Some(id)).then_some(left)));
            let wish = wish.filter(|wish| {
                let is_refused = |(refused, at): &(Asked, Timestamp)| refused.is(&wish.step) && *at == wish.occasion;
                !state.kept.refused.as_ref().is_some_and(is_refused)
            });
            let asks = |wish: &Wish| {
                wish.mode == Mode::Ask && state.kept.asked.as_ref().is_some_and(|asked| asked.is(&wish.step))
            };
            let stands = wish.as_ref().is_some_and(asks);
            // While our own network is down nobody knows whether a question is moot.
            let is_replaced = !stands && !is_quiet && state.kept.asked.take().is_some();
            if is_replaced {
                effects.push(Effect::Withdraw(seat.clone()));
                // The same decision with another answer is no second question.
                let way = wish.as_ref().map(|wish| wish.step.way);
                state.kept.asked_at.retain(|(asked, _)| Some(*asked) != way);
            }
            let Some(Wish { step, mode, .. }) = wish.filter(|_| !stands && state.ordered.is_none()) else { continue };
            match mode {
                Mode::Off => {}
                Mode::Auto => {
                    state.ordered = Some(step.clone());
                    effects.push(Effect::Do(step));
                }
                Mode::Ask => {
                    let hold =
                        self.tools.iter().find(|tool| tool.tool == seat.tool).map_or(Rule::HOLD, |tool| tool.rule.hold);
                    let hold = SignedDuration::try_from(hold).unwrap_or(SignedDuration::MAX);
                    let asked_at = state.kept.asked_at.iter().find(|(way, _)| *way == step.way).map(|(_, at)| *at);
                    if asked_at.is_some_and(|at| now.duration_since(at) < hold) {
                        continue;
                    }
                    if !is_read_lately {
                        is_look_wanted = true;
                        continue;
                    }
                    state.kept.asked = Some(Asked::of(&step));
                    state.kept.asked_at.retain(|(way, _)| *way != step.way);
                    state.kept.asked_at.push((step.way, now));
                    effects.push(Effect::Ask(step));
                }
            }
        }
        let is_old = self.read_at.is_some_and(|at| now.duration_since(at).abs() > READ_AGAIN);
        if is_look_wanted || is_old {
            effects.extend(self.look());
        }
        effects
    }

    fn look(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.is_reading, true) { Vec::new() } else { vec![Effect::Look] }
    }

    fn withdraw_all(&mut self) -> Vec<Effect> {
        let asked = self.seats.iter_mut().filter_map(|(seat, state)| state.kept.asked.take().map(|_| seat.clone()));
        asked.map(Effect::Withdraw).collect()
    }

    /// The user clicked to have tools use a target: the steps of those whose rule takes it as its own, so that it also
    /// brings them back. `tool` as in `Request::Use`. A click needs no hold.
    pub fn accept(&self, tool: Option<&str>, target: &TargetId, board: &Board, now: Timestamp) -> Vec<Step> {
        let mut steps = Vec::new();
        for (seat, state) in &self.seats {
            let is_meant = tool.is_none_or(|tool| tool == seat.tool) && state.ordered.is_none();
            let Some(rule) = self.tools.iter().find(|rule| rule.tool == seat.tool).filter(|_| is_meant) else {
                continue;
            };
            let (Some(seen), true) = (&state.seen, rule.rule.is_on()) else { continue };
            let step = |way, from: &TargetId, why| Step {
                seat: seat.clone(),
                way,
                from: from.clone(),
                to: target.clone(),
                why,
            };
            let kind = |target: &TargetId| board.entry(target).and_then(|entry| away_kind(entry, now));
            match self.place(state, rule) {
                Place::Home(first)
                    if first != target && rule.chain.contains(target) && seen.reaches.contains(target) =>
                {
                    let soon = self.busy_soon(first, now).filter(|_| rule.rule.ahead);
                    let why = kind(first).map(|kind| (Move::Failover, Why::Away { kind }));
                    let why = why.or(soon.map(|busy| (Move::Ahead, Why::BusySoon { at: busy.start, to: busy.end })));
                    steps.extend(why.map(|(way, why)| step(way, first, why)));
                }
                Place::Away(away) if away.first == *target => steps.push(step(Move::Back, &away.on, Why::Wish)),
                Place::Away(away)
                    if away.on != *target && rule.chain.contains(target) && seen.reaches.contains(target) =>
                {
                    steps.push(step(Move::Failover, &away.on, Why::Wish));
                }
                _ => {}
            }
        }
        steps
    }

    /// Notes that a step of [`Rules::accept`] is under way.
    pub fn ordered(&mut self, step: &Step) {
        if let Some(state) = self.seats.get_mut(&step.seat) {
            state.ordered = Some(step.clone());
        }
    }

    /// Takes in that an order could not be given.
    pub fn not_ordered(&mut self, step: &Step) {
        if let Some(state) = self.seats.get_mut(&step.seat) {
            state.ordered = None;
        }
    }

    /// When the clock alone may change what is to be done.
    pub fn wake_at(&self, board: &Board, now: Timestamp) -> Option<Timestamp> {
        let mut times = Vec::new();
        for (seat, state) in &self.seats {
            let Some(tool) = self.tools.iter().find(|tool| tool.tool == seat.tool) else { continue };
            match self.place(state, tool) {
                Place::Away(away) => times.extend(self.back_at(away, &state.standing, &tool.rule, board, now)),
                Place::Home(first) if tool.rule.ahead => {
                    let starts = self.busy.get(first).into_iter().flatten();
                    times.extend(starts.filter_map(|busy| busy.start.checked_sub(SWITCH_AHEAD).ok()));
                }
                _ => {}
            }
        }
        times.into_iter().filter(|at| *at > now).min()
    }

    /// How each rule stands, for people.
    pub fn states(&self, board: &Board, now: Timestamp) -> Vec<RuleState> {
        let mut states = Vec::new();
        for tool in self.tools.iter().filter(|tool| tool.rule.is_on()) {
            let seats: Vec<_> =
                self.seats.iter().filter(|(seat, state)| seat.tool == tool.tool && state.seen.is_some()).collect();
            for (seat, state) in &seats {
                let phase = self.phase(state, tool, board, now);
                states.push(RuleState { seat: (*seat).clone(), rule: tool.rule, phase });
            }
            if seats.is_empty() {
                let seat = Seat { tool: tool.tool.clone(), home: String::new() };
                states.push(RuleState { seat, rule: tool.rule, phase: Phase::Unknown });
            }
        }
        states
    }

    fn phase(&self, state: &State, tool: &ToolRule, board: &Board, now: Timestamp) -> Phase {
        let asked = state.kept.asked.as_ref();
        match self.place(state, tool) {
            Place::Nowhere => Phase::Unknown,
            Place::Home(first) => match self.held(state, board) {
                Some(since) => Phase::HeldOff { first: first.clone(), since },
                None => Phase::Home { first: first.clone(), asked: asked.map(|asked| asked.to.clone()) },
            },
            Place::Away(away) => {
                let at = self.back_at(away, &state.standing, &tool.rule, board, now);
                let back = match (tool.rule.back, at) {
                    (Mode::Off, _) => Return::ByHand,
                    (Mode::Ask, _) if asked.is_some_and(|asked| asked.way == Move::Back) => Return::Asked,
                    (Mode::Ask | Mode::Auto, Some(at)) => Return::At(at.max(now)),
                    (Mode::Ask | Mode::Auto, None) => Return::WhenFree(tool.rule.hold),
                };
                Phase::StandingIn { first: away.first.clone(), on: away.on.clone(), since: away.since, back }
            }
            Place::Other(first) => {
                let found = state.seen.as_ref().and_then(|seen| seen.found.clone());
                Phase::OwnChoice { first: first.clone(), found }
            }
        }
    }

    /// Where a tool stands by what it uses and what was done to it.
    fn place<'a>(&self, state: &'a State, tool: &'a ToolRule) -> Place<'a> {
        let Some(seen) = &state.seen else { return Place::Nowhere };
        let Some(first) = tool.chain.iter().find(|target| seen.reaches.contains(target)) else { return Place::Nowhere };
        let uses = seen.uses.as_ref();
        match &state.standing.away {
            Some(away) if uses == Some(&away.on) && state.kept.left != Some(away.id) => Place::Away(away),
            _ if uses == Some(first) => Place::Home(first),
            _ => Place::Other(first),
        }
    }

    /// A tool that is away and was changed by somebody else than us, with the entry whose value is gone.
    fn left(&self, seat: &Seat) -> Option<(u64, Effect)> {
        let state = self.seats.get(seat)?;
        let tool = self.tools.iter().find(|tool| tool.tool == seat.tool && tool.rule.is_on())?;
        let (seen, away) = (state.seen.as_ref()?, state.standing.away.as_ref()?);
        let is_ours = seen.uses.as_ref() == Some(&away.on) || state.ordered.is_some();
        // Somebody who brought it back himself knows.
        if is_ours || seen.uses.as_ref() == Some(&away.first) || matches!(self.place(state, tool), Place::Nowhere) {
            return None;
        }
        let left = Effect::Left { seat: seat.clone(), first: away.first.clone(), found: seen.found.clone() };
        Some((away.id, left))
    }
}

/// Where a tool stands.
enum Place<'a> {
    /// Not read, or its chain says nothing to it.
    Nowhere,
    /// On the first model of its chain that it reaches.
    Home(&'a TargetId),
    /// On what a rule put there.
    Away(&'a Away),
    /// On something else, with the first model that it reaches.
    Other(&'a TargetId),
}
