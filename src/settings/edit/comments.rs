//! The comments of a file of settings, so that none is lost unasked that somebody else has written.

use crate::edit::Document;

/// Those of `then` that are not in `now`, each as often as it is missing, without those of `known`.
pub(super) fn lost(then: &Document, now: &Document, known: &Document) -> Vec<String> {
    let of = |document| Document::comments(document).map(str::trim_end);
    let mut left: Vec<&str> = of(now).chain(of(known)).collect();
    let mut is_left =
        |comment: &&str| left.iter().position(|one| one == comment).map(|at| left.swap_remove(at)).is_some();
    of(then).filter(|comment| !is_left(comment)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::file::SettingsFile;

    fn read(text: &str) -> Document {
        SettingsFile::parse(Path::new("vacancy.toml"), text.to_owned()).document().unwrap()
    }

    #[test]
    fn a_sign_within_a_string_begins_no_comment() {
        let text = "a = \"x # y\" # one\nb = '#\\' # two \n# three\nc = \"\"\"\n# no\n\\\"\"\"\" # four\nd = '''\n#''' #five\ne = \"\\\\\" # six\n";
        assert_eq!(lost(&read(text), &read(""), &read("")), ["# one", "# two", "# three", "# four", "#five", "# six"]);
    }

    #[test]
    fn what_is_lost_is_counted() {
        assert_eq!(lost(&read("# a\n# a\n# b\n# c\n"), &read("# a\n"), &read("# c\n")), ["# a", "# b"]);
        assert!(lost(&read("# a\n"), &read("x = 1 # a\n"), &read("")).is_empty());
    }
}
