//! `[[provider]]`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use super::{Ids, key};
use crate::core::secretive::{looks_like_key, masked};
use crate::core::target::{DailyCap, Dialect, ProviderId};
use crate::probe::Route;
use crate::secrets::KeyRef;
use crate::settings::finding::{Known, Noun, Problem, Shape};
use crate::settings::reader::{Reader, Section, Spot, find};
use crate::settings::{Provider, SUBSCRIPTIONS};
use crate::wire::endpoint::{Endpoint, KEY_MARK};
use crate::wire::presets::Preset;

const KEYS: &[&str] =
    &["id", "preset", "dialect", "base_url", "key", "headers", "query", "ca_file", "proxy", "daily_cap"];

/// A provider as far as it could be read; targets may name it even when it is faulty.
pub(super) struct Read {
    pub id: String,
    pub preset: Option<&'static Preset>,
    pub resolved: Option<Provider>,
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, root: &Section<'a>, folder: &Path) -> Vec<Read> {
    let mut ids = Ids::new(Noun::Provider);
    reader
        .tables(root, "provider")
        .into_iter()
        .filter_map(|table| {
            let section = reader.section("[[provider]]", table, KEYS);
            let id = ids.read(reader, &section, "id");
            if let Some(id) = &id
                && SUBSCRIPTIONS.contains(&id.value)
            {
                reader.report(id.span.clone(), Problem::Reserved { id: id.value.to_owned() });
            }
            let preset = preset(reader, &section);
            let resolved = one(reader, &section, id.as_ref().map(|id| id.value), preset, folder);
            Some(Read { id: id?.value.to_owned(), preset, resolved })
        })
        .collect()
}

fn one<'a>(
    reader: &mut Reader<'a>,
    section: &Section<'a>,
    id: Option<&str>,
    preset: Option<&'static Preset>,
    folder: &Path,
) -> Option<Provider> {
    let has_preset = section.table.contains_key("preset");
    let dialect = dialect(reader, section, preset);
    if dialect.is_none() && !has_preset && !section.table.contains_key("dialect") {
        reader.missing(section, "dialect");
    }
    let base_url = base_url(reader, section, preset, has_preset);
    let key = key::read(reader, section);
    let headers = header_list(reader, section);
    let query = query_list(reader, section);
    let ca_file = reader.text(section, "ca_file").map(|path| folder.join(PathBuf::from(path.value)));
    let proxy = proxy(reader, section);
    let daily_cap = cap(reader, section, "daily_cap");

    let (dialect, base_url) = (dialect?, base_url?);
    let preset_key = || match preset.and_then(|preset| preset.key_vars.first()) {
        Some(name) => KeyRef::Env((*name).to_owned()),
        None => KeyRef::None,
    };
    let key_span = key.as_ref().map(|key| key.span.clone());
    let key = key.map_or_else(preset_key, |key| key.value);
    let mut endpoint = match preset {
        Some(preset) if preset.dialect == dialect => preset.endpoint(Some(base_url.value.clone()))?,
        _ => Endpoint::new(base_url.value.clone(), dialect),
    };
    replace(&mut endpoint.headers, headers, str::eq_ignore_ascii_case);
    replace(&mut endpoint.query, query, |a, b| a == b);
    let is_local = is_loopback(&base_url.value);
    if key != KeyRef::None && base_url.value.scheme() == "http" && !is_local {
        let host = base_url.value.host_str().unwrap_or_default().to_owned();
        let span = if section.table.contains_key("base_url") { base_url.span } else { key_span? };
        reader.report(span, Problem::PlainHttp { host });
    }
    Some(Provider {
        id: ProviderId::new(id?),
        preset: preset.map(|preset| preset.id),
        endpoint: Arc::new(endpoint),
        key,
        route: Route { ca_file, proxy },
        is_local,
        daily_cap,
    })
}

fn preset<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<&'static Preset> {
    let name = reader.text(section, "preset")?;
    let found = Preset::find(name.value);
    if found.is_none() {
        let all: Vec<&str> = Preset::all().map(|preset| preset.id).collect();
        let known = Known::of(name.value, all.iter().copied());
        reader.report(name.span, Problem::UnknownName { noun: Noun::Preset, name: masked(name.value), known });
    }
    found
}

fn dialect<'a>(reader: &mut Reader<'a>, section: &Section<'a>, preset: Option<&Preset>) -> Option<Dialect> {
    if !section.table.contains_key("dialect") {
        return preset.map(|preset| preset.dialect);
    }
    let all: Vec<(&str, Dialect)> =
        Dialect::PROBED.into_iter().chain([Dialect::Generic]).map(|dialect| (dialect.name(), dialect)).collect();
    reader.choice(section, "dialect", Noun::Dialect, &all)
}

fn base_url<'a>(
    reader: &mut Reader<'a>,
    section: &Section<'a>,
    preset: Option<&Preset>,
    has_preset: bool,
) -> Option<Spot<Url>> {
    if !section.table.contains_key("base_url") {
        let whole = preset.filter(|preset| !preset.is_template());
        if preset.is_some() && whole.is_none() || !has_preset {
            reader.missing(section, "base_url");
        }
        let value = Url::parse(whole?.base_url).ok()?;
        return Some(Spot { value, span: section.span.clone() });
    }
    let text = reader.text(section, "base_url")?;
    let bad = |reader: &mut Reader<'_>, problem| {
        reader.report(text.span.clone(), problem);
        None
    };
    let Some(url) = web_address(text.value) else {
        return bad(reader, Problem::BadUrl { url: masked(text.value) });
    };
    if holds_key(&url) {
        return bad(reader, Problem::KeyLiteral);
    }
    Some(Spot { value: url, span: text.span })
}

/// An `http` or `https` address with a host.
pub(in crate::settings) fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())).then_some(url)
}

/// A password before the host, or a key among the parameters.
pub(in crate::settings) fn holds_key(url: &Url) -> bool {
    url.password().is_some() || !url.username().is_empty() || url.query_pairs().any(|(_, value)| looks_like_key(&value))
}

fn proxy<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<String> {
    let text = reader.text(section, "proxy")?;
    let url = Url::parse(text.value).ok();
    let is_proxy = |url: &Url| {
        matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") && url.host_str().is_some_and(|h| !h.is_empty())
    };
    match url.filter(is_proxy) {
        Some(url) if holds_key(&url) => reader.report(text.span, Problem::KeyLiteral),
        Some(_) => return Some(text.value.to_owned()),
        None => reader.report(text.span, Problem::BadUrl { url: masked(text.value) }),
    }
    None
}

type Pairs = Vec<(String, String)>;

fn header_list<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Pairs {
    let is_token = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    pairs(reader, section, "headers", is_token)
}

fn query_list<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Pairs {
    pairs(reader, section, "query", |_| true)
}

/// Headers that carry nothing but a key.
const KEY_HEADERS: &[&str] =
    &["authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"];

fn pairs<'a>(
    reader: &mut Reader<'a>,
    section: &Section<'a>,
    key: &'static str,
    is_name: impl Fn(&str) -> bool,
) -> Pairs {
    let mut out = Vec::new();
    let Some(table) = reader.table(section, key) else { return out };
    for (name, item) in table.value.iter() {
        let span = item.span().unwrap_or_else(|| table.span.clone());
        let Some(value) = item.as_str() else {
            reader.wrong(&format!("{key}.{name}"), Shape::Text, span);
            continue;
        };
        let is_key = looks_like_key(value)
            || KEY_HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header)) && !value.contains(KEY_MARK);
        if is_key {
            reader.report(span, Problem::KeyLiteral);
        } else if !is_name(name) || value.contains(['\r', '\n', '\0']) {
            reader.report(span, Problem::BadHeader { name: masked(name) });
        } else {
            out.push((name.to_owned(), value.to_owned()));
        }
    }
    out
}

/// Adds pairs; one of the same name gives way.
fn replace(into: &mut Pairs, from: Pairs, same: impl Fn(&str, &str) -> bool) {
    let named: BTreeMap<&str, ()> = from.iter().map(|(name, _)| (name.as_str(), ())).collect();
    into.retain(|(name, _)| !named.keys().any(|other| same(name, other)));
    into.extend(from);
}

/// Reads `daily_cap = 144` or `daily_cap = { requests = 144, tokens = 9000 }`; what is left out is not limited.
pub(super) fn cap<'a>(reader: &mut Reader<'a>, section: &Section<'a>, key: &'static str) -> Option<DailyCap> {
    let (item, span) = find(section, key)?;
    if item.as_integer().is_some() {
        let requests = cap_number(reader, section, key)?;
        return Some(DailyCap { requests, tokens: u32::MAX });
    }
    let Some(table) = item.as_table_like().filter(|table| !table.is_empty()) else {
        reader.wrong(key, Shape::Cap, span);
        return None;
    };
    let inner = reader.section(key, Spot { value: table, span }, &["requests", "tokens"]);
    let (requests, tokens) = (cap_number(reader, &inner, "requests"), cap_number(reader, &inner, "tokens"));
    Some(DailyCap { requests: requests.unwrap_or(u32::MAX), tokens: tokens.unwrap_or(u32::MAX) })
}

fn cap_number<'a>(reader: &mut Reader<'a>, section: &Section<'a>, key: &'static str) -> Option<u32> {
    if let Some((item, span)) = find(section, key)
        && item.as_integer() == Some(0)
    {
        reader.report(span, Problem::ZeroCap);
        return None;
    }
    let value = reader.number(section, key, 1..i64::from(u32::MAX))?;
    u32::try_from(value.value).ok()
}

/// Whether an address is this machine.
pub(in crate::settings) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
