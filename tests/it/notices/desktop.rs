//! Desktop notices against a service that answers, is poor, hangs, dies, comes back, or is not there.

use std::time::Duration;

use vacancy::notify::everywhere::Means;
use vacancy::notify::{Message, Notifier as _};

use super::mock::{Bus, Call, Manner};
use super::{LIMIT, answered, means, message, start};

fn on(bus: &Bus, folder: &std::path::Path) -> Means {
    Means { has_desktop: true, ..means(folder, &[("DBUS_SESSION_BUS_ADDRESS", &bus.address)]) }
}

#[test]
fn a_notice_is_shown_and_every_answer_is_heard_once() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    desk.show(message(11));
    let shown = bus.shown();
    assert_eq!(shown.summary, "sol is free again 11");
    assert_eq!(shown.body, "After &lt;25&gt; min &amp; more.");
    assert_eq!(shown.actions, ["default", "Vacancy", "use", "Use sol now", "snooze", "Snooze"]);
    assert_eq!(shown.urgency, 1);
    // Somebody else's signal, an action that was not offered, and a notice that is not ours.
    bus.clicked(":1.99", shown.number, "use");
    bus.clicked(":1.7", shown.number, "rm -rf");
    bus.clicked(":1.7", shown.number + 5, "use");
    bus.clicked(":1.7", shown.number, "use");
    assert_eq!(answered(&answers), (11, "use".to_owned()));
    loop {
        match bus.calls.recv_timeout(LIMIT).unwrap() {
            Call::Close(number) => break assert_eq!(number, shown.number, "an answered notice is taken away"),
            other => assert!(!matches!(other, Call::Notify(_))),
        }
    }
    // It is answered: a second click is none.
    bus.clicked(":1.7", shown.number, "use");

    desk.show(Message { is_urgent: true, ..message(12) });
    let second = bus.shown();
    assert_eq!(second.urgency, 2);
    bus.clicked(":1.7", second.number, "default");
    assert_eq!(answered(&answers), (12, "default".to_owned()));

    desk.show(message(13));
    let third = bus.shown();
    bus.closed(":1.7", third.number);
    bus.clicked(":1.7", third.number, "snooze");
    desk.show(message(14));
    let fourth = bus.shown();
    bus.clicked(":1.7", fourth.number, "snooze");
    assert_eq!(answered(&answers), (14, "snooze".to_owned()), "the one before was closed");
}

#[test]
fn no_answer_is_lost_when_signals_come_together() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    let mut numbers = Vec::new();
    for id in 1..=12 {
        desk.show(message(id));
        numbers.push(bus.shown().number);
    }
    // All are dismissed at once, and the last is clicked in the same breath.
    for number in &numbers[..11] {
        bus.closed(":1.7", *number);
    }
    bus.clicked(":1.7", numbers[11], "use");
    bus.closed(":1.7", numbers[11]);
    assert_eq!(answered(&answers), (12, "use".to_owned()));
    // Clicked before the reply to the call has been looked at.
    bus.set(Manner { clicks_at_once: Some("snooze"), ..Manner::default() });
    desk.show(message(20));
    assert_eq!(answered(&answers), (20, "snooze".to_owned()));
}

#[test]
fn a_notice_is_replaced_and_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    desk.show(message(1));
    let first = bus.shown();
    desk.show(Message { replaces: Some(1), ..message(2) });
    let second = bus.shown();
    assert_eq!((second.replaces, second.number), (first.number, first.number));
    bus.clicked(":1.7", first.number, "use");
    assert_eq!(answered(&answers), (2, "use".to_owned()), "what stands there now is the second");
    // What was replaced is gone: nothing to replace any more.
    desk.show(Message { replaces: Some(2), ..message(3) });
    let third = bus.shown();
    assert_eq!(third.replaces, 0);
    desk.withdraw(3);
    desk.withdraw(77);
    loop {
        match bus.calls.recv_timeout(LIMIT).unwrap() {
            Call::Close(number) => break assert_eq!(number, third.number),
            other => assert!(!matches!(other, Call::Notify(_))),
        }
    }
}

#[test]
fn a_service_without_buttons_or_markup_gets_words() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner { abilities: &["body"], ..Manner::default() });
    let (desk, _answers) = start(on(&bus, folder.path()));
    desk.show(Message { body: "a < b\0".to_owned(), ..message(1) });
    let shown = bus.shown();
    assert!(shown.actions.is_empty());
    assert_eq!(shown.body, "a < b\nOpen Vacancy to act.");
}

#[test]
fn a_service_that_dies_and_comes_back_misses_nothing_and_takes_no_old_answer() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    desk.show(message(1));
    let old = bus.shown();
    bus.set(Manner { error: Some("org.freedesktop.DBus.Error.ServiceUnknown"), ..Manner::default() });
    bus.moved(":1.7", "");
    desk.show(message(2));
    // Whichever it heard of first, the end or the notice: it asks, and is told that there is none.
    bus.calls.recv_timeout(LIMIT).unwrap();
    bus.set(Manner { owner: ":1.8", ..Manner::default() });
    bus.moved("", ":1.8");
    let new = bus.shown();
    assert_eq!((new.summary.as_str(), new.replaces), ("sol is free again 2", 0));
    // The old one's number means nothing now, though the new one uses it for somebody else.
    bus.clicked(":1.8", old.number, "use");
    bus.clicked(":1.7", old.number, "use");
    bus.clicked(":1.8", new.number, "snooze");
    assert_eq!(answered(&answers), (2, "snooze".to_owned()));
}

#[test]
fn a_service_that_dies_while_it_is_asked_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(Means { patience: LIMIT, ..on(&bus, folder.path()) });
    desk.show(message(1));
    bus.shown();
    bus.set(Manner { hangs: true, ..Manner::default() });
    desk.show(message(2));
    bus.shown();
    bus.set(Manner { owner: ":1.9", ..Manner::default() });
    bus.moved(":1.7", "");
    bus.drop_held();
    let again = bus.shown();
    assert_eq!(again.summary, "sol is free again 2");
    bus.clicked(":1.9", again.number, "use");
    assert_eq!(answered(&answers), (2, "use".to_owned()));
}

#[test]
fn a_hanging_service_gets_one_notice_and_blocks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    desk.show(message(1));
    bus.shown();
    bus.set(Manner { hangs: true, ..Manner::default() });
    desk.show(message(2));
    assert_eq!(bus.shown().summary, "sol is free again 2");
    for id in 100..600 {
        desk.show(message(id));
    }
    // From now on it is only asked whether it is there: twice, to be sure that the queue moves on.
    for _ in 0..2 {
        assert!(matches!(bus.calls.recv_timeout(LIMIT).unwrap(), Call::Abilities));
    }
    // It wakes: what it was shown late can be answered, and the newest news come.
    bus.wake();
    let mut last = bus.shown();
    while last.summary != "sol is free again 599" {
        last = bus.shown();
    }
    bus.clicked(":1.7", last.number, "use");
    assert_eq!(answered(&answers), (599, "use".to_owned()));
    bus.clicked(":1.7", 2, "snooze");
    assert_eq!(answered(&answers), (2, "snooze".to_owned()), "shown late, and still news");
    // One that hangs for good keeps the program from nothing.
    bus.set(Manner { hangs: true, ..Manner::default() });
    desk.show(message(700));
    bus.shown();
    drop(desk);
}

#[test]
fn five_hundred_notices_at_once_are_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let bus = Bus::start(folder.path(), Manner::default());
    let (desk, answers) = start(on(&bus, folder.path()));
    for id in 1..=500 {
        desk.show(message(id));
    }
    let mut last = bus.shown();
    while last.summary != "sol is free again 500" {
        last = bus.shown();
    }
    bus.clicked(":1.7", last.number, "use");
    assert_eq!(answered(&answers), (500, "use".to_owned()));
}

#[test]
fn without_a_bus_nothing_fails_and_one_that_comes_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("unix:path={}", folder.path().join("bus").display());
    let (desk, answers) =
        start(Means { has_desktop: true, ..means(folder.path(), &[("DBUS_SESSION_BUS_ADDRESS", &address)]) });
    for id in 0..50 {
        desk.show(message(id));
    }
    let bus = Bus::start(folder.path(), Manner::default());
    desk.show(message(60));
    let mut shown = bus.shown();
    while shown.summary != "sol is free again 60" {
        shown = bus.shown();
    }
    // The bus goes, with all that was shown on it.
    bus.cut();
    std::thread::yield_now();
    let mut tries = 0;
    let again = loop {
        tries += 1;
        desk.show(message(60 + tries));
        match bus.calls.recv_timeout(Duration::from_secs(1)) {
            Ok(Call::Notify(shown)) => break shown,
            Ok(_) => {}
            Err(_) => assert!(tries < 60, "never connected again"),
        }
    };
    bus.clicked(":1.7", again.number, "use");
    assert_eq!(answered(&answers).1, "use");
}
