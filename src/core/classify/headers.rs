//! What headers say by name: kinds of errors, rejected windows, challenges, logins.

use crate::core::classify::evidence::{ANY_LEVEL, Evidence};
use crate::core::exchange::Exchange;

/// Adds what headers say by name.
pub(super) fn add(exchange: &Exchange, evidence: &mut Evidence) {
    let mut rejected = Rejected::default();
    for (name, value) in &exchange.headers {
        let Some(first) = name.as_bytes().first() else {
            continue;
        };
        match first.to_ascii_lowercase() {
            b'x' if ["x-amzn-errortype", "x-ms-error-code", "x-error-code"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known)) =>
            {
                let kind = value.split([':', ';']).next().unwrap_or_default();
                evidence.add_name(ANY_LEVEL, true, "", kind.trim());
            }
            b'c' if name.eq_ignore_ascii_case("cf-mitigated") && value.trim().eq_ignore_ascii_case("challenge") => {
                evidence.add_name(ANY_LEVEL, true, "", "cf:challenge");
            }
            b'g' if name.eq_ignore_ascii_case("grpc-status") => {
                if let Some(word) = grpc_word(value) {
                    evidence.add_name(ANY_LEVEL, false, "", word);
                }
            }
            b'g' if name.eq_ignore_ascii_case("grpc-message") => evidence.add_text(0, &value.replace("%20", " ")),
            b'a' => rejected.read(name, value),
            b'l' if name.eq_ignore_ascii_case("location") && is_portal(value) => {
                evidence.add_name(ANY_LEVEL, true, "", "location:portal");
            }
            _ => {}
        }
    }
    if let Some(name) = rejected.name() {
        evidence.add_name(ANY_LEVEL, true, "", name);
    }
}

/// The names of gRPC's statuses that say something of an error.
fn grpc_word(number: &str) -> Option<&'static str> {
    Some(match number.trim() {
        "3" => "INVALID_ARGUMENT",
        "4" => "DEADLINE_EXCEEDED",
        "5" => "NOT_FOUND",
        "7" => "PERMISSION_DENIED",
        "8" => "RESOURCE_EXHAUSTED",
        "12" => "UNIMPLEMENTED",
        "13" => "INTERNAL",
        "14" => "UNAVAILABLE",
        "16" => "UNAUTHENTICATED",
        _ => return None,
    })
}

/// Which of a Claude plan's windows rejected.
#[derive(Default)]
struct Rejected {
    is_overall: bool,
    is_account: bool,
    is_model: bool,
}

impl Rejected {
    fn read(&mut self, name: &str, value: &str) {
        const START: &str = "anthropic-ratelimit-unified";
        if name.len() <= START.len() || !name.as_bytes()[..START.len()].eq_ignore_ascii_case(START.as_bytes()) {
            return;
        }
        let rest = name[START.len()..].to_ascii_lowercase();
        let value = value.trim().to_ascii_lowercase();
        let names_family =
            |text: &str| ["opus", "sonnet", "haiku", "fable", "mythos"].iter().any(|family| text.contains(family));
        if let Some(window) = rest.strip_suffix("-status")
            && value == "rejected"
        {
            match window {
                "" => self.is_overall = true,
                _ if names_family(window) => self.is_model = true,
                _ if window.contains("overage") => {}
                _ => self.is_account = true,
            }
        } else if rest == "-representative-claim" && names_family(&value) {
            self.is_model = true;
        }
    }

    const fn name(&self) -> Option<&'static str> {
        match (self.is_overall || self.is_account, self.is_account, self.is_model) {
            (_, false, true) if self.is_overall || self.is_model => Some("unified:model"),
            (true, ..) => Some("unified:account"),
            _ => None,
        }
    }
}

/// Whether a redirect leads to a network's login page.
fn is_portal(location: &str) -> bool {
    let location = location.to_ascii_lowercase();
    let host = location.split("://").nth(1).unwrap_or("").split(['/', ':', '?']).next().unwrap_or("");
    let is_private = host.starts_with("192.168.")
        || host.starts_with("10.")
        || host.starts_with("172.16.")
        || host.starts_with("1.1.1.1")
        || host.starts_with("2.2.2.2");
    is_private
        || ["captive", "portal", "hotspot", "wifi", "wlan", "guest", "netlogin", "srun", "eportal", "webauth"]
            .iter()
            .any(|word| location.contains(word))
}
