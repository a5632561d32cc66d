//! Reads the record for a picture of it (see [`crate::core::history`]): from the stored quarter hours where a cell is that
//! wide, those of one source where only that is wanted, and from the samples where it is narrower.

use std::collections::HashSet;
use std::ops::Range;

use rusqlite::params;

use super::error::StoreError;
use super::ids::Verdicts;
use super::read::{Reader, StoredTarget};
use super::sources::{only, source_key, split_source_key};
use super::{FIRST_DAY, Filter, LAST_DAY, bucket_key, split_key};
use crate::core::bucket::{BUCKET_MS, Bucket, DAY_MS, Day, Point, REACH_MS, bucket_start, fill, read_counted, spans};
use crate::core::history::{
    Answer, Cell, Grid, Lane, Latencies, Listed, Outage, Query, add_bucket, add_points, outages, runs,
};
use crate::core::sample::Source;
use crate::core::target::TargetId;

/// Outages listed at most: more than a person reads, and what one read of their samples takes no time for.
const MOST_OUTAGES: usize = 400;

/// Samples are weighed in pieces of this many milliseconds, so that a year of them needs no memory.
const PIECE_MS: i64 = 8 * DAY_MS;

/// What a read is made of for one target.
struct Wanted<'a> {
    grid: &'a Grid,
    rows: Option<&'a Grid>,
    query: &'a Query,
    /// The quarter hours with time that was not free.
    troubled: Vec<(i64, Cell)>,
    latencies: Option<Latencies>,
}

impl Reader {
    /// Answers a query. `is_over` is asked now and then: once it says so, the answer is `None`.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn history(&self, query: &Query, is_over: &dyn Fn() -> bool) -> Result<Option<Answer>, StoreError> {
        self.history_after(None, query, is_over)
    }

    /// The same after another answer: what that holds of the cells is taken over, as while a view is moved.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn history_after(
        &self,
        before: Option<&Answer>,
        query: &Query,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Answer>, StoreError> {
        let mut answer = match before.filter(|before| before.has_cells_of(query)) {
            Some(before) => {
                let (seen, now) = (query.seen.clone(), query.now);
                Answer { query: Query { seen, now, ..before.query.clone() }, ..before.clone() }
            }
            None => match self.cells(query, is_over)? {
                Some(answer) => answer,
                None => return Ok(None),
            },
        };
        let Some((outages, has_more)) = self.outages(&answer, is_over)? else { return Ok(None) };
        (answer.outages, answer.has_more_outages) = (outages, has_more);
        Ok(Some(answer))
    }

    /// All of an answer but the outages.
    fn cells(&self, query: &Query, is_over: &dyn Fn() -> bool) -> Result<Option<Answer>, StoreError> {
        let (grid, rows) = (query.grid(), Grid::of(query.rows.clone()));
        let stored = self.targets()?;
        let extent = self.extent(&stored)?;
        let chosen: Vec<&StoredTarget> = stored
            .iter()
            .filter(|target| query.targets.is_empty() || query.targets.contains(&target.info.id))
            .collect();
        let focus = query.focus.as_ref().or_else(|| chosen.first().map(|target| &target.info.id)).cloned();
        let mut lanes = Vec::with_capacity(chosen.len());
        let mut latency = Vec::new();
        let mut troubles: Vec<(usize, Range<i64>, Cell)> = Vec::new();
        for target in &chosen {
            if is_over() {
                return Ok(None);
            }
            let is_focus = focus.as_ref() == Some(&target.info.id);
            let mut wanted = Wanted {
                grid: &grid,
                rows: rows.as_ref(),
                query,
                troubled: Vec::new(),
                latencies: is_focus.then(|| Latencies::new(query.latency_grid())),
            };
            let mut lane = Lane {
                target: target.info.id.clone(),
                provider: target.info.provider.clone(),
                model: target.info.model.clone(),
                cells: vec![Cell::default(); grid.len()],
                rows: vec![Cell::default(); rows.as_ref().map_or(0, Grid::len)],
            };
            if !self.lane(target, &mut wanted, &mut lane, is_over)? {
                return Ok(None);
            }
            troubles.extend(runs(wanted.troubled).into_iter().map(|(time, cell)| (lanes.len(), time, cell)));
            if let Some(latencies) = wanted.latencies {
                latency = latencies.finish();
            }
            lanes.push(lane);
        }
        troubles.sort_by_key(|(lane, time, _)| (std::cmp::Reverse(time.end), *lane));
        let targets = stored.iter().map(|target| {
            let info = &target.info;
            (info.id.clone(), info.provider.clone(), info.model.clone())
        });
        Ok(Some(Answer {
            query: query.clone(),
            extent,
            targets: targets.collect(),
            lanes: lanes.into(),
            focus,
            latency: latency.into(),
            troubles: troubles.into(),
            outages: Vec::new(),
            has_more_outages: false,
        }))
    }

    /// The first and last moment that any of these targets has a sample or a bucket of.
    fn extent(&self, targets: &[StoredTarget]) -> Result<Option<Range<i64>>, StoreError> {
        let read = || {
            let mut samples = self.conn().prepare_cached(
                "SELECT (SELECT min(at) FROM sample WHERE target = ?1), (SELECT max(at) FROM sample WHERE target = ?1)",
            )?;
            let mut days = self.conn().prepare_cached("SELECT min(key) FROM bucket_day WHERE key BETWEEN ?1 AND ?2")?;
            let mut extent: Option<Range<i64>> = None;
            for target in targets {
                let (first, last): (Option<i64>, Option<i64>) =
                    samples.query_row([target.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let keys = [bucket_key(target.number, FIRST_DAY), bucket_key(target.number, LAST_DAY)];
                let day: Option<i64> = days.query_row(keys, |row| row.get(0))?;
                // A bucket's day is older than its first sample by less than a day: it only counts where samples went.
                let pruned = target.frozen_until.and(day).map(|key| split_key(key).1 * DAY_MS);
                for at in [first, last, pruned].into_iter().flatten() {
                    extent = Some(extent.map_or(at..at, |old| old.start.min(at)..old.end.max(at)));
                }
            }
            Ok(extent)
        };
        read().map_err(|error| self.fail(error))
    }

    /// Fills a lane; `false` when it is over before its end.
    fn lane(
        &self,
        target: &StoredTarget,
        wanted: &mut Wanted<'_>,
        lane: &mut Lane,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, StoreError> {
        let query = wanted.query;
        let whole = wanted.grid.range();
        let time = match wanted.rows {
            Some(rows) => whole.start.min(rows.range().start)..whole.end.max(rows.range().end),
            None => whole,
        };
        // Whole buckets, so that none is made of a part of its samples.
        let time = bucket_start(time.start)..bucket_start(time.end + BUCKET_MS - 1);
        let frozen = target.frozen_until.map_or(i64::MIN, |at| at.as_millisecond());
        let mut unknown = Vec::new();
        match query.source {
            None if !query.is_raw() => {
                self.read_buckets(target, time, wanted, lane)?;
                return Ok(true);
            }
            Some(source) if !query.is_raw() => self.read_source(target, &time, source, wanted, lane, &mut unknown)?,
            _ => unknown.push(time.clone()),
        }
        // Pruned samples leave buckets.
        if query.source.is_none() && time.start < frozen {
            self.read_buckets(target, time.start..time.end.min(frozen), wanted, lane)?;
        }
        for time in unknown {
            let mut from = time.start.max(frozen);
            while from < time.end {
                if is_over() {
                    return Ok(false);
                }
                let to = time.end.min((from.div_euclid(PIECE_MS) + 1) * PIECE_MS);
                self.read_samples(target, from..to, wanted, lane)?;
                from = to;
            }
        }
        wanted.troubled.sort_unstable_by_key(|(start, _)| *start);
        Ok(true)
    }

    /// What one source saw, from the rows of days. `unknown` gets the stretches of which no row knows that: of a record that an
    /// older program wrote.
    fn read_source(
        &self,
        target: &StoredTarget,
        time: &Range<i64>,
        source: Source,
        wanted: &mut Wanted<'_>,
        lane: &mut Lane,
        unknown: &mut Vec<Range<i64>>,
    ) -> Result<(), StoreError> {
        let fail = |error| self.fail(error);
        let mut whole = Day::default();
        let days = [time.start, time.end].map(|at| Day::number(at).clamp(FIRST_DAY, LAST_DAY));
        let mut seen: HashSet<i64> = HashSet::new();
        let sql = "SELECT key, spans, latency FROM source_day WHERE key BETWEEN ?1 AND ?2";
        let mut query = self.conn().prepare_cached(sql).map_err(fail)?;
        let keys = [source_key(target.number, days[0], 0), source_key(target.number, days[1] + 1, 0) - 1];
        let mut rows = query.query(keys).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let (key, of) = split_source_key(row.get(0).map_err(fail)?);
            let (_, day) = split_key(key);
            seen.insert(day);
            if of == i64::from(source.code()) {
                self.take_day(row, 1, day, time, (wanted, lane, &mut whole))?;
            }
        }
        let sql = "SELECT key, sources, spans, latency FROM bucket_day WHERE key BETWEEN ?1 AND ?2";
        let mut query = self.conn().prepare_cached(sql).map_err(fail)?;
        let mut rows = query.query(days.map(|day| bucket_key(target.number, day))).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            let (_, day) = split_key(row.get(0).map_err(fail)?);
            if !seen.insert(day) {
                continue;
            }
            let sources: i64 = row.get(1).map_err(fail)?;
            if sources == only(source.code()) {
                self.take_day(row, 2, day, time, (wanted, lane, &mut whole))?;
            } else if sources == 0 {
                let day = (day * DAY_MS).max(time.start)..((day + 1) * DAY_MS).min(time.end);
                match unknown.last_mut() {
                    Some(last) if last.end == day.start => last.end = day.end,
                    _ => unknown.push(day),
                }
            }
        }
        // What the last sample of a day speaks for after midnight has no row where another source's skip ended it.
        for stretch in unknown.iter_mut().filter(|stretch| !seen.contains(&Day::number(stretch.end))) {
            stretch.end = (stretch.end + BUCKET_MS).min(time.end);
        }
        Ok(())
    }

    /// Takes the quarter hours of a stored day that lie in a range; its times are in the column `spans`, its latencies in the next.
    fn take_day(
        &self,
        row: &rusqlite::Row<'_>,
        spans: usize,
        day: i64,
        time: &Range<i64>,
        (wanted, lane, whole): (&mut Wanted<'_>, &mut Lane, &mut Day),
    ) -> Result<(), StoreError> {
        let blob = |column| {
            let value = row.get_ref(column).map_err(|error| self.fail(error))?;
            value.as_blob().map_err(|error| self.damaged(error))
        };
        read_counted(blob(spans)?, |slot, observed, counts| {
            let start = day * DAY_MS + slot as i64 * BUCKET_MS;
            if time.contains(&start) {
                take(wanted, lane, start, Cell::from((observed, counts)));
            }
        })
        .map_err(|error| self.damaged(error))?;
        if let Some(latencies) = &mut wanted.latencies {
            whole.decode(&[], blob(spans + 1)?).map_err(|error| self.damaged(error))?;
            for (slot, bucket) in whole.each() {
                let start = day * DAY_MS + slot as i64 * BUCKET_MS;
                if time.contains(&start) {
                    latencies.add_bucket(start, &bucket.first_token);
                }
            }
        }
        Ok(())
    }

    fn read_buckets(
        &self,
        target: &StoredTarget,
        time: Range<i64>,
        wanted: &mut Wanted<'_>,
        lane: &mut Lane,
    ) -> Result<(), StoreError> {
        let fail = |error| self.fail(error);
        let sql = match wanted.latencies {
            Some(_) => "SELECT key, spans, latency FROM bucket_day WHERE key BETWEEN ?1 AND ?2",
            None => "SELECT key, spans FROM bucket_day WHERE key BETWEEN ?1 AND ?2",
        };
        let mut days = self.conn().prepare_cached(sql).map_err(fail)?;
        let days_of = |at: i64| Day::number(at).clamp(FIRST_DAY, LAST_DAY);
        let keys = [time.start, time.end].map(|at| bucket_key(target.number, days_of(at)));
        let mut rows = days.query(keys).map_err(fail)?;
        let mut whole = Day::default();
        while let Some(row) = rows.next().map_err(fail)? {
            let (_, day) = split_key(row.get(0).map_err(fail)?);
            self.take_day(row, 1, day, &time, (wanted, lane, &mut whole))?;
        }
        Ok(())
    }

    fn read_samples(
        &self,
        target: &StoredTarget,
        time: Range<i64>,
        wanted: &mut Wanted<'_>,
        lane: &mut Lane,
    ) -> Result<(), StoreError> {
        let reach = time.start - REACH_MS..time.end + REACH_MS;
        let mut points = self.points(target, reach, wanted.query.source)?;
        if let Some(latencies) = &mut wanted.latencies {
            for point in points.iter().filter(|point| time.contains(&point.at_ms)) {
                if let (Some(ms), crate::core::outcome::Kind::Available) = (point.first_token_ms, point.kind) {
                    latencies.add(point.at_ms, ms);
                }
            }
        }
        let start = bucket_start(time.start);
        let buckets = usize::try_from((time.end - start + BUCKET_MS - 1) / BUCKET_MS).unwrap_or(0);
        let mut made = vec![Bucket::default(); buckets];
        fill(&mut points, start, &mut made);
        let is_raw = wanted.query.is_raw();
        if is_raw {
            let mut spans = spans(&mut points);
            // A span over the edge of a piece is read with both.
            for span in &mut spans {
                span.time = span.time.start.max(time.start)..span.time.end.min(time.end);
            }
            spans.retain(|span| !span.time.is_empty());
            points.retain(|point| time.contains(&point.at_ms));
            add_points(&mut lane.cells, wanted.grid, &points, &spans);
        }
        for (index, bucket) in made.iter().enumerate().filter(|(_, bucket)| !bucket.is_empty()) {
            let at = start + index as i64 * BUCKET_MS;
            let cell = Cell::from(bucket);
            if !is_raw {
                add_bucket(&mut lane.cells, wanted.grid, at, cell);
            }
            if let Some(rows) = wanted.rows {
                add_bucket(&mut lane.rows, rows, at, cell);
            }
            wanted.troubled.push((at, cell));
        }
        Ok(())
    }

    fn points(
        &self,
        target: &StoredTarget,
        time: Range<i64>,
        source: Option<Source>,
    ) -> Result<Vec<Point>, StoreError> {
        let read = || {
            let mut verdicts = Verdicts::default();
            let mut query = self.conn().prepare_cached(
                "SELECT at, source, verdict, first_token_ms FROM sample
                 WHERE target = ?1 AND at >= ?2 AND at < ?3 ORDER BY at",
            )?;
            let mut rows = query.query(params![target.number, time.start, time.end])?;
            let mut points = Vec::new();
            while let Some(row) = rows.next()? {
                if source.is_some_and(|source| Source::from_code(row.get(1).unwrap_or(0)) != Some(source)) {
                    continue;
                }
                let verdict = verdicts.get(self.conn(), row.get(2)?)?;
                points.push(Point {
                    at_ms: row.get(0)?,
                    kind: verdict.kind,
                    is_counted: verdict.is_counted(),
                    first_token_ms: row.get(3)?,
                });
            }
            Ok(points)
        };
        read().map_err(|error| self.fail(error))
    }

    /// The outages within the runs of troubled buckets, newest first, and whether there are more. `None` when it is over.
    fn outages(&self, answer: &Answer, is_over: &dyn Fn() -> bool) -> Result<Option<(Vec<Listed>, bool)>, StoreError> {
        let query = &answer.query;
        let stored = self.targets()?;
        let numbers: Vec<Option<&StoredTarget>> =
            answer.lanes.iter().map(|lane| stored.iter().find(|target| target.info.id == lane.target)).collect();
        let seen = &query.seen;
        let here = answer.troubles.iter().filter(|(_, time, _)| time.start < seen.end && time.end > seen.start);
        let mut listed: Vec<Listed> = Vec::new();
        let mut has_more = false;
        for (lane, time, cell) in here {
            let (lane, Some(target)) = (*lane, numbers[*lane]) else { continue };
            if listed.len() >= MOST_OUTAGES {
                has_more = true;
                break;
            }
            if is_over() {
                return Ok(None);
            }
            let around = time.start - 2 * REACH_MS..time.end + 2 * REACH_MS;
            let mut points = self.points(target, around, query.source)?;
            let mut found = outages(&mut points, query.now);
            found.retain(|outage| outage.time.start < time.end && outage.time.end > time.start);
            if found.is_empty() && points.is_empty() {
                found.push(Outage {
                    full_ms: i64::from(cell.full_ms),
                    time: time.clone(),
                    samples: [0; 3],
                    is_start_seen: false,
                    is_end_seen: false,
                    is_now: false,
                    is_rough: true,
                });
            }
            let seen = |outage: &Outage| outage.time.start < query.seen.end && outage.time.end > query.seen.start;
            listed.extend(found.into_iter().filter(seen).map(|outage| Listed { lane, outage }));
        }
        listed.sort_by_key(|listed| (std::cmp::Reverse(listed.outage.time.start), listed.lane));
        Ok(Some((listed, has_more)))
    }

    /// The part of each target's record that a filter asks for, as first and last moment: how far a long read is.
    ///
    /// # Errors
    ///
    /// Of the database.
    pub fn extents(&self, filter: &Filter) -> Result<Vec<(TargetId, Range<i64>)>, StoreError> {
        let mut extents = Vec::new();
        for target in self.selected(filter)? {
            let whole = self.extent(std::slice::from_ref(&target))?.unwrap_or(0..0);
            let time = filter.time();
            let start = whole.start.max(time.start);
            extents.push((target.info.id, start..whole.end.min(time.end).max(start)));
        }
        Ok(extents)
    }
}

/// A stored bucket goes into the picture, the table and the list of trouble.
fn take(wanted: &mut Wanted<'_>, lane: &mut Lane, start: i64, cell: Cell) {
    add_bucket(&mut lane.cells, wanted.grid, start, cell);
    if let Some(rows) = wanted.rows {
        add_bucket(&mut lane.rows, rows, start, cell);
    }
    if cell.full_ms > 0 || cell.fault_ms > 0 {
        wanted.troubled.push((start, cell));
    }
}
