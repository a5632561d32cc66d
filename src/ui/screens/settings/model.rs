//! What Settings says. Pure.

use std::collections::BTreeMap;

use super::data;
use super::editor::{Editor, Task};
use super::fields::{Field, Form, Section, Shown};
use super::providers::{self, ProviderRow};
use super::rules::{self, RuleRow, Way};
use crate::args;
use crate::core::schedule::{Cost, Estimate};
use crate::core::target::{ProviderId, TargetId};
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::settings::amend::{Amendment, brought};
use crate::settings::finding::Severity;
use crate::settings::{Settings, SettingsFile, WriteError};
use crate::ui::format;
use crate::ui::settings::{Held, Seen};

/// What the screen says.
#[derive(Clone, Debug)]
pub struct Model {
    /// The sections, with their titles; one is in view unless something is searched for.
    pub sections: Vec<(Section, String)>,
    /// What is in view.
    pub groups: Vec<Group>,
    /// The file's path.
    pub file: String,
    /// What is wrong with the file, a line a finding; nothing can be changed then.
    pub trouble: Vec<String>,
    /// What *Undo* takes back.
    pub undo: Option<String>,
    /// What *Redo* makes again.
    pub redo: Option<String>,
    /// Something is searched for.
    pub is_search: bool,
    /// They are the demo's: what reaches beyond its folder is left out, and that is said.
    pub is_demo: bool,
    /// What is wrong with what is typed in the dialog; `Some` with nothing in it where it can be written.
    pub editor: Option<Verdict>,
}

/// What is to be said of what is typed in the dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// It can be written.
    pub can_apply: bool,
    /// Something that is needed is empty.
    pub is_wanting: bool,
    /// What is wrong with single fields, by their keys in the file.
    pub beside: Vec<(&'static str, String)>,
    /// What is wrong with all of it, where no field is to blame.
    pub complaint: Option<String>,
}

impl Verdict {
    /// Tries what is typed out.
    fn of(editor: &Editor, file: &SettingsFile, settings: &Settings, tr: &Tr) -> Self {
        let Some(amendments) = editor.amendments(settings) else {
            return Self { is_wanting: true, ..Self::default() };
        };
        let (complaint, _) = check(file, settings, &amendments, tr);
        if complaint.is_none() {
            return Self { can_apply: !amendments.is_empty(), ..Self::default() };
        }
        let wrong = |amendment: &Amendment| {
            let key = amendment.key()?;
            Some((key, check(file, settings, std::slice::from_ref(amendment), tr).0?))
        };
        // A key of what is only being added cannot be tried without it.
        let beside: Vec<_> = match editor.task {
            Task::AddProvider | Task::AddTarget(_) => Vec::new(),
            _ => amendments.iter().filter_map(wrong).collect(),
        };
        let complaint = complaint.filter(|_| beside.is_empty());
        Self { beside, complaint, ..Self::default() }
    }
}

/// Fields under a title.
#[derive(Clone, Debug)]
pub struct Group {
    /// Of which section.
    pub section: Section,
    /// Its title.
    pub title: String,
    /// What of it is otherwise in the demo, in words.
    pub note: Option<String>,
    /// The fields.
    pub rows: Vec<Row>,
    /// The start with the session, where the section has it.
    pub autostart: Option<Autostart>,
    /// The section has the test notice.
    pub has_test: bool,
    /// The providers, where the section has them.
    pub providers: Option<Vec<ProviderRow>>,
    /// Facts of the record, where the section has them; and what is being done with it, in words.
    pub data: Option<(Vec<(String, String)>, Option<String>)>,
    /// The chains, where the section has them.
    pub chains: Option<Vec<ChainRow>>,
    /// The rules that switch tools, where the section has them, and what is to be said of those that read errors.
    pub rules: Option<(Vec<RuleRow>, Option<String>)>,
    /// Where notices go besides the desktop, where the section has it.
    pub ways: Vec<Way>,
    /// What a day costs, where the section decides that.
    pub cost: Option<CostTable>,
    /// What is typed and waits for *Save*; `None` when nothing waits.
    pub waiting: Option<Waiting>,
}

/// A chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainRow {
    /// Its name in the file.
    pub name: String,
    /// Whose it is, in words.
    pub title: String,
    /// It stands in the file, so that it can be renamed and taken out.
    pub is_own: bool,
    /// Its targets, the best first.
    pub targets: Vec<Named>,
    /// Targets that it does not have.
    pub others: Vec<Named>,
}

/// A target with what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its id.
    pub id: TargetId,
    /// As on the Board.
    pub name: String,
}

/// What waits for *Save*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// How many values, in words.
    pub words: String,
    /// All of it can be written.
    pub can_save: bool,
}

/// A field as it is shown.
#[derive(Clone, Debug)]
pub struct Row {
    /// The field.
    pub field: &'static Field,
    /// Its name.
    pub label: String,
    /// What it does.
    pub help: String,
    /// Its value and how it is chosen.
    pub control: Control,
    /// What is wrong with what is typed.
    pub complaint: Option<String>,
    /// What should be known of what is typed, though it can be written.
    pub caution: Option<String>,
    /// It is not as it is by default.
    pub is_changed: bool,
}

/// A value and how it is chosen.
#[derive(Clone, Debug)]
pub enum Control {
    /// On or off.
    Switch(bool),
    /// Names with their words, and which is chosen.
    Choice(Vec<(&'static str, String)>, String),
    /// What stands there, and what an empty field means.
    Text(String, String),
}

/// The start with the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autostart {
    /// It is on.
    pub is_on: bool,
    /// What is there, in words.
    pub words: String,
    /// It can be changed.
    pub can_change: bool,
}

/// What a day costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostTable {
    /// All together, in a sentence.
    pub total: String,
    /// The same as the file has it, where what is typed would change it.
    pub before: Option<String>,
    /// What is allowed in a day, which the Board counts against, in a sentence; `None` where nothing is asked by itself.
    pub limits: Option<String>,
    /// A line a provider and a line a target, in the order of the settings.
    pub lines: Vec<CostLine>,
}

/// What a provider or a target costs in a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostLine {
    /// Its name.
    pub name: String,
    /// It is a provider's sum.
    pub is_sum: bool,
    /// On a usual day, in words.
    pub usual: String,
    /// At most, in words.
    pub most: String,
    /// The numbers are other ones than the file's.
    pub is_changed: bool,
}

impl Model {
    /// Reads what is kept.
    pub fn new(seen: &Seen, held: &Held, snapshot: &Snapshot, tr: &Tr) -> Self {
        let query = held.query.trim().to_lowercase();
        let is_search = !query.is_empty();
        let (groups, trouble) = match &seen.settings {
            Ok(settings) => {
                let sections = Section::ALL.into_iter().filter(|section| is_search || *section == held.section);
                let scene = Scene { seen, held, settings, snapshot, tr };
                let groups = sections.map(|section| scene.group(section, &query));
                (groups.filter(|group| !is_search || !group.is_empty()).collect(), Vec::new())
            }
            Err(lines) => (Vec::new(), lines.clone()),
        };
        Self {
            sections: Section::ALL.into_iter().map(|section| (section, section.title(tr))).collect(),
            groups,
            file: seen.file.path().display().to_string(),
            trouble,
            undo: held.undos.last().map(|done| done.about.words(tr)),
            redo: held.redos.last().map(|done| done.about.words(tr)),
            is_search,
            is_demo: snapshot.status.is_demo,
            editor: held
                .editor
                .as_ref()
                .zip(seen.settings.as_ref().ok())
                .map(|(editor, settings)| Verdict::of(editor, &seen.file, settings, tr)),
        }
    }
}

impl Group {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.autostart.is_none()
            && self.providers.is_none()
            && self.chains.is_none()
            && self.rules.is_none()
            && self.ways.is_empty()
            && self.data.is_none()
    }
}

struct Scene<'a> {
    seen: &'a Seen,
    held: &'a Held,
    settings: &'a Settings,
    snapshot: &'a Snapshot,
    tr: &'a Tr,
}

impl Scene<'_> {
    fn group(&self, section: Section, query: &str) -> Group {
        let (tr, is_search, is_demo) = (self.tr, !query.is_empty(), self.snapshot.status.is_demo);
        let title = section.title(tr);
        let finds = |texts: &[&str]| texts.iter().any(|text| text.to_lowercase().contains(query));
        let is_whole = !is_search || finds(&[&title]);
        let rows = Field::all()
            .filter(|field| field.section == section)
            .map(|field| self.row(field))
            .filter(|row| is_whole || finds(&[&row.label, &row.help, &row.field.place()]))
            .collect();
        let starts = tr.text("settings-screen-autostart");
        let has_autostart = section == Section::Background && !is_demo && (is_whole || finds(&[&starts]));
        let typed: Vec<&Field> = self.held.typed(section).collect();
        let tried = (section.waits() && !typed.is_empty())
            .then(|| self.seen.file.trial(&self.held.drafts.amendments(&typed, self.settings)));
        Group {
            section,
            title,
            note: is_demo.then(|| demo_note(section, tr)).flatten(),
            rows,
            autostart: has_autostart.then(|| self.autostart()),
            has_test: section == Section::Notices && is_whole && !is_demo,
            providers: (section == Section::Providers)
                .then(|| {
                    let rows =
                        providers::rows(self.settings, &self.held.keys(self.seen), &self.held.tests, self.snapshot, tr);
                    let is_found = |row: &ProviderRow| {
                        is_whole
                            || finds(&[row.id.as_str(), &row.detail])
                            || row.targets.iter().any(|target| finds(&[&target.name, target.id.as_str()]))
                    };
                    rows.into_iter().filter(is_found).collect::<Vec<_>>()
                })
                .filter(|rows| is_whole || !rows.is_empty()),
            data: (section == Section::Data && is_whole).then(|| {
                let Snapshot { zone, at, .. } = self.snapshot;
                (data::facts(&self.seen.data, zone, *at, tr), self.held.care.map(|going| data::going(going, tr)))
            }),
            chains: (section == Section::Chains && is_whole).then(|| self.chains()),
            rules: (section == Section::Rules)
                .then(|| {
                    let rows = rules::rows(self.settings, tr);
                    // The keys of the file are found too, as in the other sections.
                    let is_all = is_whole || finds(&[rules::KEYS, &tr.text("settings-screen-rules-help")]);
                    let is_found = |row: &RuleRow| is_all || finds(&[&row.title, &row.words]);
                    let rows: Vec<_> = rows.into_iter().filter(is_found).collect();
                    (is_all || !rows.is_empty()).then(|| (rows, rules::own_rules(self.settings, tr)))
                })
                .flatten(),
            ways: match section {
                Section::Notices if !is_demo => rules::ways(self.settings, tr)
                    .into_iter()
                    .filter(|way| is_whole || finds(&[&way.label, &way.help, way.place]))
                    .collect(),
                _ => Vec::new(),
            },
            cost: (section == Section::Schedule && is_whole)
                .then(|| CostTable::new(self.settings, tried.as_ref().and_then(|tried| tried.as_ref().ok()), tr)),
            waiting: tried.map(|tried| Waiting {
                words: tr.with("settings-screen-waiting", &args!("n" => typed.len())),
                can_save: tried.is_ok(),
            }),
        }
    }

    fn row(&self, field: &'static Field) -> Row {
        let (tr, usual) = (self.tr, field.shown(&Settings::default()));
        let shown = field.shown(self.settings);
        let draft = self.held.drafts.get(field.id);
        let checked = draft.map(|typed| {
            let amendment = self.held.drafts.amendment(field, typed, self.settings);
            check(&self.seen.file, self.settings, &[amendment], tr)
        });
        let (complaint, caution) = checked.unwrap_or_default();
        let overtaken = self.held.drafts.overtaken(field, self.settings).map(|value| {
            let value = if value.is_empty() { tr.text("settings-screen-empty") } else { value };
            tr.with("settings-screen-overtaken", &args!("value" => value))
        });
        let control = match (field.form, &shown) {
            (Form::Choice(names), Shown::Text(chosen)) => {
                Control::Choice(names.iter().map(|name| (*name, field.option(name, tr))).collect(), chosen.clone())
            }
            (_, Shown::Switch(is_on)) => Control::Switch(*is_on),
            (_, Shown::Text(text)) => {
                let empty = match usual.text() {
                    text if text.is_empty() => tr.text("settings-screen-empty"),
                    text => text,
                };
                Control::Text(draft.unwrap_or(text).to_owned(), empty)
            }
        };
        Row {
            field,
            label: field.label(tr),
            help: field.help(tr),
            control,
            complaint,
            caution: overtaken.or(caution),
            is_changed: shown != usual,
        }
    }

    fn chains(&self) -> Vec<ChainRow> {
        let named = |id: &TargetId| Named { id: id.clone(), name: self.settings.name_of(id) };
        let row = |(at, chain): (usize, &crate::settings::Chain)| ChainRow {
            name: chain.name.clone(),
            title: match &chain.tool {
                Some(tool) => {
                    self.tr.with("settings-screen-chain-of", &args!("name" => &*chain.name, "tool" => &**tool))
                }
                None if at == 0 => self.tr.with("settings-screen-chain-main", &args!("name" => &*chain.name)),
                None => chain.name.clone(),
            },
            is_own: self.seen.file.has_chain(&chain.name),
            targets: chain.targets.iter().map(named).collect(),
            others: {
                let others = self.settings.targets.iter().map(|target| &target.id);
                others.filter(|id| !chain.targets.contains(id)).map(named).collect()
            },
        };
        self.settings.chains.iter().enumerate().map(row).collect()
    }

    fn autostart(&self) -> Autostart {
        use crate::platform::autostart::State;
        let tr = self.tr;
        match &self.seen.autostart {
            Ok((state, place)) => Autostart {
                is_on: *state != State::Off,
                words: tr.with(&format!("settings-screen-autostart-{}", state.name()), &args!("place" => &**place)),
                can_change: matches!(state, State::Off | State::On),
            },
            Err(words) => Autostart { is_on: false, words: words.clone(), can_change: false },
        }
    }
}

/// What of a section is otherwise in the demo.
fn demo_note(section: Section, tr: &Tr) -> Option<String> {
    match section {
        Section::General | Section::Chains | Section::Data => None,
        section => Some(tr.text(&format!("settings-screen-demo-{}", section.name()))),
    }
}

/// What is wrong with changes, and what should be known of them, each in a sentence.
fn check(
    file: &SettingsFile,
    settings: &Settings,
    amendments: &[Amendment],
    tr: &Tr,
) -> (Option<String>, Option<String>) {
    let in_words = |finding: &crate::settings::Finding| {
        let message = finding.message(tr);
        match finding.hint(tr) {
            Some(hint) => format!("{message}{}", tr.with("settings-then", &args!("hint" => hint))),
            None => message,
        }
    };
    match file.trial(amendments) {
        Ok(tried) => (None, brought(&settings.warnings, &tried.warnings).first().map(in_words)),
        Err(WriteError::Invalid { findings }) => {
            let first = findings.iter().find(|finding| finding.severity() == Severity::Error);
            (first.map(in_words), None)
        }
        Err(error) => (Some(error.describe(tr)), None),
    }
}

impl CostTable {
    /// The cost of a day by `settings`, or by `tried` where something is typed.
    fn new(settings: &Settings, tried: Option<&Settings>, tr: &Tr) -> Self {
        let old = settings.estimate();
        let new = tried.map_or_else(|| old.clone(), Settings::estimate);
        let total = |of: &Estimate| tr.with("settings-screen-cost-total", &cost_args(of.usual, of.most));
        let mut lines = Vec::new();
        let mut by_provider: BTreeMap<&ProviderId, (Cost, Cost)> = BTreeMap::new();
        for (target, estimated) in settings.targets.iter().zip(&new.targets) {
            let sum = by_provider.entry(&target.provider).or_default();
            sum.0 = plus(sum.0, estimated.usual);
            sum.1 = plus(sum.1, estimated.most);
        }
        let mut named: Vec<&ProviderId> = Vec::new();
        for provider in settings.targets.iter().map(|target| &target.provider) {
            if named.contains(&provider) {
                continue;
            }
            named.push(provider);
            let rows = || settings.targets.iter().enumerate().filter(|(_, target)| &target.provider == provider);
            let is_changed = |at: usize| old.targets.get(at) != new.targets.get(at);
            let line = |name: &str, is_sum, (usual, most): (Cost, Cost), is_changed| CostLine {
                name: name.to_owned(),
                is_sum,
                usual: in_words(usual, tr),
                most: in_words(most, tr),
                is_changed,
            };
            let (usual, mut most) = by_provider[provider];
            let cap = tried.unwrap_or(settings).cap_of(provider);
            most = Cost { requests: most.requests.min(cap.requests), tokens: most.tokens.min(cap.tokens) };
            lines.push(line(provider.as_str(), true, (usual, most), rows().any(|(at, _)| is_changed(at))));
            for (at, target) in rows() {
                let Some(own) = new.targets.get(at) else { continue };
                lines.push(line(&settings.name_of(&target.id), false, (own.usual, own.most), is_changed(at)));
            }
        }
        let limits = tried.unwrap_or(settings).daily_limit().map(|cap| {
            let number = |number: u32| match number {
                u32::MAX => tr.text("settings-screen-cost-no-limit"),
                _ => format::count(u64::from(number)),
            };
            let words = args!("requests" => number(cap.requests), "tokens" => number(cap.tokens));
            tr.with("settings-screen-cost-limits", &words)
        });
        Self { total: total(&new), before: (old != new).then(|| total(&old)), limits, lines }
    }
}

fn plus(a: Cost, b: Cost) -> Cost {
    Cost { requests: a.requests.saturating_add(b.requests), tokens: a.tokens.saturating_add(b.tokens) }
}

fn in_words(cost: Cost, tr: &Tr) -> String {
    if cost.requests == 0 {
        return tr.text("settings-screen-cost-none");
    }
    let (requests, tokens) = (format::count(u64::from(cost.requests)), format::count(u64::from(cost.tokens)));
    tr.with("settings-screen-cost", &args!("requests" => requests, "tokens" => tokens))
}

fn cost_args(usual: Cost, most: Cost) -> crate::i18n::FluentArgs<'static> {
    args!(
        "requests" => format::count(u64::from(usual.requests)),
        "tokens" => format::count(u64::from(usual.tokens)),
        "mostrequests" => format::count(u64::from(most.requests)),
        "mosttokens" => format::count(u64::from(most.tokens)),
    )
}
