//! Types that take whatever JSON holds in their place, so that a surprise in one field does not cost the whole line.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use jiff::Timestamp;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::observation::Name;

/// A scalar of any type; an object or a list is [`Scalar::Absent`] and is skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Scalar<'a> {
    /// Missing, null, or no scalar.
    #[default]
    Absent,
    /// true or false.
    Bool(bool),
    /// Any number.
    Number(f64),
    /// Text, borrowed unless it had escapes.
    Text(Cow<'a, str>),
}

impl<'a> Scalar<'a> {
    /// The text, empty when it is none.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// The text, if it is one that is not empty.
    pub fn some_text(&self) -> Option<&str> {
        Some(self.text()).filter(|text| !text.is_empty())
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Only a plain true.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The number, also when it is written as text.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            Self::Absent | Self::Bool(_) => None,
        }
    }

    /// A whole number of milliseconds or the like.
    pub fn whole(&self) -> Option<u64> {
        self.number().filter(|number| (0.0..9.0e15).contains(number)).map(|number| number.round() as u64)
    }

    pub fn millis(&self) -> Option<u32> {
        self.whole().and_then(|ms| u32::try_from(ms).ok())
    }

    /// An HTTP status.
    pub fn status(&self) -> Option<u16> {
        self.whole().and_then(|status| u16::try_from(status).ok()).filter(|status| (100..600).contains(status))
    }

    pub fn name(&self) -> Option<Name> {
        Name::new(self.text())
    }

    /// A time: RFC 3339 text, or a number of seconds or milliseconds since 1970.
    pub fn time(&self) -> Option<Timestamp> {
        match self {
            Self::Text(text) => text.parse().ok().or_else(|| self.number().and_then(from_unix)),
            Self::Number(number) => from_unix(*number),
            Self::Absent | Self::Bool(_) => None,
        }
    }
}

/// Seconds up to the year 5138, milliseconds above.
fn from_unix(number: f64) -> Option<Timestamp> {
    let millis = if number.abs() < 1.0e11 { number * 1000.0 } else { number };
    if !millis.is_finite() || millis.abs() > 2.0e14 {
        return None;
    }
    Timestamp::from_millisecond(millis.round() as i64).ok()
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(PhantomData))
    }
}

struct ScalarVisitor<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for ScalarVisitor<'a> {
    type Value = Scalar<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Absent)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip_seq(seq)?;
        Ok(Scalar::Absent)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map)?;
        Ok(Scalar::Absent)
    }
}

/// Whether something other than null stands in a field; the value itself is skipped unread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Presence(pub bool);

impl<'de> Deserialize<'de> for Presence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<IgnoredAny>::deserialize(deserializer).map(|value| Self(value.is_some()))
    }
}

/// An object that is read by its own allow-list; anything else in its place is `None`. Text is offered to
/// [`FromText::from_text`], as some versions write an object where others write a word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object<T>(pub Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Object<T> {
    pub const fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// What an object's place means when text stands there.
pub(super) trait FromText<'a>: Sized {
    fn from_text(_text: Cow<'a, str>) -> Option<Self> {
        None
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de> + FromText<'a>> Deserialize<'de> for Object<T>
where
    T: 'a,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<'a, T>(PhantomData<&'a T>);

impl<'de: 'a, 'a, T: Deserialize<'de> + FromText<'a> + 'a> Visitor<'de> for ObjectVisitor<'a, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(T::from_text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(T::from_text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        skip_seq(seq)?;
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Some)
    }
}

/// A list of which each element is read by itself; anything else in its place is empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData)).map(Self)
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            list.push(element);
        }
        Ok(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        skip_map(map)?;
        Ok(Vec::new())
    }
}

fn skip_seq<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<(), A::Error> {
    while seq.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn skip_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Reads one JSON object of a line; `None` for anything else, with a mark of the byte order or blanks around it.
pub(super) fn object<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.first() != Some(&b'{') {
        return None;
    }
    serde_json::from_slice(line).ok()
}
