//! The pages for people: both languages say the same, every link leads somewhere, and what they show can be done.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use regex::Regex;
use vacancy::core::target::Dialect;
use vacancy::settings::SettingsFile;
use vacancy::switch::tools;
use vacancy::wire::presets::Preset;
use vacancy::wire::tuning::Tuning;

/// Lines of a README that a newcomer still reads.
const MOST_LINES: usize = 140;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace("\r\n", "\n")
}

/// The pages that exist in both languages, as (English, Chinese).
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let mut pairs = vec![(root().join("README.md"), root().join("README.zh-Hans.md"))];
    let names = |lang: &str| {
        let folder = root().join("assets/guide").join(lang);
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("en"), names("zh-Hans"), "every page of the guide is there in both languages");
    pairs.extend(names("en").into_iter().map(|name| {
        let guide = root().join("assets/guide");
        (guide.join("en").join(&name), guide.join("zh-Hans").join(&name))
    }));
    pairs
}

/// The fenced blocks of a page: language and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let fence = Regex::new(r"(?ms)^ *```(\w+)\n(.*?)^ *```$").unwrap();
    fence.captures_iter(page).map(|found| (found[1].to_owned(), found[2].to_owned())).collect()
}

/// A line of a block up to its comment, and the comment.
fn parted<'a>(line: &'a str, language: &str) -> (&'a str, Option<&'a str>) {
    let mark = if language == "jsonc" { "//" } else { "#" };
    let mut quote = None;
    for (at, character) in line.char_indices() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            (None, _) if line[at..].starts_with(mark) => return (line[..at].trim_end(), Some(line[at..].trim())),
            _ => {}
        }
    }
    (line.trim_end(), None)
}

/// The fenced blocks without what is remarked in them: the same in every language.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let block = |(language, text): (String, String)| {
        let lines = text.lines().map(|line| parted(line, &language).0.to_owned()).collect();
        (language, lines)
    };
    blocks(page).into_iter().map(block).collect()
}

/// What is remarked in them.
fn remarks(page: &str) -> Vec<String> {
    let all = blocks(page);
    let lines = all.iter().flat_map(|(language, text)| text.lines().filter_map(move |line| parted(line, language).1));
    lines.map(str::to_owned).collect()
}

/// Whether a remark says something: a name of a program with its file, or a line of its settings, is the same in every language.
fn is_sentence(remark: &str) -> bool {
    let is_data = |word: &str| word.contains(['.', '/', ':', '=', '{', '"', '\'', '[']);
    remark.split_whitespace().skip(1).filter(|word| !is_data(word)).count() > 3
}

/// Headings and tables without their words: one letter a line that counts.
fn skeleton(page: &str) -> String {
    let mut is_code = false;
    let lines = page.lines().filter_map(|line| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        match line {
            _ if is_code => None,
            heading if heading.starts_with('#') => {
                Some(heading.chars().take_while(|character| *character == '#').collect())
            }
            picture if picture.starts_with("![") => Some("picture".to_owned()),
            step if step.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok()) => {
                Some("step".to_owned())
            }
            _ => None,
        }
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn both_languages_show_the_same() {
    for (english, chinese) in pairs() {
        let (one, other) = (read(&english), read(&chinese));
        assert_eq!(commands(&one), commands(&other), "{}: the commands of both languages", english.display());
        let (ours, theirs) = (remarks(&one), remarks(&other));
        assert_eq!(ours.len(), theirs.len(), "{}: remarks beside the commands", english.display());
        for (own, translated) in ours.iter().zip(&theirs) {
            let is_data = own == translated && !is_sentence(own);
            let is_chinese = translated.chars().any(|character| ('\u{4E00}'..='\u{9FFF}').contains(&character));
            assert!(is_data || is_chinese, "{}: not translated: {translated}", chinese.display());
        }
        assert_eq!(skeleton(&one), skeleton(&other), "{}: headings, pictures and steps", english.display());
    }
    for readme in [&pairs()[0].0, &pairs()[0].1] {
        let lines = read(readme).lines().count();
        assert!(
            lines <= MOST_LINES,
            "{} has {lines} lines; move what is not needed at the start to a guide",
            readme.display()
        );
    }
}

#[test]
fn every_link_leads_somewhere() {
    let link = Regex::new(r"\]\(([^)#\s]+)\)").unwrap();
    let mut pages: Vec<_> = pairs().into_iter().flat_map(|(one, other)| [one, other]).collect();
    for page in [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "benches/README.md",
        "benches/quality/README.md",
        "packaging/README.md",
        "src/ARCHITECTURE.md",
        "tests/RELIABILITY.md",
        "tests/prove-switch.md",
    ] {
        pages.push(root().join(page));
    }
    let mut broken = Vec::new();
    for page in pages {
        for found in link.captures_iter(&read(&page)) {
            let target = &found[1];
            let is_outside = target.starts_with("https://") || target.starts_with("mod@");
            if !is_outside && !page.parent().unwrap().join(target).exists() {
                broken.push(format!("{} links {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n  {}", broken.join("\n  "));
}

/// A line of a shell up to its comment, split at blanks outside quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (None, '#') => break,
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Every command is understood by the program, and every settings file is valid.
#[test]
fn what_the_pages_show_can_be_done() {
    let mut commands = 0;
    let mut files = 0;
    for (page, _) in pairs() {
        for (language, text) in blocks(&read(&page)) {
            if language == "toml" {
                files += 1;
                // Pages on one table show that table alone; the chain that they name is the usual one.
                let whole = if text.contains("[[chain]]") || !text.contains("chain =") {
                    text.clone()
                } else {
                    let target = "[[target]]\nid = \"a\"\nprovider = \"codex\"\nmodel = \"a\"\n";
                    format!("{target}[[chain]]\nname = \"main\"\ntargets = [\"a\"]\n{text}")
                };
                let file = SettingsFile::fresh(Path::new("vacancy.toml"), &whole);
                assert!(file.resolve().is_ok(), "{}: {:#?}", page.display(), file.resolve().err());
            }
            for line in text.lines().map(str::trim).filter(|line| language == "sh" && line.starts_with("vacancy")) {
                commands += 1;
                let line = line.split(" ||").next().unwrap();
                let understood = vacancy::cli::Cli::command().try_get_matches_from(words(line));
                assert!(understood.is_ok(), "{}: {line}: {}", page.display(), understood.unwrap_err());
            }
        }
    }
    assert!(commands > 20 && files > 3, "{commands} commands and {files} files were found");
}

#[test]
fn what_is_counted_is_so() {
    let presets = Preset::all().count();
    let switched = tools::ALL.iter().filter(|tool| !tools::ONLY_READ.contains(&tool.id())).count();
    assert_eq!(switched, 18, "README.md, README.zh-Hans.md and CHANGELOG.md say eighteen tools");
    let tokens = [
        (Dialect::AnthropicMessages, "claude-sonnet-4-5"),
        (Dialect::OllamaChat, "qwen3:8b"),
        (Dialect::OpenaiChat, "gpt-4o"),
        (Dialect::OpenaiChat, "house-model"),
        (Dialect::OpenaiChat, "gpt-5.5"),
    ]
    .map(|(dialect, model)| Tuning::guess(dialect, &model.into()).estimated_tokens());
    assert_eq!(tokens, [13, 13, 28, 76, 268], "the READMEs say so of a probe");
    for (english, chinese) in pairs() {
        for (page, number) in [(english, r"\((\d+) are known|(\d+) presets"), (chinese, r"已知 (\d+) 家")] {
            for found in Regex::new(number).unwrap().captures_iter(&read(&page)) {
                let said = found.iter().skip(1).flatten().next().unwrap().as_str();
                assert_eq!(said, presets.to_string(), "{}", page.display());
            }
        }
    }
}
