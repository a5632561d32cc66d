//! Makes the statistics for Heatmap and Cheat sheet on a thread of its own (`vacancy-sheet`). Only the newest question is
//! answered; what was made is kept until samples or the hour change.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::Told;
use crate::i18n::Spoken;
use crate::settings::roots::Roots;
use crate::store::{Filter, Reader, StoreError};
use crate::ui::sheets::{Answer, Ask, Told as Heard};
use crate::ui::window::Event;

/// How long a read of the record may wait for a lock.
const BUSY: Duration = Duration::from_secs(5);

/// What the threads share.
struct Shared {
    roots: Roots,
    tr: Spoken,
    told: Told,
    newest: Mutex<Option<Ask>>,
    is_asked: Condvar,
}

/// Takes questions; never blocks.
#[derive(Clone)]
pub(super) struct Sheets(Arc<Shared>);

impl Sheets {
    /// Starts the thread.
    pub fn start(roots: Roots, tr: Spoken, told: Told) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { roots, tr, told, newest: Mutex::new(None), is_asked: Condvar::new() });
        let own = Arc::clone(&shared);
        std::thread::Builder::new().name("vacancy-sheet".into()).spawn(move || work(&own))?;
        Ok(Self(shared))
    }

    /// Replaces the question.
    pub fn ask(&self, ask: Ask) {
        *self.0.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(ask);
        self.0.is_asked.notify_one();
    }
}

/// Answers the newest question, for ever. The process ends it, as a read holds nothing.
fn work(shared: &Shared) {
    let mut kept: Option<Answer> = None;
    loop {
        let ask = {
            let mut newest = shared.newest.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                match newest.take() {
                    Some(ask) => break ask,
                    None => newest = shared.is_asked.wait(newest).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        let tell = |told: Heard| shared.told.tell(Event::Sheets(told));
        let answer = Reader::open(&shared.roots.database(), BUSY).and_then(|reader| {
            answer(&reader, kept.take(), &ask, |early| tell(Heard::Answer(Arc::new(early.clone()))))
        });
        match answer {
            Ok(answer) => {
                tell(Heard::Answer(Arc::new(answer.clone())));
                kept = Some(answer);
            }
            // Nothing was ever recorded.
            Err(StoreError::Missing { .. }) => tell(Heard::Answer(Arc::new(Answer::empty(ask)))),
            Err(error) => tell(Heard::Trouble(error.text(&shared.tr.now()))),
        }
    }
}

/// The statistics for a question. The latency takes longer, so that `early` sees a new sheet before it is read.
pub(crate) fn answer(
    reader: &Reader,
    kept: Option<Answer>,
    ask: &Ask,
    early: impl Fn(&Answer),
) -> Result<Answer, StoreError> {
    let filter = Filter { from: ask.span.from(ask.at), ..Filter::default() };
    let mut answer = match kept.filter(|kept| kept.ask.is_same_sheet(ask)) {
        Some(kept) => Answer { ask: Ask { newest: kept.ask.newest, at: kept.ask.at, ..ask.clone() }, ..kept },
        None => {
            let answer = Answer { ask: ask.clone(), sheet: reader.sheet(&filter, &ask.zone, ask.at)? };
            early(&answer);
            answer
        }
    };
    if let Some(focus) =
        ask.focus.as_ref().filter(|focus| answer.sheet.get(focus).is_some_and(|own| own.latency.is_none()))
    {
        let latency = reader.latency(&filter, focus, &ask.zone)?;
        let with = |own: &crate::core::sheet::TargetSheet| match &own.target == focus {
            true => own.clone().with_latency(latency.clone()),
            false => own.clone(),
        };
        answer.sheet.targets = answer.sheet.targets.iter().map(with).collect();
    }
    Ok(answer)
}
