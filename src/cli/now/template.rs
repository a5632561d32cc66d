//! The template of `vacancy now --format`: text with fields in braces. Pure.
//!
//! | written | means |
//! |---|---|
//! | `{first_free.model}` | a fact of a target: `first_free`, `primary`, or any by its id: `{[near/gpt].state}` |
//! | `{headline}` | a fact of the whole board |
//! | `{primary.state:12:json}` | filters: at most 12 characters, escaped for a JSON string; `pango` and `tmux` are the others |
//! | `{first_free.model\|nothing free}` | what stands there when the field is empty |
//! | `{each}{mark} {model}{between}, {end}` | once for every target of the chain, with a text between them |
//! | `{{` and `}}` | the braces themselves |

use super::names::{FACTS, FILTERS, Fact, Field, Filter, Of, SCOPES, WHOLES, WORDS, Whole};
use crate::settings::nearest::nearest;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Value { field: Field, filters: Vec<Filter>, otherwise: String },
    Each { body: Vec<Self>, between: String },
}

/// What is wrong with a template. `column` counts characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A `{` without its `}`.
    Unclosed {
        /// Of the `{`.
        column: usize,
    },
    /// A `}` without its `{`.
    Stray {
        /// Of the `}`.
        column: usize,
    },
    /// There is no such field or filter.
    Unknown {
        /// What was written.
        name: String,
        /// What may be meant.
        meant: Option<String>,
        /// Of its `{`.
        column: usize,
    },
    /// A fact without its target, outside of `{each}`.
    WhoseFact {
        /// The fact.
        name: String,
    },
    /// `{each}`, `{between}` and `{end}` do not fit together.
    Loop,
}

/// A template that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

/// Where the parser is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Body,
    Between,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        let (mut top, mut body, mut between) = (Vec::new(), Vec::new(), String::new());
        let mut place = Place::Top;
        let mut chars = text.chars().enumerate().map(|(at, c)| (at + 1, c)).peekable();
        while let Some((column, c)) = chars.next() {
            let doubled = matches!(c, '{' | '}') && chars.next_if(|(_, next)| *next == c).is_some();
            let part = match c {
                '}' if !doubled => return Err(Mistake::Stray { column }),
                '{' if !doubled => {
                    let mut inside = String::new();
                    loop {
                        match chars.next() {
                            Some((_, '}')) => break,
                            Some((_, c)) if c != '{' => inside.push(c),
                            _ => return Err(Mistake::Unclosed { column }),
                        }
                    }
                    match (inside.trim(), place) {
                        ("each", Place::Top) => {
                            place = Place::Body;
                            continue;
                        }
                        ("between", Place::Body) => {
                            place = Place::Between;
                            continue;
                        }
                        ("end", Place::Body | Place::Between) => {
                            place = Place::Top;
                            top.push(Part::Each {
                                body: std::mem::take(&mut body),
                                between: std::mem::take(&mut between),
                            });
                            continue;
                        }
                        ("each" | "between" | "end", _) => return Err(Mistake::Loop),
                        _ => value(&inside, place == Place::Body, column)?,
                    }
                }
                _ => Part::Text(c.to_string()),
            };
            match (place, part) {
                (Place::Between, Part::Text(text)) => between.push_str(&text),
                // The text between is not of any target.
                (Place::Between, Part::Value { field: Field::Whole(Whole::Newline), .. }) => between.push('\n'),
                (Place::Between, _) => return Err(Mistake::Loop),
                (Place::Top, part) => add(&mut top, part),
                (Place::Body, part) => add(&mut body, part),
            }
        }
        if place == Place::Top { Ok(Self(top)) } else { Err(Mistake::Loop) }
    }

    /// The targets whose next quiet time is asked for: it costs a look at the whole record.
    pub fn quiet_of(&self) -> Vec<&Of> {
        fn collect<'a>(parts: &'a [Part], found: &mut Vec<&'a Of>) {
            for part in parts {
                match part {
                    Part::Value { field: Field::Target(of, Fact::NextQuiet), .. } => found.push(of),
                    Part::Each { body, .. } => collect(body, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.0, &mut found);
        found
    }

    /// The ids that the template names.
    pub fn ids(&self) -> Vec<&str> {
        fn collect<'a>(parts: &'a [Part], found: &mut Vec<&'a str>) {
            for part in parts {
                match part {
                    Part::Value { field: Field::Target(Of::Named(id), _), .. } => found.push(id),
                    Part::Each { body, .. } => collect(body, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.0, &mut found);
        found
    }

    /// The text, with values by `look`: of a field, and for the chain's target in this place inside `{each}`.
    pub fn render(&self, chain: usize, look: &dyn Fn(&Field, Option<usize>) -> String) -> String {
        fn write(
            parts: &[Part],
            turn: Option<usize>,
            chain: usize,
            look: &dyn Fn(&Field, Option<usize>) -> String,
            out: &mut String,
        ) {
            for part in parts {
                match part {
                    Part::Text(text) => out.push_str(text),
                    Part::Value { field, filters, otherwise } => {
                        let value = look(field, turn);
                        if value.is_empty() {
                            out.push_str(otherwise);
                        } else {
                            out.push_str(&filters.iter().fold(value, |value, filter| filter.apply(&value)));
                        }
                    }
                    Part::Each { body, between } => {
                        for place in 0..chain {
                            if place > 0 {
                                out.push_str(between);
                            }
                            write(body, Some(place), chain, look, out);
                        }
                    }
                }
            }
        }
        let mut out = String::new();
        write(&self.0, None, chain, look, &mut out);
        out
    }
}

fn add(parts: &mut Vec<Part>, part: Part) {
    match (parts.last_mut(), part) {
        (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
        (_, part) => parts.push(part),
    }
}

/// Reads the inside of a pair of braces.
fn value(inside: &str, is_body: bool, column: usize) -> Result<Part, Mistake> {
    let (inside, otherwise) = inside.split_once('|').unwrap_or((inside, ""));
    let inside = inside.trim();
    // A colon inside of an id is the id's.
    let end_of_id = inside.starts_with('[').then(|| inside.rfind(']')).flatten().unwrap_or(0);
    let (id, rest) = inside.split_at(end_of_id);
    let mut pieces = rest.split(':');
    let name = format!("{id}{}", pieces.next().unwrap_or_default());
    let mut filters = Vec::new();
    for written in pieces.map(str::trim) {
        let known = FILTERS.iter().find(|(name, _)| *name == written).map(|(_, filter)| *filter);
        let most = || written.parse().ok().filter(|most| *most > 0).map(Filter::Most);
        let Some(filter) = known.or_else(most) else {
            let meant = nearest(written, FILTERS.map(|(name, _)| name)).map(str::to_owned);
            return Err(Mistake::Unknown { name: written.to_owned(), meant, column });
        };
        filters.push(filter);
    }
    let field = field(name.trim(), is_body, column)?;
    Ok(Part::Value { field, filters, otherwise: otherwise.to_owned() })
}

fn field(name: &str, is_body: bool, column: usize) -> Result<Field, Mistake> {
    let fact_named = |name: &str| FACTS.iter().find(|(known, _)| *known == name).map(|(_, fact)| *fact);
    if let Some((_, whole)) = WHOLES.iter().find(|(known, _)| *known == name) {
        return Ok(Field::Whole(*whole));
    }
    match (fact_named(name), is_body) {
        (Some(fact), true) => return Ok(Field::Target(Of::Each, fact)),
        // Of the primary model, as nothing else is waited for.
        (Some(Fact::NextQuiet), false) => return Ok(Field::Target(Of::Primary, Fact::NextQuiet)),
        (Some(_), false) => return Err(Mistake::WhoseFact { name: name.to_owned() }),
        (None, _) => {}
    }
    let named = name.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
    let (of, fact) = match named {
        Some((id, rest)) => (Some(Of::Named(id.to_owned())), rest.strip_prefix('.').or(rest.is_empty().then_some(""))),
        None => {
            let (scope, fact) = name.split_once('.').map_or((name, ""), |(scope, fact)| (scope, fact));
            let of = match scope {
                "first_free" => Some(Of::FirstFree),
                "primary" => Some(Of::Primary),
                _ => None,
            };
            (of, Some(fact))
        }
    };
    match (of, fact) {
        (Some(of), Some("")) => Ok(Field::Target(of, Fact::Target)),
        (Some(of), Some(fact)) if let Some(fact) = fact_named(fact) => Ok(Field::Target(of, fact)),
        _ => Err(Mistake::Unknown { name: name.to_owned(), meant: meant(name, is_body), column }),
    }
}

/// The field that may be meant.
fn meant(name: &str, is_body: bool) -> Option<String> {
    if let Some((scope, fact)) = name.rsplit_once('.') {
        let scope = if scope.starts_with('[') { Some(scope) } else { nearest(scope, SCOPES) }?;
        return Some(format!("{scope}.{}", nearest(fact, FACTS.map(|(name, _)| name))?));
    }
    let facts = FACTS.iter().map(|(name, _)| *name).filter(|name| is_body || *name == "next_quiet");
    let known: Vec<&str> = WHOLES.iter().map(|(name, _)| *name).chain(SCOPES).chain(WORDS).chain(facts).collect();
    nearest(name, known).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let look = |field: &Field, turn: Option<usize>| match field {
            Field::Whole(Whole::Newline) => "\n".to_owned(),
            Field::Whole(Whole::At) => String::new(),
            Field::Whole(_) => r#"a "b" <c> #d"#.to_owned(),
            Field::Target(of, fact) => {
                format!("{of:?}/{fact:?}/{}", turn.map_or(String::new(), |turn| turn.to_string()))
            }
        };
        Template::parse(text).unwrap().render(2, &look)
    }

    #[test]
    fn fields_filters_and_loops_are_replaced_and_the_rest_stays() {
        for (template, expected) in [
            ("", ""),
            ("plain \\n 模型", "plain \\n 模型"),
            ("{{\"a\": {{}}}}", "{\"a\": {}}"),
            ("{first_free}|{primary.state}", "FirstFree/Target/|Primary/State/"),
            ("{ primary . state }", "?"),
            ("{[a.b/c:d].since}{[x]}", "Named(\"a.b/c:d\")/Since/Named(\"x\")/Target/"),
            ("{next_quiet}", "Primary/NextQuiet/"),
            ("{at|none}", "none"),
            ("{at:json|}", ""),
            ("{headline:json}", r#"a \"b\" <c> #d"#),
            ("{headline:pango}", "a &quot;b&quot; &lt;c&gt; #d"),
            ("{headline:tmux}", r#"a "b" <c> ##d"#),
            ("{headline:3}", "a …"),
            ("{headline:99:json}", r#"a \"b\" <c> #d"#),
            ("{newline:json}", "\\n"),
            ("{each}{model}{between}, {end}.", "Each/Model/0, Each/Model/1."),
            ("{each}{at|x}{end}", "xx"),
            ("{each}a{between}{newline}{{{end}", "a\n{a"),
            ("{each}{primary.mark}{end}", "Primary/Mark/0Primary/Mark/1"),
        ] {
            if expected == "?" {
                assert!(Template::parse(template).is_err(), "{template}");
            } else {
                assert_eq!(said(template), expected, "{template}");
            }
        }
    }

    #[test]
    fn a_mistake_names_its_place_and_what_may_be_meant() {
        let unknown = |name: &str, meant: Option<&str>, column| Mistake::Unknown {
            name: name.to_owned(),
            meant: meant.map(str::to_owned),
            column,
        };
        for (template, mistake) in [
            ("a{", Mistake::Unclosed { column: 2 }),
            ("a {first_free", Mistake::Unclosed { column: 3 }),
            ("{a{b}}", Mistake::Unclosed { column: 1 }),
            ("ab}", Mistake::Stray { column: 3 }),
            ("{firstfree}", unknown("firstfree", Some("first_free"), 1)),
            ("模 {primary.stat}", unknown("primary.stat", Some("primary.state"), 3)),
            ("{primry.mark}", unknown("primry.mark", Some("primary.mark"), 1)),
            ("{[x].stat}", unknown("[x].stat", Some("[x].state"), 1)),
            ("{wibble}", unknown("wibble", None, 1)),
            ("{}", unknown("", None, 1)),
            ("{headline:jsn}", unknown("jsn", Some("json"), 1)),
            ("{headline:0}", unknown("0", None, 1)),
            ("{eech}{end}", unknown("eech", Some("each"), 1)),
            ("{model}", Mistake::WhoseFact { name: "model".to_owned() }),
            ("{each}", Mistake::Loop),
            ("{end}", Mistake::Loop),
            ("{between}", Mistake::Loop),
            ("{each}{each}{end}{end}", Mistake::Loop),
            ("{each}a{between}{headline}{end}", Mistake::Loop),
        ] {
            assert_eq!(Template::parse(template), Err(mistake), "{template}");
        }
    }

    #[test]
    fn every_field_that_exists_can_be_written() {
        for (name, whole) in WHOLES {
            assert_eq!(field(name, false, 1), Ok(Field::Whole(whole)));
        }
        for (name, fact) in FACTS {
            assert_eq!(field(name, true, 1), Ok(Field::Target(Of::Each, fact)));
            for scope in SCOPES {
                assert!(
                    matches!(field(&format!("{scope}.{name}"), false, 1), Ok(Field::Target(_, found)) if found == fact)
                );
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(crate::properties::cases(256))]

        #[test]
        fn any_text_is_read_or_refused(text in "[{}a-z_.:|\\[\\]\\\\模 0-9]{0,40}") {
            if let Ok(template) = Template::parse(&text) {
                template.render(3, &|_, _| "v".to_owned());
            }
        }

        #[test]
        fn a_json_value_stays_one_string(value in proptest::prelude::any::<String>()) {
            let text = format!("\"{}\"", Filter::Json.apply(&value));
            proptest::prop_assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
        }

        #[test]
        fn braces_doubled_are_the_text(text in ".{0,40}") {
            let doubled = text.replace('{', "{{").replace('}', "}}");
            proptest::prop_assert_eq!(Template::parse(&doubled).unwrap().render(1, &|_, _| String::new()), text);
        }
    }
}
