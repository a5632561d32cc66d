//! What the page `tests/RELIABILITY.md` says and no other test holds: the program under hostile answers, servers, files,
//! disks and clocks. `tests/prove-reliability` runs these for longer.

#![cfg(target_os = "linux")]

mod answers;
mod database;
mod files;
mod places;
mod servers;
