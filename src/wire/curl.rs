//! A probe as a command line that a person can run and share.

use std::fmt::Write as _;

use crate::wire::endpoint::{KEY_MARK, is_credential_name};
use crate::wire::request::Request;

/// The request as one `curl` command for a POSIX shell. The key is `$variable`; a literal value in a header or parameter
/// that looks like a credential becomes a variable too, so that nothing secret is ever printed.
pub fn curl(request: &Request, variable: &str) -> String {
    let variable = shell_name(variable);
    let mut url = request.url.clone();
    // A login in the address is a secret; curl takes it from ~/.netrc or -u.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let mut address = single_quoted(url.as_str());
    for (index, (name, value)) in request.query.iter().enumerate() {
        let separator = if index == 0 && url.query().is_none() { '?' } else { '&' };
        let name_encoded = encoded(name);
        let part = if value.contains(KEY_MARK) || is_credential_name(name) {
            with_key(&format!("{separator}{name_encoded}="), name, value, &variable, true)
        } else {
            single_quoted(&format!("{separator}{name_encoded}={}", encoded(value)))
        };
        address.push_str(&part);
    }
    let mut command = format!("curl -N -sS {address}");
    for (name, value) in &request.headers {
        let header = if value.contains(KEY_MARK) || is_credential_name(name) {
            with_key(&format!("{name}: "), name, value, &variable, false)
        } else {
            single_quoted(&format!("{name}: {value}"))
        };
        let _ = write!(command, " \\\n  -H {header}");
    }
    let _ = write!(command, " \\\n  --data-raw {}", single_quoted(&request.body));
    command
}

/// `prefix` and a value in double quotes with the key's variable in it; a literal credential gets a variable of its own.
fn with_key(prefix: &str, name: &str, value: &str, variable: &str, is_query: bool) -> String {
    if !value.contains(KEY_MARK) {
        let own = shell_name(name);
        return format!("\"{}${{{own}}}\"", escaped(prefix));
    }
    let parts: Vec<String> =
        value.split(KEY_MARK).map(|part| escaped(&if is_query { encoded(part) } else { part.to_owned() })).collect();
    format!("\"{}{}\"", escaped(prefix), parts.join(&format!("${{{variable}}}")))
}

/// A name that a shell takes as a variable.
fn shell_name(text: &str) -> String {
    let mut name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    // An existing lower-case variable keeps its case, or the command would not find it.
    if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        text.clone_into(&mut name);
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Escapes for the inside of double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::core::target::{Dialect, ModelId};
    use crate::wire::endpoint::Endpoint;
    use crate::wire::tuning::Tuning;

    fn build(endpoint: &Endpoint, model: &str) -> Request {
        let model = ModelId::from(model);
        Request::build(endpoint, &model, &Tuning::guess(endpoint.dialect, &model), true)
    }

    #[test]
    fn the_key_is_a_variable() {
        let endpoint = Endpoint::new(Url::parse("https://api.example/v1").unwrap(), Dialect::OpenaiChat);
        let command = curl(&build(&endpoint, "gpt-4o"), "OPENAI_API_KEY");
        assert!(command.starts_with("curl -N -sS 'https://api.example/v1/chat/completions' \\\n"), "{command}");
        assert!(command.contains(r#"-H "authorization: Bearer ${OPENAI_API_KEY}""#), "{command}");
        assert!(command.contains("--data-raw '{\"model\":\"gpt-4o\""), "{command}");
    }

    #[test]
    fn quotes_cannot_be_left() {
        let endpoint = Endpoint::new(Url::parse("https://api.example/v1").unwrap(), Dialect::OpenaiChat);
        let command = curl(&build(&endpoint, "it's $(rm)"), "K");
        assert!(command.contains(r"it'\''s $(rm)"), "{command}");
    }

    #[test]
    fn literal_credentials_become_variables() {
        let mut endpoint = Endpoint::new(Url::parse("https://me:pw@api.example/v1").unwrap(), Dialect::OpenaiChat);
        endpoint.headers = vec![("X-Gateway-Token".into(), "literal-one".into()), ("x-team".into(), "blue".into())];
        endpoint.query =
            vec![("key".into(), "{key}".into()), ("api_key".into(), "literal-two".into()), ("v".into(), "1 2".into())];
        let command = curl(&build(&endpoint, "m"), "K");
        for secret in ["literal-one", "literal-two", "pw"] {
            assert!(!command.contains(secret), "{command}");
        }
        assert!(command.contains(r#""x-gateway-token: ${X_GATEWAY_TOKEN}""#), "{command}");
        assert!(command.contains(r#"completions'"?key=${K}""&api_key=${api_key}"'&v=1+2'"#), "{command}");
        assert!(command.contains("'x-team: blue'"), "{command}");
    }
}
