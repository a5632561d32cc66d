//! Heatmap and Cheat sheet: what they say, how they answer to buttons and keys, how they look.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Context, Key, Modifiers, Theme};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use vacancy::core::bucket::Observed;
use vacancy::core::sheet::{Quarter, Sheet, TargetSheet};
use vacancy::core::target::TargetId;
use vacancy::i18n::Tr;
use vacancy::ui::command::Command;
use vacancy::ui::screens::heatmap::cell::detail;
use vacancy::ui::screens::heatmap::model::{Ink, Model, Source};
use vacancy::ui::screens::sheet::away::Away;
use vacancy::ui::screens::sheet::document::{Markup, document};
use vacancy::ui::screens::sheet::model;
use vacancy::ui::screens::sheet::plan::{self, Promise, Stretch};
use vacancy::ui::screens::sheet::words::Speaker;
use vacancy::ui::sheets::{Act, Answer, Ask, Span, State, Told, View, chain};
use vacancy::ui::state::Screen;
use vacancy::ui::window::{Event, Job};

use super::stage::{Bench, afternoon, alike, chinese, english, nothing, now, zone};

const SMALL: [f32; 2] = [1000.0, 640.0];
const LARGE: [f32; 2] = [1440.0, 900.0];
const QUARTER: i64 = 900_000;

/// The primary is full from 14:00 to 18:00 on weekdays and the second at night; the others are free, the last was never seen.
fn sheet(days: i64, zone: &TimeZone, at: Timestamp) -> Sheet {
    let entries = afternoon().board.entries.clone();
    let end = at.as_millisecond().div_euclid(QUARTER) * QUARTER;
    let make = |(place, target): (usize, &TargetId)| {
        let quarter = |start_ms: i64| {
            let local = zone.to_datetime(Timestamp::from_millisecond(start_ms).unwrap());
            let is_weekday = local.date().weekday().to_monday_one_offset() <= 5;
            let is_full = match place {
                0 => is_weekday && (14..18).contains(&local.hour()),
                1 => local.hour() < 5,
                _ => false,
            };
            let ms = u32::try_from(QUARTER).unwrap();
            let (up_ms, full_ms) = if is_full { (0, ms) } else { (ms, 0) };
            Quarter { start_ms, seen: Observed { up_ms, full_ms, fault_ms: 0, counted: 2 } }
        };
        let first = if place == 6 { end } else { end - days * 96 * QUARTER };
        let quarters: Vec<Quarter> = (first..end).step_by(QUARTER as usize).map(quarter).collect();
        TargetSheet::new(target.clone(), &quarters, zone, at)
    };
    let ids: Vec<TargetId> = entries.iter().map(|entry| entry.target.id.clone()).collect();
    Sheet { zone: zone.clone(), now: at, targets: ids.iter().enumerate().map(make).collect() }
}

pub fn ask() -> Ask {
    Ask { span: Span::All, zone: zone(), at: now(), focus: None, newest: None }
}

pub fn bench(days: i64, screen: Screen, tr: Tr) -> Bench {
    let mut bench = Bench::new(afternoon(), tr).on(screen);
    let mut ask = ask();
    ask.newest = afternoon().board.entries.iter().filter_map(|entry| Some(entry.latest.as_ref()?.sample.at)).max();
    let answer = Answer { sheet: sheet(days, &ask.zone, ask.at), ask };
    bench.window.hear(Event::Sheets(Told::Answer(Arc::new(answer))), &Context::default());
    bench
}

fn press(harness: &mut Harness<'_, Bench>, key: Key) {
    harness.key_press_modifiers(Modifiers::NONE, key);
    harness.run();
}

fn asks(harness: &Harness<'_, Bench>) -> Vec<Ask> {
    let ask = |job: &Job| if let Job::Sheets(ask) = job { Some((**ask).clone()) } else { None };
    harness.state().jobs.iter().filter_map(ask).collect()
}

#[test]
fn the_plan_is_the_first_of_the_chain_that_is_usually_free() {
    let snapshot = afternoon();
    let sheet = sheet(42, &zone(), now());
    let week = plan::week(&sheet, &chain(&snapshot));
    for (day, stretches) in week.iter().enumerate() {
        let (first, last) = (stretches.first().unwrap(), stretches.last().unwrap());
        assert_eq!((first.from, last.to), (0, 1440), "a day has no hole");
        assert!(stretches.windows(2).all(|pair| pair[0].to == pair[1].from), "{stretches:?}");
        let names: Vec<&str> = stretches.iter().map(|stretch| stretch.target.as_str()).collect();
        let (sol, luna) = ("codex-plan/gpt-5.6-sol", "codex-plan/gpt-6-luna");
        let expected = if day < 5 { vec![sol, luna, sol] } else { vec![sol] };
        assert_eq!(names, expected, "{day}");
        if day < 5 {
            let off = |minutes: u16, expected: u16| minutes.abs_diff(expected);
            assert!(off(stretches[1].from, 840) <= 15 && off(stretches[1].to, 1080) <= 15, "{stretches:?}");
        }
        assert!(stretches.iter().all(|stretch| stretch.promise == Promise::Usual && stretch.weeks == 6));
    }
    assert!(plan::week(&sheet, &["nobody".into()]).iter().all(Vec::is_empty));
}

#[test]
fn the_sheet_as_text_and_as_markdown() {
    let snapshot = afternoon();
    let sheet = sheet(42, &zone(), now());
    let name = |target: &TargetId| target.as_str().rsplit('/').next().unwrap_or_default().to_owned();
    let (zone, tr) = (zone(), english());
    let speaker = Speaker { now: now(), zone: &zone, tr: &tr, name: &name };
    let chain = chain(&snapshot);
    let text = document(&sheet, &chain, &chain[..2], &Away::default(), &speaker, Markup::Text);
    for line in [
        "Sun 29 Nov 14:27, Europe/Berlin. Since Sun 18 Oct 48,384 counted samples",
        "Tomorrow, Mon 30 Nov",
        "  For long work, the longest from 08:00 to 20:00: 08:00–14:00 with gpt-5.6-sol: free 99 %, from 6 weeks",
        "  gpt-5.6-sol 00:00–14:00, 18:00–24:00 · gpt-6-luna 14:00–18:00",
        "  Sun  gpt-5.6-sol all day",
        "  Usually free for the rest of today",
        "  Usually busy: on weekdays 14:00–18:00",
        "  When it is away, switch in the afternoon: it usually takes longer than 15 min (30 outages)",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\nis not in\n{text}");
    }
    let markdown = document(&sheet, &["a_b*c".into()], &["a_b*c".into()], &Away::default(), &speaker, Markup::Markdown);
    assert!(markdown.starts_with("# Cheat sheet\n") && markdown.contains("## a\\_b\\*c\n"), "{markdown}");
    assert!(markdown.contains("- Nothing recorded yet"), "{markdown}");
}

#[test]
fn little_data_says_what_is_missing_and_when_it_will_be_there() {
    let snapshot = afternoon();
    let (zone, tr) = (zone(), english());
    let state = State::default();
    for (days, expected) in [(2, "the first week is full Fri 14:15"), (10, "most are known by")] {
        let sheet = sheet(days, &zone, now());
        let source =
            Source { sheet: Some(&sheet), snapshot: &snapshot, state: &state, zone: &zone, now: now(), tr: &tr };
        let missing = model::Model::new(&source).missing.unwrap();
        assert!(missing.contains(expected), "{days}: {missing}");
    }
    let source = Source { sheet: None, snapshot: &snapshot, state: &state, zone: &zone, now: now(), tr: &tr };
    assert!(Model::new(&source).is_waiting);
    let nobody = Sheet { zone: zone.clone(), now: now(), targets: Arc::new([]) };
    let source = Source { sheet: Some(&nobody), ..source };
    assert!(Model::new(&source).is_empty && model::Model::new(&source).is_empty);
}

#[test]
fn a_cell_says_its_share_and_leads_to_its_samples_newest_first() {
    let snapshot = afternoon();
    let (zone, tr) = (zone(), english());
    let sheet = sheet(42, &zone, now());
    for view in View::ALL {
        let state = State { view, weekday: Some(1), is_table: true, ..State::default() };
        let source =
            Source { sheet: Some(&sheet), snapshot: &snapshot, state: &state, zone: &zone, now: now(), tr: &tr };
        let model = Model::new(&source);
        assert!(model.map.rows.iter().all(|row| row.cells.len() == model.map.columns()));
        let inks = model.map.rows.iter().flat_map(|row| &row.cells);
        let seen = inks.filter(|ink| matches!(ink, Ink::Thin(_) | Ink::Known(_))).count();
        assert_eq!(model.lines.len(), seen, "{view:?}: the table has every cell of the map");
        let place = if view == View::Days { (0, 1) } else { (0, 15) };
        let cell = detail(&source, &model.map, place).unwrap();
        let starts: Vec<i64> = cell.stands.iter().map(|stand| stand.time.start).collect();
        assert!(!starts.is_empty() && starts.is_sorted_by(|a, b| a > b), "{view:?}: {starts:?}");
        if view != View::Days {
            assert_eq!(cell.when, "Mon 15:00–16:00");
            let monday = "2026-11-23T14:00:00Z".parse::<Timestamp>().unwrap().as_millisecond();
            assert_eq!(cell.stands[0].time, monday..monday + 3_600_000);
            assert_eq!((cell.stands.len(), cell.stands[0].share.as_str()), (6, "0 %"));
        }
        assert_eq!(detail(&source, &model.map, (99, 0)), None);
    }
}

#[test]
fn hours_follow_the_clock_on_the_nights_it_changes() {
    let snapshot = afternoon();
    let (zone, tr) = (zone(), english());
    let at: Timestamp = "2026-10-26T09:00:00Z".parse().unwrap();
    let sheet = sheet(10, &zone, at);
    let state = State::default();
    let source = Source { sheet: Some(&sheet), snapshot: &snapshot, state: &state, zone: &zone, now: at, tr: &tr };
    let model = Model::new(&source);
    let hours = |hour: usize| {
        let stand = detail(&source, &model.map, (6, hour)).unwrap().stands.remove(0);
        (stand.time.end - stand.time.start) / 3_600_000
    };
    assert_eq!([1, 2, 3, 23].map(hours), [1, 2, 1, 1], "02:00 to 03:00 came twice");
}

#[test]
fn keys_move_the_cell_and_enter_shows_its_samples() {
    for size in [SMALL, LARGE] {
        let mut harness = bench(42, Screen::Heatmap, english()).harness(Theme::Dark, size);
        harness.get_by_label_contains("gpt-5.6-sol, Sun 14:00–15:00: free");
        press(&mut harness, Key::ArrowUp);
        press(&mut harness, Key::ArrowRight);
        harness.get_by_label_contains("gpt-5.6-sol, Sat 15:00–16:00: free");
        press(&mut harness, Key::Home);
        harness.get_by_label_contains("gpt-5.6-sol, Sat 00:00–01:00: free");
        press(&mut harness, Key::ArrowLeft);
        press(&mut harness, Key::End);
        harness.get_by_label_contains("gpt-5.6-sol, Sat 23:00–24:00: free");
        press(&mut harness, Key::Enter);
        let state = &harness.state().window.state;
        assert_eq!(state.screen, Screen::History);
        assert_eq!(state.history.focus, Some("codex-plan/gpt-5.6-sol".into()));
        assert_eq!(state.history.hidden.len(), 6, "only its own samples are shown");
        let from = "2026-11-28T22:00:00Z".parse::<Timestamp>().unwrap().as_millisecond();
        assert_eq!(state.history.view(None, now().as_millisecond()), from..from + 3_600_000);
    }
}

#[test]
fn buttons_change_the_map_the_model_and_how_much_counts() {
    let mut harness = bench(42, Screen::Heatmap, english()).harness(Theme::Light, LARGE);
    harness.get_by_label_contains("gpt-6-luna: free 79 % of the watched time").click();
    harness.run();
    harness.get_by_label_contains("gpt-6-luna, Sun 14:00–15:00: free");
    harness.get_by_role_and_label(Role::Button, "Hour × model").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Mon").click();
    harness.run();
    harness.get_by_label_contains("glm-5: free");
    harness.get_by_role_and_label(Role::Button, "Days").click();
    harness.run();
    harness.get_by_label_contains("gpt-6-luna, Sun 29 Nov 2026: free");
    harness.get_by_role_and_label(Role::Button, "Table").click();
    harness.run();
    assert!(harness.get_all_by_label_contains("gpt-6-luna, Fri 27 Nov 2026: free").next().is_some());
    harness.state_mut().window.carry_out(Command::Sheets(Act::Span(Span::FourWeeks)), &Context::default());
    harness.run();
    assert_eq!(asks(&harness).last().unwrap().span, Span::FourWeeks);
    let count = asks(&harness).len();
    harness.run();
    assert_eq!(asks(&harness).len(), count, "nothing is asked twice");
}

#[test]
fn the_hours_of_here_are_asked_for_where_they_differ() {
    let mut bench = bench(42, Screen::Heatmap, english());
    let here = TimeZone::get("Asia/Kathmandu").unwrap();
    bench.window.set_here(Some(here.clone()));
    let mut harness = bench.harness(Theme::Dark, SMALL);
    harness.get_by_role_and_label(Role::Button, "Home: Europe/Berlin");
    harness.get_by_role_and_label(Role::Button, "Here: Asia/Kathmandu").click();
    harness.run();
    assert_eq!(asks(&harness).last().unwrap().zone, here);
}

#[test]
fn the_cheat_sheet_answers_what_to_use_tomorrow_and_is_copied() {
    for size in [SMALL, LARGE] {
        let mut harness = bench(42, Screen::Sheet, english()).harness(Theme::Dark, size);
        harness.get_by_label("Tomorrow, Mon 30 Nov");
        harness.get_by_label("08:00–14:00");
        assert!(harness.get_all_by_label_contains("the longest from 08:00 to 20:00: free 99 %").next().is_some());
        harness.get_by_label("00:00–14:00, 18:00–24:00");
        harness.get_by_label("gpt-5.6-sol: usually free");
        harness.get_by_role_and_label(Role::Button, "Tomorrow").click();
        harness.run();
        harness.get_by_label("gpt-5.6-sol: busy 14:00 to 18:00");
        harness.get_by_role_and_label(Role::Button, "Copy as text").click();
        harness.run();
        harness.get_by_label_contains("Copied");
        assert!(harness.state().commands.contains(&Command::Sheets(Act::Copy)));
    }
}

#[test]
fn days_are_a_calendar_in_which_keys_go_from_day_to_day_and_week_to_week() {
    for size in [SMALL, LARGE] {
        let mut harness = bench(42, Screen::Heatmap, english()).harness(Theme::Dark, size);
        harness.get_by_role_and_label(Role::Button, "Days").click();
        harness.run();
        harness.get_by_label_contains("since Sun 18 Oct; least on");
        assert!(harness.get_all_by_label_contains("Oct: free").next().is_some(), "months are named");
        for (key, expected) in [
            (Key::ArrowLeft, "Sat 28 Nov 2026"),
            (Key::ArrowUp, "Sat 21 Nov 2026"),
            (Key::Home, "Mon 16 Nov 2026"),
            (Key::ArrowLeft, "Sun 15 Nov 2026"),
            (Key::ArrowDown, "Sun 22 Nov 2026"),
            (Key::ArrowRight, "Mon 23 Nov 2026"),
            (Key::End, "Sun 29 Nov 2026"),
            (Key::ArrowRight, "Sun 29 Nov 2026"),
            (Key::ArrowDown, "Sun 29 Nov 2026"),
        ] {
            press(&mut harness, key);
            harness.get_by_label_contains(&format!("gpt-5.6-sol, {expected}: free"));
        }
        assert!(harness.get_all_by_label_contains("not watched so far").next().is_some(), "the seventh never was");
        let other =
            harness.get_by_role_and_label(Role::Button, "gpt-6-luna: free 79 % of the watched time, 8,064 samples");
        other.click();
        harness.run();
        harness.get_by_label_contains("gpt-6-luna, Sun 29 Nov 2026: free");
    }
}

#[test]
fn weekdays_stand_under_the_map_of_hours_and_models() {
    let mut harness = bench(42, Screen::Heatmap, english()).harness(Theme::Light, LARGE);
    harness.get_by_role_and_label(Role::Button, "Hour × model").click();
    harness.run();
    harness.get_by_label("Sundays");
    harness.get_by_label_contains("Wednesdays: free").click();
    harness.run();
    assert_eq!(harness.state().window.state.sheets.weekday, Some(3));
    harness.get_by_label("Wednesdays");
}

#[test]
fn a_headline_says_what_to_use_now() {
    let harness = bench(42, Screen::Sheet, english()).harness(Theme::Dark, LARGE);
    harness.get_by_label("Now");
    harness.get_by_label_contains("gpt-5.6-sol has been away for");
    let snapshot = afternoon();
    let (zone, tr, state) = (zone(), english(), State::default());
    // In the evening of a day when the afternoon is busy nothing is away by evidence of then.
    let at: Timestamp = "2026-11-30T14:00:00Z".parse().unwrap();
    let sheet = sheet(42, &zone, at);
    let source = Source { sheet: Some(&sheet), snapshot: &snapshot, state: &state, zone: &zone, now: at, tr: &tr };
    let present = model::Model::new(&source).present.unwrap();
    assert_eq!((present.headline.as_str(), present.promise), ("gpt-6-luna", Promise::Usual));
    assert!(present.words.starts_with("usually free until Tue 00:00"), "{}", present.words);
}

#[test]
fn nothing_recorded_claims_nothing() {
    for screen in [Screen::Heatmap, Screen::Sheet] {
        let mut bench = Bench::new(nothing(), english()).on(screen);
        bench.window.hear(Event::Sheets(Told::Answer(Arc::new(Answer::empty(ask())))), &Context::default());
        let harness = bench.harness(Theme::Dark, SMALL);
        harness.get_by_label("No pattern yet");
        assert!(harness.query_by_label_contains("%").is_none());
    }
}

#[test]
fn how_they_look() {
    let mut results = SnapshotResults::new();
    for (screen, days, theme, tr, name) in [
        (Screen::Heatmap, 42, Theme::Dark, english(), "heatmap-dark"),
        (Screen::Heatmap, 42, Theme::Light, english(), "heatmap-days-light"),
        (Screen::Heatmap, 2, Theme::Light, chinese(), "heatmap-two-days-light-zh"),
        (Screen::Heatmap, 2, Theme::Dark, english(), "heatmap-four-dark"),
        (Screen::Sheet, 42, Theme::Light, english(), "sheet-light"),
    ] {
        let mut bench = bench(days, screen, tr);
        if name == "heatmap-days-light" {
            bench.window.state.sheets.view = View::Days;
        }
        if name == "heatmap-four-dark" {
            bench.window.show(alike());
        }
        let mut harness = bench.harness(theme, SMALL);
        harness.snapshot(format!("screen-{name}"));
        results.extend_harness(&mut harness);
    }
    results.unwrap();
}

/// A day's stretches: from and to in hours, a name, what they promise.
fn day(parts: &[(u16, u16, &str, Promise)]) -> Vec<Stretch> {
    let part = |(from, to, name, promise): &(u16, u16, &str, Promise)| Stretch {
        from: from * 60,
        to: to * 60,
        target: (*name).into(),
        promise: *promise,
        share: 0.9,
        weeks: 4,
        samples: 40,
    };
    parts.iter().map(part).collect()
}

#[test]
fn long_work_gets_the_longest_stretch_of_the_working_day_that_promises_most() {
    use Promise::{Few, Guess, Likeliest, Usual};
    let all = &[(0, 24, "a", Usual)][..];
    let busy = &[(0, 14, "a", Usual), (14, 18, "b", Usual), (18, 24, "a", Usual)][..];
    for (parts, from, expected) in [
        (all, 0, Some("00:00–24:00 a")),
        (all, 10 * 60 + 15, Some("10:15–24:00 a")),
        (busy, 0, Some("08:00–14:00 a")),
        (busy, 13 * 60, Some("14:00–18:00 b")),
        (busy, 19 * 60 + 30, Some("19:30–24:00 a")),
        (&[(0, 9, "a", Usual), (9, 24, "a", Few)], 0, Some("09:00–24:00 a")),
        (&[(0, 11, "a", Usual), (11, 24, "a", Few)], 0, Some("08:00–11:00 a")),
        (&[(0, 12, "a", Guess), (12, 24, "a", Likeliest)], 0, Some("08:00–12:00 a")),
        (all, 23 * 60 + 15, None),
        (&[], 0, None),
    ] {
        let found = plan::longest(&day(parts), from);
        let words = found.map(|found| {
            let clock = |at: u16| format!("{:02}:{:02}", at / 60, at % 60);
            format!("{}–{} {}", clock(found.from), clock(found.to), found.target.as_str())
        });
        assert_eq!(words.as_deref(), expected, "{parts:?} from {from}");
    }
}

/// Hours of one target: whether it is watched, free, full; in the hours of a zone.
type Hours = fn(u8, u8) -> Option<bool>;

/// All sentences of a sheet made of these weeks: the text, and the screen's cards.
fn said(zone: &str, at: &str, days: i64, tr: &Tr, hours: Hours) -> String {
    let zone = TimeZone::get(zone).unwrap();
    let at: Timestamp = at.parse().unwrap();
    let end = at.as_millisecond().div_euclid(QUARTER) * QUARTER;
    let quarter = |start_ms: i64| {
        let local = zone.to_datetime(Timestamp::from_millisecond(start_ms).unwrap());
        let weekday = local.date().weekday().to_monday_one_offset().unsigned_abs();
        let is_free = hours(weekday, local.hour().unsigned_abs())?;
        let ms = u32::try_from(QUARTER).unwrap();
        let (up_ms, full_ms) = if is_free { (ms, 0) } else { (0, ms) };
        Some(Quarter { start_ms, seen: Observed { up_ms, full_ms, fault_ms: 0, counted: 2 } })
    };
    let quarters: Vec<Quarter> =
        (end - days * 96 * QUARTER..end).step_by(QUARTER as usize).filter_map(quarter).collect();
    let target = TargetId::from("m");
    let sheet =
        Sheet { zone: zone.clone(), now: at, targets: [TargetSheet::new(target.clone(), &quarters, &zone, at)].into() };
    let name = |target: &TargetId| target.as_str().to_owned();
    let speaker = Speaker { now: at, zone: &zone, tr, name: &name };
    let chain = [target];
    let text = document(&sheet, &chain, &chain, &Away::default(), &speaker, Markup::Text);
    let habits = model::habits(&sheet.targets[0], &speaker);
    let habits: String = habits.into_iter().map(|(head, words)| format!("{head}: {words}\n")).collect();
    text + &habits
}

/// What odd records lead to: sentences that must be there, and what no such record may claim.
#[test]
fn odd_records_say_what_is_true_of_them() {
    const NOON: &str = "2026-11-29T11:07:00Z";
    let free: Hours = |_, _| Some(true);
    let full: Hours = |_, _| Some(false);
    let never: Hours = |_, _| None;
    let work: Hours = |day, hour| (day <= 5 && (9..18).contains(&hour)).then_some(!(14..17).contains(&hour));
    let afternoons: Hours = |day, hour| Some(!(day <= 5 && (14..18).contains(&hour)));
    let twice: Hours = |day, hour| Some(!(day <= 5 && ((9..11).contains(&hour) || (14..18).contains(&hour))));
    let weekend: Hours = |day, hour| Some(!(day == 6 || day == 7 || day == 5 && hour >= 22 || day == 1 && hour < 6));
    let cases: [(&str, &str, i64, Hours, &[&str], &[&str]); 12] = [
        ("UTC", NOON, 0, never, &["Nothing recorded yet"], &["since", "free", "with m"]),
        (
            "UTC",
            NOON,
            56,
            full,
            &["Rarely free: even the best hour only", "No hour is usually free", "not usually free: only"],
            &["Usually free", "Next quiet", "switch ten minutes"],
        ),
        (
            "UTC",
            NOON,
            56,
            free,
            &["Usually free all week", "all day with m: free", "Wait or switch: Too few", "No hour is usually busy"],
            &["Rarely", "few samples", "guess"],
        ),
        // A Sunday at noon after two days: of Monday nothing is known.
        (
            "UTC",
            NOON,
            2,
            free,
            &[
                "Since Fri 27 Nov",
                "all day with m: a guess: never watched",
                "(few samples)",
                "(a guess, not watched so far)",
                "    Weekend ",
                "(few samples)",
            ],
            &["0 weeks", "Usually free all week", "2 weeks, 384"],
        ),
        ("UTC", NOON, 1, free, &["Since Sat 28 Nov"], &["0 weeks", "Usually free all week"]),
        // Only working hours, as from tools' logs alone.
        (
            "Europe/Berlin",
            NOON,
            28,
            work,
            &[
                "09:00–14:00 with m: free 99 %, from 4 weeks",
                "    Weekdays 09:00–14:00",
                "hours of the week are known",
                "on weekdays 14:00–17:00",
                "(a guess, not watched so far)",
            ],
            &["Every day", "Usually free all week", "Usually free for the rest", "0 weeks", "most are known by"],
        ),
        (
            "Europe/Berlin",
            NOON,
            56,
            afternoons,
            &[
                "08:00–14:00 with m",
                "Usually busy: on weekdays 14:00–18:00",
                "switch in the afternoon: it usually takes longer than 15 min (40 outages)",
            ],
            &["(few samples)", "guess"],
        ),
        ("Asia/Kathmandu", NOON, 56, afternoons, &["Asia/Kathmandu", "on weekdays 14:00–18:00"], &["(few samples)"]),
        ("Europe/Berlin", NOON, 56, twice, &["on weekdays 09:00–11:00, 14:00–18:00"], &["; on weekdays"]),
        ("Europe/Berlin", NOON, 56, weekend, &["Fri 22:00 until Mon 06:00"], &["22:00–06:00"]),
        // The day after the night on which 02:00 came twice, and the one on which it never came.
        (
            "Europe/Berlin",
            "2026-10-25T22:30:00Z",
            56,
            afternoons,
            &["08:00–14:00 with m", "on weekdays 14:00–18:00"],
            &["(few samples)"],
        ),
        (
            "Europe/Berlin",
            "2026-03-28T22:30:00Z",
            56,
            afternoons,
            &["Tomorrow, Sun 29 Mar", "all day with m"],
            &["guess"],
        ),
    ];
    for (zone, at, days, hours, wanted, never) in cases {
        let text = said(zone, at, days, &english(), hours);
        for words in wanted {
            assert!(text.contains(words), "{zone} {at} {days}: {words}\nis not in\n{text}");
        }
        for words in never {
            assert!(!text.contains(words), "{zone} {at} {days}: {words}\nis in\n{text}");
        }
        let chinese = said(zone, at, days, &chinese(), hours);
        assert!(!chinese.contains("{") && !chinese.contains("sheet-"), "{chinese}");
        assert!(!chinese.contains("0 周"), "{chinese}");
        assert_eq!(chinese.lines().count(), text.lines().count(), "the same is said in both\n{text}\n{chinese}");
    }
}
