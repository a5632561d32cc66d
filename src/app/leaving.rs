//! What is done when everything is closed: a backup takes the record's place, or what the program keeps is deleted. Then the
//! program starts anew, so that nothing of what was before is left in its memory.
//!
//! Deleted are files by their names alone, and folders of ours that are empty then. Whatever is left when the program is
//! killed in the midst, it starts.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;

use crate::app::LOCK;
use crate::args;
use crate::i18n::{Lang, Tr};
use crate::platform::autostart::{Entry, State, What};
use crate::private;
use crate::settings::env::Env;
use crate::settings::roots::Roots;
use crate::store::{self, Ready};
use crate::switch::shell::journal_file::JournalFile;
use crate::ui::screens::settings::question::{Belonging, Part};

/// What is done last.
#[derive(Debug)]
pub enum Last {
    /// This copy of `from` takes the record's place.
    Restore {
        /// The backup that was chosen.
        from: PathBuf,
        /// Its copy.
        ready: Ready,
    },
    /// These parts are deleted.
    Erase(Vec<Part>),
}

impl Last {
    /// Does it, with the record closed. What became of it in words.
    pub fn carry_out(self, roots: &Roots, env: &Env, now: Timestamp, tr: &Tr) -> String {
        let shown = |path: &Path| path.display().to_string();
        match self {
            Self::Restore { from, ready } => match ready.put(&roots.database(), now) {
                Ok(aside) => {
                    let restored = tr.with("data-restored", &args!("path" => shown(&from)));
                    let aside = aside.map(|aside| tr.with("data-restored-replaced", &args!("path" => shown(&aside))));
                    [Some(restored), aside].into_iter().flatten().collect::<Vec<_>>().join(" ")
                }
                Err(error) => error.text(tr),
            },
            Self::Erase(parts) => {
                let left = erase(roots, env, &parts);
                match left.first() {
                    None => tr.text("settings-screen-erased"),
                    Some((path, error)) => {
                        let left = args!("path" => shown(path), "reason" => error.to_string());
                        tr.with("settings-screen-erase-failed", &left)
                    }
                }
            }
        }
    }
}

/// What the program keeps and where, as far as it is there, in the order in which it is deleted.
pub fn belongings(roots: &Roots, env: &Env) -> Vec<Belonging> {
    let database = roots.database();
    let journal = JournalFile::path(&roots.data);
    let record = store::own_files(&database).into_iter().chain([journal, roots.data.join(LOCK)]);
    let set_aside = store::set_aside_files(&database);
    let copies = store::list_backups(&database).into_iter().chain(set_aside);
    let looks = ["window.json", "demo-window.json"].map(|name| roots.cache.join(name));
    let demos = fs::read_dir(&roots.cache).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let demos = demos.filter(|path| path.is_dir() && is_demo(path));
    let settings = [roots.settings_file()].into_iter().chain(looks).chain(demos).chain(starts(roots, env));
    let of = |part| move |path: PathBuf| size(&path).ok().map(|bytes| Belonging { part, path, bytes });
    record
        .filter_map(of(Part::Record))
        .chain(copies.filter_map(of(Part::Backups)))
        .chain(settings.filter_map(of(Part::Settings)))
        .collect()
}

/// The folder of a demo, which keeps planted data there.
fn is_demo(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.strip_prefix("demo").map(|number| number.strip_prefix('-').unwrap_or(number));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The entry that starts the program with the session, where it is one of ours.
fn starts(roots: &Roots, env: &Env) -> Option<PathBuf> {
    let entry = entry(roots, env)?;
    let is_ours = matches!(entry.state(), Ok(State::On));
    is_ours.then(|| entry.place().into())
}

fn entry(roots: &Roots, env: &Env) -> Option<Entry> {
    Entry::here(What::Window, env, roots.own_folder()).ok()
}

/// The bytes of a file, or of all files below a folder. A link counts as itself.
fn size(path: &Path) -> io::Result<u64> {
    let looks = fs::symlink_metadata(path)?;
    if !looks.is_dir() {
        return Ok(looks.len());
    }
    fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
}

/// Deletes these parts; what could not be deleted comes back with the reason.
fn erase(roots: &Roots, env: &Env, parts: &[Part]) -> Vec<(PathBuf, io::Error)> {
    let start = starts(roots, env);
    let mut left = Vec::new();
    for Belonging { path, .. } in belongings(roots, env).into_iter().filter(|one| parts.contains(&one.part)) {
        let deleted = match &start {
            Some(start) if *start == path => switch_off(roots, env),
            _ if fs::symlink_metadata(&path).is_ok_and(|looks| looks.is_dir()) => fs::remove_dir_all(&path),
            _ => fs::remove_file(&path),
        };
        match deleted {
            Err(error) if error.kind() != ErrorKind::NotFound => left.push((path, error)),
            Ok(()) | Err(_) => {}
        }
    }
    let backups = store::backups_folder(&roots.database());
    for folder in [&backups, &roots.data, &roots.cache, &roots.config] {
        // One with something else in it stays.
        let _ = fs::remove_dir(folder);
    }
    left
}

fn switch_off(roots: &Roots, env: &Env) -> io::Result<()> {
    let Some(entry) = entry(roots, env) else { return Ok(()) };
    entry.switch_off(false).map_err(|error| io::Error::other(error.to_string()))
}

/// Where the words wait that the next window says.
fn note(roots: &Roots) -> PathBuf {
    roots.cache.join("told.txt")
}

/// Keeps words for the next window.
pub fn leave_word(roots: &Roots, words: &str) {
    let kept = private::create_folder(&roots.cache).and_then(|()| fs::write(note(roots), words));
    if let Err(error) = kept {
        tracing::warn!(%error, words, "what was done cannot be told by the next window");
    }
}

/// The words that were left, once.
pub fn word_left(roots: &Roots) -> Option<String> {
    let words = fs::read_to_string(note(roots)).ok()?;
    // Said twice at most.
    let _ = fs::remove_file(note(roots));
    Some(words).filter(|words| !words.is_empty())
}

/// Arguments of a program that starts anew: its window is on the screen, in this language.
fn args_anew(args: impl Iterator<Item = OsString>, lang: Lang) -> Vec<OsString> {
    let mut out = vec![OsString::from("--lang"), lang.tag().into()];
    let mut is_tag = false;
    for arg in args {
        let text = arg.to_string_lossy();
        let is_said =
            std::mem::replace(&mut is_tag, text == "--lang") || text == "--lang" || text.starts_with("--lang=");
        if !is_said && text != "--minimized" && text != "--glance" {
            out.push(arg);
        }
    }
    out
}

/// Starts this program anew in the place of this process, with its window on the screen, in this language. Comes back only
/// when that failed.
pub fn start_anew(lang: Lang) -> io::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return error,
    };
    let mut command = Command::new(program);
    command.args(args_anew(std::env::args_os().skip(1), lang));
    #[cfg(unix)]
    return std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    match command.spawn() {
        Ok(_) => std::process::exit(0),
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_start_speaks_the_windows_language_and_shows_its_window() {
        for (args, expected) in [
            (&[][..], &["--lang", "zh-Hans"][..]),
            (&["--minimized", "--data", "d"], &["--lang", "zh-Hans", "--data", "d"]),
            (&["--lang", "en", "--glance"], &["--lang", "zh-Hans"]),
            (&["--lang=en", "--log", "debug"], &["--lang", "zh-Hans", "--log", "debug"]),
        ] {
            let given = args.iter().map(OsString::from);
            assert_eq!(args_anew(given, Lang::Chinese), expected, "{args:?}");
        }
    }
}
