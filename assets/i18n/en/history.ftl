# The History screen. Sentence case; no full stop on single sentences in labels.

history-title = History
history-now = now
history-from-to = { $from } – { $to }
history-preset-day = Day
history-preset-week = Week
history-preset-month = Month
history-preset-year = Year
history-preset-all = All
history-earlier = Earlier
history-later = Later
history-nearer = Zoom in
history-farther = Zoom out
history-newest = To now
history-chart = Picture
history-table = Table
history-targets = Models
history-targets-of = Models { $shown } of { $all }
history-targets-all = Show all
history-families = States
history-families-of = States { $shown } of { $all }
history-sources = Sources
history-sources-all = All sources
history-export = Export
history-export-csv = Samples as CSV
history-export-json = Samples as JSON
history-export-jsonl = Samples as JSON Lines
history-export-png = Picture as PNG
history-exporting = Writing, { $rows } rows so far
history-export-stop = Stop
history-exported = { $rows } rows written to { $path }
history-exported-picture = Picture written to { $path }
history-export-stopped = Stopped; nothing was kept
history-export-failed = { $path } could not be written: { $reason }
history-export-read-failed = The record could not be read: { $reason }
history-reading = Reading the record…
history-empty = Nothing is recorded yet
history-empty-words = The first answers appear here within seconds of the first probe. Session logs of your tools can fill it with the past.
history-nothing-shown = No model is shown
history-trouble = The record cannot be read: { $reason }

# The picture
history-legend-free = Free
history-legend-full = Full
history-legend-fault = Fault
history-legend-limited = Your own limit
history-legend-blocked = Blocked on your side
history-legend-gap = Not watched
history-picture = States of { $n ->
    [one] 1 model
   *[other] { $n } models
} over { $range }. Arrows move, plus and minus zoom, Home and End go to the ends. The table has the same figures.
history-latency-title = Time to the first token, { $name }
history-latency-legend = Median, and where 8 of 10 answers lie
history-latency-beyond = above the picture, up to { $most }
history-latency-none = No answer of { $name } in this time
history-lane-summary = { $name }: free { $percent } % of the watched time, { $samples } samples
history-lane-empty = { $name }: not watched in this time

# Under the pointer
history-cell-gap = Not watched
history-cell-skipped = Not probed (asleep, offline or paused)
history-cell-share = { $word } { $percent } %, { $span }
history-cell-samples = { $n ->
    [one] 1 sample
   *[other] { $samples } samples
}
history-cell-limited = { $n } refused by your own limit
history-cell-blocked = { $n } blocked on your side
history-cell-other = { $n } that say nothing of the model
history-latency-median = Median { $median }
history-latency-band = 8 of 10 between { $low } and { $high }
history-latency-ends = Quickest { $least }, slowest { $most }
history-latency-n = { $n ->
    [one] From 1 answer
   *[other] From { $n } answers
}

# Outages
history-outages = Outages
history-outages-count = { $n ->
    [0] none in view
    [one] 1 in view
   *[other] { $n } in view
}
history-outages-newest = the newest { $n }
history-outages-none = No outage in view
history-outages-none-words = As far as was watched, the models shown were free.
history-length = { $span }
history-length-least = at least { $span }
history-length-about = about { $span }
history-length-now = { $span } so far
history-kind-count = { $kind } { $n }×
history-outage-summary = { $name }: from { $start }, { $length }. { $kinds }

# The table
history-column-period = Time
history-column-model = Model
history-column-free = Free
history-column-full = Full
history-column-fault = Fault
history-column-watched = Watched
history-column-own = Own refusals
history-column-samples = Samples
history-row-summary = { $period }, { $name }: free { $free }, full { $full }, fault { $fault } of { $watched } watched; { $own } own refusals, { $samples } samples
