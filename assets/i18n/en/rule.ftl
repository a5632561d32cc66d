# Rules that switch tools by themselves.

rule-already-there = It uses it already.
rule-no-effect = { $tool } would go on with another model than the one that is written. Look at the Switch screen for what decides.
rule-no-hands = The tool could not be switched: too much waits to be switched, or nothing may be written here. Try again, or use the Switch screen.

rule-title = Switching by itself
rule-change = Change…
rule-menu = Switching by itself: { $mode }
rule-mode-off = Off
rule-mode-ask = Ask me
rule-mode-auto = By itself
rule-mode-own = As the settings file says
rule-off = Off: nobody but you switches it.
rule-away-ask = When the first model of its chain is confirmed not to be free, you are asked.
rule-away-auto = When the first model of its chain is confirmed not to be free, it goes to the first that is.
rule-back-ask = When it is free again, you are asked.
rule-back-auto = It goes back by itself.
rule-unknown = The tool was not read yet, or it reaches no model of its chain.
rule-asked = You are asked now whether to use { $model }.
rule-standing-in = It is on { $model } in the place of { $first } since { $time }.
rule-returns-by-hand = You bring it back yourself.
rule-returns-when-free = It goes back when { $first } has been free for { $span }.
rule-returns-at = It goes back at { $time } at the earliest, if { $first } stays free.
rule-own-choice = You chose another model: it is left alone until it uses { $first } again.
rule-held-off = You took its switch back at { $time }: it waits for the next change of { $first }.
rule-stands-in = In { $tool } for { $first }
rule-consent = Vacancy will change the model in the settings of { $tool }: away from the first model of its chain while that is confirmed not to be free, and back when it has been free for a while. Each change is told and can be undone.
rule-consent-never = It never touches a model that you chose yourself, never acts on old or unconfirmed states or on trouble of your own network, and refuses what it cannot do faithfully.
