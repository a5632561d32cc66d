//! Values taken from a document, so that they can be written again, and shown to people.

use std::fmt;

use super::{Kind, Node, Value};

impl Node {
    /// The value, if it is one that can be written again exactly; a null, a fraction and a date are not.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        match &self.kind {
            Kind::Text(text) => Some(Value::Text(text.clone())),
            Kind::Bool(value) => Some(Value::Bool(*value)),
            Kind::Number(number) => {
                number.parse().ok().filter(|value: &i64| value.to_string() == *number).map(Value::Integer)
            }
            Kind::List(items) => items.iter().map(Self::to_value).collect::<Option<_>>().map(Value::List),
            Kind::Table(entries) => {
                let pairs = entries.iter().map(|entry| Some((entry.key.clone(), entry.value.to_value()?)));
                pairs.collect::<Option<_>>().map(Value::Table)
            }
            Kind::Null | Kind::Date(_) => None,
        }
    }
}

/// A text stands bare; what holds others is written as in JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |f: &mut fmt::Formatter<'_>, value: &Self| match value {
            Self::Text(text) => write!(f, "{text:?}"),
            other => write!(f, "{other}"),
        };
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    inner(f, item)?;
                }
                f.write_str("]")
            }
            Self::Table(pairs) => {
                f.write_str("{")?;
                for (at, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key:?}: ", if at == 0 { "" } else { ", " })?;
                    inner(f, value)?;
                }
                f.write_str("}")
            }
        }
    }
}
