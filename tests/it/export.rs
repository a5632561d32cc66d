//! The record as text and back, through the real program.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use proptest::collection::vec;
use proptest::prelude::*;
use vacancy::cli::export::Format;
use vacancy::cli::import::{BadLine, Record, Why, parse};

struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn vacancy(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.env("LC_ALL", "C").arg("--data").arg(self.file("home")).args(args);
        command
    }

    /// Runs it, wants the exit code, and gives standard output and error.
    fn run(&self, args: &[&str], code: i32) -> (String, String) {
        let output = self.vacancy(args).assert().code(code).get_output().clone();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn import(&self, text: &str, args: &[&str], code: i32) -> (String, String) {
        let output =
            self.vacancy(&[&["import", "-"], args].concat()).write_stdin(text).assert().code(code).get_output().clone();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn export(&self, args: &[&str]) -> String {
        self.run(&[&["export"], args].concat(), 0).0
    }

    fn database(&self) -> PathBuf {
        self.file("home/data/vacancy.sqlite")
    }
}

const HEADER: &str = "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,retry_after_s,rule\n";

const SMALL: &str = "\
a,acme,fast-1,openai-chat,probe,2024-03-01T00:00:00.000Z,available,model,200,21,640,901,,ok
a,acme,fast-1,openai-chat,tool-log,2024-03-01T00:10:00.007Z,at_capacity,provider,529,,,,30,anthropic-overloaded
a,acme,fast-1,openai-chat,probe,2024-03-01T00:20:00.000Z,skipped,local,,,,,,offline
\"b, \"\"quoted\"\"\",,模型,some-new-dialect,relay,2024-03-02T23:59:59.999Z,timeout,model,,,,30000,,\"=1+1, rule\"
";

#[test]
fn the_columns_are_the_contract_and_come_back_byte_for_byte() {
    let world = World::new();
    let text = format!("{HEADER}{SMALL}");
    let (out, err) = world.import(&text, &[], 0);
    assert_eq!((out.as_str(), err.as_str()), ("4 samples added, 0 already there, 0 too old, 0 bad lines\n", ""));
    assert_eq!(world.export(&[]), text);
    let (out, _) = world.import(&text, &[], 0);
    assert_eq!(out, "0 samples added, 4 already there, 0 too old, 0 bad lines\n");
    assert_eq!(world.export(&[]), text, "importing twice changes nothing");
}

#[test]
fn json_has_the_same_values_with_null_for_what_was_not_measured() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let lines = world.export(&["--format", "jsonl"]);
    let objects: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let array: Vec<serde_json::Value> = serde_json::from_str(&world.export(&["--format", "json"])).unwrap();
    assert_eq!(objects, array);
    assert_eq!(
        objects[1],
        serde_json::json!({
            "target": "a", "provider": "acme", "model": "fast-1", "dialect": "openai-chat", "source": "tool-log",
            "at": "2024-03-01T00:10:00.007Z", "kind": "at_capacity", "scope": "provider", "http_status": 529,
            "connect_ms": null, "first_token_ms": null, "total_ms": null, "retry_after_s": 30,
            "rule": "anthropic-overloaded",
        })
    );
    assert_eq!(objects[3]["target"], "b, \"quoted\"");
}

#[test]
fn every_format_round_trips_into_a_fresh_record() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    for format in ["csv", "json", "jsonl"] {
        let text = world.export(&["--format", format]);
        let other = World::new();
        // Once with the format named, once by its content.
        other.import(&text, &["--format", format], 0);
        assert_eq!(other.export(&["--format", format]), text);
        let third = World::new();
        third.import(&text, &[], 0);
        assert_eq!(third.export(&[]), world.export(&[]));
        let buckets = ["--what", "buckets"];
        assert_eq!(third.export(&buckets), world.export(&buckets), "and the buckets are the same");
    }
}

proptest! {
    #![proptest_config(crate::support::properties::cases(12))]

    #[test]
    fn any_texts_round_trip(target in "[ -~\u{e9}\u{4e2d}\u{202e}]{1,12}", texts in vec("[ -~\n\r\t\u{e9}\u{4e2d}\u{202e}]{1,12}", 3), times in vec(1_420_070_400_000i64..1_772_323_200_000, 1..20)) {
        let world = World::new();
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(HEADER.trim_end().split(',')).unwrap();
        let mut times = times;
        times.sort_unstable();
        times.dedup();
        for ms in times {
            let at = format!("{:.3}", jiff::Timestamp::from_millisecond(ms).unwrap());
            let (provider, model, rule) = (&texts[0], &texts[1], &texts[2]);
            writer.write_record([&target, provider, model, "x", "probe", &at, "available", "model", "200", "1", "2", "3", "4", rule]).unwrap();
        }
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        world.import(&text, &[], 0);
        prop_assert_eq!(world.export(&[]), text);
        let json = world.export(&["--format", "json"]);
        let other = World::new();
        other.import(&json, &[], 0);
        prop_assert_eq!(other.export(&["--format", "json"]), json);
    }
}

#[test]
fn buckets_tell_observed_time_and_counts() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let text = world.export(&["--what", "buckets", "--target", "a"]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let value = |row: usize, column: &str| rows[row][header.iter().position(|name| name == column).unwrap()].to_owned();
    // Up for half of the 10 min and 7 ms between the two, full from there until the skip at 00:20.
    assert_eq!((value(0, "start"), value(0, "up_ms")), ("2024-03-01T00:00:00.000Z".to_owned(), "300003".to_owned()));
    assert_eq!((value(0, "full_ms"), value(1, "full_ms")), ("599997".to_owned(), "300000".to_owned()));
    assert_eq!((value(0, "samples"), value(0, "counted"), value(1, "skipped")), ("2".into(), "2".into(), "1".into()));
    assert_eq!((value(0, "first_tokens"), value(1, "first_token_p50_ms")), ("1".into(), String::new()));
    let objects: Vec<serde_json::Value> =
        serde_json::from_str(&world.export(&["--what", "buckets", "--format", "json", "--target", "a"])).unwrap();
    assert_eq!((&objects[0]["full_ms"], &objects[0]["at_capacity"]), (&599_997.into(), &1.into()));
}

#[test]
fn ranges_and_targets_narrow_it() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let rows = |args: &[&str]| world.export(args).lines().count() - 1;
    assert_eq!(rows(&["--from", "2024-03-01T00:10:00.007Z"]), 3, "from is included");
    assert_eq!(rows(&["--to", "2024-03-01T00:10:00.007Z"]), 1, "to is not");
    assert_eq!(rows(&["--from", "2024-03-02"]), 1, "a date is its midnight in UTC");
    assert_eq!(rows(&["--target", "a", "--target", "b, \"quoted\""]), 4);
    let (_, err) = world.run(&["export", "--target", "nope"], 2);
    assert!(err.contains("nope") && err.contains("Known: a"), "{err}");
    world.run(&["export", "--from", "yesterday"], 2);
}

#[test]
fn a_file_appears_whole_and_is_not_replaced_unasked() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let file = world.file("out.jsonl");
    let path = file.to_str().unwrap();
    let (out, err) = world.run(&["export", "--out", path], 0);
    assert_eq!((out.as_str(), err.contains("4 rows")), ("", true));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, world.export(&["--format", "jsonl"]), "its name decides the format");
    fs::write(&file, "the user's").unwrap();
    world.run(&["export", "--out", path], 3);
    assert_eq!(fs::read_to_string(&file).unwrap(), "the user's");
    world.run(&["export", "--out", path, "--force"], 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let left: Vec<_> = fs::read_dir(world.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "no temporary file stays: {left:?}");
    let (_, err) = world.run(&["export", "--out", world.file("no/such/folder.csv").to_str().unwrap()], 1);
    assert!(err.contains("folder.csv"), "{err}");
}

#[test]
fn bad_lines_are_told_and_strict_refuses_all() {
    let world = World::new();
    let text = format!(
        "{HEADER}{}a,,,,probe,2024-03-01T01:00:00Z,on_holiday,model,,,,,,\na,,,,probe,soon,available,model,,,,,,\n\
         a,,,,probe,2024-03-01T01:10:00Z,available,model,200,-1,,,,\n,,,,probe,2024-03-01T01:10:00Z,available,model,,,,,,\na,b\n",
        SMALL
    );
    let (_, err) = world.import(&text, &["--strict"], 3);
    assert!(err.contains("Nothing was added: 5 lines are bad"), "{err}");
    assert!(!world.database().exists());
    let (out, err) = world.import(&text, &[], 0);
    assert_eq!(out, "4 samples added, 0 already there, 0 too old, 5 bad lines\n");
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(
        lines,
        [
            "line 6: kind cannot be on_holiday; it is one of available, at_capacity, rate_limited, usage_limit, \
             quota_exhausted, auth, forbidden, model_not_found, bad_request, content_filtered, misconfigured, \
             server_error, timeout, network, unrecognized, skipped",
            "line 7: at cannot be soon; write it like 2026-03-01T14:30:00.000Z",
            "line 8: connect_ms cannot be -1",
            "line 9: target is missing",
            "line 10: source is missing",
        ]
    );
    let (_, err) = world.import("name,value\n1,2\n", &[], 2);
    assert!(err.contains("lacks the column target") && err.contains("target,provider"), "{err}");
}

#[test]
fn columns_may_stand_in_any_order_and_some_may_be_absent() {
    let world = World::new();
    world.import(
        "\u{feff}scope,at,note,kind,target,source\nmodel,2024-03-01T00:00:00+08:00,hi,available,a,probe\n",
        &[],
        0,
    );
    let expected = "a,,,,probe,2024-02-29T16:00:00.000Z,available,model,,,,,,\n";
    assert_eq!(world.export(&[]), format!("{HEADER}{expected}"));
}

#[test]
fn known_targets_keep_what_they_have() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    world.import(
        &format!("{HEADER}a,other,other,other,probe,2024-04-01T00:00:00.000Z,available,model,,,,,,\n"),
        &[],
        0,
    );
    let text = world.export(&["--from", "2024-04-01"]);
    assert!(
        text.ends_with("a,acme,fast-1,openai-chat,probe,2024-04-01T00:00:00.000Z,available,model,,,,,,\n"),
        "{text}"
    );
}

#[test]
fn broken_json_is_told_where_it_breaks() {
    let read = |text: &str| {
        let (mut good, mut bad) = (0, Vec::new());
        let each = |record: Result<Record<'_>, BadLine>| {
            match record {
                Ok(_) => good += 1,
                Err(line) => bad.push((line.number, line.is_entry, matches!(line.why, Why::Json(_)))),
            }
            Ok::<_, ()>(())
        };
        parse(&mut text.as_bytes(), None, jiff::Timestamp::MAX, each).unwrap().unwrap();
        (good, bad)
    };
    let sample = r#"{"target":"a","source":"probe","at":"2024-03-01T00:00:00Z","kind":"available","scope":"model"}"#;
    assert_eq!(read(&format!("[{sample},\n{sample}]")), (2, vec![]));
    assert_eq!(read(&format!("[{sample},\n7,\n{sample}")), (2, vec![(2, true, false), (3, false, true)]));
    assert_eq!(read(&format!("{sample}\n\n{{\"target\n[1]\n{sample}")), (2, vec![(3, false, true), (4, false, false)]));
    assert_eq!(read(""), (0, vec![]));
}

proptest! {
    #![proptest_config(crate::support::properties::cases(256))]

    #[test]
    fn no_input_panics(bytes in vec(any::<u8>(), 0..200), head in prop::sample::select(vec!["", "[", "{", HEADER])) {
        let input = [head.as_bytes(), &bytes].concat();
        let _ = parse(&mut &input[..], None, jiff::Timestamp::MAX, |_| Ok::<_, ()>(()));
    }
}

#[test]
fn a_closed_pipe_is_no_fault() {
    let world = World::new();
    let rows: String = (0..20_000)
        .map(|n| {
            format!(
                "a,,,,probe,2024-03-01T{:02}:{:02}:{:02}.000Z,available,model,,,,,,\n",
                n / 3600,
                n / 60 % 60,
                n % 60
            )
        })
        .collect();
    world.import(&format!("{HEADER}{rows}"), &[], 0);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_vacancy"))
        .arg("--data")
        .arg(world.file("home"))
        .arg("export")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn without_a_record_it_says_so_and_makes_none() {
    let world = World::new();
    for args in
        [&["export"][..], &["db", "info"], &["db", "check"], &["db", "rebuild"], &["db", "compact"], &["db", "backup"]]
    {
        let (_, err) = world.run(args, 1);
        assert!(err.contains("no record yet"), "{args:?}: {err}");
    }
    assert!(!world.database().exists());
}

#[test]
fn db_tells_and_looks_after_the_file() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let info: serde_json::Value = serde_json::from_str(&world.run(&["db", "info", "--json"], 0).0).unwrap();
    assert_eq!((&info["samples"], &info["targets"]), (&4.into(), &2.into()));
    assert_eq!(info["last_at"], "2024-03-02T23:59:59.999Z");
    assert!(world.run(&["db"], 0).0.contains("2024-03-01T00:00:00.000Z"));
    assert!(world.run(&["--lang", "zh-Hans", "db"], 0).0.contains("样本"));
    assert!(world.run(&["db", "check"], 0).0.contains("in order"));
    let (out, _) = world.run(&["db", "backup"], 0);
    let backup = Path::new(out.trim_end().strip_prefix("Backup written to ").unwrap()).to_path_buf();
    assert!(backup.exists());
    world.run(&["db", "rebuild"], 0);
    world.run(&["db", "compact"], 0);

    // No terminal: nothing happens without --yes.
    let before = world.export(&[]);
    world.run(&["db", "prune", "--days", "1"], 4);
    world.run(&["db", "restore"], 4);
    assert_eq!(world.export(&[]), before);
    let buckets = world.export(&["--what", "buckets"]);
    let (out, _) = world.run(&["db", "prune", "--days", "0", "--yes"], 0);
    assert_eq!(out, "4 samples deleted; their quarter hours stay.\n");
    assert_eq!(world.export(&[]), HEADER);
    assert_eq!(world.export(&["--what", "buckets"]), buckets);
    let (out, err) = world.import(&before, &[], 0);
    assert!(out.contains("4 too old") && err.contains("final"), "{out}{err}");
    let (out, _) = world.run(&["db", "restore", "--yes"], 0);
    assert!(out.contains(backup.to_str().unwrap()) && out.contains("replaced"), "{out}");
    assert_eq!(world.export(&[]), before);
}

#[test]
fn a_damaged_record_is_told_by_check_and_replaced_by_the_next_write() {
    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    fs::write(world.database(), vec![7; 30_000]).unwrap();
    let (_, err) = world.run(&["db", "check"], 1);
    assert!(err.contains("damaged") && err.contains("db restore"), "{err}");
    let (_, err) = world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    assert!(err.contains("set aside") && err.contains("fresh"), "{err}");
    assert_eq!(world.export(&[]).lines().count(), 5);
}

/// One sample of a clock at its epoch, or of a far future, would stretch the record over centuries: every rebuild,
/// simulation and heatmap walks it. A day ahead is another machine's clock.
#[test]
fn times_that_no_answer_can_have_are_bad_lines() {
    let world = World::new();
    let row = |at: &str| format!("a,,,,probe,{at},available,model,,,,,,\n");
    let soon = vacancy::clock::Clock::now(&vacancy::clock::SystemClock) + jiff::SignedDuration::from_hours(20);
    let text = ["-000001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2014-12-31T23:59:59Z", "2099-01-01T00:00:00Z"]
        .map(row)
        .concat();
    let (out, err) =
        world.import(&format!("{HEADER}{text}{}{}", row("2015-01-01T00:00:00Z"), row(&soon.to_string())), &[], 0);
    assert_eq!(out, "2 samples added, 0 already there, 0 too old, 4 bad lines\n");
    assert!(err.starts_with("line 2: at cannot be -000001-01-01T00:00:00Z\n"), "{err}");
    assert!(err.contains("line 5: at cannot be 2099-01-01T00:00:00Z"), "{err}");
}

/// What an import was given is never written to the terminal raw.
#[test]
fn names_and_values_with_control_characters_are_bad_lines() {
    let world = World::new();
    let text = "a\u{1b}[31m,,,,probe,2024-03-01T00:00:00Z,available,model,,,,,,\n\
                b,,,,probe,2024-03-01T00:00:00Z,avail\u{1b}[2Jable,model,,,,,,\n\
                c,,,,probe,2024-03-01T00:00:00Z,available,model,,,,,,\n";
    let (out, err) = world.import(&format!("{HEADER}{text}"), &[], 0);
    assert_eq!(out, "1 sample added, 0 already there, 0 too old, 2 bad lines\n");
    assert!(!err.contains('\u{1b}'), "{err:?}");
    assert!(err.contains(r"a\u{1b}[31m"), "{err}");
}

#[test]
fn a_record_without_an_end_fills_no_memory() {
    use std::io::{BufReader, Read as _, repeat};

    for (format, head) in [(Format::Csv, format!("{HEADER}\"")), (Format::Json, "[{\"target\":\"".to_owned())] {
        let endless = head.as_bytes().chain(repeat(b'a'));
        let mut bad = 0;
        let each = |record: Result<Record<'_>, BadLine>| {
            bad += usize::from(record.is_err());
            Ok::<_, ()>(())
        };
        let read = parse(&mut BufReader::new(endless), Some(format), jiff::Timestamp::MAX, each);
        assert!(read.is_err() || bad == 1, "{format:?}");
    }
}

/// `--force` replaces a file. It does not turn a device into one, and it does not cut a link off from its file.
#[cfg(unix)]
#[test]
fn links_and_pipes_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt as _;

    let world = World::new();
    world.import(&format!("{HEADER}{SMALL}"), &[], 0);
    let (link, behind, pipe) = (world.file("link.csv"), world.file("behind.csv"), world.file("pipe"));
    fs::write(&behind, "old").unwrap();
    std::os::unix::fs::symlink(&behind, &link).unwrap();
    world.run(&["export", "--out", link.to_str().unwrap(), "--force"], 0);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&behind).unwrap(), world.export(&[]));

    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let from = pipe.clone();
    let read = move || fs::read_to_string(from).unwrap();
    let reader = std::thread::Builder::new().name("reader".into()).spawn(read).unwrap();
    world.run(&["export", "--out", pipe.to_str().unwrap(), "--force"], 0);
    assert_eq!(reader.join().unwrap(), world.export(&[]));
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
}

/// Samples of two machines that know one target in common: one at noon, one in the evening, and one sample of both.
fn machine(only: &str, hours: std::ops::Range<u32>) -> String {
    let mut text = HEADER.to_owned();
    for hour in hours {
        for minute in ["00", "10", "20", "31", "50"] {
            let kind = if hour % 5 == 0 { "at_capacity,model,503,20,," } else { "available,model,200,20,640," };
            for target in ["shared", only] {
                text += &format!(
                    "{target},acme,{target}-1,openai-chat,probe,2024-03-01T{hour:02}:{minute}:00.000Z,{kind}900,,rule\n"
                );
            }
        }
    }
    text
}

#[test]
fn two_machines_merge_into_equal_records_in_both_directions() {
    let (a, b) = (World::new(), World::new());
    // The hours overlap: samples of the shared target between them are the same on both.
    a.import(&machine("only-a", 3..14), &[], 0);
    b.import(&machine("only-b", 10..20), &[], 0);
    let (from_a, from_b) = (a.export(&["--format", "jsonl"]), b.export(&["--format", "json"]));
    let (out, _) = b.import(&from_a, &[], 0);
    assert_eq!(out, "90 samples added, 20 already there, 0 too old, 0 bad lines\n");
    a.import(&from_b, &[], 0);
    let both = a.export(&[]);
    assert_eq!(both.lines().count(), 1 + 110 + 100 - 20);
    assert_eq!(b.export(&[]), both);
    for format in ["csv", "json", "jsonl"] {
        let buckets = ["--what", "buckets", "--format", format];
        assert_eq!(b.export(&buckets), a.export(&buckets), "the quarter hours are those of all samples");
    }
    // And they are what a rebuild makes of them.
    let grown = a.export(&["--what", "buckets"]);
    a.run(&["db", "rebuild"], 0);
    assert_eq!(a.export(&["--what", "buckets"]), grown);
    a.import(&b.export(&[]), &[], 0);
    assert_eq!(a.export(&[]), both, "importing again changes nothing");
}

#[test]
fn buckets_have_one_row_a_quarter_hour_in_every_format() {
    let world = World::new();
    world.import(&machine("b", 4..8), &[], 0);
    let csv = world.export(&["--what", "buckets"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let lines = world.export(&["--what", "buckets", "--format", "jsonl"]);
    let objects: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let array = world.export(&["--what", "buckets", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&array).unwrap(), objects);
    assert_eq!(rows.len(), objects.len());
    for (row, object) in rows.iter().zip(&objects) {
        for (name, field) in head.iter().zip(row) {
            let same = match &object[name] {
                serde_json::Value::Null => field.is_empty(),
                serde_json::Value::String(text) => field == text,
                number => field == format!("{number}"),
            };
            assert!(same, "{name}: {field} and {}", object[name]);
        }
        let observed: u64 = ["up_ms", "full_ms", "fault_ms"].iter().map(|name| object[*name].as_u64().unwrap()).sum();
        assert!((1..=900_000).contains(&observed));
    }
}

/// What an export that is under way calls itself.
#[cfg(unix)]
fn parts(folder: &Path) -> Vec<PathBuf> {
    let is_part = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(".vacancy-export-");
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_part).collect()
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_half_file_and_the_old_one_stays() {
    use rustix::process::{Pid, Signal, kill_process};

    let world = World::new();
    let mut text = HEADER.to_owned();
    for n in 0..60_000 {
        let at = jiff::Timestamp::from_second(1_709_251_200 + n * 30).unwrap();
        text += &format!("a,acme,a-1,openai-chat,probe,{at:.3},available,model,200,20,640,900,,rule\n");
    }
    world.import(&text, &[], 0);
    let folder = world.file("out");
    fs::create_dir(&folder).unwrap();
    let old = folder.join("all.csv");
    fs::write(&old, "the old one").unwrap();
    let binary = env!("CARGO_BIN_EXE_vacancy");
    let mut was_stopped = false;
    // A quick machine may be done before the signal comes: then the file is whole, and it is tried again.
    for signal in [Signal::INT, Signal::TERM, Signal::HUP].into_iter().cycle().take(60) {
        let mut child = std::process::Command::new(binary)
            .env("LC_ALL", "C")
            .arg("--data")
            .arg(world.file("home"))
            .args(["export", "--force", "--format", "jsonl", "--out"])
            .arg(&old)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while parts(&folder).is_empty() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = kill_process(Pid::from_child(&child), signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(parts(&folder), Vec::<PathBuf>::new(), "no half file");
        if output.status.code() == Some(1) {
            assert_eq!(String::from_utf8_lossy(&output.stderr), "vacancy: Stopped. Nothing was written.\n");
            assert_eq!(fs::read_to_string(&old).unwrap(), "the old one");
            was_stopped = true;
            break;
        }
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(fs::read_to_string(&old).unwrap().lines().count(), 60_000);
        fs::write(&old, "the old one").unwrap();
    }
    assert!(was_stopped, "sixty exports were quicker than a signal");
}
