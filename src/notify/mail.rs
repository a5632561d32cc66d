//! A bounded queue that never makes its sender wait: when it is full the oldest item goes, as old news is no news.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The queue; many may post, one takes.
#[derive(Debug)]
pub(super) struct Mail<T> {
    most: usize,
    state: Mutex<State<T>>,
    news: Notify,
    end: Notify,
}

#[derive(Debug)]
struct State<T> {
    waiting: VecDeque<T>,
    dropped: usize,
    is_closed: bool,
}

impl<T> Mail<T> {
    /// A queue of at most `most` items.
    pub(super) fn new(most: usize) -> Self {
        let state = State { waiting: VecDeque::new(), dropped: 0, is_closed: false };
        Self { most, state: Mutex::new(state), news: Notify::new(), end: Notify::new() }
    }

    /// Adds an item, in the place of the oldest when there is no room.
    pub(super) fn post(&self, item: T) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        if state.waiting.len() == self.most {
            state.waiting.pop_front();
            state.dropped += 1;
        }
        state.waiting.push_back(item);
        drop(state);
        self.news.notify_one();
    }

    /// The oldest item, and how many older ones were dropped since the last; `None` when the queue is closed.
    pub(super) async fn next(&self) -> Option<(T, usize)> {
        loop {
            {
                let mut state = self.lock();
                if state.is_closed {
                    return None;
                }
                if let Some(item) = state.waiting.pop_front() {
                    return Some((item, std::mem::take(&mut state.dropped)));
                }
            }
            self.news.notified().await;
        }
    }

    /// Nothing goes in or out any more.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.waiting.clear();
        drop(state);
        self.news.notify_one();
        self.end.notify_one();
    }

    /// Waits for [`Mail::close`], beside [`Mail::next`]; one may wait.
    pub(super) async fn closed(&self) {
        self.end.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Each write leaves it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newest_are_kept_and_the_loss_is_told() {
        let mail = Mail::new(16);
        for number in 0..500 {
            mail.post(number);
        }
        let mut got = Vec::new();
        while got.len() < 16 {
            got.push(mail.next().await.expect("open"));
        }
        assert_eq!(got[0], (484, 484));
        assert_eq!(got[15], (499, 0));
        mail.close();
        mail.post(500);
        assert_eq!(mail.next().await, None);
        mail.closed().await;
    }
}
