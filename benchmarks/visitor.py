"""A browser's part of the conversation with the server, without a browser."""

from __future__ import annotations

import time
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import connect

__all__ = ["Answer", "Visitor"]

_LONGEST_WAIT = 120.0


@dataclass
class Answer:
    """What one rerun put on the page.

    Attributes
    ----------
    seconds : float
        From the request to the end of the rerun.
    n_bytes : int
        Of all messages.
    formulas, errors : list of str
        Texts of elements, in the order of the page.
    components : list of str
        The data of components, as JSON.
    """

    seconds: float = 0.0
    n_bytes: int = 0
    formulas: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    components: list[str] = field(default_factory=list)


class Visitor:
    """Opens a page, moves its controls by their keys, and leaves.

    Parameters
    ----------
    url : str
        Of the server.
    page : str
        Name of the page in its address; empty for the first one.
    query : str
        The settings in the address.
    """

    def __init__(self, url: str, page: str = "", query: str = "") -> None:
        self.url, self.page, self.query = url, page, query
        self._session = ""
        self._ids: dict[str, str] = {}
        self._options: dict[str, list[str]] = {}
        self._fragments: dict[str, str] = {}
        self._values: dict[str, WidgetState] = {}
        self._repeated: dict[str, float] = {}
        self.first = Answer()

    def __enter__(self) -> Visitor:
        address = self.url.replace("http://", "ws://") + "/_stcore/stream"
        start = time.perf_counter()
        self._connection = connect(address, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        self._socket = self._connection.__enter__()
        self.first = self._rerun([])
        self.first.seconds = time.perf_counter() - start
        return self

    def __exit__(self, *problem: object) -> None:
        self._connection.__exit__(*problem)  # type: ignore[arg-type]

    def slide(self, key: str, value: float) -> Answer:
        """Move a slider."""
        state = self._state(key)
        state.double_array_value.data.append(value)
        return self._set(key, state)

    def choose(self, key: str, number: int) -> Answer:
        """Choose one of the options of a segmented control, counted from 0."""
        state = self._state(key)
        state.string_array_value.data.append(self._options[key][number])
        return self._set(key, state)

    def press(self, key: str) -> Answer:
        """Press a button."""
        state = self._state(key)
        state.trigger_value = True
        return self._rerun([state], self._fragments.get(key, ""))

    def upload(self, key: str, name: str, content: bytes) -> Answer:
        """Give a file to an upload box."""
        message = BackMsg()
        message.file_urls_request.request_id = uuid.uuid4().hex
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        self._socket.send(message.SerializeToString())
        received = self._receive()
        while received.WhichOneof("type") != "file_urls_response":
            received = self._receive()
        urls = received.file_urls_response.file_urls[0]
        _put(self.url + urls.upload_url, name, content)
        state = self._state(key)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, len(content)
        info.file_urls.CopyFrom(urls)
        return self._set(key, state)

    def wait(self, seconds: float) -> Answer | None:
        """Let time pass; what the page repeats by itself is asked for, and the last returned."""
        end = time.perf_counter() + seconds
        last: Answer | None = None
        while self._repeated and time.perf_counter() < end:
            fragment, interval = min(self._repeated.items(), key=lambda pair: pair[1])
            time.sleep(min(interval, max(end - time.perf_counter(), 0.0)))
            last = self._rerun([], fragment)
        time.sleep(max(end - time.perf_counter(), 0.0))
        return last

    def _state(self, key: str) -> WidgetState:
        return WidgetState(id=self._ids[key])

    def _set(self, key: str, state: WidgetState) -> Answer:
        self._values[key] = state
        return self._rerun([], self._fragments.get(key, ""))

    def _rerun(self, pressed: list[WidgetState], fragment: str = "") -> Answer:
        message = BackMsg()
        request = message.rerun_script
        request.query_string, request.page_name = self.query, self.page
        request.fragment_id = fragment
        if not fragment:
            self._repeated.clear()
        request.widget_states.CopyFrom(WidgetStates(widgets=[*self._values.values(), *pressed]))
        answer = Answer()
        start = time.perf_counter()
        self._socket.send(message.SerializeToString())
        while not self._read(self._receive(answer), answer):
            pass
        answer.seconds = time.perf_counter() - start
        return answer

    def _receive(self, answer: Answer | None = None) -> Any:
        content = self._socket.recv(timeout=_LONGEST_WAIT)
        if answer is not None:
            answer.n_bytes += len(content)
        received = ForwardMsg()
        received.ParseFromString(content)  # type: ignore[arg-type]
        return received

    def _read(self, received: Any, answer: Answer) -> bool:
        """Take note of a message; return whether it is the last one of a rerun."""
        kind = received.WhichOneof("type")
        if kind == "new_session":
            self._session = received.new_session.initialize.session_id
        elif kind == "page_info_changed":
            self.query = received.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._repeated[received.auto_rerun.fragment_id] = received.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            self._repeated.pop(received.stop_auto_rerun.fragment_id, None)
        elif kind == "delta" and received.delta.WhichOneof("type") == "new_element":
            self._see(received.delta.new_element, received.delta.fragment_id, answer)
        if kind == "script_finished" and received.script_finished == _FOR_RERUN:
            self._repeated.clear()
            for shown in (answer.formulas, answer.components):
                shown.clear()  # the page begins anew, and replaces what was drawn so far
        return bool(kind == "script_finished" and received.script_finished != _FOR_RERUN)

    def _see(self, element: Any, fragment: str, answer: Answer) -> None:
        kind = element.WhichOneof("type")
        shown = getattr(element, kind) if kind else None
        name = getattr(shown, "id", "")
        if isinstance(name, str) and name.count("-") >= 2:
            key = name.split("-", 2)[2]
            self._ids[key] = name
            self._fragments[key] = fragment
            if kind == "button_group":
                self._options[key] = [option.content for option in shown.options]
        if kind == "markdown" and shown.body.startswith("$$"):
            answer.formulas.append(shown.body)
        elif kind == "exception":
            answer.errors.append(shown.message)
        elif kind == "alert" and shown.format == shown.ERROR:
            answer.errors.append(shown.body)
        elif kind == "bidi_component":
            answer.components.append(shown.json)


_FOR_RERUN = ForwardMsg.FINISHED_EARLY_FOR_RERUN


def _put(address: str, name: str, content: bytes) -> None:
    border = uuid.uuid4().hex
    head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
    kind = {"Content-Type": f"multipart/form-data; boundary={border}"}
    request = urllib.request.Request(address, body, kind, method="PUT")
    with urllib.request.urlopen(request, timeout=_LONGEST_WAIT):
        pass
