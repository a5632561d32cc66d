//! Switching on a real disk, through the program: the handed cases, the journal, and what an enemy would try.

mod cases;
#[cfg(unix)]
mod journal;
