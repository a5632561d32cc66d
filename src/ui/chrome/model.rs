//! What banners and status line say. Pure.

use jiff::Timestamp;

use crate::args;
use crate::core::board;
use crate::engine::snapshot::Snapshot;
use crate::i18n::Tr;
use crate::ui::backfill::{Backfill, Steer};
use crate::ui::format;
use crate::ui::hush;
use crate::ui::screens::board::model::next_probe;

/// How much a banner matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A state the user may have wanted.
    Calm,
    /// Something is wrong and the user can help.
    Trouble,
}

/// One line above the screens.
#[derive(Clone, Debug, PartialEq)]
pub struct Banner {
    /// How much it matters.
    pub weight: Weight,
    /// What is so.
    pub title: String,
    /// What it means and what to do.
    pub words: String,
    /// The buttons beside it, the first outermost.
    pub actions: Vec<BannerAction>,
}

/// What a banner's button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BannerAction {
    /// Read the settings again.
    ReloadSettings,
    /// End the pause.
    Resume,
    /// Hold the reading of logs, go on with it, or end it.
    Logs(Steer),
}

/// The banners, the gravest first.
pub fn banners(snapshot: &Snapshot, backfill: Option<&Backfill>, now: Timestamp, tr: &Tr) -> Vec<Banner> {
    let status = &snapshot.status;
    let time = |at| format::moment(at, now, &snapshot.zone, tr);
    let banner = |weight, title: String, words: String, action: Option<BannerAction>| Banner {
        weight,
        title,
        words,
        actions: action.into_iter().collect(),
    };
    let mut banners = Vec::new();
    if let Some(trouble) = &status.settings_trouble {
        let action = Some(BannerAction::ReloadSettings);
        let title = if status.are_settings_gone { "ui-banner-settings-gone" } else { "ui-banner-settings" };
        banners.push(banner(Weight::Trouble, tr.text(title), trouble.clone(), action));
    }
    if let Some(trouble) = &status.store_trouble {
        banners.push(banner(Weight::Trouble, tr.text("ui-banner-store"), trouble.clone(), None));
    }
    match snapshot.board.banner {
        Some(board::Banner::Offline { since }) => banners.push(banner(
            Weight::Trouble,
            tr.with("ui-banner-offline", &args!("time" => time(since))),
            tr.text("ui-banner-offline-words"),
            None,
        )),
        Some(board::Banner::Portal { since }) => banners.push(banner(
            Weight::Trouble,
            tr.with("ui-banner-portal", &args!("time" => time(since))),
            tr.text("ui-banner-portal-words"),
            None,
        )),
        None => {}
    }
    if let Some(until) = status.paused {
        let title = match until {
            Some(until) => tr.with("ui-banner-paused-until", &args!("time" => time(until))),
            None => tr.text("ui-banner-paused"),
        };
        banners.push(banner(Weight::Calm, title, tr.text("ui-banner-paused-words"), Some(BannerAction::Resume)));
    }
    banners.extend(backfill.and_then(|backfill| backfill_banner(backfill, tr)));
    banners
}

/// The reading of the tools' logs as a banner; `None` when it is over.
fn backfill_banner(backfill: &Backfill, tr: &Tr) -> Option<Banner> {
    match backfill {
        Backfill::Going { files, files_total, bytes, bytes_total, observations, is_paused } => {
            let arguments = args!(
                "files" => format::count(*files as u64),
                "all" => format::count(*files_total as u64),
                "bytes" => format::bytes(*bytes, tr),
                "size" => format::bytes(*bytes_total, tr),
                "n" => format::count(*observations as u64),
            );
            let (title, hold) = if *is_paused {
                ("ui-backfill-paused", BannerAction::Logs(Steer::Resume))
            } else {
                ("ui-backfill-going", BannerAction::Logs(Steer::Pause))
            };
            Some(Banner {
                weight: Weight::Calm,
                title: tr.text(title),
                words: tr.with("ui-backfill-words", &arguments),
                actions: vec![BannerAction::Logs(Steer::Cancel), hold],
            })
        }
        Backfill::Failed(reason) => Some(Banner {
            weight: Weight::Trouble,
            title: tr.text("ui-backfill-failed"),
            words: reason.clone(),
            actions: vec![BannerAction::Logs(Steer::Begin)],
        }),
        Backfill::Done { .. } | Backfill::Cancelled => None,
    }
}

/// The line at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// `Watching 5 models`.
    pub watching: String,
    /// When and whom the next probe concerns.
    pub next: String,
    /// `Today 212 of 600 requests, about 5,900 tokens`.
    pub spent: String,
    /// Demo, paused, offline: a word each.
    pub badges: Vec<String>,
    /// Zone, weekday and time.
    pub clock: String,
}

impl Status {
    /// Reads the snapshot as seen at `now`.
    pub fn new(snapshot: &Snapshot, now: Timestamp, tr: &Tr) -> Self {
        let status = &snapshot.status;
        let mut badges = Vec::new();
        if status.is_demo {
            badges.push(tr.text("ui-badge-demo"));
        }
        if status.paused.is_some() {
            badges.push(tr.text("ui-badge-paused"));
        }
        if hush::is_by_hand(snapshot) {
            badges.push(hush::words(snapshot, now, tr));
        }
        if snapshot.board.banner.is_some() {
            badges.push(tr.text("ui-badge-offline"));
        }
        let requests = format::count(u64::from(status.spent.requests));
        let tokens = format::count(u64::from(status.spent.tokens));
        let spent = match status.cap {
            Some(cap) => tr.with(
                "ui-status-spent-of",
                &args!("requests" => requests, "cap" => format::count(u64::from(cap.requests)), "tokens" => tokens),
            ),
            None => {
                let number = status.spent.requests;
                tr.with("ui-status-spent", &args!("requests" => requests, "number" => number, "tokens" => tokens))
            }
        };
        let zone = snapshot.zone.iana_name().unwrap_or("UTC").to_owned();
        Self {
            watching: tr.with("ui-status-watching", &args!("n" => status.watched)),
            next: next_probe(snapshot, now, tr),
            spent,
            badges,
            clock: tr.with(
                "ui-status-clock",
                &args!("zone" => zone, "time" => format::weekday_clock(now, &snapshot.zone, tr)),
            ),
        }
    }
}
