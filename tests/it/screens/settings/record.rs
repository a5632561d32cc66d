//! The section of the record on real files: backed up and compacted in use, put back, deleted, and killed in the midst.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use jiff::Timestamp;
use vacancy::app::leaving::{Last, belongings, leave_word, word_left};
use vacancy::clock::SystemClock;
use vacancy::core::outcome::{Kind, Scope};
use vacancy::core::sample::{Sample, Source};
use vacancy::settings::{Settings, SettingsFile};
use vacancy::store::{Options, Reader, Store, list_backups, set_aside_files};
use vacancy::ui::screens::settings::fields::Section;
use vacancy::ui::screens::settings::question::{Answer, Part, Question};
use vacancy::ui::settings::{Ask, Told};

use super::{FILE, Home, chinese, click, english, type_into};

fn open(home: &Home) -> Store {
    let store = Store::open(&home.amender.roots.database(), Options::default(), Arc::new(SystemClock)).unwrap();
    // Opened on a thread of its own.
    store.handle().check().wait().unwrap();
    store
}

fn sample(minute: i64) -> Sample {
    Sample {
        target: "luna".into(),
        source: Source::Probe,
        at: Timestamp::from_second(1_790_000_000 + minute * 60).unwrap(),
        kind: Kind::Available,
        scope: Scope::Model,
        http_status: Some(200),
        connect_ms: None,
        first_token_ms: Some(400),
        total_ms: Some(900),
        retry_after_s: None,
        rule: "answered".into(),
    }
}

fn samples(database: &Path) -> u64 {
    Reader::open(database, Duration::from_secs(1)).unwrap().info().unwrap().samples
}

/// A home whose record has three samples, and a backup of the first two.
fn kept() -> (Home, Store) {
    let mut home = Home::new(FILE);
    let store = open(&home);
    home.amender.store = Some(store.handle());
    store.handle().append_batch(vec![sample(0), sample(10)]).wait().unwrap();
    store.handle().backup().wait().unwrap();
    store.handle().append(sample(20)).wait().unwrap();
    (home, store)
}

fn now() -> Timestamp {
    "2026-11-29T13:27:00Z".parse().unwrap()
}

/// Does what was left for the time when all is closed.
fn carry_out(home: &Home) -> String {
    let last = home.amender.last.lock().unwrap().take();
    let last: Last = last.expect("something is left to be done");
    last.carry_out(&home.amender.roots, &home.amender.env, now(), &home.amender.tr.now())
}

#[test]
fn the_record_is_backed_up_and_compacted_while_it_is_in_use() {
    let (home, _store) = kept();
    let path = home.amender.roots.database();
    let mut harness = home.harness(Section::Data, english());
    for backup in list_backups(&path) {
        fs::remove_file(backup).unwrap();
    }
    click(&home, &mut harness, Role::Button, "Back up now");
    assert_eq!(samples(list_backups(&path).last().unwrap()), 3);
    click(&home, &mut harness, Role::Button, "Compact");
    assert!(harness.state().window.settings().care.is_none(), "it is told that it is done");
    type_into(&home, &mut harness, "Keep samples for days", "3", Key::Enter);
    harness.get_by_label_contains("`keep_days` cannot be 3");
    type_into(&home, &mut harness, "Keep samples for days", "90", Key::Enter);
    assert!(home.text().contains("keep_days = 90"));
}

#[test]
fn a_backup_is_chosen_and_takes_the_records_place_when_all_is_closed() {
    let (home, store) = kept();
    let path = home.amender.roots.database();
    let mut harness = home.harness(Section::Data, english());
    click(&home, &mut harness, Role::Button, "Restore a backup…");
    assert!(harness.query_all_by_label_contains("1 model · 2 samples").next().is_some());
    click(&home, &mut harness, Role::Button, "Restore and open again");
    harness.get_by_label_contains("Restoring…");
    assert_eq!(samples(&path), 3, "nothing is different while the record is in use");
    drop((harness, store));
    let words = carry_out(&home);
    assert_eq!(samples(&path), 2);
    let aside = set_aside_files(&path);
    assert_eq!((aside.len(), samples(&aside[0])), (1, 3), "the record of then is kept: {aside:?}");
    assert!(words.contains(&aside[0].display().to_string()), "{words}");
    assert_eq!(open(&home).handle().read(|reader| Ok(reader.info()?.samples)).wait().unwrap(), 2);

    // What was set aside can be put back in the same way.
    let Told::Copies(copies) = home.amender.answer(Ask::Copies) else { panic!() };
    let kept: Vec<_> = copies.iter().map(|copy| (copy.is_set_aside, copy.holds.as_ref().unwrap().samples)).collect();
    assert_eq!(kept, [(false, 2), (true, 3)]);
    home.amender.answer(Ask::Answer(Answer::Restore(aside[0].clone())));
    carry_out(&home);
    assert_eq!(samples(&path), 3);
}

#[test]
fn a_copy_that_is_not_in_order_cannot_be_chosen_and_the_way_of_a_restore_is_told() {
    let (home, store) = kept();
    let path = home.amender.roots.database();
    let bad = path.with_file_name("backups").join("vacancy-20300101T000000Z.sqlite");
    fs::write(&bad, b"no database at all, though it is long enough to look like a file of some kind").unwrap();
    let mut harness = home.harness(Section::Data, english());
    click(&home, &mut harness, Role::Button, "Restore a backup…");
    let picked = match harness.state().window.settings().question.clone() {
        Some(Question::Restore { picked, .. }) => picked.unwrap(),
        other => panic!("{other:?}"),
    };
    assert_ne!(picked, bad, "the newest good one is proposed");
    let Told::Cared(_, words) = home.amender.answer(Ask::Answer(Answer::Restore(bad))) else { panic!() };
    assert!(!words.is_empty());
    assert!(home.amender.last.lock().unwrap().is_none());

    let heard = Mutex::new(Vec::new());
    let told =
        home.amender.answer_telling(Ask::Answer(Answer::Restore(picked)), &|told| heard.lock().unwrap().push(told));
    assert!(matches!(told, Told::Leaving(_)), "{told:?}");
    assert!(matches!(heard.lock().unwrap().last(), Some(Told::Progress(_, 100))), "{heard:?}");
    // Another Vacancy still has the record open: nothing is exchanged under it.
    let words = carry_out(&home);
    assert!(words.contains("in use"), "{words}");
    assert_eq!(samples(&path), 3);
    assert!(!path.with_file_name("vacancy.sqlite.ready").exists(), "no copy is left");
    drop(store);
}

#[test]
fn everything_is_deleted_once_the_word_is_typed_and_the_next_start_is_the_first() {
    for (tr, button, delete, field, word) in [
        (english(), "Delete everything…", "Delete", "Type “delete” to go on:", "delete"),
        (chinese(), "全部删除…", "删除", "输入“删除”或 delete 以继续：", "删除"),
        (chinese(), "全部删除…", "删除", "输入“删除”或 delete 以继续：", "delete"),
    ] {
        let (mut home, store) = kept();
        home.amender.tr = tr.clone().into();
        let roots = &home.amender.roots;
        fs::create_dir_all(roots.cache.join("demo/data")).unwrap();
        fs::write(roots.cache.join("demo/data/vacancy.sqlite"), "planted").unwrap();
        fs::write(roots.cache.join("window.json"), "{}").unwrap();
        fs::write(roots.data.join("switches.jsonl"), "").unwrap();
        fs::write(roots.config.join("notes.txt"), "not of the program").unwrap();

        let mut harness = home.harness(Section::Data, tr.clone());
        click(&home, &mut harness, Role::Button, button);
        assert!(harness.query_all_by_label_contains("vacancy.sqlite").count() > 1, "what goes is said");
        click(&home, &mut harness, Role::Button, delete);
        assert!(home.amender.last.lock().unwrap().is_none(), "not before the word");
        type_into(&home, &mut harness, field, word, Key::Tab);
        click(&home, &mut harness, Role::Button, delete);
        drop((harness, store));
        let words = carry_out(&home);
        assert_eq!(words, tr.text("settings-screen-erased"));
        assert_eq!(belongings(roots, &home.amender.env), []);
        assert!(!roots.data.exists() && !roots.cache.exists());
        assert_eq!(fs::read_dir(&roots.config).unwrap().count(), 1, "what is not ours stays");

        leave_word(roots, &words);
        assert_eq!((word_left(roots), word_left(roots)), (Some(words), None), "it is said once");
    }
}

#[test]
fn only_the_parts_that_are_ticked_are_deleted() {
    for (untick, gone) in [
        ([Part::Settings, Part::Backups], Part::Record),
        ([Part::Record, Part::Backups], Part::Settings),
        ([Part::Record, Part::Settings], Part::Backups),
    ] {
        let (home, store) = kept();
        let mut harness = home.harness(Section::Data, english());
        click(&home, &mut harness, Role::Button, "Delete everything…");
        for part in untick {
            let start = english().text(&format!("settings-screen-part-{}", part.name()));
            let is_its = |node: &egui_kittest::Node<'_>| {
                node.accesskit_node().label().is_some_and(|label| label.starts_with(&start))
            };
            harness.get_all_by_role(Role::CheckBox).find(is_its).unwrap().click();
            home.settle(&mut harness);
        }
        type_into(&home, &mut harness, "Type “delete” to go on:", "delete", Key::Tab);
        click(&home, &mut harness, Role::Button, "Delete");
        drop((harness, store));
        carry_out(&home);
        let left: BTreeSet<Part> =
            belongings(&home.amender.roots, &home.amender.env).iter().map(|one| one.part).collect();
        assert_eq!(left, Part::ALL.into_iter().filter(|part| *part != gone).collect(), "{gone:?}");
    }
}

#[test]
fn whatever_is_left_of_a_deletion_that_was_killed_the_program_starts() {
    let (home, store) = kept();
    // Still open: its log and its lock are there, as after a kill.
    let all = belongings(&home.amender.roots, &home.amender.env);
    assert!(all.len() > 5, "{all:?}");
    let root = home.amender.roots.config.parent().unwrap();
    for deleted in 0..=all.len() {
        let copy = tempfile::tempdir().unwrap();
        for path in all.iter().skip(deleted).map(|one: &_| PathBuf::from(&one.path)) {
            let to = copy.path().join(path.strip_prefix(root).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(path, to).unwrap();
        }
        let database = copy.path().join("data/vacancy.sqlite");
        let opened = Store::open(&database, Options::default(), Arc::new(SystemClock)).unwrap();
        opened.handle().append(sample(30)).wait().unwrap();
        assert!(opened.handle().health().borrow().trouble.is_none(), "after {deleted} of {all:?}");
        drop(opened);
        let expected = if deleted == 0 { 4 } else { 1 };
        assert_eq!(samples(&database), expected, "after {deleted} of {all:?}");
        let file = copy.path().join("config/vacancy.toml");
        assert_eq!(Settings::load(&file).is_ok(), file.exists());
        assert_eq!(SettingsFile::read(&file).is_ok(), file.exists());
    }
    drop(store);
}

/// Puts the record behind a link, as who keeps it on another disk does. The file it leads to.
#[cfg(unix)]
fn move_away(home: &Home) -> PathBuf {
    let path = home.amender.roots.database();
    let other = home.amender.roots.home.join("disk");
    fs::create_dir_all(&other).unwrap();
    let real = other.canonicalize().unwrap().join("record.sqlite");
    fs::rename(&path, &real).unwrap();
    std::os::unix::fs::symlink(&real, &path).unwrap();
    real
}

#[test]
#[cfg(unix)]
fn a_record_behind_a_link_is_restored_where_it_lies_and_deleted_there() {
    let (home, store) = kept();
    drop(store);
    let path = home.amender.roots.database();
    let real = move_away(&home);
    let backup = list_backups(&path).pop().unwrap();
    home.amender.answer_telling(Ask::Answer(Answer::Restore(backup)), &|_| ());
    let words = carry_out(&home);
    assert!(path.is_symlink() && real.is_file(), "{words}");
    let aside = set_aside_files(&path);
    assert_eq!(aside.len(), 1, "the record that was there is kept beside the new one");
    assert_eq!(samples(&path), samples(&real));

    *home.amender.last.lock().unwrap() = Some(Last::Erase(Part::ALL.to_vec()));
    let words = carry_out(&home);
    assert_eq!(words, english().text("settings-screen-erased"));
    assert!(!real.exists() && !path.is_symlink(), "all is gone, as it is said");
}
