#!/usr/bin/env python3
"""What other ways need for the questions that Vacancy's record answers, on the same samples.

usage: compare.py RECORD WORK [VACANCY]

RECORD is a record filled by `cargo bench --bench store -- 10512000 DIR` (DIR/data/vacancy.sqlite), WORK a folder for the
copies that the others need (about 4 GB), VACANCY the release binary for its own exports. Needs the sqlite3 shell and the
Python package duckdb. Every figure is the best of three; the copies are made once and kept.

Compared are the sqlite3 shell on our own tables, the sqlite3 shell on the schema that programs of this kind usually have
(a row a check, names and states as text, ISO times as text, an index for each question), and DuckDB on a table of its own.
"""

import os
import subprocess
import sys
import time

import duckdb

RUNS = 3
COLUMNS = 1000
YEAR_MS = 365 * 24 * 60 * 60 * 1000


def best(work, runs=RUNS):
    """The shortest of some runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def shell(database, sql, *options):
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        subprocess.run(["sqlite3", "-readonly", *options, database, sql], stdout=nowhere, check=True)


def say(question, who, seconds, rows=None):
    speed = f"   {rows / seconds:12,.0f} rows/s" if rows else ""
    print(f"{question:<34} {who:<28} {seconds * 1000:10,.1f} ms{speed}", flush=True)


def size(who, path):
    print(f"{'file size':<34} {who:<28} {os.path.getsize(path) / 2**20:10,.0f} MiB", flush=True)


def make_naive(record, naive):
    """A row a check, as text, with the indexes that its questions need."""
    if os.path.exists(naive):
        return
    sql = f"""
        PRAGMA journal_mode = WAL;
        ATTACH '{record}' AS own;
        CREATE TABLE checks (
            id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, provider TEXT, status TEXT NOT NULL, message TEXT,
            http_status INTEGER, latency_ms INTEGER, checked_at TEXT NOT NULL
        );
        INSERT INTO checks (model, provider, status, message, http_status, latency_ms, checked_at)
            SELECT t.name, t.provider, CASE v.kind WHEN 1 THEN 'available' WHEN 2 THEN 'at_capacity' ELSE 'other' END,
                   v.rule, v.http_status, s.first_token_ms, strftime('%Y-%m-%dT%H:%M:%fZ', s.at / 1000.0, 'unixepoch')
            FROM own.sample s JOIN own.target t ON t.id = s.target JOIN own.verdict v ON v.id = s.verdict;
        CREATE INDEX by_model ON checks (model, checked_at);
        CREATE INDEX by_time ON checks (checked_at);
        PRAGMA wal_checkpoint(TRUNCATE);
    """
    subprocess.run(["sqlite3", naive], input=sql, text=True, check=True, stdout=subprocess.DEVNULL)


def make_duck(csv, path):
    if os.path.exists(path):
        return
    with duckdb.connect(path) as db:
        db.execute("SET preserve_insertion_order = false")
        db.execute(f"CREATE TABLE samples AS SELECT * FROM read_csv('{csv}', header = true, types = {{'at': 'TIMESTAMP'}}) ORDER BY target, \"at\"")
        db.execute("CHECKPOINT")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    record, work = sys.argv[1], sys.argv[2]
    vacancy = sys.argv[3] if len(sys.argv) > 3 else None
    os.makedirs(work, exist_ok=True)
    naive, csv, duck = (os.path.join(work, name) for name in ("naive.sqlite", "samples.csv", "samples.duckdb"))

    data = os.path.dirname(os.path.dirname(os.path.abspath(record)))
    rows = int(subprocess.run(["sqlite3", "-readonly", record, "SELECT count(*) FROM sample"],
                              capture_output=True, text=True, check=True).stdout)
    target = subprocess.run(["sqlite3", "-readonly", record, "SELECT name FROM target ORDER BY name LIMIT 1 OFFSET 7"],
                            capture_output=True, text=True, check=True).stdout.strip()
    print(f"{rows:,} samples, one target: {target}, {os.cpu_count()} cores\n")

    if vacancy:
        for what, form in (("samples", "csv"), ("samples", "jsonl"), ("buckets", "csv")):
            out = os.path.join(work, f"{what}.{form}")
            command = [vacancy, "--data", data, "export", "--what", what, "--format", form, "--force", "--out", out]
            taken = best(lambda command=command: subprocess.run(command, check=True, stderr=subprocess.DEVNULL))
            say(f"export {what} as {form}", "vacancy export", taken, rows if what == "samples" else None)
    make_naive(record, naive)
    if not os.path.exists(csv):
        sys.exit(f"{csv} is missing: name the vacancy binary")
    make_duck(csv, duck)

    size("vacancy", record)
    size("text schema", naive)
    size("DuckDB", duck)
    print()

    # One target's year in a thousand columns: how much was free, full, failing, and the median to the first token.
    step = YEAR_MS // COLUMNS
    question = "history, one target's year"
    say(question, "sqlite3 on our samples", best(lambda: shell(record, f"""
        SELECT at / {step}, sum(v.kind = 1), sum(v.kind = 2), count(*), avg(first_token_ms)
        FROM sample s JOIN verdict v ON v.id = s.verdict
        WHERE target = (SELECT id FROM target WHERE name = '{target}') GROUP BY 1""")))
    say(question, "sqlite3 on the text schema", best(lambda: shell(naive, f"""
        SELECT CAST(unixepoch(checked_at) AS INTEGER) * 1000 / {step}, sum(status = 'available'),
               sum(status = 'at_capacity'), count(*), avg(latency_ms)
        FROM checks WHERE model = '{target}' GROUP BY 1""")))
    with duckdb.connect(duck, read_only=True) as db:
        say(question, "DuckDB", best(lambda: db.execute(f"""
            SELECT epoch_ms("at") // {step} AS cell, count(*) FILTER (kind = 'available'), count(*) FILTER (kind = 'at_capacity'),
                   count(*), avg(first_token_ms) FROM samples WHERE target = '{target}' GROUP BY cell""").fetchall()))
    print()

    # Hours of the week of all targets. Counting samples, as these do, is less than what the sheet does: it weighs time.
    question = "hours of the week, all targets"
    say(question, "sqlite3 on our samples", best(lambda: shell(record, """
        SELECT target, (at / 3600000 + 96) % 168, sum(v.kind = 1), count(*)
        FROM sample s JOIN verdict v ON v.id = s.verdict GROUP BY 1, 2"""), 1))
    say(question, "sqlite3 on the text schema", best(lambda: shell(naive, """
        SELECT model, strftime('%w %H', checked_at), sum(status = 'available'), count(*) FROM checks GROUP BY 1, 2"""), 1))
    with duckdb.connect(duck, read_only=True) as db:
        say(question, "DuckDB", best(lambda: db.execute("""
            SELECT target, dayofweek("at"), hour("at"), count(*) FILTER (kind = 'available'), count(*)
            FROM samples GROUP BY ALL""").fetchall()))
    print()

    question = "export samples as csv"
    out = os.path.join(work, "other.csv")
    sql = """SELECT t.name, t.provider, t.model, t.dialect, s.source,
             strftime('%Y-%m-%dT%H:%M:%fZ', s.at / 1000.0, 'unixepoch'), v.kind, v.scope, v.http_status, s.connect_ms,
             s.first_token_ms, s.total_ms, s.retry_after_s, v.rule
             FROM sample s JOIN target t ON t.id = s.target JOIN verdict v ON v.id = s.verdict"""

    def to_file(database, query):
        with open(out, "w", encoding="utf-8") as file:
            subprocess.run(["sqlite3", "-readonly", "-csv", database, query], stdout=file, check=True)

    say(question, "sqlite3 on our samples", best(lambda: to_file(record, sql), 1), rows)
    say(question, "sqlite3 on the text schema", best(lambda: to_file(naive, "SELECT * FROM checks"), 1), rows)
    with duckdb.connect(duck, read_only=True) as db:
        say(question, "DuckDB", best(lambda: db.execute(f"COPY samples TO '{out}' (HEADER)"), 1), rows)
    os.remove(out)


if __name__ == "__main__":
    main()
