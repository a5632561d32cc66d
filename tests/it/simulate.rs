//! `vacancy simulate` as a person or a script runs it.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn simulate(home: &Path, args: &[&str], stdin: &str) -> Output {
    Command::cargo_bin("vacancy")
        .unwrap()
        .env("VACANCY_HOME", home)
        .env("LC_ALL", "C")
        .arg("simulate")
        .args(args)
        .write_stdin(stdin)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(home: &Path, args: &[&str], stdin: &str) -> Value {
    let args: Vec<_> = args.iter().copied().chain(["--json"]).collect();
    serde_json::from_str(&text(&simulate(home, &args, stdin))).unwrap()
}

/// The primary is full from 10:00 to 11:00, our own network is down from 14:00 to 15:00.
const JSON_LINES: &str = r#"
{"target":"main","kind":"available","from":"2026-03-02T00:00:00Z"}
{"target":"other","kind":"available","from":"2026-03-02T00:00:00Z"}
{"target":"main","kind":"at_capacity","from":"2026-03-02T10:00:00Z","to":"2026-03-02T11:00:00Z"}
{"own":"offline","from":"2026-03-02T14:00:00Z","to":"2026-03-02T15:00:00Z"}
{"target":"main","kind":"available","from":"2026-03-03T00:00:00Z"}
"#;

#[test]
fn the_same_seed_gives_the_same_page_in_aligned_columns() {
    let home = TempDir::new().unwrap();
    let args = ["busy-afternoons", "--days", "3", "--seed", "9"];
    let page = text(&simulate(home.path(), &args, ""));
    assert_eq!(page, text(&simulate(home.path(), &args, "")));
    assert!(page.starts_with("busy-afternoons: 3 days, 3 targets, every 10m, seed 9\n"), "{page}");
    let table: Vec<_> = page.lines().skip(2).take(5).collect();
    assert!(table.iter().all(|line| line.len() == table[0].len()), "{page}");
    assert!(page.contains("Notices of recovery:"), "{page}");
}

#[test]
fn notices_are_those_of_the_settings_and_it_says_so() {
    let home = TempDir::new().unwrap();
    let usual = json(home.path(), &["-"], JSON_LINES);
    assert_eq!(usual["notices"], "default");
    let page = text(&simulate(home.path(), &["-"], JSON_LINES));
    assert!(page.contains("there are no settings"), "{page}");
    std::fs::create_dir_all(home.path().join("config")).unwrap();
    let quiet = "[notices]\nrecovered = false\nfull = false\nlimits = false\nprovider = false\nflapping = false\n";
    std::fs::write(home.path().join("config/vacancy.toml"), quiet).unwrap();
    let own = json(home.path(), &["-"], JSON_LINES);
    assert_eq!((&own["notices"], &own["runs"][0]["total"]["notices"]["right"]), (&"settings".into(), &0.into()));
    assert!(usual["runs"][0]["total"]["notices"]["right"] == 1);
    assert!(text(&simulate(home.path(), &["-"], JSON_LINES)).contains("those of your settings"));
}

#[test]
fn a_trace_from_standard_input_is_measured() {
    let home = TempDir::new().unwrap();
    let report = json(home.path(), &["-"], JSON_LINES);
    let total = &report["runs"][0]["total"];
    assert_eq!((&total["down"]["changes"], &total["down"]["noticed"]), (&1.into(), &1.into()));
    assert_eq!((&total["up"]["changes"], &total["up"]["noticed"]), (&1.into(), &1.into()));
    assert_eq!(total["notices"], serde_json::json!({"right": 1, "false": 0, "missed": 0, "doubled": 0}));
    assert!(total["skips"].as_u64().unwrap() >= 2, "both targets have a gap while we were offline: {total}");
    assert!(total["up"]["worst_s"].as_f64().unwrap() < 330.0, "a primary's recovery is known within minutes: {total}");
    assert_eq!(report["runs"][0]["targets"][0]["target"], "main");
}

#[test]
fn csv_with_the_columns_of_an_export_is_a_trace() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("samples.csv");
    let head = "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,\
                retry_after_s,rule";
    let row = |hour: u32, kind: &str| {
        format!("main,p,m,openai-chat,probe,2025-03-02T{hour:02}:00:00.000Z,{kind},model,,,,,,r")
    };
    let rows = [row(0, "available"), row(6, "at_capacity"), row(9, "available"), row(20, "available")];
    std::fs::write(&path, format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    let report = json(home.path(), &[path.to_str().unwrap()], "");
    assert_eq!(report["runs"][0]["total"]["up"]["noticed"], 1);
}

#[test]
fn fixed_intervals_are_compared_and_cost_what_they_cost() {
    let home = TempDir::new().unwrap();
    let report = json(home.path(), &["quiet", "--days", "2", "--compare", "1m,10m"], "");
    let requests = |run: usize| report["runs"][run]["total"]["requests"].as_u64().unwrap();
    assert_eq!((requests(1), requests(2)), (3 * 2880, 3 * 288));
    assert!(requests(0) < requests(2), "{} {}", requests(0), requests(2));
    assert_eq!(report["runs"][1]["strategy"], "fixed");
    assert_eq!(report["runs"][1]["every_s"], 60.0);
}

#[test]
fn a_cap_is_kept_every_day() {
    let home = TempDir::new().unwrap();
    let report = json(home.path(), &["flapping", "--days", "5", "--cap", "40"], "");
    for target in report["runs"][0]["targets"].as_array().unwrap() {
        assert!(target["requests_busiest_day"].as_u64().unwrap() <= 40, "{target}");
    }
}

#[test]
fn what_cannot_be_used_is_said_with_the_line() {
    let home = TempDir::new().unwrap();
    for (trace, stdin, word) in [
        ("-", "{\"target\":\"a\"}\n", "line 1"),
        ("-", "{\"target\":\"a\",\"kind\":\"nonsense\",\"at\":\"2026-03-02T00:00:00Z\"}\n", "line 1"),
        ("-", "{\"target\":\"a\",\"kind\":\"available\",\"at\":\"2026-03-02T00:00:00Z\"}\n", "no time"),
        ("no-such-trace", "", "no-such-trace"),
    ] {
        let output = simulate(home.path(), &[trace], stdin);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(word), "{error}");
    }
    let output = simulate(home.path(), &["--zone", "Nowhere/Else"], "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn without_a_record_history_says_so() {
    let home = TempDir::new().unwrap();
    let output = simulate(home.path(), &["--history"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.is_empty());
}

#[test]
fn the_record_of_this_machine_is_a_trace_too() {
    let home = TempDir::new().unwrap();
    let row = |target: &str, minute: u32, kind: &str| {
        let (hour, minute) = (minute / 60, minute % 60);
        format!("{target},p,m,openai-chat,probe,2026-03-02T{hour:02}:{minute:02}:00.000Z,{kind},model,,,,,,r")
    };
    let mut rows = vec![
        "target,provider,model,dialect,source,at,kind,scope,http_status,connect_ms,first_token_ms,total_ms,\
         retry_after_s,rule"
            .to_owned(),
    ];
    for step in 0..120 {
        let kind = if (40..60).contains(&step) { "at_capacity" } else { "available" };
        rows.push(row("main", step * 10, kind));
        rows.push(row("other", step * 10 + 1, "available"));
    }
    let file = home.path().join("samples.csv");
    std::fs::write(&file, rows.join("\n")).unwrap();
    let vacancy = |args: &[&str]| {
        let mut command = Command::cargo_bin("vacancy").unwrap();
        command.env("VACANCY_HOME", home.path()).env("LC_ALL", "C").args(args).output().unwrap()
    };
    let imported = vacancy(&["import", file.to_str().unwrap()]);
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    let report = json(home.path(), &["--history", "--target", "main"], "");
    let run = &report["runs"][0];
    assert_eq!(run["targets"].as_array().unwrap().len(), 1);
    assert_eq!((&run["total"]["down"]["noticed"], &run["total"]["up"]["noticed"]), (&1.into(), &1.into()));
    let exported = text(&vacancy(&["export", "--format", "jsonl"]));
    let report = json(home.path(), &["-"], &exported);
    assert_eq!(report["runs"][0]["targets"].as_array().unwrap().len(), 2, "what export writes is read");
}

/// A machine that once started with its clock at the epoch has a sample of 1970 in its record. The years between are not
/// walked: the answer is that of the record without it.
#[test]
fn a_sample_of_another_century_does_not_stretch_the_record() {
    use std::sync::Arc;
    use vacancy::clock::{Clock as _, SystemClock};
    use vacancy::core::outcome::{Kind, Scope};
    use vacancy::core::sample::{Sample, Source};
    use vacancy::store::{Options, Store, TargetInfo};

    let home = TempDir::new().unwrap();
    let now = SystemClock.now();
    let minutes = |count: i64| jiff::SignedDuration::from_mins(count);
    let times = [jiff::Timestamp::UNIX_EPOCH, now - minutes(100), now - minutes(90), now + minutes(1_000_000)];
    let sample = |at: jiff::Timestamp| Sample {
        target: "main".into(),
        source: Source::Probe,
        at,
        kind: Kind::Available,
        scope: Scope::Model,
        http_status: Some(200),
        connect_ms: None,
        first_token_ms: None,
        total_ms: None,
        retry_after_s: None,
        rule: "answered".into(),
    };
    let info = |name: &str| TargetInfo {
        id: name.into(),
        provider: "p".to_owned(),
        model: "m".to_owned(),
        dialect: "openai-chat".to_owned(),
    };
    let clock = Arc::new(SystemClock);
    let store = Store::open(&home.path().join("data/vacancy.sqlite"), Options::default(), clock).unwrap();
    store.handle().import(vec![info("main")], times.map(sample).to_vec()).wait().unwrap();
    drop(store);
    let report = json(home.path(), &["--history"], "");
    let text = report.to_string();
    assert!(!text.contains("1970"), "{text}");
    let requests = report["runs"][0]["total"]["requests"].as_u64().unwrap();
    assert!((1..10).contains(&requests), "ten minutes need few probes: {requests}");
}
