# Area: demo

# `vacancy demo --serve`: a list of base URLs by dialect follows.
demo-serve-title = The loopback provider is running on this machine. Base URL by dialect:
# A list of model names follows.
demo-serve-models = The model's name chooses how it answers. Any other name works too, also NAME@SCENARIO:
demo-serve-hint =
    A settings file with all of them: vacancy demo --settings --port { $port }
    Ctrl+C ends it.
