# Area: handout
# The cheat sheet as a file: page, picture, calendar, table.

handout-title = When is which model free
handout-table-title = The week hour by hour
handout-legend = Numbers are the share of time free in percent; with a ? they stand on few samples; · was not watched
handout-speed-title = First token in seconds: the median, and what nine of ten stay within
handout-page = { $page } of { $all }
# How far the reading of the record is.
handout-progress = Read { $n } of { $all } targets
# $when: weekday and hour, "Mon 14:00".
handout-cell = { $when }: free { $percent } % ({ $low } to { $high } %), { $weeks ->
    [one] { $weeks } week
   *[other] { $weeks } weeks
}, { $samples ->
    [one] { $samples } sample
   *[other] { $samples } samples
}
handout-cell-empty = { $when }: not watched; the hours around it suggest { $percent } % ({ $low } to { $high } %)

handout-calendar = Vacancy: quiet hours
handout-event = { $model } is usually free ({ $percent } %)
handout-event-few = { $model } was free so far ({ $percent } %, few samples)
handout-event-guess = { $model } may be free: a guess ({ $percent } %)
handout-event-words = Free { $percent } % of this time, likely at least { $low } %. From { $samples } samples.
handout-event-thin = Some of these hours stand on few samples.
handout-event-empty = Not every one of these hours was watched: part of this is a guess.

handout-zone = There is no time zone “{ $zone }”. Write it like Europe/Berlin or UTC.
handout-zone-meant = There is no time zone “{ $zone }”. Did you mean { $meant }?
handout-heatmap-name = A heatmap is a picture: end the name after --heatmap with .png or .svg.
handout-png-to-terminal = A picture is nothing for a terminal. Name a file with --out FILE.
handout-pages-need-a-name = { $n } targets need { $pages } pictures. Name a file with --out FILE: the others are named like it.
handout-written = Written to { $path }
