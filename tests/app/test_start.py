"""The server as a user and as a teacher start it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed

from scripts.lasting_libraries import LastingLibraries, scripts_of_elements
from scripts.serve_class import own_address
from ui.frame import run_page
from ui.shared.charts import DRAWING_LIBRARY, library_for, script

ROOT = Path(__file__).parents[2]
OTHERS = "127.0.0.2" if own_address() == "localhost" else own_address()
"""An address of this machine by which others would reach it."""


def silent(**settings):
    """Return an environment without settings of the user, but with these."""
    foreign = ("STREAMLIT_", "MPGK_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    return kept | {"PYTHONUNBUFFERED": "1"} | settings


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@contextmanager
def started(*command, **settings):
    """Run a server until it listens; yield its port and what it prints."""
    port = free_port()
    environment = silent(STREAMLIT_SERVER_PORT=port, **settings)
    server = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        while server.poll() is None and not answers("127.0.0.1", port):
            time.sleep(0.1)
        yield port, server.stdout
    finally:
        server.terminate()
        server.communicate(timeout=60)


def answers(address, port):
    with socket.socket() as client:
        return client.connect_ex((address, int(port))) == 0


@pytest.mark.parametrize("command", [("streamlit", "run", "app.py"), ("scripts.start_app",)])
def test_only_this_computer_can_connect_and_nobody_on_the_internet_is_asked(command):
    with started(*command) as (port, output):
        said = []
        for line in output:
            said.append(line)
            if "http://" in line:
                break
        assert said[-1].strip() == f"URL: http://localhost:{port}"
        assert "external" not in "".join(said).lower()
        assert answers("127.0.0.1", port)
        assert not answers(OTHERS, port)


def test_a_class_can_connect_and_the_teacher_is_told():
    with started("scripts.serve_class", MPGK_MAX_VERTICES="1234") as (port, output):
        said = "".join(output.readline() for _ in range(6))
        assert answers("127.0.0.1", port)
        assert answers(OTHERS, port)
    assert f"http://{own_address()}:{port}" in said
    assert "without a password" in said
    assert "20 MB, 1,234 vertices" in said


def test_what_the_server_imports_before_the_first_visitor_exists():
    rehearsal = "import scripts.start_app; scripts.start_app.rehearse()"
    subprocess.run([sys.executable, "-c", rehearsal], cwd=ROOT, check=True)


def headers_of(server, path, status=200):
    """Return the headers of an answer, by their names."""
    sent = []

    async def keep(message):
        sent.append(message)

    answering = server({"type": "http", "path": path, "status": status}, None, keep)
    with pytest.raises(StopIteration):  # it waits for nothing; browser tests run a loop of theirs
        answering.send(None)
    return [(name.decode(), value.decode()) for name, value in sent[0]["headers"]]


async def streamlit_answer(scope, _, send):
    """Answer as Streamlit does."""
    headers = [(b"cache-control", b"public")]
    await send({"type": "http.response.start", "status": scope["status"], "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def test_scripts_of_the_pictures_have_a_lifetime_and_come_with_the_page():
    server = LastingLibraries(streamlit_answer)
    usual = [("cache-control", "public")]
    lasting = [("cache-control", "public, immutable, max-age=31536000")]
    assert headers_of(server, f"/{DRAWING_LIBRARY}", status=404) == usual
    elements = [("link", f"<{one[1:]}>; rel=modulepreload") for one in scripts_of_elements()]
    assert headers_of(server, "/") == usual + elements
    own = re.search(r'"(component/[^"]+)"', script("pictures.js"))[1]
    flat, whole = (library_for(f'"{kind}"').split("?")[0] for kind in ("scatter", "scatter3d"))
    for served in (own, DRAWING_LIBRARY, flat, whole):
        assert headers_of(server, f"/{served}") == headers_of(server, f"/in/{served}") == lasting
    early = [("link", f"<{one}>; rel=modulepreload") for one in (DRAWING_LIBRARY, flat, own)]
    early += elements
    assert headers_of(server, "/") == headers_of(server, "/lessons", 304) == usual + early
    assert headers_of(server, "/tuning") == usual
    assert headers_of(server, "/component/other/index.js") == usual


def test_scripts_of_our_elements_are_fetched_early_unless_every_page_fetches_them():
    served = Path(streamlit.__file__).parent / "static"
    found = scripts_of_elements()
    assert any("BidiComponent" in one for one in found)
    page = (served / "index.html").read_text("utf-8")
    for one in found:
        assert (served / one[1:]).is_file()
        assert one not in page


def test_the_image_for_a_class_holds_what_serves_it():
    held = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for part in ("serve_class", "start_app", "lasting_libraries"):
        assert f"!scripts/{part}.py" in held


def test_nobody_watches_source_files():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["fileWatcherType"] == "none"


@pytest.mark.skipif(shutil.which("make") is None, reason="without make")
@pytest.mark.parametrize(
    ("surroundings", "headless"),
    [
        ({"DISPLAY": ":0"}, "false"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "false"),
        ({"DISPLAY": ":0", "CI": "true"}, "true"),
        ({"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "true"),
        pytest.param(
            {}, "true", marks=pytest.mark.skipif(sys.platform != "linux", reason="always a desktop")
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_a_browser_opens_only_where_there_is_a_desktop(surroundings, headless):
    named = ("DISPLAY", "WAYLAND_DISPLAY", "CI", "SSH_CONNECTION", "MAKEFLAGS")
    bare = {key: value for key, value in silent().items() if key not in named}
    command = ["make", "--no-print-directory", "--dry-run", "run", f"PYTHON={sys.executable}"]
    planned = subprocess.run(
        command, cwd=ROOT, env=bare | surroundings, check=True, capture_output=True, text=True
    )
    command = planned.stdout.splitlines()[-1]
    assert command.endswith(f"scripts.start_app --server.headless {headless}")


def test_no_page_draws_while_another_one_imports_pandas(monkeypatch):
    """Plotly looks into pandas wherever it is listed, also while it is half imported."""
    waited = []
    monkeypatch.setattr("ui.frame.import_module", waited.append)
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    page = SimpleNamespace(run=lambda: waited.append("page"))
    monkeypatch.setattr("ui.shared.jobs.keep_jobs_alive", lambda: None)
    run_page(page, is_lessons=True)
    assert waited == ["pandas", "page"]


def test_no_message_refers_to_another_that_the_browser_may_have_forgotten(monkeypatch):
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    limit = settings["global"]["minCachedMessageSize"]
    monkeypatch.setattr("streamlit.config.get_option", {"global.minCachedMessageSize": limit}.get)
    message = ForwardMsg()
    message.delta.new_element.markdown.body = "x" * 10_000_000
    populate_hash_if_needed(message)
    assert message.hash
    assert not message.metadata.cacheable
