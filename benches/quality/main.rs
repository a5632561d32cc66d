//! How well the cheat sheet's shares agree with planted truth, against plain methods. See README.md.
//!
//! ```text
//! cargo bench --no-default-features --bench quality -- --seeds 21-40 --check
//! ```

mod record;
mod rows;
mod sampling;
mod score;
mod table;
mod world;

use std::process::ExitCode;

use rows::Asked;
use sampling::Sampling;
use world::{Lengths, SHAPES};

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
    asked: Asked,
    shapes: Option<Vec<String>>,
    is_by_shape: bool,
    is_json: bool,
    is_check: bool,
}

fn options(mut args: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        asked: Asked {
            lengths: Lengths { median: 25.0, spread: 1.0 },
            samplings: Sampling::ALL.to_vec(),
            weeks: vec![1, 2, 4, 8],
            seeds: 21..=40,
        },
        shapes: None,
        is_by_shape: false,
        is_json: false,
        is_check: false,
    };
    let list = |text: String| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let asked = &mut options.asked;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seeds" => {
                let text = args.next()?;
                let (from, to) = text.split_once('-').unwrap_or((&text, &text));
                asked.seeds = from.parse().ok()?..=to.parse().ok()?;
            }
            "--shapes" => options.shapes = Some(list(args.next()?)),
            "--sampling" => {
                let names = list(args.next()?);
                asked.samplings.retain(|sampling| names.contains(&sampling.name()));
            }
            "--weeks" => {
                asked.weeks = list(args.next()?).iter().map(|week| week.parse().ok()).collect::<Option<_>>()?
            }
            "--outage-minutes" => asked.lengths.median = args.next()?.parse().ok()?,
            "--outage-spread" => asked.lengths.spread = args.next()?.parse().ok()?,
            "--by-shape" => options.is_by_shape = true,
            "--json" => options.is_json = true,
            "--check" => options.is_check = true,
            // What cargo adds.
            "--bench" => {}
            _ => return None,
        }
    }
    let is_valid = asked.weeks.iter().all(|week| (1..=world::WEEKS).contains(week))
        && asked.lengths.median > 0.0
        && asked.lengths.spread > 0.0
        && !asked.samplings.is_empty();
    is_valid.then_some(options)
}

fn main() -> ExitCode {
    let Some(options) = options(std::env::args().skip(1)) else {
        eprintln!("{USAGE}\nshapes: {}", SHAPES.map(|shape| shape.name).join(", "));
        eprintln!("sampling: {}", Sampling::ALL.map(Sampling::name).join(", "));
        return ExitCode::from(2);
    };
    let is_chosen = |name: &str| options.shapes.as_ref().is_none_or(|names| names.iter().any(|one| one == name));
    let shapes: Vec<_> = SHAPES.into_iter().filter(|shape| is_chosen(shape.name)).collect();
    let rows = rows::run(&shapes, &options.asked);
    let is_passed = if options.is_json {
        table::json(&rows, &shapes)
    } else {
        table::markdown(&rows, &shapes, options.is_by_shape)
    };
    if options.is_check && !is_passed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
