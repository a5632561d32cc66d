//! Takes keys out of whatever came back, before anything else sees it.

use std::borrow::Cow;

use crate::probe::Route;
use crate::secrets::Secret;
use crate::wire::endpoint::{Endpoint, KEY_MARK, is_credential_name};

/// What stands where a key was.
const REDACTED: &str = "[key]";
/// Shorter values are placeholders such as `ollama` or `none`; taking them out would only spoil the text.
const SHORTEST: usize = 8;
/// A cut key of at least this length is taken out at the end of a cut body.
const SHORTEST_CUT: usize = 4;

/// Knows every secret of one probe. It has no `Debug`.
pub(super) struct Redactor {
    needles: Vec<String>,
}

impl Redactor {
    /// The secrets that a probe sends: the key, literal credentials among the endpoint's headers, parameters and login, and
    /// the proxy's login.
    pub(super) fn new(secret: Option<&Secret>, endpoint: &Endpoint, route: &Route) -> Self {
        let mut plain: Vec<String> = secret.map(|secret| secret.expose().to_owned()).into_iter().collect();
        for (name, value) in endpoint.headers.iter().chain(&endpoint.query) {
            if is_credential_name(name) {
                plain.extend(value.split(KEY_MARK).flat_map(|part| part.split(' ')).map(str::to_owned));
            }
        }
        plain.extend(endpoint.base_url.password().map(str::to_owned));
        if let Some(proxy) = route.proxy.as_deref().and_then(|proxy| url::Url::parse(proxy).ok()) {
            plain.extend(proxy.password().map(str::to_owned));
        }
        let mut needles = Vec::new();
        for text in plain.into_iter().filter(|text| text.len() >= SHORTEST) {
            // A server may echo the key inside a URL or inside JSON.
            let encoded: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
            let quoted = serde_json::Value::from(text.as_str()).to_string();
            let inner = quoted.trim_matches('"').to_owned();
            needles.extend([text, encoded, inner]);
        }
        // The longest first, so that one needle inside another leaves no rest.
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.len()));
        needles.dedup();
        Self { needles }
    }

    /// A text without secrets.
    pub(super) fn text(&self, text: &str) -> String {
        let mut text = Cow::Borrowed(text);
        for needle in &self.needles {
            if text.contains(needle.as_str()) {
                text = Cow::Owned(text.replace(needle.as_str(), REDACTED));
            }
        }
        text.into_owned()
    }

    /// A body without secrets; also a secret that was cut off by the end of the body.
    pub(super) fn bytes(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        for needle in &self.needles {
            bytes = replaced(bytes, needle.as_bytes());
        }
        for needle in &self.needles {
            let needle = needle.as_bytes();
            let longest = needle.len().saturating_sub(1).min(bytes.len());
            if let Some(cut) = (SHORTEST_CUT..=longest).rev().find(|&n| bytes.ends_with(&needle[..n])) {
                bytes.truncate(bytes.len() - cut);
                bytes.extend_from_slice(REDACTED.as_bytes());
            }
        }
        bytes
    }
}

fn replaced(bytes: Vec<u8>, needle: &[u8]) -> Vec<u8> {
    let find = |from: usize| bytes[from..].windows(needle.len()).position(|window| window == needle);
    let Some(mut at) = find(0) else { return bytes };
    let mut out = Vec::with_capacity(bytes.len());
    let mut from = 0;
    loop {
        out.extend_from_slice(&bytes[from..from + at]);
        out.extend_from_slice(REDACTED.as_bytes());
        from += at + needle.len();
        match find(from) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.extend_from_slice(&bytes[from..]);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::core::target::Dialect;

    fn redactor(key: &str) -> Redactor {
        let endpoint = Endpoint::new(Url::parse("http://u:passphrase@127.0.0.1").unwrap(), Dialect::OpenaiChat);
        Redactor::new(Some(&Secret::new(key)), &endpoint, &Route::default())
    }

    proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn no_key_is_left_however_it_is_echoed(
            key in "[!-~]{8,60}",
            before in "[a-z \"{}]{0,40}",
            after in "[a-z \"{}]{0,40}",
            times in 1usize..4,
            cut in 0usize..60,
        ) {
            let redactor = redactor(&key);
            let encoded: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
            let json = serde_json::Value::from(key.as_str()).to_string();
            let text = format!("{before}{key}{after} {encoded} {json}").repeat(times);
            let bytes = redactor.bytes(text.clone().into_bytes());
            let clean = String::from_utf8_lossy(&bytes).into_owned();
            prop_assert!(!clean.contains(&key) && !clean.contains(&encoded), "{}", clean);
            prop_assert!(!redactor.text(&text).contains(&key));
            let cut = cut.min(key.len());
            if cut >= SHORTEST_CUT {
                let bytes = redactor.bytes(format!("start {}", &key[..cut]).into_bytes());
                prop_assert!(!String::from_utf8_lossy(&bytes).ends_with(&key[..cut]));
            }
        }
    }

    #[test]
    fn dummy_keys_do_not_spoil_texts() {
        assert_eq!(redactor("ollama").text("model not found in ollama"), "model not found in ollama");
        assert_eq!(redactor("ollama").text("u:passphrase@"), "u:[key]@");
    }
}
