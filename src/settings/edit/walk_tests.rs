//! Changes taken back and made again on files that others have edited meanwhile.

use std::path::Path;

use super::*;
use crate::edit::{Value, unified_diff};
use crate::settings::amend::Amendment;

const FILE: &str = "# My models.\n\n[ui]\ntheme = 'dark' # by night\nzoom = 1.0\n\n\
    [[provider]]\nid = \"relay\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n\
    # The fast one.\n[[target]]\nid = \"a\"\nprovider = \"relay\"\nmodel = \"m\"\nprice = 2.5 # a guess\n\n\
    [[target]]\nid = \"b\"\nprovider = \"relay\"\nmodel = \"n\"\n\n\
    [[target]]\nid = \"c\"\nprovider = \"relay\"\nmodel = \"o\"\n\n\
    [[chain]]\nname = \"main\"\ntargets = [\"a\", \"b\", \"c\"] # best first\n";

fn file(text: &str) -> SettingsFile {
    SettingsFile::parse(Path::new("vacancy.toml"), text.to_owned())
}

fn put(table: &'static str, key: &'static str, value: Option<Value>) -> Vec<Amendment> {
    vec![Amendment::Put { table, key, value }]
}

fn target(id: &str, key: &'static str, value: Option<Value>) -> Vec<Amendment> {
    vec![Amendment::Target { id: id.into(), key, value }]
}

fn amended(text: &str, amendments: &[Amendment]) -> String {
    let mut file = file(text);
    amendments.iter().for_each(|amendment| file.amend(amendment).unwrap());
    file.text()
}

fn provider() -> Vec<Amendment> {
    use crate::core::target::{Dialect, Role};
    use crate::secrets::KeyRef;
    use crate::settings::discovery::{Proposal, ProposedProvider};
    let provider = ProposedProvider {
        id: "other".into(),
        preset: None,
        dialect: Dialect::OpenaiChat,
        base_url: Some("http://127.0.0.1:8/v1".to_owned()),
        key: KeyRef::None,
        headers: Vec::new(),
        query: Vec::new(),
        is_subscription: false,
    };
    let proposal = Proposal::named(provider.clone(), "other/x".into(), "x".into(), Role::Backup);
    vec![Amendment::AddProvider(Box::new(provider)), Amendment::AddTarget(Box::new(proposal))]
}

/// Every kind of change that the window makes.
fn changes() -> Vec<Vec<Amendment>> {
    let text = |text: &str| Some(Value::text(text));
    vec![
        put("ui", "theme", text("light")),
        put("ui", "theme", None),
        put("ui", "language", text("en")),
        put("notices", "recovered", Some(Value::Bool(false))),
        target("a", "price", Some(Value::Float(3.0))),
        target("a", "price", None),
        target("b", "probing", text("on-demand")),
        vec![Amendment::Chain("main".to_owned(), vec!["c".into(), "a".into(), "b".into()])],
        vec![Amendment::RemoveTarget("b".into())],
        vec![Amendment::RemoveTarget("a".into())],
        vec![Amendment::RemoveTarget("c".into())],
        vec![Amendment::RenameTarget("b".into(), "z".into())],
        vec![Amendment::RenameProvider("relay".into(), "mine".into())],
        vec![Amendment::AddChain { name: "short".to_owned(), tool: Some("codex"), targets: vec!["b".into()] }],
        vec![Amendment::Rule { tool: "codex", key: "failover", value: text("auto") }],
        provider(),
    ]
}

/// What another hand does: a text and what takes its place.
const HANDS: &[(&str, &str)] = &[
    ("# My models.", "# My models, and mine alone."),
    ("zoom = 1.0", "zoom = 1.5 # better"),
    ("# The fast one.", "# The fast one,\n# and the best."),
    ("dialect = \"openai-chat\"\n", "dialect = \"openai-chat\"\nproxy = \"http://127.0.0.1:7\"\n"),
    ("model = \"m\"\n", "model   =   \"mm\"\n"),
    ("model = \"o\"\n", "model = \"oo\"\nrole = \"backup\"\n"),
    ("# best first\n", "# best first\n\n[data]\nkeep_days = 30\n"),
    ("# by night", "# by night and day"),
];

#[test]
fn every_change_is_taken_back_and_made_again_beside_another_hands() {
    let mut wrong = Vec::new();
    for change in changes() {
        let after = amended(FILE, &change);
        for (old, new) in HANDS.iter().filter(|(old, _)| after.contains(old)) {
            let by_hand = after.replacen(old, new, 1);
            let undone = FILE.replacen(old, new, 1);
            // Back; and again, after another hand's next change.
            let next = |text: &str| text.replace("# My models", "# Models");
            for (now, from, to, expected) in
                [(&by_hand, &*after, FILE, undone.clone()), (&next(&undone), &*undone, &*by_hand, next(&by_hand))]
            {
                match file(now).walked(from, to) {
                    Ok(Walk { file: Some(file), thirds }) if file.text() == expected && thirds.is_empty() => {}
                    Ok(Walk { file, thirds }) => {
                        let diff = file.map(|file| unified_diff("", expected.as_bytes(), file.text().as_bytes()));
                        wrong.push(format!("{change:?} {new:?}\n{thirds:?}\n{}", diff.unwrap_or_default()));
                    }
                    Err(error) => wrong.push(format!("{change:?} {new:?}\n{error:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_same_with_carriage_returns_and_a_mark() {
    let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for change in changes() {
        let before = windows(FILE);
        let after = amended(&before, &change);
        let by_hand = after.replace("# My models", "# Models");
        let undone = file(&by_hand).walked(&after, &before);
        let undone = undone.unwrap_or_else(|error| panic!("{change:?} {error:?}"));
        assert_eq!(undone.file.unwrap().text(), before.replace("# My models", "# Models"), "{change:?}");
    }
}

#[track_caller]
fn conflict(change: &[Amendment], by_hand: impl Fn(&str) -> String, third: &str, anyway: Option<&str>) {
    let after = amended(FILE, change);
    let now = by_hand(&after);
    let walk = file(&now).walked(&after, FILE).unwrap();
    let said = |third: &Third| {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        format!("{}: {} for {}", third.spot.join("."), value(&third.now), value(&third.wanted))
    };
    assert_eq!(walk.thirds.iter().map(said).collect::<Vec<_>>().join("; "), third);
    assert_eq!(walk.file.map(|file| file.text()).as_deref(), anyway);
}

#[test]
fn a_third_value_is_told_and_can_be_overwritten() {
    let light = put("ui", "theme", Some(Value::text("light")));
    conflict(&light, |text| text.replace("'light'", "\"system\""), "ui.theme: \"system\" for \"dark\"", Some(FILE));
    // The line is gone.
    let without = |text: &str| text.replace("theme = 'light' # by night\n", "");
    conflict(&light, without, "ui.theme: - for \"dark\"", Some(FILE));
    // What was to be taken out says something else.
    let language = put("ui", "language", Some(Value::text("en")));
    conflict(&language, |text| text.replace("\"en\"", "\"zh-Hans\""), "ui.language: \"zh-Hans\" for -", Some(FILE));
    // The whole table is gone: there is nothing to be put back into.
    let dearer = target("b", "price", Some(Value::Float(3.0)));
    let gone =
        |text: &str| text.replace("[[target]]\nid = \"b\"\nprovider = \"relay\"\nmodel = \"n\"\nprice = 3.0\n\n", "");
    conflict(
        &target("a", "price", None),
        |text| text.replace("id = \"a\"", "id = \"d\""),
        "target.a.price: - for -",
        None,
    );
    // What comes back does not bring back the chain that it was in: that another hand has taken out.
    let chain = "[[chain]]\nname = \"main\"\ntargets = [\"a\", \"c\"] # best first\n";
    let back = FILE.replace("\n[[chain]]\nname = \"main\"\ntargets = [\"a\", \"b\", \"c\"] # best first\n", "");
    conflict(
        &[Amendment::RemoveTarget("b".into())],
        |text| text.replace(&format!("\n{chain}"), ""),
        "chain.main.targets: - for -",
        Some(&back),
    );
    let after = amended(FILE, &dearer);
    let walk = file(&gone(&after)).walked(&after, FILE).unwrap();
    assert_eq!((walk.thirds, walk.file.map(|file| file.text())), (vec![], Some(gone(&after))), "nothing is left of it");
    // An added table has got more.
    let more = |text: &str| text.replace(":8/v1\"\n", ":8/v1\"\nproxy = \"http://127.0.0.1:7\"\n");
    conflict(&provider(), more, "provider.other.proxy: \"http://127.0.0.1:7\" for -", Some(FILE));
    // Two orders of one list.
    let order = |all: [&str; 3]| vec![Amendment::Chain("main".to_owned(), all.map(Into::into).to_vec())];
    conflict(
        &order(["c", "a", "b"]),
        |text| amended(text, &order(["c", "b", "a"])),
        "chain.main.targets: [\"c\", \"b\", \"a\"] for [\"a\", \"b\", \"c\"]",
        Some(FILE),
    );
}

#[test]
fn what_is_as_it_was_already_is_no_conflict_and_lists_keep_what_others_put_in() {
    let light = put("ui", "theme", Some(Value::text("light")));
    conflict(&light, |text| text.replace("'light'", "\"dark\""), "", Some(&FILE.replace("'dark'", "\"dark\"")));
    let after = amended(FILE, &provider());
    let by_hand = after.replace("[\"a\", ", "[\"b2\", \"a\", ").replace("# best first", "# by me");
    let undone = file(&by_hand).walked(&after, FILE).unwrap();
    let expected = FILE.replace("[\"a\", ", "[\"b2\", \"a\", ").replace("# best first", "# by me");
    assert_eq!((undone.file.unwrap().text(), undone.thirds), (expected.clone(), vec![]));
    let redone = file(&expected).walked(FILE, &after).unwrap();
    assert_eq!(redone.thirds, []);
    let redone = redone.file.unwrap().text();
    assert!(redone.contains("\"other/x\"") && redone.contains("\"b2\", \"a\""), "{redone}");
}

#[test]
fn a_comment_that_another_hand_wrote_is_asked_about_before_it_goes() {
    let order = vec![Amendment::Chain("main".to_owned(), ["b", "a", "c"].map(Into::into).to_vec())];
    let lines =
        |text: &str| text.replace("[\"b\", \"a\", \"c\"]", "[\n  \"b\", # for tests\n  # \"old\",\n  \"a\", \"c\",\n]");
    let said = "chain.main.targets: # for tests for -; chain.main.targets: # \"old\", for -";
    conflict(&order, lines, said, Some(FILE));
    let kept = |text: &str| text.replace("id = \"other\"", "id = \"other\" # bought in May");
    conflict(&provider(), kept, "provider.other: # bought in May for -", Some(FILE));
    let language = put("ui", "language", Some(Value::text("en")));
    conflict(
        &language,
        |text| text.replace("\"en\"", "\"en\" # not German"),
        "ui.language: # not German for -",
        Some(FILE),
    );
}

#[test]
fn tables_are_known_by_name_wherever_they_stand() {
    let change = target("b", "price", Some(Value::Float(3.0)));
    let after = amended(FILE, &change);
    let own = "[[target]]\nid = \"b\"\nprovider = \"relay\"\nmodel = \"n\"\nprice = 3.0\n\n";
    let moved = after.replace(own, "").replace("# The fast one.", &format!("{own}# The fast one."));
    let undone = file(&moved).walked(&after, FILE).unwrap();
    assert_eq!((undone.file.unwrap().text(), undone.thirds), (moved.replace("price = 3.0\n", ""), vec![]));
}

#[test]
fn a_broken_file_is_refused() {
    let after = amended(FILE, &put("ui", "theme", Some(Value::text("light"))));
    let refused = file(&after.replace("[ui]", "[ui")).walked(&after, FILE);
    assert!(matches!(refused, Err(WriteError::Invalid { .. })), "{refused:?}");
}
