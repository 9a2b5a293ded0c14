"""``python -m mpgk_core``: the command line."""

import sys

from mpgk_core.cli import run

if __name__ == "__main__":
    sys.exit(run())
