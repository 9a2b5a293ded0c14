"""Serve the app to a class, with bounds for a shared machine: ``python -m scripts.serve_class``.

Every setting is a default: what the environment says counts more.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["class_settings", "exposure", "own_address"]

_DEFAULTS = {
    "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
    "STREAMLIT_SERVER_PORT": "8501",
    "STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE": "true",
    "MPGK_MAX_FILE_BYTES": "20000000",
    "MPGK_MAX_UNPACKED_BYTES": "200000000",
    "MPGK_MAX_GRAPHS": "20000",
    "MPGK_MAX_VERTICES": "200000",
    "MPGK_MAX_EDGES": "2000000",
    "MPGK_MEMORY_LIMIT": "1000000000",
}


def class_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which a class is served.

    Parameters
    ----------
    environment : mapping of str to str
        What is set already; it is kept.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> settings = class_settings({"MPGK_MAX_FILE_BYTES": "5000000"})
    >>> settings["MPGK_MAX_FILE_BYTES"], settings["STREAMLIT_SERVER_MAX_UPLOAD_SIZE"]
    ('5000000', '5')
    """
    settings = _DEFAULTS | dict(environment)
    megabytes = -(-int(settings["MPGK_MAX_FILE_BYTES"]) >> 20)  # Streamlit's have 2 ** 20 bytes
    return {"STREAMLIT_SERVER_MAX_UPLOAD_SIZE": str(megabytes)} | settings


def exposure(settings: Mapping[str, str], address: str) -> str:
    """Return what those who start the server should know about it.

    Parameters
    ----------
    settings : mapping of str to str
        See :func:`class_settings`.
    address : str
        Of this machine in its network.

    Returns
    -------
    str
    """
    megabytes, port = (
        settings["STREAMLIT_SERVER_MAX_UPLOAD_SIZE"],
        settings["STREAMLIT_SERVER_PORT"],
    )
    return (
        f"MPGK Explorer for a class: http://{address}:{port}\n"
        "Everyone who can reach this computer can use the app, without a password and without\n"
        f"encryption. Uploads: {megabytes} MB, {int(settings['MPGK_MAX_VERTICES']):,} vertices and "
        f"{int(settings['MPGK_MAX_EDGES']):,} edges at most.\n"
        "Ctrl+C stops the server. See docs/guides/class.md."
    )


def own_address() -> str:
    """Return the address of this machine in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


def _serve() -> None:
    settings, address = class_settings(os.environ), own_address()
    public = f"http://{address}:{settings['STREAMLIT_SERVER_PORT']}"
    settings.setdefault("MPGK_ADDRESS", public)  # for links and QR codes of lessons
    sys.stdout.write(f"\n{exposure(settings, address)}\n\n")
    sys.stdout.flush()
    os.chdir(Path(__file__).parents[1])
    command = [sys.executable, "-m", "scripts.start_app", *sys.argv[1:]]
    os.execve(sys.executable, command, settings)


if __name__ == "__main__":
    _serve()
