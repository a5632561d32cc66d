//! The stories of `tests/fixtures/notices` through the machines as the engine wires them, with the record that a restart
//! reads and the words that a person reads.

use std::path::Path;

use jiff::Timestamp;
use vacancy::core::alert::Notice;
use vacancy::core::alert::usual::Usual;
use vacancy::core::board::{Detail, Spent};
use vacancy::core::outcome::Outcome;
use vacancy::core::sample::Sample;
use vacancy::core::schedule::{Event, ScheduleConfig, Setup};
use vacancy::core::simulate::story::{Act, Actor, Story, line, play};
use vacancy::engine::machines::{Machines, Task};
use vacancy::engine::notices::{Scene, Words, message};
use vacancy::engine::snapshot::{ActivityEvent, EngineStatus};
use vacancy::i18n::{Lang, Tr};

/// The engine without its shells: what is probed is what the story shows, and nothing else comes back.
struct Player<'a> {
    story: &'a Story,
    setup: Setup,
    machines: Machines,
    record: Vec<Sample>,
    is_started: bool,
}

impl<'a> Player<'a> {
    fn new(story: &'a Story) -> Self {
        let setup = Setup {
            config: ScheduleConfig::default(),
            zone: story.zone.clone(),
            targets: story.targets.clone(),
            provider_caps: Default::default(),
        };
        let machines = machines(story, &setup);
        Self { story, setup, machines, record: Vec::new(), is_started: false }
    }

    fn start(&mut self, kept: &str, now: Timestamp) -> Vec<Task> {
        self.machines = machines(self.story, &self.setup);
        self.machines.recall_notices(kept);
        let spent = self.machines.restore(self.record.clone().into(), now);
        self.machines.start(spent, now)
    }

    /// Stores what is to be stored and gives up what is to be probed.
    fn carry_out(&mut self, mut tasks: Vec<Task>, is_asked: bool, now: Timestamp) -> Vec<Notice> {
        let mut notices = Vec::new();
        while !tasks.is_empty() {
            let mut more = Vec::new();
            for task in tasks {
                match task {
                    Task::Probe { .. } if is_asked => {}
                    Task::Probe { target, .. } => {
                        more.extend(self.machines.probed(&target, Spent::default(), None, now));
                    }
                    Task::Store(sample) => self.record.push(sample),
                    Task::Notify(notice) => notices.push(notice),
                }
            }
            tasks = more;
        }
        notices
    }
}

fn machines(story: &Story, setup: &Setup) -> Machines {
    let mut machines = Machines::new(setup.clone(), fastrand::Rng::with_seed(3));
    machines.configure_notices(story.config.clone(), Timestamp::UNIX_EPOCH);
    for (target, usually) in &story.usual {
        machines.learn_usual(target.clone(), Usual::always(*usually));
    }
    machines
}

impl Actor for Player<'_> {
    fn wake_at(&self) -> Option<Timestamp> {
        self.machines.wake_at()
    }

    fn tick(&mut self, now: Timestamp) -> Vec<Notice> {
        let tasks = self.machines.event(Event::Tick, now);
        self.carry_out(tasks, false, now)
    }

    fn act(&mut self, act: &Act, now: Timestamp) -> Vec<Notice> {
        let mut notices = Vec::new();
        if !std::mem::replace(&mut self.is_started, true) {
            let tasks = self.start("", now);
            notices.extend(self.carry_out(tasks, false, now));
        }
        let tasks = match act {
            Act::Probed(sample) => {
                let asked = self.machines.event(Event::ProbeNow(vec![sample.target.clone()]), now);
                notices.extend(self.carry_out(asked, true, now));
                let Detail { excerpt, wait_helps, switch_helps } = Detail::of_record(sample.kind, sample.scope);
                let outcome = Outcome {
                    kind: sample.kind,
                    scope: sample.scope,
                    retry_after: None,
                    wait_helps,
                    switch_helps,
                    rule: sample.rule.clone(),
                    excerpt,
                };
                self.machines.probed(&sample.target, Spent::default(), Some((sample.clone(), outcome)), now)
            }
            Act::Heard(sample) => self.machines.heard(sample, now),
            Act::Windows(provider, windows) => self.machines.learn_windows(provider, windows, now),
            Act::Jump => self.machines.event(Event::ClockJumped, now),
            Act::Restart => {
                let kept = self.machines.notices_text();
                self.start(&kept, now)
            }
            Act::Pause(true) => self.machines.event(Event::Pause(None), now),
            Act::Pause(false) => self.machines.event(Event::Resume, now),
            Act::Snooze(target, until) => self.machines.snooze(std::slice::from_ref(target), Some(*until), now),
            Act::DoNotDisturb(until) => self.machines.do_not_disturb(Some(*until), now),
            Act::Configure(targets, config) => {
                self.setup.targets.clone_from(targets);
                let tasks = self.machines.configure(self.setup.clone(), now);
                self.machines.configure_notices(config.clone(), now);
                tasks
            }
            Act::End => self.machines.event(Event::Tick, now),
        };
        notices.extend(self.carry_out(tasks, false, now));
        notices
    }
}

fn stories() -> Vec<(String, Story)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/notices");
    let mut stories: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let story = Story::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, story)
        })
        .collect();
    stories.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(stories.len() > 50);
    stories
}

#[test]
fn every_story_has_exactly_its_notices_and_they_stand_in_activity() {
    let mut faults = String::new();
    for (name, story) in stories() {
        let mut player = Player::new(&story);
        let notices = play(&story, &mut player);
        let lines: Vec<String> = notices.iter().map(line).collect();
        if lines != story.notices {
            faults += &format!("\n{name}\n  {}\nnot\n  {}\n", lines.join("\n  "), story.notices.join("\n  "));
        }
        let end = story.acts.last().unwrap().0;
        let snapshot = player.machines.snapshot(EngineStatus::default(), end);
        let in_activity: Vec<&Notice> = snapshot
            .activity
            .iter()
            .rev()
            .filter_map(|line| if let ActivityEvent::Notice(notice) = &line.event { Some(notice) } else { None })
            .collect();
        let mut expected: Vec<&Notice> = notices.iter().collect();
        expected.sort_by_key(|notice| notice.at);
        assert_eq!(in_activity, expected, "{name}");
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn every_notice_has_words_in_both_languages_and_facts_for_programs() {
    for (name, story) in stories() {
        let mut player = Player::new(&story);
        for notice in play(&story, &mut player) {
            for lang in Lang::ALL {
                let tr = Tr::new(lang);
                let board = player.machines.board();
                let scene = Scene { board, zone: &story.zone, now: notice.at, tr: &tr };
                let Words { summary, body } = scene.words(&notice);
                for text in [&summary, &body] {
                    assert!(!text.is_empty() && !text.contains('{') && !text.contains("notice-"), "{name}: {text}");
                }
                assert!(summary.chars().count() <= 60, "{name}: {summary}");
                let message = message(&notice, &scene);
                assert_eq!(message.buttons.len(), notice.offers.len());
                assert_eq!(message.facts["kind"], notice.subject.name());
                assert_eq!(message.facts["at"], notice.at.to_string());
            }
        }
    }
}

#[test]
fn a_notice_reads_like_this() {
    let (_, story) = stories().into_iter().find(|(name, _)| name == "outage").unwrap();
    let mut player = Player::new(&story);
    let notices = play(&story, &mut player);
    let words = |lang: Lang| {
        let tr = Tr::new(lang);
        let scene = Scene { board: player.machines.board(), zone: &story.zone, now: notices[1].at, tr: &tr };
        notices
            .iter()
            .map(|notice| {
                let Words { summary, body } = scene.words(notice);
                let labels: Vec<String> = notice.offers.iter().map(|offer| scene.label(offer)).collect();
                format!("{summary} | {body} | {}", labels.join(" / "))
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(Lang::English),
        [
            "sol is full | luna is free. | Use luna now / Snooze for 1 h",
            "sol is free again | It was not free for 25 min. At this hour it usually stays free for about 2 h (n = 9). | \
         Switch back to sol / Snooze for 1 h",
        ]
    );
    assert_eq!(words(Lang::Chinese)[0], "sol 已满载 | luna 现在可用。 | 立即使用 luna / 暂停提醒 1 小时");
}

#[test]
fn a_target_in_two_chains_is_one_target() {
    let text = r#"
        provider = [{ id = "near", dialect = "openai-chat", base_url = "http://127.0.0.1:9" }]
        target = [{ id = "sol", provider = "near", model = "sol", role = "primary" },
                  { id = "luna", provider = "near", model = "luna", role = "backup" }]
        chain = [{ name = "main", targets = ["sol", "luna"] }, { name = "other", tool = "codex", targets = ["luna", "sol"] }]
    "#;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("vacancy.toml");
    std::fs::write(&path, text).unwrap();
    let settings = vacancy::settings::Settings::load(&path).unwrap();
    let mut story = Story::parse(
        "target sol near primary\ntarget luna near backup\n09:00..10:00/10m sol,luna free\n10:10 sol full\n\
         10:10:30 sol full\n10:20 sol free\n10:20:30 sol free\n11:00 end\n",
    )
    .unwrap();
    story.targets = settings.setup(&story.zone).targets;
    let told: Vec<String> = play(&story, &mut Player::new(&story)).iter().map(line).collect();
    assert_eq!(told, ["10:10:50 > full sol at_capacity -> luna", "10:20:50 > recovered sol after 10m"]);
}
