//! What packages are made of: icons, descriptors, licences. What only Debian's own validators can say stands in
//! `packaging/scripts/check`.

mod descriptors;
mod icons;
mod licenses;

use std::path::{Path, PathBuf};

/// A file of the package's source.
fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(source(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
