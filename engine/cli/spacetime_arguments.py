"""The arguments of `python -m engine spacetime` and `between`, and what they do; loads nothing until one is run."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_spacetime(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a .sinew file")
    parser.add_argument("--actor", metavar="NAME", help="whose plan, by id or name; all that have one by default")
    words = "so many drawn guesses beside the straight line, for other minima; as the plan says by default"
    parser.add_argument("--guesses", type=int, metavar="N", help=words)
    words = "stop a search then, and keep what it has come to; the end of the search by default"
    parser.add_argument("--stop-after", type=float, metavar="S", help=words)
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the project with the motions as this file")


def add_between(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a .sinew file")
    parser.add_argument("actor", metavar="ACTOR", help="whose, by id or name")
    parser.add_argument("start", type=float, metavar="T0", help="from the pose at this time, in seconds")
    parser.add_argument("end", type=float, metavar="T1", help="to the pose at that")
    parser.add_argument("out", type=Path, metavar="OUT", help="the project with the layer, .sinew")


def run_spacetime(chosen: argparse.Namespace) -> int:
    """Find the motions that a project plans."""
    from engine.cli.spacetime import find_motions

    lines, met = find_motions(
        chosen.project, actor=chosen.actor, guesses=chosen.guesses, stop_after=chosen.stop_after, out=chosen.out
    )
    print("\n".join(lines))
    return 0 if met else 1


def run_between(chosen: argparse.Namespace) -> int:
    """Fill the time between two poses."""
    from engine.cli.spacetime import fill_between

    print(fill_between(chosen.project, chosen.actor, chosen.start, chosen.end, chosen.out))
    return 0
