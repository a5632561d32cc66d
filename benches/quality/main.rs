//! How well the cheat sheet's shares agree with planted truth, against plain methods. See README.md.
//!
//! ```text
//! cargo bench --no-default-features --bench quality -- --seeds 21-40 --check
//! ```

mod record;
mod sampling;
mod score;
mod table;
mod world;

use std::ops::RangeInclusive;
use std::process::ExitCode;

use sampling::Sampling;
use score::Score;
use world::{Lengths, MINUTE_MS, Planted, SHAPES, Shape, USER_ZONE, WEEK_MINS, zone};

const USAGE: &str = "\
--seeds FROM-TO       histories of each shape (21-40 report, 1-20 tune)
--shapes A,B          only these shapes
--sampling A,B        only these ways of looking
--weeks 1,2,4,8       lengths of the record
--outage-minutes M    median length of an outage (25)
--outage-spread S     standard deviation of its logarithm (1.0)
--by-shape            a table by shape too
--json                one JSON object a line in place of tables
--check               exit with 1 if a target is missed";

struct Options {
    seeds: RangeInclusive<u64>,
    shapes: Option<Vec<String>>,
    samplings: Option<Vec<String>>,
    weeks: Vec<i64>,
    lengths: Lengths,
    is_by_shape: bool,
    is_json: bool,
    is_check: bool,
}

fn options(mut args: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        seeds: 21..=40,
        shapes: None,
        samplings: None,
        weeks: vec![1, 2, 4, 8],
        lengths: Lengths { median: 25.0, spread: 1.0 },
        is_by_shape: false,
        is_json: false,
        is_check: false,
    };
    let list = |text: String| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seeds" => {
                let text = args.next()?;
                let (from, to) = text.split_once('-').unwrap_or((&text, &text));
                options.seeds = from.parse().ok()?..=to.parse().ok()?;
            }
            "--shapes" => options.shapes = Some(list(args.next()?)),
            "--sampling" => options.samplings = Some(list(args.next()?)),
            "--weeks" => {
                options.weeks = list(args.next()?).iter().map(|week| week.parse().ok()).collect::<Option<_>>()?;
            }
            "--outage-minutes" => options.lengths.median = args.next()?.parse().ok()?,
            "--outage-spread" => options.lengths.spread = args.next()?.parse().ok()?,
            "--by-shape" => options.is_by_shape = true,
            "--json" => options.is_json = true,
            "--check" => options.is_check = true,
            // What cargo adds.
            "--bench" => {}
            _ => return None,
        }
    }
    let is_valid = options.weeks.iter().all(|week| (1..=world::WEEKS).contains(week)) && options.lengths.median > 0.0;
    is_valid.then_some(options)
}

/// One way of looking and one length of the record: a score of each shape.
struct Row {
    sampling: Sampling,
    weeks: i64,
    shapes: Vec<Score>,
}

impl Row {
    fn pooled(&self) -> Score {
        let mut pooled = Score::default();
        self.shapes.iter().for_each(|score| pooled.add(score));
        pooled
    }

    /// The shape that does worst against the best baseline: its place and our error over that baseline's.
    fn worst(&self) -> (usize, f64) {
        let ratios = self.shapes.iter().map(Score::ratio).enumerate();
        ratios.max_by(|(_, one), (_, other)| one.total_cmp(other)).unwrap_or((0, 1.0))
    }
}

fn main() -> ExitCode {
    let Some(options) = options(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let is_chosen =
        |list: &Option<Vec<String>>, name: &str| list.as_ref().is_none_or(|list| list.iter().any(|one| one == name));
    let shapes: Vec<_> = SHAPES.into_iter().filter(|shape| is_chosen(&options.shapes, shape.name)).collect();
    let samplings: Vec<_> =
        Sampling::ALL.into_iter().filter(|sampling| is_chosen(&options.samplings, &sampling.name())).collect();
    if shapes.is_empty() || samplings.is_empty() {
        eprintln!("shapes: {}", SHAPES.map(|shape| shape.name).join(", "));
        eprintln!("sampling: {}", Sampling::ALL.map(Sampling::name).join(", "));
        return ExitCode::from(2);
    }
    let rows = run(&options, &shapes, &samplings);
    let is_passed = if options.is_json {
        table::json(&rows, &shapes)
    } else {
        table::markdown(&rows, &shapes, options.is_by_shape)
    };
    if options.is_check && !is_passed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run(options: &Options, shapes: &[Shape], samplings: &[Sampling]) -> Vec<Row> {
    let zone = zone(USER_ZONE);
    let scores = || vec![Score::default(); shapes.len()];
    let mut rows: Vec<_> = samplings
        .iter()
        .flat_map(|sampling| {
            options.weeks.iter().map(|weeks| Row { sampling: *sampling, weeks: *weeks, shapes: scores() })
        })
        .collect();
    for (index, shape) in shapes.iter().enumerate() {
        let planted = Planted::new(*shape, options.lengths);
        let slots = record::slots(planted.time.start, &zone);
        for seed in options.seeds.clone() {
            let world = planted.play(&mut fastrand::Rng::with_seed(seed));
            for sampling in samplings {
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
