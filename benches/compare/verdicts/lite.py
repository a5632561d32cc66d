"""LiteLLM, run by the Python of its own environment: `lite.py WORLD MODE`, one line of JSON a scenario.

- `health` is `litellm.ahealth_check`, which decides what its proxy's `/health` calls healthy. It says no more than that.
- `whole` and `stream` are a completion; the class of the exception is what it calls the failure. A stream is up when it
  ends well, or has brought output and goes on.
"""

import asyncio
import json
import os
import sys
import threading
import time

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402  (the variable above has to stand first)

PATIENCE_S = 30
READ_ON_S = 5
WORDS = [{"role": "user", "content": "hi"}]
PREFIX = {
    "openai-chat": "openai/",
    "openai-responses": "openai/",
    "anthropic-messages": "anthropic/",
    "gemini": "gemini/",
    "ollama-chat": "ollama_chat/",
}


def parameters(row):
    base = row["base_url"]
    if row["dialect"] == "gemini":
        base = f"{base}/v1beta/models/{row['model']}"
    return {
        "model": PREFIX[row["dialect"]] + row["model"],
        "api_base": base,
        "api_key": "loopback",
        "timeout": PATIENCE_S,
        "stream_timeout": PATIENCE_S,
        # A scenario never changes: asking again tells nothing new and takes time.
        "max_retries": 0,
    }


def health(row, _):
    mode = "responses" if row["dialect"] == "openai-responses" else "chat"
    asked = {**parameters(row), "messages": WORDS}
    said = asyncio.run(litellm.ahealth_check(asked, mode=mode, prompt="hi", input=["hi"]))
    return "error" not in said, "healthy" if "error" not in said else "unhealthy"


def whole(row, _):
    send(row, stream=False)
    return True, "answered"


def stream(row, note):
    for _ in send(row, stream=True):
        note["first_piece"] = note.get("first_piece") or time.monotonic()
        if time.monotonic() > note["first_piece"] + READ_ON_S:
            return True, "answering"
    return True, "answered"


def send(row, stream):
    if row["dialect"] == "openai-responses":
        return litellm.responses(input="hi", stream=stream, **parameters(row))
    return litellm.completion(messages=WORDS, stream=stream, **parameters(row))


def ask(row, mode, note):
    try:
        note["verdict"] = (*mode(row, note), "")
    except Exception as error:  # noqa: BLE001  (the class is the answer)
        note["verdict"] = (False, type(error).__name__, str(error)[:300])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    mode = {"health": health, "whole": whole, "stream": stream}[sys.argv[2]]
    notes = [{} for _ in rows]
    for row, note in zip(rows, notes):
        threading.Thread(target=ask, args=(row, mode, note), daemon=True).start()
    # Its own timeouts come first; what is not back by then never comes back.
    end = time.monotonic() + 3 * PATIENCE_S
    while time.monotonic() < end and not all("verdict" in note for note in notes):
        time.sleep(0.2)
    for row, note in zip(rows, notes):
        unended = (True, "answering", "") if "first_piece" in note else (False, "no answer", "")
        is_up, label, said = note.get("verdict", unended)
        print(json.dumps({"target": row["target"], "up": is_up, "label": label, "said": said}))
    sys.stdout.flush()
    # Without waiting for the threads that hang.
    os._exit(0)


main()
