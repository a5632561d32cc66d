//! How many exchanges a second one core classifies: the whole corpus, and its short ones (under 1 KiB), over and over.
//!
//! Where the system tells a thread's time on the CPU (Linux), that is what counts, so that a busy machine does not blur it.
//!
//! ```text
//! cargo bench --no-default-features --bench classify
//! ```

use std::hint::black_box;
use std::time::{Duration, Instant};

use vacancy::core::classify::line::{self, Line};
use vacancy::core::classify::{Origin, RuleSet, classify};

const CORPORA: [&str; 2] = [
    include_str!("../tests/fixtures/error-corpus/dev.jsonl"),
    include_str!("../tests/fixtures/error-corpus/more.jsonl"),
];
/// A round's least length; the best of several rounds is told, as other programs can only slow it down.
const ROUND: Duration = Duration::from_millis(500);
const ROUNDS: usize = 5;

fn main() {
    let lines: Vec<Line> = CORPORA
        .iter()
        .flat_map(|corpus| corpus.lines())
        .map(|text| line::parse(text.as_bytes()).expect("a line of the corpus"))
        .collect();
    let rules = RuleSet::builtin();
    let all: Vec<&Line> = lines.iter().collect();
    let short: Vec<&Line> = lines.iter().filter(|line| line.exchange.body.len() < 1024).collect();
    let failed: Vec<&Line> = lines.iter().filter(|line| line.exchange.status.is_none()).collect();
    for (name, lines) in [("whole corpus", all), ("short exchanges", short), ("transport errors", failed)] {
        let bytes: usize = lines.iter().map(|line| line.exchange.body.len()).sum();
        let best = (0..ROUNDS).map(|_| rate(&lines, &rules)).fold(0.0, f64::max);
        println!(
            "{name}: {} exchanges of {} bytes on average, {best:.0} a second ({:.2} µs each)",
            lines.len(),
            bytes / lines.len(),
            1e6 / best,
        );
    }
}

/// Exchanges a second in one round.
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn rate(lines: &[&Line], rules: &RuleSet) -> f64 {
    let start = Instant::now();
    let cpu_start = cpu();
    let mut count = 0_u32;
    while start.elapsed() < ROUND {
        for line in lines {
            let origin = Origin { dialect: line.dialect, provider: line.provider.as_deref() };
            black_box(classify(origin, black_box(&line.exchange), rules));
            count += 1;
        }
    }
    let spent = match (cpu_start, cpu()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => start.elapsed(),
    };
    f64::from(count) / spent.as_secs_f64()
}

/// This thread's time on the CPU.
fn cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
