//! A session bus of its own, with a watcher and host of StatusNotifierItems on it that does what a panel does.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zbus::blocking::{Connection, Proxy, connection};
use zbus::zvariant::{OwnedValue, Value};

use super::{LIMIT, Running};

const NAME: &str = "org.kde.StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";

/// A private session bus.
pub struct Bus {
    _daemon: Running,
    pub address: String,
}

impl Bus {
    /// `None` where there is no `dbus-daemon`.
    pub fn start() -> Option<Self> {
        let mut command = Command::new("dbus-daemon");
        command.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
        let mut daemon = Running::start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let mut address = String::new();
        BufReader::new(daemon.0.stdout.take()?).read_line(&mut address).ok()?;
        Some(Self { _daemon: daemon, address: address.trim().to_owned() })
    }

    /// A panel appears.
    pub fn watcher(&self) -> Watcher {
        let (told, items) = sync_channel(16);
        let bus = connection::Builder::address(self.address.as_str())
            .unwrap()
            .serve_at("/StatusNotifierWatcher", Service { told })
            .unwrap()
            .name(NAME)
            .unwrap()
            .build()
            .unwrap();
        Watcher { bus, items }
    }
}

struct Service {
    told: SyncSender<String>,
}

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Service {
    fn register_status_notifier_item(&self, service: String) {
        let _ = self.told.try_send(service);
    }

    fn register_status_notifier_host(&self, _service: String) {}

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

/// The panel; it goes away with this value.
pub struct Watcher {
    bus: Connection,
    items: Receiver<String>,
}

/// A line of the menu.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub id: i32,
    pub label: String,
    pub is_ticked: bool,
    /// A picture stands before it.
    pub has_icon: bool,
    pub lines: Vec<Self>,
}

impl Watcher {
    /// The next item that registers itself.
    pub fn item(&self) -> Item<'_> {
        Item { bus: &self.bus, name: self.items.recv_timeout(LIMIT).unwrap() }
    }
}

pub struct Item<'a> {
    bus: &'a Connection,
    name: String,
}

type Node = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

impl Item<'_> {
    fn proxy(&self, path: &'static str, interface: &'static str) -> Proxy<'_> {
        Proxy::new(self.bus, self.name.clone(), path, interface).unwrap()
    }

    /// The state in words.
    pub fn tooltip(&self) -> String {
        type ToolTip = (String, Vec<(i32, i32, Vec<u8>)>, String, String);
        let tip: ToolTip = self.proxy("/StatusNotifierItem", ITEM).get_property("ToolTip").unwrap();
        tip.3
    }

    /// Sides of the pictures, and the colour in the middle of the smallest: opacity, red, green, blue.
    pub fn pictures(&self) -> (Vec<i32>, Vec<u8>) {
        let icons: Vec<(i32, i32, Vec<u8>)> =
            self.proxy("/StatusNotifierItem", ITEM).get_property("IconPixmap").unwrap();
        for (width, height, bytes) in &icons {
            assert_eq!((width, bytes.len()), (height, usize::try_from(width * height * 4).unwrap()));
        }
        let (side, _, bytes) = &icons[0];
        let middle = usize::try_from((side / 2 * side + side / 2) * 4).unwrap();
        (icons.iter().map(|icon| icon.0).collect(), bytes[middle..middle + 4].to_vec())
    }

    pub fn click(&self) {
        self.proxy("/StatusNotifierItem", ITEM).call::<_, _, ()>("Activate", &(0, 0)).unwrap();
    }

    pub fn menu(&self) -> Vec<Line> {
        let names: Vec<&str> = Vec::new();
        let (_, root): (u32, Node) = self.proxy("/MenuBar", MENU).call("GetLayout", &(0, -1, names)).unwrap();
        root.2.into_iter().filter_map(line).collect()
    }

    /// Chooses the line with this label, in whatever menu it is.
    pub fn choose(&self, label: &str) {
        fn find(lines: &[Line], label: &str) -> Option<i32> {
            lines.iter().find_map(|line| if line.label == label { Some(line.id) } else { find(&line.lines, label) })
        }
        let menu = self.menu();
        let id = find(&menu, label).unwrap_or_else(|| panic!("no `{label}` in {menu:#?}"));
        let data = Value::from("");
        self.proxy("/MenuBar", MENU).call::<_, _, ()>("Event", &(id, "clicked", data, 0_u32)).unwrap();
    }
}

/// A line that is not a separator.
fn line(node: OwnedValue) -> Option<Line> {
    let (id, properties, children): Node = node.try_into().unwrap();
    let text = |name: &str| properties.get(name).and_then(|value| String::try_from(value.clone()).ok());
    let label = text("label").filter(|_| text("type").as_deref() != Some("separator"))?;
    Some(Line {
        id,
        // As a panel shows it.
        label: label.replace("__", "_"),
        is_ticked: properties.get("toggle-state").and_then(|value| i32::try_from(value.clone()).ok()) == Some(1),
        has_icon: properties.contains_key("icon-data"),
        lines: children.into_iter().filter_map(line).collect(),
    })
}
