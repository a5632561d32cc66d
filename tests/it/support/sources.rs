//! The package's own source text, for tests about the code itself.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// A source file.
pub struct Source {
    /// Relative to `src`, with `/`.
    pub path: String,
    /// As it stands.
    pub text: String,
}

impl Source {
    /// The text without comments and without tests, which stand at the end of a file.
    pub fn code(&self) -> String {
        static TESTS: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*mod ").unwrap());
        let shipped = TESTS.find(&self.text).map_or(self.text.as_str(), |tests| &self.text[..tests.start()]);
        let mut code = String::with_capacity(shipped.len());
        for line in shipped.lines() {
            if !line.trim_start().starts_with("//") {
                code.push_str(line);
            }
            code.push('\n');
        }
        code
    }
}

/// Every Rust file under `src`, sorted by path.
pub fn all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(Source { path: relative(&root, &path), text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(found.len() > 20, "the sources were found");
    found
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
}
