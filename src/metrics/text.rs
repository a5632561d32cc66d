//! The text formats: Prometheus 0.0.4, and OpenMetrics 1.0.0 for who asks for it. Pure.

use std::fmt::{Display, Write as _};

/// Which format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Prometheus's own, version 0.0.4.
    Prometheus,
    /// OpenMetrics 1.0.0.
    OpenMetrics,
}

impl Format {
    /// Its media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// The format that an `Accept` header likes better; OpenMetrics only where it is named with a version that this is.
    pub fn of_accept(accept: &str) -> Self {
        let (mut open, mut plain) = (0.0, 0.0);
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default().to_ascii_lowercase();
            let (mut quality, mut version) = (1.0f32, None);
            for (name, value) in parts.filter_map(|part| part.split_once('=')) {
                match name.trim().to_ascii_lowercase().as_str() {
                    "q" => quality = value.trim().parse().unwrap_or(0.0),
                    "version" => version = Some(value.trim().trim_matches('"').to_owned()),
                    _ => {}
                }
            }
            match &*media {
                "application/openmetrics-text" if version.as_deref().is_none_or(|version| version == "1.0.0") => {
                    open = quality.max(open);
                }
                "text/plain" | "text/*" | "*/*" => plain = quality.max(plain),
                _ => {}
            }
        }
        if open > 0.0 && open >= plain { Self::OpenMetrics } else { Self::Prometheus }
    }
}

/// What a family is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Goes up and down.
    Gauge,
    /// Only goes up; its name ends in `_total`.
    Counter,
    /// Counted by classes.
    Histogram,
    /// Always 1, its labels are what it says; its name ends in `_info`.
    Info,
}

/// Labels of a series: names and values.
pub type Labels<'a> = &'a [(&'a str, &'a str)];

/// Text under way.
#[derive(Debug)]
pub struct Text {
    format: Format,
    out: String,
    name: &'static str,
}

impl Text {
    /// An empty one.
    pub fn new(format: Format) -> Self {
        Self { format, out: String::with_capacity(16 * 1024), name: "" }
    }

    /// Begins a family; its series follow.
    pub fn family(&mut self, name: &'static str, kind: Type, help: &str) {
        self.name = name;
        let is_open = self.format == Format::OpenMetrics;
        let (head, word) = match (kind, is_open) {
            (Type::Gauge, _) | (Type::Info, false) => (name, "gauge"),
            (Type::Counter, false) => (name, "counter"),
            (Type::Counter, true) => (name.strip_suffix("_total").unwrap_or(name), "counter"),
            (Type::Histogram, _) => (name, "histogram"),
            (Type::Info, true) => (name.strip_suffix("_info").unwrap_or(name), "info"),
        };
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        let help = if is_open { help.replace('"', "\\\"") } else { help };
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "# HELP {head} {help}\n# TYPE {head} {word}");
    }

    /// A series of the family.
    pub fn series(&mut self, labels: Labels<'_>, value: impl Display) {
        self.line("", labels, None, value);
    }

    /// A histogram of the family: upper ends of the classes, in the order of the counts, which have one more; and the sum.
    pub fn histogram(&mut self, labels: Labels<'_>, ends: &[f64], counts: &[u64], sum: f64) {
        let mut below = 0;
        let ends = ends.iter().map(|end| number(*end)).chain(["+Inf".to_owned()]);
        for (end, count) in ends.zip(counts) {
            below += count;
            self.line("_bucket", labels, Some(&end), below);
        }
        self.line("_sum", labels, None, number(sum));
        self.line("_count", labels, None, below);
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        if self.format == Format::OpenMetrics {
            self.out.push_str("# EOF\n");
        }
        self.out
    }

    fn line(&mut self, suffix: &str, labels: Labels<'_>, end: Option<&str>, value: impl Display) {
        self.out.push_str(self.name);
        self.out.push_str(suffix);
        let all = labels.iter().copied().chain(end.map(|end| ("le", end)));
        let mut open = '{';
        for (name, value) in all {
            self.out.push(open);
            open = ',';
            self.out.push_str(name);
            self.out.push_str("=\"");
            for c in value.chars() {
                match c {
                    '\\' => self.out.push_str("\\\\"),
                    '"' => self.out.push_str("\\\""),
                    '\n' => self.out.push_str("\\n"),
                    _ => self.out.push(c),
                }
            }
            self.out.push('"');
        }
        if open == ',' {
            self.out.push('}');
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, " {value}");
    }
}

/// A number with a point in it, as OpenMetrics wants the ends of classes.
pub fn number(value: f64) -> String {
    let text = value.to_string();
    if text.contains(['.', 'N', 'i']) { text } else { text + ".0" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: Format) -> String {
        let mut text = Text::new(format);
        text.family("a_total", Type::Counter, "What \"a\\b\"\nsays.");
        text.series(&[("model", "x\\y\"z\n模型{},")], 3);
        text.series(&[], 0.25);
        text.family("b_seconds", Type::Histogram, "B.");
        text.histogram(&[("t", "1")], &[0.5, 1.0], &[1, 2, 3], 4.5);
        text.family("c_info", Type::Info, "C.");
        text.series(&[("version", "1")], 1);
        text.finish()
    }

    #[test]
    fn both_formats_escape_what_they_must() {
        let plain = text(Format::Prometheus);
        let expected = "# HELP a_total What \"a\\\\b\"\\nsays.\n# TYPE a_total counter\na_total{model=\"x\\\\y\\\"z\\n模型{},\"} 3\na_total 0.25\n\
# HELP b_seconds B.\n# TYPE b_seconds histogram\nb_seconds_bucket{t=\"1\",le=\"0.5\"} 1\nb_seconds_bucket{t=\"1\",le=\"1.0\"} 3\n\
b_seconds_bucket{t=\"1\",le=\"+Inf\"} 6\nb_seconds_sum{t=\"1\"} 4.5\nb_seconds_count{t=\"1\"} 6\n\
# HELP c_info C.\n# TYPE c_info gauge\nc_info{version=\"1\"} 1\n";
        assert_eq!(plain, expected);
        let open = text(Format::OpenMetrics);
        assert!(open.starts_with("# HELP a What \\\"a\\\\b\\\"\\nsays.\n# TYPE a counter\na_total{"), "{open}");
        assert!(open.contains("# TYPE c info\nc_info{") && open.ends_with("\n# EOF\n"), "{open}");
    }

    #[test]
    fn the_format_is_the_one_that_is_liked_better() {
        let prometheus = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                          text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        for (accept, format) in [
            ("", Format::Prometheus),
            ("*/*", Format::Prometheus),
            ("text/plain", Format::Prometheus),
            (prometheus, Format::OpenMetrics),
            ("application/openmetrics-text; version=\"1.0.0\"", Format::OpenMetrics),
            ("application/openmetrics-text", Format::OpenMetrics),
            ("application/openmetrics-text;version=0.0.1", Format::Prometheus),
            ("application/openmetrics-text;version=1.0.0;q=0.3, text/plain;q=0.4", Format::Prometheus),
            ("application/openmetrics-text;q=0", Format::Prometheus),
            ("text/html, nonsense;;=;q=x", Format::Prometheus),
        ] {
            assert_eq!(Format::of_accept(accept), format, "{accept}");
        }
    }
}
