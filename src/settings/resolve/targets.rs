//! `[[target]]`

use std::collections::BTreeMap;
use std::ops::Range;

use super::Ids;
use super::providers::{self, cap};
use crate::core::secretive::masked;
use crate::core::target::{DailyCap, Dialect, ModelId, Probing, ProviderId, Role, Target, TargetId};
use crate::settings::SUBSCRIPTIONS;
use crate::settings::finding::{Known, Noun, Problem};
use crate::settings::reader::{Reader, Section};
use crate::wire::tuning::Tuning;

const KEYS: &[&str] = &["id", "provider", "model", "role", "probing", "daily_cap", "price"];

/// A target as far as it could be read.
pub(super) struct Read {
    pub id: String,
    /// Where its role stands, else where it begins.
    pub role_span: Range<usize>,
    pub role: Option<Role>,
    pub price: Option<f64>,
    pub resolved: Option<Target>,
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    root: &Section<'a>,
    providers: &[providers::Read],
    usual_cap: DailyCap,
) -> Vec<Read> {
    let mut ids = Ids::new(Noun::Target);
    let by_id: BTreeMap<&str, &providers::Read> = providers.iter().rev().map(|read| (read.id.as_str(), read)).collect();
    reader
        .tables(root, "target")
        .into_iter()
        .filter_map(|table| {
            let section = reader.section("[[target]]", table, KEYS);
            let id = ids.read(reader, &section, "id");
            let role = reader.choice(
                &section,
                "role",
                Noun::Value,
                &[("primary", Role::Primary), ("backup", Role::Backup), ("emergency", Role::Emergency)],
            );
            let role_span =
                crate::settings::reader::find(&section, "role").map_or(section.span.clone(), |found| found.1);
            let price = reader.decimal(&section, "price", 0.0, 1e9);
            let resolved = one(reader, &section, id.as_ref().map(|id| id.value), role, providers, &by_id, usual_cap);
            Some(Read { id: id?.value.to_owned(), role_span, role, price, resolved })
        })
        .collect()
}

fn one<'a>(
    reader: &mut Reader<'a>,
    section: &Section<'a>,
    id: Option<&str>,
    role: Option<Role>,
    in_file_order: &[providers::Read],
    providers: &BTreeMap<&str, &providers::Read>,
    usual_cap: DailyCap,
) -> Option<Target> {
    let provider = reader.required(section, "provider");
    let model = reader.required(section, "model");
    if let Some(model) = model.as_ref().filter(|model| model.value.contains(char::is_control)) {
        reader.report(model.span.clone(), Problem::Control { key: "model".to_owned() });
    }
    let wish = reader.choice(
        section,
        "probing",
        Noun::Value,
        &[("scheduled", Probing::Scheduled), ("on-demand", Probing::OnDemand), ("never", Probing::Never)],
    );
    let own_cap = cap(reader, section, "daily_cap");
    let provider = provider?;

    let read = providers.get(provider.value).copied();
    let is_subscription = read.is_none() && SUBSCRIPTIONS.contains(&provider.value);
    if read.is_none() && !is_subscription {
        let known = Known::of(provider.value, in_file_order.iter().map(|read| read.id.as_str()));
        let name = masked(provider.value);
        reader.report(provider.span, Problem::UnknownName { noun: Noun::Provider, name, known });
        return None;
    }
    let model = ModelId::new(model?.value);
    let (dialect, usual, is_local, preset, vendor) = match read {
        None => (subscription_dialect(provider.value), Probing::Never, false, None, None),
        Some(read) => {
            let resolved = read.resolved.as_ref()?;
            let preset = read.preset;
            let usual = preset.map_or(Probing::Scheduled, |preset| preset.probing);
            let vendor = preset.filter(|preset| preset.is_vendor(&read.id, &resolved.endpoint.base_url));
            (resolved.endpoint.dialect, usual, resolved.is_local, preset, vendor.map(|preset| preset.name))
        }
    };
    let probing = match (wish, dialect) {
        (_, Dialect::Generic) => Probing::Never,
        // A subscription's token is never sent by us, whatever the file wishes.
        _ if is_subscription => Probing::Never,
        (wish, _) => wish.unwrap_or(usual),
    };
    Some(Target {
        id: TargetId::new(id?),
        provider: ProviderId::new(provider.value),
        vendor: vendor.map(str::to_owned),
        dialect,
        role,
        probing,
        daily_cap: own_cap.unwrap_or_else(|| preset.map_or(usual_cap, |preset| preset.daily_cap)),
        tokens_per_probe: tokens_per_probe(dialect, &model),
        is_local,
        model,
    })
}

/// What a tool's own subscription speaks, for reading its logs.
fn subscription_dialect(tool: &str) -> Dialect {
    match tool {
        "codex" => Dialect::OpenaiResponses,
        "claude-code" => Dialect::AnthropicMessages,
        "gemini-cli" => Dialect::Gemini,
        _ => Dialect::Generic,
    }
}

/// An estimate of what one probe of a model costs, in and out together.
pub(in crate::settings) fn tokens_per_probe(dialect: Dialect, model: &ModelId) -> u32 {
    Tuning::guess(dialect, model).estimated_tokens()
}
