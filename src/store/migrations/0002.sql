-- The sources of the samples that speak for a day: bit n is the source with the number n. 0 is unknown, as in a row that was
-- written before this column was.
ALTER TABLE bucket_day ADD COLUMN sources INTEGER NOT NULL DEFAULT 0;

-- The quarter hours of a target and a UTC day as one source alone saw them; a cache of samples, like bucket_day. There are rows
-- for a day only if samples of more than one source speak for it: otherwise its row in bucket_day is that of its one source.
CREATE TABLE source_day (
    key INTEGER PRIMARY KEY, -- that of bucket_day * 64 + source
    spans BLOB NOT NULL,
    latency BLOB NOT NULL
) STRICT;
