//! The real window with a real bus, a panel that is ours, and a window manager.

use std::process::Command;

use super::desk::Desk;
use super::watcher::Bus;
use super::{Running, World, until};

/// What a run in a real window needs.
struct Stage {
    desk: Desk,
    bus: Bus,
}

impl Stage {
    fn start() -> Option<Self> {
        let stage = Desk::start().zip(Bus::start()).map(|(desk, bus)| Self { desk, bus });
        if stage.is_none() {
            println!("skipped: Xvfb, openbox, xdotool, wmctrl or dbus-daemon is missing");
        }
        stage
    }

    fn program(&self, world: &World) -> Command {
        let mut command = world.program();
        command.env("DISPLAY", &self.desk.display).env("DBUS_SESSION_BUS_ADDRESS", &self.bus.address);
        command
    }

    fn sees(&self, what: &str, is: impl Fn(&Desk) -> bool) {
        until(what, || is(&self.desk).then_some(()));
    }
}

#[test]
fn the_tray_shows_the_state_and_its_menu_works() {
    let Some(stage) = Stage::start() else { return };
    let world = World::new("");
    let watcher = stage.bus.watcher();
    let mut program = Running::start(&mut stage.program(&world)).unwrap();
    let item = watcher.item();
    stage.sees("a window", Desk::is_shown);
    let tip = until("the state", || Some(item.tooltip()).filter(|tip| tip.contains("Free now: ok")));
    assert!(tip.starts_with("overloaded-503 · Full since "), "{tip}");
    let (sides, middle) = item.pictures();
    assert_eq!(sides, [22, 24, 32, 48]);
    assert_eq!(middle, [0xFF, 0x1B, 0x1B, 0x1B], "between the two bars of a full one the plate is seen");
    let menu = item.menu();
    let labels: Vec<&str> = menu.iter().map(|line| line.label.as_str()).collect();
    assert!(labels[0].starts_with("overloaded-503 · Full since ") && labels[1].starts_with("ok · "), "{labels:?}");
    assert!(menu[0].has_icon && menu[1].has_icon);
    let last =
        ["Pause for an hour", "Do not disturb for an hour", "Show Vacancy", "Glance: the small window", "Quit Vacancy"];
    assert!(labels.ends_with(&last), "{labels:?}");
    item.choose("Do not disturb for an hour");
    let is_quiet = || item.menu().iter().any(|line| line.label.starts_with("Do not disturb") && line.is_ticked);
    until("quiet", || is_quiet().then_some(()));
    item.choose("Do not disturb for an hour");
    until("the end of quiet", || (!is_quiet()).then_some(()));

    item.choose("Pause for an hour");
    until("the pause", || item.tooltip().starts_with("Paused until ").then_some(()));
    // A pause outlives the program.
    program.signal("TERM");
    assert_eq!(program.end(), 0);
    let mut program = Running::start(&mut stage.program(&world)).unwrap();
    let item = watcher.item();
    until("the pause again", || item.tooltip().starts_with("Paused until ").then_some(()));
    item.choose("Go on watching");
    until("the end of the pause", || (!item.tooltip().contains("Paused")).then_some(()));

    stage.sees("a window", Desk::is_shown);
    item.choose("Quit Vacancy");
    assert_eq!(program.end(), 0);
}

#[test]
fn a_hidden_window_costs_nothing_and_comes_back_by_every_way() {
    let Some(stage) = Stage::start() else { return };
    let world = World::new("[background]\nclose = \"tray\"\n");
    let watcher = stage.bus.watcher();
    let mut program = Running::start(&mut stage.program(&world)).unwrap();
    let item = watcher.item();
    stage.sees("a window", Desk::is_shown);
    until("a record", || world.kinds());
    let hide = || {
        stage.sees("the focus", Desk::has_focus);
        stage.desk.close_window();
        stage.sees("the window gone", Desk::is_hidden);
    };
    hide();
    item.click();
    stage.sees("the window after a click", Desk::has_focus);
    hide();
    item.choose("Show Vacancy");
    stage.sees("the window after the menu", Desk::has_focus);
    hide();
    let second = stage.program(&world).output().unwrap();
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
    stage.sees("the window after a second start", Desk::has_focus);
    hide();
    // A start with the session does not bring it up.
    assert_eq!(stage.program(&world).arg("--minimized").status().unwrap().code(), Some(0));
    assert!(stage.desk.is_hidden());

    // A panel that starts anew is no loss; one that dies leaves a window in the list.
    drop(watcher);
    let watcher = stage.bus.watcher();
    watcher.item();
    assert!(stage.desk.is_hidden());
    drop(watcher);
    stage.sees("the window in the list", Desk::is_minimised);
    let watcher = stage.bus.watcher();
    let item = watcher.item();
    item.click();
    stage.sees("the window after the panel's return", Desk::has_focus);
    hide();

    // A full primary is probed every minute, which is not free.
    item.choose("Pause for an hour");
    until("the pause", || item.tooltip().starts_with("Paused until ").then_some(()));
    // A look of once a minute may fall into one of them.
    let spent = [(); 3].map(|()| {
        let before = program.ticks();
        std::thread::sleep(std::time::Duration::from_secs(20));
        let (all, threads) = program.ticks();
        let by_thread = threads.into_iter().map(|(name, ticks)| {
            let spent = ticks.saturating_sub(*before.1.get(&name).unwrap_or(&0));
            (name, spent)
        });
        (all - before.0, by_thread.filter(|(_, ticks)| *ticks > 0).collect::<Vec<_>>())
    });
    println!("{spent:?} ticks of CPU in 20 s, hidden");
    assert!(spent.iter().map(|(all, _)| *all).min() <= Some(2), "{spent:?} ticks of CPU in 20 s");

    item.choose("Go on watching");
    let labels: Vec<String> = item.menu().into_iter().map(|line| line.label).collect();
    item.choose(labels.iter().find(|label| label.starts_with("ok · ")).unwrap());
    stage.sees("the window of a target", Desk::has_focus);
    hide();
    program.signal("HUP");
    assert_eq!(program.end(), 0, "a signal ends it while it is hidden");
    assert!(!world.socket().exists());
}

#[test]
fn without_a_tray_everything_works_and_closing_asks_once() {
    let Some(stage) = Stage::start() else { return };
    let world = World::new("");
    // A bus without a watcher, and a start with the session.
    let mut program = Running::start(stage.program(&world).arg("--minimized")).unwrap();
    until("a record", || world.kinds());
    stage.sees("it in the list of windows", Desk::is_minimised);
    // Two more starts at one moment.
    let mut more = [(); 2].map(|()| Running::start(&mut stage.program(&world)).unwrap());
    for other in &mut more {
        assert_eq!(other.end(), 0);
    }
    stage.sees("the window", Desk::has_focus);
    stage.desk.close_window();
    until("the answer", || {
        // The question is on the screen within a frame or two; its button takes Enter.
        stage.desk.press("Return");
        std::fs::read_to_string(world.settings()).unwrap().contains("close = \"tray\"").then_some(())
    });
    stage.sees("it in the list of windows again", Desk::is_minimised);
    assert!(program.is_alive());
    // A tray that comes later has its icon, and a window that the user minimised stays where it is.
    let watcher = stage.bus.watcher();
    let item = watcher.item();
    assert!(stage.desk.is_minimised());
    item.click();
    stage.sees("the window after a click", Desk::has_focus);
    // Looks that are chosen in the window are what the settings say; what the file said when the window began holds else.
    let says = |words: &str| std::fs::read_to_string(world.settings()).unwrap().contains(words);
    for step in ["zoom = 1.1", "zoom = 1.2"] {
        stage.desk.press("ctrl+plus");
        until("the zoom in the settings", || says(step).then_some(()));
    }
    stage.desk.press("ctrl+q");
    assert_eq!(program.end(), 0);
    let text = std::fs::read_to_string(world.settings()).unwrap().replace("zoom = 1.2", "zoom = 1.5");
    std::fs::write(world.settings(), text).unwrap();
    let mut program = Running::start(&mut stage.program(&world)).unwrap();
    stage.sees("the window of another start", Desk::has_focus);
    stage.desk.press("ctrl+minus");
    until("a step from what the file says", || says("zoom = 1.4").then_some(()));
    stage.desk.press("ctrl+q");
    assert_eq!(program.end(), 0);
}

#[test]
fn two_starts_at_one_moment_are_one_program() {
    let Some(stage) = Stage::start() else { return };
    let world = World::new("");
    let mut both = [(); 2]
        .map(|()| Running::start(stage.program(&world).env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")).unwrap());
    let first_to_end = until("the end of one", || both.iter_mut().position(|program| !program.is_alive()));
    assert_eq!(both[first_to_end].end(), 0, "the second one brings the first to the front");
    stage.sees("one window", Desk::is_shown);
    let stays = &mut both[1 - first_to_end];
    assert!(stays.is_alive());
    stays.signal("TERM");
    assert_eq!(stays.end(), 0);
}
