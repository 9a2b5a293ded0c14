"""The server as a user starts it."""

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_starting_asks_nobody_on_the_internet_for_an_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    silent = {key: value for key, value in os.environ.items() if not key.startswith("STREAMLIT_")}
    server = subprocess.Popen(
        command, cwd=ROOT, env=silent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    said = []
    for line in server.stdout:
        said.append(line)
        if "http://" in line:
            break
    server.terminate()
    server.communicate(timeout=60)
    assert said[-1].strip() == f"URL: http://localhost:{port}"
    assert "external" not in "".join(said).lower()
