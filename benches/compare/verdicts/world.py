"""The world that every program is asked about, and the ways to ask a local server.

The loopback provider of `vacancy demo --serve` is the world; the settings that it prints name, for each scenario and
dialect, the base URL, the model and the verdict that is right.
"""

import concurrent.futures
import fcntl
import http.client
import json
import re
import socket
import struct
import subprocess
import time
import urllib.parse

# As long as Vacancy waits for the first byte; a program that lets its timeout be set is given the same.
PATIENCE_S = 30
# How long a stream that has brought output is read on, for what may still come.
READ_ON_S = 5


def loopback_only():
    """Brings up the loopback of a fresh network namespace, and proves that nothing else can be reached."""
    handle = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    siocsifflags, iff_up_running = 0x8914, 0x1 | 0x40
    fcntl.ioctl(handle, siocsifflags, struct.pack("16sh", b"lo", iff_up_running))
    try:
        # An address for documentation (RFC 5737): connecting a datagram socket sends nothing, it only asks for a route.
        handle.connect(("192.0.2.1", 9))
    except OSError:
        return
    raise SystemExit("There is a way out of here; run this through `run`, which takes it away.")


def serve(vacancy, folder):
    """Starts the loopback provider. Gives its process and what it plays."""
    settings = folder / "vacancy.toml"
    with settings.open("w") as out:
        server = subprocess.Popen([vacancy, "demo", "--serve", "--settings", "--port", "0"], stdout=out)
    deadline = time.monotonic() + 20
    while True:
        text = settings.read_text()
        if text.endswith("\n") and text.count("[[target]]") >= 210:
            return server, text, read_settings(text)
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("The loopback provider does not start.")
        time.sleep(0.05)


def read_settings(text):
    """The scenarios that stand in the settings: one block each, in the one form in which they are printed."""
    block = re.compile(
        r"# expected: (?P<kind>\w+), (?P<scope>\w+)\n\[\[provider\]\]\nid = \"(?P<target>[^\"]+)\"\n"
        r"dialect = \"(?P<dialect>[^\"]+)\"\nbase_url = \"(?P<base_url>[^\"]+)\"\n.*?model = \"(?P<model>[^\"]+)\"\n",
        re.S,
    )
    rows = [match.groupdict() for match in block.finditer(text)]
    for row in rows:
        row["scenario"] = row["target"].removeprefix(row["dialect"] + "-")
    return rows


def wait_for(port, seconds=60):
    """Waits until something listens."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise SystemExit(f"Nothing listens on port {port}.") from None
            time.sleep(0.1)


def free_port():
    """A port that nobody has at the moment."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


def each(rows, ask, at_once=48):
    """Asks about every row, many at once: most of the time goes into scenarios that never answer."""
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(ask, rows))


def post(url, body, headers):
    """Posts, and reads at most `READ_ON_S` of the answer. Gives status (None: no answer), headers and text."""
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE_S + 10)
    try:
        connection.connect()
        # Kept, as the connection lets go of it when the answer ends with it.
        line = connection.sock
        connection.request("POST", address.path, json.dumps(body), {"content-type": "application/json", **headers})
        answer = connection.getresponse()
    except (OSError, http.client.HTTPException):
        connection.close()
        return None, {}, ""
    line.settimeout(READ_ON_S)
    text, end = b"", time.monotonic() + READ_ON_S
    try:
        while time.monotonic() < end and len(text) < 65536:
            piece = answer.read1(8192)
            if not piece:
                break
            text += piece
    except (OSError, http.client.HTTPException):
        pass
    finally:
        answer.close()
        connection.close()
    return answer.status, answer.headers, text.decode(errors="replace")
