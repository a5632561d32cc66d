"""The Portkey gateway, run on this machine.

Its decision about a model is whether it passes on to the next one: every request goes with the documented fallback
strategy to a scenario first and to a model that answers second, and the gateway's own header says which it used. What
it calls the failure is the status that it answers with when there is no second model.
"""

import json
import os
import subprocess

import world

# The dialects of which it has a provider that takes a base URL, with what has to follow the scenario's base URL.
PROVIDERS = {
    "openai-chat": ("openai", ""),
    "openai-responses": ("openai", ""),
    "anthropic-messages": ("anthropic", "/v1"),
    "gemini": ("google", "/v1beta"),
    "ollama-chat": ("ollama", ""),
}


def ask_all(folder, npm, rows, stream):
    """Every scenario through the gateway."""
    port = world.free_port()
    name = f"portkey-{'stream' if stream else 'whole'}"
    program = npm / "@portkey-ai/gateway/build/start-server.js"
    with (folder / f"{name}.out").open("w") as log:
        gateway = subprocess.Popen(
            ["node", str(program), f"--port={port}", "--headless"],
            env={"HOME": str(folder), "PATH": os.environ["PATH"]},
            stdout=log,
            stderr=log,
        )
    try:
        world.wait_for(port)
        answering = {row["dialect"]: row for row in rows if row["scenario"] == "ok"}

        def target(row):
            provider, suffix = PROVIDERS[row["dialect"]]
            return {
                "provider": provider,
                "custom_host": row["base_url"] + suffix,
                "api_key": "loopback",
                "request_timeout": world.PATIENCE_S * 1000,
                "override_params": {"model": row["model"]},
            }

        def send(row, config):
            words = [{"role": "user", "content": "hi"}]
            path, body = "chat/completions", {"model": row["model"], "messages": words, "max_tokens": 16}
            if row["dialect"] == "openai-responses":
                path, body = "responses", {"model": row["model"], "input": "hi", "max_output_tokens": 16}
            headers = {"x-portkey-config": json.dumps(config)}
            return world.post(f"http://127.0.0.1:{port}/v1/{path}", {**body, "stream": stream}, headers)

        def ask(row):
            two = {"strategy": {"mode": "fallback"}, "targets": [target(row), target(answering[row["dialect"]])]}
            status, headers, _ = send(row, two)
            used = headers.get("x-portkey-last-used-option-index", "")
            is_up = status == 200 and used.endswith("[0]")
            alone, headers, text = send(row, target(row))
            own = headers.get("x-portkey-gateway-exception") == "true"
            return row, is_up, f"{alone}{' of its own' if own else ''}", {"used": used, "text": text[:300]}

        answers = world.each([row for row in rows if row["dialect"] in PROVIDERS], ask)
        kept = [(row["target"], *rest) for row, *rest in answers]
        (folder / f"{name}.json").write_text(json.dumps(kept, indent=1))
        return [(row, is_up, label) for row, is_up, label, _ in answers]
    finally:
        gateway.terminate()
        gateway.wait(20)
