"""free-coding-models: its table (`--json`), and its local router.

Both are the installed program itself, with a catalogue of our scenarios (catalogue.mjs). It speaks the dialect
openai-chat alone.

- The table pings each model once and says `up`, `timeout`, `down`, `auth_error` or `noauth`, with the status and a
  verdict. Its timeout is fixed at 15 s.
- The router is asked for one model (`fcm:@provider/model`) through its whole chain: what its decision trace says about
  the attempt is its verdict. Its timeouts are raised to those of Vacancy.
"""

import json
import os
import subprocess

import world


def environment(folder, npm, name):
    """A home of its own for the program, with a key for every provider of the catalogue."""
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    scenarios = json.loads((folder / "world.json").read_text())
    keys = {f"loop-{row['scenario']}": "loopback" for row in scenarios if row["dialect"] == "openai-chat"}
    failover = {"requestTimeoutMs": world.PATIENCE_S * 1000, "streamStallTimeoutMs": world.PATIENCE_S * 1000}
    one = {"name": "loop", "models": [{"provider": "loop-ok", "model": "ok", "priority": 1}]}
    router = {"enabled": True, "onboardingSeen": True, "userCustomized": True, "activeSet": "loop", "sets": {"loop": one}}
    config = {
        "apiKeys": keys,
        "telemetry": {"enabled": False},
        "router": {**router, "failover": failover, "port": 19280},
    }
    (home / ".free-coding-models.json").write_text(json.dumps(config))
    (home / ".free-coding-models.json").chmod(0o600)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "WORLD": str(folder / "world.json"),
        "FCM_SOURCES": (npm / "free-coding-models/sources.js").as_uri(),
        "FREE_CODING_MODELS_TELEMETRY": "0",
    }


def command(npm, *arguments):
    here = os.path.dirname(os.path.abspath(__file__))
    program = npm / "free-coding-models/bin/free-coding-models.js"
    return ["node", "--import", f"{here}/catalogue.mjs", str(program), "--no-telemetry", *arguments]


def table(folder, npm, rows):
    """One run of `free-coding-models --json`."""
    run = subprocess.run(
        command(npm, "--json"),
        env=environment(folder, npm, "fcm-table"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    (folder / "fcm-table.out").write_text(run.stdout + run.stderr)
    found = {row["modelId"]: row for row in json.loads(run.stdout[run.stdout.index("[\n") :])}
    for row in rows:
        said = found.get(row["scenario"])
        if said is None:
            raise SystemExit(f"free-coding-models says nothing about {row['scenario']}")
        label = said["status"] if said["status"] != "down" else f"down {said['httpCode']}"
        yield row, said["status"] == "up", label


def router(folder, npm, rows, stream):
    """Every model asked through the router's daemon."""
    env = environment(folder, npm, f"fcm-router-{stream}")
    with (folder / f"fcm-router-{stream}.out").open("w") as log:
        daemon = subprocess.Popen(command(npm, "--daemon"), env=env, stdout=log, stderr=log)
    try:
        world.wait_for(19280)

        def ask(row):
            body = {
                "model": f"fcm:@loop-{row['scenario']}/{row['scenario']}",
                "messages": [{"role": "user", "content": "hi"}],
                "stream": stream,
            }
            url = "http://127.0.0.1:19280/v1/chat/completions"
            status, headers, text = world.post(url, body, {"authorization": "Bearer fcm-local"})
            return row, status, headers.get("x-request-id"), text

        # It keeps the traces of the last 50 requests, which are more than there are scenarios.
        asked = world.each(rows, ask)
        traces = json.loads(read("http://127.0.0.1:19280/api/router-v2/history?limit=200"))
        (folder / f"fcm-router-{stream}.json").write_text(json.dumps(traces, indent=1))
        return judge(asked, traces)
    finally:
        daemon.terminate()
        daemon.wait(20)


def read(url):
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as answer:
        return answer.read().decode()


def judge(asked, traces):
    entries = traces if isinstance(traces, list) else traces.get("history") or traces.get("entries") or []
    by_model = {entry["model_requested"]: entry for entry in entries}
    for row, status, _, _ in asked:
        entry = by_model.get(f"fcm:@loop-{row['scenario']}/{row['scenario']}")
        attempt = (entry or {}).get("attempts") or [{}]
        error = attempt[-1].get("error")
        error = None if error == "client_aborted" else error
        yield row, error is None and status == 200, error or f"status {status}"
