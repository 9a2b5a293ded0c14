"""What the pages are made of.

Where the server imports libraries before the first visitor comes (``scripts/start_app.py``), pages
wait for it: two threads that import the same modules at once can stop each other.
"""

import threading

for _thread in threading.enumerate():
    if _thread.name == "rehearsal":
        _thread.join()
