"""`python -m app [FILE]`, or `sinew [FILE]`: the window; `sinew render PROJECT --out FILE`: pictures and videos without
one; `sinew replay LOG`: a saved log done again; `sinew sweep STUDY`: a scene done many times with other numbers; `sinew
plan PROJECT`: motions of soft bodies searched for; `sinew engine ...`: the commands of `python -m engine`, for where no
Python is at hand. A file of the name of a command is opened as `./render`.

Exit codes: 0 done or closed, 1 it failed, 2 a command line that is not understood, 3 no screen, no OpenGL or no Qt,
130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

NO_SCREEN = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the application or a command; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "render": _render,
        **{name: partial(_passed_on, name) for name in ("replay", "sweep", "plan")},
        "engine": _engine,
    }
    if given and given[0] in commands:
        return commands[given[0]](given[1:])
    return _window(given)


def _window(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.software:
        from app.shell.software import choose

        choose()
    from app.shell.screen import missing_libraries, missing_parts, missing_screen

    missing = missing_parts() or missing_screen() or missing_libraries()
    if missing:
        print(f"Sinew: {missing}.", file=sys.stderr)
        return NO_SCREEN
    from engine.runtime.early import early_warm_up

    with early_warm_up():
        from app.shell.run import CommandLineOptions, run

        return run(
            CommandLineOptions(
                file=options.file,
                separate=options.separate,
                timing=options.timing,
                quit_after_ready=options.quit_after_ready,
            )
        )


def _render(arguments: Sequence[str]) -> int:
    from app.shell.render_command import run_render

    return run_render(arguments)


def _passed_on(command: str, arguments: Sequence[str]) -> int:
    from engine.__main__ import main as engine

    return engine([command, *arguments], program="sinew")


def _engine(arguments: Sequence[str]) -> int:
    from engine.__main__ import main as engine

    return engine(arguments, program="sinew engine")


def _parser() -> argparse.ArgumentParser:
    from engine import __version__

    parser = argparse.ArgumentParser(
        prog="sinew",
        description="Pose, simulate and animate bodies.",
        epilog="Without a window: sinew render PROJECT --out FILE; sinew replay LOG; sinew sweep STUDY; sinew plan "
        "PROJECT; sinew engine COMMAND. Each tells more with --help.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a .sinew document to open")
    parser.add_argument("--version", action="version", version=f"Sinew {__version__}")
    parser.add_argument("--separate", action="store_true", help="open a window of its own even if Sinew already runs")
    parser.add_argument(
        "--timing", action="store_true", help="print the steps of the start, and what is logged as wrong, as JSON"
    )
    parser.add_argument(
        "--software", action="store_true", help="draw with the processor, where the graphics driver has no OpenGL"
    )
    parser.add_argument("--quit-after-ready", action="store_true", help="close as soon as poses can be computed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
