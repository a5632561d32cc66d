//! What the screens say, as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use vacancy::core::outcome::{Family, Kind, Scope};
use vacancy::core::target::{Role, Target};
use vacancy::engine::snapshot::Snapshot;
use vacancy::i18n::Tr;
use vacancy::ui::backfill::{self, Backfill, Steer};
use vacancy::ui::chrome::model::{BannerAction, Status, banners};
use vacancy::ui::format::Piece;
use vacancy::ui::screens::{activity, board, welcome};
use vacancy::ui::stage::Stage;
use vacancy::ui::state::UiState;

use super::stage::{afternoon, chinese, english, found, nothing, now, offline, zone};

fn sentence(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| if piece.is_strong { format!("*{}*", piece.text) } else { piece.text.clone() }).collect()
}

fn board_text(snapshot: &Snapshot, tr: &Tr) -> String {
    let model = board::model::Model::new(snapshot, None, &UiState::default(), now(), tr);
    let mut out = format!("{}\n{}\n{}\n", model.kicker, sentence(&model.headline), model.subline);
    for row in &model.rows {
        writeln!(
            out,
            "{} | {:?} | {} | {} | {} | {} | {} | {}",
            row.role, row.family, row.name, row.state, row.advice, row.first_token, row.next, row.next_words
        )
        .unwrap();
    }
    out
}

#[test]
fn the_board_names_the_first_free_model_and_says_why_the_others_are_not() {
    insta::assert_snapshot!(board_text(&afternoon(), &english()), @r#"
    Free now
    *gpt-6-luna* is your first free model
    gpt-5.6-sol has been full since 14:05. Waiting or another model helps; nothing is wrong on your side.
    Primary | Full | gpt-5.6-sol | Full for 22 min | another model, or wait | – | 14:30 | 14:30, in 3 min
    Backup | Available | gpt-6-luna | Available | free for 3 h 10 min | 0.9 s | 14:33 | 14:33, in 6 min
    Backup | Available | claude-sonnet-5 | Available, slow | free for 1 d 4 h | 7.4 s | 14:33 | 14:33, in 6 min
    Emergency | Limited | deepseek-v4 | Your rate limit | 2 min left; it ends by itself | – | 14:30 | 14:30, in 3 min
    Emergency | Fault | glm-5 | Server error for 51 min | their fault; try again later | – | 14:30 | 14:30, in 3 min
    Emergency | Blocked | qwen3-coder | Credit used up | add credit, or use another | – | – | not until you change something
    Watched | Unknown | llama-4-70b | Looking… | first answer in a few seconds | – | 14:28 | 14:28, in 1 min
    "#);
}

#[test]
fn the_board_in_chinese() {
    insta::assert_snapshot!(board_text(&afternoon(), &chinese()), @r#"
    当前可用
    *gpt-6-luna* 是你的首个可用模型
    gpt-5.6-sol 自 14:05 起满载。等待或换用其他模型即可，你这边没有问题。
    主用 | Full | gpt-5.6-sol | 满载 · 22 分钟 | 换用其他模型，或等待 | – | 14:30 | 14:30，3 分钟后
    备用 | Available | gpt-6-luna | 可用 | 可用时长 3 小时 10 分 | 0.9 秒 | 14:33 | 14:33，6 分钟后
    备用 | Available | claude-sonnet-5 | 可用，较慢 | 可用时长 1 天 4 小时 | 7.4 秒 | 14:33 | 14:33，6 分钟后
    应急 | Limited | deepseek-v4 | 触发你的速率限制 | 还剩 2 分钟，自行恢复 | – | 14:30 | 14:30，3 分钟后
    应急 | Fault | glm-5 | 服务器错误 · 51 分钟 | 对方故障，稍后再试 | – | 14:30 | 14:30，3 分钟后
    应急 | Blocked | qwen3-coder | 余额已用完 | 充值，或换用其他服务商 | – | – | 等你更改之后
    仅观察 | Unknown | llama-4-70b | 正在查看… | 首个结果几秒内到达 | – | 14:28 | 14:28，1 分钟后
    "#);
}

#[test]
fn two_targets_of_one_model_and_provider_are_told_apart_by_their_ids() {
    let mut stage = Stage::new(now(), zone());
    stage.target("glm-5", "router", Some(Role::Primary));
    let twin = stage.target("glm-5", "router", Some(Role::Backup));
    twin.target = Arc::new(Target { id: "router-eu".into(), ..(*twin.target).clone() });
    stage.target("glm-5", "zai", None);
    let shown = stage.snapshot();
    let rows = board::model::Model::new(&shown, None, &UiState::default(), now(), &english()).rows;
    let below: Vec<&str> = rows.iter().map(|row| &*row.provider).collect();
    assert_eq!(below, ["router · router/glm-5", "router · router-eu", "Z.ai"]);
}

/// The headline and the line below it for a board made of these states.
fn headline(states: &[(Option<Role>, Option<(Kind, Scope)>)]) -> String {
    let mut stage = Stage::new(now(), zone());
    for (n, (role, state)) in states.iter().enumerate() {
        stage.target(&format!("model-{n}"), "provider", *role);
        if let Some((kind, scope)) = state {
            stage.state(*kind, *scope, 12, "rule");
        }
    }
    let model = board::model::Model::new(&stage.snapshot(), None, &UiState::default(), now(), &english());
    format!("{} / {}", sentence(&model.headline), model.subline)
}

#[test]
fn every_case_of_the_headline() {
    let (primary, backup) = (Some(Role::Primary), Some(Role::Backup));
    let free = Some((Kind::Available, Scope::Model));
    let full = Some((Kind::AtCapacity, Scope::Model));
    let limited = Some((Kind::RateLimited, Scope::Account));
    let ours = Some((Kind::Timeout, Scope::Local));
    let cases = [
        headline(&[]),
        headline(&[(primary, None), (backup, None)]),
        headline(&[(primary, free), (backup, full)]),
        headline(&[(primary, full), (backup, free)]),
        headline(&[(primary, full), (backup, full), (backup, limited), (backup, ours), (None, free)]),
        headline(&[(backup, full), (backup, free)]),
        headline(&[(None, free)]),
        headline(&[(primary, None), (backup, free)]),
    ];
    insta::assert_snapshot!(cases.join("\n"), @r#"
    *Nothing is watched yet* / Add what was found on this machine, or a provider by hand in Settings
    *Looking…* / model-0 is being asked. The first answers take a few seconds.
    *model-0* is free / Your first choice, free since 14:15. Its newest answer began after 0.9 s.
    *model-1* is your first free model / model-0 has been full since 14:15. Waiting or another model helps; nothing is wrong on your side.
    *Nothing is free*, 2 full, 1 at your limit, 1 unknown / model-0 has been full since 14:15. Waiting or another model helps; nothing is wrong on your side.
    *model-1* is your first free model / No target has the role primary, so nothing is proposed first. Give roles in Settings.
    *Your chain is empty* / No target has the role primary, so nothing is proposed first. Give roles in Settings.
    *model-1* is your first free model / model-0 is being asked. The first answers take a few seconds.
    "#);
}

/// A target that only logs tell of, and one that was probed, both seen last so many minutes ago.
fn aged(minutes: i64) -> (Snapshot, jiff::Timestamp) {
    let mut stage = Stage::new(now(), zone());
    stage.target("gpt-6-luna", "codex", Some(Role::Primary));
    let entry = stage.state(Kind::Available, Scope::Model, 40, "rule");
    entry.hold = Some(vacancy::core::board::Hold::NeverProbed);
    stage.target("sol", "near", Some(Role::Backup));
    stage.state(Kind::AtCapacity, Scope::Model, 40, "rule");
    (stage.snapshot(), now() + jiff::SignedDuration::from_mins(minutes))
}

/// The same picture, looked at later: nothing else has to happen.
#[test]
fn what_is_old_is_said_to_be_old() {
    let said = |minutes: i64, tr: &Tr| {
        let (snapshot, now) = aged(minutes);
        let model = board::model::Model::new(&snapshot, None, &UiState::default(), now, tr);
        let rows =
            model.rows.iter().map(|row| format!("{:?}, {}: {}, {}", row.family, row.is_stale, row.state, row.advice));
        let (kicker, headline) = (model.kicker.clone(), sentence(&model.headline));
        let head = [format!("{kicker} / {headline}"), model.subline.clone()];
        head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    };
    let live = said(10, &english());
    assert!(live.starts_with("Free now / *gpt-6-luna* is free"), "{live}");
    assert!(live.contains("Available, false: Available, free for 50 min"), "{live}");
    let old = said(2 * 24 * 60, &english());
    assert!(old.starts_with("Last known / *gpt-6-luna* was free\n"), "{old}");
    assert!(old.contains("Unknown, true: Was free 2 d ago, not known now"), "{old}");
    assert!(old.contains("Unknown, true: Was full 2 d ago, not known now"), "{old}");
    assert!(old.contains("Whether it is free now is not known."), "{old}");
    let chinese = said(2 * 24 * 60, &chinese());
    assert!(chinese.starts_with("最近所知 / *gpt-6-luna* 此前可用"), "{chinese}");
    assert!(chinese.contains("前可用") && chinese.contains("前满载") && chinese.contains("现在情况未知"), "{chinese}");
}

#[test]
fn the_detail_goes_down_to_the_evidence_and_the_rule() {
    let snapshot = afternoon();
    let mut out = String::new();
    for entry in &snapshot.board.entries[..2] {
        let detail = board::model::Detail::new(entry, &snapshot, now(), &english());
        writeln!(out, "{} ({})", detail.name, detail.subtitle).unwrap();
        for fact in &detail.facts {
            writeln!(out, "  {}: {}", fact.label, fact.value).unwrap();
        }
        writeln!(out, "  {}", detail.evidence.join("\n  ")).unwrap();
        for recent in &detail.recent {
            writeln!(out, "  {:?} {} {} ({})", recent.family, recent.time, recent.words, recent.tail).unwrap();
        }
    }
    insta::assert_snapshot!(out, @r#"
    gpt-5.6-sol (codex-plan · Primary)
      Verdict: At capacity, this model only
      Since: 14:05, from 5 samples
      What helps: another model, or waiting
      Next look: 14:30, in 3 min
      Today: 42 of 144 requests, about 1,180 tokens
      14:26:00 probe, HTTP 503
      server_overloaded: Selected model is at capacity. Please try a different model.
      rule openai-server-overloaded
      Full 14:26 At capacity (probe, 1.3 s)
      Full 14:22 At capacity (probe, 1.3 s)
      Full 14:18 At capacity (probe, 1.3 s)
      Full 14:14 At capacity (probe, 1.3 s)
      Full 14:05 At capacity (probe, 1.3 s)
      Available 13:58 Available (probe, 1.0 s)
    gpt-6-luna (codex-plan · Backup)
      Verdict: Available
      Since: 11:17, from 5 samples
      Next look: 14:33, in 6 min
      First token: 0.9 s, newest answer
      Today: 42 of 144 requests, about 1,180 tokens
      14:26:00 probe, HTTP 200
      rule answered
      Available 14:26 Available (probe, 0.9 s)
      Available 14:16 Available (probe, 1.3 s)
      Available 14:06 Available (probe, 1.1 s)
      Available 13:56 Available (probe, 1.0 s)
      Available 11:17 Available (probe, 0.9 s)
    "#);
}

#[test]
fn sessions_that_are_refused_win_over_probes_that_pass() {
    let mut stage = Stage::new(now(), zone());
    stage.target("sol", "codex", Some(Role::Primary));
    stage.state(Kind::Available, Scope::Model, 60, "answered").is_refused_in_sessions = true;
    let text = board_text(&stage.snapshot(), &english());
    assert!(text.contains("Refused in your sessions | use another model"), "{text}");
    assert!(!text.contains("*sol* is free"), "{text}");
}

fn activity_text(snapshot: &Snapshot, state: &UiState, tr: &Tr) -> String {
    let model = activity::model::Model::new(snapshot, None, state, now(), tr);
    let mut out = format!("{}\n", model.count);
    for day in &model.days {
        writeln!(out, "{}", day.heading).unwrap();
        for line in &day.lines {
            writeln!(out, "  {} {} {}", line.time, sentence(&line.words), line.more).unwrap();
        }
    }
    out
}

#[test]
fn activity_is_grouped_by_day_newest_first() {
    insta::assert_snapshot!(activity_text(&afternoon(), &UiState::default(), &english()), @r#"
    13 events
    Today
      14:23 *deepseek-v4*: Limited Your rate limit
      14:05 *gpt-5.6-sol* became full 
      13:36 *glm-5*: Fault Server error
      12:52 *gpt-5.6-sol is free again* It was not free for 31 min.
      12:21 *gpt-5.6-sol* became full 
      11:17 *gpt-6-luna* is available again 
      09:27 The machine slept, or its clock jumped; that time is a gap 
      08:57 Probing goes on 
      07:57 Probing was paused 
    Yesterday
      20:07 Your network is back 
      19:37 Your network went down 
      04:17 *qwen3-coder*: Blocked Credit used up
    Fri 27 Nov
      22:27 Settings were read again
    "#);
}

#[test]
fn activity_is_filtered_by_words_and_family() {
    let by = |filter: &str, family| UiState { filter: filter.to_owned(), family, ..UiState::default() };
    let (snapshot, tr) = (afternoon(), english());
    let shown = |state: UiState| activity::model::Model::new(&snapshot, None, &state, now(), &tr).shown;
    assert_eq!(shown(by("", None)), 13);
    assert_eq!(shown(by("  SOL ", None)), 3);
    assert_eq!(shown(by("", Some(Family::Full))), 2);
    assert_eq!(shown(by("sol", Some(Family::Available))), 1);
    assert_eq!(shown(by("no such words", None)), 0);
    let text = activity_text(&snapshot, &by("credit", None), &tr);
    assert!(text.starts_with("1 of 13 events"), "the kind's words are searched too: {text}");
}

#[test]
fn banners_and_status_line() {
    let tr = english();
    let snapshot = offline();
    let mut out = String::new();
    for banner in banners(&snapshot, None, now(), &tr) {
        writeln!(out, "{:?}: {} / {} / {:?}", banner.weight, banner.title, banner.words, banner.actions).unwrap();
    }
    let status = Status::new(&snapshot, now(), &tr);
    writeln!(out, "{:?} {} | {} | {} | {}", status.badges, status.watching, status.next, status.spent, status.clock)
        .unwrap();
    insta::assert_snapshot!(out, @r#"
    Trouble: The settings file is not valid / ~/.config/vacancy/vacancy.toml:14:9: unknown key `modell`; did you mean `model`? / [ReloadSettings]
    Trouble: Your network has been down since 14:10 / Nothing is probed and nothing is counted until it is back / []
    Calm: Probing is paused / What you see grows old / [Resume]
    ["Paused", "Offline"] Watching 7 models | Probing is paused | Today 252 of 600 requests, about 7,080 tokens | Europe/Berlin · Sun 14:27
    "#);
}

#[test]
fn the_first_page_adds_up_what_is_ticked() {
    let tr = english();
    let findings = welcome::model::Findings { found: Some(found()), ..Default::default() };
    let total = |toggled: &[&str]| {
        let toggled: BTreeSet<_> = toggled.iter().map(|id| (*id).into()).collect();
        let model = welcome::model::Model::new(&findings, &toggled, &tr);
        (model.total, model.can_start)
    };
    assert_eq!(total(&[]), ("3 models: 288 requests, about 8,064 tokens a day".to_owned(), true));
    assert_eq!(total(&["openrouter/qwen"]).0, "4 models: 312 requests, about 8,736 tokens a day");
    assert_eq!(
        total(&["codex/sol", "openai/luna", "anthropic/sonnet"]),
        ("0 models: no requests are sent".to_owned(), false)
    );
}

#[test]
fn the_first_page_helps_when_nothing_is_found() {
    let tr = english();
    let file = "/home/you/.config/vacancy/vacancy.toml".to_owned();
    let findings =
        welcome::model::Findings { found: Some(Default::default()), settings_file: file.clone(), ..Default::default() };
    let model = welcome::model::Model::new(&findings, &BTreeSet::new(), &tr);
    let by_hand = model.by_hand.unwrap();
    assert_eq!(by_hand.file, file);
    assert!(!model.can_start);
    let looking = welcome::model::Findings { settings_file: file, ..Default::default() };
    assert!(welcome::model::Model::new(&looking, &BTreeSet::new(), &tr).by_hand.is_none());
}

#[test]
fn an_empty_board_claims_nothing() {
    let model = board::model::Model::new(&nothing(), None, &UiState::default(), now(), &english());
    assert!(model.rows.is_empty() && !model.can_probe);
    assert_eq!(model.shown(true), None);
}

#[test]
fn the_reading_of_logs_is_offered_told_and_steered() {
    let scope =
        backfill::Scope { tools: vec!["codex".into(), "claude-code".into()], files: 1_312, bytes: 3_210_000_000 };
    let findings = welcome::model::Findings { found: Some(found()), scope, ..Default::default() };
    let tr = english();
    let logs = welcome::model::Model::new(&findings, &BTreeSet::new(), &tr).logs.unwrap();
    assert!(logs.is_ticked && logs.words.starts_with("codex, claude-code: 1,312 files, 3.2 GB."), "{logs:?}");
    let nothing = welcome::model::Findings { found: Some(found()), ..Default::default() };
    assert!(welcome::model::Model::new(&nothing, &BTreeSet::new(), &tr).logs.is_none());

    let going = |is_paused| Backfill::Going {
        files: 12,
        files_total: 1_312,
        bytes: 45_000_000,
        bytes_total: 3_210_000_000,
        observations: 2_048,
        is_paused,
    };
    let banner = |backfill: &Backfill| banners(&afternoon(), Some(backfill), now(), &tr).pop();
    let shown = banner(&going(false)).unwrap();
    assert_eq!(shown.words, "12 of 1,312 files, 45 MB of 3.2 GB; 2,048 outcomes found so far");
    assert_eq!(shown.actions, [BannerAction::Logs(Steer::Cancel), BannerAction::Logs(Steer::Pause)]);
    assert_eq!(banner(&going(true)).unwrap().actions[1], BannerAction::Logs(Steer::Resume));
    assert_eq!(banner(&Backfill::Failed("why".into())).unwrap().words, "why");
    assert_eq!(banner(&Backfill::Done { observations: 3 }), None);
}
