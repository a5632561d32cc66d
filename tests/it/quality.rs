//! The cheat sheet's shares stay better than plain methods: two rows of the quality bench, of few histories.

use rows::{Asked, run};
use sampling::Sampling;
use world::{Lengths, SHAPES};

#[path = "../../benches/quality/record.rs"]
mod record;
#[path = "../../benches/quality/rows.rs"]
mod rows;
#[path = "../../benches/quality/sampling.rs"]
mod sampling;
#[path = "../../benches/quality/score.rs"]
mod score;
#[path = "../../benches/quality/world.rs"]
mod world;

#[test]
fn shares_are_nearer_to_planted_truth_than_plain_means() {
    let names = ["weekday-afternoons", "weekend-differs", "one-day-only", "flat-rare"];
    let shapes: Vec<_> = SHAPES.into_iter().filter(|shape| names.contains(&shape.name)).collect();
    assert_eq!(shapes.len(), names.len());
    let asked = Asked {
        lengths: Lengths { median: 25.0, spread: 1.0 },
        samplings: Sampling::ALL.into_iter().filter(|one| ["adaptive", "passive"].contains(&&*one.name())).collect(),
        weeks: vec![4],
        seeds: 1..=2,
    };
    for row in run(&shapes, &asked) {
        let pooled = row.pooled();
        let errors: Vec<_> = (0..score::METHODS).map(|method| pooled.error(method)).collect();
        let of = row.sampling.name();
        assert!(errors[1..].iter().all(|plain| errors[0] < plain * 0.85), "{of}: {errors:?}");
        assert!((0.6..=0.95).contains(&pooled.coverage()), "{of}: {} at width {}", pooled.coverage(), pooled.width());
        assert!(
            row.verdicts().iter().all(|(what, is_met)| *is_met || *what == "coverage"),
            "{of}: {:?}",
            row.verdicts()
        );
    }
}
