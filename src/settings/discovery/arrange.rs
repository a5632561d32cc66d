//! From what was found to a chain that can be started: order, roles, costs and ticks.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::look::{Candidate, Look, of_preset};
use super::{KeyPlace, Proposal, ProposedProvider, Reason};
use crate::core::schedule::{ScheduleConfig, estimate};
use crate::core::target::{Dialect, ModelId, Probing, ProviderId, Role, Target, TargetId};
use crate::secrets::KeyRef;
use crate::settings::resolve::targets::tokens_per_probe;
use crate::wire::presets::Preset;

/// Probed targets that are ticked by themselves; more is the user's own wish, since each one costs.
const TICKED_PROBES: usize = 4;

/// Adds a candidate for every preset whose key is in the environment and which no tool led to.
pub(super) fn from_keys(look: &Look<'_>, found: &[Candidate]) -> Vec<Candidate> {
    let known: BTreeSet<&str> = found.iter().filter_map(|candidate| candidate.provider.preset).collect();
    let hosts: BTreeSet<String> = known.iter().filter_map(|id| host(Preset::find(id)?)).collect();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for candidate in found {
        match (&candidate.provider.key, candidate.provider.preset.and_then(Preset::find)) {
            (KeyRef::Env(name), _) => drop(used.insert(name)),
            (_, Some(preset)) => used.extend(preset.key_vars),
            _ => {}
        }
    }
    let mut out = Vec::new();
    for preset in Preset::all() {
        let Some((variable, key)) = look.preset_key(preset) else { continue };
        let Some(model) = preset.models.first() else { continue };
        // One variable, one proposal: plans and free tiers of the same key are the user's own choice.
        let is_covered = host(preset).is_some_and(|host| hosts.contains(&host));
        let is_new = preset.key_vars.iter().all(|name| !used.contains(name));
        if preset.is_template() || is_covered || !is_new {
            continue;
        }
        used.extend(preset.key_vars);
        let reason = Reason::Key { variable: variable.to_owned() };
        out.push(Candidate { provider: of_preset(preset, key), model: (*model).to_owned(), reason });
    }
    out
}

fn host(preset: &Preset) -> Option<String> {
    url::Url::parse(preset.base_url).ok()?.host_str().map(str::to_owned)
}

/// Puts the candidates into an order with roles, ids, costs and ticks.
pub(super) fn arrange(look: &Look<'_>, mut candidates: Vec<Candidate>) -> Vec<Proposal> {
    candidates.sort_by_key(|candidate| rank(&candidate.reason));
    let mut providers: Vec<ProposedProvider> = Vec::new();
    let mut seen: BTreeSet<(ProviderId, String)> = BTreeSet::new();
    let mut proposals: Vec<Proposal> = Vec::new();
    for Candidate { provider, model, reason } in candidates {
        let provider = settle(&mut providers, provider);
        if !seen.insert((provider.id.clone(), model.clone())) {
            continue;
        }
        let probing = probing(&provider);
        proposals.push(Proposal {
            target: TargetId::new(format!("{}/{model}", provider.id)),
            model: ModelId::new(model),
            role: Role::Backup,
            probing,
            requests_a_day: 0,
            tokens_a_day: 0,
            is_ticked: false,
            unset_key: None,
            provider,
            reason,
        });
    }
    tick(look, &mut proposals);
    give_roles(&mut proposals);
    price(&mut proposals);
    proposals
}

const fn rank(reason: &Reason) -> u8 {
    match reason {
        Reason::Active { .. } | Reason::Subscription { .. } => 0,
        Reason::CommentedOut { .. } => 1,
        Reason::Key { .. } => 2,
        Reason::Named { .. } => 3,
        Reason::LocalServer { .. } => 4,
    }
}

/// Gives a provider the id that is its own: an equal one shares it, a different one with that id gets a number.
fn settle(providers: &mut Vec<ProposedProvider>, mut provider: ProposedProvider) -> ProposedProvider {
    let wanted = provider.id.clone();
    for number in 2.. {
        match providers.iter().find(|known| known.id == provider.id) {
            Some(known) if *known == provider => return provider,
            Some(_) => provider.id = ProviderId::new(format!("{wanted}-{number}")),
            None => break,
        }
        // An equal one may have got a number before.
        if let Some(known) =
            providers.iter().find(|known| ProposedProvider { id: provider.id.clone(), ..(*known).clone() } == provider)
        {
            return known.clone();
        }
    }
    providers.push(provider.clone());
    provider
}

fn probing(provider: &ProposedProvider) -> Probing {
    if provider.is_subscription || provider.dialect == Dialect::Generic {
        return Probing::Never;
    }
    provider.preset.and_then(Preset::find).map_or(Probing::Scheduled, |preset| preset.probing)
}

fn tick(look: &Look<'_>, proposals: &mut [Proposal]) {
    let mut probes = 0;
    for proposal in proposals {
        // What a tool's file refers to may not be set anywhere.
        proposal.unset_key = match &proposal.provider.key {
            KeyRef::Env(name) if look.place(name).is_none() => Some(name.clone()),
            _ => None,
        };
        let has_key = proposal.unset_key.is_none();
        let is_wish = !matches!(proposal.reason, Reason::Named { .. } | Reason::LocalServer { .. });
        let is_free = proposal.probing != Probing::Scheduled;
        proposal.is_ticked = has_key && is_wish && (is_free || probes < TICKED_PROBES);
        probes += usize::from(proposal.is_ticked && !is_free);
    }
}

fn give_roles(proposals: &mut [Proposal]) {
    let primary = proposals.iter().position(|proposal| proposal.is_ticked).unwrap_or(0);
    for (at, proposal) in proposals.iter_mut().enumerate() {
        proposal.role = match &proposal.reason {
            _ if at == primary => Role::Primary,
            Reason::Named { .. } | Reason::LocalServer { .. } => Role::Emergency,
            _ => Role::Backup,
        };
    }
}

fn price(proposals: &mut [Proposal]) {
    let config = ScheduleConfig::default();
    for proposal in proposals {
        let preset = proposal.provider.preset.and_then(Preset::find);
        let target = Arc::new(Target {
            id: proposal.target.clone(),
            provider: proposal.provider.id.clone(),
            vendor: None,
            model: proposal.model.clone(),
            dialect: proposal.provider.dialect,
            role: Some(proposal.role),
            probing: proposal.probing,
            daily_cap: preset.map_or(config.target_cap, |preset| preset.daily_cap),
            tokens_per_probe: tokens_per_probe(proposal.provider.dialect, &proposal.model),
            is_local: preset.is_some_and(|preset| preset.is_local),
        });
        let cost = estimate(&[target], &HashMap::new(), &config).usual;
        proposal.requests_a_day = cost.requests;
        proposal.tokens_a_day = cost.tokens;
    }
}

/// Where each known key variable is set.
pub(super) fn keys(look: &Look<'_>) -> Vec<super::FoundKey> {
    let mut names: BTreeSet<&'static str> = BTreeSet::new();
    let mut out = Vec::new();
    for variable in Preset::all().flat_map(|preset| preset.key_vars) {
        if !names.insert(variable) {
            continue;
        }
        if let Some(place) = look.place(variable) {
            debug_assert_ne!(place, KeyPlace::ToolFile, "the environment is no file");
            let preset = Preset::for_variable(variable).map(|preset| preset.id);
            out.push(super::FoundKey { variable: (*variable).to_owned(), place, preset });
        }
    }
    out
}
