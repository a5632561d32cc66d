//! How many probes run at once: some overall, and one a credential, so that providers never see a burst from us.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::core::target::ProviderId;
use crate::probe::Job;
use crate::secrets::KeyRef;

/// Probes at once over all (DESIGN section 4).
pub const OVERALL: usize = 8;
/// Probes at once with one credential.
pub const PER_CREDENTIAL: usize = 1;

/// Two providers with the same key share the key's limits; without a key each provider is its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Credential {
    Key(KeyRef),
    Provider(ProviderId),
}

/// Lets probes in.
#[derive(Debug)]
pub struct Gate {
    overall: Arc<Semaphore>,
    per_credential: usize,
    credentials: Mutex<HashMap<Credential, Arc<Semaphore>>>,
}

/// A place inside; dropping it lets the next probe in.
#[derive(Debug)]
pub struct Pass {
    _credential: OwnedSemaphorePermit,
    _overall: OwnedSemaphorePermit,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new(OVERALL, PER_CREDENTIAL)
    }
}

impl Gate {
    /// A gate with these limits, each at least 1.
    pub fn new(overall: usize, per_credential: usize) -> Self {
        Self {
            overall: Arc::new(Semaphore::new(overall.max(1))),
            per_credential: per_credential.max(1),
            credentials: Mutex::default(),
        }
    }

    /// Waits for a place, first come, first served.
    pub async fn enter(&self, job: &Job) -> Pass {
        let credential = match &job.key {
            KeyRef::None => Credential::Provider(job.provider.clone()),
            key => Credential::Key(key.clone()),
        };
        let turn = {
            let mut credentials = self.credentials.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = credentials.entry(credential).or_insert_with(|| Arc::new(Semaphore::new(self.per_credential)));
            Arc::clone(turn)
        };
        // The credential first: a probe that waits for its own turn must not hold a place that another could use.
        let credential = turn.acquire_owned().await.expect("the semaphore is never closed");
        let overall = Arc::clone(&self.overall).acquire_owned().await.expect("the semaphore is never closed");
        Pass { _credential: credential, _overall: overall }
    }
}
