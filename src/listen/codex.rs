//! Codex rollouts: `$CODEX_HOME/sessions/**/rollout-*.jsonl`, all generations.
//!
//! From 0.145 on a failed turn says why (`task_complete.error`); before, it leaves at most a `task_complete` without a
//! reason, and up to 0.77 nothing. A success is a `token_count` whose last answer has output and whose sum grew. Turns
//! that were copied from a parent session (forks, sub-agents) are older than the session by their UUIDv7 and are skipped.

use jiff::Timestamp;

use super::codex_line::{Failure, Limits, Line, Payload, Usage, code_of};
use super::codex_rules::judge_error;
use super::form::Carry;
use super::lenient::{Object, Scalar, object};
use super::lines::LineReader;
use super::observation::{Limit, Observation, Tool};
use super::own::is_own;
use super::turns::Turns;
use crate::core::outcome::Kind;

/// The kind of a failed turn, as `thread_turns.error_json` has it; one that cannot be read has no reason.
pub(super) fn judge_json(error: &[u8]) -> Option<(Kind, &'static str, Option<u16>)> {
    let failure = object::<Failure<'_>>(error).unwrap_or_default();
    let (code, status) = code_of(&failure.codex_error_info);
    judge_error(failure.message.text(), code, status)
}

/// The turn that is being read.
#[derive(Debug, Default)]
struct Turn {
    id: Option<String>,
    is_open: bool,
    /// Its beginning was read.
    is_begun: bool,
    /// Copied from a parent session.
    is_copied: bool,
    has_success: bool,
    has_error: bool,
    is_limit_hit: bool,
    resets_at: Option<Timestamp>,
    /// A completed response of which no `token_count` told.
    unsaid: Option<Timestamp>,
    has_record: bool,
    /// The turn's successes, until the time to the first token is known.
    held: Vec<Observation>,
    /// The first success was given out before that time was known.
    is_first_given: bool,
}

/// Reads one rollout.
#[derive(Debug, Default)]
pub(super) struct Rollout {
    turns: Turns,
    own_id: Option<String>,
    /// The session of a probe of ours.
    is_ours: bool,
    carry: Carry,
    /// The same at the last end of a turn.
    marked: Carry,
    /// The turn that ended last.
    ended: Option<String>,
    turn: Turn,
    limits: Vec<Limit>,
}

impl Rollout {
    pub fn new(turns: Turns) -> Self {
        Self { turns, ..Self::default() }
    }

    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    pub const fn carry(&self) -> &Carry {
        &self.carry
    }

    pub const fn marked(&self) -> &Carry {
        &self.marked
    }

    /// Goes on where an earlier reader stopped. The first line of the file may be read again for the session's identity.
    pub fn resume(&mut self, carry: Carry) {
        self.carry = carry;
        if !self.is_ours {
            self.name(None);
        }
    }

    /// Lets who wonders about this session's turns know its model.
    fn name(&self, from: Option<Timestamp>) {
        if let Some(own) = &self.own_id {
            self.turns.name(own, from, &self.carry);
        }
    }

    /// The end of the present turn is told here.
    fn tell(&self) {
        if let Some(turn) = self.turn.id.as_deref().filter(|_| !self.turn.is_copied) {
            self.turns.tell(turn);
        }
    }

    fn observe(&self, ts: Option<Timestamp>, kind: Kind, rule: &'static str) -> Observation {
        let mut observation = Observation::new(Tool::Codex, ts, kind, rule);
        observation.model.clone_from(&self.carry.model);
        observation.provider.clone_from(&self.carry.provider);
        observation
    }

    /// Whether a turn was copied from a parent: both ids are UUIDv7, and the turn's is the older one.
    fn is_copied(&self, turn: &str) -> bool {
        self.own_id.as_deref().is_some_and(|own| is_older(turn, own))
    }

    /// Begins a turn, or goes on with the same one.
    fn enter(&mut self, id: &Scalar<'_>, out: &mut Vec<Observation>) {
        let id = id.some_text().map(str::to_ascii_lowercase);
        if id.is_some() && self.turn.id == id && self.turn.is_open {
            return;
        }
        self.leave(out);
        let is_copied = id.as_deref().is_some_and(|id| self.is_copied(id));
        self.turn = Turn { id, is_open: true, is_copied, ..Turn::default() };
    }

    fn begin(&mut self, id: &Scalar<'_>, out: &mut Vec<Observation>) {
        self.enter(id, out);
        self.turn.is_begun = true;
    }

    fn leave(&mut self, out: &mut Vec<Observation>) {
        out.append(&mut self.turn.held);
        self.turn = Turn::default();
    }

    fn tokens(&mut self, ts: Option<Timestamp>, payload: &Payload<'_>) {
        let was_grown = payload.info.get().is_some_and(|info| {
            let output = |usage: &Object<Usage<'_>>| usage.get().and_then(|usage| usage.output_tokens.whole());
            let Some(total) = output(&info.total_token_usage) else { return false };
            let before = self.carry.out_total.replace(total).unwrap_or(0);
            total > before && output(&info.last_token_usage).is_some_and(|last| last > 0)
        });
        if self.turn.is_copied {
            return;
        }
        if let Some(limits) = payload.rate_limits.get() {
            self.note_limits(ts, limits);
        }
        if was_grown {
            self.turn.has_success = true;
            self.turn.unsaid = None;
            let success = self.observe(ts, Kind::Available, "codex-token-count");
            self.turn.held.push(success);
        }
    }

    fn note_limits(&mut self, ts: Option<Timestamp>, limits: &Limits<'_>) {
        self.turn.is_limit_hit |= limits.rate_limit_reached_type.0;
        let id = limits.limit_id.name();
        self.limits.retain(|limit| limit.id != id);
        for window in [&limits.primary, &limits.secondary].into_iter().filter_map(Object::get) {
            let Some(used) = window.used_percent.number() else { continue };
            let resets_at = window.resets_at.time().or_else(|| {
                let seconds = i64::try_from(window.resets_in_seconds.whole()?).ok()?;
                ts?.checked_add(jiff::SignedDuration::from_secs(seconds)).ok()
            });
            if used >= 100.0 {
                self.turn.is_limit_hit = true;
                self.turn.resets_at = self.turn.resets_at.max(resets_at);
            }
            self.limits.push(Limit {
                ts,
                tool: Tool::Codex,
                id: id.clone(),
                window_minutes: window.window_minutes.millis(),
                used_percent: used as f32,
                resets_at,
            });
        }
    }

    fn fail(&mut self, ts: Option<Timestamp>, failure: (&str, &str, Option<u16>), out: &mut Vec<Observation>) {
        if std::mem::replace(&mut self.turn.has_error, true) {
            return;
        }
        if let Some((mut kind, mut rule, status)) = judge_error(failure.0, failure.1, failure.2) {
            if rule == "codex-429" && self.turn.is_limit_hit {
                // Up to 0.150 a used-up plan may be written as a plain 429; the window that came with it says more.
                (kind, rule) = (Kind::UsageLimit, "codex-429-window");
            }
            let mut observation = self.observe(ts, kind, rule);
            observation.http_status = status;
            if kind == Kind::UsageLimit {
                observation.resets_at = self.turn.resets_at;
            }
            self.settle(out);
            out.push(observation);
        }
    }

    fn complete(&mut self, ts: Option<Timestamp>, payload: &Payload<'_>, out: &mut Vec<Observation>) {
        let id = payload.turn_id.some_text().map(str::to_ascii_lowercase);
        if id.is_some() && self.ended == id {
            // Written twice: a turn ends once.
            return;
        }
        self.ended = id;
        if self.ended.is_some() {
            self.enter(&payload.turn_id, out);
            // A turn of which only the end was read: what it had before is not known.
            self.turn.has_record |= !self.turn.is_begun;
        }
        self.tell();
        if !self.turn.is_copied {
            if let Some(at) = self.turn.unsaid.filter(|_| !self.turn.has_success) {
                self.turn.has_success = true;
                let success = self.observe(Some(at), Kind::Available, "codex-usage-record");
                self.turn.held.push(success);
            }
            if let Some(first) = self.turn.held.first_mut().filter(|_| !self.turn.is_first_given) {
                first.latency_ms = payload.time_to_first_token_ms.millis();
            }
            out.append(&mut self.turn.held);
            if let Some(error) = payload.error.get() {
                let (code, status) = code_of(&error.codex_error_info);
                self.fail(ts, (error.message.text(), code, status), out);
            } else if !payload.last_agent_message.0
                && !self.turn.has_success
                && !self.turn.has_record
                && !self.turn.has_error
            {
                let (kind, rule) = if self.turn.is_limit_hit {
                    (Kind::UsageLimit, "codex-silent-limit")
                } else {
                    (Kind::Unrecognized, "codex-silent")
                };
                let mut observation = self.observe(ts, kind, rule);
                observation.resets_at = self.turn.resets_at;
                out.push(observation);
            }
        }
        self.leave(out);
    }

    fn event(&mut self, ts: Option<Timestamp>, payload: &Payload<'_>, out: &mut Vec<Observation>) {
        match payload.kind.text() {
            "task_started" | "turn_started" => self.begin(&payload.turn_id, out),
            "token_count" => self.tokens(ts, payload),
            "task_complete" | "turn_complete" => self.complete(ts, payload, out),
            "turn_aborted" => {
                self.tell();
                self.leave(out);
            }
            "error" if !self.turn.is_copied => {
                self.tell();
                let (code, status) = code_of(&payload.codex_error_info);
                self.fail(ts, (payload.message.text(), code, status), out);
            }
            "thread_settings_applied" if !self.turn.is_copied => {
                if let Some(settings) = payload.thread_settings.get() {
                    self.carry.model = settings.model.name().or(self.carry.model.take());
                    self.carry.provider = settings.model_provider_id.name().or(self.carry.provider.take());
                    self.name(ts);
                }
            }
            _ => {}
        }
    }
}

/// Whether a turn began before a session did, by their UUIDv7; false where one of them has another form.
pub(super) fn is_older(turn: &str, session: &str) -> bool {
    is_uuid7(session) && is_uuid7(turn) && turn < session
}

fn is_uuid7(id: &str) -> bool {
    id.len() == 36 && id.as_bytes()[14] == b'7'
}

impl LineReader for Rollout {
    fn wants(&self, prefix: &[u8]) -> bool {
        const LINES: &[&[u8]] = &[b"session_meta", b"turn_context", b"token_usage_record"];
        const EVENTS: &[&[u8]] = &[
            b"task_started",
            b"turn_started",
            b"token_count",
            b"task_complete",
            b"turn_complete",
            b"turn_aborted",
            b"error",
            b"thread_settings_applied",
        ];
        // Written compactly, with `type` before `payload`; a line that is not is read to be sure.
        let Some((before, kind, rest)) = word_after(prefix, b"\"type\":\"") else { return true };
        if memchr::memchr_iter(b'{', before).count() != 1 {
            return true;
        }
        match kind {
            b"event_msg" => match rest.strip_prefix(b",\"payload\":{\"type\":\"").and_then(word) {
                Some((event, _)) => EVENTS.contains(&event),
                None => true,
            },
            _ => LINES.contains(&kind),
        }
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<Observation>) {
        let Some(line) = object::<Line<'_>>(line) else { return };
        let Some(payload) = line.payload.get().filter(|_| !self.is_ours) else { return };
        let ts = line.timestamp.time();
        match line.kind.text() {
            "session_meta" if self.own_id.is_none() => {
                let id = payload.id.some_text().or(payload.session_id.some_text());
                self.own_id = Some(id.unwrap_or_default().to_ascii_lowercase());
                self.is_ours = is_own(payload.cwd.text());
                self.carry.provider = payload.model_provider.name();
            }
            "turn_context" => {
                self.begin(&payload.turn_id, out);
                if !self.turn.is_copied && payload.model.some_text().is_some() {
                    self.carry.model = payload.model.name();
                    self.name(ts);
                }
            }
            "token_usage_record" if !self.turn.is_copied => {
                self.turn.has_record = true;
                self.turn.unsaid = ts;
            }
            "event_msg" => self.event(ts, payload, out),
            _ => {}
        }
    }

    fn settle(&mut self, out: &mut Vec<Observation>) {
        self.turn.is_first_given |= !self.turn.held.is_empty();
        out.append(&mut self.turn.held);
    }

    fn is_between(&self) -> bool {
        !self.turn.is_open
    }

    fn mark(&mut self) {
        if self.marked != self.carry {
            self.marked.clone_from(&self.carry);
        }
    }
}

/// The text up to the next quote and what follows it.
fn word(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'"', bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// What stands before a mark, the text after it up to the next quote, and what follows that.
fn word_after<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
    let at = memchr::memmem::find(bytes, mark)?;
    let (found, rest) = word(&bytes[at + mark.len()..])?;
    Some((&bytes[..at], found, rest))
}
