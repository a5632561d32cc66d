//! What the engine has done to tools: orders to its own hands, which read and write the tools' files on a thread of their
//! own, and what came of them.

use std::collections::HashMap;
use std::future::pending;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc;

use crate::core::alert::{NoticeId, Offer, Subject};
use crate::core::board::Board;
use crate::core::rules::{Effect, Memory, Move, Refusal, RuleState, Rules, Seat, Seen, Step, ToolRule, Why};
use crate::core::target::TargetId;
use crate::engine::recorder::BusyTimes;
use crate::i18n::Tr;
use crate::settings::Settings;
use crate::store::{Reply, StoreError};

/// Orders that may wait for the hands.
const QUEUE: usize = 16;

/// How long the end of the program waits for the hands; a write takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Usual busy times are read again so often.
const BUSY_LASTS: SignedDuration = SignedDuration::from_hours(6);

/// What the hands are told to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Read the tools and the journal.
    Look,
    /// Have tools use a target, as [`Request::Use`](crate::engine::request::Request::Use) says.
    Use {
        /// Which tool; `None` as the request says.
        tool: Option<String>,
        /// Which target.
        target: TargetId,
        /// Others are switched by steps of their rules: that none is left is no news.
        is_rest: bool,
    },
    /// Do what a rule decided, if everything is still as it thinks.
    Step(Step),
    /// Take back an entry of the journal.
    Undo {
        /// The journal's number.
        id: u64,
    },
}

/// An order with what it is to be judged by.
#[derive(Clone)]
pub struct Task {
    /// What to do.
    pub order: Order,
    /// The settings in force.
    pub settings: Settings,
    /// The board at the time of the order.
    pub board: Board,
    /// The words for refusals.
    pub tr: Tr,
}

/// What came of an order for one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The tool's name in commands; `None` when no tool was concerned.
    pub tool: Option<String>,
    /// What it used.
    pub from: Option<TargetId>,
    /// What it was to use.
    pub to: Option<TargetId>,
    /// Why.
    pub why: Why,
    /// The journal's number, or why nothing was written.
    pub result: Result<u64, Refusal>,
}

/// What came of an order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the tools with rules use now, and what was done to them.
    pub seen: Vec<Seen>,
    /// What was switched and what was not.
    pub outcomes: Vec<Outcome>,
    /// The journal cannot be used: the reason in words. Nothing is switched then.
    pub trouble: Option<String>,
}

/// Reads and writes tools' files. Works on a thread of its own, one order after the other.
pub trait Hands: Send {
    /// Carries out an order. May block.
    fn carry_out(&mut self, task: Task) -> Report;
}

/// An order that was carried out.
pub(super) struct Answer {
    order: Order,
    report: Report,
}

/// What [`Switching::next`] waits for.
pub(super) enum Heard {
    /// An order was carried out.
    Answer(Box<Answer>),
    /// Usual busy times were read.
    Busy(Result<BusyTimes, StoreError>),
}

/// What the user is to be told.
pub(super) enum Say {
    /// A notice; of a question with the seat that it is about.
    Notice(Subject, Vec<Offer>, Option<Seat>),
    /// A question has become moot.
    Withdraw(NoticeId),
    /// A fault of our own, in words.
    Trouble(String),
}

/// What an order is given with.
pub(super) struct View<'a> {
    pub settings: &'a Settings,
    pub board: &'a Board,
    pub tr: &'a Tr,
    pub now: Timestamp,
    /// Nothing is probed, so that nothing is known to be so still.
    pub is_quiet: bool,
}

/// The rules with their hands.
pub(super) struct Switching {
    rules: Rules,
    orders: Option<SyncSender<Task>>,
    answers: mpsc::Receiver<Answer>,
    kept: Memory,
    asked: HashMap<Seat, NoticeId>,
    /// Steps under way that the user pressed for: he is told what came of them in any case.
    wished: Vec<Step>,
    trouble: Option<String>,
    busy: Option<Reply<BusyTimes>>,
    busy_at: Option<Timestamp>,
}

impl Switching {
    /// Starts the hands' thread. Without hands, or without a thread for them, nothing is ever switched.
    pub fn start(hands: Option<Box<dyn Hands>>, tools: Vec<ToolRule>, now: Timestamp) -> Self {
        let (orders, taken) = sync_channel(QUEUE);
        // One more than can wait, so that an answer always has its place.
        let (answers, answered) = mpsc::channel(QUEUE + 2);
        let started = hands.map(|hands| {
            let work = move || serve(hands, &taken, &answers);
            std::thread::Builder::new().name("vacancy-hands".into()).spawn(work)
        });
        let is_started = match started {
            Some(Ok(_)) => true,
            Some(Err(error)) => {
                tracing::error!(%error, "no tool will be switched: the system refuses a thread");
                false
            }
            None => false,
        };
        Self {
            rules: Rules::new(tools, Memory::default(), now),
            orders: is_started.then_some(orders),
            answers: answered,
            kept: Memory::default(),
            asked: HashMap::new(),
            wished: Vec::new(),
            trouble: None,
            busy: None,
            busy_at: None,
        }
    }

    /// Takes in what an earlier start remembered.
    pub fn remember(&mut self, memory: Memory, now: Timestamp) {
        self.kept = memory.clone();
        self.rules = Rules::new(self.rules.tools().to_vec(), memory, now);
    }

    /// What is to be remembered, when it has changed since the last call.
    pub fn news(&mut self) -> Option<&Memory> {
        let memory = self.rules.memory();
        (memory != self.kept).then(|| {
            self.kept = memory;
            &self.kept
        })
    }

    /// Takes in new settings.
    pub fn configure(&mut self, tools: Vec<ToolRule>, now: Timestamp) {
        self.rules.configure(tools, now);
        self.busy_at = None;
    }

    /// Has the tools read again: they were changed by other hands of ours.
    pub const fn want_look(&mut self) {
        self.rules.want_look();
    }

    /// Notes which notice asks for a seat.
    pub fn asked(&mut self, seat: Seat, notice: NoticeId) {
        self.asked.insert(seat, notice);
    }

    /// Whether usual busy times are wanted now.
    pub fn wants_busy(&self, now: Timestamp) -> bool {
        let is_old = self.busy_at.is_none_or(|at| now.duration_since(at).abs() > BUSY_LASTS);
        is_old && self.busy.is_none() && self.rules.tools().iter().any(|tool| tool.rule.ahead && tool.rule.is_on())
    }

    /// Begins to read them.
    pub fn read_busy(&mut self, reply: Reply<BusyTimes>, now: Timestamp) {
        (self.busy, self.busy_at) = (Some(reply), Some(now));
    }

    fn set_busy(&mut self, read: Result<BusyTimes, StoreError>) {
        match read {
            Ok(busy) => self.rules.set_busy(busy),
            Err(error) => tracing::warn!(%error, "usual busy times could not be read"),
        }
    }

    /// Waits for the next answer of the hands, or of the record. Given up and called again it loses nothing.
    pub async fn next(&mut self) -> Heard {
        let Self { answers, busy, .. } = self;
        let read = async {
            match busy {
                Some(reply) => reply.await,
                None => pending().await,
            }
        };
        tokio::select! {
            Some(answer) = answers.recv() => Heard::Answer(Box::new(answer)),
            read = read => Heard::Busy(read),
            else => pending().await,
        }
    }

    /// Decides, and gives the orders that follow.
    pub fn step(&mut self, view: &View<'_>) -> Vec<Say> {
        if self.orders.is_none() {
            return Vec::new();
        }
        let mut says = Vec::new();
        for effect in self.rules.decide(view.board, view.now, view.is_quiet) {
            match effect {
                Effect::Look => {
                    self.order(Order::Look, view);
                }
                Effect::Do(step) => {
                    if !self.order(Order::Step(step.clone()), view) {
                        self.rules.not_ordered(&step);
                    }
                }
                Effect::Ask(step) => {
                    let Step { seat, way, from, to, why } = step;
                    let tool = Some(seat.tool.clone());
                    let offer = match way {
                        Move::Back => Offer::SwitchBack { tool, target: to.clone() },
                        Move::Failover | Move::Ahead => Offer::Use { tool, target: to.clone() },
                    };
                    let subject = Subject::AskSwitch { tool: seat.tool.clone(), from, to, why };
                    says.push(Say::Notice(subject, vec![offer], Some(seat)));
                }
                Effect::Withdraw(seat) => says.extend(self.asked.remove(&seat).map(Say::Withdraw)),
                Effect::Left { seat, first, found } => {
                    let reason = Refusal::ChangedByOther { found };
                    let (tool, to) = (Some(seat.tool), Some(first));
                    let subject = Subject::SwitchRefused { tool, to, reason, is_wish: false };
                    says.push(Say::Notice(subject, Vec::new(), None));
                }
            }
        }
        says
    }

    /// Has tools use a target, as `Request::Use` says. `false` when the hands are not there or have too much to do.
    pub fn use_target(&mut self, tool: Option<String>, target: &TargetId, view: &View<'_>) -> bool {
        // What a rule would have done is the rule's, so that it also brings the tool back.
        let steps = self.rules.accept(tool.as_deref(), target, view.board, view.now);
        let is_all = tool.is_none();
        for step in &steps {
            if self.order(Order::Step(step.clone()), view) {
                self.rules.ordered(step);
                self.wished.push(step.clone());
            }
        }
        let rest = Order::Use { tool, target: target.clone(), is_rest: !steps.is_empty() };
        if steps.is_empty() || is_all { self.order(rest, view) } else { true }
    }

    /// Takes an entry of the journal back.
    pub fn undo(&mut self, id: u64, view: &View<'_>) -> bool {
        self.order(Order::Undo { id }, view)
    }

    fn order(&self, order: Order, view: &View<'_>) -> bool {
        let (settings, board, tr) = (view.settings.clone(), view.board.clone(), view.tr.clone());
        let Some(orders) = &self.orders else { return false };
        let is_taken = orders.try_send(Task { order, settings, board, tr }).is_ok();
        if !is_taken {
            tracing::warn!("an order about tools was dropped: the thread that carries it out is busy or gone");
        }
        is_taken
    }

    /// Takes in what was heard.
    pub fn hear(&mut self, heard: Heard, board: &Board, now: Timestamp) -> Vec<Say> {
        match heard {
            Heard::Answer(answer) => self.answered(*answer, board, now),
            Heard::Busy(read) => {
                self.busy = None;
                self.set_busy(read);
                Vec::new()
            }
        }
    }

    fn answered(&mut self, answer: Answer, board: &Board, now: Timestamp) -> Vec<Say> {
        let Answer { order, report } = answer;
        let mut says = Vec::new();
        let wished = match &order {
            Order::Step(step) => self.wished.iter().position(|wished| wished == step),
            _ => None,
        };
        let is_wished = wished.map(|index| self.wished.swap_remove(index)).is_some();
        for outcome in report.outcomes {
            let is_news = match &order {
                Order::Step(step) => self.rules.done(step, outcome.result.as_ref().err(), board) || is_wished,
                _ => true,
            };
            let Outcome { tool, from, to, why, result } = outcome;
            // Pressed late: what was wished for is so by another hand.
            let result = result.map_err(|reason| match (&reason, to.as_ref().and_then(|to| board.entry(to))) {
                (Refusal::ChangedByOther { found: Some(found) }, Some(entry))
                    if is_wished && entry.target.model.as_str() == found =>
                {
                    Refusal::AlreadyThere
                }
                _ => reason,
            });
            let is_silent = result == Err(Refusal::AlreadyThere) && matches!(order, Order::Step(_)) && !is_wished;
            let is_told = is_news && !is_silent;
            says.extend(is_told.then(|| match result {
                Ok(journal) => {
                    let tool = tool.unwrap_or_default();
                    let undo = Offer::Undo { tool: tool.clone(), journal };
                    let offers = if why == Why::Undo { Vec::new() } else { vec![undo] };
                    Say::Notice(Subject::Switched { tool, from, to, why, journal }, offers, None)
                }
                Err(reason) => {
                    let is_wish = is_wished || matches!(why, Why::Wish | Why::Undo);
                    Say::Notice(Subject::SwitchRefused { tool, to, reason, is_wish }, Vec::new(), None)
                }
            }));
        }
        if report.trouble != self.trouble {
            self.trouble.clone_from(&report.trouble);
            says.extend(report.trouble.map(Say::Trouble));
        }
        self.rules.seen(report.seen, now);
        says
    }

    /// When the clock alone may change what is to be done.
    pub fn wake_at(&self, board: &Board, now: Timestamp) -> Option<Timestamp> {
        self.rules.wake_at(board, now)
    }

    /// How each rule stands.
    pub fn states(&self, board: &Board, now: Timestamp) -> Vec<RuleState> {
        self.rules.states(board, now)
    }

    /// Takes no more orders and waits until what is under way is written. A tool that is slow to say its version holds
    /// nothing up for long: a write that is ended in between is closed by the next start.
    pub async fn close(&mut self) {
        self.orders = None;
        let rest = async { while self.answers.recv().await.is_some() {} };
        if tokio::time::timeout(PATIENCE, rest).await.is_err() {
            tracing::warn!("the tools were not read to the end");
        }
    }
}

fn serve(mut hands: Box<dyn Hands>, orders: &Receiver<Task>, answers: &mpsc::Sender<Answer>) {
    while let Ok(task) = orders.recv() {
        let order = task.order.clone();
        let report = hands.carry_out(task);
        if answers.blocking_send(Answer { order, report }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::core::outcome::Kind;
    use crate::core::simulate::WorldDefaults;
    use crate::core::target::{DailyCap, Role};

    #[test]
    fn who_presses_late_is_told_what_is_so() {
        let now = Timestamp::UNIX_EPOCH;
        let defaults = WorldDefaults { cap: DailyCap { requests: 9, tokens: 9 }, tokens_per_probe: 1 };
        let luna = Arc::new(defaults.target("luna".into(), None, Role::Backup));
        let model = luna.model.to_string();
        let board = Board::new([luna]);
        let step = Step {
            seat: Seat { tool: "codex".into(), home: "/home/ada/.codex".into() },
            way: Move::Failover,
            from: "sol".into(),
            to: "luna".into(),
            why: Why::Away { kind: Kind::AtCapacity },
        };
        let told = |wished: Vec<Step>, result: Refusal| {
            let mut switching = Switching::start(None, Vec::new(), now);
            switching.wished = wished;
            let outcome = Outcome {
                tool: Some("codex".into()),
                from: Some("sol".into()),
                to: Some("luna".into()),
                why: step.why.clone(),
                result: Err(result),
            };
            let report = Report { outcomes: vec![outcome], ..Report::default() };
            let says = switching.answered(Answer { order: Order::Step(step.clone()), report }, &board, now);
            assert!(switching.wished.is_empty());
            match says.first() {
                Some(Say::Notice(Subject::SwitchRefused { reason, is_wish, .. }, ..)) => {
                    Some((reason.clone(), *is_wish))
                }
                _ => None,
            }
        };
        let changed = |model: &str| Refusal::ChangedByOther { found: Some(model.into()) };
        let wished = || vec![step.clone()];
        assert_eq!(told(wished(), changed(&model)), Some((Refusal::AlreadyThere, true)));
        assert_eq!(told(wished(), Refusal::AlreadyThere), Some((Refusal::AlreadyThere, true)));
        assert_eq!(told(wished(), changed("other")), Some((changed("other"), true)));
        // A rule's own step is nobody's wish.
        assert_eq!(told(Vec::new(), Refusal::AlreadyThere), None);
    }
}
