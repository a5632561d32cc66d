# Rules that switch tools by themselves.

rule-already-there = It uses it already.
rule-no-effect = { $tool } would go on with another model than the one that is written. Look at the Switch screen for what decides.
rule-no-hands = The tool could not be switched: too much waits to be switched, or nothing may be written here. Try again, or use the Switch screen.
