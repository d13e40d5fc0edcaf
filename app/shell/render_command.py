"""The command line of `sinew render`: its arguments, and its errors as one line each."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from app.shell.screen import missing_parts
from engine.runtime.errors import EngineError

NO_OPENGL = 3
EXIT_CODES = (
    "Exit codes: 0 done; 1 it failed, and one line on standard error says why; 2 the arguments were not understood; "
    "3 nothing can be drawn here, and the line says what is missing; 130 it was interrupted, and nothing is left but "
    "what --parts keeps."
)


def run_render(arguments: Sequence[str]) -> int:
    """Render; the exit code."""
    chosen = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left then either
    missing = missing_parts()
    if missing:
        print(f"Sinew: {missing}.", file=sys.stderr)
        return NO_OPENGL
    try:
        from app.shell.render import RenderRequest, render
    except ImportError as problem:
        print(f"Sinew: Qt or OpenGL cannot be loaded: {problem}", file=sys.stderr)
        return NO_OPENGL
    from app.export.surface import NoOpenGL
    from engine.cli.curves import document_in

    options = vars(chosen)
    try:
        render(
            document_in(options.pop("project")), RenderRequest(**(options | {"quantities": tuple(chosen.quantities)}))
        )
    except NoOpenGL as problem:
        print(f"Sinew: {problem}.", file=sys.stderr)
        return NO_OPENGL
    except EngineError as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sinew render",
        description="Write pictures or a video of a project, without a window.",
        epilog=EXIT_CODES,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("project", metavar="PROJECT", type=Path, help="a .sinew file, or any other that Sinew opens")
    add("--out", required=True, type=Path, metavar="FILE", help="its ending says what it is: .mp4, .webm, .gif or .png")
    add("--replace", action="store_true", help="write over files that are there; refused if left out")
    add(
        "--camera",
        default="perspective",
        help="a camera of the scene by its name, or perspective, front, back, left, right, top, bottom, or "
        "AZIMUTH,ELEVATION",
    )
    add("--size", default=(1280, 720), type=_size, metavar="WxH", help="pixels across and down; 1280x720 if left out")
    add(
        "--range",
        type=_range,
        metavar="FROM:TO",
        help="seconds, or one time for one picture, as --range=-1:2; all that is played if left out",
    )
    add(
        "--rate",
        type=_rate,
        metavar="RATE",
        help="frames a second, as 30, 29.97 or 30000/1001; the project's own if left out",
    )
    add("--codec", choices=("png", "h264", "vp9", "av1", "gif"), help="if the file's ending leaves it open")
    add("--samples", default=8, type=int, metavar="COUNT", help="pictures of which each frame is the mean: 1 to 32")
    add(
        "--display",
        default="mannequin",
        choices=("mannequin", "skin", "bones", "lines", "translucent"),
        help="how figures are shown",
    )
    add("--background", default="", metavar="COLOUR", help="such as '#ffffff'; as in the window if left out")
    add("--alpha", dest="background", action="store_const", const="transparent", help="nothing behind the bodies (PNG)")
    add("--grid", default=True, action=argparse.BooleanOptionalAction, help="lines on the floor")
    add("--shadows", default=True, action=argparse.BooleanOptionalAction, help="on the floor and on bodies")
    _add_light(parser)
    _add_lens(parser)
    add("--sound", default=True, action=argparse.BooleanOptionalAction, help="the project's sound, if it has one")
    _add_overlays(parser)
    _add_places(parser)
    return parser


def _add_light(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--studio", action="store_true", help="lights beside the camera, over a grey floor")
    add(
        "--key",
        type=_key,
        metavar="AZIMUTH,ELEVATION",
        help="where the key light shines from [degrees], as --key=-40,42; with --studio beside the camera",
    )
    add("--floor", default="", metavar="COLOUR", help="such as '#8a8f98'; as the project has it if left out")


def _add_lens(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    words = "length by width of the lens of --camera, such as 2.8: the lower, the less is sharp"
    add("--f-number", type=float, metavar="NUMBER", help=f"{words}; as the project has it if left out")
    add(
        "--focus",
        default="",
        metavar="WHERE",
        help="where that lens sees sharply: metres before it, a part such as human.head, or everywhere; as the project "
        "has it if left out",
    )


def _add_places(parser: argparse.ArgumentParser) -> None:
    """Who draws; the file is the same."""
    add = parser.add_argument
    words = "processes that draw, where there are as many cores (default: this one)"
    add("--workers", type=int, metavar="COUNT", help=words)
    words = "a Dask scheduler, such as tcp://10.0.0.5:8786, whose workers draw instead; with --parts"
    add("--scheduler", metavar="ADDRESS", help=words)
    words = (
        "keep what is drawn in FILE.parts until the video is whole: after whatever ends it, the same command goes on"
    )
    add("--parts", action="store_true", help=words)


def _add_overlays(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--turntable",
        nargs="?",
        const=0.0,
        type=float,
        metavar="SECONDS",
        help="go once round; for so long while time stands still, or with the motion",
    )
    add("--title", default="", metavar="TEXT", help="written in a corner of each frame")
    add("--time", action="store_true", help="write the time there")
    add(
        "--quantity",
        dest="quantities",
        action="append",
        default=[],
        metavar="QUANTITY",
        help="write its number there, such as velocity.y:human.hand_left; may be repeated",
    )
    add("--curves", action="store_true", help="draw those numbers against time, too")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    try:
        return int(width), int(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; written 1280x720") from None


def _range(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    try:
        return (float(first), float(last)) if colon else (float(first), float(first))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no range of seconds; written 0:2.5, or 1.5") from None


def _key(text: str) -> tuple[float, float]:
    azimuth, _, elevation = text.partition(",")
    try:
        return float(azimuth), float(elevation)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no direction of light; written -40,42") from None


def _rate(text: str) -> tuple[int, int]:
    from engine.cli.files import rate_from

    try:
        return rate_from(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no rate; written 30, 29.97 or 30000/1001") from None
