//! What reaches the window from outside of it: a second start, the tray, signals.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use tokio::sync::watch;

use super::WindowWaker;
use crate::app::{self, Held};
use crate::args;
use crate::cli::{Context, Exit, Failure};
use crate::clock::Clock;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::platform::calls::{self, Call, Keeper, Reply};
use crate::platform::tray::{Look, Source, Told};
use crate::settings::env::Env;
use crate::ui::background::sign::Drawn;
use crate::ui::background::tray::Scene;
use crate::ui::background::{Act, News};
use crate::ui::shell::Tray;
use crate::ui::switching::Seen;

/// Whether the tray is drawn by the window's thread, which has to be woken for it.
pub(super) const DRAWS_TRAY: bool = cfg!(any(target_os = "macos", windows));

/// News that may wait for the next frame.
const QUEUE: usize = 32;

/// How long a second start waits for the first one, which may be just beginning or ending.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it looks meanwhile.
const LOOK: Duration = Duration::from_millis(100);

/// Says something to the window and wakes it.
#[derive(Clone)]
pub(super) struct Bell {
    news: SyncSender<News>,
    waker: Arc<WindowWaker>,
}

/// A bell, and where the window hears it.
pub(super) fn bell(waker: &Arc<WindowWaker>) -> (Bell, Receiver<News>) {
    let (news, heard) = sync_channel(QUEUE);
    // There is one bell a window.
    let _ = waker.news.set(news.clone());
    (Bell { news, waker: Arc::clone(waker) }, heard)
}

impl Bell {
    /// Never blocks: who rings while the window hangs is not heard.
    pub(super) fn ring(&self, news: News) {
        // A closed window hears nothing.
        if let Err(TrySendError::Full(news)) = self.news.try_send(news) {
            tracing::warn!(?news, "the window did not hear what was said to it");
        }
        self.waker.rouse();
    }
}

/// Takes the record for a window. When another Vacancy with a window keeps it, that one comes to the front, unless this
/// start `is_quiet`, or opens its glance, where this one `is_glance`; the answer is `None`.
pub(super) fn hold(context: &Context, is_quiet: bool, is_glance: bool, bell: &Bell) -> Result<Option<Held>, Failure> {
    let bell = bell.clone();
    let heard: Arc<dyn Fn(Call) + Send + Sync> = Arc::new(move |call| {
        let act = match call {
            Call::Show => Act::Show,
            Call::Glance => Act::OpenGlance,
            Call::Hello => return,
        };
        bell.ring(News::Act(act));
    });
    let take = || app::hold(context, Keeper::Window, Arc::clone(&heard));
    let refused = match take() {
        Err(failure) if failure.exit == Exit::Refused => failure,
        taken => return taken.map(Some),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| app::cannot_start(&error))?;
    let place = calls::place(&context.roots.data, &context.env);
    let call = match (is_glance, is_quiet) {
        (true, _) => Call::Glance,
        (false, true) => Call::Hello,
        (false, false) => Call::Show,
    };
    let talk = async {
        let mut looks = tokio::time::interval(LOOK);
        loop {
            looks.tick().await;
            if let Some(reply) = calls::call(&place, call).await {
                return Ok(reply);
            }
            // The other one was about to end.
            match take() {
                Err(failure) if failure.exit == Exit::Refused => {}
                taken => return Err(taken),
            }
        }
    };
    match runtime.block_on(async { tokio::time::timeout(PATIENCE, talk).await }) {
        Ok(Ok(Reply { keeper: Keeper::Window, .. })) => {
            if context.is_terminal && !is_quiet && !is_glance {
                crate::cli::say(&context.tr.text("background-is-shown"));
            }
            Ok(None)
        }
        Ok(Ok(Reply { keeper: Keeper::Terminal, pid })) => {
            let words = context.tr.with("background-runs-in-terminal", &args!("pid" => i64::from(pid).to_string()));
            Err(Failure::new(Exit::Refused, words))
        }
        Ok(Err(taken)) => taken.map(Some),
        Err(_) => Err(refused),
    }
}

/// A signal ends the program in the ordinary way, so that the record is closed too.
pub(super) fn quit_on_signal(bell: Bell) {
    let wait = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async { app::stop_signal().await });
        bell.ring(News::Act(Act::Quit));
    };
    if let Err(error) = std::thread::Builder::new().name("vacancy-signals".into()).spawn(wait) {
        tracing::warn!(%error, "signals will end the program at once");
    }
}

/// Whether windows can be hidden and shown again: not on Wayland, which has no way for it, and not on Windows, where they
/// were seen not to come back (egui issue 5229). By the order in which winit chooses between Wayland and X11.
pub(super) fn can_hide(env: &Env) -> bool {
    let is_wayland = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(|name| env.get(name).is_some());
    !cfg!(windows) && (cfg!(target_os = "macos") || !is_wayland)
}

/// What only the window knows of the tray's picture.
#[derive(Clone)]
struct Words {
    tr: Tr,
    seen: Option<Arc<Seen>>,
}

impl Words {
    fn is(&self, tr: &Tr, seen: Option<&Arc<Seen>>) -> bool {
        let is_seen = match (&self.seen, seen) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        is_seen && self.tr.lang() == tr.lang()
    }
}

/// Makes the tray's picture.
struct Painter {
    snapshots: watch::Receiver<Snapshot>,
    words: watch::Receiver<Words>,
    clock: Arc<dyn Clock>,
    drawn: Drawn,
}

impl Source for Painter {
    type Act = Act;

    fn look(&mut self) -> Option<Look<Act>> {
        let snapshot = self.snapshots.borrow_and_update().clone();
        let Words { tr, seen } = self.words.borrow_and_update().clone();
        // The demo's world ends with it, and must not be taken for the user's own.
        let is_wanted = snapshot.status.background.tray && !snapshot.status.is_demo;
        let scene = Scene { snapshot: &snapshot, seen: seen.as_deref(), now: self.clock.now(), tr: &tr };
        is_wanted.then(|| scene.look(&mut self.drawn))
    }

    async fn changed(&mut self) -> bool {
        tokio::select! {
            changed = self.snapshots.changed() => changed.is_ok(),
            changed = self.words.changed() => changed.is_ok(),
        }
    }
}

/// Starts the tray; `None` where there is none to be had.
pub(super) fn tray(
    context: &Context,
    snapshots: watch::Receiver<Snapshot>,
    tr: &Tr,
    bell: &Bell,
) -> Option<Box<dyn Tray>> {
    let bell = bell.clone();
    let tell = move |told| {
        bell.ring(match told {
            Told::Present(is_present) => News::Tray(is_present),
            Told::Clicked => News::Clicked,
            Told::Chosen(act) => News::Act(act),
        });
    };
    let (words, heard) = watch::channel(Words { tr: tr.clone(), seen: None });
    let painter = Painter { snapshots, words: heard, clock: Arc::clone(&context.clock), drawn: Drawn::default() };
    system::start(painter, words, tell)
}

#[cfg(target_os = "linux")]
mod system {
    use super::{Act, Arc, Painter, Seen, Snapshot, Told, Tr, Tray, Words, watch};

    struct Beside(watch::Sender<Words>);

    impl Tray for Beside {
        fn tell(&mut self, tr: &Tr, seen: Option<&Arc<Seen>>) {
            self.0.send_if_modified(|words| {
                let is_news = !words.is(tr, seen);
                if is_news {
                    *words = Words { tr: tr.clone(), seen: seen.cloned() };
                }
                is_news
            });
        }

        fn show(&mut self, _: &Snapshot) {}
    }

    pub(super) fn start(
        painter: Painter,
        words: watch::Sender<Words>,
        tell: impl Fn(Told<Act>) + Send + Sync + 'static,
    ) -> Option<Box<dyn Tray>> {
        match crate::platform::tray::start(painter, tell) {
            Ok(()) => Some(Box::new(Beside(words))),
            Err(error) => {
                tracing::warn!(%error, "no tray");
                None
            }
        }
    }
}

#[cfg(any(target_os = "macos", windows))]
mod system {
    use super::{Act, Arc, Painter, Seen, Snapshot, Source as _, Told, Tr, Tray, Words, watch};
    use crate::platform::tray::Native;

    struct Within {
        native: Native<Act>,
        painter: Painter,
        words: watch::Sender<Words>,
        tell: Arc<dyn Fn(Told<Act>) + Send + Sync>,
        was_shown: Option<bool>,
    }

    impl Within {
        fn draw(&mut self) {
            let look = self.painter.look();
            let is_shown = self.native.show(look);
            if self.was_shown.replace(is_shown) != Some(is_shown) {
                (self.tell)(Told::Present(is_shown));
            }
        }
    }

    impl Tray for Within {
        fn tell(&mut self, tr: &Tr, seen: Option<&Arc<Seen>>) {
            if !self.words.borrow().is(tr, seen) {
                self.words.send_replace(Words { tr: tr.clone(), seen: seen.cloned() });
                self.draw();
            }
        }

        fn show(&mut self, _: &Snapshot) {
            self.draw();
        }
    }

    pub(super) fn start(
        painter: Painter,
        words: watch::Sender<Words>,
        tell: impl Fn(Told<Act>) + Send + Sync + 'static,
    ) -> Option<Box<dyn Tray>> {
        let tell: Arc<dyn Fn(Told<Act>) + Send + Sync> = Arc::new(tell);
        let told = Arc::clone(&tell);
        let native = Native::new(move |news| told(news));
        Some(Box::new(Within { native, painter, words, tell, was_shown: None }))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
mod system {
    use super::{Act, Painter, Told, Tray, Words, watch};

    pub(super) fn start(_: Painter, _: watch::Sender<Words>, _: impl Fn(Told<Act>)) -> Option<Box<dyn Tray>> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn windows_are_hidden_on_x11_alone() {
        let of = |pairs: &[(&str, &str)]| can_hide(&pairs.iter().copied().collect());
        assert!(of(&[("DISPLAY", ":0")]));
        assert!(!of(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0")]));
        assert!(!of(&[("WAYLAND_SOCKET", "3")]));
        assert!(of(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "")]), "an empty one counts as unset, for winit too");
    }
}
