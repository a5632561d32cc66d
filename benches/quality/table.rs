//! The report: one row for each way of looking and length of the record, and what the issue asks of it.

use serde_json::json;

use super::record::BASELINES;
use super::rows::Row;
use super::score::{METHODS, Score};
use super::world::Shape;

fn verdict(row: &Row) -> String {
    let missed: Vec<_> = row.verdicts().into_iter().filter(|(_, is_met)| !is_met).map(|(name, _)| name).collect();
    if missed.is_empty() { "PASS".into() } else { format!("FAIL {}", missed.join(" ")) }
}

/// Prints tables; says whether all targets are met.
pub fn markdown(rows: &[Row], shapes: &[Shape], is_by_shape: bool) -> bool {
    let names = BASELINES.map(|(name, _)| name).join(" | ");
    println!(
        "Error: mean absolute error in points of a hundred. Brier: above the oracle, in thousandths. Ratio: our error over the best baseline's.\n"
    );
    println!("| sampling | weeks | ours | {names} | worst shape | ratio | coverage | width | Brier ours | {names} | |");
    println!("|---|--:|{}---|--:|--:|--:|{}---|", "--:|".repeat(METHODS), "--:|".repeat(METHODS));
    for row in rows {
        let (worst, ratio) = row.worst();
        println!("{} {} | {ratio:.2} {} {} |", head(row), shapes[worst].name, tail(&row.pooled()), verdict(row));
    }
    let mut all = Score::default();
    rows.iter().for_each(|row| all.add(&row.pooled()));
    let failed = rows.iter().filter(|row| row.verdicts().iter().any(|(_, is_met)| !is_met)).count();
    println!("| all | {} | | {} {} of {} |", errors(&all), tail(&all), rows.len() - failed, rows.len());
    if is_by_shape {
        println!("\n| sampling | weeks | shape | ours | {names} | ratio | coverage | width | Brier ours | {names} |");
        println!("|---|--:|---|{}--:|--:|--:|{}", "--:|".repeat(METHODS), "--:|".repeat(METHODS));
        for row in rows {
            for (score, shape) in row.shapes.iter().zip(shapes) {
                println!(
                    "| {} | {} | {} | {} | {:.2} {}",
                    row.sampling.name(),
                    row.weeks,
                    shape.name,
                    errors(score),
                    score.ratio(),
                    tail(score)
                );
            }
        }
    }
    failed == 0
}

fn head(row: &Row) -> String {
    format!("| {} | {} | {} |", row.sampling.name(), row.weeks, errors(&row.pooled()))
}

fn errors(score: &Score) -> String {
    (0..METHODS).map(|method| format!("{:.2}", 100.0 * score.error(method))).collect::<Vec<_>>().join(" | ")
}

fn tail(score: &Score) -> String {
    let brier =
        (0..METHODS).map(|method| format!("{:.2}", 1000.0 * score.brier(method))).collect::<Vec<_>>().join(" | ");
    format!("| {:.0} % | {:.1} | {brier} |", 100.0 * score.coverage(), 100.0 * score.width())
}

/// Prints a JSON object a row and shape; says whether all targets are met.
pub fn json(rows: &[Row], shapes: &[Shape]) -> bool {
    let score = |score: &Score| {
        json!({
            "error": (0..METHODS).map(|method| score.error(method)).collect::<Vec<_>>(),
            "brier_excess": (0..METHODS).map(|method| score.brier(method)).collect::<Vec<_>>(),
            "coverage": score.coverage(), "width": score.width(), "ratio": score.ratio(),
        })
    };
    for row in rows {
        let by_shape: serde_json::Map<_, _> =
            row.shapes.iter().zip(shapes).map(|(one, shape)| (shape.name.to_owned(), score(one))).collect();
        let is_met: serde_json::Map<_, _> =
            row.verdicts().into_iter().map(|(name, is_met)| (name.to_owned(), is_met.into())).collect();
        println!(
            "{}",
            json!({"sampling": row.sampling.name(), "weeks": row.weeks, "pooled": score(&row.pooled()), "shapes": by_shape, "met": is_met})
        );
    }
    rows.iter().all(|row| row.verdicts().iter().all(|(_, is_met)| *is_met))
}
