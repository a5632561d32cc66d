//! The process environment, read once and passed on as a value.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A set of environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env {
    texts: BTreeMap<String, String>,
    /// Values that are no text.
    others: BTreeMap<String, OsString>,
}

impl Env {
    /// This process's variables; those whose names are not UTF-8 are left out, and values that are not can be paths alone.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
    pub fn process() -> Self {
        let mut env = Self::default();
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else { continue };
            match value.into_string() {
                Ok(value) => env.set(name, value),
                Err(value) => drop(env.others.insert(name, value)),
            }
        }
        env
    }

    /// The value of a variable; an empty one counts as unset, as in the XDG specification.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The value of a variable as a path, which need not be text.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from).or_else(|| self.others.get(name).map(PathBuf::from))
    }

    /// Sets a variable in this value alone.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.texts.insert(name.into(), value.into());
    }

    /// All variables by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        let texts = variables.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        Self { texts, others: BTreeMap::new() }
    }
}
