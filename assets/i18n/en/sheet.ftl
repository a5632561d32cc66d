# Cheat sheet and heatmap. Sentence case; no full stop on single sentences.

sheet-title = Cheat sheet
# $at: date and time; $zone: an IANA name.
# $since: the day of the first sample.
sheet-subtitle = { $at }, { $zone }. Since { $since } { $samples } counted samples
# What is counted, over the line above.
sheet-counted = Counted is what says something of a model: that it was free, full or failing. Probes that were skipped, and your own limits, keys, settings and network are recorded and not counted
sheet-subtitle-empty = { $at }, { $zone }
sheet-today = Today
sheet-tomorrow = Tomorrow
sheet-list-comma = {", "}
sheet-all-day = all day

# Advice. $from, $to, $at: moments such as "14:15" or "Mon 14:15".
sheet-free-all-week = Usually free all week: even the worst hour { $percent } % of the time
sheet-busy-all-week = Rarely free: even the best hour only { $percent } % of the time
sheet-free-today = Usually free for the rest of today
sheet-busy-today = Usually busy from { $from } to { $to }: switch at { $at }
sheet-busy-soon = Usually busy from { $from } to { $to }: switch now
sheet-busy-now = Usually busy now, until { $to }
sheet-quiet = Next quiet time { $from } to { $to }, free { $percent } % of the time
sheet-outages = Half of the outages end within { $median }, eight of ten within { $most } ({ $n } seen)
sheet-outages-median = Half of the outages end within { $median } ({ $n } seen)
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
sheet-missing-day-hours = Too early to say: { $hours ->
    [one] only one hour of the day was watched so far
   *[other] only { $hours } hours of the day were watched so far
}
sheet-missing-week = Weekdays cannot be told apart yet: the first week is full { $at }
sheet-missing-hours = { $known } of { $all } hours of the week are known, { $seen } were watched at all: the others are guesses
sheet-missing-weeks = { $known } of { $all } hours are known and { $seen } were seen: most are known by { $at }

# Beside a ribbon.
sheet-note-unknown = too early to say
sheet-note-unwatched = not watched so far
sheet-note-free = usually free
sheet-note-free-so-far = free so far
sheet-note-free-until = free until { $at }
sheet-note-likeliest = seldom free
sheet-note-quiet-from = quiet from { $at }
sheet-note-busy-all = busy until midnight
sheet-note-busy-day = busy all day
sheet-note-busy = busy { $from } to { $to }
sheet-note-busy-from = busy from { $from }

sheet-days-every = Every day
sheet-days-weekdays = Weekdays
sheet-days-weekend = Weekend
sheet-on-every = every day
sheet-on-weekdays = on weekdays
sheet-on-weekend = at weekends
sheet-best-hours = Best hours
sheet-best-line = { $days } { $hours }: free { $percent } % ({ $low } to { $high } %), { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples } samples
sheet-day-use = { $model } { $hours }
sheet-busy-usual = Usually busy: { $times }

# $from, $to: times of day; $day: a weekday.
sheet-until-day = { $from } until { $day } { $to }

# Behind words in brackets.
sheet-noted = { $words } ({ $note })
sheet-note-few = few samples
sheet-note-holes = not all of it was watched
sheet-promise-few = few samples
sheet-promise-guess = a guess, not watched so far
sheet-promise-likeliest = likeliest; none is usually free

# The best stretch of a day for long work. $words: one of the four below.
sheet-longest = { $hours } with { $model }: { $words }
sheet-longest-none = Nothing is free for an hour or more
sheet-longest-over = Today is nearly over: for long work see tomorrow
sheet-longest-usual = free { $percent } %, from { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}
sheet-longest-few = free { $percent } % so far, from only { $samples } samples
sheet-longest-guess = a guess: never watched then, other hours suggest { $percent } %
sheet-longest-likeliest = not usually free: only { $percent } %, but no other is freer

# Wait or switch.
sheet-part-night = at night
sheet-part-morning = in the morning
sheet-part-afternoon = in the afternoon
sheet-part-evening = in the evening
sheet-wait-and-switch = When it is away, wait { $wait }; switch { $switch } ({ $n } outages)
sheet-wait-parts = When it is away, wait { $parts }: it is usually back within 15 min ({ $n } outages)
sheet-switch-parts = When it is away, switch { $parts }: it usually takes longer than 15 min ({ $n } outages)
sheet-wait-always = When it is away, wait: it is usually back within 15 min ({ $n } outages)
sheet-switch-always = When it is away, switch: it usually takes longer than 15 min ({ $n } outages)
sheet-wait-unknown = Too few outages seen to say ({ $n } seen to end)
sheet-away-wait = { $model } has been away for { $so-far }: wait, usually { $more } more ({ $n } outages)
sheet-away-long = { $model } has been away for { $so-far }: usually { $more } more ({ $n } outages)
sheet-away-longer = { $model } has been away for { $so-far }: few of { $n } such outages were seen to end
sheet-away-unknown = { $model } has been away for { $so-far }: too few outages seen to say how long ({ $n })
sheet-away-back = ; at this hour it is usually busy until { $at }
sheet-away-to = . Switch to { $model }

# The heatmap.
sheet-heat-title = Heatmap
sheet-reading = Reading the record…
sheet-empty = No pattern yet
sheet-empty-words = The first pattern shows after about a day of watching; after three weeks most hours are known.
# Of a model that the schedule does not ask, instead of “the first pattern shows after about a day”.
sheet-unasked-tool = Known from the session logs of { $tool } alone: hours fill up as you work with it
sheet-unasked-never = Never asked, so no pattern comes by itself: Settings, Providers can have it asked by schedule
sheet-unasked-on-demand = Asked on demand alone, so no pattern comes by itself: Settings, Providers can have it asked by schedule
sheet-heat-unwatched = not watched so far
sheet-heat-never-busy = is usually free at every hour
sheet-heat-busy = is usually busy { $times }
sheet-heat-hours-words = who is usually free at which hour
# The day in view as the title of the map of hours and models.
sheet-heat-day-1 = Mondays
sheet-heat-day-2 = Tuesdays
sheet-heat-day-3 = Wednesdays
sheet-heat-day-4 = Thursdays
sheet-heat-day-5 = Fridays
sheet-heat-day-6 = Saturdays
sheet-heat-day-7 = Sundays
# Behind a model's name. $since, $day: dates.
sheet-heat-days-words = free { $percent } % since { $since }
sheet-heat-days-worst = free { $percent } % since { $since }; least on { $day }, { $worst } %
sheet-heat-strips = All models, day by day
sheet-heat-strip-day = { $model }, { $day }: free { $percent } %
sheet-heat-by-hour = By hour
sheet-view-week = Hour × weekday
sheet-view-hours = Hour × model
sheet-view-days = Days
sheet-span-all = Whole record
sheet-span-eight-weeks = Last 8 weeks
sheet-span-four-weeks = Last 4 weeks
sheet-zone-home = Home: { $zone }
sheet-zone-here = Here: { $zone }
sheet-heat-picture = Picture
sheet-heat-table = Table
# $title: a model or a weekday.
sheet-heat-map = Map of { $title }, { $rows } rows of { $columns }. Arrows move the cell, Enter shows its samples
sheet-heat-small = { $model }: free { $percent } % of the watched time, { $samples } samples
sheet-heat-small-empty = { $model }: not watched so far
sheet-heat-row = { $name }: free { $percent } % of the time, { $n } of { $all } seen
sheet-heat-row-empty = { $name }: not watched
sheet-percent = { $percent } %
sheet-heat-now = { $model }, now
sheet-heat-free = free
# Of an hour of the week: an estimate, in which recent weeks weigh more and the hours around it count a little.
sheet-heat-free-usually = of the time free
sheet-heat-not-seen = Not watched
sheet-heat-interval = { $low } to { $high } %, likely range
sheet-heat-suggested = Its neighbours suggest { $percent } % ({ $low } to { $high } %)
sheet-heat-stands-on = { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples } samples
sheet-heat-day-stands-on = { $hours } watched, { $samples } samples
sheet-heat-thin = Few samples: not a habit yet
sheet-heat-empty = Nothing was recorded at this hour
sheet-heat-day-thin = Less than three hours watched
sheet-heat-day-empty = Nothing was recorded on this day
sheet-heat-latency = First token, usual at this hour
sheet-heat-latency-value = median { $median }, one in ten over { $most } ({ $number ->
    [one] 1 answer
   *[other] { $n } answers
 })
# How the watched time divides; the three are 100 % together.
sheet-heat-watched = Of the watched time
sheet-heat-watched-weeks = Of the watched time, all weeks alike
sheet-heat-part-free = { $percent } % free
sheet-heat-part-full = { $percent } % full
sheet-heat-part-fault = { $percent } % their fault
sheet-heat-show-samples = Show the samples
sheet-heat-weeks = Seen in
sheet-heat-samples = { $n ->
    [one] { $samples } sample
   *[other] { $samples } samples
}
sheet-heat-stand = { $day }: free { $percent } %, { $samples } samples
sheet-heat-cell = { $model }, { $when }: free { $percent } % ({ $low } to { $high } %), { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples } samples
sheet-heat-cell-empty = { $model }, { $when }: not watched; its neighbours suggest { $percent } % ({ $low } to { $high } %)
sheet-heat-cell-unwatched = { $model }, { $when }: not watched
sheet-heat-day-cell = { $model }, { $when }: free { $percent } % of { $hours } watched, { $samples } samples
sheet-legend-ends = 0 to 100 % free
sheet-legend-thin = few samples
sheet-legend-empty = not watched
sheet-column-when = When
sheet-column-model = Model
sheet-column-days = Days
sheet-column-hours = Hours
sheet-column-weeks = Weeks
sheet-column-free = Free
sheet-column-interval = Likely range
sheet-column-stands-on = Stands on

# The cheat sheet's screen.
sheet-copy = Copy as text
sheet-tomorrow-is = Tomorrow, { $day }
sheet-today-is = Today, { $day }
# Under today's answer, where a model of the chain is away. $models: their names.
sheet-today-without = Away now, so left out here: { $models }. The week's plan leaves nothing out.
sheet-now = Now
sheet-now-wait = Wait
# $more: a length such as "14 min".
sheet-now-wait-for = Wait { $more }
# $at: a moment; until when the model itself is usually free, whatever the plan takes after it.
sheet-now-until = usually free until { $at }, { $percent } %
sheet-now-always = usually free at any hour, { $percent } %
sheet-now-share = usually free, { $percent } %
sheet-now-few = free so far, from too few samples to call it usual
sheet-now-free = free now, though not usually at this hour
sheet-now-free-unsaid = free now; too little is known of this hour to call it usual
sheet-longest-head = For long work, the longest from 08:00 to 20:00: { $words }
sheet-longest-head-on = For long work, the longest from 08:00 to 20:00, and it goes on after: { $words }
sheet-longest-head-late = For long work, the longest in the rest of the day: { $words }
sheet-week-title = The week, first free of your chain
sheet-ribbon = { $model }: { $note }
sheet-quarter = { $from }–{ $to }: usually free { $percent } % of the time
sheet-quarter-thin = { $from }–{ $to }: free { $percent } % of the time, from few samples
sheet-quarter-empty = { $from }–{ $to }: not watched
sheet-best-interval = { $low } to { $high }
sheet-best-none = Too early to say: no stretch of hours is known yet
sheet-outages-few = Too few outages to say ({ $n } seen to end)
sheet-ahead = Busy { $times }: switch ten minutes before
sheet-ahead-always = No hour is usually free: keep another model ready
sheet-ahead-never = No hour is usually busy
sheet-ahead-early = Not known before a day is recorded
sheet-changed-nothing = Nothing unusual in the last ten days
sheet-changed-early = Too early to tell what is unusual
sheet-habit-outages = When it is away
sheet-habit-wait = Wait or switch
sheet-habit-ahead = Switch ahead
sheet-habit-speed = Usual speed
# $words: the sentence below; $hours: "15:00–16:00".
sheet-speed = Half of the answers begin within { $median }, one in ten after more than { $most } ({ $number ->
    [one] 1 answer
   *[other] { $n } answers
 })
sheet-speed-slowest = { $words }; slowest { $hours }: { $median }
sheet-speed-unknown = No answer was timed yet
sheet-habit-changed = Changed lately
