//! Whether a JSON value of an answer is, or carries, an error: by the members that only errors have.

use crate::core::reply::scan::{At, Value};

/// Members that only errors have, when they say something.
fn names_error(part: At<'_, '_>) -> bool {
    let says_code = || match part.value() {
        Value::Bare(_) | Value::Text(_) => !is_success_code(part),
        _ => false,
    };
    match part.key() {
        "error" | "Error" => match part.value() {
            Value::Object => part.has_children(),
            Value::Text(raw) => !raw.is_empty(),
            Value::Bool(yes) => yes,
            Value::Array => part.has_children(),
            Value::Bare(_) => !is_success_code(part),
            Value::Null => false,
        },
        "errors" => part.value() == Value::Array && part.has_children(),
        "base_resp" | "BaseResp" | "baseResp" => {
            part.get("status_code").or_else(|| part.get("StatusCode")).is_some_and(|code| !is_success_code(code))
        }
        "error_code" | "errorCode" | "errcode" | "err_code" | "errno" | "ErrorCode" => says_code(),
        "error_msg" | "errorMessage" | "error_message" | "errMsg" | "errmsg" => {
            part.is_filled_text() && !part.raw_text().is_some_and(is_success_word)
        }
        "success" | "ok" | "Success" => part.value() == Value::Bool(false),
        "object" => part.raw_text() == Some("error"),
        "fault" | "err" => part.is_object() && part.has_children(),
        "header" => part.get("code").is_some_and(|code| !is_success_code(code)),
        // The exceptions of Amazon's event streams.
        key => part.is_object() && key.ends_with("Exception"),
    }
}

fn is_success_word(word: &str) -> bool {
    const WORDS: [&str; 6] = ["", "success", "ok", "succeeded", "successful", "成功"];
    WORDS.iter().any(|good| word.trim().eq_ignore_ascii_case(good))
}

fn is_success_code(code: At<'_, '_>) -> bool {
    match code.value() {
        Value::Null => true,
        Value::Text(raw) if is_success_word(raw.as_written()) => true,
        _ => code.number().is_some_and(|number| number == 0.0 || (200.0..300.0).contains(&number)),
    }
}

/// Whether the value is, or carries, an error.
pub(super) fn is_error(kind: &str, event: &str, root: At<'_, '_>, is_answer: bool) -> bool {
    if matches!(kind, "error" | "response.failed" | "response.error") || event == "error" {
        return true;
    }
    let is_failed =
        |at: At<'_, '_>| matches!(at.get("status").and_then(At::raw_text), Some("failed" | "error" | "fail"));
    if root.children().any(names_error) || is_failed(root) {
        return true;
    }
    for inner in ["response", "Response", "result", "header", "payload"] {
        if let Some(inner) = root.get(inner).filter(|inner| inner.is_object())
            && (inner.children().any(|part| matches!(part.key(), "error" | "Error") && names_error(part))
                || is_failed(inner))
        {
            return true;
        }
    }
    let choices = root.get("choices").into_iter().flat_map(At::children);
    if choices.into_iter().any(|choice| choice.get("error").is_some_and(names_error)) {
        return true;
    }
    if is_answer {
        return false;
    }
    // `retCode` and `retMsg`, `resultCode` and `resultMessage`: whatever the prefix.
    let ends_in = |part: At<'_, '_>, ends: &[&str]| {
        let key = part.key().to_ascii_lowercase();
        ends.iter().any(|end| key.len() > end.len() && key.ends_with(end))
    };
    let has_code =
        root.children().any(|part| ends_in(part, &["code"]) && part.raw_text().is_some() && !is_success_code(part));
    if has_code && root.children().any(|part| ends_in(part, &["msg", "message"]) && part.is_filled_text()) {
        return true;
    }
    let has_text = |keys: &[&str]| {
        keys.iter().any(|key| root.get(key).is_some_and(|at| at.raw_text().is_some_and(|text| !is_success_word(text))))
    };
    let message = has_text(&["message", "msg", "Message", "error_description"]);
    match root.get("code").or_else(|| root.get("Code")).or_else(|| root.get("status_code")) {
        Some(code) if is_success_code(code) => false,
        Some(_) => message || has_text(&["detail"]) || root.get("code").is_some_and(At::is_filled_text),
        None => {
            message
                || root.get("detail").is_some_and(|detail| detail.is_filled_text() || detail.has_children())
                || root.get("__type").is_some()
        }
    }
}
