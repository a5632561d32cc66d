//! `[notices] hook` and `[notices] webhook`: where notices go besides the desktop.

use url::Url;

use super::key;
use crate::notify::config::{Address, Hook, Webhook};
use crate::notify::form::Form;
use crate::settings::finding::{Noun, Problem, Shape};
use crate::settings::reader::{Reader, Section, Spot, find};

/// Where an address may be kept; tools keep none.
const PLACES: &[&str] = &["env", "command", "keyring"];

pub(super) fn hook<'a>(reader: &mut Reader<'a>, notices: &Section<'a>) -> Option<Hook> {
    let table = reader.table(notices, "hook")?;
    let section = reader.section("hook", table, &["command", "timeout"]);
    if !section.table.contains_key("command") {
        reader.missing(&section, "command");
    }
    let command = key::program(reader, &section);
    let (least, most) = Hook::TIMEOUTS;
    let timeout = reader.duration(&section, "timeout", least, most).map_or(Hook::TIMEOUT, |timeout| timeout.value);
    Some(Hook { command: command?, timeout })
}

pub(super) fn webhook<'a>(reader: &mut Reader<'a>, notices: &Section<'a>) -> Option<Webhook> {
    let table = reader.table(notices, "webhook")?;
    let section = reader.section("webhook", table, &["url", "form"]);
    if !section.table.contains_key("url") {
        reader.missing(&section, "url");
    }
    let form = match section.table.contains_key("form") {
        true => reader.choice(&section, "form", Noun::Value, &Form::ALL),
        false => Some(Form::default()),
    };
    let url = address(reader, &section);
    Some(Webhook { url: url?, form: form? })
}

fn address<'a>(reader: &mut Reader<'a>, section: &Section<'a>) -> Option<Address> {
    let (item, span) = find(section, "url")?;
    if let Some(table) = item.as_table_like() {
        return key::place(reader, "url", Spot { value: table, span }, PLACES).map(|key| Address::Kept(key.value));
    }
    let Some(text) = item.as_str() else {
        reader.wrong("url", Shape::Key, span);
        return None;
    };
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    match url.filter(|url| !Address::is_secret(url)) {
        Some(url) => Some(Address::Open(url)),
        None => {
            reader.report(span, Problem::WebhookAddress);
            None
        }
    }
}
