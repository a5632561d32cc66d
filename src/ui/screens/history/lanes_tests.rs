//! What is drawn again, and what is kept.

use egui::{Context, RawInput};

use super::*;
use crate::core::history::Query;

const HOUR: i64 = 3_600_000;

/// Two lanes of hours over a range, each hour as its number says.
fn answer(range: Range<i64>) -> Answer {
    let query = Query {
        seen: range.clone(),
        range,
        step: HOUR,
        rows: Vec::new(),
        targets: Vec::new(),
        focus: None,
        source: None,
        now: 1_000_000 * HOUR,
    };
    let grid = query.grid();
    let cell = |at: i64| Cell { up_ms: (at / HOUR % 7) as u32, full_ms: 3, ..Cell::default() };
    let lane = |name: &str| Cells {
        target: name.into(),
        provider: String::new(),
        model: String::new(),
        cells: (0..grid.len()).map(|index| cell(grid.cell(index).start)).collect(),
        rows: Vec::new(),
    };
    Answer { lanes: [lane("a"), lane("b")].into(), ..Answer::empty(query) }
}

/// No place in a texture.
const MARK: f32 = -7.0;

/// Marks the tiles that are there, so that those made later are told from them.
fn mark(drawn: &mut Drawn) {
    drawn.tiles.values_mut().for_each(|mesh| mesh.vertices[0].uv.x = MARK);
}

/// The tiles that were made since, in order.
fn made(drawn: &Drawn) -> Vec<(usize, i64)> {
    let new = drawn.tiles.iter().filter(|(_, mesh)| mesh.vertices[0].uv.x != MARK);
    let mut tiles: Vec<_> = new.map(|(tile, _)| *tile).collect();
    tiles.sort_unstable();
    tiles
}

/// Ten pixels an hour.
fn key(ui: &Ui, hidden: &[Family]) -> Key {
    Key {
        scale: Scale::of(100 * HOUR, 1000),
        hidden: hidden.iter().copied().collect(),
        band: 16.0,
        pixels_per_point: 1.0,
        palette: palette(ui),
        patterns: texture(ui.ctx()).id(),
    }
}

fn placing(from: i64, left: i64) -> Placing {
    Placing { from: (from, left), across: (1000, 1000), lanes: vec![(0, 0), (1, 30)] }
}

#[test]
fn nothing_is_made_twice() {
    let ctx = Context::default();
    let mut drawn = Drawn::default();
    let output = ctx.run_ui(RawInput::default(), |ui| {
        let first = answer(-300 * HOUR..300 * HOUR);
        let mesh = drawn.mesh(&key(ui, &[]), placing(0, 40), &first, ui);
        let same = drawn.mesh(&key(ui, &[]), placing(0, 40), &first, ui);
        assert!(Arc::ptr_eq(&mesh, &same), "nothing moved");
        // More outages were listed: another answer with the same cells.
        let listed = Answer { has_more_outages: true, ..first.clone() };
        assert!(Arc::ptr_eq(&mesh, &drawn.mesh(&key(ui, &[]), placing(0, 40), &listed, ui)));

        assert_eq!(drawn.tiles.len(), 32, "sixteen tiles for each of two lanes");
        mark(&mut drawn);
        let panned = drawn.mesh(&key(ui, &[]), placing(7, 40), &first, ui);
        assert_eq!(made(&drawn), [], "seven pixels on, the tiles are the same");
        let last = |mesh: &Mesh| mesh.vertices.last().map_or(0.0, |vertex| vertex.pos.x);
        assert_eq!(last(&mesh) - last(&panned), 7.0);

        drawn.mesh(&key(ui, &[]), placing(70, 40), &first, ui);
        assert_eq!(made(&drawn), [(0, 16), (1, 16)], "those that came into view");

        // The answer for the next stretch: what lies in both is taken over.
        mark(&mut drawn);
        let next = answer(-100 * HOUR..500 * HOUR);
        drawn.mesh(&key(ui, &[]), placing(70, 40), &next, ui);
        assert_eq!(made(&drawn), []);
        // One hour of one lane became another: its tile alone is made again.
        let mut lanes = next.lanes.to_vec();
        lanes[1].cells[100 + 40].fault_ms = 1;
        drawn.mesh(&key(ui, &[]), placing(70, 40), &Answer { lanes: lanes.into(), ..next.clone() }, ui);
        assert_eq!(made(&drawn), [(1, 400 / TILE)]);

        mark(&mut drawn);
        drawn.mesh(&key(ui, &[Family::Full]), placing(70, 40), &next, ui);
        assert_eq!(made(&drawn).len(), 32, "what is hidden is in all of them");
    });
    output.drop_without_applying_deltas();
}

#[test]
fn far_from_the_view_nothing_is_kept() {
    let ctx = Context::default();
    let mut drawn = Drawn::default();
    let output = ctx.run_ui(RawInput::default(), |ui| {
        let answer = answer(-3000 * HOUR..3000 * HOUR);
        for from in (-20_000..20_000).step_by(500) {
            let mesh = drawn.mesh(&key(ui, &[]), placing(from, 0), &answer, ui);
            assert!(mesh.vertices.iter().all(|vertex| (-300.0..1300.0).contains(&vertex.pos.x)));
        }
        assert!(drawn.tiles.len() <= 2 * (17 + 8), "{}", drawn.tiles.len());
    });
    output.drop_without_applying_deltas();
}
