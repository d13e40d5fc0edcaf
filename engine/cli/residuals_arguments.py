"""The arguments of `python -m engine residuals`, and what it does with them; loads nothing until it is run."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_residuals(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", type=Path, metavar="FILE", help="a project with a figure that has measured forces")
    parser.add_argument("out", type=Path, metavar="OUT", help="a .sinew file with the changed motion")
    parser.add_argument("--actor", metavar="NAME", help="whose motion; the first one's with forces, if left out")
    words = "from when to when; while forces were measured, if left out"
    parser.add_argument("--between", nargs=2, type=float, metavar=("FROM", "TO"), help=f"seconds {words}")
    words = "the joint whose body's mass centre may shift, or none (default: the heaviest body's)"
    parser.add_argument("--trunk", default=None, metavar="JOINT", help=words)
    words = "by how much hinges and slides may change"
    parser.add_argument("--most", nargs=2, type=float, default=(3.0, 3.0), metavar=("DEGREES", "CM"), help=words)
    words = "the time between two knots of what is added to the motion (default: 0.05)"
    parser.add_argument("--knots", type=float, default=0.05, metavar="SECONDS", help=words)


def run_residuals(chosen: argparse.Namespace) -> int:
    """Run the command."""
    from engine.cli.residuals import reduce_residuals_of

    start, end = chosen.between or (None, None)
    said = reduce_residuals_of(
        chosen.scene,
        chosen.out,
        actor=chosen.actor,
        start=start,
        end=end,
        trunk=chosen.trunk,
        degrees=chosen.most[0],
        centimetres=chosen.most[1],
        spacing=chosen.knots,
    )
    print("\n".join(said))
    return 0
