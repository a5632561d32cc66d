//! "Did you mean": the known word closest to a mistyped one.

/// Words that people bring from other programs' files, with ours.
const FOREIGN: &[(&str, &str)] = &[
    ("apikey", "key"),
    ("token", "key"),
    ("url", "base_url"),
    ("endpoint", "base_url"),
    ("apibase", "base_url"),
    ("type", "dialect"),
    ("api", "dialect"),
    ("name", "id"),
    ("lang", "language"),
    ("timezone", "zone"),
    ("interval", "every"),
];

/// The closest of `known`, if it is close enough to be a likely slip of the same word, or another program's word for it.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let word = fold(word);
    let ours = FOREIGN.iter().find(|(foreign, _)| *foreign == word).map(|(_, ours)| *ours);
    if let Some(found) = ours.and_then(|ours| known.clone().into_iter().find(|candidate| *candidate == ours)) {
        return Some(found);
    }
    let limit = (word.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (distance(&word, &fold(candidate)), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Case and the choice between `-`, `_` and no separator are the most frequent slips, so they cost nothing.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Edits between two words, where swapping two neighbours is one edit (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: &Vec<usize> = &before;
                best = best.min(swapped[j - 2] + 1);
            }
            row.push(best);
        }
        before = above;
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_slip_and_nothing_else() {
        let known = ["openai", "anthropic", "base_url", "dialect"];
        for (word, expected) in [
            ("opnai", Some("openai")),
            ("oepnai", Some("openai")),
            ("OpenAI", Some("openai")),
            ("baseurl", Some("base_url")),
            ("base-url", Some("base_url")),
            ("dialekt", Some("dialect")),
            ("antropic", Some("anthropic")),
            ("url", Some("base_url")),
            ("gemini", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
