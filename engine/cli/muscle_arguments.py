"""The arguments of `python -m engine muscles`, and what it does with them; loads nothing until it is run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.cli.forces_arguments import add_trial, trial_of


def add_muscles(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", type=Path, metavar="FILE", help="a project, or a figure with muscles")
    parser.add_argument("--actor", metavar="NAME", help="whose muscles; the first one's that has some, if left out")
    parser.add_argument("--time", type=float, default=0.0, metavar="SECONDS", help="of the pose and the activations")
    words = "go through the range of a degree of freedom, and write lengths and moment arms of all muscles as CSV"
    parser.add_argument("--over", metavar="DOF", help=words)
    parser.add_argument("--span", nargs=2, type=float, metavar=("FROM", "TO"), help="degrees, or metres of a slide")
    parser.add_argument("--steps", type=int, default=61, metavar="COUNT", help="lines of the table (default: 61)")
    words = "key muscles as the columns of a .sto or .mot file say that have their names, kept with --save"
    parser.add_argument("--take", type=Path, metavar="FILE", help=words)
    words = "find activations for the motion, whose squares or cubes are least; they and what muscles lack as CSV"
    parser.add_argument("--activations", choices=("squares", "cubes"), help=words)
    words = (
        "static optimisation of each frame, computed muscle control (activations that physics plays forward), or the"
    )
    words += " same assisted by motors that give what muscles lack, or held by them alone where the motion stays still"
    parser.add_argument("--by", choices=("static", "control", "assisted", "held"), default="static", help=words)
    words = "from when to when activations are found; all that is played, if left out"
    parser.add_argument("--between", nargs=2, type=float, metavar=("FROM", "TO"), help=f"seconds {words}")
    words = "a .mot, .sto or .c3d file of forces on the ground that were measured with the motion"
    parser.add_argument("--forces", type=Path, metavar="FILE", help=words)
    add_trial(parser)
    parser.add_argument("--rate", type=float, metavar="FRAMES", help="frames a second; the document's, if left out")
    parser.add_argument("--save", type=Path, metavar="FILE", help="a .sinew file in which activations found are kept")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a .csv or .sto file; standard output if left out")


def run_muscles(chosen: argparse.Namespace) -> int:
    """Run the command."""
    from engine.cli.muscles import arm_table, muscle_lines, write_table

    of = {"actor": chosen.actor, "time": chosen.time}
    if chosen.take is not None:
        return _take(chosen)
    if chosen.activations is not None:
        return _activate(chosen)
    if chosen.over is None:
        print("\n".join(muscle_lines(chosen.scene, **of)))
        return 0
    span = None if chosen.span is None else (chosen.span[0], chosen.span[1])
    write_table(arm_table(chosen.scene, chosen.over, span=span, steps=chosen.steps, **of), chosen.out)
    return 0


def _take(chosen: argparse.Namespace) -> int:
    from engine.cli.muscle_activations import keep_activations

    print("\n".join(keep_activations(chosen.scene, chosen.take, chosen.save, actor=chosen.actor)))
    return 0


def _activate(chosen: argparse.Namespace) -> int:
    from engine.cli.muscle_activations import activation_lines
    from engine.cli.muscles import write_table

    start, end = chosen.between or (None, None)
    rows, said = activation_lines(
        chosen.scene,
        actor=chosen.actor,
        start=start,
        end=end,
        rate=chosen.rate,
        cost=chosen.activations,
        method=chosen.by,
        save=chosen.save,
        trial=trial_of(chosen),
    )
    if chosen.out is not None or chosen.save is None:
        write_table(rows, chosen.out)
    for line in said:
        print(line, file=sys.stderr if chosen.out is None and chosen.save is None else sys.stdout)
    return 0
