//! How good are notices, beside fixed rules on the same evidence?
//!
//! Two tables. *Stories*: the committed traces, where the right notices stand beside what was seen. *Worlds*: weeks of
//! simulated trouble from seeds, where it is known what was true. The rules see every result that the real schedule brought,
//! and tell when so many failures, or successes, in a row have come, as monitors do.
//!
//! `cargo bench --bench notices --no-default-features`

mod rule;
mod stories;
mod worlds;

fn main() {
    stories::print();
    println!();
    worlds::print();
}
