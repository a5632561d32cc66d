//! A clock that runs as fast as the program can follow, and a prober that holds it while a probe is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use vacancy::clock::Clock;
use vacancy::probe::{Job, ProbeError, Probed, Prober};

/// How long the world beside the engine (its store, the loopback provider) gets before time goes on.
const BREATH: Duration = Duration::from_micros(500);

/// Time passes only while the engine waits for it, and not while a probe is under way.
#[derive(Clone, Debug)]
pub struct FastClock {
    start: Timestamp,
    base: Instant,
    /// Milliseconds of the clock that nobody sets.
    passed: Arc<AtomicU64>,
    /// Milliseconds by which the wall clock was set or the machine slept.
    ahead: Arc<AtomicI64>,
    /// From when on it stands, in milliseconds of Unix time.
    stands: Arc<AtomicI64>,
    probes: Arc<AtomicUsize>,
}

impl FastClock {
    /// A clock that stands at `start`.
    pub fn new(start: Timestamp) -> Self {
        let stands = Arc::new(AtomicI64::new(i64::MAX));
        Self {
            start,
            base: Instant::now(),
            passed: Arc::default(),
            ahead: Arc::default(),
            stands,
            probes: Arc::default(),
        }
    }

    /// Goes on until it reaches `moment` and stands there, at most a minute after it as the engine sleeps so long. What is done
    /// at a moment is then done at it, however late a busy machine comes to do it.
    #[allow(dead_code, reason = "not every user of this file has moments of its own")]
    pub fn stand_at(&self, moment: Timestamp) {
        self.stands.store(moment.as_millisecond(), Ordering::SeqCst);
    }

    fn stands(&self) -> bool {
        self.now().as_millisecond() >= self.stands.load(Ordering::SeqCst)
    }

    /// Sets the wall clock ahead (or back): the machine slept, or somebody set it.
    #[allow(dead_code, reason = "not every user of this file lets the machine sleep")]
    pub fn set_ahead(&self, by: SignedDuration) {
        let by = i64::try_from(by.as_millis()).expect("an offset of less than a million years");
        self.ahead.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for FastClock {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.passed.load(Ordering::SeqCst)).expect("less than a million years");
        self.start + SignedDuration::from_millis(passed + self.ahead.load(Ordering::SeqCst))
    }

    fn instant(&self) -> Instant {
        self.base + Duration::from_millis(self.passed.load(Ordering::SeqCst))
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'static, ()> {
        let clock = self.clone();
        async move {
            loop {
                tokio::time::sleep(BREATH).await;
                if clock.probes.load(Ordering::SeqCst) == 0 && !clock.stands() {
                    break;
                }
            }
            // A wait that has come to its end is over, also when it was shorter than a millisecond.
            let millis = u64::try_from(wait.as_millis()).expect("the engine sleeps a minute at most").max(1);
            clock.passed.fetch_add(millis, Ordering::SeqCst);
        }
        .boxed()
    }
}

/// Asks another prober, and holds the clock meanwhile.
pub struct Holding<P> {
    clock: FastClock,
    prober: P,
}

impl<P> Holding<P> {
    /// Holds `clock` while `prober` works.
    pub const fn new(clock: FastClock, prober: P) -> Self {
        Self { clock, prober }
    }
}

/// Also given up in the middle, a probe is no longer under way.
struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl<P: Prober> Prober for Holding<P> {
    fn probe<'a>(&'a self, job: &'a Job) -> BoxFuture<'a, Result<Probed, ProbeError>> {
        async move {
            self.clock.probes.fetch_add(1, Ordering::SeqCst);
            let _under_way = UnderWay(&self.clock.probes);
            self.prober.probe(job).await
        }
        .boxed()
    }
}
