//! Starts beside each other, signals, and a machine that sleeps, with the program in the terminal.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::time::Duration;

use crate::support::proof;

use super::{Running, World, until};

fn watching(world: &World) -> Running {
    let mut watch = Running::start(world.program().arg("watch").stdout(Stdio::piped())).unwrap();
    // The board is printed as soon as every target was looked at.
    let mut board = String::new();
    BufReader::new(watch.0.stdout.as_mut().unwrap()).read_line(&mut board).unwrap();
    watch
}

#[test]
fn a_window_is_refused_beside_watch_and_told_by_whom() {
    let world = World::new("");
    let mut watch = watching(&world);
    // A display that is not there: the record is asked for first.
    let second = world.program().env("DISPLAY", ":987").output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(3), "{said}");
    assert!(said.contains(&watch.0.id().to_string()) && said.contains("vacancy now"), "{said}");
    let other = world.program().arg("watch").output().unwrap();
    assert_eq!(other.status.code(), Some(3));
    for name in ["HUP", "TERM"] {
        assert!(watch.is_alive());
        watch.signal(name);
        assert_eq!(watch.end(), 0, "{name}");
        assert!(!world.socket().exists());
        watch = watching(&world);
    }
    // What a killed one leaves behind is no hindrance.
    watch.signal("KILL");
    let _ = watch.0.wait();
    assert!(world.socket().exists());
    let mut watch = watching(&world);
    watch.signal("INT");
    assert_eq!(watch.end(), 0);
}

/// Twenty at once, and once more after the one that won was killed: always one, and the others say whom they found.
#[test]
fn of_many_starts_at_once_one_watches() {
    const STARTS: usize = 20;
    let world = World::new("");
    let rounds = proof::rounds(2);
    for round in 0..rounds {
        let start =
            |_| Running::start(world.program().arg("watch").stdout(Stdio::null()).stderr(Stdio::piped())).unwrap();
        let mut starts: Vec<Running> = (0..STARTS).map(start).collect();
        until("all but one end", || {
            let alive = starts.iter_mut().map(Running::is_alive).filter(|is_alive| *is_alive).count();
            (alive == 1).then_some(())
        });
        for start in &mut starts {
            if start.is_alive() {
                start.signal("KILL");
                let _ = start.0.wait();
                continue;
            }
            let mut said = String::new();
            start.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            assert_eq!(start.end(), 3, "round {round}: {said}");
            assert!(!said.contains("panicked") && said.contains("data"), "round {round}: {said}");
        }
    }
    let check = world.program().args(["db", "check"]).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    proof::row(
        format!("{STARTS} starts of `vacancy watch` on one record at once; the winner is then killed"),
        format!("{} starts", rounds * STARTS),
        "one went on each time, the others ended with code 3 and said why; the record's check is ok",
    );
}

/// Probes that were under way while the whole program stood still say nothing false of their models. (A longer stop, past
/// the two minutes that a tick may be late, is a gap: the schedule's own tests, and `tests/e2e`.)
#[test]
fn a_program_that_stood_still_for_a_moment_goes_on() {
    let world = World::new("");
    let text = std::fs::read_to_string(world.settings()).unwrap();
    let often = text.replace("[schedule]\n", "[schedule]\nevery = \"1s\"\n");
    std::fs::write(world.settings(), often).unwrap();
    let mut watch = watching(&world);
    for _ in 0..3 {
        let before = world.rows(",ok,");
        watch.signal("STOP");
        std::thread::sleep(Duration::from_secs(1));
        watch.signal("CONT");
        until("more samples", || (world.rows(",ok,") > before).then_some(()));
    }
    watch.signal("TERM");
    assert_eq!(watch.end(), 0);
    let known = world.rows(",available,") + world.rows(",at_capacity,");
    assert_eq!(world.rows("near"), known, "no other kind");
}
