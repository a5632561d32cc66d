//! The cheat sheet read from the record.

use jiff::tz::TimeZone;
use vacancy::core::bucket::DAY_MS;
use vacancy::core::outcome::Kind::{AtCapacity, Available};
use vacancy::core::sheet::{Quarter, Slot, TargetSheet};
use vacancy::core::target::TargetId;
use vacancy::store::{Filter, Reader};

use super::*;

#[test]
fn sheets_are_those_of_the_quarter_hours_one_a_target_by_name() {
    let world = World::new();
    let store = world.open();
    let names = ["c", "a", "b", "unseen"];
    store.handle().register(names.map(info).to_vec()).wait().unwrap();
    let mut samples = Vec::new();
    for (n, name) in names[..3].iter().enumerate() {
        for probe in 0..2 * 7 * 24 * 6 {
            let at_ms = T0 + probe * 10 * MIN;
            let is_full = (probe / 6) % 24 == 10 + n as i64;
            let mut one = sample(name, at_ms, if is_full { AtCapacity } else { Available });
            one.first_token_ms = (!is_full).then_some(500 * (n as u32 + 1));
            samples.push(one);
        }
    }
    store.handle().append_batch(samples).wait().unwrap();
    drop(store);

    let reader = Reader::open(&world.path(), Duration::from_secs(1)).unwrap();
    let zone = TimeZone::get("Asia/Kathmandu").unwrap();
    let now = at(T0 + 14 * DAY_MS);
    let sheet = reader.sheet(&Filter::default(), &zone, now).unwrap();
    let found: Vec<_> = sheet.targets.iter().map(|sheet| sheet.target.as_str()).collect();
    assert_eq!(found, ["a", "b", "c", "unseen"]);
    assert_eq!(sheet.targets[3].seen, None);
    for id in ["a", "b", "c"].map(TargetId::from) {
        let mut quarters = Vec::new();
        let filter = Filter::target(id.clone());
        reader.each_observed(&filter, |_, start_ms, seen| quarters.push(Quarter { start_ms, seen })).unwrap();
        let alone = TargetSheet::new(id.clone(), &quarters, &zone, now);
        assert_eq!(sheet.get(&id), Some(&alone));
        assert_eq!(reader.sheet(&filter, &zone, now).unwrap().targets.len(), 1);
    }
    // "a" is full from 11:00 UTC on, which is 16:45 there.
    let a = &sheet.targets[0];
    let shares = [15, 17].map(|hour| a.slots.get(Slot::new(2, hour).unwrap()).share);
    assert!(shares[0] > 0.9 && shares[1] < 0.5, "{shares:?}");
    let latency = reader.latency(&Filter::default(), &"b".into(), &zone).unwrap();
    let overall = latency.overall().unwrap();
    assert!((1280.0..=1792.0).contains(&overall.median_ms) && overall.median_ms <= overall.p90_ms, "{overall:?}");
    assert_eq!(overall.answers, 2 * 7 * 23 * 6);
}
