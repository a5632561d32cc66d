//! Linux: StatusNotifierItem over the session bus, without GTK. Works on the thread `vacancy-tray`, as a bus or a watcher
//! may hang.
//!
//! That an item was registered does not prove that somebody shows it, so the watcher is asked for and followed as it comes
//! and goes.

use std::io::{self, Cursor};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use image::{ImageFormat, RgbaImage};
use ksni::TrayMethods as _;
use ksni::menu::{CheckmarkItem, MenuItem, StandardItem, SubMenu};
use zbus::fdo::DBusProxy;
use zbus::names::BusName;

use super::{Item, Look, Pixels, Source, Told};

/// Who keeps the list of items.
const WATCHER: &str = "org.kde.StatusNotifierWatcher";
/// Where it says whether somebody shows them.
const WATCHER_PATH: &str = "/StatusNotifierWatcher";
/// A bus or a watcher that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(5);

/// A panel that is starting, at first or anew, is there within this time; until then its absence is not told.
const GRACE: Duration = Duration::from_secs(10);

type Tell<Act> = Arc<dyn Fn(Told<Act>) + Send + Sync>;

/// Starts the thread. It ends with its source; nobody waits for it, as the bus may hang.
///
/// # Errors
///
/// When the system refuses a thread or a runtime.
pub fn start<S: Source>(source: S, tell: impl Fn(Told<S::Act>) + Send + Sync + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let tell: Tell<S::Act> = Arc::new(tell);
    let work = move || {
        if let Err(error) = runtime.block_on(serve(source, &tell)) {
            tracing::info!(%error, "no tray");
        }
        tell(Told::Present(false));
    };
    std::thread::Builder::new().name("vacancy-tray".into()).spawn(work).map(drop)
}

async fn serve<S: Source>(mut source: S, tell: &Tell<S::Act>) -> zbus::Result<()> {
    let bus = within(zbus::Connection::session()).await??;
    let daemon = within(DBusProxy::new(&bus)).await??;
    let mut owners = within(daemon.receive_name_owner_changed_with_args(&[(0, WATCHER)])).await??;
    let mut item: Option<ksni::Handle<Shown<S::Act>>> = None;
    let mut look = source.look();
    let mut is_there = has_host(&bus, &daemon).await;
    // Whether it is to be registered anew: at first, and when a watcher came.
    let mut is_new = true;
    // What was told last, and when an absence is to be told.
    let mut told = None;
    let mut absent_at = None;
    loop {
        match (&item, &look) {
            (Some(handle), Some(look)) => {
                let look = look.clone();
                let updated = within(handle.update(move |shown| shown.replace(look))).await;
                if !matches!(updated, Ok(Some(()))) {
                    item = None;
                }
            }
            (Some(handle), None) => {
                let _ = within(handle.shutdown()).await;
                item = None;
            }
            (None, Some(look)) if is_there && is_new => {
                is_new = false;
                let shown = Shown { look: look.clone(), tell: Arc::clone(tell) };
                match within(shown.assume_sni_available(true).disable_dbus_name(is_boxed()).spawn()).await {
                    Ok(Ok(handle)) => item = Some(handle),
                    Ok(Err(error)) => tracing::warn!(%error, "the tray does not take the icon"),
                    Err(error) => tracing::warn!(%error, "the tray hangs"),
                }
            }
            (None, _) => {}
        }
        let is_present = is_there && item.is_some();
        if is_present {
            absent_at = None;
            if told.replace(true) != Some(true) {
                tell(Told::Present(true));
            }
        } else if told != Some(false) {
            absent_at.get_or_insert_with(|| tokio::time::Instant::now() + GRACE);
        }
        tokio::select! {
            () = tokio::time::sleep_until(absent_at.unwrap_or_else(tokio::time::Instant::now)), if absent_at.is_some() => {
                absent_at = None;
                told = Some(false);
                tell(Told::Present(false));
            }
            owner = owners.next() => match owner {
                Some(_) => {
                    is_there = has_host(&bus, &daemon).await;
                    is_new = true;
                }
                // The bus itself is gone.
                None => return Ok(()),
            },
            goes_on = source.changed() => {
                if !goes_on {
                    if let Some(handle) = &item {
                        let _ = within(handle.shutdown()).await;
                    }
                    return Ok(());
                }
                let next = source.look();
                is_new |= look.is_none() && next.is_some();
                look = next;
            }
        }
    }
}

async fn within<T>(work: impl Future<Output = T>) -> io::Result<T> {
    tokio::time::timeout(PATIENCE, work).await.map_err(|_| io::ErrorKind::TimedOut.into())
}

/// Whether there is a watcher, and one that does not say that nobody shows its items.
async fn has_host(bus: &zbus::Connection, daemon: &DBusProxy<'_>) -> bool {
    let Ok(name) = BusName::try_from(WATCHER) else { return false };
    if !matches!(within(daemon.name_has_owner(name)).await, Ok(Ok(true))) {
        return false;
    }
    let asked = async {
        let proxy = zbus::Proxy::new(bus, WATCHER, WATCHER_PATH, WATCHER).await?;
        proxy.get_property::<bool>("IsStatusNotifierHostRegistered").await
    };
    // One that does not tell has a host as far as we know.
    within(asked).await.is_ok_and(|told| told.unwrap_or(true))
}

/// Inside a box no names may be owned on the bus.
fn is_boxed() -> bool {
    std::fs::exists("/.flatpak-info").unwrap_or(false)
}

/// The item as the bus sees it.
struct Shown<Act> {
    look: Look<Act>,
    tell: Tell<Act>,
}

impl<Act> Shown<Act> {
    fn replace(&mut self, look: Look<Act>) {
        self.look = look;
    }
}

impl<Act: Clone + PartialEq + Send + Sync + 'static> ksni::Tray for Shown<Act> {
    fn id(&self) -> String {
        "vacancy".to_owned()
    }

    fn title(&self) -> String {
        self.look.title.clone()
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        self.look.icons.iter().map(icon).collect()
    }

    fn tool_tip(&self) -> ksni::ToolTip {
        // Markup, as in the freedesktop draft of the protocol.
        let description = self.look.tooltip.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        ksni::ToolTip { title: self.look.title.clone(), description, ..ksni::ToolTip::default() }
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        self.look.menu.iter().map(line).collect()
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.tell)(Told::Clicked);
    }

    fn secondary_activate(&mut self, _x: i32, _y: i32) {
        (self.tell)(Told::Clicked);
    }
}

/// The protocol's own form: opacity first.
fn icon(pixels: &Pixels) -> ksni::Icon {
    let mut data = pixels.rgba.clone();
    for pixel in data.chunks_exact_mut(4) {
        pixel.rotate_right(1);
    }
    let side = i32::try_from(pixels.side).unwrap_or_default();
    ksni::Icon { width: side, height: side, data }
}

fn png(pixels: &Pixels) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = RgbaImage::from_raw(pixels.side, pixels.side, pixels.rgba.clone());
    // A line without its picture still says everything.
    let is_written = image.is_some_and(|image| image.write_to(&mut bytes, ImageFormat::Png).is_ok());
    if is_written { bytes.into_inner() } else { Vec::new() }
}

/// An underscore would mark the next letter.
fn words(label: &str) -> String {
    label.replace('_', "__")
}

fn line<Act: Clone + PartialEq + Send + Sync + 'static>(item: &Item<Act>) -> MenuItem<Shown<Act>> {
    match item {
        Item::Separator => MenuItem::Separator,
        Item::Menu { label, items } => {
            SubMenu { label: words(label), submenu: items.iter().map(line).collect(), ..SubMenu::default() }.into()
        }
        Item::Line { label, act, icon, is_ticked } => {
            let (chosen, enabled) = (act.clone(), act.is_some());
            let activate = Box::new(move |shown: &mut Shown<Act>| {
                if let Some(act) = chosen.clone() {
                    (shown.tell)(Told::Chosen(act));
                }
            });
            match is_ticked {
                Some(checked) => CheckmarkItem {
                    label: words(label),
                    enabled,
                    checked: *checked,
                    activate,
                    ..CheckmarkItem::default()
                }
                .into(),
                None => {
                    let icon_data = icon.as_ref().map(png).unwrap_or_default();
                    StandardItem { label: words(label), enabled, icon_data, activate, ..StandardItem::default() }.into()
                }
            }
        }
    }
}
