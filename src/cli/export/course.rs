//! The course of a long export: how far it is, and whether it is to end.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ExportError;
use crate::core::target::TargetId;
use crate::store::{Filter, Reader, StoreError, TargetInfo};

/// Rows from one look at the course to the next: a few milliseconds' worth. A power of two.
const EVERY: u64 = 4096;

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Rows written.
    pub rows: u64,
    /// How much of the way is done, 0 to 1: by targets, and by time within one.
    pub done: f64,
}

/// Watches over an export.
#[derive(Default)]
pub struct Course<'a> {
    stop: Option<&'a AtomicBool>,
    tell: Option<Box<dyn FnMut(Progress) + 'a>>,
    extents: Vec<(TargetId, Range<i64>)>,
    rows: u64,
}

impl<'a> Course<'a> {
    /// One that ends with [`ExportError::Stopped`] once `stop` is set.
    pub fn stopped_by(stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..Self::default() }
    }

    /// Tells `tell` now and then how far the export of `filter` is.
    ///
    /// # Errors
    ///
    /// When the record cannot be read.
    pub fn telling(
        mut self,
        reader: &Reader,
        filter: &Filter,
        tell: impl FnMut(Progress) + 'a,
    ) -> Result<Self, StoreError> {
        self.extents = reader.extents(filter)?;
        self.tell = Some(Box::new(tell));
        Ok(self)
    }

    /// A row of this target and time is on its way.
    #[inline]
    pub(super) fn row(&mut self, target: &TargetInfo, at_ms: i64) -> Result<(), ExportError> {
        self.rows += 1;
        if self.rows.is_multiple_of(EVERY) { self.look(target, at_ms) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self, target: &TargetInfo, at_ms: i64) -> Result<(), ExportError> {
        self.check()?;
        if let Some(tell) = &mut self.tell
            && let Some(place) = self.extents.iter().position(|(id, _)| id == &target.id)
        {
            let time = &self.extents[place].1;
            #[expect(clippy::cast_precision_loss, reason = "a share needs no more than a float's digits")]
            let part = (at_ms - time.start) as f64 / (time.end - time.start).max(1) as f64;
            #[expect(clippy::cast_precision_loss, reason = "far fewer targets than a float's digits")]
            let done = (place as f64 + part.clamp(0.0, 1.0)) / self.extents.len() as f64;
            tell(Progress { rows: self.rows, done });
        }
        Ok(())
    }

    /// Fails once it is to end.
    ///
    /// # Errors
    ///
    /// [`ExportError::Stopped`].
    pub fn check(&self) -> Result<(), ExportError> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped { Err(ExportError::Stopped) } else { Ok(()) }
    }
}
