"""Asks every program about every scenario, and prints the tables of benches/README.md. Started by `run`."""

import concurrent.futures
import json
import pathlib
import subprocess
import sys

import free_coding_models
import portkey
import score
import world


def vacancy(program, folder, rows, settings):
    """`vacancy probe --json`, a few targets a process, as one process asks one after the other."""
    home = folder / "vacancy"
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config/vacancy.toml").write_text(settings)
    by_target = {row["target"]: row for row in rows}

    def ask(name):
        command = [program, "probe", "--json", "--data", str(home), name]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout

    said = [json.loads(line) for out in world.each(by_target, ask, 24) for line in out.splitlines()]
    return [(by_target[one["target"]], one["kind"] == "available", one["kind"]) for one in said]


def lite(folder, mode, rows):
    """LiteLLM, in a process of its own Python."""
    here = pathlib.Path(__file__).parent
    command = [str(folder / "python/bin/python"), str(here / "lite.py"), str(folder / "said/world.json"), mode]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=folder)
    (folder / f"said/lite-{mode}.out").write_text(run.stdout + run.stderr)
    lines = [line for line in run.stdout.splitlines() if line.startswith('{"target"')]
    said = {one["target"]: one for one in map(json.loads, lines)}
    return [(row, said[row["target"]]["up"], said[row["target"]]["label"]) for row in rows]


def main():
    program, folder, only = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3].split(",")
    world.loopback_only()
    said = folder / "said"
    said.mkdir(exist_ok=True)
    server, settings, rows = world.serve(program, said)
    try:
        (said / "world.json").write_text(json.dumps(rows))
        npm = folder / "node/node_modules"
        chat = [row for row in rows if row["dialect"] == "openai-chat"]
        programs = {
            "vacancy": ("Vacancy", lambda: vacancy(program, said, rows, settings)),
            "fcm": ("free-coding-models, table", lambda: free_coding_models.table(said, npm, chat)),
            "fcm-whole": ("free-coding-models, router", lambda: free_coding_models.router(said, npm, chat, False)),
            "fcm-stream": ("free-coding-models, router, stream", lambda: free_coding_models.router(said, npm, chat, True)),
            "litellm-health": ("LiteLLM, health check", lambda: lite(folder, "health", rows)),
            "litellm-whole": ("LiteLLM, completion", lambda: lite(folder, "whole", rows)),
            "litellm-stream": ("LiteLLM, completion, stream", lambda: lite(folder, "stream", rows)),
            "portkey-whole": ("Portkey gateway", lambda: portkey.ask_all(said, npm, rows, False)),
            "portkey-stream": ("Portkey gateway, stream", lambda: portkey.ask_all(said, npm, rows, True)),
        }
        verdicts = {}
        for key, (name, ask) in programs.items():
            if only != ["all"] and key not in only:
                continue
            verdicts[name] = list(ask())
            with (said / f"{key}.tsv").open("w") as out:
                for row, is_up, label in verdicts[name]:
                    out.write(f"{row['target']}\t{row['kind']}\t{'up' if is_up else 'down'}\t{label}\n")
            print(f"{name}: {len(verdicts[name])} scenarios", file=sys.stderr)
        score.print_all(verdicts)
    finally:
        server.terminate()
        server.wait(20)


main()
