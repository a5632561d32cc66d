//! The program started with the user's session: an entry in the place that each system has for it, which can be taken away
//! again. What somebody else changed there is seen and left alone unless the user says otherwise.

mod desktop;
mod launchd;
mod systemd;
mod windows;

pub(crate) use desktop::config as config_folder;

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::args;
use crate::core::platform::Platform;
use crate::i18n::Tr;
use crate::settings::env::Env;
use crate::whole;

/// What is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The program with its window, which is not shown.
    Window,
    /// `vacancy watch`: the record without a window.
    Watch,
}

/// How it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program's file.
    pub program: String,
    /// The folder of `--data`, where ours were moved.
    pub data: Option<String>,
    /// What is started.
    pub what: What,
}

impl Command {
    /// Everything behind the program.
    fn arguments(&self) -> impl Iterator<Item = String> {
        let data = self.data.iter().flat_map(|data| ["--data".to_owned(), data.clone()]);
        let verb = match self.what {
            What::Window => "--minimized",
            What::Watch => "watch",
        };
        data.chain([verb.to_owned()])
    }
}

/// What is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Off,
    /// The program starts with the session.
    On,
    /// Our entry is there, and the user switched it off in the desktop's own settings.
    Disabled,
    /// Our entry is there, and starts another file or another folder's record than this one.
    Moved,
    /// Somebody changed the entry.
    Edited,
}

impl State {
    /// The stable name: in `--json`, and message ids are `background-autostart-<name>`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Disabled => "disabled",
            Self::Moved => "moved",
            Self::Edited => "edited",
        }
    }
}

/// Why the entry could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum AutostartError {
    /// The system does not say where the user's files lie.
    #[error("no home folder is known")]
    NoHome,
    /// The program's own path is not text.
    #[error("the program's path is not text: {}", .0.display())]
    NotText(PathBuf),
    /// Somebody changed the entry.
    #[error("somebody changed {place}")]
    Edited {
        /// Where it is.
        place: String,
    },
    /// The system refused.
    #[error("{place}: {source}")]
    System {
        /// Where.
        place: String,
        /// How.
        source: io::Error,
    },
}

impl AutostartError {
    /// What is wrong and what to do, in words.
    pub fn describe(&self, tr: &Tr) -> String {
        match self {
            Self::NoHome => tr.text("background-autostart-no-home"),
            Self::NotText(path) => {
                tr.with("background-autostart-not-text", &args!("path" => path.display().to_string()))
            }
            Self::Edited { place } => tr.with("background-autostart-is-edited", &args!("place" => place.as_str())),
            Self::System { place, source } => {
                tr.with("background-autostart-fails", &args!("place" => place.as_str(), "error" => source.to_string()))
            }
        }
    }
}

/// The entry of one system for one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    place: Place,
    command: Command,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Desktop(PathBuf),
    Systemd(PathBuf),
    Launchd(PathBuf),
    RunKey,
    Task,
}

impl Entry {
    /// The entry for this program on this system; `data` is the folder of `--data`, if there is one.
    ///
    /// # Errors
    ///
    /// When no home folder is known, or a path cannot be written in a text file.
    pub fn here(what: What, env: &Env, data: Option<&Path>) -> Result<Self, AutostartError> {
        // A program image is mounted under another path each time.
        let program = match env.get("APPIMAGE") {
            Some(image) => PathBuf::from(image),
            None => std::env::current_exe()
                .map_err(|source| AutostartError::System { place: "vacancy".to_owned(), source })?,
        };
        let text = |path: &Path| path.to_str().map(str::to_owned).ok_or(AutostartError::NotText(path.to_path_buf()));
        let command = Command { program: text(&program)?, data: data.map(text).transpose()?, what };
        Self::new(Platform::here(), command, env)
    }

    /// The entry of a system for a command.
    ///
    /// # Errors
    ///
    /// When no home folder is known.
    pub fn new(platform: Platform, command: Command, env: &Env) -> Result<Self, AutostartError> {
        let place = match (platform, command.what) {
            (Platform::Linux, What::Window) => desktop::path(env).map(Place::Desktop),
            (Platform::Linux, What::Watch) => systemd::path(env).map(Place::Systemd),
            (Platform::Macos, what) => launchd::path(env, what).map(Place::Launchd),
            (Platform::Windows, What::Window) => Some(Place::RunKey),
            (Platform::Windows, What::Watch) => Some(Place::Task),
        };
        Ok(Self { place: place.ok_or(AutostartError::NoHome)?, command })
    }

    /// Where it is, for the user.
    pub fn place(&self) -> String {
        match &self.place {
            Place::Desktop(path) | Place::Systemd(path) | Place::Launchd(path) => path.display().to_string(),
            Place::RunKey => format!("{}\\{}", windows::RUN, windows::VALUE),
            Place::Task => windows::TASK.to_owned(),
        }
    }

    /// What it starts, as one line for the user.
    pub fn line(&self) -> String {
        windows::line(&self.command)
    }

    /// How it begins without a new session, where the user has to say so.
    pub fn begin(&self) -> Option<&'static str> {
        match self.place {
            Place::Systemd(_) => Some("systemctl --user daemon-reload && systemctl --user start vacancy-watch"),
            _ => None,
        }
    }

    /// What is there.
    ///
    /// # Errors
    ///
    /// When the place cannot be read.
    pub fn state(&self) -> Result<State, AutostartError> {
        let wanted = self.text();
        match &self.place {
            Place::Desktop(path) => Ok(self.read(path)?.map_or(State::Off, |found| desktop::state(&found, &wanted))),
            Place::Launchd(path) => Ok(self.read(path)?.map_or(State::Off, |found| launchd::state(&found, &wanted))),
            Place::Systemd(path) => {
                let is_linked = systemd::link(path).symlink_metadata().is_ok();
                Ok(self.read(path)?.map_or(State::Off, |found| systemd::state(&found, &wanted, is_linked)))
            }
            Place::RunKey => {
                let value = |key: &str| self.run("reg", &["query", key, "/v", windows::VALUE]);
                let (found, approved) = (value(windows::RUN)?, value(windows::APPROVED)?);
                let data = |said: Option<String>| said.as_deref().and_then(windows::queried);
                Ok(windows::state(data(found).as_deref(), data(approved).as_deref(), &wanted))
            }
            Place::Task => {
                let is_there = self.run("schtasks", &["/query", "/tn", windows::TASK])?.is_some();
                Ok(if is_there { State::On } else { State::Off })
            }
        }
    }

    /// Puts the entry there. An entry that somebody changed is only replaced when `is_forced`.
    ///
    /// # Errors
    ///
    /// When somebody changed it, or the system refuses.
    pub fn switch_on(&self, is_forced: bool) -> Result<(), AutostartError> {
        self.refuse_edited(is_forced)?;
        match &self.place {
            Place::Desktop(path) | Place::Launchd(path) => self.write(path),
            Place::Systemd(path) => {
                self.write(path)?;
                let link = systemd::link(path);
                // As `systemctl --user enable` does.
                let linked = fs::create_dir_all(link.parent().unwrap_or(path)).and_then(|()| linked_to(path, &link));
                linked.map_err(|source| self.system(source))
            }
            Place::RunKey => {
                let line = self.text();
                self.must_run("reg", &["add", windows::RUN, "/v", windows::VALUE, "/t", "REG_SZ", "/d", &line, "/f"])?;
                // What the Task Manager keeps would still hold it back.
                self.run("reg", &["delete", windows::APPROVED, "/v", windows::VALUE, "/f"]).map(drop)
            }
            Place::Task => {
                let mut file =
                    tempfile::Builder::new().suffix(".xml").tempfile().map_err(|error| self.system(error))?;
                file.write_all(&windows::utf16(&self.text())).map_err(|error| self.system(error))?;
                let file = file.into_temp_path();
                let path = file.display().to_string();
                self.must_run("schtasks", &["/create", "/tn", windows::TASK, "/xml", &path, "/f"])
            }
        }
    }

    /// Takes the entry away. One that somebody changed is only taken away when `is_forced`.
    ///
    /// # Errors
    ///
    /// When somebody changed it, or the system refuses.
    pub fn switch_off(&self, is_forced: bool) -> Result<(), AutostartError> {
        if self.state()? == State::Off {
            return Ok(());
        }
        self.refuse_edited(is_forced)?;
        match &self.place {
            Place::Desktop(path) | Place::Launchd(path) => self.remove(path),
            Place::Systemd(path) => {
                self.remove(&systemd::link(path))?;
                self.remove(path)
            }
            Place::RunKey => self.must_run("reg", &["delete", windows::RUN, "/v", windows::VALUE, "/f"]),
            Place::Task => self.must_run("schtasks", &["/delete", "/tn", windows::TASK, "/f"]),
        }
    }

    fn refuse_edited(&self, is_forced: bool) -> Result<(), AutostartError> {
        if !is_forced && self.state()? == State::Edited {
            return Err(AutostartError::Edited { place: self.place() });
        }
        Ok(())
    }

    fn text(&self) -> String {
        match &self.place {
            Place::Desktop(_) => desktop::text(&self.command),
            Place::Systemd(_) => systemd::text(&self.command),
            Place::Launchd(_) => launchd::text(&self.command),
            Place::RunKey => windows::line(&self.command),
            Place::Task => windows::task(&self.command),
        }
    }

    fn system(&self, source: io::Error) -> AutostartError {
        AutostartError::System { place: self.place(), source }
    }

    fn read(&self, path: &Path) -> Result<Option<String>, AutostartError> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.system(error)),
        }
    }

    fn write(&self, path: &Path) -> Result<(), AutostartError> {
        let written = whole::prepared(path, self.text().as_bytes())
            .and_then(|temp| temp.persist(path).map_err(|error| error.error))
            .and_then(|_| whole::sync_folder(path));
        written.map_err(|source| self.system(source))
    }

    fn remove(&self, path: &Path) -> Result<(), AutostartError> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.system(error)),
            _ => Ok(()),
        }
    }

    /// What one of the system's programs prints; `None` when it says no.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Option<String>, AutostartError> {
        let ran = std::process::Command::new(program).args(arguments).stdin(std::process::Stdio::null()).output();
        let ran = ran.map_err(|source| self.system(source))?;
        Ok(ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).into_owned()))
    }

    fn must_run(&self, program: &str, arguments: &[&str]) -> Result<(), AutostartError> {
        let refused = || self.system(io::Error::other(format!("{program} refused")));
        self.run(program, arguments)?.map(drop).ok_or_else(refused)
    }
}

#[cfg(unix)]
fn linked_to(path: &Path, link: &Path) -> io::Result<()> {
    match std::os::unix::fs::symlink(path, link) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// Only systemd has such links.
#[cfg(not(unix))]
fn linked_to(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// What keeps a text from being well-formed XML, as far as elements go.
#[cfg(test)]
fn xml_faults(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, rest) = part.split_once('>')?;
        if rest.contains('>')
            || rest
                .split('&')
                .skip(1)
                .any(|entity| !["amp;", "lt;", "gt;"].iter().any(|known| entity.starts_with(known)))
        {
            return Some(format!("a raw sign in {rest:?}"));
        }
        let name = tag.split_whitespace().next().unwrap_or_default();
        match tag.chars().next() {
            Some('?' | '!') => {}
            Some('/') if open.pop() == name.strip_prefix('/') => {}
            Some('/') => return Some(format!("{tag} closes something else")),
            _ if tag.ends_with('/') => {}
            _ => open.push(name),
        }
    }
    (!open.is_empty()).then(|| format!("{open:?} stay open"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(home: &Path, what: What, program: &str) -> Entry {
        let env: Env = [("HOME", home.to_str().unwrap())].into_iter().collect();
        Entry::new(Platform::Linux, Command { program: program.into(), data: None, what }, &env).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn on_and_off_leave_nothing_behind() {
        for what in [What::Window, What::Watch] {
            let home = tempfile::tempdir().unwrap();
            let entry = made(home.path(), what, "/opt/my app/vacancy");
            assert_eq!(entry.state().unwrap(), State::Off);
            entry.switch_off(false).unwrap();
            entry.switch_on(false).unwrap();
            entry.switch_on(false).unwrap();
            assert_eq!(entry.state().unwrap(), State::On);
            entry.switch_off(false).unwrap();
            assert_eq!(entry.state().unwrap(), State::Off);
            let mut left = Vec::new();
            let mut folders = vec![home.path().to_path_buf()];
            while let Some(folder) = folders.pop() {
                for found in fs::read_dir(folder).unwrap().map(|found| found.unwrap()) {
                    let is_folder = found.file_type().unwrap().is_dir();
                    if is_folder { folders.push(found.path()) } else { left.push(found.path()) }
                }
            }
            assert!(left.is_empty(), "{left:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_somebody_changed_is_left_alone_unless_the_user_says_so() {
        for what in [What::Window, What::Watch] {
            let home = tempfile::tempdir().unwrap();
            let entry = made(home.path(), what, "/usr/bin/vacancy");
            entry.switch_on(false).unwrap();
            let path = PathBuf::from(entry.place());
            let theirs = fs::read_to_string(&path).unwrap() + "# mine\n";
            fs::write(&path, &theirs).unwrap();
            assert_eq!(entry.state().unwrap(), State::Edited);
            for refused in [entry.switch_on(false), entry.switch_off(false)] {
                assert!(matches!(refused, Err(AutostartError::Edited { .. })), "{refused:?}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
            entry.switch_on(true).unwrap();
            assert_eq!(entry.state().unwrap(), State::On);
            // A program that was moved is ours all the same.
            let moved = made(home.path(), what, "/opt/new/vacancy");
            assert_eq!(moved.state().unwrap(), State::Moved);
            moved.switch_on(false).unwrap();
            assert_eq!(moved.state().unwrap(), State::On);
            fs::remove_file(&path).unwrap();
            assert_eq!(moved.state().unwrap(), State::Off, "somebody removed it");
            moved.switch_on(false).unwrap();
            assert_eq!(moved.state().unwrap(), State::On);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_unit_that_is_not_enabled_does_not_start() {
        let home = tempfile::tempdir().unwrap();
        let entry = made(home.path(), What::Watch, "/usr/bin/vacancy");
        entry.switch_on(false).unwrap();
        fs::remove_file(systemd::link(Path::new(&entry.place()))).unwrap();
        assert_eq!(entry.state().unwrap(), State::Disabled);
        entry.switch_on(false).unwrap();
        assert_eq!(entry.state().unwrap(), State::On);
    }
}
