"""The arguments of `python -m engine forces`, and those that commands share with it; loads nothing until it is run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cli.measured_trial import MeasuredTrial


def add_forces(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("scene", type=Path, metavar="FILE", help="a project with a figure that moves, or a figure")
    parser.add_argument("forces", type=Path, metavar="FORCES", help="a .mot, .sto or .c3d file of forces on the ground")
    parser.add_argument("out", type=Path, metavar="OUT", help="a .sinew file with all of it")
    parser.add_argument("--actor", metavar="NAME", help="on whom they are; the first figure, if left out")
    words = "a simulation pushes the figure with them, in place of the ground below their bodies"
    parser.add_argument("--felt", action="store_true", help=words)
    add_trial(parser)


def add_trial(parser: argparse.ArgumentParser) -> None:
    """Say of which other files a motion is, how it is smoothed, and on which bodies forces are."""
    words = "a .mot or .sto file of coordinates by which the figure moves"
    parser.add_argument("--motion", type=Path, metavar="FILE", help=words)
    words = "take what is faster out of the motion, forwards and backwards by a low-pass of order 3, and give it ten "
    words += "times as many frames: OpenSim's 6 Hz is 5.22 here, where both passes count"
    parser.add_argument("--low-pass", type=float, metavar="HZ", help=words)
    words = "on which body a force of the file is, as in 1_ground_force=calcn_l; may be repeated (default: the nearest)"
    parser.add_argument("--on", action="append", default=[], metavar="FORCE=JOINT", help=words)


def trial_of(chosen: argparse.Namespace) -> MeasuredTrial | None:
    """Gather what is to be put on a figure; None where that is nothing."""
    from engine.cli.measured_trial import MeasuredTrial

    if chosen.motion is None and chosen.low_pass is None and chosen.forces is None:
        return None
    return MeasuredTrial(
        motion=chosen.motion,
        low_pass=chosen.low_pass,
        forces=chosen.forces,
        on=tuple(chosen.on),
        felt=getattr(chosen, "felt", False),
    )


def run_forces(chosen: argparse.Namespace) -> int:
    """Run the command."""
    from engine.cli.measured_trial import add_forces_to

    trial = trial_of(chosen)
    assert trial is not None, "forces"
    print("\n".join(add_forces_to(chosen.scene, chosen.out, trial, actor=chosen.actor)))
    return 0
