"""The arguments of `python -m engine muscles`, and what it does with them; loads nothing until it is run."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_muscles(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", type=Path, metavar="FILE", help="a project, or a figure with muscles")
    parser.add_argument("--actor", metavar="NAME", help="whose muscles; the first one's that has some, if left out")
    parser.add_argument("--time", type=float, default=0.0, metavar="SECONDS", help="of the pose and the activations")
    words = "go through the range of a degree of freedom, and write lengths and moment arms of all muscles as CSV"
    parser.add_argument("--over", metavar="DOF", help=words)
    parser.add_argument("--span", nargs=2, type=float, metavar=("FROM", "TO"), help="degrees, or metres of a slide")
    parser.add_argument("--steps", type=int, default=61, metavar="COUNT", help="lines of the table (default: 61)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a .csv file; standard output if left out")


def run_muscles(chosen: argparse.Namespace) -> int:
    """Run the command."""
    from engine.cli.muscles import arm_table, muscle_lines, write_table

    of = {"actor": chosen.actor, "time": chosen.time}
    if chosen.over is None:
        print("\n".join(muscle_lines(chosen.scene, **of)))
        return 0
    span = None if chosen.span is None else (chosen.span[0], chosen.span[1])
    write_table(arm_table(chosen.scene, chosen.over, span=span, steps=chosen.steps, **of), chosen.out)
    return 0
