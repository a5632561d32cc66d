//! The shape of the code, held by the code: who may know whom, and what no file may do.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::support::sources::{self, Source};

/// Roots of the outside world: what pure code may not name.
const OUTSIDE: &[&str] = &[
    "egui",
    "eframe",
    "tokio",
    "reqwest",
    "rusqlite",
    "hyper",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "ZonedDateTime::now",
    "TimeZone::system",
];

/// One invariant: files under `of` (a prefix of the path, or its end after `*`) name none of `never`, except `but`.
struct Rule {
    of: &'static str,
    never: &'static [&'static str],
    but: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule { of: "core/", never: OUTSIDE, but: &[], why: "the core is pure" },
    Rule { of: "edit/", never: OUTSIDE, but: &[], why: "the edit engine is pure" },
    Rule { of: "wire/", never: OUTSIDE, but: &[], why: "requests and replies are pure" },
    Rule {
        of: "loopback/",
        never: OUTSIDE,
        but: &["loopback/server.rs", "loopback/connection.rs", "loopback/tls.rs"],
        why: "scenarios are data",
    },
    Rule { of: "demo/", never: OUTSIDE, but: &["demo/world.rs"], why: "the demo's past and present are pure" },
    Rule { of: "explain/", never: OUTSIDE, but: &[], why: "an explanation is made of a text and a verdict alone" },
    Rule {
        of: "context/",
        never: OUTSIDE,
        but: &["context/fetch.rs"],
        why: "what sources say, and when they are asked, is pure",
    },
    Rule {
        of: "context/",
        never: &["crate::store", "crate::core::sample", "crate::core::bucket", "crate::core::board", "crate::engine"],
        but: &[],
        why: "context is no evidence: it cannot make a sample, and knows no board",
    },
    Rule {
        of: "toolprobe/",
        never: OUTSIDE,
        but: &["toolprobe/find.rs", "toolprobe/probe.rs", "toolprobe/run.rs"],
        why: "what a tool is told, costs and says is pure",
    },
    Rule {
        of: "notify/",
        never: OUTSIDE,
        but: &[
            "notify/check.rs",
            "notify/desktop/",
            "notify/everywhere.rs",
            "notify/hook.rs",
            "notify/mail.rs",
            "notify/webhook.rs",
        ],
        why: "what a notice is for programs and services is pure",
    },
    Rule {
        of: "switch/",
        never: OUTSIDE,
        but: &["switch/shell/"],
        why: "reading a tool's layers and planning a switch are pure",
    },
    Rule { of: "i18n.rs", never: OUTSIDE, but: &[], why: "the catalogue is pure" },
    Rule { of: "ui/screens/*/model.rs", never: OUTSIDE, but: &[], why: "what a screen shows is pure" },
    Rule {
        of: "metrics/",
        never: OUTSIDE,
        but: &["metrics/server.rs", "metrics/address.rs"],
        why: "what is told, and how, is pure",
    },
    Rule { of: "ui/screens/*/place.rs", never: OUTSIDE, but: &[], why: "where a window stands is pure" },
    Rule { of: "cli/now/", never: OUTSIDE, but: &[], why: "a line for a status bar is made of the picture alone" },
    Rule { of: "ui/screens/*/range.rs", never: OUTSIDE, but: &[], why: "what a screen asks of the record is pure" },
    Rule { of: "ui/screens/*/offers.rs", never: OUTSIDE, but: &[], why: "what a notice's row offers is pure" },
    Rule { of: "ui/screens/*/axis.rs", never: OUTSIDE, but: &[], why: "marks of an axis are pure" },
    Rule { of: "ui/screens/switch/offer.rs", never: OUTSIDE, but: &[], why: "what a dialog says is pure" },
    Rule { of: "ui/screens/switch/rule.rs", never: OUTSIDE, but: &[], why: "a rule in words is pure" },
    Rule { of: "ui/screens/switch/uses.rs", never: OUTSIDE, but: &[], why: "what a row offers is pure" },
    Rule { of: "ui/switching.rs", never: OUTSIDE, but: &[], why: "what the window keeps of tools is pure" },
    Rule { of: "ui/screens/*/words.rs", never: OUTSIDE, but: &[], why: "sentences are pure" },
    Rule { of: "ui/screens/*/plan.rs", never: OUTSIDE, but: &[], why: "the week's plan is pure" },
    Rule { of: "ui/screens/*/document.rs", never: OUTSIDE, but: &[], why: "the sheet as a text is pure" },
    Rule { of: "ui/screens/*/cell.rs", never: OUTSIDE, but: &[], why: "a cell in words is pure" },
    Rule { of: "ui/screens/*/calendar.rs", never: OUTSIDE, but: &[], why: "the days of a record are pure" },
    Rule { of: "ui/screens/*/present.rs", never: OUTSIDE, but: &[], why: "what to use now is pure" },
    Rule { of: "ui/screens/settings/fields.rs", never: OUTSIDE, but: &[], why: "a field of the settings is data" },
    Rule { of: "ui/screens/settings/editor.rs", never: OUTSIDE, but: &[], why: "a dialog with what is typed is pure" },
    Rule {
        of: "ui/screens/settings/edits.rs",
        never: OUTSIDE,
        but: &[],
        why: "what is typed as changes of the file is pure",
    },
    Rule { of: "ui/screens/settings/typed.rs", never: OUTSIDE, but: &[], why: "lists that are typed are pure" },
    Rule { of: "ui/screens/settings/providers.rs", never: OUTSIDE, but: &[], why: "providers in words are pure" },
    Rule { of: "ui/screens/settings/data.rs", never: OUTSIDE, but: &[], why: "the record in words is pure" },
    Rule { of: "ui/screens/settings/question.rs", never: OUTSIDE, but: &[], why: "a question with its answer is pure" },
    Rule { of: "ui/screens/settings/rules.rs", never: OUTSIDE, but: &[], why: "rules in words are pure" },
    Rule { of: "ui/settings.rs", never: OUTSIDE, but: &[], why: "what the window keeps of the settings is pure" },
    Rule { of: "ui/sheets.rs", never: OUTSIDE, but: &[], why: "what the window keeps of the statistics is pure" },
    Rule { of: "ui/history.rs", never: OUTSIDE, but: &[], why: "what the window keeps of the record is pure" },
    Rule {
        of: "",
        never: &["crate::ui", "crate::app"],
        but: &["ui/", "app.rs", "app/", "cli/", "main.rs"],
        why: "nothing but the programs' ends knows the window",
    },
    Rule { of: "core/", never: &["crate::"], but: &[], why: "the core knows only itself" },
    Rule {
        of: "edit/",
        never: &["crate::"],
        but: &[],
        why: "the edit engine knows only itself, and what keys look like",
    },
    Rule { of: "wire/", never: &["crate::"], but: &[], why: "the wire knows only the core" },
    Rule { of: "store/", never: &["crate::"], but: &[], why: "the store knows the core, and words for its errors" },
    Rule {
        of: "probe/",
        never: &["crate::"],
        but: &[],
        why: "a probe knows the wire, the core, keys and settings' values",
    },
    Rule { of: "raster/", never: &["crate::"], but: &[], why: "the rasteriser knows only egui" },
    Rule { of: "engine/", never: &["egui", "eframe"], but: &[], why: "the engine runs without a window" },
    Rule {
        of: "",
        never: &["eframe"],
        but: &["ui/shell.rs", "app/window.rs"],
        why: "what never names eframe can be tested without a display",
    },
    Rule {
        of: "",
        never: &[
            "Color32::from_rgb(",
            "Color32::from_gray",
            "Color32::from_rgba",
            "Color32::from_hex",
            "hex_color!",
            "Color32::RED",
            "Color32::GREEN",
            "Color32::BLUE",
            "Color32::YELLOW",
            "Color32::GRAY",
        ],
        but: &["ui/theme/", "raster/"],
        why: "colours are named once, in ui/theme",
    },
    Rule {
        of: "ui/",
        never: &["rusqlite", "reqwest", "std::fs", "std::net", ".block_on(", ".lock()"],
        but: &[],
        why: "drawing never waits",
    },
    Rule {
        of: "",
        never: &["rusqlite"],
        but: &["store/", "listen/databases.rs"],
        why: "only the store speaks to the database",
    },
    Rule {
        of: "listen/",
        never: OUTSIDE,
        but: &[
            "listen/backfill.rs",
            "listen/cursor.rs",
            "listen/databases.rs",
            "listen/disk.rs",
            "listen/follow.rs",
            "listen/homes.rs",
            "listen/tail.rs",
        ],
        why: "readers of logs are pure",
    },
    Rule {
        of: "",
        never: &["thread::sleep"],
        but: &["secrets/command.rs"],
        why: "waiting is for an event, not for a time",
    },
];

/// What a rule about `crate::` still allows, by the rule's folder.
fn is_allowed(of: &str, path: &str) -> bool {
    let roots: &[&str] = match of {
        "core/" => &["core"],
        "edit/" => &["edit", "core"],
        "wire/" => &["wire", "core"],
        "store/" => &["store", "core", "clock", "i18n", "args", "private", "whole"],
        "probe/" => &["probe", "wire", "core", "secrets", "settings", "clock", "i18n", "args"],
        "raster/" => &["raster"],
        _ => &[],
    };
    let root = path.trim_start_matches("crate::").split([':', ';', ',', ' ', '}', '!']).next().unwrap_or_default();
    // Tests in files of their own stand among the others: how property tests run is told to all of them.
    roots.contains(&root) || path == "crate::properties"
}

impl Rule {
    fn covers(&self, path: &str) -> bool {
        let is_of = match self.of.split_once('*') {
            Some((start, end)) => path.starts_with(start) && path.ends_with(end),
            None => path.starts_with(self.of),
        };
        is_of && !self.but.iter().any(|but| path.starts_with(but))
    }

    /// Finds anything forbidden. A name that begins or ends with a word's character is a whole word there: `egui` is not
    /// part of `legui`.
    fn pattern(&self) -> Regex {
        let names = self.never.iter().map(|name| {
            let start = if name.starts_with(char::is_alphanumeric) { r"\b" } else { "" };
            let end = if name.ends_with(char::is_alphanumeric) { r"\b" } else { "" };
            let path = if name.ends_with("::") { r"\w*" } else { "" };
            format!("{start}{}{end}{path}", regex::escape(name))
        });
        Regex::new(&names.collect::<Vec<_>>().join("|")).unwrap()
    }

    /// The forbidden things that a file names.
    fn broken_by(&self, pattern: &Regex, code: &str) -> Vec<String> {
        let hits = pattern.find_iter(code).map(|hit| hit.as_str());
        let mut found: Vec<_> =
            hits.filter(|hit| !(self.never == ["crate::"] && is_allowed(self.of, hit))).map(str::to_owned).collect();
        found.sort();
        found.dedup();
        found
    }
}

/// `use crate::{a::b, c}` written out as `use crate::a::b; use crate::c`, so that one pattern finds both.
fn with_groups_spelt_out(code: &str) -> String {
    static GROUP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"use (crate|std)::\{").unwrap());
    let mut spelt = code.to_owned();
    for found in GROUP.captures_iter(code) {
        let start = found.get(0).unwrap().end();
        let mut depth = 1;
        let mut item = String::new();
        for character in code[start..].chars() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && character == ',') {
                spelt.push_str(&format!("\nuse {}::{};", &found[1], item.trim()));
                item.clear();
            } else {
                item.push(character);
            }
            if depth == 0 {
                break;
            }
        }
    }
    spelt.replace("use crate::{", "use group::{")
}

#[test]
fn every_file_keeps_to_its_place() {
    let mut faults = Vec::new();
    let rules: Vec<_> = RULES.iter().map(|rule| (rule, rule.pattern())).collect();
    for source in sources::all() {
        let code = with_groups_spelt_out(&source.code());
        for (rule, pattern) in rules.iter().filter(|(rule, _)| rule.covers(&source.path)) {
            for name in rule.broken_by(pattern, &code) {
                faults.push(format!("{} names `{name}`: {}", source.path, rule.why));
            }
        }
    }
    assert!(faults.is_empty(), "\n  {}", faults.join("\n  "));
}

#[test]
fn the_rules_find_what_they_forbid() {
    let rule = |of: &str, why: &str| RULES.iter().find(|rule| rule.of == of && rule.why == why).unwrap();
    let broken = |rule: &Rule, code: &str| rule.broken_by(&rule.pattern(), &with_groups_spelt_out(code));
    let pure = rule("core/", "the core is pure");
    assert_eq!(broken(pure, "use std::{fmt, fs};"), ["std::fs"]);
    assert_eq!(broken(pure, "let at = Timestamp::now();"), ["Timestamp::now"]);
    assert!(broken(pure, "use std::fmt; struct InstantReply;").is_empty());
    let own = rule("store/", "the store knows the core, and words for its errors");
    assert_eq!(broken(own, "use crate::{core::sample::Sample, ui::theme};"), ["crate::ui"]);
    assert!(broken(own, "use crate::core::sample::{Sample, Source};").is_empty());
    assert!(rule("ui/screens/*/model.rs", "what a screen shows is pure").covers("ui/screens/board/model.rs"));
    assert!(!rule("", "only the store speaks to the database").covers("store/write.rs"));
}

/// Lines of a file, without the tests at its end, before it should have been split.
const MOST_LINES: usize = 600;

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut faults = Vec::new();
    for source in sources::all() {
        let lines = source.code().lines().count();
        let Source { path, text } = source;
        if lines > MOST_LINES {
            faults.push(format!("{path} has {lines} lines; split it"));
        }
        let is_described = text.lines().find(|line| !line.is_empty()).is_some_and(|line| line.starts_with("//!"));
        if !is_described && path != "lib.rs" {
            faults.push(format!("{path} does not begin with what it decides (`//!`)"));
        }
    }
    assert!(faults.is_empty(), "\n  {}", faults.join("\n  "));
}

fn map() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/ARCHITECTURE.md")).unwrap()
}

/// Folders of tests are not modules of their own matter.
fn is_of_tests(folder: &str) -> bool {
    folder.ends_with("/tests")
}

#[test]
fn every_module_and_folder_is_on_the_map_and_what_is_on_it_exists() {
    let (map, sources) = (map(), sources::all());
    let mut faults = Vec::new();
    let library = &sources.iter().find(|source| source.path == "lib.rs").unwrap().text;
    for module in Regex::new(r"(?m)^pub mod (\w+);").unwrap().captures_iter(library) {
        if !map.contains(&format!("[`{}`]", &module[1])) {
            faults.push(format!("the module `{}` is not on the map", &module[1]));
        }
    }
    let folders: BTreeSet<_> =
        sources.iter().filter_map(|source| source.path.rsplit_once('/').map(|(folder, _)| folder)).collect();
    for folder in folders.iter().filter(|folder| folder.contains('/') && !is_of_tests(folder)) {
        if *folder != "ui/screens" && !map.contains(&format!("`{folder}`")) {
            faults.push(format!("the folder `{folder}` is not on the map"));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for named in Regex::new(r"`([a-z_0-9.]+(?:/[A-Za-z_0-9.-]+)+)`").unwrap().captures_iter(&map) {
        let path = &named[1];
        let places = [root.join(path), root.join("src").join(path), root.join(format!("src/{path}.rs"))];
        if !places.iter().any(|place| place.exists()) {
            faults.push(format!("`{path}` is on the map and nowhere else"));
        }
    }
    assert!(faults.is_empty(), "\n  {}", faults.join("\n  "));
}

/// Names with our prefix that no thread has: folders, ids of egui, a file.
const NO_THREADS: &[&str] = &["vacancy-", "vacancy-probe-", "vacancy-high-contrast", "vacancy-toasts"];

#[test]
fn the_threads_are_those_of_the_map() {
    let literal = Regex::new(r#""(vacancy-[a-z{}-]*)""#).unwrap();
    let mut in_code = BTreeSet::new();
    for source in sources::all() {
        in_code.extend(literal.captures_iter(&source.code()).map(|found| found[1].to_owned()));
    }
    in_code.retain(|name| !NO_THREADS.contains(&name.as_str()));
    let map = map();
    let table = map.split_once("## Threads").unwrap().1.split_once("\n\nThe engine").unwrap().0;
    let on_map = Regex::new(r"`(vacancy-[a-z{}-]*)`").unwrap();
    let on_map: BTreeSet<_> = on_map.captures_iter(table).map(|found| found[1].to_owned()).collect();
    assert_eq!(in_code, on_map);
}
