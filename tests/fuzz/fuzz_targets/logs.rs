//! Feeds the readers of tools' logs, and of what a tool prints, with any file.
//!
//! An input is one byte for the tool that is thought of, one for the size of pieces, and the file. Run it from the
//! package's folder:
//!
//! ```text
//! cargo +nightly fuzz run logs --fuzz-dir tests/fuzz
//! ```
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use vacancy::listen::{Form, Lines, Observation, Reader, Seen, Tool, read};
use vacancy::toolprobe::{Program, verdict};

const TOOLS: [Option<Tool>; 7] = [
    None,
    Some(Tool::Codex),
    Some(Tool::ClaudeCode),
    Some(Tool::GeminiCli),
    Some(Tool::Opencode),
    Some(Tool::Aider),
    Some(Tool::Cline),
];

fuzz_target!(|data: &[u8]| {
    let [tool, size, file @ ..] = data else { return };
    let tool = TOOLS[usize::from(*tool) % TOOLS.len()];
    let found = read(file, tool, &Seen::default());
    found.iter().for_each(hold);
    // A file is read alike however it is cut, and a reader that was told where the other one stopped goes on.
    if let Some(form) = Form::detect(&file[..file.len().min(Form::HEAD)], tool)
        && let Some(mut reader) = Reader::new(form, &Seen::default())
    {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        for part in file.chunks(usize::from(*size).max(1)) {
            lines.feed(part, &mut reader, &mut out);
        }
        lines.finish(&mut reader, &mut out);
        assert_eq!(found, out);
        assert!(reader.limits().iter().all(|limit| limit.used_percent.is_finite()));
        let mut next = Reader::new(form, &Seen::default()).expect("the form has a reader");
        next.resume(reader.carry());
        lines.feed(file, &mut next, &mut out);
    }
    for program in Program::ALL {
        let (out, err) = file.split_at(file.len() / 2);
        for said in [verdict::decided(program, out, err), verdict::ended(program, file, b"")].into_iter().flatten() {
            hold(&said);
            verdict::outcome(&said, Timestamp::UNIX_EPOCH);
        }
    }
});

fn hold(observation: &Observation) {
    assert!(!observation.rule.is_empty());
    assert!(observation.to_json().is_object());
    for name in [&observation.model, &observation.provider].into_iter().flatten() {
        assert!(!name.as_str().is_empty() && !name.as_str().contains(char::is_control), "{name:?}");
    }
}
