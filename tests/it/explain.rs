//! `vacancy explain` as a person and a script use it.

use std::io::Write as _;

use assert_cmd::Command;

fn explain(args: &[&str], stdin: &str) -> (i32, String, String) {
    explain_with(None, args, stdin)
}

fn explain_with(settings: Option<&str>, args: &[&str], stdin: &str) -> (i32, String, String) {
    let home = tempfile::tempdir().unwrap();
    if let Some(settings) = settings {
        std::fs::create_dir_all(home.path().join("config")).unwrap();
        std::fs::write(home.path().join("config/vacancy.toml"), settings).unwrap();
    }
    let output = Command::cargo_bin("vacancy")
        .unwrap()
        .env("VACANCY_HOME", home.path())
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES")
        .env("LANG", "en_GB.UTF-8")
        .arg("explain")
        .args(args)
        .write_stdin(stdin)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_printed_sentence_is_explained_in_plain_words() {
    let (code, text, _) =
        explain(&["Selected", "model", "is", "at", "capacity.", "Please", "try", "a", "different", "model."], "");
    assert_eq!(code, 0);
    assert!(text.starts_with("At capacity · this model only\n"), "{text}");
    for part in [
        "not your configuration",
        "Whose         The provider's.",
        "use another model",
        "In 30 seconds",
        "Rule          capacity (at capacity",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn it_speaks_chinese() {
    let (code, text, _) = explain(
        &["--lang", "zh-Hans"],
        "HTTP/2 429\nretry-after: 90\n\n{\"error\":{\"code\":\"1302\",\"message\":\"您的账户已达到速率限制\"}}",
    );
    assert_eq!(code, 0);
    for part in ["触发你的速率限制 · 你的账户", "责任方", "1 分钟 30 秒后", "limit-number"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn files_and_missing_input() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all("Error code: 401 - {'error': {'message': 'Incorrect API key provided: sk-proj-Abcd1234', 'code': 'invalid_api_key'}}".as_bytes()).unwrap();
    let (code, text, _) = explain(&["--file", file.path().to_str().unwrap()], "");
    assert_eq!(code, 0);
    assert!(text.starts_with("Key refused"), "{text}");
    assert!(!text.contains("Abcd1234"), "the key is not repeated");

    let (code, _, error) = explain(&[], " \n");
    assert_eq!(code, 2);
    assert!(error.contains("Nothing to explain"), "{error}");
    assert_eq!(explain(&["--file", "/no/such/file"], "").0, 2);
}

#[test]
fn jsonl_answers_every_line_with_exactly_the_contract() {
    let corpus = include_str!("../fixtures/error-corpus/dev.jsonl");
    let mut input = String::from("not json\n[1]\n\n");
    input.push_str(corpus);
    let (code, text, _) = explain(&["--jsonl"], &input);
    assert_eq!(code, 0);
    let answers: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), corpus.lines().count() + 2);
    for bad in &answers[..2] {
        assert!(bad["id"].is_null() && bad["error"].is_string() && bad.as_object().unwrap().len() == 2, "{bad}");
    }
    for (answer, line) in answers[2..].iter().zip(corpus.lines()) {
        let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "kind", "scope", "retry_after_s", "wait_helps", "switch_helps", "rule"]);
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&answer["id"], &answer["kind"]), (&line["id"], &line["expect"]["kind"]));
        assert!(answer["retry_after_s"].is_null() || answer["retry_after_s"].is_number());
    }
}

#[test]
fn rules_are_listed() {
    let (code, text, _) = explain(&["--rules"], "");
    assert_eq!(code, 0);
    let line = text.lines().find(|line| line.contains(" overload-code ")).unwrap();
    assert!(line.starts_with("name") && line.contains("at_capacity") && line.contains("serverisoverloaded"), "{line}");
    assert!(text.lines().count() > 150);
}

#[test]
fn rules_of_the_settings_come_first() {
    let settings = "[[rule]]\nid = \"my-relay\"\nkind = \"at_capacity\"\ntext = \"line is full\"\n";
    let (code, text, error) = explain_with(Some(settings), &["The", "line", "is", "full:", "rate", "limit"], "");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(text.starts_with("At capacity") && text.contains("my-relay (text: line is full)"), "{text}");
    let (_, table, _) = explain_with(Some(settings), &["--rules"], "");
    assert!(table.lines().nth(1).unwrap().starts_with("user"), "{table}");

    let (code, text, error) = explain_with(Some("[[rule]]\nid = \"x\"\n"), &["rate limit"], "");
    assert_eq!(code, 0, "faulty settings do not keep an error from being explained");
    assert!(text.starts_with("Your rate limit") && error.contains("vacancy.toml"), "{error}");
}

#[test]
fn a_line_without_measure_is_answered_as_bad_and_the_next_one_is_read() {
    let line = r#"{"id":"b","dialect":"openai-chat","status":503,"body":"overloaded"}"#;
    let input = format!("{}\n{line}\n", "x".repeat(17 << 20));
    let (code, text, _) = explain(&["--jsonl"], &input);
    assert_eq!(code, 0);
    let answers: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 2, "{text}");
    assert!(answers[0]["id"].is_null() && answers[0]["error"].as_str().unwrap().contains("16 MiB"));
    assert_eq!(answers[1]["id"], "b");
}
