"""Serve the app on this machine and open a real browser: for tests, benchmarks and pictures."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

__all__ = ["launch_browser", "served"]

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


@contextmanager
def served(script: str = "app.py", *options: str) -> Iterator[str]:
    """Serve a Streamlit script on a free port, with further options, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        *("-m", "streamlit", "run", script),
        *("--server.port", str(port), "--server.address", "127.0.0.1"),
        *("--server.headless", "true", "--server.fileWatcherType", "none"),
        *options,
    ]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_until_healthy(server, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
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
