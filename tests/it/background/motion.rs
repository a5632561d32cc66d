//! The desktop's wish for less motion: a settings portal on a session bus, whose user changes their mind.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;

use vacancy::platform::motion;
use zbus::blocking::connection::Builder;
use zbus::zvariant::{OwnedValue, Value};

use super::LIMIT;
use super::watcher::Bus;

const APPEARANCE: &str = "org.freedesktop.appearance";
const PATH: &str = "/org/freedesktop/portal/desktop";

struct Settings(Arc<AtomicU32>);

#[zbus::interface(name = "org.freedesktop.portal.Settings")]
impl Settings {
    fn read_all(&self, namespaces: Vec<String>) -> HashMap<String, HashMap<String, OwnedValue>> {
        assert!(namespaces.iter().any(|name| name == APPEARANCE));
        let value = Value::from(self.0.load(Ordering::SeqCst)).try_to_owned().unwrap();
        HashMap::from([(APPEARANCE.to_owned(), HashMap::from([("reduced-motion".to_owned(), value)]))])
    }
}

#[test]
fn the_portal_is_asked_and_its_changes_are_heard() {
    let Some(bus) = Bus::start() else { return };
    let wished = Arc::new(AtomicU32::new(1));
    let portal = Builder::address(bus.address.as_str())
        .unwrap()
        .serve_at(PATH, Settings(Arc::clone(&wished)))
        .unwrap()
        .name("org.freedesktop.portal.Desktop")
        .unwrap()
        .build()
        .unwrap();
    let address = bus.address.clone();
    let (said, heard) = sync_channel(8);
    std::thread::Builder::new()
        .spawn(move || {
            let client = Builder::address(address.as_str()).unwrap().build().unwrap();
            motion::follow(&client, |is_wished| said.send(is_wished).unwrap())
        })
        .unwrap();
    assert!(heard.recv_timeout(LIMIT).unwrap(), "at once, as it is wished for");
    for (namespace, value) in [(APPEARANCE, 0_u32), ("org.example.other", 1), (APPEARANCE, 1)] {
        wished.store(value, Ordering::SeqCst);
        let body = (namespace, "reduced-motion", Value::from(value));
        portal.emit_signal(None::<&str>, PATH, "org.freedesktop.portal.Settings", "SettingChanged", &body).unwrap();
        if namespace == APPEARANCE {
            assert_eq!(heard.recv_timeout(LIMIT).unwrap(), value == 1);
        }
    }
    assert!(heard.try_recv().is_err(), "nothing was told twice");
}
