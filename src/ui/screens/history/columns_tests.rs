//! Columns lose nothing, whatever the record and the width of the view.

use proptest::prelude::*;

use super::*;
use crate::core::history::STEPS;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// 2025-01-01T00:00:00Z.
const START: i64 = 1_735_689_600_000;

fn seen(up: u32, full: u32, fault: u32) -> Cell {
    Cell { up_ms: up * 1000, full_ms: full * 1000, fault_ms: fault * 1000, counted: 1, ..Cell::default() }
}

/// Hours of which each has ten pixels.
fn told(cells: &[Cell], hidden: &[Family]) -> Vec<Column> {
    let hours = cells.len() as i64;
    let grid = Grid::every(0..hours * HOUR, HOUR);
    let scale = Scale::of(hours * HOUR, hours as u32 * 10);
    columns(cells, &grid, scale, 0..hours * 10, &hidden.iter().copied().collect())
}

#[test]
fn neighbours_that_look_alike_become_one_shape_and_gaps_stay_gaps() {
    let cells =
        [seen(3600, 0, 0), seen(3600, 0, 0), Cell::default(), seen(3600, 0, 0), seen(0, 3600, 0), seen(0, 3600, 0)];
    let told: Vec<_> =
        told(&cells, &[]).into_iter().map(|column| (column.pixels, column.look.free, column.look.full)).collect();
    assert_eq!(told, [(0..20, 16, 0), (30..40, 16, 0), (40..60, 0, 16)]);
}

#[test]
fn the_shortest_outage_still_shows_and_a_little_time_free_too() {
    let cells = [seen(3599, 1, 0), seen(3598, 1, 1), seen(1, 3599, 0), seen(1, 1800, 1799)];
    let looks: Vec<_> =
        told(&cells, &[]).iter().map(|column| (column.look.free, column.look.full, column.look.fault)).collect();
    assert_eq!(looks, [(15, 1, 0), (14, 1, 1), (1, 15, 0), (1, 8, 7)]);
}

#[test]
fn the_accounts_own_refusals_stand_apart_and_filters_hide_what_they_name() {
    let cell = Cell { limited: 2, blocked: 3, ..seen(1800, 1800, 0) };
    let look = |hidden: &[Family]| told(&[cell], hidden).first().map(|column| column.look);
    assert_eq!(look(&[]), Some(Look { free: 8, full: 8, fault: 0, own: Some(Family::Blocked) }));
    let some = look(&[Family::Blocked, Family::Available]);
    assert_eq!(some, Some(Look { free: 0, full: 8, fault: 0, own: None }));
    assert_eq!(look(&[Family::Blocked, Family::Available, Family::Full]), None);
}

/// A view of a record: the width of its cells, how wide it is, its pixels, where it begins.
fn views() -> impl Strategy<Value = (i64, i64, u32, i64)> {
    (proptest::sample::select(STEPS.to_vec()), 1u32..3000, 20u32..2500, 0i64..400)
        .prop_map(|(step, cells, pixels, shift)| (step, i64::from(cells) * step, pixels, START + shift * step / 7))
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        3 => Just(seen(60, 0, 0)),
        1 => Just(Cell::default()),
        1 => (0u32..60, 0u32..60, 0u32..60).prop_map(|(up, full, fault)| seen(up, full, fault)),
        1 => (0u32..3, 0u32..3).prop_map(|(limited, blocked)| Cell { limited, blocked, ..seen(30, 1, 0) }),
    ]
}

proptest! {
    #![proptest_config(crate::properties::cases(256))]

    /// A single fault of a millisecond, anywhere in any view, has a pixel of its own, where it was.
    #[test]
    fn a_single_fault_is_seen_in_any_view((step, span, pixels, start) in views(), at in 0.0f64..1.0) {
        let view = start..start + span;
        let grid = Grid::every(view.clone(), step);
        let mut cells = vec![seen(60, 0, 0); grid.len()];
        let index = ((grid.len() - 1) as f64 * at) as usize;
        cells[index].fault_ms = 1;
        let scale = Scale::of(span, pixels);
        let within = scale.pixel(grid.range().start).div_euclid(COLUMN) * COLUMN - COLUMN..scale.pixel(grid.range().end) + 2 * COLUMN;
        let told = columns(&cells, &grid, scale, within, &BTreeSet::new());
        let faults: Vec<&Column> = told.iter().filter(|column| column.look.fault > 0).collect();
        prop_assert_eq!(faults.len(), 1);
        let time = grid.cell(index);
        let (first, last) = (scale.pixel(time.start) - COLUMN, scale.pixel(time.end) + COLUMN);
        prop_assert!(faults[0].pixels.start >= first && faults[0].pixels.end <= last.max(first + 2 * COLUMN));
        prop_assert!(told.iter().all(|column| !column.pixels.is_empty()));
    }

    /// There are never more columns than pixels over their width, and they come in order without lying on each other.
    #[test]
    fn there_are_no_more_columns_than_fit((step, span, pixels, start) in views(), picked in prop::collection::vec(cell(), 1..50)) {
        let view = start..start + span;
        let grid = Grid::every(view.clone(), step);
        let cells: Vec<Cell> = (0..grid.len()).map(|index| picked[index * 31 % picked.len()]).collect();
        let scale = Scale::of(span, pixels);
        let first = scale.pixel(view.start).div_euclid(COLUMN) * COLUMN;
        let within = first..first + (i64::from(pixels) / COLUMN + 1) * COLUMN;
        let told = columns(&cells, &grid, scale, within.clone(), &BTreeSet::new());
        prop_assert!(told.len() as i64 <= (within.end - within.start) / COLUMN + 1, "{} in {within:?}", told.len());
        prop_assert!(told.iter().all(|column| within.start <= column.pixels.start && column.pixels.end <= within.end));
        prop_assert!(told.windows(2).all(|two| two[0].pixels.end <= two[1].pixels.start));
    }

    /// Every state that a cell saw is shown over its place, and what no cell saw is shown nowhere.
    #[test]
    fn no_state_is_lost_and_none_is_made_up((step, span, pixels, start) in views(), picked in prop::collection::vec(cell(), 1..50)) {
        let view = start..start + span;
        let grid = Grid::every(view.clone(), step);
        let cells: Vec<Cell> = (0..grid.len()).map(|index| picked[index * 31 % picked.len()]).collect();
        let scale = Scale::of(span, pixels);
        let within = scale.pixel(grid.range().start).div_euclid(COLUMN) * COLUMN..scale.pixel(grid.range().end) + 2 * COLUMN;
        let told = columns(&cells, &grid, scale, within, &BTreeSet::new());
        // Both are in order, which the property above holds: what lies over what is found and not searched.
        let places: Vec<_> = (0..cells.len()).map(|index| scale.place(grid.cell(index))).collect();
        for (index, (cell, place)) in cells.iter().zip(&places).enumerate() {
            let first = told.partition_point(|column| column.pixels.end <= place.start);
            let over = told[first..].iter().take_while(|column| column.pixels.start < place.end);
            let over: Vec<&Look> = over.map(|column| &column.look).collect();
            for (ms, shown) in [
                (cell.up_ms, over.iter().any(|look| look.free > 0)),
                (cell.full_ms, over.iter().any(|look| look.full > 0)),
                (cell.fault_ms, over.iter().any(|look| look.fault > 0)),
                (cell.own(), over.iter().any(|look| look.own.is_some())),
            ] {
                prop_assert!(ms == 0 || shown, "cell {index} {cell:?} at {place:?}: {over:?}");
            }
        }
        for column in &told {
            let first = places.partition_point(|place| place.end <= column.pixels.start);
            let last = places.partition_point(|place| place.start < column.pixels.end);
            let under = |is: fn(&Cell) -> bool| cells[first..last.max(first)].iter().any(is);
            prop_assert!(column.look.free == 0 || under(|cell| cell.up_ms > 0));
            prop_assert!(column.look.full == 0 || under(|cell| cell.full_ms > 0));
            prop_assert!(column.look.fault == 0 || under(|cell| cell.fault_ms > 0));
            prop_assert!(column.look.own.is_none() || under(|cell| cell.own() > 0));
        }
    }

    /// A picture drawn in pieces is the picture drawn at once: what tiles that are kept between frames rely on.
    #[test]
    fn pieces_make_up_the_whole((step, span, pixels, start) in views(), picked in prop::collection::vec(cell(), 1..50), piece in 1i64..200) {
        let grid = Grid::every(start..start + span, step);
        let cells: Vec<Cell> = (0..grid.len()).map(|index| picked[index * 31 % picked.len()]).collect();
        let scale = Scale::of(span, pixels);
        let first = scale.pixel(grid.range().start).div_euclid(COLUMN) * COLUMN;
        let end = first + (i64::from(pixels) * 2).min(3000) / COLUMN * COLUMN;
        let whole = columns(&cells, &grid, scale, first..end, &BTreeSet::new());
        let mut joined: Vec<Column> = Vec::new();
        for from in (first..end).step_by((piece * COLUMN) as usize) {
            for column in columns(&cells, &grid, scale, from..(from + piece * COLUMN).min(end), &BTreeSet::new()) {
                match joined.last_mut() {
                    Some(last) if last.pixels.end == column.pixels.start && last.look == column.look => last.pixels.end = column.pixels.end,
                    _ => joined.push(column),
                }
            }
        }
        prop_assert_eq!(joined, whole);
    }
}

#[test]
fn a_minute_of_a_year_has_its_column() {
    let grid = Grid::every(START..START + 365 * DAY, 12 * HOUR);
    let mut cells = vec![seen(43_200, 0, 0); grid.len()];
    cells[500] = seen(43_140, 0, 60);
    let scale = Scale::of(365 * DAY, 300);
    let told =
        columns(&cells, &grid, scale, scale.pixel(START) / 2 * 2..scale.pixel(START + 366 * DAY), &BTreeSet::new());
    let looks: Vec<u8> = told.iter().map(|column| column.look.fault).collect();
    assert_eq!(looks, [0, 1, 0], "a year in 150 columns, one minute of one of them");
}
