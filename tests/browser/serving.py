"""Serve the app on this machine and open a real browser: for tests, benchmarks and pictures."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Playwright

__all__ = ["Server", "launch_browser", "served", "serving"]

ROOT = Path(__file__).parents[2]
SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch_browser(playwright: Playwright) -> Browser:
    """Start a system Chromium or Chrome, else Playwright's own."""
    found = next(filter(None, map(shutil.which, SYSTEM_BROWSERS)), None)
    return playwright.chromium.launch(executable_path=found, args=FLAGS)


@dataclass(frozen=True)
class Server:
    """A server that runs.

    Attributes
    ----------
    url : str
    pid : int
        Of its process.
    """

    url: str
    pid: int

    def memory(self) -> float:
        """Return the memory that the process holds now, in GB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) / 1e6

    def cpu_seconds(self) -> float:
        """Return how long the process has worked so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(script: str = "app.py", *options: str) -> Iterator[str]:
    """Serve a Streamlit script on a free port, with further options, and yield its address."""
    with serving(script, *options) as server:
        yield server.url


@contextmanager
def serving(
    script: str = "app.py", *options: str, is_rehearsed: bool = False, **environment: str
) -> Iterator[Server]:
    """Do the work of :func:`served`, with further environment variables; yield the server.

    With ``is_rehearsed`` it is the app, started as ``make run`` starts it.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        *(("-m", "scripts.start_app") if is_rehearsed else ("-m", "streamlit", "run", script)),
        *("--server.port", str(port), "--server.address", "127.0.0.1"),
        *("--server.headless", "true", "--server.fileWatcherType", "none"),
        *options,
    ]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_healthy(server, f"http://127.0.0.1:{port}", log)
            yield Server(f"http://127.0.0.1:{port}", server.pid)
        finally:
            _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:  # it waits for a browser that has not said goodbye
        server.kill()
        server.wait()


def _wait_until_healthy(server: subprocess.Popen[bytes], url: str, log: object) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    log.seek(0)  # type: ignore[attr-defined]
    raise RuntimeError(f"the app did not start:\n{log.read()}")  # type: ignore[attr-defined]
