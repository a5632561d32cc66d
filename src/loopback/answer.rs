//! From a scenario to the bytes and pauses of an answer. Pure: the server only plays what is decided here.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::core::exchange::{BODY_LIMIT, End, Exchange, Failure, Phase, Timing};
use crate::core::target::Dialect;
use crate::loopback::faults::{self, ErrorAnswer, Fault};
use crate::loopback::outputs::{Output, Pieces, one_output, pieces};
use crate::loopback::route::{Ask, Form};
use crate::loopback::{Reply, Scenario, Tempo, bytes};

/// How a request is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// An HTTP answer. A body of exactly one [`Step::Send`] has a length; any other is sent in chunks.
    Http {
        /// The status.
        status: u16,
        /// The headers, in their order.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: Vec<Step>,
    },
    /// Bytes straight onto the connection, which is closed after the last step.
    Raw(Vec<Step>),
}

/// One step of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Bytes.
    Send(Vec<u8>),
    /// A pause. What was sent before it is on the wire; a pause of zero splits two writes.
    Wait(Duration),
    /// The same bytes for ever.
    Repeat {
        /// What is sent each time.
        bytes: Vec<u8>,
        /// The pause between two times.
        every: Duration,
    },
    /// The connection is lost: closed without the proper end.
    Cut,
    /// The connection is reset.
    Reset,
    /// Nothing more, for ever.
    Hold,
}

impl Answer {
    /// What a client has seen of the answer when it gave up or came to the end, without times.
    pub fn exchange(&self, received_at: Timestamp) -> Exchange {
        let (status, headers, steps) = match self {
            Self::Http { status, headers, body } => (Some(*status), headers.as_slice(), body),
            Self::Raw(steps) => (None, [].as_slice(), steps),
        };
        let mut body = Vec::new();
        let mut end = End::Complete;
        for step in steps {
            match step {
                Step::Send(bytes) => body.extend_from_slice(bytes),
                Step::Repeat { bytes, .. } => {
                    body.extend_from_slice(bytes);
                    end = End::Stalled;
                }
                Step::Hold => end = End::Stalled,
                Step::Cut | Step::Reset => end = End::Cut,
                Step::Wait(_) => {}
            }
        }
        if status.is_none() {
            let text = match end {
                End::Complete => "invalid HTTP version parsed",
                End::Cut => "connection reset by peer (os error 104)",
                End::Stalled | End::Failed(_) => "operation timed out",
            };
            end = End::Failed(Failure { phase: Some(Phase::FirstByte), text: text.to_owned() });
            body.clear();
        }
        body.truncate(BODY_LIMIT);
        Exchange {
            end,
            status,
            headers: headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            body,
            received_at: Some(received_at),
            timing: Timing::default(),
        }
    }
}

impl Step {
    fn send(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Send(bytes.into())
    }
}

/// Long enough that two writes arrive as two reads and a client sees headers before the loss of a connection.
const SPLIT: Duration = Duration::from_millis(20);

/// The answer to a generation.
pub fn answer(ask: &Ask, reply: Reply, tempo: Tempo) -> Answer {
    let mut answer = play(ask, reply, tempo);
    if let (Some(wait), Answer::Http { status: 400.., headers, .. }) = (reply.retry_after_s, &mut answer) {
        headers.retain(|(name, _)| *name != "retry-after");
        headers.push(("retry-after", wait.to_string()));
    }
    if let Answer::Http { status, headers, .. } = &mut answer {
        headers.extend(signature(ask, *status));
    }
    answer
}

/// The headers that a vendor adds to every answer and its own tool writes into its record: an answer's id, how much of
/// the plan's windows is used.
fn signature(ask: &Ask, status: u16) -> Vec<(&'static str, String)> {
    match ask.dialect {
        Dialect::AnthropicMessages => vec![("request-id", format!("req_loopback_{}", ask.serial))],
        Dialect::OpenaiResponses if status == 200 => [
            ("x-codex-primary-used-percent", "37"),
            ("x-codex-primary-window-minutes", "300"),
            ("x-codex-secondary-used-percent", "12"),
            ("x-codex-secondary-window-minutes", "10080"),
        ]
        .map(|(name, value)| (name, value.to_owned()))
        .into(),
        _ => Vec::new(),
    }
}

fn play(ask: &Ask, reply: Reply, tempo: Tempo) -> Answer {
    let text = Output::Text(&["Hello", "! How can I ", "help?"]);
    let faulty = |fault| error(faults::fault(ask.dialect, &ask.model, fault));
    match reply.scenario {
        Scenario::Ok | Scenario::Refused | Scenario::BadCertificate => spoken(ask, text, reply.first_token),
        Scenario::Slow => spoken(ask, text, reply.first_token + tempo.slow),
        Scenario::ReasoningOnly => spoken(ask, Output::Reasoning, reply.first_token),
        Scenario::LengthStop => spoken(ask, Output::Nothing, reply.first_token),
        Scenario::MaxTokensUnsupported => {
            parameter_error(ask).map_or_else(|| spoken(ask, text, reply.first_token), |body| json_answer(400, &body))
        }
        Scenario::CouldNotFinish => match ask.dialect {
            Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::Generic => faulty(Fault::CouldNotFinish),
            // The other dialects have no such error: they stop at the length.
            Dialect::AnthropicMessages | Dialect::Gemini | Dialect::OllamaChat => {
                spoken(ask, Output::Nothing, reply.first_token)
            }
        },
        Scenario::Endless => endless(ask, tempo),
        Scenario::CutAfterOutput => cut(ask, text, true),
        Scenario::CutBeforeOutput => cut(ask, text, false),
        Scenario::Overloaded503 => {
            let mut full = faults::fault(ask.dialect, &ask.model, Fault::Overloaded);
            full.status = 503;
            error(full)
        }
        Scenario::Overloaded529 => json_answer(529, &faults::overloaded_529(ask.dialect)),
        Scenario::ErrorIn200Json => json_answer(200, &faults::fault(ask.dialect, &ask.model, Fault::Overloaded).body),
        Scenario::ErrorIn200Stream => error_in_stream(ask),
        Scenario::OverloadSentence => spoken(ask, Output::Text(&faults::SENTENCE), reply.first_token),
        Scenario::Rate429 => faulty(Fault::Rate),
        Scenario::Quota429 => faulty(Fault::Quota),
        Scenario::UsageLimit429 => faulty(Fault::UsageLimit),
        Scenario::Unauthorized401 => faulty(Fault::Unauthorized),
        Scenario::Forbidden403 => faulty(Fault::Forbidden),
        Scenario::NotFound404 => faulty(Fault::ModelNotFound),
        Scenario::BadRequest400 => faulty(Fault::TooLong),
        Scenario::ContentFilter => faulty(Fault::Filtered),
        Scenario::Error500 => faulty(Fault::Broken),
        Scenario::Waf403 => page(403, WAF_PAGE),
        Scenario::WebPage200 => page(200, WEB_PAGE),
        Scenario::BadGateway502 => page(502, BAD_GATEWAY_PAGE),
        Scenario::GatewayTimeout504 => page(504, GATEWAY_TIMEOUT_PAGE),
        Scenario::PortalPage => page(200, PORTAL_PAGE),
        Scenario::PortalRedirect => redirect(302, "http://portal.example/login?continue=1", PORTAL_PAGE),
        Scenario::Redirect => redirect(308, "/elsewhere/v2", ""),
        Scenario::WrongPath404 => wrong_path(),
        Scenario::Empty200 => http(200, content_type(ask.form), vec![Step::send("")]),
        Scenario::GzipBomb => Answer::Http {
            status: 200,
            headers: vec![("content-type", content_type(ask.form).to_owned()), ("content-encoding", "gzip".to_owned())],
            body: vec![Step::Send(bytes::gzip_of_zeros(1024 * 1024))],
        },
        Scenario::Stall => stall(ask, tempo),
        Scenario::Hang => Answer::Raw(vec![Step::Hold]),
        Scenario::SlowLoris => {
            let mut steps: Vec<Step> = b"HTTP/1.1 200 OK\r\nx-slow: "
                .iter()
                .flat_map(|&byte| [Step::Send(vec![byte]), Step::Wait(tempo.beat)])
                .collect();
            steps.push(Step::Repeat { bytes: b"a".to_vec(), every: tempo.beat });
            Answer::Raw(steps)
        }
        Scenario::Reset => Answer::Raw(vec![Step::Reset]),
        Scenario::Closed => Answer::Raw(vec![Step::Cut]),
        Scenario::HugeHeaders => {
            let mut head = b"HTTP/1.1 200 OK\r\n".to_vec();
            for index in 0..64 {
                head.extend_from_slice(format!("x-padding-{index}: {}\r\n", "p".repeat(64 * 1024)).as_bytes());
            }
            head.extend_from_slice(b"content-length: 0\r\n\r\n");
            Answer::Raw(vec![Step::Send(head)])
        }
        Scenario::Garbage => {
            Answer::Raw(vec![Step::send([0x16, 0x03, 0x01, 0x00, 0xff, 0xfe, 0x00, 0x9c, b'\n', 0x01, b'\r', b'\n'])])
        }
    }
}

/// The list of models.
pub fn models(dialect: Dialect, names: &[String]) -> Answer {
    let body = match dialect {
        Dialect::OllamaChat => json!({"models": names.iter().map(|name| json!({"name": name, "model": name}))
            .collect::<Vec<_>>()}),
        Dialect::Gemini => json!({"models": names.iter().map(|name| json!({
            "name": format!("models/{name}"),
            "supportedGenerationMethods": ["generateContent", "streamGenerateContent"]}))
            .collect::<Vec<_>>()}),
        Dialect::OpenaiChat | Dialect::OpenaiResponses | Dialect::AnthropicMessages | Dialect::Generic => {
            json!({"object": "list", "data": names.iter().map(|name| json!({
                "id": name, "object": "model", "type": "model", "owned_by": "loopback"}))
                .collect::<Vec<_>>()})
        }
    };
    json_answer(200, &body)
}

/// What a server says of a path that it does not have.
pub fn wrong_path() -> Answer {
    http(404, "text/plain; charset=utf-8", vec![Step::send("404 page not found\n")])
}

/// The answer to a change of what a model answers.
pub fn done() -> Answer {
    http(204, "text/plain; charset=utf-8", Vec::new())
}

const fn content_type(form: Form) -> &'static str {
    match form {
        Form::Json | Form::Array => "application/json",
        Form::Sse => "text/event-stream",
        Form::Ndjson => "application/x-ndjson",
    }
}

fn http(status: u16, content_type: &str, body: Vec<Step>) -> Answer {
    Answer::Http { status, headers: vec![("content-type", content_type.to_owned())], body }
}

fn json_answer(status: u16, body: &Value) -> Answer {
    http(status, "application/json", vec![Step::send(body.to_string())])
}

fn error(ErrorAnswer { status, mut headers, body }: ErrorAnswer) -> Answer {
    headers.insert(0, ("content-type", "application/json".to_owned()));
    Answer::Http { status, headers, body: vec![Step::send(body.to_string())] }
}

fn page(status: u16, html: &str) -> Answer {
    http(status, "text/html; charset=utf-8", vec![Step::send(html)])
}

fn redirect(status: u16, location: &str, html: &str) -> Answer {
    Answer::Http {
        status,
        headers: vec![("location", location.to_owned()), ("content-type", "text/html; charset=utf-8".to_owned())],
        body: vec![Step::send(html)],
    }
}

/// An answer that works: a stream has its first output after `first_token`, and each output is split in the middle, as
/// networks split them; a document comes at once after the same time.
fn spoken(ask: &Ask, output: Output<'_>, first_token: Duration) -> Answer {
    let Pieces { opening, outputs, closing } = pieces(ask, output);
    if ask.form == Form::Json {
        let document = outputs.concat();
        let mut body = Vec::new();
        if !first_token.is_zero() {
            body.push(Step::Wait(first_token));
        }
        body.push(Step::send(document));
        return http(200, content_type(ask.form), body);
    }
    let mut body: Vec<Step> = opening.into_iter().map(Step::send).collect();
    body.push(Step::Wait(first_token));
    for output in outputs {
        // In bytes: a split inside a character is what a careless reader gets wrong.
        let (head, tail) = output.as_bytes().split_at(output.len() / 2);
        body.extend([Step::send(head), Step::Wait(Duration::ZERO), Step::send(tail)]);
    }
    body.extend(closing.into_iter().map(Step::send));
    http(200, content_type(ask.form), body)
}

fn cut(ask: &Ask, output: Output<'_>, is_after_output: bool) -> Answer {
    let Pieces { opening, mut outputs, .. } = pieces(ask, output);
    let mut body: Vec<Step> = opening.into_iter().map(Step::send).collect();
    if is_after_output {
        // A document that is cut has no output yet: it is whole but for the proper end of the transfer.
        outputs.truncate(1);
        body.extend(outputs.into_iter().map(Step::send));
    }
    body.extend([Step::Wait(SPLIT), Step::Cut]);
    http(200, content_type(ask.form), body)
}

fn endless(ask: &Ask, tempo: Tempo) -> Answer {
    let Pieces { opening, outputs, .. } = pieces(ask, Output::Text(&["Hello"]));
    let mut body: Vec<Step> = opening.into_iter().map(Step::send).collect();
    let (first, repeated) = match ask.form {
        // White space after a document is legal, and some proxies keep a connection alive with it.
        Form::Json => (outputs.concat(), " ".to_owned()),
        Form::Sse | Form::Ndjson => (outputs.concat(), one_output(ask, "o")),
        Form::Array => (outputs.concat(), format!(",{}", one_output(ask, "o").trim_start_matches('['))),
    };
    body.extend([Step::send(first), Step::Repeat { bytes: repeated.into_bytes(), every: tempo.beat / 20 }]);
    http(200, content_type(ask.form), body)
}

fn stall(ask: &Ask, tempo: Tempo) -> Answer {
    let bytes: &[u8] = match (ask.form, ask.dialect) {
        (Form::Sse, Dialect::AnthropicMessages) => b"event: ping\ndata: {\"type\":\"ping\"}\n\n",
        (Form::Sse, _) => b": keep-alive\n\n",
        (Form::Json | Form::Ndjson | Form::Array, _) => b"\n",
    };
    http(200, content_type(ask.form), vec![Step::Repeat { bytes: bytes.to_vec(), every: tempo.beat }])
}

fn error_in_stream(ask: &Ask) -> Answer {
    let event = faults::overloaded_event(ask.dialect, &ask.model).framed(ask.form);
    let mut body = Vec::new();
    match ask.form {
        // Without a stream the same event is the whole document.
        Form::Json => body.push(Step::send(event)),
        Form::Array => body.push(Step::send(format!("[{event}]"))),
        Form::Sse | Form::Ndjson => {
            let opening = match ask.dialect {
                // A relay that keeps the connection alive; an empty role delta would be no output either.
                Dialect::OpenaiChat => vec![": PROCESSING\n\n".to_owned()],
                _ => pieces(ask, Output::Nothing).opening,
            };
            body.extend(opening.into_iter().map(Step::send));
            let (head, tail) = event.as_bytes().split_at(event.len() / 2);
            body.extend([Step::Wait(SPLIT), Step::send(head), Step::Wait(SPLIT), Step::send(tail)]);
        }
    }
    http(200, content_type(ask.form), body)
}

/// Why a request's output cap is refused, if it is.
fn parameter_error(ask: &Ask) -> Option<Value> {
    let (message, parameter, code) = match ask.dialect {
        Dialect::OpenaiChat if ask.body.get("max_tokens").is_some() => (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "unsupported_parameter",
        ),
        Dialect::OpenaiResponses
            if ask.body.get("max_output_tokens").and_then(Value::as_u64).is_some_and(|cap| cap < 16) =>
        {
            (
                "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.",
                "max_output_tokens",
                "integer_below_min_value",
            )
        }
        _ => return None,
    };
    Some(json!({"error": {
        "message": message, "type": "invalid_request_error", "param": parameter, "code": code,
    }}))
}

const WAF_PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Attention Required! | Cloudflare</title></head>\n<body>\
    <h1>Sorry, you have been blocked</h1><p>You are unable to access this site.</p>\
    <span>Cloudflare Ray ID: loopback</span></body></html>\n";

const WEB_PAGE: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\" /><title>Console</title></head>\
    <body><noscript>You need to enable JavaScript to run this app.</noscript><div id=\"root\"></div></body></html>\n";

const BAD_GATEWAY_PAGE: &str = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad \
    Gateway</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n";

const GATEWAY_TIMEOUT_PAGE: &str = "<html>\n<head><title>504 Gateway Time-out</title></head>\n<body>\n<center><h1>504 \
    Gateway Time-out</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n";

const PORTAL_PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Guest Wi-Fi login</title>\
    <meta http-equiv=\"refresh\" content=\"0; url=http://portal.example/login\"></head>\n<body>\
    <h1>Welcome to the guest network</h1><form action=\"http://portal.example/login\" method=\"post\">\
    <p>Please accept the terms to connect to the internet (captive portal).</p><button>Connect</button></form>\
    </body></html>\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(dialect: Dialect, form: Form, body: Value) -> Ask {
        Ask { dialect, model: "m".to_owned(), form, body, serial: 7 }
    }

    fn text_of(answer: &Answer) -> String {
        let Answer::Http { body, .. } = answer else { return String::new() };
        let bytes: Vec<u8> = body
            .iter()
            .flat_map(|step| match step {
                Step::Send(bytes) | Step::Repeat { bytes, .. } => bytes.clone(),
                Step::Wait(_) | Step::Cut | Step::Reset | Step::Hold => Vec::new(),
            })
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    const FORMS: [(Dialect, Form); 11] = [
        (Dialect::OpenaiChat, Form::Json),
        (Dialect::OpenaiChat, Form::Sse),
        (Dialect::OpenaiResponses, Form::Json),
        (Dialect::OpenaiResponses, Form::Sse),
        (Dialect::AnthropicMessages, Form::Json),
        (Dialect::AnthropicMessages, Form::Sse),
        (Dialect::Gemini, Form::Json),
        (Dialect::Gemini, Form::Sse),
        (Dialect::Gemini, Form::Array),
        (Dialect::OllamaChat, Form::Json),
        (Dialect::OllamaChat, Form::Ndjson),
    ];

    /// The JSON documents of an answer, by its form.
    fn documents(form: Form, text: &str) -> Vec<Value> {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        match form {
            Form::Json => vec![parse(text)],
            Form::Array => parse(text).as_array().unwrap().clone(),
            Form::Ndjson => text.lines().map(parse).collect(),
            Form::Sse => text
                .lines()
                .filter_map(|line| line.strip_prefix("data: "))
                .filter(|data| *data != "[DONE]")
                .map(parse)
                .collect(),
        }
    }

    #[test]
    fn answers_that_work_are_well_formed_in_every_form() {
        for scenario in [Scenario::Ok, Scenario::ReasoningOnly, Scenario::LengthStop, Scenario::OverloadSentence] {
            for (dialect, form) in FORMS {
                let answer = answer(&ask(dialect, form, Value::Null), scenario.into(), Tempo::default());
                let documents = documents(form, &text_of(&answer));
                assert!(!documents.is_empty(), "{scenario:?} {dialect} {form:?}");
                assert!(matches!(answer, Answer::Http { status: 200, .. }));
            }
        }
    }

    /// What Codex 0.77 to 0.171 need: a delta outside of an item is dropped, and the answer is the item that is done.
    #[test]
    fn a_stream_of_responses_frames_its_text_by_an_item_that_ends_whole() {
        let ask = ask(Dialect::OpenaiResponses, Form::Sse, Value::Null);
        let documents = documents(Form::Sse, &text_of(&answer(&ask, Scenario::Ok.into(), Tempo::default())));
        let types: Vec<_> = documents.iter().filter_map(|event| event["type"].as_str()).collect();
        let place = |name| types.iter().position(|other| *other == name).unwrap();
        assert!(place("response.output_item.added") < place("response.output_text.delta"));
        assert!(place("response.output_text.done") < place("response.output_item.done"));
        assert_eq!(types.last(), Some(&"response.completed"));
        let done = &documents[place("response.output_item.done")]["item"];
        assert_eq!(done["content"][0]["text"], "Hello! How can I help?");
        assert_eq!(done["id"], documents[place("response.output_text.delta")]["item_id"]);
        assert_eq!(documents.last().unwrap()["response"]["id"], "resp_loopback_7");
    }

    #[test]
    fn the_refusal_sentence_is_whole_in_a_document_and_in_no_chunk_of_a_stream() {
        let sentence = faults::SENTENCE.concat();
        for (dialect, form) in FORMS {
            let answer = answer(&ask(dialect, form, Value::Null), Scenario::OverloadSentence.into(), Tempo::default());
            let Answer::Http { body, .. } = &answer else { panic!() };
            let is_in_one = body.iter().any(
                |step| matches!(step, Step::Send(bytes) if String::from_utf8_lossy(bytes).contains("at capacity")),
            );
            let whole = documents(form, &text_of(&answer)).iter().any(|doc| doc.to_string().contains(&sentence));
            // The last event of Responses repeats the whole text.
            let repeats = form == Form::Json || (dialect == Dialect::OpenaiResponses && form == Form::Sse);
            assert_eq!(whole, repeats, "{dialect} {form:?}");
            assert_eq!(is_in_one, repeats, "{dialect} {form:?}");
        }
    }

    #[test]
    fn errors_are_well_formed_and_carry_their_status() {
        for (scenario, status) in [
            (Scenario::Overloaded503, 503),
            (Scenario::Overloaded529, 529),
            (Scenario::Rate429, 429),
            (Scenario::NotFound404, 404),
            (Scenario::Error500, 500),
            (Scenario::ErrorIn200Json, 200),
        ] {
            for (dialect, form) in FORMS {
                let answer = answer(&ask(dialect, form, Value::Null), scenario.into(), Tempo::default());
                assert!(
                    matches!(&answer, Answer::Http { status: got, .. } if *got == status),
                    "{scenario:?} {dialect}"
                );
                assert!(documents(Form::Json, &text_of(&answer))[0].get("error").is_some(), "{scenario:?} {dialect}");
            }
        }
    }

    #[test]
    fn max_tokens_is_refused_until_it_is_renamed() {
        let refused = ask(Dialect::OpenaiChat, Form::Sse, json!({"max_tokens": 16}));
        let taken = ask(Dialect::OpenaiChat, Form::Sse, json!({"max_completion_tokens": 64}));
        let status = |ask| match answer(ask, Scenario::MaxTokensUnsupported.into(), Tempo::default()) {
            Answer::Http { status, .. } => status,
            Answer::Raw(_) => 0,
        };
        assert_eq!((status(&refused), status(&taken)), (400, 200));
    }
}
