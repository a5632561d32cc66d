# Area: data
# The record on disk: export, import, db, and what can go wrong with it.

data-error-too-new = { $path } was written by a newer Vacancy (format { $found }; this one knows up to { $known }). Update Vacancy, or name another folder with --data DIR.
data-error-foreign = { $path } is a database of another program. Move it away, or name another folder with --data DIR.
data-error-missing = There is no record yet: { $path } does not exist. Start Vacancy, or import one.
data-error-empty = { $path } is empty: the program was ended, or the disk full, before the record was begun in it. Start Vacancy with room on the disk: it begins the record there, or brings back the newest backup if there is one.
data-error-disk-full = The disk is full. Make room for { $path }; until then a window or `vacancy watch` that runs keeps samples in memory.
data-error-locked = { $path } is locked by another program. Close it; until then a window or `vacancy watch` that runs keeps samples in memory.
data-error-read-only = { $path } cannot be written. Check the permissions of the file and its folder.
data-error-damaged = { $path } is damaged ({ $reason }). Bring a backup back with vacancy db restore; without one, the next start of Vacancy sets the file aside and begins a fresh record.
data-error-in-use = { $path } is in use by another Vacancy. Close it first.
data-error-no-backup = There is no usable backup in { $path }.
data-error-file = { $path } cannot be used: { $reason }
data-error-sqlite = The database { $path } reported: { $reason }
data-error-busy = The store has more to do than it takes at once. Try again in a moment.
data-error-overflow = The database cannot be written and no more samples fit in memory. Make it writable again.
data-error-closed = The store is closed.

data-recovered = The database was damaged ({ $reason }). It was set aside as { $aside }.
data-recovered-and = { $what } { $then }
data-recovered-backup = The backup { $backup } took its place.
data-recovered-fresh = There was no good backup, so a fresh one was started.

data-no-target = The record is empty: nothing was probed, heard or imported yet.
data-unknown-target = No target “{ $target }” in the record. Known: { $known }
data-file-exists = { $path } exists. Replace it with --force, or choose another name.
data-cannot-write = Cannot write { $path }: { $reason }
data-cannot-read = Cannot read { $path }: { $reason }
data-export-stopped = Stopped. Nothing was written.
data-export-progress = { $rows } rows, { $percent } %
data-exported = { $rows ->
    [one] { $rows } row written to { $path }
   *[other] { $rows } rows written to { $path }
}

data-imported = { $stored ->
    [one] { $stored } sample added
   *[other] { $stored } samples added
}, { $duplicates } already there, { $old } too old, { $bad ->
    [one] { $bad } bad line
   *[other] { $bad } bad lines
}
data-import-too-old = Samples older than what was pruned cannot be added: their quarter hours are final.
data-bad-line = line { $line }: { $reason }
data-bad-entry = entry { $line }: { $reason }
data-more-bad-lines = and { $count } more
data-import-refused = Nothing was added: { $bad ->
    [one] { $bad } line is bad
   *[other] { $bad } lines are bad
}.
data-import-nothing = No line could be read as a sample. Expected the columns of vacancy export: { $columns }
data-bad-header = The header lacks the column { $column }.
data-bad-missing = { $field } is missing
data-bad-value = { $field } cannot be { $value }
data-bad-time = { $field } cannot be { $value }; write it like { $known }
data-bad-word = { $field } cannot be { $value }; it is one of { $known }
data-bad-json = this is not JSON: { $reason }
data-bad-object = this is not a JSON object
data-bad-csv = this is not CSV: { $reason }
data-bad-utf8 = this is not UTF-8 text

data-info-file = File
data-info-size = Size, write-ahead log included
data-info-free = Unused, can be given back
data-info-targets = Targets
data-info-samples = Samples
data-info-buckets = Days of quarter hours, of all models
data-info-first = First sample
data-info-last = Last sample
data-info-format = Format
data-info-backups = Backups
data-info-none = none

data-check-good = The database is in order.
data-backup-made = Backup written to { $path }
data-restored = Brought back { $path }.
data-restored-replaced = The database that was in place is now { $path }.
data-compacted = { $bytes } given back to the system; the file now has { $size }.
data-rebuilt = { $targets ->
    [one] Quarter hours of { $targets } target made again from its samples.
   *[other] Quarter hours of { $targets } targets made again from their samples.
}
data-pruned = { $samples ->
    [one] { $samples } sample deleted; its quarter hours stay.
   *[other] { $samples } samples deleted; their quarter hours stay.
}
data-ask-restore = Replace the database { $path } by a backup?
data-ask-prune = Delete all samples older than { $days } days?
data-ask-suffix = [y/N]
data-needs-yes = This changes the record for good and there is no terminal to ask at. Add --yes to do it.
data-declined = Nothing was changed.
