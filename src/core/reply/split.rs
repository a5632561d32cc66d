//! Cuts a growing body into lines of an event stream, or into whole JSON values.

/// Collects lines that end in LF, CR or CRLF.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
    after_cr: bool,
}

impl Lines {
    /// Takes bytes and hands every finished line to `each`.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(&[u8])) {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            if bytes[0] == b'\n' {
                bytes = &bytes[1..];
            }
        }
        while let Some(at) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let is_cr = bytes[at] == b'\r';
            if self.line.is_empty() {
                each(&bytes[..at]);
            } else {
                self.line.extend_from_slice(&bytes[..at]);
                each(&self.line);
                self.line.clear();
            }
            bytes = &bytes[at + 1..];
            if is_cr {
                match bytes.first() {
                    Some(b'\n') => bytes = &bytes[1..],
                    Some(_) => {}
                    None => self.after_cr = true,
                }
            }
        }
        self.line.extend_from_slice(bytes);
    }

    /// The last line, which no line end closed.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.line)
    }
}

/// Collects whole values of JSON lines, of one array, or of a single document.
#[derive(Debug, Default)]
pub(super) struct Values {
    value: Vec<u8>,
    depth: usize,
    in_string: bool,
    after_backslash: bool,
}

impl Values {
    /// Takes bytes and hands every finished object to `each`. A `[` outside of objects is skipped, so that the elements of
    /// an array come one by one, as a streamed array does.
    pub(super) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if self.depth == 0 {
                if byte == b'{' {
                    start = at;
                    self.depth = 1;
                }
            } else if self.in_string {
                if self.after_backslash {
                    self.after_backslash = false;
                } else if byte == b'\\' {
                    self.after_backslash = true;
                } else if byte == b'"' {
                    self.in_string = false;
                }
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            if self.value.is_empty() {
                                each(&bytes[start..=at]);
                            } else {
                                self.value.extend_from_slice(&bytes[start..=at]);
                                each(&self.value);
                                self.value.clear();
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        if self.depth > 0 {
            self.value.extend_from_slice(&bytes[start..]);
        }
    }

    /// The last value, which was cut off.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(bytes: &[u8], size: usize, mut take: impl FnMut(&[u8])) {
        bytes.chunks(size).for_each(&mut take);
    }

    #[test]
    fn lines_end_in_any_way_at_any_cut() {
        let text = b"a\r\nb\rc\n\n\r\nlast";
        for size in 1..=text.len() {
            let mut lines = Lines::default();
            let mut seen = Vec::new();
            cut(text, size, |part| lines.push(part, |line| seen.push(String::from_utf8_lossy(line).into_owned())));
            assert_eq!(seen, ["a", "b", "c", "", ""], "cut by {size}");
            assert_eq!(lines.finish(), b"last");
        }
    }

    #[test]
    fn values_come_whole_at_any_cut() {
        let text = br#"[{"a":"}\"{"},
{"b":[{}]}] {"c":1}{"torn":"#;
        for size in 1..=text.len() {
            let mut values = Values::default();
            let mut seen = Vec::new();
            cut(text, size, |part| values.push(part, |value| seen.push(String::from_utf8_lossy(value).into_owned())));
            assert_eq!(seen, [r#"{"a":"}\"{"}"#, r#"{"b":[{}]}"#, r#"{"c":1}"#], "cut by {size}");
            assert_eq!(values.finish(), br#"{"torn":"#);
        }
    }
}
