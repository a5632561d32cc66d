//! Makes an exchange of what people paste: a dump of `curl -i` or `-v`, a body, or a line that a program printed.

use crate::core::exchange::{BODY_LIMIT, Exchange};

/// What was pasted.
#[derive(Debug, PartialEq, Eq)]
pub enum Paste {
    /// An answer: status line and headers where they were pasted, and the body.
    Exchange(Exchange),
    /// A line in a program's own words.
    Printed(String),
}

/// Reads a pasted text.
pub fn read(text: &str) -> Paste {
    let text = without_colours(text);
    let text = text.trim_start_matches('\u{feff}').trim();
    if let Some(exchange) = dump(text) {
        return Paste::Exchange(exchange);
    }
    let is_stream = ["data:", "event:", ": "].iter().any(|start| text.starts_with(start));
    if is_stream || text.starts_with(['{', '[', '<']) && !text.starts_with("[API Error") && is_body(text) {
        return Paste::Exchange(Exchange { body: cut(text), ..Exchange::default() });
    }
    Paste::Printed(text.to_owned())
}

/// Whether a text that begins with a bracket is a document, not a program's tag such as `[ERROR]` or `<stdin>`.
fn is_body(text: &str) -> bool {
    let next = text[1..].trim_start();
    match text.as_bytes().first() {
        Some(b'{') => next.starts_with(['"', '\'', '}', '\\']),
        Some(b'[') => next.starts_with(['{', ']']),
        _ => {
            let next = next.to_ascii_lowercase();
            ["!doctype", "html", "head", "?xml", "!--", "body", "error"].iter().any(|tag| next.starts_with(tag))
        }
    }
}

fn cut(text: &str) -> Vec<u8> {
    text.as_bytes()[..text.len().min(BODY_LIMIT)].to_vec()
}

/// Removes the escape sequences of terminals.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(symbol) = chars.next() {
        if symbol != '\u{1b}' {
            plain.push(symbol);
        } else if chars.peek() == Some(&'[') {
            chars.next();
            while chars.next().is_some_and(|part| !('@'..='~').contains(&part)) {}
        }
    }
    plain
}

/// Reads a dump with a status line. Of several header blocks (a proxy's CONNECT, 100 Continue, redirects that were
/// followed) the last one counts.
fn dump(text: &str) -> Option<Exchange> {
    let mut lines = Lines { rest: text, is_verbose: false };
    loop {
        let line = lines.next()?;
        if line.starts_with("HTTP/") && status(line).is_some() {
            let mut exchange = Exchange { status: status(line), ..Exchange::default() };
            loop {
                let before = lines.rest;
                let Some(line) = lines.next() else {
                    return Some(exchange);
                };
                if line.starts_with("HTTP/") && status(line).is_some() {
                    exchange = Exchange { status: status(line), ..Exchange::default() };
                } else if line.is_empty() {
                    let follows = lines.rest.trim_start_matches(['\r', '\n']);
                    let follows =
                        if lines.is_verbose { follows.strip_prefix("< ").unwrap_or(follows) } else { follows };
                    if !follows.starts_with("HTTP/") {
                        exchange.body = cut(&lines.body());
                        return Some(exchange);
                    }
                } else if let Some((name, value)) = line.split_once(':')
                    && !name.contains([' ', '{', '"', '<'])
                {
                    exchange.headers.push((name.trim().to_owned(), value.trim().to_owned()));
                } else {
                    // The blank line was lost on the way; the body begins here.
                    lines.rest = before;
                    exchange.body = cut(&lines.body());
                    return Some(exchange);
                }
            }
        }
    }
}

/// `HTTP/1.1 429 Too Many Requests`, `HTTP/2 503`.
fn status(line: &str) -> Option<u16> {
    let code = line.split_ascii_whitespace().nth(1)?;
    code.parse().ok().filter(|status| (100..600).contains(status))
}

/// Lines of a dump; those of `curl -v` lose their marks, and what was sent is skipped.
struct Lines<'a> {
    rest: &'a str,
    is_verbose: bool,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            self.rest = rest;
            let line = line.trim_end_matches('\r');
            if let Some(header) = line.strip_prefix("< ").or_else(|| (line == "<").then_some("")) {
                self.is_verbose = true;
                return Some(header.trim_end());
            }
            if line.starts_with("> ") || line == ">" || line.starts_with("* ") || is_meter(line) {
                continue;
            }
            return Some(line.trim_end());
        }
    }

    /// What is left, without the remarks of `curl -v`.
    fn body(&self) -> String {
        if !self.is_verbose {
            return self.rest.trim_start_matches(['\r', '\n']).to_owned();
        }
        let is_remark = |line: &&str| {
            line.starts_with("* ") || line.starts_with("{ [") || line.starts_with("} [") || is_meter(line)
        };
        self.rest.lines().filter(|line| !is_remark(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

/// A line of curl's progress meter.
fn is_meter(line: &str) -> bool {
    line.starts_with("  % Total") || line.contains("--:--:--") || line.trim_start().starts_with("Dload")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(text: &str) -> Exchange {
        match read(text) {
            Paste::Exchange(exchange) => exchange,
            Paste::Printed(line) => panic!("printed: {line}"),
        }
    }

    #[test]
    fn dumps_of_curl_are_read() {
        let plain =
            exchange("HTTP/2 429 \r\nretry-after: 12\r\ncontent-type: application/json\r\n\r\n{\"error\":{}}\r\n");
        assert_eq!(
            (plain.status, plain.header("Retry-After"), plain.body.as_slice()),
            (Some(429), Some("12"), &b"{\"error\":{}}"[..])
        );

        let blocks = exchange(
            "HTTP/1.1 200 Connection established\n\nHTTP/1.1 100 Continue\n\nHTTP/1.1 307 Temporary Redirect\nlocation: /x\n\nHTTP/2 503\nserver: y\n\nbusy",
        );
        assert_eq!((blocks.status, blocks.header("location"), blocks.header("server")), (Some(503), None, Some("y")));
        assert_eq!(blocks.body, b"busy");

        let verbose = exchange(
            "$ curl -v https://x\n* Connected\n> POST / HTTP/1.1\n> Authorization: Bearer k\n>\n< HTTP/1.1 401 Unauthorized\n< date: today\n<\n{ [21 bytes data]\n{\"error\":\"no\"}\n* Connection left intact",
        );
        assert_eq!(
            (verbose.status, verbose.header("date"), verbose.body.as_slice()),
            (Some(401), Some("today"), &b"{\"error\":\"no\"}"[..])
        );
        assert!(verbose.header("authorization").is_none());
    }

    #[test]
    fn bodies_and_printed_lines_are_told_apart() {
        for body in [
            "{\"error\":\"x\"}",
            "[{\"error\":{}}]",
            "data: {}\n\n",
            "event: error\ndata: {}",
            "<!DOCTYPE html><title>x</title>",
        ] {
            assert_eq!(exchange(body).body, body.trim().as_bytes(), "{body}");
        }
        for line in
            ["[API Error: {\"error\":{}}]", "[ERROR] no", "stream error: x", "<stdin>: no", "{timestamp} failed"]
        {
            assert_eq!(read(line), Paste::Printed(line.to_owned()), "{line}");
        }
        assert_eq!(read("\u{1b}[31mstream error\u{1b}[0m"), Paste::Printed("stream error".to_owned()));
    }
}
