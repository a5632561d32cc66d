//! What is typed in the fields of the screen and not yet written, each with the file over which it was typed. Pure.
//!
//! A file that another hand changes in the very same place meanwhile is seen by that: nothing is written over it unasked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::about::About;
use super::editor::Editor;
use super::fields::Field;
use crate::edit::unified_diff;
use crate::settings::amend::Amendment;
use crate::settings::edit::walk::Third;
use crate::settings::{Settings, SettingsFile};
use crate::ui::settings::{Conflict, How, Seen, Wish};

/// What is typed, by field.
#[derive(Clone, Debug, Default)]
pub struct Drafts(BTreeMap<&'static str, Draft>);

#[derive(Clone, Debug)]
struct Draft {
    text: String,
    /// The file as it was when the typing began.
    since: Arc<Seen>,
}

impl Drafts {
    /// What is typed in a field.
    pub fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|draft| &*draft.text)
    }

    /// Keeps what is typed in a field, over this file; what stands there already is no draft.
    pub fn keep(&mut self, field: &'static Field, text: String, seen: &Arc<Seen>) {
        if seen.settings.as_ref().is_ok_and(|settings| field.shown(settings).text() == text) {
            self.forget(field);
            return;
        }
        match self.0.get_mut(field.id) {
            Some(draft) => draft.text = text,
            None => _ = self.0.insert(field.id, Draft { text, since: Arc::clone(seen) }),
        }
    }

    /// Forgets what is typed in a field.
    pub fn forget(&mut self, field: &Field) {
        self.0.remove(field.id);
    }

    /// Forgets the texts in fields of which this holds.
    pub fn forget_where(&mut self, is_over: impl Fn(&Field, &str) -> bool) {
        self.0.retain(|id, draft| Field::find(id).is_none_or(|field| !is_over(field, &draft.text)));
    }

    /// The changes that write what is typed in these fields.
    pub fn amendments(&self, fields: &[&Field], settings: &Settings) -> Vec<Amendment> {
        let mut out: Vec<Amendment> = Vec::new();
        for field in fields {
            let Some(text) = self.get(field.id) else { continue };
            let made = self.amendment(field, text, settings);
            // Both halves of a limit are one value.
            if !out.contains(&made) {
                out.push(made);
            }
        }
        out
    }

    /// The change that writes `text` in a field, beside what is typed in others.
    pub fn amendment(&self, field: &Field, text: &str, settings: &Settings) -> Amendment {
        field.amendment(text, |id| self.get(id).map(str::to_owned), settings)
    }

    /// What a field says by now, where that is not what it said when somebody began to type in it.
    pub fn overtaken(&self, field: &Field, settings: &Settings) -> Option<String> {
        let was = field.shown(self.0.get(field.id)?.since.settings.as_ref().ok()?);
        let is = field.shown(settings);
        (is != was).then(|| is.text())
    }

    /// The conflict of a wish with what another hand has written in the same place since it was begun; `None` without one.
    pub fn conflict(&self, wish: &Wish, editor: Option<&Editor>, seen: &Seen) -> Option<Conflict> {
        let (How::Amend(amendments), Ok(settings)) = (&wish.how, &seen.settings) else { return None };
        let (then, thirds) = match &wish.about {
            About::Field(field, _) => self.thirds(&[field], amendments, seen, settings)?,
            About::Fields(fields) => self.thirds(fields, amendments, seen, settings)?,
            About::Task(..) => thirds_of(&editor?.since, amendments, &seen.file)?,
            About::Order(_) => return None,
        };
        let name = seen.file.path().display().to_string();
        let diff = unified_diff(&name, then.text().as_bytes(), seen.file.text().as_bytes());
        Some(Conflict { wish: wish.clone(), diff, thirds })
    }

    /// The values of these fields that another hand has given since they were typed in, and the oldest file of those.
    fn thirds(
        &self,
        fields: &[&Field],
        amendments: &[Amendment],
        seen: &Seen,
        settings: &Settings,
    ) -> Option<(SettingsFile, Vec<Third>)> {
        let mut then = seen.file.clone();
        amendments.iter().try_for_each(|amendment| then.amend(amendment)).ok()?;
        let mut thirds: Vec<Third> = Vec::new();
        let overtaken = fields.iter().filter(|field| self.overtaken(field, settings).is_some());
        let sinces: Vec<&Arc<Seen>> = overtaken
            .filter_map(|field| {
                let spot = vec![field.table.to_owned(), field.key.to_owned()];
                let third = Third { now: seen.file.says(&spot), wanted: then.says(&spot), spot };
                if !thirds.contains(&third) {
                    thirds.push(third);
                }
                Some(&self.0.get(field.id)?.since)
            })
            .collect();
        Some((sinces.first()?.file.clone(), thirds))
    }
}

/// The values that another hand has given since the file was `since`, where the same changes would write another.
pub fn thirds_of(
    since: &SettingsFile,
    amendments: &[Amendment],
    now: &SettingsFile,
) -> Option<(SettingsFile, Vec<Third>)> {
    if since.text() == now.text() {
        return None;
    }
    let mut to = since.clone();
    amendments.iter().try_for_each(|amendment| to.amend(amendment)).ok()?;
    // What cannot be walked cannot be written either, which is said by who writes it.
    let thirds = now.walked(&since.text(), &to.text()).ok()?.thirds;
    (!thirds.is_empty()).then(|| (since.clone(), thirds))
}
