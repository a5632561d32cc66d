//! Where the results of `vacancy probe` go, and what a result that did not get there means for the verb's end.

use std::sync::Arc;

use crate::args;
use crate::cli::{self, Context, Exit, Failure};
use crate::core::sample::Sample;
use crate::core::target::Target;
use crate::i18n::Tr;
use crate::store::{Appended, Options, Store, StoreError, TargetInfo};

/// The record for the time of one verb. Verdicts stand without it: what keeps it from being written is said at the end.
pub(super) struct Record {
    store: Option<Store>,
    /// Results that the store did not take.
    missing: usize,
    /// Results that it keeps in memory, to be tried once more at its end.
    kept: usize,
    /// Why not.
    refused: Option<StoreError>,
}

impl Record {
    /// The record with these targets known to it.
    pub async fn open(targets: impl Iterator<Item = &Target>, context: &Context) -> Self {
        match Store::open(&context.roots.database(), Options::default(), Arc::clone(&context.clock)) {
            Ok(store) => {
                let known = store.handle().register(targets.map(TargetInfo::from).collect()).await;
                Self { store: Some(store), missing: 0, kept: 0, refused: known.err() }
            }
            Err(error) => Self { store: None, missing: 0, kept: 0, refused: Some(error) },
        }
    }

    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Adds a result; whether it is on the disk.
    pub async fn add(&mut self, sample: Sample) -> bool {
        let Some(store) = &self.store else {
            self.missing += 1;
            return false;
        };
        match store.handle().append(sample).await {
            Ok(Appended::Kept) => {
                self.kept += 1;
                false
            }
            Ok(_) => true,
            Err(error) => {
                self.missing += 1;
                self.refused = Some(error);
                false
            }
        }
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// [`Exit::Fault`] with how many results are lost and why.
    pub fn close(self, tr: &Tr) -> Result<(), Failure> {
        let Self { store, mut missing, kept, mut refused } = self;
        if let Some(store) = store {
            let health = store.handle().health();
            drop(store);
            let health = health.borrow();
            // What is kept there are not results alone.
            missing += health.kept.min(kept);
            refused = health.trouble.clone().or(refused);
            if let Some(recovery) = &health.recovery {
                cli::say(&recovery.text(tr));
            }
        }
        let Some(error) = refused.filter(|_| missing > 0) else { return Ok(()) };
        let text = args!("count" => missing, "reason" => error.text(tr));
        Err(Failure::new(Exit::Fault, tr.with("probe-not-recorded", &text)))
    }
}
