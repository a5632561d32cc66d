//! The shapes in which programs and chat services take a notice over HTTP, and what their answers mean. Pure.
//!
//! Each form sends plain text: a model's name must never become a mention, a link or a tag. What the services document:
//! - Slack, also spoken by Mattermost and Rocket.Chat: `text`, with `&`, `<` and `>` escaped and `mrkdwn` off
//!   (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, docs.slack.dev/messaging/formatting-message-text)
//! - Discord: `content` of at most 2,000 characters, `allowed_mentions` (docs.discord.com/developers/resources/webhook)
//! - Teams: a message with an Adaptive Card; the text of a `RichTextBlock` knows no markup
//!   (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using,
//!   adaptivecards.io/explorer/TextRun.html)
//! - ntfy: JSON goes to the root of the server and names its topic (docs.ntfy.sh/publish/#publish-as-json)
//! - Telegram: `sendMessage`, 4,096 characters, `retry_after` in the answer (core.telegram.org/bots/api#sendmessage)
//! - Feishu and Lark: a `post`, whose texts are taken as they are; refusals are a `code` in a 200
//!   (open.feishu.cn/document/client-docs/bot-v3/add-custom-bot)
//! - DingTalk: `text`; refusals are an `errcode` in a 200 (open.dingtalk.com/document/robots/custom-robot-access)
//! - WeCom: `text` of at most 2,048 bytes in which `<@name>` mentions
//!   (developer.work.weixin.qq.com/document/path/91770)

use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

use crate::core::secretive::masked;
use crate::notify::Message;
use crate::notify::data::notice;

/// The shape of a webhook's body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Our own, see [`crate::notify::data`].
    #[default]
    Json,
    /// Slack's incoming webhooks.
    Slack,
    /// Discord's webhooks.
    Discord,
    /// Microsoft Teams' workflows.
    Teams,
    /// A topic of ntfy.
    Ntfy,
    /// `sendMessage` of a Telegram bot; the address has the `chat_id`.
    Telegram,
    /// A custom bot of Feishu or Lark.
    Feishu,
    /// A custom robot of DingTalk.
    Dingtalk,
    /// A group robot of WeCom.
    Wecom,
}

impl Form {
    /// Every form with its name in the settings.
    pub const ALL: [(&'static str, Self); 9] = [
        ("json", Self::Json),
        ("slack", Self::Slack),
        ("discord", Self::Discord),
        ("teams", Self::Teams),
        ("ntfy", Self::Ntfy),
        ("telegram", Self::Telegram),
        ("feishu", Self::Feishu),
        ("dingtalk", Self::Dingtalk),
        ("wecom", Self::Wecom),
    ];

    /// The name in the settings.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, form)| *form == self).map_or("json", |(name, _)| name)
    }

    /// What is posted, and where to: some services want a part of the address in the body. `None` when the address
    /// lacks that part.
    pub fn post(self, address: &Url, message: &Message) -> Option<Post> {
        let mut url = address.clone();
        let text = text(message);
        let body = match self {
            Self::Json => notice(message),
            Self::Slack => json!({ "text": cut(&escaped(&text), 4_000), "mrkdwn": false }),
            Self::Discord => json!({
                "username": "Vacancy",
                "content": markdown_escaped(&text, 2_000),
                "allowed_mentions": { "parse": [] },
                // SUPPRESS_EMBEDS: a name that looks like an address shows no page.
                "flags": 4,
            }),
            Self::Teams => card(message),
            Self::Ntfy => {
                let topic = url
                    .path_segments()
                    .and_then(|mut parts| parts.next_back())
                    .filter(|last| !last.is_empty())?
                    .to_owned();
                url.path_segments_mut().ok()?.pop().push("");
                json!({
                    "topic": topic,
                    "title": cut(&message.summary, 250),
                    "message": cut_bytes(&message.body, 4_000),
                    "priority": if message.is_urgent { 4 } else { 3 },
                })
            }
            Self::Telegram => {
                let mut body = serde_json::Map::new();
                for (name, value) in address.query_pairs() {
                    body.insert(name.into_owned(), Value::String(value.into_owned()));
                }
                body.get("chat_id")?;
                url.set_query(None);
                body.insert("text".to_owned(), cut(&text, 4_000).into());
                body.insert("link_preview_options".to_owned(), json!({ "is_disabled": true }));
                Value::Object(body)
            }
            Self::Feishu => {
                let lines: Vec<Value> =
                    message.body.lines().map(|line| json!([{ "tag": "text", "text": line }])).collect();
                let title = cut(&message.summary, 250);
                json!({ "msg_type": "post", "content": { "post": { "zh_cn": { "title": title, "content": lines } } } })
            }
            Self::Dingtalk => {
                json!({ "msgtype": "text", "text": { "content": cut(&text, 4_000) }, "at": { "isAtAll": false } })
            }
            // A space that is not seen keeps the sign of a mention apart.
            Self::Wecom => {
                let text = text.replace("<@", "<\u{200b}@");
                json!({ "msgtype": "text", "text": { "content": cut_bytes(&text, 2_000) } })
            }
        };
        Some(Post { url, body: body.to_string() })
    }

    /// What an answer means: its status, and the first kilobytes of its body.
    pub fn verdict(self, status: u16, body: &[u8]) -> Verdict {
        let read: Value = serde_json::from_slice(body).unwrap_or_default();
        let number = |name: &str| read.get(name).and_then(Value::as_i64);
        if status == 429 || status >= 500 {
            let wait = read.pointer("/parameters/retry_after").or(read.get("retry_after")).and_then(Value::as_f64);
            return Verdict::Busy { wait: wait.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) };
        }
        if !(200..300).contains(&status) {
            return Verdict::Refused { code: None, why: why(&read, body) };
        }
        let (code, busy) = match self {
            Self::Json | Self::Slack | Self::Discord | Self::Teams | Self::Ntfy => return Verdict::Taken,
            Self::Telegram if read.get("ok") == Some(&Value::Bool(true)) => return Verdict::Taken,
            Self::Telegram => (number("error_code"), 429),
            Self::Feishu => (number("code").or(number("StatusCode")), 11_232),
            Self::Dingtalk => (number("errcode"), 130_101),
            Self::Wecom => (number("errcode"), 45_009),
        };
        match code {
            Some(0) => Verdict::Taken,
            // Twenty in a minute is what these two allow.
            Some(code) if code == busy => Verdict::Busy { wait: Some(Duration::from_secs(60)) },
            code => Verdict::Refused { code, why: why(&read, body) },
        }
    }
}

/// A request to be made: always a POST of JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct Post {
    /// Where to. A secret.
    pub url: Url,
    /// What.
    pub body: String,
}

/// What a service answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The notice is there.
    Taken,
    /// Not now; the same again later may work.
    Busy {
        /// After how long, if it said so in the body.
        wait: Option<Duration>,
    },
    /// The same again would be refused again.
    Refused {
        /// The service's own number, if it gave one.
        code: Option<i64>,
        /// Its own words, bounded and without what looks like a key; often empty.
        why: String,
    },
}

/// Summary and body as one text.
fn text(message: &Message) -> String {
    if message.body.is_empty() { message.summary.clone() } else { format!("{}\n{}", message.summary, message.body) }
}

fn card(message: &Message) -> Value {
    let block = |text: &str, weight: &str| {
        let run = json!({ "type": "TextRun", "text": cut(text, 4_000), "weight": weight });
        json!({ "type": "RichTextBlock", "inlines": [run] })
    };
    let mut blocks = vec![block(&message.summary, "bolder")];
    blocks.extend(message.body.lines().filter(|line| !line.is_empty()).map(|line| block(line, "default")));
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "contentUrl": null,
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.2",
                "body": blocks,
            },
        }],
    })
}

/// Text where three signs begin an entity or a tag, as in Slack's texts and the bodies of desktop notices.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text for a reader of Markdown, at most so many characters.
fn markdown_escaped(text: &str, most: usize) -> String {
    const SPECIAL: &str = r"\*_~`|[]()<>#-";
    let mut out = String::with_capacity(text.len());
    let mut length = 0;
    for c in text.chars() {
        let is_special = SPECIAL.contains(c);
        let more = 1 + usize::from(is_special);
        if length + more >= most {
            out.push('…');
            break;
        }
        if is_special {
            out.push('\\');
        }
        out.push(c);
        length += more;
    }
    out
}

/// At most so many characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// At most so many bytes, whole characters.
fn cut_bytes(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most - '…'.len_utf8()).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

/// A service's own words.
fn why(read: &Value, body: &[u8]) -> String {
    let named = ["description", "errmsg", "msg", "message", "error"];
    let named = named.into_iter().find_map(|name| read.get(name).and_then(Value::as_str));
    let text = match named {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(body).into_owned(),
    };
    // A page for a browser says nothing in its first line.
    if text.trim_start().starts_with('<') {
        return String::new();
    }
    // It may be printed on a terminal: nothing of it may be a command there.
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    masked(&cut(&line, 160))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::Button;

    fn message() -> Message {
        Message {
            id: 7,
            summary: "gpt_5 <@all> is free & well".to_owned(),
            body: "after 25 min *really*\n@everyone <!channel> [x](http://y)".to_owned(),
            buttons: vec![Button { action: "use:a".to_owned(), label: "Use a now".to_owned() }],
            facts: json!({ "kind": "recovered", "at": "2026-03-01T12:00:00Z", "target": "a" }),
            ..Message::default()
        }
    }

    fn posted(form: Form, address: &str) -> (String, Value) {
        let post = form.post(&Url::parse(address).unwrap(), &message()).expect("a whole address");
        (post.url.to_string(), serde_json::from_str(&post.body).unwrap())
    }

    #[test]
    fn each_form_is_the_shape_that_its_service_documents() {
        let hook = "https://hooks.example.com/services/T0/B0/secret";
        let cases = [
            (
                Form::Slack,
                json!({ "text": "gpt_5 &lt;@all&gt; is free &amp; well\nafter 25 min *really*\n@everyone &lt;!channel&gt; [x](http://y)", "mrkdwn": false }),
            ),
            (
                Form::Discord,
                json!({
                    "username": "Vacancy",
                    "content": "gpt\\_5 \\<@all\\> is free & well\nafter 25 min \\*really\\*\n@everyone \\<!channel\\> \\[x\\]\\(http://y\\)",
                    "allowed_mentions": { "parse": [] },
                    "flags": 4,
                }),
            ),
            (
                Form::Feishu,
                json!({ "msg_type": "post", "content": { "post": { "zh_cn": {
                    "title": "gpt_5 <@all> is free & well",
                    "content": [
                        [{ "tag": "text", "text": "after 25 min *really*" }],
                        [{ "tag": "text", "text": "@everyone <!channel> [x](http://y)" }],
                    ],
                } } } }),
            ),
            (
                Form::Dingtalk,
                json!({
                    "msgtype": "text",
                    "text": { "content": "gpt_5 <@all> is free & well\nafter 25 min *really*\n@everyone <!channel> [x](http://y)" },
                    "at": { "isAtAll": false },
                }),
            ),
            (
                Form::Wecom,
                json!({
                    "msgtype": "text",
                    "text": { "content": "gpt_5 <\u{200b}@all> is free & well\nafter 25 min *really*\n@everyone <!channel> [x](http://y)" },
                }),
            ),
        ];
        for (form, expected) in cases {
            assert_eq!(posted(form, hook), (hook.to_owned(), expected), "{form:?}");
        }
    }

    #[test]
    fn our_own_form_says_everything() {
        let (_, body) = posted(Form::Json, "http://127.0.0.1:1/in");
        assert_eq!(body["version"], 1);
        assert_eq!(body["id"], 7);
        assert_eq!(body["kind"], "recovered");
        assert_eq!(body["actions"], json!([{ "action": "use:a", "label": "Use a now" }]));
        assert_eq!(body["facts"]["target"], "a");
    }

    #[test]
    fn teams_gets_a_card_without_markup() {
        let (_, body) = posted(Form::Teams, "https://example.com/workflows/secret?sig=s");
        assert_eq!(body["type"], "message");
        let card = &body["attachments"][0];
        assert_eq!(card["contentType"], "application/vnd.microsoft.card.adaptive");
        let blocks = card["content"]["body"].as_array().unwrap();
        assert_eq!(blocks.len(), 3);
        assert!(blocks.iter().all(|block| block["type"] == "RichTextBlock"), "a TextBlock reads Markdown");
        assert_eq!(blocks[0]["inlines"][0]["text"], message().summary);
    }

    #[test]
    fn parts_of_the_address_go_where_the_service_wants_them() {
        let (url, body) = posted(Form::Ntfy, "https://ntfy.example.com/my-topic?auth=abc");
        assert_eq!(url, "https://ntfy.example.com/?auth=abc");
        assert_eq!((&body["topic"], &body["priority"]), (&json!("my-topic"), &json!(3)));
        let (url, body) =
            posted(Form::Telegram, "https://api.telegram.org/bot1:x/sendMessage?chat_id=-5&message_thread_id=9");
        assert_eq!(url, "https://api.telegram.org/bot1:x/sendMessage");
        assert_eq!((&body["chat_id"], &body["message_thread_id"]), (&json!("-5"), &json!("9")));
        assert_eq!(body["text"], text(&message()), "no parse_mode: the text is taken as it is");
        for (form, address) in
            [(Form::Ntfy, "https://ntfy.sh/"), (Form::Telegram, "https://api.telegram.org/bot1:x/sendMessage")]
        {
            assert!(form.post(&Url::parse(address).unwrap(), &message()).is_none(), "{address}");
        }
    }

    #[test]
    fn answers_are_read_as_the_service_means_them() {
        let refused = |code: Option<i64>, why: &str| Verdict::Refused { code, why: why.to_owned() };
        let busy = |seconds: Option<u64>| Verdict::Busy { wait: seconds.map(Duration::from_secs) };
        let cases: &[(Form, u16, &str, Verdict)] = &[
            (Form::Json, 204, "", Verdict::Taken),
            (Form::Slack, 200, "ok", Verdict::Taken),
            (Form::Slack, 404, "no_service", refused(None, "no_service")),
            (Form::Teams, 202, "", Verdict::Taken),
            (Form::Discord, 429, r#"{"retry_after":2.0,"global":false}"#, busy(Some(2))),
            (
                Form::Discord,
                400,
                r#"{"message":"Cannot send an empty message","code":50006}"#,
                refused(None, "Cannot send an empty message"),
            ),
            (Form::Ntfy, 301, "<html>moved</html>", refused(None, "")),
            (Form::Json, 503, "", busy(None)),
            (Form::Telegram, 200, r#"{"ok":true,"result":{}}"#, Verdict::Taken),
            (Form::Telegram, 429, r#"{"ok":false,"parameters":{"retry_after":7}}"#, busy(Some(7))),
            (
                Form::Telegram,
                400,
                r#"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
                refused(None, "Bad Request: chat not found"),
            ),
            (Form::Feishu, 200, r#"{"code":0,"msg":"success"}"#, Verdict::Taken),
            (Form::Feishu, 200, r#"{"StatusCode":0,"StatusMessage":"success"}"#, Verdict::Taken),
            (
                Form::Feishu,
                200,
                r#"{"code":19024,"msg":"Key Words Not Found"}"#,
                refused(Some(19024), "Key Words Not Found"),
            ),
            (Form::Feishu, 200, r#"{"code":11232,"msg":"frequency limited"}"#, busy(Some(60))),
            (Form::Dingtalk, 200, r#"{"errcode":0,"errmsg":"ok"}"#, Verdict::Taken),
            (
                Form::Dingtalk,
                200,
                r#"{"errcode":310000,"errmsg":"keywords not in content"}"#,
                refused(Some(310_000), "keywords not in content"),
            ),
            (Form::Wecom, 200, r#"{"errcode":45009,"errmsg":"api freq out of limit"}"#, busy(Some(60))),
            (Form::Wecom, 200, "<html>portal</html>", refused(None, "")),
        ];
        for (form, status, body, expected) in cases {
            assert_eq!(form.verdict(*status, body.as_bytes()), *expected, "{form:?} {status} {body}");
        }
    }

    #[test]
    fn long_texts_are_cut_to_what_a_service_takes() {
        let long = Message { summary: "_".repeat(3_000), body: "界".repeat(9_000), ..message() };
        let address = Url::parse("https://example.com/topic?chat_id=1").unwrap();
        for (name, form) in Form::ALL {
            let post = form.post(&address, &long).unwrap();
            let body: Value = serde_json::from_str(&post.body).unwrap();
            match form {
                Form::Discord => assert!(body["content"].as_str().unwrap().chars().count() <= 2_000),
                Form::Telegram => assert!(body["text"].as_str().unwrap().chars().count() <= 4_096),
                Form::Wecom => assert!(body["text"]["content"].as_str().unwrap().len() <= 2_048),
                Form::Ntfy => assert!(body["message"].as_str().unwrap().len() <= 4_096),
                _ => assert!(!post.body.is_empty(), "{name}"),
            }
        }
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut_bytes("界界界", 8), "界…");
    }

    #[test]
    fn an_answer_gives_no_key_away() {
        let verdict = Form::Json.verdict(403, b"{\"error\":\"bad token sk-abcdefghijklmnopqrst0123\"}");
        assert_eq!(verdict, Verdict::Refused { code: None, why: "bad token …".to_owned() });
    }

    #[test]
    fn an_answer_is_no_command_for_a_terminal() {
        for body in [&b"no \x1b]0;mine\x07 you"[..], b"{\"error\":\"no \\u001b]0;mine\\u0007 you\"}"] {
            let verdict = Form::Json.verdict(403, body);
            assert_eq!(verdict, Verdict::Refused { code: None, why: "no ]0;mine you".to_owned() });
        }
    }
}
