# Area: engine. Notices outside the window.

engine-recovered = { $model } is free again
engine-recovered-body = { $provider }: it was not free for { $minutes } min.
engine-recovered-body-soon = { $provider }: it was not free for less than a minute.
