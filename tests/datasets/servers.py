"""A web server on this machine whose manners a test chooses."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """Files by path, and what to do before each answer.

    ``breaks_after`` is a list: each request takes one entry from its front, and the connection
    ends after so many bytes of the body.
    """

    def __init__(self, files):
        self.files = files
        self.etag = '"v1"'
        self.ranges = True
        self.honours_if_range = True
        self.sends_length = True
        self.wrong_range = False
        self.redirects = {}
        self.statuses = {}
        self.breaks_after = []
        self.requests = []
        self.address = ""


@contextmanager
def serving(server):
    """Serve on a free port of the loopback address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            server.requests.append((self.path, dict(self.headers)))
            answer(server, self)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.address = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def answer(server, request):
    if request.path in server.redirects:
        request.send_response(302)
        request.send_header("Location", server.redirects[request.path])
        request.send_header("Content-Length", "0")
        request.end_headers()
        return
    if request.path in server.statuses or request.path not in server.files:
        request.send_error(server.statuses.get(request.path, 404))
        return
    content = server.files[request.path]
    start = wanted_start(server, request)
    if start is not None and start >= len(content):
        request.send_error(416)
        return
    request.send_response(200 if start is None else 206)
    if start is not None:
        shown = start + 1 if server.wrong_range else start
        last = len(content) - 1
        request.send_header("Content-Range", f"bytes {shown}-{last}/{len(content)}")
        content = content[start:]
    if server.etag:
        request.send_header("ETag", server.etag)
    if server.sends_length:
        request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    if server.breaks_after:
        content = content[: server.breaks_after.pop(0)]
    request.wfile.write(content)
    request.close_connection = True


def wanted_start(server, request):
    """Return the first byte asked for, or None where all bytes are to be sent."""
    asked = request.headers.get("Range")
    condition = request.headers.get("If-Range")
    if not server.ranges or asked is None:
        return None
    if server.honours_if_range and condition != server.etag:
        return None
    return int(asked.removeprefix("bytes=").removesuffix("-"))
