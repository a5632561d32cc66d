//! Answers that come later.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::error::StoreError;

/// An answer of the store that is still to come: await it, or [`wait`](Reply::wait) for it outside of an async runtime.
/// Dropping it drops the answer, not the request.
#[derive(Debug)]
pub struct Reply<T>(Result<oneshot::Receiver<Result<T, StoreError>>, Option<StoreError>>);

/// Where the answer goes.
#[derive(Debug)]
pub(super) struct Slot<T>(oneshot::Sender<Result<T, StoreError>>);

/// An answer and the slot it comes from.
pub(super) fn pair<T>() -> (Slot<T>, Reply<T>) {
    let (sender, receiver) = oneshot::channel();
    (Slot(sender), Reply(Ok(receiver)))
}

impl<T> Slot<T> {
    pub(super) fn answer(self, result: Result<T, StoreError>) {
        // Nobody has to wait for an answer.
        let _ = self.0.send(result);
    }
}

impl<T> Reply<T> {
    pub(super) const fn failed(error: StoreError) -> Self {
        Self(Err(Some(error)))
    }

    /// Why the request was not even taken, if it was not: [`StoreError::Busy`] is worth another try.
    pub const fn refusal(&self) -> Option<&StoreError> {
        match &self.0 {
            Err(Some(error)) => Some(error),
            Err(None) | Ok(_) => None,
        }
    }

    /// Blocks until the answer is there.
    ///
    /// # Errors
    ///
    /// What the request met, or [`StoreError::Closed`].
    ///
    /// # Panics
    ///
    /// When called inside of an async runtime, which it would block.
    pub fn wait(self) -> Result<T, StoreError> {
        match self.0 {
            Ok(receiver) => receiver.blocking_recv().unwrap_or(Err(StoreError::Closed)),
            Err(error) => Err(error.unwrap_or(StoreError::Closed)),
        }
    }
}

impl<T> Future for Reply<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Ok(receiver) => Pin::new(receiver).poll(context).map(|answer| answer.unwrap_or(Err(StoreError::Closed))),
            Err(error) => Poll::Ready(Err(error.take().unwrap_or(StoreError::Closed))),
        }
    }
}
