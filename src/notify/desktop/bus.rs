//! `org.freedesktop.Notifications` (specification 1.2) over one connection to the session bus.
//!
//! Not through `notify-rust`, whose answers can be lost: it makes a connection for each notice and a new stream for each
//! signal, so of two signals that arrive together the second is dropped (4.19, `xdg/zbus_rs.rs`), and it cannot tell the
//! ids of a service that was restarted from those before. Here everything that the bus sends is read in its order from one
//! stream: replies, answers, and the coming and going of the service. An id means something only together with the
//! service's unique name on the bus. The connection stays open, as some desktops take notices away whose sender has gone
//! (`notify-rust` issue 218: GNOME 46).
//!
//! A service that takes calls and never answers gets one notice at most: after that it is asked for its abilities first,
//! which shows nothing.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout, timeout_at};
use zbus::message::{Flags, Type};
use zbus::zvariant::{DynamicType, Value};
use zbus::{Connection, MessageStream};

use super::{Hearer, Order, Reached, Trouble, body_of};
use crate::notify::everywhere::Means;
use crate::notify::form::escaped;
use crate::notify::mail::Mail;
use crate::notify::{Answer, Message};

const SERVICE: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
const BUS: &str = "org.freedesktop.DBus";

/// What is listened to: the service's signals, and its coming and going.
const MATCHES: [&str; 2] = [
    "type='signal',sender='org.freedesktop.Notifications',interface='org.freedesktop.Notifications'",
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
     arg0='org.freedesktop.Notifications'",
];

/// How long a notice is still news when the service comes back.
const FRESH: Duration = Duration::from_secs(60);

/// Notices whose answers are waited for.
const SHOWN: usize = 256;

/// Notices kept for a service that is about to start, and calls whose reply may still come.
const KEPT: usize = 4;

/// A notice on the screen.
#[derive(Debug)]
struct Shown {
    id: u64,
    owner: String,
    number: u32,
    actions: Vec<String>,
}

/// A call that was not answered in time.
#[derive(Debug)]
struct Late {
    serial: NonZeroU32,
    since: Instant,
    shown: Shown,
    is_over: bool,
}

/// The service, as it said last.
#[derive(Clone, Debug)]
struct Service {
    has_buttons: bool,
    has_markup: bool,
}

struct Link {
    connection: Connection,
    stream: MessageStream,
    /// `None` is one that has to be asked first.
    service: Option<Service>,
}

/// Shows notices and hears of answers; see the module.
pub struct Desk {
    hearer: Hearer,
    address: Option<String>,
    patience: Duration,
    link: Option<Link>,
    shown: VecDeque<Shown>,
    late: VecDeque<Late>,
    /// For a service that is not there yet.
    kept: VecDeque<(Message, Instant)>,
    /// Numbers to be taken off the screen.
    over: Vec<u32>,
    is_back: bool,
    is_in_trouble: bool,
}

impl Desk {
    /// A desk that connects with its first notice.
    pub fn new(hearer: Hearer, means: &Means) -> Self {
        Self {
            hearer,
            address: means.env.get("DBUS_SESSION_BUS_ADDRESS").map(str::to_owned),
            patience: means.patience,
            link: None,
            shown: VecDeque::new(),
            late: VecDeque::new(),
            kept: VecDeque::new(),
            over: Vec::new(),
            is_back: false,
            is_in_trouble: false,
        }
    }

    /// Does what it is told until the mail is closed.
    pub(in crate::notify) async fn run(mut self, mail: &Mail<Order>) {
        let work = async {
            loop {
                tokio::select! {
                    order = mail.next() => match order {
                        Some((Order::Show(message), dropped)) => {
                            if dropped > 0 {
                                tracing::warn!(dropped, "desktop notices dropped: there were too many, or the service hangs");
                            }
                            self.deliver(message).await;
                        }
                        Some((Order::Withdraw(id), _)) => self.withdraw(id),
                        None => return,
                    },
                    news = next(&mut self.link) => self.take(news),
                }
                if std::mem::take(&mut self.is_back) {
                    for (message, since) in std::mem::take(&mut self.kept) {
                        if since.elapsed() < FRESH {
                            self.deliver(message).await;
                        }
                    }
                }
                self.clear().await;
            }
        };
        // A service that hangs must not keep the program from ending.
        tokio::select! {
            () = work => {}
            () = mail.closed() => {}
        }
    }

    /// Shows a notice at once, and says who took it.
    ///
    /// # Errors
    ///
    /// When it is not on the screen.
    pub async fn check(&mut self, message: &Message) -> Result<Reached, Trouble> {
        self.show(message).await?;
        let has_buttons = self.link.as_ref().and_then(|link| link.service.as_ref()).is_some_and(|it| it.has_buttons);
        let name = match self.ask("GetServerInformation", &()).await {
            Ok((reply, _)) => match reply.body().deserialize::<(String, String, String, String)>() {
                Ok((name, _, version, _)) => format!("{name} {version}"),
                Err(_) => String::new(),
            },
            Err(_) => String::new(),
        };
        Ok(Reached { name, has_buttons })
    }

    /// Keeps the notice on the screen until it is answered or closed, and at most so long.
    pub async fn hold(&mut self, id: u64, most: Duration) {
        let until = Instant::now() + most;
        while self.shown.iter().any(|shown| shown.id == id) {
            match timeout_at(until, next(&mut self.link)).await {
                Ok(news) => self.take(news),
                Err(_) => return,
            }
        }
        self.clear().await;
    }

    async fn deliver(&mut self, message: Message) {
        if let Some(replaced) = message.replaces {
            self.kept.retain(|(kept, _)| kept.id != replaced);
        }
        let mut shown = self.show(&message).await;
        if shown == Err(Trouble::Died) {
            // Some are started by the bus when they are asked.
            shown = self.show(&message).await;
        }
        match shown {
            Ok(()) => {
                if std::mem::take(&mut self.is_in_trouble) {
                    tracing::info!("desktop notices are shown again");
                }
            }
            Err(trouble) => {
                if !std::mem::replace(&mut self.is_in_trouble, true) {
                    tracing::warn!(error = %trouble, "desktop notices are not shown");
                }
                if matches!(trouble, Trouble::NoService { .. } | Trouble::Died) {
                    if self.kept.len() == KEPT {
                        self.kept.pop_front();
                    }
                    self.kept.push_back((message, Instant::now()));
                }
            }
        }
    }

    async fn show(&mut self, message: &Message) -> Result<(), Trouble> {
        let service = self.service().await?;
        let replaced = message.replaces.unwrap_or(message.id);
        let old = self.shown.iter().find(|shown| shown.id == replaced || shown.id == message.id);
        let number = old.map_or(0, |shown| shown.number);
        // A zero would end the text, and the bus ends a connection that sends one.
        let clean = |text: &str| text.replace('\0', "");
        let body = clean(&body_of(message, service.has_buttons));
        // Where markup is not understood, an escaped sign would be shown as it is written.
        let body = if service.has_markup { escaped(&body) } else { body };
        let mut actions = Vec::new();
        if service.has_buttons {
            // What most services show nowhere: a click on the notice itself.
            actions.extend([Answer::OPENED.to_owned(), "Vacancy".to_owned()]);
            actions.extend(message.buttons.iter().flat_map(|button| [clean(&button.action), clean(&button.label)]));
        }
        let urgency: u8 = if message.is_urgent { 2 } else { 1 };
        let hints = HashMap::from([("urgency", Value::from(urgency)), ("desktop-entry", Value::from("vacancy"))]);
        let call = ("Vacancy", number, "vacancy", clean(&message.summary), body, actions, hints, -1_i32);
        let actions = message.buttons.iter().map(|button| button.action.clone()).collect();
        let shown = Shown { id: message.id, owner: String::new(), number: 0, actions };
        let serial = self.send("Notify", &call).await?;
        let (reply, owner) = match self.reply(serial).await {
            Err(Trouble::Hangs) => {
                if self.late.len() == KEPT {
                    self.late.pop_front();
                }
                self.late.push_back(Late { serial, since: Instant::now(), shown, is_over: false });
                return Err(Trouble::Hangs);
            }
            answered => answered?,
        };
        let number = number_of(&reply)?;
        self.remember(Shown { owner, number, ..shown }, replaced);
        Ok(())
    }

    fn remember(&mut self, shown: Shown, replaced: u64) {
        self.shown.retain(|old| {
            let is_same = old.owner == shown.owner && old.number == shown.number;
            !is_same && old.id != shown.id && old.id != replaced
        });
        if self.shown.len() == SHOWN {
            self.shown.pop_front();
        }
        self.shown.push_back(shown);
    }

    fn withdraw(&mut self, id: u64) {
        self.kept.retain(|(kept, _)| kept.id != id);
        for late in self.late.iter_mut().filter(|late| late.shown.id == id) {
            late.is_over = true;
        }
        if let Some(at) = self.shown.iter().position(|shown| shown.id == id) {
            self.over.extend(self.shown.remove(at).map(|shown| shown.number));
        }
    }

    /// Takes off the screen what is over; whether that worked is no question, it may be gone already.
    async fn clear(&mut self) {
        for number in std::mem::take(&mut self.over) {
            let Some(link) = &self.link else { return };
            let call = zbus::Message::method_call(PATH, "CloseNotification")
                .and_then(|call| call.destination(SERVICE))
                .and_then(|call| call.interface(SERVICE))
                .and_then(|call| call.with_flags(Flags::NoReplyExpected))
                .and_then(|call| call.build(&number));
            if let Ok(call) = call {
                let _ = timeout(self.patience, link.connection.send(&call)).await;
            }
        }
    }

    /// The service that is there, asked for its abilities when it is new or has not answered.
    async fn service(&mut self) -> Result<Service, Trouble> {
        if let Some(service) = self.link.as_ref().and_then(|link| link.service.clone()) {
            return Ok(service);
        }
        if self.link.is_none() {
            self.link = Some(connect(self.address.as_deref(), self.patience).await?);
        }
        let (reply, _) = self.ask("GetCapabilities", &()).await?;
        let abilities: Vec<String> = reply.body().deserialize().map_err(refused)?;
        let has = |name: &str| abilities.iter().any(|ability| ability == name);
        let service = Service { has_buttons: has("actions"), has_markup: has("body-markup") };
        if let Some(link) = &mut self.link {
            link.service = Some(service.clone());
        }
        Ok(service)
    }

    /// Calls the service; its reply and its unique name.
    async fn ask<B>(&mut self, method: &'static str, body: &B) -> Result<(zbus::Message, String), Trouble>
    where
        B: serde::Serialize + DynamicType + Sync,
    {
        let serial = self.send(method, body).await?;
        self.reply(serial).await
    }

    async fn send<B>(&mut self, method: &'static str, body: &B) -> Result<NonZeroU32, Trouble>
    where
        B: serde::Serialize + DynamicType + Sync,
    {
        let Some(link) = &self.link else { return Err(Trouble::Died) };
        let call = zbus::Message::method_call(PATH, method)
            .and_then(|call| call.destination(SERVICE))
            .and_then(|call| call.interface(SERVICE))
            .and_then(|call| call.build(body))
            .map_err(refused)?;
        match timeout(self.patience, link.connection.send(&call)).await {
            Ok(Ok(())) => Ok(call.primary_header().serial_num()),
            Ok(Err(_)) => {
                self.lose();
                Err(Trouble::Died)
            }
            // The bus itself takes nothing.
            Err(_) => {
                self.lose();
                Err(Trouble::Hangs)
            }
        }
    }

    /// Waits for the reply to a call; whatever else comes meanwhile is taken in, in its order.
    async fn reply(&mut self, serial: NonZeroU32) -> Result<(zbus::Message, String), Trouble> {
        let until = Instant::now() + self.patience;
        loop {
            let news = match timeout_at(until, next(&mut self.link)).await {
                Ok(news) => news,
                Err(_) => {
                    if let Some(link) = &mut self.link {
                        link.service = None;
                    }
                    return Err(Trouble::Hangs);
                }
            };
            match news {
                Some(message) if message.header().reply_serial() == Some(serial) => {
                    return match message.message_type() {
                        Type::Error => Err(trouble(&message)),
                        _ => {
                            let owner = sender(&message);
                            Ok((message, owner))
                        }
                    };
                }
                Some(message) => self.hear(&message),
                None => {
                    self.lose();
                    return Err(Trouble::Died);
                }
            }
        }
    }

    fn take(&mut self, news: Option<zbus::Message>) {
        match news {
            Some(message) => self.hear(&message),
            None => self.lose(),
        }
    }

    /// The connection is over: nothing that was shown can be answered any more.
    fn lose(&mut self) {
        self.link = None;
        self.shown.clear();
        self.late.clear();
        self.over.clear();
    }

    fn hear(&mut self, message: &zbus::Message) {
        let header = message.header();
        match (message.message_type(), header.member().map(|member| member.as_str())) {
            (Type::Signal, Some("ActionInvoked")) => {
                if let Ok((number, action)) = message.body().deserialize::<(u32, String)>() {
                    self.answered(&sender(message), number, action);
                }
            }
            (Type::Signal, Some("NotificationClosed")) => {
                if let Ok((number, reason)) = message.body().deserialize::<(u32, u32)>() {
                    let owner = sender(message);
                    if let Some(at) = self.find(&owner, number)
                        && let Some(shown) = self.shown.remove(at)
                    {
                        tracing::debug!(id = shown.id, reason = closed(reason), "a desktop notice went");
                    }
                }
            }
            (Type::Signal, Some("NameOwnerChanged")) if sender(message) == BUS => {
                if let Ok((_, old, new)) = message.body().deserialize::<(String, String, String)>() {
                    self.moved(&old, &new);
                }
            }
            (Type::MethodReturn, _) => {
                let serial = header.reply_serial();
                if let Some(at) = self.late.iter().position(|late| Some(late.serial) == serial)
                    && let (Some(late), Ok(number)) = (self.late.remove(at), number_of(message))
                {
                    if late.is_over || late.since.elapsed() > FRESH {
                        self.over.push(number);
                    } else {
                        let id = late.shown.id;
                        self.remember(Shown { owner: sender(message), number, ..late.shown }, id);
                    }
                }
            }
            _ => {}
        }
    }

    fn find(&self, owner: &str, number: u32) -> Option<usize> {
        self.shown.iter().position(|shown| shown.owner == owner && shown.number == number)
    }

    /// A click: only of the service itself, only on what was offered, and once.
    fn answered(&mut self, owner: &str, number: u32, action: String) {
        let Some(at) = self.find(owner, number) else { return };
        let is_offered = action == Answer::OPENED || self.shown[at].actions.contains(&action);
        if is_offered && let Some(shown) = self.shown.remove(at) {
            // Some services leave an answered notice standing: dunst 1.9 after a press in its menu.
            self.over.push(number);
            self.hearer.tell(Answer { id: shown.id, action });
        }
    }

    /// Another program, or none, shows notices now: what the old one showed is gone, and its numbers mean nothing.
    fn moved(&mut self, old: &str, new: &str) {
        self.shown.retain(|shown| shown.owner != old);
        if let Some(link) = &mut self.link {
            link.service = None;
        }
        if !old.is_empty() {
            self.over.clear();
            self.late.clear();
        }
        self.is_back |= !new.is_empty() && !self.kept.is_empty();
    }
}

/// The next message of the bus; `None` when the connection is over, never when there is none.
async fn next(link: &mut Option<Link>) -> Option<zbus::Message> {
    match link {
        Some(link) => link.stream.next().await.and_then(Result::ok),
        None => std::future::pending().await,
    }
}

async fn connect(address: Option<&str>, patience: Duration) -> Result<Link, Trouble> {
    let no_bus = |error: zbus::Error| Trouble::NoBus { reason: error.to_string() };
    let connecting = async {
        let builder = match address {
            Some(address) => zbus::connection::Builder::address(address)?,
            // Where the system usually has it.
            None => zbus::connection::Builder::session()?,
        };
        let connection = builder.build().await?;
        let stream = MessageStream::from(&connection);
        for rule in MATCHES {
            connection.call_method(Some(BUS), "/org/freedesktop/DBus", Some(BUS), "AddMatch", &rule).await?;
        }
        Ok(Link { connection, stream, service: None })
    };
    timeout(patience, connecting)
        .await
        .unwrap_or(Err(zbus::Error::InputOutput(std::sync::Arc::new(std::io::ErrorKind::TimedOut.into()))))
        .map_err(no_bus)
}

fn sender(message: &zbus::Message) -> String {
    message.header().sender().map(|name| name.to_string()).unwrap_or_default()
}

fn number_of(reply: &zbus::Message) -> Result<u32, Trouble> {
    reply.body().deserialize().map_err(refused)
}

fn refused(error: impl std::fmt::Display) -> Trouble {
    Trouble::Refused { reason: error.to_string() }
}

/// What an error's name says of the service.
fn trouble(error: &zbus::Message) -> Trouble {
    let header = error.header();
    let name = header.error_name().map(|name| name.as_str()).unwrap_or_default();
    let reason = error.body().deserialize::<String>().unwrap_or_else(|_| name.to_owned());
    match name.strip_prefix("org.freedesktop.DBus.Error.") {
        Some("NoReply" | "Disconnected") => Trouble::Died,
        Some(name) if name == "ServiceUnknown" || name == "NameHasNoOwner" || name.starts_with("Spawn") => {
            Trouble::NoService { reason }
        }
        Some("TimedOut" | "Timeout") => Trouble::NoService { reason },
        _ => Trouble::Refused { reason },
    }
}

/// Why a notice went, in the words of the specification.
const fn closed(reason: u32) -> &'static str {
    match reason {
        1 => "expired",
        2 => "dismissed",
        3 => "withdrawn",
        _ => "unknown",
    }
}
