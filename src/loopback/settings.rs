//! An ordinary settings file with one target a scenario and dialect.

use std::fmt::Write as _;

use crate::core::target::Dialect;
use crate::loopback::Scenario;

/// The three base addresses of a running loopback provider, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// Plain HTTP: every scenario that a model's name can choose.
    pub plain: String,
    /// TLS with a certificate that nobody trusts: `bad-certificate`.
    pub tls: String,
    /// Nobody listens: `refused`.
    pub refused: String,
}

impl Addresses {
    /// The base URL for a dialect and scenario, with the path that the dialect's providers usually have.
    pub fn base_url(&self, dialect: Dialect, scenario: Scenario) -> String {
        let address = match scenario {
            Scenario::BadCertificate => &self.tls,
            Scenario::Refused => &self.refused,
            _ => &self.plain,
        };
        match dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Generic => format!("{address}/v1"),
            Dialect::AnthropicMessages | Dialect::Gemini | Dialect::OllamaChat => address.clone(),
        }
    }
}

/// A `vacancy.toml` whose targets are every scenario in each of `dialects`. Each has a provider of its own, so that one
/// account's trouble is not another's. Those that keep a probe waiting come last: a few of them take all places.
pub fn settings_file(addresses: &Addresses, dialects: &[Dialect]) -> String {
    let mut text = String::from("# Every scenario of the loopback provider. Start it with `vacancy demo --serve`.\n");
    let is_silent = |scenario: &&Scenario| matches!(scenario, Scenario::Hang | Scenario::Stall | Scenario::SlowLoris);
    let quick = Scenario::ALL.iter().filter(|scenario| !is_silent(scenario));
    let mut role = "primary";
    for &scenario in quick.chain(Scenario::ALL.iter().filter(is_silent)) {
        for &dialect in dialects {
            let (kind, scope) = scenario.expected(dialect);
            let (name, base_url) = (scenario.name(), addresses.base_url(dialect, scenario));
            write!(
                text,
                "\n# expected: {kind}, {scope}\n\
                 [[provider]]\nid = \"{dialect}-{name}\"\ndialect = \"{dialect}\"\nbase_url = \"{base_url}\"\n\
                 [[target]]\nid = \"{dialect}-{name}\"\nprovider = \"{dialect}-{name}\"\nmodel = \"{name}\"\n\
                 role = \"{role}\"\n",
                scope = scope.name(),
            )
            .expect("a String takes every write");
            role = "backup";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_and_dialect_has_its_target() {
        let addresses = Addresses {
            plain: "http://127.0.0.1:1".to_owned(),
            tls: "https://127.0.0.1:2".to_owned(),
            refused: "http://127.0.0.1:3".to_owned(),
        };
        let text = settings_file(&addresses, &Dialect::PROBED);
        let document: toml_edit::DocumentMut = text.parse().unwrap();
        let targets = document["target"].as_array_of_tables().unwrap();
        assert_eq!(targets.len(), Scenario::ALL.len() * Dialect::PROBED.len());
        assert_eq!(document["provider"].as_array_of_tables().unwrap().len(), targets.len());
    }
}
