//! A session bus with a notification service on it, both played by one thread that answers as it is told.
//!
//! It speaks the protocol by hand on a socket of its own, so that the order of everything is the test's.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use zbus::message::{Header, Message, Type};
use zbus::zvariant::serialized::{Context, Data};
use zbus::zvariant::{DynamicType, LE, OwnedValue, Type as Typed};

use super::LIMIT;

const SERVICE: &str = "org.freedesktop.Notifications";

/// A call that the service got.
#[derive(Debug)]
pub enum Call {
    /// `Notify`, and the number that was given.
    Notify(Box<Shown>),
    /// `GetCapabilities`
    Abilities,
    /// `GetServerInformation`
    Information,
    /// `CloseNotification`
    Close(u32),
}

/// What a notice looked like on the wire.
#[derive(Clone, Debug)]
pub struct Shown {
    pub number: u32,
    pub replaces: u32,
    pub summary: String,
    pub body: String,
    pub actions: Vec<String>,
    pub urgency: u8,
}

/// How the service behaves.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Its unique name.
    pub owner: &'static str,
    /// What it can.
    pub abilities: &'static [&'static str],
    /// Takes calls and answers none.
    pub hangs: bool,
    /// Answers each call with this error.
    pub error: Option<&'static str>,
    /// A click that it reports in the same breath as it shows a notice.
    pub clicks_at_once: Option<&'static str>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            owner: ":1.7",
            abilities: &["actions", "body", "body-markup"],
            hangs: false,
            error: None,
            clicks_at_once: None,
        }
    }
}

struct State {
    manner: Manner,
    connections: Vec<Wire>,
    next: u32,
    /// Calls that were not answered.
    held: Vec<Asked>,
}

/// A connection of ours to somebody who takes us for the bus.
#[derive(Clone)]
struct Wire(Arc<UnixStream>);

impl Wire {
    fn send(&self, message: &Message) {
        // The test may have cut it.
        let _ = (&*self.0).write_all(message.data().bytes());
    }

    /// The authentication of the D-Bus specification, whatever the other side claims.
    fn greet(&self) {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            (&*self.0).read_exact(&mut byte).unwrap();
            line.push(byte[0]);
            if !line.ends_with(b"\r\n") {
                continue;
            }
            let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
            let answer = match text.trim_start_matches('\0').trim_end() {
                "BEGIN" => return,
                auth if auth.starts_with("AUTH EXTERNAL") => "OK 0123456789abcdef0123456789abcdef\r\n",
                "NEGOTIATE_UNIX_FD" => "AGREE_UNIX_FD\r\n",
                other => panic!("{other}"),
            };
            (&*self.0).write_all(answer.as_bytes()).unwrap();
        }
    }

    /// The next message; `None` at the end.
    fn next(&self) -> Option<Asked> {
        let mut bytes = vec![0; 16];
        (&*self.0).read_exact(&mut bytes).ok()?;
        assert_eq!(bytes[0], b'l');
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (body, fields) = (number(4), number(12));
        let begin = (16 + fields).next_multiple_of(8);
        bytes.resize(begin + body, 0);
        (&*self.0).read_exact(&mut bytes[16..]).ok()?;
        Some(Asked { body: bytes.split_off(begin), head: bytes })
    }
}

/// A message as it came.
#[derive(Clone)]
struct Asked {
    head: Vec<u8>,
    body: Vec<u8>,
}

impl Asked {
    fn with<T>(&self, look: impl FnOnce(&Header<'_>) -> T) -> T {
        let data = Data::new(&*self.head, Context::new_dbus(LE, 0));
        look(&data.deserialize::<Header<'_>>().unwrap().0)
    }

    fn member(&self) -> String {
        self.with(|header| header.member().unwrap().to_string())
    }

    fn read<T: serde::de::DeserializeOwned + Typed>(&self) -> T {
        Data::new(&*self.body, Context::new_dbus(LE, 0)).deserialize::<T>().unwrap().0
    }
}

/// The bus; it ends with the test's process.
pub struct Bus {
    pub address: String,
    pub calls: Receiver<Call>,
    state: Arc<Mutex<State>>,
    path: PathBuf,
}

impl Bus {
    /// Listens in a folder.
    pub fn start(folder: &Path, manner: Manner) -> Self {
        let path = folder.join("bus");
        let (sender, calls) = sync_channel(4096);
        let state = State { manner, connections: Vec::new(), next: 1, held: Vec::new() };
        let bus =
            Self { address: format!("unix:path={}", path.display()), calls, state: Arc::new(Mutex::new(state)), path };
        bus.listen(sender);
        bus
    }

    fn listen(&self, calls: SyncSender<Call>) {
        let listener = UnixListener::bind(&self.path).unwrap();
        let state = Arc::clone(&self.state);
        let work = move || {
            for stream in listener.incoming() {
                let (state, calls) = (Arc::clone(&state), calls.clone());
                let serve = move || serve(stream.unwrap(), &state, &calls);
                std::thread::Builder::new().name("mock-bus".into()).spawn(serve).unwrap();
            }
        };
        std::thread::Builder::new().name("mock-bus".into()).spawn(work).unwrap();
    }

    /// Behaves like this from now on.
    pub fn set(&self, manner: Manner) {
        self.state.lock().unwrap().manner = manner;
    }

    /// The service `old` leaves the bus, or there was none; `new` comes, or nobody.
    pub fn moved(&self, old: &str, new: &str) {
        self.signal("org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", &(SERVICE, old, new));
    }

    pub fn clicked(&self, owner: &str, number: u32, action: &str) {
        self.signal(owner, SERVICE, "ActionInvoked", &(number, action));
    }

    pub fn closed(&self, owner: &str, number: u32) {
        self.signal(owner, SERVICE, "NotificationClosed", &(number, 2_u32));
    }

    fn signal<B: serde::Serialize + DynamicType>(&self, sender: &str, interface: &str, member: &str, body: &B) {
        let path = if interface == SERVICE { "/org/freedesktop/Notifications" } else { "/org/freedesktop/DBus" };
        let signal = Message::signal(path, interface, member).unwrap().sender(sender).unwrap().build(body).unwrap();
        for connection in &self.state.lock().unwrap().connections {
            connection.send(&signal);
        }
    }

    /// Answers the calls that were held back, as the bus does when the service dies.
    pub fn drop_held(&self) {
        let mut state = self.state.lock().unwrap();
        for call in std::mem::take(&mut state.held) {
            for connection in &state.connections {
                fail(connection, &call, "org.freedesktop.DBus.Error.NoReply");
            }
        }
    }

    /// The service wakes up and answers what it was asked meanwhile.
    pub fn wake(&self) {
        let mut state = self.state.lock().unwrap();
        state.manner.hangs = false;
        for call in std::mem::take(&mut state.held) {
            for connection in state.connections.clone() {
                answer(&call, &connection, &mut state);
            }
        }
    }

    /// Cuts every connection.
    pub fn cut(&self) {
        for connection in self.state.lock().unwrap().connections.drain(..) {
            connection.0.shutdown(std::net::Shutdown::Both).unwrap();
        }
    }

    /// The next notice, other calls passed over.
    pub fn shown(&self) -> Shown {
        loop {
            match self.calls.recv_timeout(LIMIT).expect("a notice was shown") {
                Call::Notify(shown) => return *shown,
                Call::Abilities | Call::Information | Call::Close(_) => {}
            }
        }
    }
}

fn serve(stream: UnixStream, state: &Mutex<State>, calls: &SyncSender<Call>) {
    let wire = Wire(Arc::new(stream));
    wire.greet();
    state.lock().unwrap().connections.push(wire.clone());
    while let Some(asked) = wire.next() {
        let (kind, is_bus) = asked.with(|header| {
            let is_bus = header.interface().is_some_and(|interface| interface == "org.freedesktop.DBus");
            (header.message_type(), is_bus)
        });
        if kind != Type::MethodCall {
            continue;
        }
        match asked.member().as_str() {
            "Hello" => reply(&wire, &asked, "org.freedesktop.DBus", &":1.42"),
            "AddMatch" => reply(&wire, &asked, "org.freedesktop.DBus", &()),
            member if is_bus => panic!("the bus was asked for {member}"),
            member => {
                let mut state = state.lock().unwrap();
                let call = match member {
                    "Notify" => Call::Notify(Box::new(read(&asked, state.next))),
                    "GetCapabilities" => Call::Abilities,
                    "GetServerInformation" => Call::Information,
                    "CloseNotification" => Call::Close(asked.read()),
                    other => panic!("the service was asked for {other}"),
                };
                if state.manner.hangs {
                    state.held.push(asked);
                } else {
                    answer(&asked, &wire, &mut state);
                }
                // A test that is over listens no more.
                let _ = calls.send(call);
            }
        }
    }
}

fn read(asked: &Asked, number: u32) -> Shown {
    type Body = (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedValue>, i32);
    let (_, replaces, _, summary, body, actions, hints, _) = asked.read::<Body>();
    let urgency = u8::try_from(hints["urgency"].try_clone().unwrap()).unwrap();
    let number = if replaces == 0 { number } else { replaces };
    Shown { number, replaces, summary, body, actions, urgency }
}

fn answer(asked: &Asked, wire: &Wire, state: &mut State) {
    let Manner { owner, abilities, error, clicks_at_once, .. } = state.manner.clone();
    if let Some(name) = error {
        return fail(wire, asked, name);
    }
    match asked.member().as_str() {
        "Notify" => {
            let shown = read(asked, state.next);
            if shown.replaces == 0 {
                state.next += 1;
            }
            reply(wire, asked, owner, &shown.number);
            if let Some(action) = clicks_at_once {
                let click = Message::signal("/org/freedesktop/Notifications", SERVICE, "ActionInvoked").unwrap();
                wire.send(&click.sender(owner).unwrap().build(&(shown.number, action)).unwrap());
            }
        }
        "GetCapabilities" => reply(wire, asked, owner, &abilities),
        "GetServerInformation" => reply(wire, asked, owner, &("mock", "nobody", "1.0", "1.2")),
        _ => {}
    }
}

fn reply<B: serde::Serialize + DynamicType>(wire: &Wire, asked: &Asked, sender: &str, body: &B) {
    asked.with(|header| {
        let reply = Message::method_return(header).unwrap().sender(sender).unwrap().build(body).unwrap();
        wire.send(&reply);
    });
}

fn fail(wire: &Wire, asked: &Asked, name: &str) {
    asked.with(|header| {
        let error = Message::error(header, name).unwrap().sender("org.freedesktop.DBus").unwrap();
        wire.send(&error.build(&"it is not there").unwrap());
    });
}
