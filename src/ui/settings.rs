//! What the window keeps of the settings: the file as it was read, what is typed and not yet written, what can be undone.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::core::target::{ProviderId, TargetId};
use crate::i18n::{Lang, Tr};
use crate::platform::autostart;
use crate::settings::amend::Amendment;
use crate::settings::edit::walk::Third;
use crate::settings::{Settings, SettingsFile};
use crate::ui::screens::settings::about::About;
use crate::ui::screens::settings::data::{Care, Data, Deed};
use crate::ui::screens::settings::drafts::Drafts;
use crate::ui::screens::settings::editor::{Editor, Task};
use crate::ui::screens::settings::fields::{Field, Section};
use crate::ui::screens::settings::providers::KeyState;
use crate::ui::screens::settings::question::{Answer, Belonging, Copy, Question};

/// The most changes that can be undone.
const MOST_UNDOS: usize = 50;

/// The settings file as it was read last.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The file; where there is none, the one that the first change would write.
    pub file: SettingsFile,
    /// What it means, or what is wrong with it, a line a finding.
    pub settings: Result<Settings, Vec<String>>,
    /// Whether the program starts with the session, and where that is written; or why that is not known, in words.
    pub autostart: Result<(autostart::State, String), String>,
    /// Whether each provider's key is where the file says.
    pub keys: BTreeMap<ProviderId, KeyState>,
    /// Where the record lies, and what is known of it.
    pub data: Data,
    /// The language where the file names none.
    pub locale: Lang,
}

/// A change that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// What tells it from others.
    pub id: u64,
    /// What was changed.
    pub about: About,
    /// The whole text before it.
    pub before: String,
    /// The whole text after it.
    pub after: String,
}

/// A change that waits for an answer: the file is not as it was when it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// What was to be changed.
    pub wish: Wish,
    /// As a unified diff, keys masked: what differs on the disk; of a change that is taken back or made again, what would be
    /// written all the same, or nothing where nothing can be.
    pub diff: String,
    /// The values that somebody else has given since the change that is taken back or made again.
    pub thirds: Vec<Third>,
}

/// What is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What it does.
    pub about: About,
    /// How.
    pub how: How,
}

/// How a wish is carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// By changes of single values.
    Amend(Vec<Amendment>),
    /// By what a change that was written differs in, back or again.
    Walk {
        /// Which change.
        id: u64,
        /// The text that it is walked from.
        from: String,
        /// The text that it is walked to.
        to: String,
        /// It is an undo; a redo otherwise.
        is_undo: bool,
        /// Values that somebody else has given since are overwritten.
        is_forced: bool,
    },
}

/// What the user does on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Show a section.
    Show(Section),
    /// Write changes; the words say what for.
    Write(Wish),
    /// Write what is typed in a section.
    Save(Section),
    /// Forget what is typed in a section.
    Discard(Section),
    /// Take this change back, or the last one.
    Undo(Option<u64>),
    /// Make this one again, or the one that was taken back last.
    Redo(Option<u64>),
    /// Make the change that waits, beside what somebody else changed, or over it.
    Merge,
    /// Drop the change that waits.
    Drop,
    /// Read the file again.
    Look,
    /// Open the dialog of a task.
    Open(Task),
    /// Close it.
    Close,
    /// Write what is typed in it.
    Apply,
    /// A target is being tested since this moment.
    Tested(TargetId, Timestamp),
    /// Look after the record.
    Care(Care),
    /// Ask what is to be put back or deleted.
    Ask(Question),
    /// Do what the open question is answered with.
    Answer,
    /// Look whether a provider's key is there.
    LookForKey(ProviderId),
    /// Show a tool's rule on the Switch screen.
    ShowRule(&'static str),
}

/// What is asked of the thread that may touch files.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Read the file.
    Look,
    /// Write a wish into the file, if it is still this one.
    Write(SettingsFile, Wish),
    /// Look after the record.
    Care(Care),
    /// Say what can be put back.
    Copies,
    /// Say what there is to be deleted.
    Belongings,
    /// Put back or delete, and start anew.
    Answer(Answer),
    /// Look whether a provider's key is there.
    Key(ProviderId),
}

impl Ask {
    /// It may take long, so that other wishes must not wait for it.
    pub const fn takes_long(&self) -> bool {
        matches!(self, Self::Care(_) | Self::Copies | Self::Belongings | Self::Answer(_) | Self::Key(_))
    }
}

/// What that thread has to tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// The file, as it is now.
    Seen(Arc<Seen>),
    /// A wish was written.
    Written {
        /// The file, as it is now.
        seen: Arc<Seen>,
        /// The wish.
        wish: Wish,
        /// The whole text before it.
        before: String,
        /// The whole text after it.
        after: String,
    },
    /// The file is another one than it was.
    Conflict(Arc<Seen>, Conflict),
    /// The record was looked after; what became of it, in words.
    Cared(Arc<Seen>, String),
    /// How far the record is looked after, in percent.
    Progress(Deed, u8),
    /// What can be put back.
    Copies(Vec<Copy>),
    /// What there is to be deleted.
    Belongings(Vec<Belonging>),
    /// Whether a provider's key is there.
    Key(ProviderId, KeyState),
    /// Everything is ready: the window ends, and the rest is done when all is closed.
    Leaving(Deed),
    /// The wish was not written, for this reason, in words.
    Refused(String),
}

/// What is being done with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Going {
    /// What.
    pub deed: Deed,
    /// How much of it is done, where that is known.
    pub percent: Option<u8>,
}

/// What the window keeps.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The file.
    pub seen: Option<Arc<Seen>>,
    /// The section in view.
    pub section: Section,
    /// What is searched for.
    pub query: String,
    /// The search takes the focus in the next frame.
    pub wants_focus: bool,
    /// What is typed in fields and not written.
    pub drafts: Drafts,
    /// The newest change last.
    pub undos: Vec<Done>,
    /// What was undone, the newest last.
    pub redos: Vec<Done>,
    /// Counts changes.
    serial: u64,
    /// The open dialog.
    pub editor: Option<Editor>,
    /// What is being done with the record.
    pub care: Option<Going>,
    /// What is asked before something is put back or deleted.
    pub question: Option<Question>,
    /// Targets that are tested, and since when.
    pub tests: BTreeMap<TargetId, Timestamp>,
    /// What was found of keys that only the user has looked for.
    pub looked: BTreeMap<ProviderId, KeyState>,
    /// The change that waits for an answer.
    pub conflict: Option<Conflict>,
    /// Why the last wish was not written.
    pub refusal: Option<String>,
    /// The file is being read.
    pub is_looking: bool,
    /// Counts what was heard and done, for models made from it.
    pub generation: u64,
}

impl Held {
    /// The settings, where the file is valid.
    pub fn settings(&self) -> Option<&Settings> {
        self.seen.as_ref()?.settings.as_ref().ok()
    }

    /// Carries out what the user did; what it asks of others comes back.
    pub fn act(&mut self, act: Act, tr: &Tr) -> Option<Ask> {
        self.generation += 1;
        match act {
            Act::Show(section) => {
                self.section = section;
                self.query.clear();
                None
            }
            Act::Write(wish) => self.write(wish),
            Act::Save(section) => self.save(section),
            Act::Discard(section) => {
                self.drafts.forget_where(|field, _| field.section == section);
                self.refusal = None;
                None
            }
            Act::Undo(id) => {
                let Done { id, about, before, after } = Self::nth(&self.undos, id)?.clone();
                let how = How::Walk { id, from: after, to: before, is_undo: true, is_forced: false };
                self.write(Wish { about, how })
            }
            Act::Redo(id) => {
                let Done { id, about, before, after } = Self::nth(&self.redos, id)?.clone();
                let how = How::Walk { id, from: before, to: after, is_undo: false, is_forced: false };
                self.write(Wish { about, how })
            }
            Act::Merge => {
                let mut wish = self.conflict.take()?.wish;
                match &mut wish.how {
                    How::Walk { is_forced, .. } => *is_forced = true,
                    How::Amend(_) => self.editor = None,
                }
                self.put(wish)
            }
            Act::Drop => {
                let conflict = self.conflict.take()?;
                match conflict.wish.how {
                    How::Walk { id, .. } => {
                        // Its values are somebody else's now; those of other changes are not.
                        self.undos.retain(|done| done.id != id);
                        self.redos.retain(|done| done.id != id);
                    }
                    How::Amend(amendments) => {
                        self.editor = None;
                        self.drafts.forget_where(|field, _| field.is_set_by(&amendments));
                    }
                }
                None
            }
            Act::Look => {
                self.is_looking = true;
                Some(Ask::Look)
            }
            Act::Open(task) => {
                let seen = self.seen.as_deref();
                let valid = seen.and_then(|seen| Some((seen.settings.as_ref().ok()?, &seen.file)));
                self.editor = valid.map(|(settings, file)| Editor::new(task, settings, file));
                None
            }
            Act::LookForKey(provider) => {
                self.looked.insert(provider.clone(), KeyState::Looking);
                Some(Ask::Key(provider))
            }
            // The window's own affair.
            Act::ShowRule(_) => None,
            Act::Close => {
                // A dialog lies below the conflict of what it would write: what is typed in it is still to be had.
                if self.conflict.take().is_none() {
                    (self.editor, self.question) = (None, None);
                }
                None
            }
            Act::Apply => {
                let editor = self.editor.as_ref()?;
                let how = How::Amend(editor.amendments(self.settings()?)?);
                let name = if editor.called.is_empty() { &editor.typed.id } else { &editor.called };
                let about = About::Task(editor.task.name(), name.clone());
                let ask = self.write(Wish { about, how });
                if self.conflict.is_none() {
                    self.editor = None;
                }
                ask
            }
            Act::Care(care) => {
                self.care = Some(Going { deed: Deed::Care(care), percent: None });
                Some(Ask::Care(care))
            }
            Act::Ask(question) => {
                let ask = match question {
                    Question::Restore { .. } => Ask::Copies,
                    Question::Erase { .. } => Ask::Belongings,
                };
                self.question = Some(question);
                Some(ask)
            }
            Act::Answer => {
                let answer = self.question.as_ref()?.answer(tr)?;
                let deed = match &answer {
                    Answer::Restore(_) => Deed::Restore,
                    Answer::Erase(_) => Deed::Erase,
                };
                (self.question, self.care) = (None, Some(Going { deed, percent: None }));
                Some(Ask::Answer(answer))
            }
            Act::Tested(target, at) => {
                self.tests.insert(target, at);
                None
            }
        }
    }

    /// Writes a wish, unless another hand has written in the same place since it was begun.
    fn write(&mut self, wish: Wish) -> Option<Ask> {
        self.conflict = self.drafts.conflict(&wish, self.editor.as_ref(), self.seen.as_ref()?);
        if self.conflict.is_some() { None } else { self.put(wish) }
    }

    fn put(&mut self, wish: Wish) -> Option<Ask> {
        self.refusal = None;
        Some(Ask::Write(self.seen.as_ref()?.file.clone(), wish))
    }

    /// The change with this number, or the newest.
    fn nth(all: &[Done], id: Option<u64>) -> Option<&Done> {
        all.iter().rev().find(|done| id.is_none_or(|id| done.id == id))
    }

    /// What is typed in a section, as one wish.
    fn save(&mut self, section: Section) -> Option<Ask> {
        let settings = self.settings()?;
        let typed: Vec<&'static Field> = self.typed(section).collect();
        let amendments = self.drafts.amendments(&typed, settings);
        if typed.is_empty() {
            return None;
        }
        self.write(Wish { about: About::Fields(typed), how: How::Amend(amendments) })
    }

    /// Closes what is open on the screen: the question, then the search. `false` when nothing was.
    pub fn steps_back(&mut self) -> bool {
        self.generation += 1;
        // What was to be written or taken back can be so later.
        if self.conflict.take().is_some() || self.editor.take().is_some() || self.question.take().is_some() {
            return true;
        }
        let had_query = !self.query.is_empty();
        self.query.clear();
        had_query
    }

    /// Fields of a section with something typed that is not written.
    pub fn typed(&self, section: Section) -> impl Iterator<Item = &'static Field> {
        Field::all().filter(move |field| field.section == section && self.drafts.get(field.id).is_some())
    }

    /// Keeps what is typed in a field.
    pub fn type_in(&mut self, field: &'static Field, text: String) {
        self.generation += 1;
        if let Some(seen) = &self.seen {
            self.drafts.keep(field, text, seen);
        }
    }

    /// Takes in what was told. Answers with words to say, if there are any.
    pub fn hear(&mut self, told: Told) -> Option<String> {
        self.generation += 1;
        match told {
            Told::Seen(seen) => {
                self.is_looking = false;
                // What kept it from being written may have been mended.
                self.refusal = None;
                self.take(seen);
                None
            }
            Told::Written { seen, wish, before, after } => {
                match wish.how {
                    How::Amend(amendments) => {
                        self.drafts.forget_where(|field, _| field.is_set_by(&amendments));
                        self.serial += 1;
                        self.undos.push(Done { id: self.serial, about: wish.about, before, after });
                        self.redos.clear();
                        if self.undos.len() > MOST_UNDOS {
                            self.undos.remove(0);
                        }
                    }
                    How::Walk { id, from, to, is_undo, .. } => {
                        // What it differs in by now is what its way back is made of; where it was so already, what it was.
                        let (before, after) = if before == after { (from, to) } else { (before, after) };
                        if is_undo {
                            self.undos.retain(|done| done.id != id);
                            self.redos.push(Done { id, about: wish.about, before: after, after: before });
                        } else {
                            self.redos.retain(|done| done.id != id);
                            self.undos.push(Done { id, about: wish.about, before, after });
                        }
                    }
                }
                self.take(seen);
                None
            }
            Told::Conflict(seen, conflict) => {
                self.take(seen);
                self.conflict = Some(conflict);
                None
            }
            Told::Cared(seen, words) => {
                self.care = None;
                self.take(seen);
                Some(words)
            }
            Told::Progress(deed, percent) => {
                self.care = Some(Going { deed, percent: Some(percent) });
                None
            }
            Told::Copies(copies) => {
                self.question.as_mut()?.take_copies(copies);
                None
            }
            Told::Belongings(belongings) => {
                self.question.as_mut()?.take_belongings(belongings);
                None
            }
            Told::Key(provider, state) => {
                self.looked.insert(provider, state);
                None
            }
            Told::Leaving(deed) => {
                self.care = Some(Going { deed, percent: Some(100) });
                None
            }
            Told::Refused(words) => {
                self.refusal = Some(words.clone());
                Some(words)
            }
        }
    }

    /// Whether each provider's key is there, as far as it is known.
    pub fn keys(&self, seen: &Seen) -> BTreeMap<ProviderId, KeyState> {
        let mut keys = seen.keys.clone();
        keys.extend(self.looked.iter().map(|(provider, state)| (provider.clone(), state.clone())));
        keys
    }

    fn take(&mut self, seen: Arc<Seen>) {
        let place = |seen: &Seen, id: &ProviderId| {
            let settings = seen.settings.as_ref().ok();
            settings.and_then(|settings| settings.provider(id)).map(|provider| provider.key.clone())
        };
        // What was found elsewhere says nothing of the new place.
        let old = self.seen.take();
        self.looked.retain(|id, _| old.as_ref().is_some_and(|old| place(old, id) == place(&seen, id)));
        if let Ok(settings) = &seen.settings {
            // What is typed and says what stands there is no draft.
            self.drafts.forget_where(|field, text| field.shown(settings).text() == text);
        }
        self.seen = Some(seen);
    }
}
