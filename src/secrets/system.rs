//! Looks keys up in the environment, in the OS keyring, in tools' files, and by running a command.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;

use crate::secrets::key_ref::KeyRef;
use crate::secrets::{Secret, SecretError, Secrets, command, tool_file};
use crate::settings::env::Env;
use crate::settings::roots::Roots;

/// How long a command may take.
pub const COMMAND_DEADLINE: Duration = Duration::from_secs(10);
/// How long the keyring may take: it may ask the user to unlock it.
const KEYRING_DEADLINE: Duration = Duration::from_secs(60);
/// The service of our own entries in the keyring.
const SERVICE: &str = "vacancy";
/// How tokens of a Claude subscription begin; API keys begin otherwise.
const SUBSCRIPTION_PREFIX: &str = "sk-ant-oat";

/// The real places.
#[derive(Debug)]
pub struct SystemSecrets {
    env: Env,
    roots: Roots,
    command_deadline: Duration,
    /// One question to the keyring at a time: a locked one must not collect waiting threads.
    keyring_turn: Mutex<()>,
}

impl SystemSecrets {
    /// Looks in these places.
    pub fn new(env: Env, roots: Roots) -> Self {
        Self { env, roots, command_deadline: COMMAND_DEADLINE, keyring_turn: Mutex::new(()) }
    }

    /// Gives commands another deadline.
    #[must_use]
    pub const fn with_command_deadline(mut self, deadline: Duration) -> Self {
        self.command_deadline = deadline;
        self
    }

    async fn look_up(&self, key: &KeyRef) -> Result<Option<Secret>, SecretError> {
        let secret = match key {
            KeyRef::None => return Ok(None),
            KeyRef::Env(name) => {
                let value = self.env.get(name).map(Secret::new).filter(|secret| !secret.is_empty());
                value.ok_or_else(|| SecretError::EnvUnset { name: name.clone() })?
            }
            KeyRef::Command(argv) => {
                let (argv, env, deadline) = (argv.clone(), self.env.clone(), self.command_deadline);
                blocking(move || command::run(&argv, &env, deadline)).await?
            }
            KeyRef::Keyring(entry) => self.keyring_secret(entry).await?,
            KeyRef::Tool(key) => {
                let (key, env, roots) = (key.clone(), self.env.clone(), self.roots.clone());
                blocking(move || tool_file::read(&key, &env, &roots)).await?
            }
        };
        if secret.expose().starts_with(SUBSCRIPTION_PREFIX) {
            return Err(SecretError::SubscriptionToken { place: key.to_string() });
        }
        Ok(Some(secret))
    }

    async fn keyring_secret(&self, entry: &str) -> Result<Secret, SecretError> {
        let unavailable = |reason: &str| SecretError::KeyringUnavailable { reason: reason.to_owned() };
        let asking = async {
            let _turn = self.keyring_turn.lock().await;
            let entry = entry.to_owned();
            blocking(move || ask_keyring(&entry)).await
        };
        tokio::time::timeout(KEYRING_DEADLINE, asking).await.unwrap_or_else(|_| Err(unavailable("no answer in time")))
    }
}

impl Secrets for SystemSecrets {
    fn read<'a>(&'a self, key: &'a KeyRef) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(self.look_up(key))
    }
}

fn ask_keyring(entry: &str) -> Result<Secret, SecretError> {
    let (service, user) = entry.split_once('/').unwrap_or((SERVICE, entry));
    let missing = || SecretError::KeyringMissing { entry: format!("{service}/{user}") };
    let answer = keyring::Entry::new(service, user).and_then(|entry| entry.get_password());
    match answer {
        Ok(password) => Some(Secret::new(&password)).filter(|secret| !secret.is_empty()).ok_or_else(missing),
        Err(keyring::Error::NoEntry) => Err(missing()),
        // The errors' own texts are used only where they cannot hold what was stored.
        Err(keyring::Error::BadEncoding(_) | keyring::Error::BadDataFormat(..)) => {
            Err(SecretError::KeyringUnavailable { reason: "the entry is not text".to_owned() })
        }
        Err(error) => Err(SecretError::KeyringUnavailable { reason: error.to_string() }),
    }
}

/// Runs `work` where it may block.
async fn blocking(work: impl FnOnce() -> Result<Secret, SecretError> + Send + 'static) -> Result<Secret, SecretError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down.
            Err(_) => Err(SecretError::KeyringUnavailable { reason: "stopped".to_owned() }),
        },
    }
}
