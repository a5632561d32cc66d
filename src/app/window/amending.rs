//! Settings' part of the window's jobs: reads the file, writes changes of it, and shows where somebody else was faster.

use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use crate::app::leaving::Last;
use crate::cli::{self, Context};
use crate::edit::unified_diff;
use crate::engine::request::Request;
use crate::i18n::{Spoken, Tr};
use crate::platform::autostart::{Entry, What};
use crate::secrets::{KeyRef, Secrets as _, SystemSecrets};
use crate::settings::edit::walk::Walk;
use crate::settings::env::Env;
use crate::settings::finding::{Finding, Problem};
use crate::settings::roots::Roots;
use crate::settings::{Settings, SettingsFile, WriteError};
use crate::store::StoreHandle;
use crate::ui::screens::settings::providers::KeyState;
use crate::ui::settings::{Ask, Conflict, How, Seen, Told, Wish};

/// Changes the settings file; why it could not be, in words.
pub(super) fn change_file(
    roots: &Roots,
    tr: &Tr,
    change: impl FnOnce(&mut SettingsFile) -> Result<(), WriteError>,
) -> Result<(), String> {
    let read = SettingsFile::read(&roots.settings_file());
    let mut file =
        read.map_err(|findings| findings.first().map(|finding| finding.line_text(tr)).unwrap_or_default())?;
    change(&mut file).and_then(|()| file.save()).map_err(|error| error.describe(tr))
}

/// What is needed to read and to change the settings.
#[derive(Clone)]
pub struct Amender {
    /// Where the file lies.
    pub roots: Roots,
    /// The environment.
    pub env: Env,
    /// The words.
    pub tr: Spoken,
    /// The record of the running engine; `None` for a picture, which looks after nothing.
    pub store: Option<StoreHandle>,
    /// The engine, which reads the file again after a change; `None` for a picture.
    pub requests: Option<mpsc::Sender<Request>>,
    /// What is left to do when the window has ended.
    pub last: Arc<Mutex<Option<Last>>>,
}

impl Amender {
    /// For a window on the user's own files.
    pub fn new(
        context: &Context,
        tr: Spoken,
        store: Option<StoreHandle>,
        requests: Option<mpsc::Sender<Request>>,
    ) -> Self {
        let (roots, env) = (context.roots.clone(), context.env.clone());
        Self { roots, env, tr, store, requests, last: Arc::default() }
    }

    /// Does what is asked and answers.
    pub fn answer(&self, ask: Ask) -> Told {
        self.answer_telling(ask, &|_| ())
    }

    pub(super) fn look(&self) -> Seen {
        let path = self.roots.settings_file();
        let read = SettingsFile::read(&path).or_else(|findings| match &*findings {
            [Finding { problem: Problem::Missing, .. }] => Ok(SettingsFile::starter(&path)),
            _ => Err(findings),
        });
        let in_words =
            |findings: Vec<Finding>| findings.iter().map(|finding| finding.line_text(&self.tr.now())).collect();
        let (file, settings) = match read {
            Ok(file) => {
                let settings = file.resolve().map_err(in_words);
                (file, settings)
            }
            Err(findings) => (SettingsFile::parse(&path, String::new()), Err(in_words(findings))),
        };
        let entry = Entry::here(What::Window, &self.env, self.roots.own_folder());
        let autostart = entry.and_then(|entry| Ok((entry.state()?, entry.place())));
        let keys = settings.iter().flat_map(|settings: &Settings| &settings.providers);
        let keys = keys.map(|provider| (provider.id.clone(), self.key_state(&provider.key))).collect();
        Seen {
            data: self.data(),
            keys,
            file,
            settings,
            autostart: autostart.map_err(|error| error.describe(&self.tr.now())),
            locale: cli::locale(&self.env),
        }
    }

    /// Whether a key is where the settings say. Commands and keyrings are asked only when the user wants it: they may want
    /// to be unlocked.
    fn key_state(&self, key: &KeyRef) -> KeyState {
        match key {
            KeyRef::None => KeyState::Needless,
            KeyRef::Env(name) if self.env.get(name).is_some() => KeyState::Found,
            KeyRef::Env(_) => KeyState::Missing(None),
            KeyRef::Command(_) | KeyRef::Keyring(_) => KeyState::Unasked,
            KeyRef::Tool(_) => self.look_for_key(key),
        }
    }

    /// Reads a key and forgets it: whether it is there is all that is told.
    pub(super) fn look_for_key(&self, key: &KeyRef) -> KeyState {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return KeyState::Missing(Some(error.to_string())),
        };
        let secrets = SystemSecrets::new(self.env.clone(), self.roots.clone());
        let found = match runtime.block_on(secrets.read(key)) {
            Ok(_) => KeyState::Found,
            Err(error) => KeyState::Missing(Some(error.describe(&self.tr.now()))),
        };
        // A keyring that still asks must not be waited for.
        runtime.shutdown_background();
        found
    }

    pub(super) fn write(&self, mut file: SettingsFile, wish: Wish) -> Told {
        let amendments = match &wish.how {
            How::Amend(amendments) => amendments,
            How::Walk { from, to, is_forced, .. } => {
                let (from, to, is_forced) = (from.clone(), to.clone(), *is_forced);
                return self.walk(wish, &from, &to, is_forced);
            }
        };
        let before = file.text();
        let changed = amendments.iter().try_for_each(|amendment| file.amend(amendment));
        match changed.and_then(|()| file.save()) {
            Ok(()) => self.written(wish, before, file.text()),
            Err(WriteError::Changed { path } | WriteError::Exists { path }) => {
                let seen = Arc::new(self.look());
                // A field that was left twice before the first answer came: what it wants stands there already.
                let mut then = seen.file.clone();
                let same = amendments.iter().try_for_each(|amendment| then.amend(amendment));
                if same.is_ok() && then.text() == seen.file.text() {
                    return Told::Seen(seen);
                }
                let name = path.display().to_string();
                let diff = unified_diff(&name, before.as_bytes(), seen.file.text().as_bytes());
                let thirds = seen.file.walked(&before, &file.text()).map(|walk| walk.thirds).unwrap_or_default();
                Told::Conflict(seen, Conflict { wish, diff, thirds })
            }
            Err(error) => Told::Refused(error.describe(&self.tr.now())),
        }
    }

    /// Takes a change back, or makes it again, on the file as it is now.
    fn walk(&self, wish: Wish, from: &str, to: &str, is_forced: bool) -> Told {
        let tr = &self.tr.now();
        let file = match SettingsFile::read(&self.roots.settings_file()) {
            Ok(file) => file,
            Err(findings) => {
                return Told::Refused(findings.first().map(|finding| finding.line_text(tr)).unwrap_or_default());
            }
        };
        let before = file.text();
        match file.walked(from, to) {
            Ok(Walk { file: Some(mut then), thirds }) if is_forced || thirds.is_empty() => match then.save() {
                Ok(()) => self.written(wish, before, then.text()),
                Err(error) => Told::Refused(error.describe(tr)),
            },
            Ok(Walk { file: then, thirds }) => {
                let name = file.path().display().to_string();
                let diff = then.map(|then| unified_diff(&name, before.as_bytes(), then.text().as_bytes()));
                let conflict = Conflict { wish, diff: diff.unwrap_or_default(), thirds };
                Told::Conflict(Arc::new(self.look()), conflict)
            }
            Err(error) => Told::Refused(error.describe(tr)),
        }
    }

    fn written(&self, wish: Wish, before: String, after: String) -> Told {
        if let Some(requests) = &self.requests {
            // A stopped engine has nothing to read.
            let _ = requests.blocking_send(Request::SettingsWritten);
        }
        Told::Written { seen: Arc::new(self.look()), wish, before, after }
    }
}
