# Area: demo

# `vacancy demo --serve`: a list of base URLs by dialect follows.
demo-serve-title = The loopback provider is running on this machine. Base URL by dialect:
# A list of model names follows.
demo-serve-models = The model's name chooses how it answers. Any other name works too, also NAME@SCENARIO:
demo-serve-hint =
    A settings file with all of them: vacancy demo --settings --port { $port }
    While it runs: curl -X PUT http://127.0.0.1:{ $port }/loopback/MODEL/SCENARIO changes how a model answers.
    Ctrl+C ends it.

demo-folder = The demo could not be prepared in { $path }: { $reason }. Free space there or name another folder with --data.
demo-crowded = { $count } demos are running already. Close one and try again.
demo-loopback = The demo's loopback provider did not start: { $reason }
