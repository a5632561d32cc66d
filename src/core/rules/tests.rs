//! Traces as tables, and what must hold whatever happens.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::core::board::{Board, Detail};
use crate::core::outcome::{Kind, Scope};
use crate::core::sample::{Sample, Source};
use crate::core::schedule::Thresholds;
use crate::core::simulate::WorldDefaults;
use crate::core::target::{DailyCap, Role, TargetId};

const HOLD: i64 = 20;
const CHAIN: [&str; 3] = ["sol", "terra", "luna"];

fn at(minute: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
}

fn seat() -> Seat {
    Seat { tool: "codex".into(), home: "/home/u/.codex".into() }
}

fn rule(failover: Mode, back: Mode) -> Rule {
    Rule { failover, back, hold: Duration::from_secs(60 * HOLD.unsigned_abs()), ahead: false }
}

/// A tool, its file and its journal, a board that is probed every minute, and the rules between them.
struct Scene {
    rules: Rules,
    rule: Rule,
    board: Board,
    uses: TargetId,
    past: Vec<Past>,
    now: i64,
    /// What was done and asked, with its minute.
    log: Vec<(i64, String)>,
    open: bool,
    is_quiet: bool,
    /// Refuse what is tried.
    refuses: bool,
}

impl Scene {
    fn new(rule: Rule) -> Self {
        let defaults = WorldDefaults { cap: DailyCap { requests: 1, tokens: 1 }, tokens_per_probe: 1 };
        let roles = [Role::Primary, Role::Backup, Role::Emergency];
        let target = |(id, role): (&&str, Role)| Arc::new(defaults.target(TargetId::from(*id), None, role));
        Self {
            rules: Rules::new(Self::tools(rule), Memory::default(), at(0)),
            rule,
            board: Board::new(CHAIN.iter().zip(roles).map(target)),
            uses: "sol".into(),
            past: Vec::new(),
            now: 0,
            log: Vec::new(),
            open: false,
            is_quiet: false,
            refuses: false,
        }
    }

    fn tools(rule: Rule) -> Vec<ToolRule> {
        vec![ToolRule { tool: "codex".into(), rule, chain: CHAIN.iter().map(|id| TargetId::from(*id)).collect() }]
    }

    fn sample(&mut self, target: &str, kind: Kind) {
        let scope = match kind {
            Kind::Network => Scope::Local,
            Kind::UsageLimit | Kind::RateLimited | Kind::Auth => Scope::Account,
            _ => Scope::Model,
        };
        let outcome = crate::core::outcome::Outcome {
            kind,
            scope,
            retry_after: None,
            wait_helps: true,
            switch_helps: true,
            rule: "test".into(),
            excerpt: String::new(),
        };
        let timing = crate::core::exchange::Timing::default();
        let sample = Sample::new(target.into(), Source::Probe, at(self.now), None, timing, &outcome);
        self.board.apply(&sample, Detail::from(&outcome), &Thresholds::default());
    }

    fn seen(&self) -> Seen {
        Seen {
            seat: seat(),
            uses: Some(self.uses.clone()),
            found: Some(self.uses.as_str().to_owned()),
            reaches: CHAIN.iter().map(|id| TargetId::from(*id)).collect(),
            past: self.past.clone(),
        }
    }

    fn record(&mut self, did: Did) -> u64 {
        let id = self.past.len() as u64 + 1;
        self.past.push(Past { id, at: at(self.now), did });
        id
    }

    /// What the hands do with a step.
    fn carry_out(&mut self, step: &Step) {
        let refusal = if self.uses != step.from {
            Some(Refusal::ChangedByOther { found: Some(self.uses.as_str().to_owned()) })
        } else if self.refuses {
            Some(Refusal::Said { words: "masked".into() })
        } else {
            self.uses = step.to.clone();
            self.record(Did::Rule { way: step.way, from: step.from.clone(), to: step.to.clone() });
            None
        };
        let is_told = self.rules.done(step, refusal.as_ref(), &self.board);
        let what = match refusal {
            None => format!("{}>{}", step.from, step.to),
            Some(Refusal::ChangedByOther { .. }) if is_told => "left".into(),
            Some(_) if is_told => "refused".into(),
            Some(_) => "silent".into(),
        };
        self.log.push((self.now, what));
        self.rules.seen(vec![self.seen()], at(self.now));
    }

    fn decide(&mut self) {
        for _ in 0..4 {
            let effects = self.rules.decide(&self.board, at(self.now), self.is_quiet);
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                match effect {
                    Effect::Look => self.rules.seen(vec![self.seen()], at(self.now)),
                    Effect::Do(step) => self.carry_out(&step),
                    Effect::Ask(step) => {
                        assert!(!std::mem::replace(&mut self.open, true), "one question at a time");
                        self.log.push((self.now, format!("{}>{}?", step.from, step.to)));
                    }
                    Effect::Withdraw(_) => {
                        assert!(std::mem::replace(&mut self.open, false), "nothing was asked");
                        self.log.push((self.now, "moot".into()));
                    }
                    Effect::Left { found, .. } => {
                        self.log.push((self.now, format!("left {}", found.unwrap_or_default())));
                    }
                }
            }
        }
    }

    /// A minute passes; each target answers so.
    fn minute(&mut self, states: [Kind; 3]) {
        self.now += 1;
        for (target, kind) in CHAIN.into_iter().zip(states) {
            self.sample(target, kind);
        }
        self.decide();
    }

    fn minutes(&mut self, count: i64, states: [Kind; 3]) {
        for _ in 0..count {
            self.minute(states);
        }
    }

    fn restart(&mut self) {
        let text = serde_json::to_string(&self.rules.memory()).unwrap();
        let memory = serde_json::from_str(&text).unwrap();
        // What was seen before the start does not count, so the start is taken to be before it: a probe follows at once.
        self.rules = Rules::new(Self::tools(self.rule), memory, at(0));
    }

    fn user_sets(&mut self, target: &str) {
        self.uses = target.into();
    }

    fn undo_last(&mut self) {
        let last = self.past.iter().rev().find(|past| matches!(past.did, Did::Rule { .. })).unwrap().clone();
        let Did::Rule { from, .. } = last.did else { unreachable!() };
        self.uses = from;
        self.record(Did::Undone { of: last.id });
        self.rules.want_look();
    }

    fn told(&self) -> Vec<&str> {
        self.log.iter().map(|(_, what)| what.as_str()).collect()
    }
}

use Kind::{
    AtCapacity as FULL, Auth as KEY, Available as FREE, Network as OWN, RateLimited as RATE, UsageLimit as LIMIT,
};

const ALL: [Kind; 3] = [FREE; 3];
const AWAY: [Kind; 3] = [FULL, FREE, FREE];

fn auto() -> Scene {
    let mut scene = Scene::new(rule(Mode::Auto, Mode::Auto));
    scene.minutes(5, ALL);
    scene
}

#[test]
fn away_when_full_and_back_after_the_hold() {
    let mut scene = auto();
    scene.minutes(10, AWAY);
    assert_eq!(scene.told(), ["sol>terra"]);
    assert_eq!(scene.log[0].0, 7, "with the second refusal");
    scene.minutes(HOLD - 1, ALL);
    assert_eq!(scene.told().len(), 1, "not before the hold");
    scene.minutes(3, ALL);
    assert_eq!(scene.told(), ["sol>terra", "terra>sol"]);
    assert_eq!(scene.log[1].0, 5 + 10 + 1 + HOLD, "free so long");
    scene.minutes(100, ALL);
    assert_eq!(scene.told().len(), 2);
}

#[test]
fn what_moves_a_tool_and_what_does_not() {
    let cases: &[([Kind; 3], &[&str])] = &[
        ([FULL, FREE, FREE], &["sol>terra"]),
        ([FULL, FULL, FREE], &["sol>luna"]),
        ([FULL, FULL, FULL], &[]),
        ([LIMIT, FREE, FREE], &["sol>terra"]),
        ([Kind::ServerError, FREE, FREE], &["sol>terra"]),
        ([RATE, FREE, FREE], &[]),
        ([KEY, FREE, FREE], &[]),
        ([OWN, OWN, OWN], &[]),
        ([FREE, FULL, FULL], &[]),
    ];
    for (states, expected) in cases {
        let mut scene = auto();
        scene.minutes(10, *states);
        assert_eq!(scene.told(), *expected, "{states:?}");
    }
    for (mode, expected) in [(Mode::Off, &[][..]), (Mode::Ask, &["sol>terra?"]), (Mode::Auto, &["sol>terra"])] {
        let mut scene = Scene::new(rule(mode, Mode::Auto));
        scene.minutes(5, ALL);
        scene.minutes(10, AWAY);
        assert_eq!(scene.told(), expected, "{mode:?}");
    }
}

#[test]
fn old_states_and_those_of_before_the_start_move_nothing() {
    let mut scene = auto();
    scene.minutes(2, [FULL, OWN, OWN]);
    scene.now += 60;
    scene.decide();
    assert!(scene.told().is_empty(), "what was free an hour ago is not free");
    let mut scene = Scene::new(rule(Mode::Auto, Mode::Auto));
    scene.rules = Rules::new(Scene::tools(scene.rule), Memory::default(), at(8));
    scene.minutes(7, AWAY);
    scene.now += 2;
    scene.decide();
    assert!(scene.told().is_empty(), "nothing is written at a start for what was before it");
    scene.minute(AWAY);
    assert_eq!(scene.told(), ["sol>terra"]);
}

#[test]
fn nothing_is_switched_while_nothing_is_probed() {
    let mut scene = auto();
    scene.is_quiet = true;
    scene.minutes(10, AWAY);
    assert!(scene.told().is_empty());
    scene.is_quiet = false;
    scene.minute(AWAY);
    assert_eq!(scene.told(), ["sol>terra"]);
}

#[test]
fn on_along_the_chain_and_back_early_when_the_stand_in_is_full_too() {
    let mut scene = auto();
    scene.minutes(3, AWAY);
    scene.minutes(3, [FULL, FULL, FREE]);
    assert_eq!(scene.told(), ["sol>terra", "terra>luna"]);
    scene.minutes(3, [FREE, FULL, FULL]);
    assert_eq!(scene.told(), ["sol>terra", "terra>luna", "luna>sol"], "the only one that is free");
    assert_eq!(
        scene.past.last().map(|past| &past.did),
        Some(&Did::Rule { way: Move::Back, from: "luna".into(), to: "sol".into() })
    );
}

#[test]
fn a_return_that_did_not_last_doubles_the_hold() {
    let mut scene = auto();
    let mut lengths = Vec::new();
    for _ in 0..6 {
        scene.minutes(3, AWAY);
        let left = scene.log.last().unwrap().0;
        while scene.uses != "sol".into() {
            scene.minute(ALL);
        }
        lengths.push((scene.now - left) / HOLD);
    }
    assert_eq!(lengths, [1, 2, 4, 8, 8, 8]);
    scene.minutes(HOLD * 9, ALL);
    scene.minutes(3, AWAY);
    let left = scene.now;
    while scene.uses != "sol".into() {
        scene.minute(ALL);
    }
    assert!((HOLD..HOLD + 3).contains(&(scene.now - left)), "a return that lasted starts afresh");
}

#[test]
fn another_hands_value_is_left_alone_and_said_once() {
    let mut scene = auto();
    scene.minutes(3, AWAY);
    scene.user_sets("luna");
    scene.minutes(HOLD + 5, ALL);
    assert_eq!(scene.told(), ["sol>terra", "left luna"]);
    scene.restart();
    scene.minutes(60, AWAY);
    scene.minutes(60, ALL);
    assert_eq!(scene.told().len(), 2, "his choice stays, and is said once, also over a restart");
    scene.user_sets("sol");
    scene.rules.want_look();
    scene.minutes(3, AWAY);
    assert_eq!(scene.told(), ["sol>terra", "left luna", "sol>terra"], "he uses the first model again");
}

#[test]
fn another_choice_while_nothing_was_switched_is_no_news() {
    let mut scene = auto();
    scene.user_sets("luna");
    scene.minutes(10, AWAY);
    assert_eq!(scene.told(), ["silent"]);
    assert!(matches!(
        &scene.rules.states(&scene.board, at(scene.now))[..],
        [RuleState { phase: Phase::OwnChoice { .. }, .. }]
    ));
}

#[test]
fn an_undo_holds_the_rule_off_until_the_next_change() {
    let mut scene = auto();
    scene.minutes(3, AWAY);
    scene.undo_last();
    scene.minutes(60, AWAY);
    assert_eq!(scene.told(), ["sol>terra"]);
    assert!(matches!(
        &scene.rules.states(&scene.board, at(scene.now))[..],
        [RuleState { phase: Phase::HeldOff { .. }, .. }]
    ));
    scene.restart();
    scene.minutes(10, AWAY);
    assert_eq!(scene.told(), ["sol>terra"], "also over a restart");
    scene.minutes(3, ALL);
    scene.minutes(3, AWAY);
    assert_eq!(scene.told(), ["sol>terra", "sol>terra"]);
    scene.undo_last();
    scene.minutes(3, AWAY);
    let louder = Rule { ahead: true, ..scene.rule };
    scene.rules.configure(Scene::tools(louder), at(scene.now));
    scene.minutes(1, AWAY);
    assert_eq!(scene.told().len(), 3, "set anew");
}

#[test]
fn a_refusal_is_said_once_an_occasion() {
    let mut scene = auto();
    scene.refuses = true;
    scene.minutes(60, AWAY);
    assert_eq!(scene.told(), ["refused"]);
    scene.minutes(5, ALL);
    scene.minutes(5, AWAY);
    assert_eq!(scene.told(), ["refused", "refused"]);
}

#[test]
fn a_question_stands_until_it_is_moot() {
    let mut scene = Scene::new(rule(Mode::Ask, Mode::Ask));
    scene.minutes(5, ALL);
    scene.minutes(30, AWAY);
    assert_eq!(scene.told(), ["sol>terra?"]);
    scene.restart();
    scene.minutes(5, AWAY);
    assert_eq!(scene.told(), ["sol>terra?"], "not asked again by a restart");
    scene.minutes(3, ALL);
    assert_eq!(scene.told(), ["sol>terra?", "moot"]);
    scene.minutes(5, AWAY);
    scene.minutes(3, [FULL, FULL, FREE]);
    assert_eq!(scene.told(), ["sol>terra?", "moot", "sol>terra?", "moot", "sol>luna?"]);

    let steps = scene.rules.accept(Some("codex"), &"luna".into(), &scene.board, at(scene.now));
    let [step] = &steps[..] else { panic!("{steps:?}") };
    scene.carry_out(step);
    scene.minutes(2, [FULL, FULL, FREE]);
    assert_eq!(scene.told()[5..], ["sol>luna", "moot"], "the answer is the rule's own switch");
    scene.minutes(HOLD + 3, ALL);
    assert_eq!(scene.told()[7..], ["luna>sol?"]);
}

#[test]
fn a_click_is_the_rules_own_only_where_the_rule_would_have_moved() {
    let mut scene = auto();
    let accept =
        |scene: &Scene, target: &str| scene.rules.accept(None, &target.into(), &scene.board, at(scene.now)).len();
    assert_eq!(accept(&scene, "terra"), 0, "the first model is free: it is the user's own choice");
    scene.minutes(3, AWAY);
    assert_eq!((accept(&scene, "terra"), accept(&scene, "luna"), accept(&scene, "sol")), (0, 1, 1));
}

#[test]
fn ahead_of_a_known_busy_time_and_back_after_it() {
    let mut scene = Scene::new(Rule { ahead: true, ..rule(Mode::Auto, Mode::Auto) });
    let busy = |start, end| vec![Busy { start: at(start), end: at(end) }];
    scene.rules.set_busy(HashMap::from([("sol".into(), busy(100, 160)), ("terra".into(), busy(90, 120))]));
    scene.minutes(88, ALL);
    assert!(scene.told().is_empty());
    assert_eq!(scene.rules.wake_at(&scene.board, at(88)), Some(at(90)));
    scene.minutes(5, ALL);
    assert_eq!(scene.log, [(90, "sol>luna".to_owned())], "ten minutes before, and not to one that is busy then too");
    scene.minutes(66, ALL);
    assert_eq!(scene.log.len(), 1, "it stays away while the busy time is on, free or not");
    scene.minutes(3, ALL);
    assert_eq!(scene.log[1], (160, "luna>sol".to_owned()));
    scene.minutes(100, ALL);
    assert_eq!(scene.log.len(), 2);
}

#[test]
fn what_is_shown_of_a_tool_that_is_away() {
    let mut scene = auto();
    scene.minutes(3, AWAY);
    let back = |scene: &Scene| match &scene.rules.states(&scene.board, at(scene.now))[0].phase {
        Phase::StandingIn { back, .. } => *back,
        other => panic!("{other:?}"),
    };
    assert_eq!(back(&scene), Return::WhenFree(scene.rule.hold));
    scene.minutes(2, ALL);
    assert_eq!(back(&scene), Return::At(at(9 + HOLD)));
    assert_eq!(scene.rules.wake_at(&scene.board, at(scene.now)), Some(at(9 + HOLD)));
}

#[derive(Clone, Copy, Debug)]
enum Event {
    States(u8, u8, u8),
    User(u8),
    Undo,
    Restart,
    Quiet(bool),
    Silence(u8),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        12 => (0..6_u8, 0..6_u8, 0..6_u8).prop_map(|(a, b, c)| Event::States(a, b, c)),
        1 => (0..3_u8).prop_map(Event::User),
        1 => Just(Event::Undo),
        1 => Just(Event::Restart),
        1 => any::<bool>().prop_map(Event::Quiet),
        1 => (1..40_u8).prop_map(Event::Silence),
    ]
}

fn kind(of: u8) -> Kind {
    [FREE, FREE, FULL, FULL, RATE, OWN][usize::from(of)]
}

/// Plays a trace; a restart where one stands if `restarts`.
fn played(events: &[(Event, u8)], restarts: bool) -> Scene {
    let mut scene = Scene::new(Rule { ahead: false, ..rule(Mode::Auto, Mode::Auto) });
    for (event, minutes) in events {
        match event {
            Event::States(a, b, c) => scene.minutes(i64::from(*minutes), [kind(*a), kind(*b), kind(*c)]),
            Event::User(target) => {
                scene.user_sets(CHAIN[usize::from(*target)]);
                scene.rules.want_look();
            }
            Event::Undo if matches!(scene.past.last(), Some(Past { did: Did::Rule { .. }, .. })) => {
                // The user's undo is refused where the value is not ours any more.
                if let Some(Past { did: Did::Rule { to, .. }, .. }) = scene.past.last()
                    && *to == scene.uses
                {
                    scene.undo_last();
                }
            }
            Event::Undo => {}
            Event::Restart if restarts => scene.restart(),
            Event::Restart => scene.rules.want_look(),
            Event::Quiet(is_quiet) => scene.is_quiet = *is_quiet,
            Event::Silence(minutes) => {
                scene.now += i64::from(*minutes);
                scene.decide();
            }
        }
    }
    scene
}

proptest! {
    #![proptest_config(crate::properties::cases(400))]

    #[test]
    fn whatever_happens(events in prop::collection::vec((event(), 1..30_u8), 1..40)) {
        let scene = played(&events, true);
        let moves: Vec<(i64, Move, &TargetId, &TargetId)> = scene.past.iter().filter_map(|past| match &past.did {
            Did::Rule { way, from, to } => Some((past.at.as_second() / 60, *way, from, to)),
            _ => None,
        }).collect();
        // A tool is written only while it uses what the rule thinks: `carry_out` would have logged another target.
        for (at, way, from, to) in &moves {
            prop_assert_ne!(from, to);
            let again = moves.iter().filter(|(later, _, _, other)| other == to && later > at && later - at < HOLD);
            prop_assert_eq!(again.count(), 0, "entered {} twice within a hold", to);
            prop_assert!(*way != Move::Back || to.as_str() == "sol");
        }
        // Each way out ends with the way back, a step on, or the user's own word.
        let has_user = events.iter().any(|(event, _)| matches!(event, Event::User(_) | Event::Undo));
        let is_twice_back = moves.windows(2).any(|pair| pair[0].1 == Move::Back && pair[1].1 == Move::Back);
        prop_assert!(has_user || !is_twice_back, "back without having left");
        let last = moves.last().filter(|_| !has_user);
        prop_assert!(last.is_none_or(|(_, _, _, to)| **to == scene.uses), "what it left is what is used");
    }

    #[test]
    fn a_restart_anywhere_changes_nothing(events in prop::collection::vec((event(), 1..30_u8), 1..40)) {
        let (with, without) = (played(&events, true), played(&events, false));
        prop_assert_eq!(with.past, without.past);
        prop_assert_eq!(with.log, without.log);
    }
}
