//! How property tests run, in one place: the same cases each time, so that a change is judged by what it changes and not by
//! luck. What luck finds is looked for by `tests/prove-reliability --only properties`: many more cases, from another seed.
//!
//! `VACANCY_PROOF=N` gives every test N times its own number of cases, and proptest's own `PROPTEST_RNG_SEED` says where they
//! come from. A failure prints both, and its smallest case, which is then kept as a test of its own.

use proptest::test_runner::{Config, RngSeed};

/// Of a test with this number of cases of its own.
pub fn cases(own: u32) -> Config {
    let given = Config::default();
    let cases = own.saturating_mul(times());
    let seed = match given.rng_seed {
        RngSeed::Random => 1,
        RngSeed::Fixed(seed) => seed,
    };
    // Shown with a failure, and counted by the script. The harness names the thread by the test.
    let test = std::thread::current();
    println!("PROPERTY {} {cases} cases from seed {seed}", test.name().unwrap_or("?"));
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        // A file of seeds would tell only those who have it, and only as long as the test takes the same values.
        failure_persistence: None,
        // What a test passes over grows with what it takes.
        max_global_rejects: given.max_global_rejects.max(cases.saturating_mul(8)),
        ..given
    }
}

#[expect(clippy::disallowed_methods, reason = "the pure half is tested too, which has no `Env`")]
fn times() -> u32 {
    std::env::var("VACANCY_PROOF").map_or(1, |times| times.parse().expect("VACANCY_PROOF is a number"))
}
