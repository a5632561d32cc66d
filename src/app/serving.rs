//! The metrics of a running engine: served where the settings say, from the moment on in which they say it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::cli::Context;
use crate::engine::Follower;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::metrics::server::{Means, MetricsError, Server};
use crate::settings::Settings;

/// The server of an engine, and what it is made of.
#[derive(Clone)]
pub(crate) struct Metrics(Arc<Mutex<State>>);

struct State {
    context: Context,
    /// Of the engine, once it runs.
    snapshots: Option<watch::Receiver<Snapshot>>,
    /// What the command line says goes before the settings.
    fixed: Option<SocketAddr>,
    server: Option<(SocketAddr, Server)>,
}

impl Metrics {
    /// None yet.
    pub fn new(context: &Context, fixed: Option<SocketAddr>) -> Self {
        let (snapshots, server) = (None, None);
        Self(Arc::new(Mutex::new(State { context: context.clone(), snapshots, fixed, server })))
    }

    /// Begins to serve an engine's pictures, where that is wanted; where they are served, or why not.
    pub fn begin(
        &self,
        snapshots: watch::Receiver<Snapshot>,
        settings: &Settings,
    ) -> Option<Result<SocketAddr, MetricsError>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.snapshots = Some(snapshots);
        state.serve(settings).err().map(Err).or_else(|| Some(Ok(state.server.as_ref()?.1.address())))
    }

    /// Ends them.
    pub fn end(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.snapshots, state.server) = (None, None);
    }
}

impl State {
    fn serve(&mut self, settings: &Settings) -> Result<(), MetricsError> {
        let wanted = self.fixed.or(settings.metrics.listen);
        if self.server.as_ref().map(|(address, _)| *address) == wanted {
            return Ok(());
        }
        // Before the new one begins: they may want the same port.
        self.server = None;
        if let (Some(address), Some(snapshots)) = (wanted, &self.snapshots) {
            let means = Means {
                snapshots: snapshots.clone(),
                clock: Arc::clone(&self.context.clock),
                database: self.context.roots.database(),
                data: self.context.roots.data.clone(),
            };
            self.server = Some((address, Server::start(address, means)?));
        }
        Ok(())
    }
}

impl Follower for Metrics {
    fn follow(&mut self, settings: &Settings, tr: &Tr) -> Option<String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.serve(settings).err().map(|error| error.describe(tr))
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;
    use crate::clock::SystemClock;
    use crate::core::platform::Platform;
    use crate::i18n::Lang;
    use crate::settings::env::Env;
    use crate::settings::roots::Roots;

    #[test]
    fn metrics_come_move_and_go_with_the_settings() {
        let dir = tempfile::tempdir().unwrap();
        let below = |name: &str| dir.path().join(name);
        let tr = Tr::new(Lang::English);
        let context = Context {
            roots: Roots {
                config: below("config"),
                data: below("data"),
                cache: below("cache"),
                home: below("home"),
                root: None,
                platform: Platform::here(),
            },
            env: Env::default(),
            tr: tr.clone(),
            asked_lang: None,
            clock: Arc::new(SystemClock),
            is_terminal: false,
        };
        let settings = |listen: Option<SocketAddr>| {
            let mut settings = Settings::default();
            settings.metrics.listen = listen;
            settings
        };
        let snapshot = crate::ui::stage::Stage::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::TimeZone::UTC).snapshot();
        let (_publish, snapshots) = watch::channel(snapshot);
        let mut metrics = Metrics::new(&context, None);
        assert!(metrics.begin(snapshots, &settings(None)).is_none());
        let at = |metrics: &Metrics| metrics.0.lock().unwrap().server.as_ref().map(|(_, server)| server.address());

        let any = "127.0.0.1:0".parse().unwrap();
        assert_eq!(metrics.follow(&settings(Some(any)), &tr), None);
        let first = at(&metrics).unwrap();
        TcpStream::connect(first).unwrap();
        assert_eq!(metrics.follow(&settings(Some(any)), &tr), None);
        assert_eq!(at(&metrics), Some(first), "the same address keeps its server");

        let taken = std::net::TcpListener::bind(any).unwrap();
        let words = metrics.follow(&settings(taken.local_addr().ok()), &tr).unwrap();
        assert!(words.contains(&taken.local_addr().unwrap().to_string()), "{words}");
        assert_eq!(at(&metrics), None);
        drop(taken);
        metrics.follow(&settings(Some(any)), &tr);
        let second = at(&metrics).unwrap();
        metrics.end();
        TcpStream::connect(second).unwrap_err();
    }
}
