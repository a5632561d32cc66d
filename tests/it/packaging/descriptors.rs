//! Descriptors parse, agree on one version, and name files that exist.

use std::collections::BTreeSet;
use std::path::Path;

use roxmltree::{Document, ParsingOptions};
use saphyr_parser::{Event, Parser};

use super::{source, text};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn with_xml<T>(path: &str, read: impl FnOnce(&Document<'_>) -> T) -> T {
    let text = text(path);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    read(&Document::parse_with_options(&text, options).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// Files below `packaging` that end in one of these.
fn files(ends: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![source("packaging")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if ends.iter().any(|end| path.to_string_lossy().ends_with(end)) {
                let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

#[test]
fn xml_parses() {
    let found = files(&[".xml", ".plist", ".manifest", ".svg"]);
    assert!(found.len() >= 5, "{found:?}");
    for path in found {
        with_xml(&path, |_| ());
    }
}

#[test]
fn yaml_parses() {
    let found = files(&[".yml"]);
    assert_eq!(found.len(), 2, "{found:?}");
    for path in found {
        let text = text(&path);
        let events: Result<Vec<_>, _> = Parser::new_from_str(&text).collect();
        let events = events.unwrap_or_else(|error| panic!("{path}: {error}"));
        let scalars: BTreeSet<String> = events
            .into_iter()
            .filter_map(|(event, _)| if let Event::Scalar(text, ..) = event { Some(text.into_owned()) } else { None })
            .collect();
        if path.contains("flatpak") {
            assert!(scalars.contains("app.vacancy.vacancy") && scalars.contains("--share=network"), "{path}");
        }
    }
}

/// Cargo.toml has the version; everything else repeats it.
#[test]
fn versions_are_that_of_the_package() {
    let repeated = [
        ("packaging/windows/vacancy.iss", format!("#define Version \"{VERSION}\"")),
        ("packaging/windows/vacancy.manifest", format!("version=\"{VERSION}.0\"")),
        ("CHANGELOG.md", format!("## [{VERSION}] - ")),
    ];
    for (path, line) in repeated {
        assert!(text(path).contains(&line), "{path} lacks {line}");
    }
    with_xml("packaging/macos/Info.plist", |plist| {
        for key in ["CFBundleShortVersionString", "CFBundleVersion"] {
            let key = plist.descendants().find(|node| node.text() == Some(key)).unwrap();
            assert_eq!(key.next_sibling_element().unwrap().text(), Some(VERSION));
        }
    });
    let day = text("CHANGELOG.md").split_once(&format!("## [{VERSION}] - ")).unwrap().1[..10].to_owned();
    with_xml("packaging/linux/vacancy.metainfo.xml", |info| {
        let newest = info.descendants().find(|node| node.has_tag_name("release")).unwrap();
        assert_eq!((newest.attribute("version"), newest.attribute("date")), (Some(VERSION), Some(day.as_str())));
    });
}

/// The name of the window, which decides under which entry a desktop shows it, is that of the entry and of the icon.
#[test]
fn desktop_entry_icon_and_window_have_one_name() {
    let entry = text("packaging/linux/vacancy.desktop");
    for line in ["Exec=vacancy", "Icon=vacancy", "StartupWMClass=vacancy"] {
        assert!(entry.lines().any(|found| found == line), "{line}");
    }
    assert!(text("src/app/window.rs").contains("with_app_id(\"vacancy\")"));
    assert!(source("packaging/linux/icons/scalable/vacancy.svg").exists());
    with_xml("packaging/linux/vacancy.metainfo.xml", |info| {
        let launched = info.descendants().find(|node| node.has_tag_name("launchable")).unwrap();
        assert_eq!(launched.text(), Some("vacancy.desktop"));
    });
}

/// Every paragraph of the software centre's page is there in both languages.
#[test]
fn metainfo_speaks_both_languages() {
    with_xml("packaging/linux/vacancy.metainfo.xml", |info| {
        let language = |node: &roxmltree::Node<'_, '_>| {
            node.attribute(("http://www.w3.org/XML/1998/namespace", "lang")).map(str::to_owned)
        };
        for tag in ["summary", "p", "li"] {
            let nodes: Vec<_> = info.descendants().filter(|node| node.has_tag_name(tag)).collect();
            assert!(!nodes.is_empty());
            for pair in nodes.chunks(2) {
                let languages: Vec<_> = pair.iter().map(language).collect();
                assert_eq!(languages, [None, Some("zh-CN".to_owned())], "{tag}: {:?}", pair[0].text());
            }
        }
    });
}

/// What was never built says so in itself.
#[test]
fn unproven_descriptors_say_so() {
    for path in [
        "packaging/flatpak/app.vacancy.vacancy.yml",
        "packaging/macos/Info.plist",
        "packaging/macos/build-bundle",
        "packaging/windows/build.ps1",
        "packaging/windows/vacancy.iss",
        "packaging/windows/vacancy.manifest",
    ] {
        let head: String = text(path).lines().take(5).collect();
        assert!(head.contains("ritten from documentation, never"), "{path}");
    }
}

/// Every script that the pages name is there and may be run.
#[test]
fn named_scripts_exist() {
    let named = regex::Regex::new(r"packaging/[a-z]+/[A-Za-z0-9.-]*[a-z0-9]").unwrap();
    for page in ["README.md", "packaging/README.md", "tests/run"] {
        for found in named.find_iter(&text(page)) {
            assert!(Path::new(&source(found.as_str())).exists(), "{page} names {}", found.as_str());
        }
    }
}
