//! What is asked before a backup takes the record's place, and before everything is deleted. Pure.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::args;
use crate::i18n::Tr;
use crate::ui::format;

/// A record that can be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The file.
    pub path: PathBuf,
    /// It is a record that was set aside, not a backup.
    pub is_set_aside: bool,
    /// When it was made.
    pub made_at: Option<Timestamp>,
    /// Its size in bytes.
    pub bytes: u64,
    /// What it holds; or why that is not known, in words. Such a one cannot be chosen.
    pub holds: Result<Holds, String>,
}

/// What a record holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holds {
    /// Models.
    pub targets: u64,
    /// Samples.
    pub samples: u64,
    /// The oldest and the newest sample.
    pub span: Option<(Timestamp, Timestamp)>,
}

/// A part of what the program keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The record, and the journal of switches.
    Record,
    /// Backups, and records that were set aside.
    Backups,
    /// The settings file, the looks of the window, and the start with the session.
    Settings,
}

impl Part {
    /// Every part, in the order of the screen.
    pub const ALL: [Self; 3] = [Self::Record, Self::Backups, Self::Settings];

    /// The stable name, used in message ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Backups => "backups",
            Self::Settings => "settings",
        }
    }
}

/// Something that the program keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belonging {
    /// What it is a part of.
    pub part: Part,
    /// The file or folder.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Which record is to be put back.
    Restore {
        /// What there is, the newest first; `None` while it is looked at.
        copies: Option<Vec<Copy>>,
        /// What is chosen.
        picked: Option<PathBuf>,
    },
    /// What is to be deleted.
    Erase {
        /// What there is; `None` while it is looked at.
        belongings: Option<Vec<Belonging>>,
        /// Which of it.
        parts: BTreeSet<Part>,
        /// What is typed so that nothing is deleted by a slip.
        typed: String,
    },
}

/// What is to be done when a question is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Put this in the record's place.
    Restore(PathBuf),
    /// Delete these parts.
    Erase(Vec<Part>),
}

impl Question {
    /// The question of a restore as it opens.
    pub const fn restore() -> Self {
        Self::Restore { copies: None, picked: None }
    }

    /// The question of a deletion as it opens: everything.
    pub fn erase() -> Self {
        Self::Erase { belongings: None, parts: Part::ALL.into(), typed: String::new() }
    }

    /// Takes what was found, the newest first; the first that can be used is chosen.
    pub fn take_copies(&mut self, mut found: Vec<Copy>) {
        let Self::Restore { copies, picked } = self else { return };
        found.sort_by_key(|copy| std::cmp::Reverse(copy.made_at));
        *picked = found.iter().find(|copy| copy.holds.is_ok() && !copy.is_set_aside).map(|copy| copy.path.clone());
        *copies = Some(found);
    }

    /// Takes what was found.
    pub fn take_belongings(&mut self, found: Vec<Belonging>) {
        let Self::Erase { belongings, .. } = self else { return };
        *belongings = Some(found);
    }

    /// What is to be done; `None` while something is open: nothing is chosen, or the word is not typed.
    pub fn answer(&self, tr: &Tr) -> Option<Answer> {
        match self {
            Self::Restore { picked, .. } => picked.clone().map(Answer::Restore),
            Self::Erase { belongings, parts, typed } => {
                let goes = belongings.iter().flatten().any(|one| parts.contains(&one.part));
                let typed = typed.trim().to_lowercase();
                // Latin letters are typed on every keyboard.
                let meant = [word(tr), tr.text("settings-screen-erase-word-latin")];
                let is_meant = meant.iter().any(|word| word.to_lowercase() == typed);
                (goes && is_meant).then(|| Answer::Erase(parts.iter().copied().collect()))
            }
        }
    }
}

/// The word that is typed before something is deleted.
pub fn word(tr: &Tr) -> String {
    tr.text("settings-screen-erase-word")
}

/// A record in words: what it is and of when, and what it holds.
pub fn copy_words(copy: &Copy, zone: &TimeZone, now: Timestamp, tr: &Tr) -> (String, String) {
    let id = if copy.is_set_aside { "settings-screen-copy-set-aside" } else { "settings-screen-copy-backup" };
    let made = copy.made_at.map_or_else(|| copy.path.display().to_string(), |at| format::moment(at, now, zone, tr));
    let title = tr.with(id, &args!("moment" => made));
    let size = format::bytes(copy.bytes, tr);
    let holds = match &copy.holds {
        Err(words) => return (title, words.clone()),
        Ok(holds) => holds,
    };
    let counts = args!(
        "size" => size,
        "targets" => holds.targets,
        "samples" => format::count(holds.samples),
    );
    let mut words = tr.with("settings-screen-copy-holds", &counts);
    if let Some((first, last)) = holds.span {
        let moment = |at| format::moment(at, now, zone, tr);
        let span = args!("first" => moment(first), "last" => moment(last));
        words = format!("{words} · {}", tr.with("settings-screen-data-span-words", &span));
    }
    (title, words)
}

/// How much of a part there is, in words.
pub fn part_words(part: Part, belongings: &[Belonging], tr: &Tr) -> String {
    let own = || belongings.iter().filter(|one| one.part == part);
    let size = format::bytes(own().map(|one| one.bytes).sum(), tr);
    let name = tr.text(&format!("settings-screen-part-{}", part.name()));
    match own().count() {
        0 => tr.with("settings-screen-part-none", &args!("part" => name)),
        _ => tr.with("settings-screen-part-size", &args!("part" => name, "size" => size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;

    fn copy(name: &str, made: &str, is_set_aside: bool, is_good: bool) -> Copy {
        let holds = Holds { targets: 2, samples: 12, span: None };
        Copy {
            path: name.into(),
            is_set_aside,
            made_at: made.parse().ok(),
            bytes: 4096,
            holds: if is_good { Ok(holds) } else { Err("damaged".to_owned()) },
        }
    }

    #[test]
    fn the_newest_good_backup_is_proposed_and_nothing_else() {
        let tr = Tr::new(Lang::English);
        let mut question = Question::restore();
        assert_eq!(question.answer(&tr), None);
        question.take_copies(vec![
            copy("old", "2026-11-01T00:00:00Z", false, true),
            copy("bad", "2026-11-20T00:00:00Z", false, false),
            copy("aside", "2026-11-21T00:00:00Z", true, true),
            copy("new", "2026-11-10T00:00:00Z", false, true),
        ]);
        assert_eq!(question.answer(&tr), Some(Answer::Restore("new".into())));
        let Question::Restore { copies: Some(copies), .. } = &question else { panic!("{question:?}") };
        let order: Vec<_> = copies.iter().map(|copy| copy.path.display().to_string()).collect();
        assert_eq!(order, ["aside", "bad", "new", "old"]);
    }

    #[test]
    fn nothing_is_deleted_before_the_word_is_typed_in_whole() {
        for (lang, typed, is_meant) in [
            (Lang::English, "", false),
            (Lang::English, "delet", false),
            (Lang::English, " Delete ", true),
            (Lang::English, "删除", false),
            (Lang::Chinese, "delete", true),
            (Lang::Chinese, "delet", false),
            (Lang::Chinese, "删除", true),
        ] {
            let tr = Tr::new(lang);
            let mut question = Question::erase();
            question.take_belongings(vec![Belonging { part: Part::Record, path: "vacancy.sqlite".into(), bytes: 1 }]);
            let Question::Erase { typed: field, parts, .. } = &mut question else { panic!() };
            *field = typed.to_owned();
            parts.remove(&Part::Settings);
            let expected = is_meant.then(|| Answer::Erase(vec![Part::Record, Part::Backups]));
            assert_eq!(question.answer(&tr), expected, "{lang:?} {typed}");
            let Question::Erase { parts, .. } = &mut question else { panic!() };
            parts.remove(&Part::Record);
            assert_eq!(question.answer(&tr), None, "nothing of what is chosen is there");
        }
    }
}
