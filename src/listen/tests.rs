//! The given cases, and that nothing in any file makes a reader fail or keep content.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// Every given case: what a file holds and what is to be seen in it.
macro_rules! cases {
    ($($name:literal . $ext:literal),* $(,)?) => {
        const CASES: &[(&str, &[u8], &str)] = &[$((
            $name,
            include_bytes!(concat!("../../tests/fixtures/passive/", $name, ".", $ext)),
            include_str!(concat!("../../tests/fixtures/passive/", $name, ".expected.json")),
        )),*];
    };
}

cases![
    "claude-529-interactive-2.0"."jsonl",
    "claude-529-retries"."jsonl",
    "claude-healthy"."jsonl",
    "claude-legacy-1.0"."jsonl",
    "claude-rate-limit"."jsonl",
    "claude-sidechain"."jsonl",
    "claude-synthetic"."jsonl",
    "codex-capacity"."jsonl",
    "codex-error-matrix"."jsonl",
    "codex-healthy"."jsonl",
    "codex-huge-line"."jsonl",
    "codex-legacy-silent-failure"."jsonl",
    "codex-old-format-0.20-bare"."jsonl",
    "codex-old-format-0.44"."jsonl",
    "codex-truncated-last-line"."jsonl",
    "codex-usage-limit"."jsonl",
    "openrouter-endpoints"."json",
    "probe-claude-529"."json",
    "probe-claude-ok"."json",
    "probe-claude-stream-retry"."jsonl",
    "probe-codex-capacity"."jsonl",
    "probe-codex-ok"."jsonl",
    "statuspage-all-operational"."json",
    "statuspage-maintenance"."json",
    "statuspage-partial-outage"."json",
];

fn seen_in(bytes: &[u8], tool: Option<Tool>) -> Vec<Value> {
    read(bytes, tool, &Seen::default()).iter().map(Observation::to_json).collect()
}

#[test]
fn the_given_cases_come_out_exactly() {
    for (name, bytes, expected) in CASES {
        let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
        assert_eq!(seen_in(bytes, None), expected, "{name}");
        let tool = match *name {
            name if name.contains("codex") => Tool::Codex,
            name if name.contains("claude") => Tool::ClaudeCode,
            name if name.starts_with("openrouter") => Tool::OpenRouter,
            _ => Tool::StatusPage,
        };
        assert_eq!(seen_in(bytes, Some(tool)), expected, "{name} with its tool named");
    }
}

#[test]
fn a_document_printed_over_several_lines_says_the_same() {
    for (name, bytes, expected) in CASES.iter().filter(|(name, ..)| !name.contains("codex")) {
        let Ok(document) = serde_json::from_slice::<Value>(bytes) else { continue };
        let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
        let pretty = serde_json::to_string_pretty(&document).unwrap();
        let outdented = pretty.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
        for text in [pretty.replace('\n', "\r\n"), pretty.replace("  ", "\t"), outdented, pretty] {
            assert_eq!(seen_in(text.as_bytes(), None), expected, "{name}");
            let text = text + "\n";
            assert_eq!(in_chunks(text.as_bytes(), &[1, 7, 40]), expected, "{name} in chunks");
        }
    }
    // Brackets in texts are none, what does not end says nothing, and lines behind it are read on their own.
    let ok = r#"{"type":"result","is_error":false,"session_id":"x","duration_api_ms":1}"#;
    for (text, count) in [
        ("{\n\"type\": \"result\", \"result\": \"}} \\\" ]\",\n\"session_id\": \"x\"\n}\n".to_owned(), 1),
        (format!("{{\n\"a\": [\n{{}}\n]\n}}\n{ok}\n"), 1),
        (format!("{ok}\n{{\n\"type\": \"result\",\n"), 1),
    ] {
        assert_eq!(seen_in(text.as_bytes(), Some(Tool::ClaudeCode)).len(), count, "{text}");
    }
}

#[test]
fn nothing_of_the_content_is_kept() {
    for (name, bytes, _) in CASES {
        let observations = read(bytes, None, &Seen::default());
        let told = format!("{observations:?} {:?}", observations.iter().map(Observation::to_json).collect::<Vec<_>>());
        for text in ["MUST-NOT-BE-STORED", "SYNTHETIC", "proj/demo", "req_fake", "at capacity", "msg_"] {
            assert!(!told.contains(text), "{name}: {text}");
        }
    }
}

/// Reads in chunks of the given sizes, in turn.
fn in_chunks(bytes: &[u8], sizes: &[usize]) -> Vec<Value> {
    let head = &bytes[..bytes.len().min(Form::HEAD)];
    let Some(mut reader) = Form::detect(head, None).and_then(|form| Reader::new(form, &Seen::default())) else {
        return seen_in(bytes, None);
    };
    let (mut lines, mut out) = (Lines::default(), Vec::new());
    let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
        lines.feed(chunk, &mut reader, &mut out);
        rest = after;
    }
    lines.finish(&mut reader, &mut out);
    out.iter().map(Observation::to_json).collect()
}

#[test]
fn line_ends_and_marks_of_other_systems_change_nothing() {
    for (name, bytes, expected) in CASES {
        let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
        let mut other = b"\xef\xbb\xbf\r\n".to_vec();
        for line in bytes.split(|byte| *byte == b'\n') {
            other.extend_from_slice(line);
            other.extend_from_slice(b"\r\n");
        }
        assert_eq!(seen_in(&other, None), expected, "{name}");
    }
}

#[test]
fn lines_that_are_not_understood_are_passed_over() {
    let junk: [&[u8]; 8] = [
        b"{\"timestamp\":\"2026-11-02T10:15:00.000Z\",\"type\":\"event_msg\",\"payload\":{\"ty",
        b"\0\0\0\0\0\0",
        b"[]",
        b"null",
        b"{\"type\":7,\"payload\":\"x\",\"timestamp\":[]}",
        b"{\"timestamp\":\"2026-11-02T10:15:00.000Z\",\"type\":\"brand_new\",\"payload\":{\"type\":\"thing\"}}",
        b"\xff\xfe{",
        b"{\"type\":\"assistant\",\"message\":null}",
    ];
    for (name, bytes, expected) in
        CASES.iter().filter(|(name, ..)| name.starts_with("codex") || name.starts_with("claude"))
    {
        let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
        let mut mixed = Vec::new();
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            mixed.extend_from_slice(junk[at % junk.len()]);
            mixed.push(b'\n');
            mixed.extend_from_slice(line);
            mixed.push(b'\n');
        }
        assert_eq!(seen_in(&mixed, None), expected, "{name}");
    }
}

/// Found by a property below, which took the last line of such a file for a torn one.
#[test]
fn the_last_line_needs_no_end() {
    for (name, bytes, _) in CASES {
        let form = Form::detect(&bytes[..bytes.len().min(Form::HEAD)], None).unwrap();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        for end in ends.filter(|_| !form.tool().is_context()) {
            let seen = |to: usize| seen_in(&bytes[..to], Some(form.tool()));
            assert_eq!(seen(end), seen(end + 1), "{name} at {end}");
        }
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(64))]

    #[test]
    fn chunks_make_no_difference(case in 0..CASES.len(), sizes in proptest::collection::vec(1_usize..5000, 1..6)) {
        let (name, bytes, expected) = CASES[case];
        let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
        prop_assert_eq!(in_chunks(bytes, &sizes), expected, "{}", name);
    }

    #[test]
    fn a_file_cut_anywhere_says_no_more_than_its_whole_lines(case in 0..CASES.len(), cut in 0.0..1.0_f64) {
        let (_, bytes, _) = CASES[case];
        let cut = (bytes.len() as f64 * cut) as usize;
        // Of a line that lacks nothing but its end everything is there.
        let is_whole = bytes.get(cut).is_none_or(|next| *next == b'\n');
        let whole = if is_whole { cut } else { memchr::memrchr(b'\n', &bytes[..cut]).map_or(0, |end| end + 1) };
        let form = Form::detect(&bytes[..bytes.len().min(Form::HEAD)], None).unwrap();
        if Reader::new(form, &Seen::default()).is_some() && !form.tool().is_context() {
            prop_assert_eq!(seen_in(&bytes[..cut], Some(form.tool())), seen_in(&bytes[..whole], Some(form.tool())));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_fault(
        case in 0..CASES.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        tool in 0..=Tool::ALL.len(),
    ) {
        let (name, bytes, _) = CASES[case];
        let mut bytes = if name.contains("huge") { bytes[..20_000].to_vec() } else { bytes.to_vec() };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let tool = Tool::ALL.get(tool).copied();
        let told = format!("{:?}", read(&bytes, tool, &Seen::default()));
        prop_assert!(!told.contains("PROMPT-TEXT-MUST"));
    }

    #[test]
    fn fields_of_any_type_are_taken(field in 0_usize..12, value in 0_usize..8) {
        const FIELDS: [&str; 12] = [
            "timestamp", "type", "payload", "turn_id", "model", "info", "rate_limits", "error", "codex_error_info",
            "output_tokens", "time_to_first_token_ms", "used_percent",
        ];
        const VALUES: [&str; 8] = ["null", "\"7\"", "7", "-1e300", "[1,{}]", "{\"a\":[]}", "true", "\"\\u0000\\ud83d\\ude00\""];
        for (_, bytes, _) in CASES.iter().filter(|(name, ..)| name.starts_with("codex") && !name.contains("huge")) {
            let text = std::str::from_utf8(bytes).unwrap();
            // The rest of the line is no longer the value's, but often still JSON.
            let changed = text.replace(&format!("\"{}\":", FIELDS[field]), &format!("\"{}\":{},\"x\":", FIELDS[field], VALUES[value]));
            let _ = seen_in(changed.as_bytes(), None);
        }
    }
}
