//! Pages and XML: finds what little of them is worth showing or reading.

use std::borrow::Cow;

/// Pages are searched up to this many bytes; what tells them apart stands at the top.
pub(super) const PAGE_LIMIT: usize = 16 * 1024;

/// The text within the first element of this name.
pub(super) fn element<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let find = |from: usize, what: &str| {
        page.as_bytes()[from..]
            .windows(what.len())
            .position(|window| window.eq_ignore_ascii_case(what.as_bytes()))
            .map(|at| from + at)
    };
    let open = find(0, &format!("<{name}>")).or_else(|| find(0, &format!("<{name} ")))?;
    let start = open + page[open..].find('>')? + 1;
    let end = find(start, &format!("</{name}"))?;
    Some(page[start..end].trim())
}

/// What to show of a page: its title, else its first heading, else its first words.
pub(super) fn headline(page: &str) -> Cow<'_, str> {
    ["title", "h1", "h2", "p"]
        .iter()
        .find_map(|name| element(page, name).filter(|text| !text.is_empty() && !text.contains('<')))
        .map_or_else(|| Cow::Owned(plain(page)), Cow::Borrowed)
}

/// The text between the tags.
fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for symbol in page.chars() {
        match symbol {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push(' ');
            }
            _ if !is_tag => text.push(symbol),
            _ => {}
        }
        if text.len() > 600 {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines_are_found() {
        assert_eq!(headline("<html><TITLE>502 Bad Gateway</TITLE>"), "502 Bad Gateway");
        assert_eq!(headline("<html><body>error code: 1015</body></html>").trim(), "error code: 1015");
        assert_eq!(element("<E><Code>SlowDown</Code></E>", "Code"), Some("SlowDown"));
        assert_eq!(element("<title>torn", "title"), None);
    }
}
