//! Models that are kept from frame to frame.

/// A model that is made again only when what it is made from has changed.
pub(super) struct Cached<Key, Model> {
    held: Option<(Key, Model)>,
    /// How often it was made: what is made of the model in turn is kept as long as this stays.
    made: u64,
}

impl<Key, Model> Default for Cached<Key, Model> {
    fn default() -> Self {
        Self { held: None, made: 0 }
    }
}

impl<Key: PartialEq, Model> Cached<Key, Model> {
    /// The model for this key, made again when it is another one.
    pub fn get(&mut self, key: Key, make: impl FnOnce() -> Model) -> &Model {
        self.numbered(key, make).1
    }

    /// The model, and how often it was made.
    pub fn numbered(&mut self, key: Key, make: impl FnOnce() -> Model) -> (u64, &Model) {
        if self.held.as_ref().is_none_or(|(old, _)| old != &key) {
            self.held = None;
        }
        let made = &mut self.made;
        let make = || {
            *made += 1;
            (key, make())
        };
        let model = &self.held.get_or_insert_with(make).1;
        (self.made, model)
    }
}
