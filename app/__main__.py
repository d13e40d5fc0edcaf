"""`python -m app [FILE]`, or `sinew [FILE]`: the window.

Exit codes: 0 closed, 2 a command line that is not understood, 3 no screen or no Qt, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

NO_SCREEN = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the application; its exit code."""
    options = _parser().parse_args(arguments)
    from app.shell.screen import missing_libraries, missing_screen

    missing = missing_screen() or missing_libraries()
    if missing:
        print(f"Sinew: {missing}.", file=sys.stderr)
        return NO_SCREEN
    from app.shell.run import Options, run

    return run(
        Options(
            file=options.file,
            separate=options.separate,
            timing=options.timing,
            quit_after_ready=options.quit_after_ready,
        )
    )


def _parser() -> argparse.ArgumentParser:
    from engine import __version__

    parser = argparse.ArgumentParser(prog="sinew", description="Pose, simulate and animate bodies.", allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a .sinew document to open")
    parser.add_argument("--version", action="version", version=f"Sinew {__version__}")
    parser.add_argument("--separate", action="store_true", help="open a window of its own even if Sinew already runs")
    parser.add_argument("--timing", action="store_true", help="print when each step of the start was reached, as JSON")
    parser.add_argument("--quit-after-ready", action="store_true", help="close as soon as poses can be computed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
