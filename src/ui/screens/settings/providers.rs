//! Providers and targets in words: where each key is kept, what was answered last. Pure.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::args;
use crate::core::outcome::Family;
use crate::core::target::{Probing, ProviderId, TargetId};
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::secrets::KeyRef;
use crate::settings::Settings;
use crate::ui::format;
use crate::ui::screens::board::model::{kind_words, role};
use crate::wire::presets::Preset;

/// How long a test is shown as under way: longer than the slowest answer is waited for.
const LONGEST_TEST: SignedDuration = SignedDuration::from_mins(5);

/// Whether a key is where the settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// None is needed.
    Needless,
    /// It is there.
    Found,
    /// It is not there, for this reason in words; a variable that is not set needs none.
    Missing(Option<String>),
    /// A probe asks, or the user: a command or a keyring may want to be unlocked.
    Unasked,
    /// It is being looked for.
    Looking,
}

/// A provider with its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderRow {
    /// Its id.
    pub id: ProviderId,
    /// Its preset's name and its host.
    pub detail: String,
    /// Where its key is kept and whether it is there; never the key.
    pub key: String,
    /// It is not there.
    pub is_key_missing: bool,
    /// It can be looked for.
    pub can_look: bool,
    /// It has a table in the file, so that it can be renamed and removed.
    pub is_own: bool,
    /// Its targets.
    pub targets: Vec<TargetRow>,
}

/// A target.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRow {
    /// Its id.
    pub id: TargetId,
    /// As on the Board.
    pub name: String,
    /// Role, limit and price; its id before them, where provider and model do not tell it.
    pub detail: String,
    /// What was answered last, and when.
    pub verdict: String,
    /// Its family.
    pub family: Option<Family>,
    /// A test is under way.
    pub is_testing: bool,
    /// It can be asked at all: what is never probed is known from logs alone.
    pub can_test: bool,
}

/// The providers in the order of the file, then the tools' own subscriptions.
pub fn rows(
    settings: &Settings,
    keys: &BTreeMap<ProviderId, KeyState>,
    tests: &BTreeMap<TargetId, Timestamp>,
    snapshot: &Snapshot,
    tr: &Tr,
) -> Vec<ProviderRow> {
    let targets = |id: &ProviderId| -> Vec<TargetRow> {
        let own = settings.targets.iter().filter(|target| &target.provider == id);
        own.map(|target| target_row(&target.id, settings, tests, snapshot, tr)).collect()
    };
    let mut out: Vec<ProviderRow> = settings
        .providers
        .iter()
        .map(|provider| {
            let name = provider.preset.and_then(Preset::find).map(|preset| preset.name);
            let host = provider.endpoint.base_url.host_str().unwrap_or_default().to_owned();
            let state = keys.get(&provider.id).cloned().unwrap_or(KeyState::Unasked);
            ProviderRow {
                detail: name.map_or(host.clone(), |name| format!("{name} · {host}")),
                key: key_words(&provider.key, &state, tr),
                is_key_missing: matches!(state, KeyState::Missing(_)),
                can_look: matches!(provider.key, KeyRef::Command(_) | KeyRef::Keyring(_)) && state != KeyState::Looking,
                is_own: true,
                targets: targets(&provider.id),
                id: provider.id.clone(),
            }
        })
        .collect();
    for target in &settings.targets {
        if settings.provider(&target.provider).is_none() && !out.iter().any(|row| row.id == target.provider) {
            out.push(ProviderRow {
                id: target.provider.clone(),
                detail: tr.text("settings-screen-subscription"),
                key: tr.text("settings-screen-subscription-key"),
                is_key_missing: false,
                can_look: false,
                is_own: false,
                targets: targets(&target.provider),
            });
        }
    }
    out
}

/// Where a key is kept, and whether it is there.
fn key_words(key: &KeyRef, state: &KeyState, tr: &Tr) -> String {
    let place = match key {
        KeyRef::None => return tr.text("settings-screen-key-needless"),
        KeyRef::Env(name) => tr.with("settings-screen-key-env", &args!("name" => &**name)),
        KeyRef::Command(words) => {
            tr.with("settings-screen-key-command", &args!("name" => words.first().map_or("", String::as_str)))
        }
        KeyRef::Keyring(entry) => tr.with("settings-screen-key-keyring", &args!("name" => &**entry)),
        KeyRef::Tool(tool) => tr.with("settings-screen-key-tool", &args!("name" => tool.to_string())),
    };
    let id = match state {
        KeyState::Needless => return place,
        KeyState::Found => "settings-screen-key-found",
        KeyState::Missing(Some(reason)) => {
            return tr.with("settings-screen-key-failed", &args!("place" => place, "reason" => &**reason));
        }
        KeyState::Missing(None) => "settings-screen-key-missing",
        KeyState::Looking => "settings-screen-key-looking",
        KeyState::Unasked => "settings-screen-key-unasked",
    };
    tr.with(id, &args!("place" => place))
}

fn target_row(
    id: &TargetId,
    settings: &Settings,
    tests: &BTreeMap<TargetId, Timestamp>,
    snapshot: &Snapshot,
    tr: &Tr,
) -> TargetRow {
    let target = settings.target(id);
    let is_plain = target.is_some_and(|target| {
        let (provider, model) = target.place();
        id.as_str() == model
            || id.as_str().strip_prefix(provider).and_then(|rest| rest.strip_prefix('/')) == Some(model)
    });
    let can_test = target.is_some_and(|target| target.probing != Probing::Never);
    let mut detail: Vec<String> = (!is_plain).then(|| id.to_string()).into_iter().collect();
    detail.push(role(target.and_then(|target| target.role), tr));
    if !can_test {
        detail.push(tr.text("settings-screen-target-never"));
    } else if let Some(target) = target {
        let requests = format::count(u64::from(target.daily_cap.requests));
        detail.push(tr.with("settings-screen-target-cap", &args!("requests" => requests)));
    }
    detail.extend(
        settings
            .prices
            .get(id)
            .map(|price| tr.with("settings-screen-target-price", &args!("price" => price.to_string()))),
    );
    let entry = snapshot.board.entry(id);
    let latest = entry.and_then(|entry| Some((entry, &entry.latest.as_ref()?.sample)));
    // An answer that does not come at all is not waited for without end.
    let is_awaited = |asked: &&Timestamp| can_test && snapshot.at.duration_since(**asked) < LONGEST_TEST;
    let asked_at = tests.get(id).filter(is_awaited);
    let is_testing = asked_at.is_some_and(|asked| latest.is_none_or(|(_, sample)| sample.at <= *asked));
    let verdict = match latest {
        _ if is_testing => tr.text("settings-screen-testing"),
        None => tr.text("settings-screen-untested"),
        Some((entry, sample)) => tr.with(
            "settings-screen-verdict",
            &args!(
                "kind" => kind_words(entry, sample, tr),
                "moment" => format::moment(sample.at, snapshot.at, &snapshot.zone, tr),
            ),
        ),
    };
    TargetRow {
        id: id.clone(),
        name: settings.name_of(id),
        detail: detail.join(" · "),
        verdict,
        family: latest.filter(|_| !is_testing).map(|(_, sample)| Family::of(sample.kind, sample.scope)),
        is_testing,
        can_test,
    }
}
