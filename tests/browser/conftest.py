"""A served app and a real browser, started once for all browser tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).parents[2]
SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    """A system Chromium or Chrome, else Playwright's own; without any, skip (in CI: fail)."""
    found = next(filter(None, map(shutil.which, SYSTEM_BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        except Error as error:
            message = f"no Chromium or Chrome to test with: {error.message.splitlines()[0]}"
            if os.environ.get("CI") == "true":
                pytest.fail(message)
            pytest.skip(message)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def app_url(tmp_path_factory):
    """The address of the app, served on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with log.open("w") as output:
        server = subprocess.Popen(
            [
                sys.executable,
                *("-m", "streamlit", "run", "app.py"),
                *("--server.port", str(port), "--server.address", "127.0.0.1"),
                *("--server.headless", "true", "--server.fileWatcherType", "none"),
            ],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_healthy(server, url, log)
            yield url
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait_until_healthy(server: subprocess.Popen, url: str, log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            pytest.fail(f"the app did not start:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the app did not answer within a minute")


@pytest.fixture
def page(browser, app_url):
    """A fresh page that records its requests, console errors and page errors."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.requested = []
    page.faults = []
    page.on("request", lambda request: page.requested.append(request.url))
    page.on("console", lambda line: page.faults.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    context.close()
