# Cheat sheet and heatmap. Sentence case; no full stop on single sentences.

sheet-title = Cheat sheet
# $at: date and time; $zone: an IANA name.
sheet-subtitle = { $at }, { $zone }. From { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples } samples
sheet-today = Today
sheet-tomorrow = Tomorrow
sheet-plan-title = First free of your chain
sheet-list-comma = {", "}
sheet-all-day = all day

# Advice. $from, $to, $at: moments such as "14:15" or "Mon 14:15".
sheet-free-all-week = Usually free all week: even the worst hour { $percent } % of the time
sheet-free-today = Usually free for the rest of today
sheet-busy-today = Usually busy from { $from } to { $to }: switch at { $at }
sheet-busy-soon = Usually busy from { $from } to { $to }: switch now
sheet-busy-now = Usually busy now, back at { $to }
sheet-quiet = Next quiet time { $from } to { $to }, free { $percent } % of the time
sheet-outages = Outages last { $median } in the middle case; eight of ten end within { $most } ({ $n } seen)
sheet-outages-median = Outages last { $median } in the middle case ({ $n } seen)
sheet-outages-long = Fewer than half of { $n } outages were seen to end
sheet-busier = Busier since { $since }: free { $recent } % where { $expected } % was usual, over { $days ->
    [one] { $days } day
   *[other] { $days } days
}
sheet-quieter = Quieter since { $since }: free { $recent } % where { $expected } % was usual, over { $days ->
    [one] { $days } day
   *[other] { $days } days
}
sheet-missing-everything = Nothing recorded yet: the first pattern shows after about a day
sheet-missing-day = Less than a day recorded: the pattern of the day shows from { $at } on
sheet-missing-week = Weekdays cannot be told apart yet: the first week is full { $at }
sheet-missing-weeks = { $known } of { $all } hours are known and { $seen } were seen: most are known by { $at }

# Beside a ribbon.
sheet-note-unknown = too early to say
sheet-note-free-rest = free from now on
sheet-note-free-day = free all day
sheet-note-quiet-from = quiet from { $at }
sheet-note-busy-all = busy until midnight
sheet-note-busy = busy { $from } to { $to }
sheet-note-busy-from = busy from { $from }

sheet-days-every = Every day
sheet-days-weekdays = Weekdays
sheet-days-weekend = Weekend
sheet-best-hours = Best hours
sheet-best-line = { $days } { $hours }: free { $percent } % ({ $low } to { $high } %), { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples } samples
sheet-day-use = { $model } { $hours }
sheet-day-likeliest = { $model } { $hours } (likeliest, none is usually free)
sheet-busy-usual = Usually busy: { $times }

# Wait or switch.
sheet-part-night = at night
sheet-part-morning = in the morning
sheet-part-afternoon = in the afternoon
sheet-part-evening = in the evening
sheet-wait-and-switch = When it is away, wait { $wait }; switch { $switch }
sheet-wait-parts = When it is away, wait { $parts }: it is usually back within 15 min
sheet-switch-parts = When it is away, switch { $parts }: it usually takes longer than 15 min
sheet-wait-always = When it is away, wait: it is usually back within 15 min ({ $n } outages)
sheet-switch-always = When it is away, switch: it usually takes longer than 15 min ({ $n } outages)
sheet-wait-unknown = Wait or switch: too few outages seen to say ({ $n } seen to end)
sheet-away-wait = { $model } has been away for { $so-far }: wait, usually { $more } more ({ $n } outages)
sheet-away-long = { $model } has been away for { $so-far }: usually { $more } more ({ $n } outages)
sheet-away-longer = { $model } has been away for { $so-far }: few of { $n } such outages were seen to end
sheet-away-unknown = { $model } has been away for { $so-far }: too few outages seen to say how long ({ $n })
sheet-away-back = , back about { $at }
sheet-away-to = . Switch to { $model }
