//! Times the connection and gives it its own deadline.
//!
//! The client makes its connection inside the request's own task, so that a task-local value tells which probe it is for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;
use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    static WATCH: Arc<Watch>;
}

/// Stands for "not connected".
const UNSET: u32 = u32::MAX;

/// Watches the connection of one request.
#[derive(Debug)]
pub(super) struct Watch {
    started: Instant,
    deadline: Duration,
    millis: AtomicU32,
}

impl Watch {
    /// Starts watching now.
    pub(super) fn start(deadline: Duration) -> Arc<Self> {
        Arc::new(Self { started: Instant::now(), deadline, millis: AtomicU32::new(UNSET) })
    }

    /// Runs a request under this watch.
    pub(super) fn scope<F: Future>(self: &Arc<Self>, request: F) -> impl Future<Output = F::Output> {
        WATCH.scope(Arc::clone(self), request)
    }

    /// Milliseconds until the connection stood; `None` while it does not.
    pub(super) fn millis(&self) -> Option<u32> {
        Some(self.millis.load(Ordering::Relaxed)).filter(|millis| *millis != UNSET)
    }

    fn mark(&self) {
        let millis = u32::try_from(self.started.elapsed().as_millis()).unwrap_or(UNSET - 1);
        self.millis.store(millis, Ordering::Relaxed);
    }
}

/// The connection took too long.
#[derive(Debug, thiserror::Error)]
#[error("no connection within {} s: operation timed out", .0.as_secs_f32())]
pub(super) struct ConnectTimeout(Duration);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Wraps the client's connector.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchLayer;

impl<S> Layer<S> for WatchLayer {
    type Service = Watched<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Watched(inner)
    }
}

/// A connector under watch.
#[derive(Clone, Debug)]
pub(super) struct Watched<S>(S);

impl<S, R> Service<R> for Watched<S>
where
    S: Service<R, Error = BoxError>,
    S::Future: Send + 'static,
    S::Response: 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let watch = WATCH.try_with(Arc::clone).ok();
        let connecting = self.0.call(request);
        Box::pin(async move {
            let Some(watch) = watch else { return connecting.await };
            match tokio::time::timeout_at(watch.started + watch.deadline, connecting).await {
                Ok(Ok(connection)) => {
                    watch.mark();
                    Ok(connection)
                }
                Ok(Err(error)) => Err(error),
                Err(_) => Err(ConnectTimeout(watch.deadline).into()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connector that takes this long.
    #[derive(Clone)]
    struct After(Duration);

    impl Service<()> for After {
        type Response = ();
        type Error = BoxError;
        type Future = Pin<Box<dyn Future<Output = Result<(), BoxError>> + Send>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, (): ()) -> Self::Future {
            let wait = self.0;
            Box::pin(async move {
                tokio::time::sleep(wait).await;
                Ok(())
            })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_connection_is_timed_and_has_a_deadline() {
        let connect = |millis| {
            let mut connector = WatchLayer.layer(After(Duration::from_millis(millis)));
            async move { connector.call(()).await }
        };
        let watch = Watch::start(Duration::from_secs(10));
        assert!(watch.scope(connect(250)).await.is_ok());
        assert_eq!(watch.millis(), Some(250));

        let watch = Watch::start(Duration::from_secs(10));
        let error = watch.scope(connect(10_001)).await.unwrap_err();
        assert_eq!(error.to_string(), "no connection within 10 s: operation timed out");
        assert_eq!(watch.millis(), None);

        assert!(connect(60_000).await.is_ok(), "without a watch there is nothing to do");
    }
}
