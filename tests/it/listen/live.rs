use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use vacancy::clock::{Clock as _, SystemClock};
use vacancy::core::outcome::Kind;
use vacancy::listen::Tool;
use vacancy::listen::cursor::Cursor;
use vacancy::listen::disk::{NotingDisk, RealDisk};
use vacancy::listen::homes::{Home, homes};
use vacancy::listen::tail::{Ears, Heard, Hearer, Listening};

use super::{Rollout, no_env, put, roots};

const PATH: &str = ".codex/sessions/2026/11/20/rollout-x.jsonl";

fn all_homes(home: &Path) -> Vec<Home> {
    homes(&roots(home), &no_env())
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// Ears in one run after another, with the cursors that were handed over.
struct Runs {
    home: tempfile::TempDir,
    ears: Ears,
    kept: HashMap<String, String>,
    now: Timestamp,
    kinds: Vec<Kind>,
}

impl Runs {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let ears = Ears::new(all_homes(home.path()), Arc::new(RealDisk), HashMap::new());
        Self { home, ears, kept: HashMap::new(), now: SystemClock.now(), kinds: Vec::new() }
    }

    fn take(&mut self, heard: Heard) -> Heard {
        let cursors = heard.cursors.iter().cloned();
        self.kept.extend(cursors.map(|(key, value)| (key.trim_start_matches(Cursor::PREFIX).to_owned(), value)));
        self.kinds.extend(heard.observations.iter().map(|one| one.kind));
        heard
    }

    fn look(&mut self) -> Heard {
        let heard = self.ears.relist(self.now);
        self.take(heard)
    }

    fn restart(&mut self) {
        let heard = self.ears.close(self.now);
        self.take(heard);
        self.ears = Ears::new(all_homes(self.home.path()), Arc::new(RealDisk), self.kept.clone());
    }
}

#[test]
fn what_a_session_writes_is_heard_once_and_a_restart_goes_on() {
    let mut runs = Runs::new();
    let mut rollout = Rollout::new(runs.now);
    let path = put(runs.home.path(), PATH, rollout.head());
    assert!(runs.look().observations.is_empty());
    append(&path, rollout.turn(None).as_bytes());
    let heard = runs.look();
    assert_eq!(heard.observations[0].latency_ms, Some(700));
    assert_eq!(heard.limits[0].used_percent, 82.0);
    assert_eq!(heard.running, [(Tool::Codex, 1)]);
    assert_eq!(runs.look().observations, []);
    let turn = rollout.turn(Some("server_overloaded"));
    let (first, second) = turn.split_at(turn.len() - 40);
    append(&path, first.as_bytes());
    assert_eq!(runs.look().observations, [], "the line is not whole");
    runs.restart();
    append(&path, second.as_bytes());
    assert_eq!(runs.look().observations[0].kind, Kind::AtCapacity);
    runs.restart();
    append(&path, rollout.turn(Some("usage_limit_exceeded")).as_bytes());
    runs.look();
    assert_eq!(runs.kinds, [Kind::Available, Kind::AtCapacity, Kind::UsageLimit]);
}

#[test]
fn a_file_that_is_cut_short_replaced_or_moved_is_understood() {
    let mut runs = Runs::new();
    let mut rollout = Rollout::new(runs.now);
    let path = put(runs.home.path(), PATH, rollout.head() + &rollout.turn(None) + &rollout.turn(None));
    runs.look();
    assert_eq!(runs.kinds.len(), 2);
    // Another session in the same place, shorter.
    let mut other = Rollout::new(runs.now.checked_add(SignedDuration::from_secs(60)).unwrap());
    std::fs::write(&path, other.head() + &other.turn(Some("server_overloaded"))).unwrap();
    assert_eq!(runs.look().observations.len(), 1);
    // Archived while it is followed, and resumed there.
    let archived = runs.home.path().join(".codex/archived_sessions/rollout-x.jsonl");
    std::fs::create_dir_all(archived.parent().unwrap()).unwrap();
    std::fs::rename(&path, &archived).unwrap();
    append(&archived, other.turn(None).as_bytes());
    assert_eq!(runs.look().observations.len(), 1);
    std::fs::remove_file(&archived).unwrap();
    assert!(runs.look().observations.is_empty());
}

#[test]
fn of_a_large_file_only_the_end_is_read_at_first_sight() {
    let mut runs = Runs::new();
    let mut rollout = Rollout::new(runs.now);
    let mut text = rollout.head() + &rollout.turn(None);
    let filler = "x".repeat(5 << 20);
    for _ in 0..3 {
        text += &format!(
            "{{\"timestamp\":\"{:.3}\",\"type\":\"response_item\",\"payload\":{{\"text\":\"{filler}\"}}}}\n",
            runs.now
        );
    }
    text += &rollout.turn(Some("server_overloaded"));
    let path = put(runs.home.path(), PATH, text);
    let heard = runs.look();
    assert_eq!(heard.observations.iter().map(|one| one.kind).collect::<Vec<_>>(), [Kind::AtCapacity]);
    assert_eq!(heard.observations[0].provider.as_ref().unwrap().as_str(), "openai", "from the first line");
    append(&path, rollout.turn(None).as_bytes());
    assert_eq!(runs.look().observations.len(), 1);
}

/// Writes turns in pieces, with looks and restarts between them, and tells what was heard and what should be.
fn heard_in_pieces(turns: &[bool], steps: &[(usize, u8)]) -> (Vec<Kind>, Vec<Kind>) {
    let mut runs = Runs::new();
    let mut rollout = Rollout::new(runs.now);
    let mut text = rollout.head();
    for is_free in turns {
        text += &rollout.turn((!is_free).then_some("server_overloaded"));
    }
    let path = put(runs.home.path(), PATH, "");
    let (mut rest, mut steps) = (text.as_bytes(), steps.iter().cycle());
    while !rest.is_empty() {
        let (size, what) = steps.next().unwrap();
        let (piece, after) = rest.split_at(rest.len().min(*size));
        append(&path, piece);
        rest = after;
        match what {
            0 => runs.restart(),
            1..=3 => drop(runs.look()),
            _ => {}
        }
    }
    runs.look();
    runs.restart();
    let expected = turns.iter().map(|free| if *free { Kind::Available } else { Kind::AtCapacity }).collect();
    (runs.kinds, expected)
}

proptest! {
    #![proptest_config(crate::support::properties::cases(24))]

    #[test]
    fn however_writes_looks_and_restarts_fall_each_request_is_heard_once(
        turns in proptest::collection::vec(any::<bool>(), 1..6),
        steps in proptest::collection::vec((1_usize..900, 0_u8..6), 1..30),
    ) {
        let (heard, expected) = heard_in_pieces(&turns, &steps);
        prop_assert_eq!(heard, expected);
    }
}

/// Found by the property above.
#[test]
fn restarts_in_the_middle_of_the_first_line_lose_nothing() {
    let (heard, expected) = heard_in_pieces(&[false; 3], &[(119, 0), (165, 0), (414, 0), (405, 4), (85, 1), (160, 0)]);
    assert_eq!(heard, expected);
}

struct Channel(Vec<Home>, SyncSender<Heard>);

impl Hearer for Channel {
    fn homes(&mut self) -> Vec<Home> {
        self.0.clone()
    }

    fn hear(&mut self, heard: Heard) -> bool {
        self.1.send(heard).is_ok()
    }
}

#[test]
fn the_thread_hears_a_refusal_as_it_is_written_and_opens_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let mut rollout = Rollout::new(SystemClock.now());
    let path = put(home.path(), PATH, rollout.head());
    put(home.path(), ".codex/auth.json", "SECRET");
    let (sender, inbox) = sync_channel(64);
    let disk = Arc::new(NotingDisk::default());
    let hearer = Box::new(Channel(all_homes(home.path()), sender));
    let listening = Listening::start(hearer, disk.clone(), HashMap::new(), Arc::new(SystemClock)).unwrap();
    // The first listing is done: from now on the system's events tell.
    inbox.recv_timeout(Duration::from_secs(60)).unwrap();
    put(home.path(), ".codex/history.jsonl", "PROMPT");
    append(&path, rollout.turn(Some("server_overloaded")).as_bytes());
    loop {
        let heard = inbox.recv_timeout(Duration::from_secs(60)).unwrap();
        if let Some(first) = heard.observations.first() {
            assert_eq!(first.kind, Kind::AtCapacity);
            break;
        }
    }
    drop(inbox);
    drop(listening);
    assert!(disk.opened().iter().all(|opened| opened.ends_with("rollout-x.jsonl")));
}

/// The program itself, told by its own text board: from a line in a rollout to the picture and the record.
#[test]
fn a_live_sessions_refusals_reach_the_board_of_the_running_program() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let home = tempfile::tempdir().unwrap();
    put(
        home.path(),
        "own/config/vacancy.toml",
        "[[target]]\nid = \"mine\"\nprovider = \"codex\"\nmodel = \"gpt-6.2-sol\"\nrole = \"primary\"\n",
    );
    let mut rollout = Rollout::new(SystemClock.now().checked_sub(SignedDuration::from_mins(2)).unwrap());
    let path = put(home.path(), PATH, rollout.head() + &rollout.turn(None) + &rollout.turn(None));
    let mut child = Command::new(env!("CARGO_BIN_EXE_vacancy"))
        .args(["watch", "--silent", "--data"])
        .arg(home.path().join("own"))
        .arg("--home")
        .arg(home.path())
        .env_remove("CODEX_HOME")
        .env("LC_ALL", "C")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    // What is told is newer than the board that was printed.
    rollout.at = SystemClock.now();
    append(&path, rollout.turn(Some("server_overloaded")).as_bytes());
    append(&path, rollout.turn(Some("server_overloaded")).as_bytes());
    let told =
        lines.map(Result::unwrap).find(|line| line.contains("gpt-6.2-sol") && line.to_lowercase().ends_with("full"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(told.is_some());
}
