-- Times are milliseconds of Unix time in UTC. A migration, once released, is never changed: add the next one.

CREATE TABLE target (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    dialect TEXT NOT NULL,
    -- Samples before this were pruned and the buckets before it are final; a UTC midnight.
    frozen_until INTEGER,
    next_probe_at INTEGER,
    confirmed_kind INTEGER,
    confirmed_scope INTEGER,
    confirmed_since INTEGER
) STRICT;

-- The few ways in which samples end, so that a sample needs one small number for them.
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    http_status INTEGER NOT NULL, -- 0 is none
    rule TEXT NOT NULL,
    UNIQUE (kind, scope, http_status, rule)
) STRICT;

CREATE TABLE sample (
    target INTEGER NOT NULL,
    at INTEGER NOT NULL,
    source INTEGER NOT NULL,
    seq INTEGER NOT NULL, -- tells samples of different kinds at the same millisecond apart
    verdict INTEGER NOT NULL,
    connect_ms INTEGER,
    first_token_ms INTEGER,
    total_ms INTEGER,
    retry_after_s INTEGER,
    PRIMARY KEY (target, at, source, seq)
) STRICT, WITHOUT ROWID;

-- The quarter hours of one target and one UTC day; a cache of samples (src/core/bucket/day.rs has the form).
CREATE TABLE bucket_day (
    key INTEGER PRIMARY KEY, -- target * 16777216 + 8388608 + days since 1970
    spans BLOB NOT NULL,
    latency BLOB NOT NULL
) STRICT;

CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
