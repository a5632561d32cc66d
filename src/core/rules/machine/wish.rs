//! What a rule would like to do with a tool, as things stand; whether it may is decided above.

use jiff::Timestamp;

use super::{Place, Rules, State};
use crate::core::board::{Board, Entry};
use crate::core::outcome::{Kind, Scope};
use crate::core::rules::{Away, Busy, Mode, Move, Rule, Seat, Standing, Step, ToolRule, Why};
use crate::core::sheet::SWITCH_AHEAD;
use crate::core::target::TargetId;

/// What a rule would like to do.
pub(super) struct Wish {
    pub(super) step: Step,
    pub(super) mode: Mode,
    /// The confirmed change that it answers to: a refusal holds until there is another.
    pub(super) occasion: Timestamp,
}

impl Rules {
    /// Since when the user holds the rule off: until the first model's next confirmed change.
    pub(super) fn held(&self, state: &State, board: &Board) -> Option<Timestamp> {
        let (first, at) = state.standing.held.as_ref()?;
        let is_forgiven = state.kept.forgiven_at.is_some_and(|forgiven| forgiven >= *at);
        let has_changed = || board.entry(first)?.confirmed.map(|confirmed| confirmed.since > *at);
        (!is_forgiven && has_changed() != Some(true)).then_some(*at)
    }

    pub(super) fn wish(&self, seat: &Seat, board: &Board, now: Timestamp) -> Option<Wish> {
        let state = self.seats.get(seat)?;
        let tool = self.tools.iter().find(|tool| tool.tool == seat.tool)?;
        if self.held(state, board).is_some() {
            return None;
        }
        match self.place(state, tool) {
            Place::Home(first) => self.wish_away(seat, state, tool, first, board, now),
            Place::Away(away) => {
                let back = self.wish_back(seat, state, tool, away, board, now);
                back.or_else(|| self.wish_away(seat, state, tool, &away.on, board, now))
            }
            Place::Other(_) | Place::Nowhere => None,
        }
    }

    fn wish_away(
        &self,
        seat: &Seat,
        state: &State,
        tool: &ToolRule,
        from: &TargetId,
        board: &Board,
        now: Timestamp,
    ) -> Option<Wish> {
        let mode = tool.rule.failover;
        if mode == Mode::Off {
            return None;
        }
        let entry = board.entry(from).filter(|entry| self.is_new(entry))?;
        let first = state.standing.away.as_ref().map(|away| &away.first).filter(|first| *first != from);
        let kind = away_kind(entry, now);
        let soon = || self.busy_soon(from, now).filter(|_| tool.rule.ahead && first.is_none());
        let (way, why, occasion) = match (kind, soon()) {
            (Some(kind), _) => (Move::Failover, Why::Away { kind }, entry.confirmed?.since),
            (None, Some(busy)) => (Move::Ahead, Why::BusySoon { at: busy.start, to: busy.end }, busy.start),
            (None, None) => return None,
        };
        let seen = state.seen.as_ref()?;
        let since = now.checked_sub(state.standing.hold(tool.rule.hold)).unwrap_or(Timestamp::MIN);
        let is_fit = |target: &&TargetId| {
            let is_free = board.entry(target).is_some_and(|entry| entry.is_free(now) && self.is_new(entry));
            let is_busy_then = match &why {
                Why::BusySoon { at, .. } => self.is_busy(target, *at),
                _ => false,
            };
            *target != from
                && seen.reaches.contains(target)
                && is_free
                && !is_busy_then
                && !state.standing.has_entered(target, since)
        };
        let to = tool.chain.iter().find(is_fit)?;
        // The first model is free while its stand-in is not: that is the way back, and by the same word.
        let way = if first == Some(to) { Move::Back } else { way };
        Some(Wish { step: Step { seat: seat.clone(), way, from: from.clone(), to: to.clone(), why }, mode, occasion })
    }

    fn wish_back(
        &self,
        seat: &Seat,
        state: &State,
        tool: &ToolRule,
        away: &Away,
        board: &Board,
        now: Timestamp,
    ) -> Option<Wish> {
        let mode = tool.rule.back;
        let at = self.back_at(away, &state.standing, &tool.rule, board, now)?;
        let entry = board.entry(&away.first).filter(|entry| self.is_new(entry))?;
        if mode == Mode::Off || at > now || !state.seen.as_ref()?.reaches.contains(&away.first) {
            return None;
        }
        let since = entry.confirmed?.since;
        let (from, to) = (away.on.clone(), away.first.clone());
        let step = Step { seat: seat.clone(), way: Move::Back, from, to, why: Why::Back { since } };
        Some(Wish { step, mode, occasion: since })
    }

    /// When a tool may go back, as things stand; `None` while its first model is not free.
    pub(super) fn back_at(
        &self,
        away: &Away,
        standing: &Standing,
        rule: &Rule,
        board: &Board,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let entry = board.entry(&away.first).filter(|entry| entry.is_free(now))?;
        let hold = standing.hold(rule.hold);
        let later = |at: Timestamp| at.checked_add(hold).unwrap_or(Timestamp::MAX);
        let free = later(entry.confirmed?.since);
        let calm = standing.last_at().map_or(free, |last| later(last).max(free));
        // It would only have to leave again.
        let until = calm.max(now);
        let busy = self.busy.get(&away.first).into_iter().flatten();
        let is_on = |busy: &&Busy| {
            let starts = busy.start.checked_sub(SWITCH_AHEAD).unwrap_or(busy.start);
            rule.ahead
                && busy.end > until
                && (if away.is_ahead { starts <= until } else { starts <= until && until < busy.start })
        };
        Some(busy.filter(is_on).map(|busy| busy.end).max().map_or(calm, |end| end.max(calm)))
    }

    pub(super) fn busy_soon(&self, target: &TargetId, now: Timestamp) -> Option<Busy> {
        let until = now.checked_add(SWITCH_AHEAD).ok()?;
        self.busy.get(target)?.iter().find(|busy| busy.start > now && busy.start <= until).copied()
    }

    fn is_busy(&self, target: &TargetId, at: Timestamp) -> bool {
        self.busy.get(target).is_some_and(|all| all.iter().any(|busy| busy.start <= at && at < busy.end))
    }

    /// Whether the state was seen since the program started: nothing is written at a start for what was before it.
    fn is_new(&self, entry: &Entry) -> bool {
        entry.seen_at().is_some_and(|at| at >= self.started_at)
    }
}

/// In which way a target is confirmed not to be free, if a tool is to leave it for that.
pub(super) fn away_kind(entry: &Entry, now: Timestamp) -> Option<Kind> {
    let confirmed = entry.confirmed.filter(|_| entry.is_fresh(now))?;
    let is_reason = matches!(confirmed.kind, Kind::AtCapacity | Kind::ServerError | Kind::Timeout | Kind::UsageLimit);
    (is_reason && confirmed.scope != Scope::Local).then_some(confirmed.kind)
}

/// The confirmed change that a step answers to.
pub(super) fn occasion(step: &Step, board: &Board) -> Timestamp {
    let since =
        |target: &TargetId| board.entry(target).and_then(|entry| entry.confirmed).map(|confirmed| confirmed.since);
    match &step.why {
        Why::BusySoon { at, .. } => *at,
        Why::Back { since } => *since,
        _ => since(&step.from).unwrap_or(Timestamp::MIN),
    }
}
