# vacancy listen
listen-cannot-read = { $path } cannot be read: { $reason }.
listen-unknown-form = it is no log that we know; if it is one, name the tool with --tool
listen-nothing-of-tool = nothing of { $tool } was found in it
listen-nothing = No logs of coding tools were found in this home folder.
listen-done =
    { $files ->
        [one] One log read
       *[other] { $files } logs read
    }: { $observations ->
        [one] one request
       *[other] { $observations } requests
    } seen, { $stored } new in the record, { $known } known already, { $leftout } left out (no model, no time, or too old).
listen-unreadable =
    { $unreadable ->
        [one] One log could not be read; it is tried again next time.
       *[other] { $unreadable } logs could not be read; they are tried again next time.
    }
listen-limit = { $tool }: { $used } % of your { $hours }-hour window is used; it starts anew at { $at }.
