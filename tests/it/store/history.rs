//! What History reads: the same from samples and from buckets, whatever was pruned, whoever asks from how near.

use jiff::tz::TimeZone;
use vacancy::core::history::{Answer, Cell, Grid, Query, STEPS};
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::store::{Reader, Store};
use vacancy::ui::screens::history::range::{Act, Preset, State};

use super::{MIN, T0, World, sample};

const DAY: i64 = 24 * 60 * MIN;
const HOUR: i64 = 60 * MIN;

/// Two targets over twelve days, every ten minutes: full from 14:00 to 15:00, once with a fault of two answers, and with
/// refusals by the account's own limit.
fn filled(world: &World) -> Store {
    let store = world.open();
    let mut samples: Vec<Sample> = Vec::new();
    for target in ["a", "b"] {
        for n in 0..12 * 144 {
            let at = T0 + n * 10 * MIN + 7 * MIN;
            let of_day = (at - T0) % DAY;
            let kind = match of_day {
                _ if target == "b" => Kind::Available,
                day if (14 * HOUR..15 * HOUR).contains(&day) => Kind::AtCapacity,
                day if n / 144 == 5 && (3 * HOUR..3 * HOUR + 20 * MIN).contains(&day) => Kind::ServerError,
                _ => Kind::Available,
            };
            let mut one = sample(target, at, kind);
            one.first_token_ms = (kind == Kind::Available).then_some(400 + u32::try_from(n % 97).unwrap());
            one.source = if n % 3 == 0 { Source::ToolLog } else { Source::Probe };
            samples.push(one);
            if n % 200 == 0 {
                let mut own = sample(target, at + MIN, Kind::RateLimited);
                own.scope = Scope::Account;
                samples.push(own);
            }
        }
    }
    store.handle().append_batch(samples).wait().unwrap();
    store
}

fn query(range: std::ops::Range<i64>, step: i64) -> Query {
    Query {
        seen: range.clone(),
        range,
        step,
        rows: Vec::new(),
        targets: Vec::new(),
        focus: None,
        source: None,
        now: T0 + 400 * DAY,
    }
}

fn ask(world: &World, query: &Query) -> Answer {
    let reader = Reader::open(&world.path(), std::time::Duration::ZERO).unwrap();
    reader.history(query, &|| false).unwrap().unwrap()
}

fn sum(cells: &[Cell]) -> Cell {
    cells.iter().fold(Cell::default(), |sum, cell| sum.merge(*cell))
}

#[test]
fn every_width_tells_the_same_sums() {
    let world = World::new();
    let _store = filled(&world);
    let range = T0 - DAY..T0 + 15 * DAY;
    let whole: Vec<Cell> = ask(&world, &query(range.clone(), HOUR)).lanes.iter().map(|lane| sum(&lane.cells)).collect();
    assert_eq!(whole[0].full_ms, u32::try_from(12 * HOUR).unwrap());
    assert_eq!(whole[0].fault_ms, u32::try_from(20 * MIN).unwrap());
    assert_eq!((whole[0].counted, whole[0].limited), (12 * 144, 9));
    assert_eq!(whole[1].full_ms, 0);
    // From samples and from buckets; a cell below a minute would only take longer.
    for step in STEPS.into_iter().filter(|step| *step >= MIN) {
        let answer = ask(&world, &query(range.clone(), step));
        let sums: Vec<Cell> = answer.lanes.iter().map(|lane| sum(&lane.cells)).collect();
        assert_eq!(sums, whole, "{step}");
        assert_eq!(answer.latency.iter().flatten().map(|latency| latency.n).sum::<u64>(), 12 * 144 - 72 - 2, "{step}");
    }
}

#[test]
fn the_table_has_the_sums_of_the_picture() {
    let world = World::new();
    let _store = filled(&world);
    for step in [HOUR, MIN] {
        let mut query = query(T0..T0 + 2 * DAY, step);
        query.rows = (0..=8).map(|n| T0 + n * 6 * HOUR).collect();
        let answer = ask(&world, &query);
        let grid = query.grid();
        for lane in answer.lanes.iter() {
            for (index, row) in lane.rows.iter().enumerate() {
                let rows = Grid::of(query.rows.clone()).unwrap();
                let time = rows.cell(index);
                let cells: Vec<Cell> =
                    (0..grid.len()).filter(|n| time.contains(&grid.cell(*n).start)).map(|n| lane.cells[n]).collect();
                assert_eq!(*row, sum(&cells), "{step} {} {index}", lane.target);
            }
        }
    }
}

#[test]
fn outages_are_exact_from_afar_and_from_near() {
    let world = World::new();
    let _store = filled(&world);
    for range in [T0..T0 + 12 * DAY, T0 + 5 * DAY..T0 + 6 * DAY] {
        for step in [12 * HOUR, 15 * MIN, 2 * MIN] {
            let answer = ask(&world, &query(range.clone(), step));
            let days = usize::try_from((range.end - range.start) / DAY).unwrap();
            assert_eq!(answer.outages.len(), days + 1, "an hour a day, and the fault");
            assert!(answer.outages.iter().all(|listed| listed.lane == 0));
            assert!(answer.outages.is_sorted_by(|a, b| a.outage.time.start >= b.outage.time.start));
            let fault = answer.outages.iter().find(|listed| !listed.outage.was_full()).unwrap();
            // From half way between 02:57 and 03:07 to half way between 03:17 and 03:27.
            let from = T0 + 5 * DAY + 3 * HOUR + 2 * MIN;
            assert_eq!(fault.outage.time, from..from + 20 * MIN);
            assert_eq!(fault.outage.samples, [0, 2, 0]);
            assert!(!fault.outage.is_cut());
        }
    }
}

#[test]
fn one_source_alone_is_weighed_alone() {
    let world = World::new();
    let _store = filled(&world);
    for step in [HOUR, 2 * MIN] {
        let mut logs = query(T0..T0 + 3 * DAY, step);
        logs.source = Some(Source::ToolLog);
        let answer = ask(&world, &logs);
        // A log every half hour is further apart than samples speak for each other: each holds a quarter hour.
        let cell = sum(&answer.lanes[1].cells);
        assert_eq!((cell.counted, cell.up_ms), (144, u32::try_from(144 * 15 * MIN).unwrap()), "{step}");
        assert_eq!(cell.limited, 0, "the account's refusals came by probes");
        assert_eq!(answer.latency.iter().flatten().map(|latency| latency.n).sum::<u64>(), 144 - 6);
    }
}

/// A record of the first format does not know whose its quarter hours are; it tells the same, from its samples.
#[test]
fn a_record_of_the_first_format_is_brought_up_to_date() {
    let world = World::new();
    drop(filled(&world));
    let ask_all = || {
        Source::ALL.map(|source| {
            let mut one = query(T0 - DAY..T0 + 13 * DAY, HOUR);
            one.source = Some(source);
            ask(&world, &one).lanes
        })
    };
    let told = ask_all();
    world
        .sqlite()
        .execute_batch(
            "DROP TABLE source_day; ALTER TABLE bucket_day DROP COLUMN sources; PRAGMA user_version = 1; VACUUM;",
        )
        .unwrap();
    let store = world.open();
    assert_eq!(ask_all(), told, "from samples");
    let mut late = sample("a", T0 + 3 * DAY + 5 * HOUR, Kind::AtCapacity);
    late.source = Source::Relay;
    store.handle().append(late).wait().unwrap();
    let grown = ask_all();
    assert_eq!(grown[..2], told[..2]);
    assert_eq!(sum(&grown[2][0].cells).counted, 1);
    store.handle().rebuild().wait().unwrap();
    assert_eq!(ask_all(), grown, "from rows of days");
}

#[test]
fn what_was_pruned_is_still_shown_roughly() {
    let world = World::new();
    let store = filled(&world);
    let before = ask(&world, &query(T0..T0 + 12 * DAY, HOUR));
    // The clock of these tests stands 500 days after the first sample: all but the last two days go.
    assert!(store.handle().prune(490).wait().unwrap() > 0);
    let after = ask(&world, &query(T0..T0 + 12 * DAY, HOUR));
    assert_eq!(after.lanes, before.lanes);
    assert_eq!(after.outages.len(), before.outages.len());
    assert!(after.outages.last().unwrap().outage.is_rough && !after.outages[0].outage.is_rough);
    let near = ask(&world, &query(T0 + 14 * HOUR..T0 + 15 * HOUR, 3 * MIN));
    let full = sum(&near.lanes[0].cells).full_ms;
    assert!((50 * MIN..=60 * MIN).contains(&i64::from(full)), "{full}");
    assert_eq!(after.extent.unwrap().start, T0);
}

#[test]
fn a_question_that_is_out_of_date_ends_early() {
    let world = World::new();
    let _store = filled(&world);
    let reader = Reader::open(&world.path(), std::time::Duration::ZERO).unwrap();
    assert_eq!(reader.history(&query(T0..T0 + DAY, MIN), &|| true).unwrap(), None);
}

#[test]
fn every_view_is_answered_with_no_more_cells_than_pixels() {
    let world = World::new();
    let _store = filled(&world);
    let extent = T0..T0 + 12 * DAY;
    let now = extent.end;
    let mut state = State::default();
    for preset in Preset::ALL {
        state.act(&Act::Preset(preset), Some(&extent), now);
        for _ in 0..14 {
            let wanted = state.query(Vec::new(), Some(&extent), now, &TimeZone::UTC);
            let answer = ask(&world, &wanted);
            assert!(answer.answers(&wanted));
            let view = state.view(Some(&extent), now);
            assert!((view.end - view.start) / wanted.step <= i64::from(state.pixels));
            state.act(&Act::Zoom(0.5, 0.5), Some(&extent), now);
        }
    }
}
