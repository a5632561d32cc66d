//! The window's jobs: what takes time or touches files, on the thread `vacancy-jobs`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use tokio::sync::mpsc;

use super::Told as Events;
use super::amending::{Amender, change_file};
use super::backfill::Backfiller;
use super::outside::Bell;
use super::tools::Tools;
use crate::app;
use crate::args;
use crate::core::target::TargetId;
use crate::engine::request::Request;
use crate::i18n::{Spoken, Tr};
use crate::notify::check::{Checked, check};
use crate::notify::everywhere::Means;
use crate::platform::autostart::{Entry, What};
use crate::private;
use crate::settings::discovery::disk::RealDisk;
use crate::settings::discovery::{self, Found, adopt, discover};
use crate::settings::edit::Field;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::settings::{Close, Settings, SettingsFile, WriteError};
use crate::toolprobe::Program;
use crate::ui::backfill::Steer;
use crate::ui::background::{Act, News};
use crate::ui::settings::{Ask, Told};
use crate::ui::state::Kept;
use crate::ui::window::{Event, Job};

/// Does the jobs in their order.
pub(super) struct Worker {
    pub roots: Roots,
    pub env: Env,
    pub tr: Spoken,
    pub kept_file: PathBuf,
    pub requests: mpsc::Sender<Request>,
    pub events: Events,
    /// As they were at the start; read again where they matter.
    pub settings: Settings,
    pub found: Option<Found>,
    pub demo: Option<Child>,
    pub backfiller: Backfiller,
    pub tools: Tools,
    /// How the user is reached outside the window.
    pub notices: Means,
    /// A test notice is on its way.
    pub is_testing: Arc<AtomicBool>,
    pub amender: Amender,
    /// Ends the window.
    pub bell: Bell,
}

/// How long a test notice is kept on the desktop, where its sender must stay for that.
const TEST_HOLD: Duration = Duration::from_secs(20);

impl Worker {
    /// Works until the window is gone.
    pub fn run(mut self, asked: &Receiver<Job>) {
        if self.backfiller.is_wanted() {
            self.backfiller.steer(Steer::Begin, &self.tr.now());
        }
        while let Ok(job) = asked.recv() {
            let answer = match job {
                Job::Engine(request) => {
                    // The shell sends these itself; one that comes here anyway is passed on.
                    drop(self.requests.try_send(request));
                    continue;
                }
                Job::Curl(target) => Event::Curl(self.curl(&target)),
                Job::Adopt { targets, reads_logs, looks } => match self.adopt(&targets, &looks) {
                    Ok(()) => {
                        if reads_logs {
                            self.backfiller.steer(Steer::Begin, &self.tr.now());
                        }
                        Event::Started
                    }
                    Err(words) => Event::SayOf("adopt", words),
                },
                Job::Backfill(steer) => {
                    self.backfiller.steer(steer, &self.tr.now());
                    continue;
                }
                Job::LookAtTools => {
                    self.tools.look();
                    continue;
                }
                Job::TestNotice(lang) => {
                    self.test_notice(Tr::new(lang));
                    continue;
                }
                Job::SetTool(program, is_enabled) => {
                    let words = self.set_tool(program, is_enabled).unwrap_or_else(|words| words);
                    self.tools.list();
                    Event::SayOf(program.name(), words)
                }
                Job::Discover => {
                    let ask = discovery::Ask { login_shell: true, local_servers: true };
                    let found = discover(&self.roots, &self.env, &RealDisk, &ask);
                    self.found = Some(found.clone());
                    self.events.tell(Event::Scope(self.backfiller.scope()));
                    Event::Found(Box::new(found))
                }
                Job::Wear(look) => Event::Worn(self.wear(&look)),
                Job::SetClose(close) => Event::SayOf("close", self.set_close(close).unwrap_or_else(|words| words)),
                Job::Settings(ask) if ask.takes_long() => {
                    self.look_after(*ask);
                    continue;
                }
                Job::Settings(ask) => Event::Settings(self.amender.answer(*ask)),
                Job::SetAutostart(is_on) => {
                    let words = self.set_autostart(is_on).unwrap_or_else(|words| words);
                    self.events.tell(Event::SayOf("autostart", words));
                    Event::Settings(self.amender.answer(Ask::Look))
                }
                Job::Demo => {
                    let words = match self.start_demo() {
                        Ok(()) => self.tr.now().text("cli-demo-opens"),
                        Err(error) => self.tr.now().with("cli-demo-fails", &args!("error" => error.to_string())),
                    };
                    Event::SayOf("demo", words)
                }
                // The link hands these to their own threads.
                Job::History(_) | Job::Sheets(_) | Job::Switching(_) | Job::Background(_) => continue,
                Job::Keep(kept) => {
                    if let Err(error) = keep(&self.kept_file, &kept) {
                        tracing::warn!(%error, "the looks of the window could not be kept");
                    }
                    continue;
                }
            };
            self.events.tell(answer);
        }
    }

    /// Looks after the record on a thread of its own. When the window is to end for it, it does.
    fn look_after(&self, ask: Ask) {
        let (amender, events, bell) = (self.amender.clone(), self.events.clone(), self.bell.clone());
        let work = move || {
            let told = amender.answer_telling(ask, &|told| events.tell(Event::Settings(told)));
            let is_over = matches!(told, Told::Leaving(_));
            events.tell(Event::Settings(told));
            if is_over {
                bell.ring(News::Act(Act::Quit));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("vacancy-care".into()).spawn(work) {
            self.events.tell(Event::SayOf("care", app::cannot_start(&error).message));
        }
    }

    /// Sends a test notice on a thread of its own: it waits for others, and holds the notice on the desktop.
    fn test_notice(&self, tr: Tr) {
        if self.is_testing.swap(true, Ordering::AcqRel) {
            return self.events.tell(Event::SayOf("notify-test", tr.text("notify-test-running")));
        }
        let file = self.roots.settings_file();
        let (means, events) = (self.notices.clone(), self.events.clone());
        let is_testing = Arc::clone(&self.is_testing);
        let work = move || {
            let told = |checked: &Checked| {
                events.tell(Event::SayOf("notify-test", checked.lines(&tr).join("\n")));
                is_testing.store(false, Ordering::Release);
            };
            match Settings::load(&file) {
                Ok(settings) => {
                    if let Err(error) = check(&settings, &means, &tr, TEST_HOLD, told) {
                        tracing::warn!(%error, "no test notice");
                    }
                }
                Err(_) => events.tell(Event::SayOf("notify-test", tr.text("notify-test-settings"))),
            }
            is_testing.store(false, Ordering::Release);
        };
        if let Err(error) = std::thread::Builder::new().name("vacancy-notify-test".into()).spawn(work) {
            self.is_testing.store(false, Ordering::Release);
            tracing::warn!(%error, "no test notice");
        }
    }

    /// The probe of a target as a command, with the key as a variable.
    fn curl(&self, target: &TargetId) -> Option<String> {
        let current = Settings::load(&self.roots.settings_file()).ok();
        let settings = current.as_ref().filter(|settings| settings.target(target).is_some()).unwrap_or(&self.settings);
        let target = settings.target(target)?;
        Some(settings.provider(&target.provider)?.curl(&target.model))
    }

    /// Writes the first settings file for the ticked proposals.
    fn adopt(&self, targets: &[TargetId], looks: &[Field]) -> Result<(), String> {
        let Some(found) = &self.found else { return Ok(()) };
        let ticked: Vec<bool> = found.proposals.iter().map(|proposal| targets.contains(&proposal.target)).collect();
        let mut file = SettingsFile::fresh(&self.roots.settings_file(), &adopt(found, &ticked));
        let written = looks.iter().try_for_each(|look| file.set(look)).and_then(|()| file.save());
        written.map_err(|error| error.describe(&self.tr.now()))?;
        self.settings_written()
    }

    /// Changes the settings file and has the engine read it.
    fn change(&self, change: impl FnOnce(&mut SettingsFile) -> Result<(), WriteError>) -> Result<(), String> {
        change_file(&self.roots, &self.tr.now(), change)?;
        self.settings_written()
    }

    fn settings_written(&self) -> Result<(), String> {
        self.requests.blocking_send(Request::SettingsWritten).map_err(|_| self.tr.now().text("ui-toast-stopped"))
    }

    /// Writes down whether a tool is asked of itself.
    fn set_tool(&self, program: Program, is_enabled: bool) -> Result<String, String> {
        self.change(|file| file.set_tool_probe(program, is_enabled))?;
        let id = if is_enabled { "toolprobe-panel-enabled" } else { "toolprobe-panel-disabled" };
        Ok(self.tr.now().with(id, &args!("tool" => program.name())))
    }

    /// Writes down what closing the window means.
    fn set_close(&self, close: Close) -> Result<String, String> {
        self.change(|file| file.set(&Field::Close(close)))?;
        Ok(self.tr.now().text(&format!("background-close-set-{}", close.name())))
    }

    /// Writes a look down. Without settings it is kept with the window until they are made.
    fn wear(&self, look: &Field) -> Result<(), String> {
        if !self.roots.settings_file().exists() {
            return Ok(());
        }
        self.change(|file| file.set(look))
    }

    /// Has the program start with the session, or no longer.
    fn set_autostart(&self, is_on: bool) -> Result<String, String> {
        let entry = Entry::here(What::Window, &self.env, self.roots.own_folder());
        let changed = entry.and_then(|entry| {
            if is_on {
                entry.switch_on(false)?
            } else {
                entry.switch_off(false)?
            }
            Ok(entry.place())
        });
        let place = changed.map_err(|error| error.describe(&self.tr.now()))?;
        let id = if is_on { "background-autostart-now-on" } else { "background-autostart-now-off" };
        Ok(self.tr.now().with(id, &args!("place" => place)))
    }

    /// The demo is a program of its own with a folder of its own: nothing of it can touch this window's record.
    fn start_demo(&mut self) -> std::io::Result<()> {
        if let Some(demo) = &mut self.demo
            && demo.try_wait()?.is_none()
        {
            return Ok(());
        }
        self.demo = Some(Command::new(std::env::current_exe()?).arg("demo").spawn()?);
        Ok(())
    }
}

fn keep(file: &Path, kept: &Kept) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        private::create_folder(folder)?;
    }
    std::fs::write(file, kept.to_json())
}
