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
        self.sends_length = True
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
    request.send_response(200)
    if server.sends_length:
        request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    if server.breaks_after:
        content = content[: server.breaks_after.pop(0)]
    request.wfile.write(content)
    request.close_connection = True
