//! The bench itself: every shape, history and way of looking, and what is asked of the outcome.

use std::ops::RangeInclusive;

use super::record;
use super::sampling::Sampling;
use super::score::{METHODS, Score};
use super::world::{Lengths, MINUTE_MS, Planted, Shape, USER_ZONE, WEEK_MINS, zone};

/// No shape may be worse than this against the best baseline.
const WORST: f64 = 1.10;
/// Where the 80 % interval's coverage has to lie.
const COVERAGE: RangeInclusive<f64> = 0.72..=0.88;

/// One way of looking and one length of the record: a score of each shape.
#[derive(Debug)]
pub struct Row {
    pub sampling: Sampling,
    pub weeks: i64,
    pub shapes: Vec<Score>,
}

impl Row {
    /// All shapes together.
    pub fn pooled(&self) -> Score {
        let mut pooled = Score::default();
        self.shapes.iter().for_each(|score| pooled.add(score));
        pooled
    }

    /// The shape that does worst against the best baseline: its place and our error over that baseline's.
    pub fn worst(&self) -> (usize, f64) {
        let ratios = self.shapes.iter().map(Score::ratio).enumerate();
        ratios.max_by(|(_, one), (_, other)| one.total_cmp(other)).unwrap_or((0, 1.0))
    }

    /// What is asked, and whether it is reached.
    pub fn verdicts(&self) -> [(&'static str, bool); 4] {
        let pooled = self.pooled();
        [
            ("error", (1..METHODS).all(|method| pooled.error(0) < pooled.error(method))),
            ("shapes", self.worst().1 <= WORST),
            ("coverage", COVERAGE.contains(&pooled.coverage())),
            ("brier", (1..METHODS).all(|method| pooled.brier(0) < pooled.brier(method))),
        ]
    }
}

/// Which rows, and of how many histories.
#[derive(Clone, Debug)]
pub struct Asked {
    pub lengths: Lengths,
    pub samplings: Vec<Sampling>,
    pub weeks: Vec<i64>,
    pub seeds: RangeInclusive<u64>,
}

/// Plants, looks, estimates and scores.
pub fn run(shapes: &[Shape], asked: &Asked) -> Vec<Row> {
    let zone = zone(USER_ZONE);
    let row = |sampling: Sampling, weeks: i64| Row { sampling, weeks, shapes: vec![Score::default(); shapes.len()] };
    let of = |sampling: &Sampling| asked.weeks.iter().map(|weeks| row(*sampling, *weeks)).collect::<Vec<_>>();
    let mut rows: Vec<Row> = asked.samplings.iter().flat_map(of).collect();
    for (index, shape) in shapes.iter().enumerate() {
        let planted = Planted::new(*shape, asked.lengths);
        let slots = record::slots(planted.time.start, &zone);
        for seed in asked.seeds.clone() {
            let world = planted.play(&mut fastrand::Rng::with_seed(seed));
            for sampling in &asked.samplings {
                let mut points = sampling.look(&world, &mut fastrand::Rng::with_seed(seed ^ 0x5eed));
                let quarters = record::quarters(&mut points, planted.time.start, &slots);
                for row in rows.iter_mut().filter(|row| row.sampling == *sampling) {
                    let from = planted.time.end - row.weeks * WEEK_MINS * MINUTE_MS;
                    let known = &quarters[quarters.partition_point(|quarter| quarter.start_ms < from)..];
                    let ours = record::ours(known, &zone, planted.time.end);
                    row.shapes[index].add(&Score::of(&planted, &world, known, &ours));
                }
            }
        }
    }
    rows
}
