//! The committed traces: what was told beside what is right.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use vacancy::core::alert::{About, Notice, Subject};
use vacancy::core::simulate::story::{Act, Pure, Story, line, play};
use vacancy::core::target::{Role, TargetId};

use crate::rule::{Fixed, RULES, Says};

/// A notice within this time of a right one that says the same is that one.
const NEAR: SignedDuration = SignedDuration::from_mins(15);

/// What one right or given notice says of one target.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    at: Timestamp,
    target: TargetId,
    says: Says,
}

#[derive(Default)]
struct Sum {
    given: usize,
    right: usize,
    missed: usize,
    delays: Vec<i64>,
}

/// Prints the table.
pub fn print() {
    let mut sums: Vec<(String, Sum)> = vec![("Vacancy".to_owned(), Sum::default())];
    sums.extend(RULES.iter().map(|(name, ..)| ((*name).to_owned(), Sum::default())));
    let mut count = 0;
    for story in stories() {
        count += 1;
        let ours = play(&story, &mut Pure::new(&story));
        let exact: Vec<String> = ours.iter().map(line).collect();
        assert_eq!(exact, story.notices, "the machine gives the right notices, else there is nothing to compare with");
        let right: Vec<Told> = ours.iter().flat_map(told).collect();
        add(&mut sums[0].1, &right, right.clone(), ours.len());
        for index in 0..RULES.len() {
            let given = by_rule(&story, &mut Fixed::new(index));
            let notices = given.len();
            add(&mut sums[index + 1].1, &right, given, notices);
        }
    }
    println!("{count} stories\n");
    println!("| | notices | right | not right | missed | later than ours, median |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, mut sum) in sums {
        sum.delays.sort_unstable();
        let median = sum.delays.get(sum.delays.len() / 2).copied().unwrap_or_default();
        println!(
            "| {name} | {} | {} | {} | {} | {median} s |",
            sum.given,
            sum.right,
            sum.given.saturating_sub(sum.right),
            sum.missed
        );
    }
}

/// Matches each right notice with the first given one that says the same and is near.
fn add(sum: &mut Sum, right: &[Told], mut given: Vec<Told>, notices: usize) {
    sum.given += notices;
    for wanted in right {
        let found = given.iter().position(|told| {
            (&told.target, told.says) == (&wanted.target, wanted.says)
                && told.at.duration_since(wanted.at).abs() <= NEAR
        });
        match found {
            Some(index) => {
                let told = given.remove(index);
                sum.right += 1;
                sum.delays.push(told.at.duration_since(wanted.at).as_secs());
            }
            None => sum.missed += 1,
        }
    }
    // One notice of several models is one notice, and right for all of them.
    sum.right = sum.right.min(sum.given);
}

fn told(notice: &Notice) -> Vec<Told> {
    let of = |target: &TargetId, says| Told { at: notice.at, target: target.clone(), says };
    match &notice.subject {
        Subject::Recovered { target, .. } | Subject::LimitReset { target } => vec![of(target, Says::Back)],
        Subject::Settled { target, is_free, .. } => vec![of(target, if *is_free { Says::Back } else { Says::Away })],
        Subject::Full { target, .. }
        | Subject::Limited { target, .. }
        | Subject::Flapping { target, .. }
        | Subject::Reminder { target, .. } => vec![of(target, Says::Away)],
        Subject::ProviderAway { targets, .. } => targets.iter().take(1).map(|target| of(target, Says::Away)).collect(),
        Subject::ProviderBack { targets, .. } => targets.iter().take(1).map(|target| of(target, Says::Back)).collect(),
        Subject::Summary { back, away, .. } => {
            let back = back.iter().map(|target| of(target, Says::Back));
            back.chain(away.iter().map(|target| of(target, Says::Away))).take(1).collect()
        }
        _ => Vec::new(),
    }
}

/// What a fixed rule tells of the models that the story's user wants to hear of.
fn by_rule(story: &Story, rule: &mut Fixed) -> Vec<Told> {
    let mut targets = story.targets.clone();
    let mut given = Vec::new();
    for (at, act) in &story.acts {
        match act {
            Act::Configure(new, _) => targets.clone_from(new),
            Act::Probed(sample) | Act::Heard(sample) => {
                let role = targets.iter().find(|target| target.id == sample.target).and_then(|target| target.role);
                let is_wanted = match story.config.about {
                    About::Primary => role == Some(Role::Primary),
                    About::Chain | About::All => role.is_some(),
                };
                let said = rule.take(&sample.target, sample.kind).filter(|_| is_wanted);
                given.extend(said.map(|says| Told { at: *at, target: sample.target.clone(), says }));
            }
            _ => {}
        }
    }
    given
}

fn stories() -> Vec<Story> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/notices");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the traces").filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a trace");
        Story::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().map(read).collect()
}
