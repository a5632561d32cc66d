//! `vacancy sheet`, through the real program, against planted weeks whose shares are known by hand.

use std::path::PathBuf;

use assert_cmd::Command;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _};
use serde_json::Value;
use vacancy::clock::{Clock as _, SystemClock};

struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// One with a record of these samples: target, time, kind.
    fn with(samples: &[(&str, Timestamp, &str)]) -> Self {
        let world = Self::new();
        let mut text = String::from("target,source,at,kind,scope\n");
        for (target, at, kind) in samples {
            let target = target.replace('"', "\"\"");
            text.push_str(&format!("\"{target}\",probe,{at:.3},{kind},model\n"));
        }
        world.command(&["import", "-"]).write_stdin(text).assert().code(0);
        world
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vacancy"));
        command.env("LC_ALL", "C").arg("--data").arg(self.file("home")).args(args);
        command
    }

    /// Runs `sheet`, wants the exit code, and gives standard output and error.
    fn sheet(&self, args: &[&str], code: i32) -> (String, String) {
        let output = self.command(&[&["sheet"], args].concat()).assert().code(code).get_output().clone();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn rows(&self, zone: &str, at: &str) -> Vec<Value> {
        let (out, _) = self.sheet(&["--format", "json", "--zone", zone, "--at", at], 0);
        serde_json::from_str(&out).unwrap()
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A sample every five minutes: free in the hours of UTC that `is_free` names, full in the others.
fn planted<'a>(
    target: &'a str,
    from: &str,
    to: &str,
    is_free: impl Fn(Timestamp) -> bool,
) -> Vec<(&'a str, Timestamp, &'a str)> {
    let (mut time, end) = (at(from), at(to));
    let mut samples = Vec::new();
    while time < end {
        samples.push((target, time, if is_free(time) { "available" } else { "at_capacity" }));
        time = time.checked_add(5.minutes()).unwrap();
    }
    samples
}

fn hour(time: Timestamp) -> i8 {
    TimeZone::UTC.to_datetime(time).hour()
}

fn row(rows: &[Value], weekday: u64, hour: u64) -> &Value {
    rows.iter().find(|row| row["weekday"] == weekday && row["hour"] == hour).unwrap()
}

fn share(rows: &[Value], weekday: u64, hour: u64) -> f64 {
    row(rows, weekday, hour)["share"].as_f64().unwrap()
}

#[test]
fn a_planted_file_leads_to_its_shares_in_every_zone() {
    // Four whole weeks, free from 06:00 to 12:00 UTC, over the night of 25 October in which Berlin repeats 02:00.
    let world = World::with(&planted("acme/fast 1", "2026-10-05T00:00:00Z", "2026-11-02T00:00:00Z", |time| {
        (6..12).contains(&hour(time))
    }));
    let utc = world.rows("UTC", "2026-11-02T00:00:00Z");
    assert_eq!(utc.len(), 168);
    for (place, row) in utc.iter().enumerate() {
        let names: Vec<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
        let mut wanted = ["target", "weekday", "hour", "share", "low", "high", "weeks", "samples", "evidence"];
        wanted.sort_unstable();
        let mut names = names;
        names.sort_unstable();
        assert_eq!(names, wanted);
        assert_eq!((row["target"].as_str(), row["evidence"].as_str()), (Some("acme/fast 1"), Some("known")));
        assert_eq!(
            (row["weekday"].as_u64(), row["hour"].as_u64()),
            (Some(place as u64 / 24 + 1), Some(place as u64 % 24))
        );
        assert_eq!((row["weeks"].as_u64(), row["samples"].as_u64()), (Some(4), Some(48)));
        let [low, share, high] = ["low", "share", "high"].map(|name| row[name].as_f64().unwrap());
        assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{row}");
        let is_free = (6..12).contains(&(place % 24));
        assert!(if is_free { share > 0.9 } else { share < 0.1 }, "{row}");
    }
    // Kolkata is 5:30 ahead: free from 11:30 to 17:30, so that two hours are free by half.
    let kolkata = world.rows("Asia/Kolkata", "2026-11-02T00:00:00Z");
    for day in 2..=7 {
        for (hour, wanted) in [(10, 0.0), (11, 0.5), (12, 1.0), (16, 1.0), (17, 0.5), (18, 0.0)] {
            assert!((share(&kolkata, day, hour) - wanted).abs() < 0.1, "{day} {hour}: {}", share(&kolkata, day, hour));
        }
    }
    // Berlin: free 08:00 to 14:00 in three weeks of summer time, 07:00 to 13:00 in the last; Sunday 25 is winter already.
    let berlin = world.rows("Europe/Berlin", "2026-11-02T00:00:00Z");
    for hour in 9..13 {
        assert!(share(&berlin, 3, hour) > 0.9);
    }
    assert!((0.1..0.5).contains(&share(&berlin, 3, 7)), "a week of four: {}", share(&berlin, 3, 7));
    assert!((0.5..0.95).contains(&share(&berlin, 3, 13)), "three weeks of four: {}", share(&berlin, 3, 13));
    // The hour that came twice has twice the samples of one night, in the same number of weeks.
    assert_eq!((row(&berlin, 7, 2)["samples"].as_u64(), row(&berlin, 7, 2)["weeks"].as_u64()), (Some(60), Some(4)));
    assert_eq!(row(&berlin, 7, 3)["samples"].as_u64(), Some(48));
}

#[test]
fn the_hour_that_a_spring_night_leaves_out_is_a_gap() {
    let world = World::with(&planted("a", "2026-03-16T00:00:00Z", "2026-04-06T00:00:00Z", |_| true));
    let rows = world.rows("Europe/Berlin", "2026-04-06T00:00:00Z");
    assert_eq!((row(&rows, 7, 2)["weeks"].as_u64(), row(&rows, 7, 2)["samples"].as_u64()), (Some(2), Some(24)));
    assert_eq!(row(&rows, 7, 2)["evidence"], "thin");
    assert_eq!((row(&rows, 7, 3)["weeks"].as_u64(), row(&rows, 7, 3)["evidence"].as_str()), (Some(3), Some("known")));
}

#[test]
fn what_is_not_known_still_has_numbers() {
    let world =
        World::with(&[("one", at("2026-11-02T10:00:00Z"), "available"), ("none", at("2026-11-02T10:00:00Z"), "auth")]);
    let rows = world.rows("UTC", "2026-11-03T00:00:00Z");
    assert_eq!(rows.len(), 336, "all targets, also what has no counted sample");
    for row in &rows {
        assert!(["share", "low", "high"].iter().all(|name| row[*name].is_number()), "{row}");
        let is_seen = row["target"] == "one" && row["weekday"] == 1 && row["hour"] == 10;
        assert_eq!(row["evidence"], if is_seen { "thin" } else { "empty" });
    }
    for format in ["text", "markdown", "html", "svg", "ics", "csv"] {
        let (out, _) = world.sheet(&["--format", format, "--zone", "UTC", "--at", "2026-11-03T00:00:00Z"], 0);
        // An event is a promise, for which it is too early.
        assert!(out.contains(if format == "ics" { "END:VCALENDAR" } else { "one" }), "{format}: {out}");
        assert!(!out.contains("BEGIN:VEVENT") && !out.contains("all day"), "{format}: {out}");
    }
    // What lies ahead of the moment asked for is not known then.
    assert!(world.rows("UTC", "2026-11-02T09:00:00Z").iter().all(|row| row["evidence"] == "empty"));
}

#[test]
fn without_a_record_every_form_is_whole_and_says_so() {
    let world = World::new();
    let (out, err) = world.sheet(&["--format", "json"], 0);
    assert_eq!(out, "[]\n");
    assert!(err.contains("no record yet"), "{err}");
    assert_eq!(world.sheet(&["--format", "csv"], 0).0, "target,weekday,hour,share,low,high,weeks,samples,evidence\n");
    for format in ["text", "markdown", "html", "svg"] {
        assert!(world.sheet(&["--format", format], 0).0.contains("Nothing recorded yet"), "{format}");
    }
    assert!(!world.file("home/data/vacancy.sqlite").exists(), "looking makes no record");
}

#[test]
fn csv_has_the_rows_of_json() {
    let world =
        World::with(&planted("a, \"b\"", "2026-11-02T00:00:00Z", "2026-11-04T00:00:00Z", |time| hour(time) < 12));
    let rows = world.rows("Asia/Kathmandu", "2026-11-04T00:00:00Z");
    let file = world.file("sheet.csv");
    world.sheet(&["--out", file.to_str().unwrap(), "--zone", "Asia/Kathmandu", "--at", "2026-11-04T00:00:00Z"], 0);
    let mut reader = csv::Reader::from_path(file).unwrap();
    let head = reader.headers().unwrap().clone();
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 168);
    for (record, row) in records.iter().zip(&rows) {
        for (name, value) in head.iter().zip(record) {
            match &row[name] {
                Value::String(text) => assert_eq!(text, value),
                number => assert_eq!(number.as_f64().unwrap(), value.parse::<f64>().unwrap(), "{name}"),
            }
        }
    }
}

/// The lines of a calendar, unfolded, as name, parameters and value.
fn unfolded(calendar: &str) -> Vec<(String, String, String)> {
    assert!(calendar.ends_with("\r\n"));
    assert_eq!(calendar.matches('\n').count(), calendar.matches("\r\n").count());
    for line in calendar.split("\r\n") {
        assert!(line.len() <= 75, "{line}");
    }
    let plain = calendar.replace("\r\n ", "");
    let parse = |line: &str| {
        let (key, value) = line.split_once(':').unwrap();
        let (name, parameters) = key.split_once(';').unwrap_or((key, ""));
        (name.to_owned(), parameters.to_owned(), value.to_owned())
    };
    plain.lines().map(parse).collect()
}

#[test]
fn the_calendar_reads_back_as_the_quiet_windows() {
    let samples = planted("a;b,c\\d 模型", "2026-10-05T00:00:00Z", "2026-11-02T00:00:00Z", |time| {
        (6..12).contains(&hour(time))
    });
    let world = World::with(&samples);
    let read = |now: &str| unfolded(&world.sheet(&["--format", "ics", "--zone", "Asia/Kolkata", "--at", now], 0).0);
    let lines = read("2026-11-02T00:00:00Z");
    let mut open: Vec<&str> = Vec::new();
    let mut events: Vec<std::collections::BTreeMap<&str, (&str, &str)>> = Vec::new();
    for (name, parameters, value) in &lines {
        match name.as_str() {
            "BEGIN" => {
                open.push(value);
                if value == "VEVENT" {
                    events.push(Default::default());
                }
            }
            "END" => assert_eq!(open.pop(), Some(value.as_str())),
            name if open.last() == Some(&"VEVENT") => {
                let twice = events.last_mut().unwrap().insert(name, (parameters, value));
                assert!(twice.is_none(), "{name}");
            }
            name if open.last() == Some(&"VTIMEZONE") => assert_eq!((name, value.as_str()), ("TZID", "Asia/Kolkata")),
            _ => {}
        }
    }
    assert!(open.is_empty());
    assert_eq!(events.len(), 7, "one a day");
    let mut uids = std::collections::BTreeSet::new();
    for event in &events {
        assert!(uids.insert(event["UID"].1));
        assert_eq!(event["DTSTAMP"].1, "20261102T000000Z");
        // To the quarter hour: what belongs to its neighbour is left out.
        for (name, wanted) in [("DTSTART", ["T113000", "T114500"]), ("DTEND", ["T171500", "T173000"])] {
            assert_eq!(event[name].0, "TZID=Asia/Kolkata");
            assert!(wanted.iter().any(|wanted| event[name].1.ends_with(wanted)), "{:?}", event[name]);
        }
        assert!(event["SUMMARY"].1.starts_with("a\\;b\\,c\\\\d 模型"), "{:?}", event["SUMMARY"]);
    }
    // An hour later the same windows are the same events; a window under way stays the one it was.
    for later in ["2026-11-02T00:10:00Z", "2026-11-02T07:00:00Z"] {
        let again = read(later);
        let mut found = again.iter().filter(|(name, ..)| name == "UID").map(|(_, _, uid)| uid.as_str());
        assert!(found.by_ref().take(6).all(|uid| uids.contains(uid)), "{later}");
    }
}

#[test]
fn the_page_fetches_nothing_and_escapes_what_it_shows() {
    let world =
        World::with(&planted("<script>\"&'", "2026-10-05T00:00:00Z", "2026-10-28T00:00:00Z", |time| hour(time) < 12));
    for lang in ["en", "zh-Hans"] {
        let (page, _) =
            world.sheet(&["--lang", lang, "--format", "html", "--zone", "UTC", "--at", "2026-10-28T00:00:00Z"], 0);
        for never in ["<script", "http:", "https:", "src=", "href=", "url(", "@import", "<link", "<img"] {
            assert!(!page.contains(never), "{never}");
        }
        assert!(page.contains("&lt;script&gt;&quot;&amp;&#39;"));
        // Today, tomorrow, and the week.
        assert_eq!(page.matches("<td class=").count(), 24 + 24 + 168);
        assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
        for tag in [
            "table", "section", "main", "tr", "td", "th", "ul", "li", "span", "div", "dl", "dt", "dd", "p", "b", "h2",
            "h3",
        ] {
            let opened = page.matches(&format!("<{tag} ")).count() + page.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}

#[test]
fn the_drawing_is_well_formed_and_the_picture_has_its_size() {
    let world =
        World::with(&planted("<a> & \"b\"", "2026-10-05T00:00:00Z", "2026-10-28T00:00:00Z", |time| hour(time) < 12));
    let (svg, png) = (world.file("heat.svg"), world.file("heat.png"));
    let run = |file: &PathBuf| {
        world.sheet(&["--heatmap", file.to_str().unwrap(), "--zone", "UTC", "--at", "2026-10-28T00:00:00Z"], 0)
    };
    assert_eq!(run(&svg).0, "", "only the heatmap was asked for");
    run(&png);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.contains("&lt;a&gt; &amp; &quot;b&quot;"));
    // Every tag ends, and no sign of markup stands in a text or an attribute.
    let tag = regex::Regex::new(r#"<(/?)([a-z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(/?)>"#).unwrap();
    let mut open = Vec::new();
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    for found in tag.captures_iter(body) {
        match (&found[1], &found[4]) {
            ("/", _) => assert_eq!(open.pop().as_deref(), Some(&found[2])),
            (_, "/") => {}
            _ => open.push(found[2].to_owned()),
        }
    }
    assert!(open.is_empty());
    assert!(!tag.replace_all(body, "").contains(['<', '>']));
    let size = |name: &str| {
        regex::Regex::new(&format!("{name}=\"([0-9.]+)\"")).unwrap().captures(body).unwrap()[1].parse::<f32>().unwrap()
    };
    let picture = image::open(&png).unwrap();
    assert_eq!((picture.width(), picture.height()), ((size("width") * 2.0) as u32, (size("height") * 2.0) as u32));
}

#[test]
fn wrong_use_is_told_with_the_way_out() {
    let world = World::with(&[("a", at("2026-11-02T10:00:00Z"), "available")]);
    for (zone, meant) in
        [("Europe/Belrin", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("Mars", "Europe/Berlin or UTC")]
    {
        let (out, err) = world.sheet(&["--zone", zone], 2);
        assert!(out.is_empty() && err.contains(zone) && err.contains(meant), "{err}");
    }
    let (_, err) = world.sheet(&["--target", "b"], 2);
    assert!(err.contains("Known: a"), "{err}");
    world.sheet(&["--at", "yesterday"], 2);
    world.sheet(&["--heatmap", world.file("heat.gif").to_str().unwrap()], 2);
    let file = world.file("kept.md");
    std::fs::write(&file, "mine").unwrap();
    world.sheet(&["--out", file.to_str().unwrap()], 3);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    world.sheet(&["--out", file.to_str().unwrap(), "--force"], 0);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# "));
    world.sheet(&["--out", world.file("no/such/folder.json").to_str().unwrap()], 1);
    let left: Vec<_> = std::fs::read_dir(world.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".vacancy")), "{left:?}");
}

/// Samples of `count` targets over two days, a few an hour, each with a time to the first token.
fn many(count: usize) -> World {
    let world = World::new();
    let mut text = String::from("target,source,at,kind,scope,first_token_ms\n");
    for target in 0..count {
        for n in 0..192 {
            let time = at("2026-11-02T00:00:00Z").checked_add((n * 15).minutes()).unwrap();
            let is_free = (6..18).contains(&hour(time));
            let (kind, ms) = if is_free {
                ("available", format!("{}", 400 + 100 * (n % 4)))
            } else {
                ("at_capacity", String::new())
            };
            text.push_str(&format!("t{target:02},probe,{time:.3},{kind},model,{ms}\n"));
        }
    }
    world.command(&["import", "-"]).write_stdin(text).assert().code(0);
    world
}

const DAY_AFTER: [&str; 4] = ["--zone", "UTC", "--at", "2026-11-04T00:00:00Z"];

#[test]
fn latency_is_added_to_the_rows_when_it_is_asked_for_and_stands_in_what_people_read() {
    let world = many(1);
    let sheet = |args: &[&str]| world.sheet(&[&DAY_AFTER[..], args].concat(), 0).0;
    let plain: Vec<Value> = serde_json::from_str(&sheet(&["--format", "json"])).unwrap();
    let timed: Vec<Value> = serde_json::from_str(&sheet(&["--format", "json", "--latency"])).unwrap();
    let csv = sheet(&["--format", "csv", "--latency"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    assert_eq!(head.iter().skip(9).collect::<Vec<_>>(), ["answers", "median_first_token_ms", "p90_first_token_ms"]);
    for ((plain, timed), record) in plain.iter().zip(&timed).zip(reader.records().map(Result::unwrap)) {
        let is_timed = plain["weekday"].as_u64() < Some(3) && (6..18).contains(&plain["hour"].as_u64().unwrap());
        let mut contract = timed.as_object().unwrap().clone();
        let [answers, median, most] =
            ["answers", "median_first_token_ms", "p90_first_token_ms"].map(|name| contract.remove(name).unwrap());
        assert_eq!(&Value::Object(contract), plain, "what the contract names stays");
        assert_eq!(answers, if is_timed { 4 } else { 0 });
        // Within the width of a bin of the histogram.
        let is_near = |value: &Value, ms: f64| (value.as_f64().unwrap() / ms - 1.0).abs() < 0.2;
        assert!(
            if is_timed {
                is_near(&median, 550.0) && is_near(&most, 700.0)
            } else {
                median.is_null() && most.is_null()
            },
            "{timed}"
        );
        let of_record = |place: usize| record[place].parse::<u64>().ok();
        assert_eq!([of_record(9), of_record(10), of_record(11)], [answers.as_u64(), median.as_u64(), most.as_u64()]);
    }
    for format in ["text", "markdown", "html"] {
        assert!(sheet(&["--format", format]).contains("Half of the answers begin within 0."), "{format}");
    }
    assert!(
        sheet(&["--format", "markdown"]).contains("0.5 / 0.7")
            || sheet(&["--format", "markdown"]).contains("0.6 / 0.7")
    );
    assert!(sheet(&["--format", "html"]).contains("<small>0.7</small>"));
}

#[test]
fn late_in_the_evening_today_is_over_and_before_it_the_rest_of_the_day_counts() {
    let world = World::with(&planted("one", "2026-09-21T00:00:00Z", "2026-11-02T00:00:00Z", |time| {
        !(8..18).contains(&hour(time))
    }));
    let at = |time: &str, lang: &str| {
        let time = format!("2026-11-02T{time}:00Z");
        let said = world.sheet(&["--lang", lang, "--zone", "UTC", "--at", &time], 0).0;
        let day = said.split("\n\n").find(|part| part.starts_with("Today") || part.starts_with("今天")).unwrap();
        day.to_owned()
    };
    let late = at("23:50", "en");
    assert!(late.contains("Today is nearly over: for long work see tomorrow"), "{late}");
    assert!(late.contains("one 23:45–24:00") && !late.contains("an hour or more"), "{late}");
    let late = at("23:50", "zh-Hans");
    assert!(late.contains("今天即将结束"), "{late}");
    let evening = at("18:20", "en");
    assert!(evening.contains("the longest in the rest of the day: 18:15–24:00 with one"), "{evening}");
    // Two hours of the working day, that go on: both are said.
    let day = at("09:00", "en");
    assert!(day.contains("from 08:00 to 20:00, and it goes on after: 18:00–24:00 with one"), "{day}");
}

#[test]
fn what_is_away_now_comes_first_and_is_no_answer_for_today() {
    let now = SystemClock.now();
    let weeks = |target, is_away: bool| {
        let times = (0..42 * 24 * 4).map(move |step| now.checked_sub(Span::new().minutes(15 * step)).unwrap());
        let kind = move |time: Timestamp| {
            if is_away && now.duration_since(time).as_mins() < 50 { "at_capacity" } else { "available" }
        };
        times.map(move |time| (target, time, kind(time))).collect::<Vec<_>>()
    };
    let world = World::with(&[weeks("one", true), weeks("two", false)].concat());
    let target = |id: &str, role: &str| {
        format!("[[target]]\nid = \"{id}\"\nprovider = \"near\"\nmodel = \"{id}\"\nrole = \"{role}\"\n")
    };
    let provider = "[[provider]]\nid = \"near\"\ndialect = \"openai-chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    std::fs::create_dir_all(world.file("home/config")).unwrap();
    let settings = format!("{provider}{}{}", target("one", "primary"), target("two", "backup"));
    std::fs::write(world.file("home/config/vacancy.toml"), settings).unwrap();
    for args in [&["--format", "text"][..], &["--format", "html"]] {
        let (said, _) = world.sheet(&[args, &["--lang", "en", "--zone", "UTC"]].concat(), 0);
        assert!(said.contains("one has been away for"), "{said}");
        assert!(said.contains("Away now, so left out here: one."), "{said}");
    }
    // Of another moment the record does not say what is away.
    let before = now.checked_sub(Span::new().hours(30)).unwrap().to_string();
    let (said, _) = world.sheet(&["--lang", "en", "--zone", "UTC", "--at", &before], 0);
    assert!(!said.contains("left out") && !said.contains("has been away"), "{said}");
}

#[test]
fn the_page_says_what_the_screen_says() {
    let samples =
        planted("one", "2026-09-21T00:00:00Z", "2026-11-02T00:00:00Z", |time| !(14..18).contains(&hour(time)));
    let world = World::with(&samples);
    let (page, _) = world.sheet(&["--format", "html", "--zone", "UTC", "--at", "2026-11-02T09:20:00Z"], 0);
    for words in [
        "Today, Mon 2 Nov",
        "<b>09:15–14:00</b> one",
        "Tomorrow, Tue 3 Nov",
        "<b>08:00–14:00</b> one",
        "the longest from 08:00 to 20:00: free 9",
        "The week, first free of your chain",
        "Best hours",
        "When it is away",
        "Wait or switch",
        "Switch ahead",
        "Changed lately",
        "few samples",
        "not watched",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_picture_of_many_targets_has_pages() {
    let world = many(41);
    let file = world.file("heat.png");
    let name = file.to_str().unwrap();
    let (out, err) = world.sheet(&[&DAY_AFTER[..], &["--format", "png"]].concat(), 3);
    assert!(out.is_empty() && err.contains("41 targets need 2 pictures"), "{err}");
    world.sheet(&[&DAY_AFTER[..], &["--heatmap", name]].concat(), 0);
    let sizes = ["heat.png", "heat-2.png"].map(|name| image::open(world.file(name)).unwrap().to_rgb8().dimensions());
    assert!(sizes[0].0 == sizes[1].0 && sizes[0].1 > sizes[1].1, "21 and 20 targets: {sizes:?}");
    assert!(!world.file("heat-3.png").exists());
    // The second page is somebody's file too.
    std::fs::remove_file(&file).unwrap();
    world.sheet(&[&DAY_AFTER[..], &["--heatmap", name]].concat(), 3);
    assert!(!file.exists());
}

#[test]
fn progress_is_told_when_it_is_wanted() {
    let world = many(3);
    let (_, err) = world.sheet(&[&DAY_AFTER[..], &["--format", "json", "--progress"]].concat(), 0);
    assert_eq!(err, "Read 0 of 3 targets\nRead 1 of 3 targets\nRead 2 of 3 targets\n");
    assert_eq!(world.sheet(&[&DAY_AFTER[..], &["--format", "json"]].concat(), 0).1, "");
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_half_sheet_and_the_old_file_stays() {
    use std::io::{BufRead as _, BufReader, Read as _};

    use rustix::process::{Pid, Signal, kill_process};

    let world = many(24);
    let folder = world.file("out");
    std::fs::create_dir(&folder).unwrap();
    let mut was_stopped = 0;
    // A quick machine may be done before the signal comes: then the file is whole, and it is tried again.
    for (place, signal) in [Signal::INT, Signal::TERM].into_iter().cycle().take(40).enumerate() {
        let name = ["sheet.html", "sheet.png", "sheet.json"][place % 3];
        let old = folder.join(name);
        std::fs::write(&old, "the old one").unwrap();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_vacancy"))
            .env("LC_ALL", "C")
            .arg("--data")
            .arg(world.file("home"))
            .args(["sheet", "--force", "--progress", "--out"])
            .arg(&old)
            .args(DAY_AFTER)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert_eq!(line, "Read 0 of 24 targets\n");
        let _ = kill_process(Pid::from_child(&child), signal);
        said.read_to_string(&mut line).unwrap();
        let code = child.wait().unwrap().code();
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".vacancy")), "{left:?}");
        if code == Some(1) {
            assert!(line.ends_with("vacancy: Stopped. Nothing was written.\n"), "{line}");
            assert_eq!(std::fs::read_to_string(&old).unwrap(), "the old one");
            was_stopped += 1;
            if was_stopped == 3 {
                return;
            }
        } else {
            assert_eq!(code, Some(0), "{line}");
            assert_ne!(std::fs::read(&old).unwrap(), b"the old one");
        }
    }
    panic!("forty sheets were quicker than a signal");
}

#[test]
fn a_window_without_an_end_stays_one_event() {
    let world = World::with(&planted("a", "2026-10-05T00:00:00Z", "2026-11-02T00:00:00Z", |_| true));
    let mut uids = Vec::new();
    for now in ["2026-11-02T00:00:00Z", "2026-11-02T00:20:00Z", "2026-11-03T05:07:00Z"] {
        let lines = unfolded(&world.sheet(&["--format", "ics", "--zone", "UTC", "--at", now], 0).0);
        let of = |wanted: &str| -> Vec<String> {
            let found = lines.iter().filter(|(name, ..)| name == wanted);
            found.map(|(_, _, value)| value.clone()).collect()
        };
        assert_eq!(of("UID").len(), 1, "{now}");
        assert!(of("DTSTART").last().unwrap().ends_with("00"), "{now}");
        uids.extend(of("UID"));
    }
    uids.dedup();
    assert_eq!(uids.len(), 1);
}
