"""The arguments of `python -m engine fit` and `scale`, and what they do; loads nothing until one is run."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_fit(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    _add_both(parser)
    words = "the motion: .mot or .sto for OpenSim, .sinew with figure and markers, or another format of motions"
    parser.add_argument("out", type=Path, metavar="OUT", help=words)
    words = "write how far each marker is from its handle in each frame [m]: a .csv file"
    parser.add_argument("--errors", type=Path, metavar="FILE", help=words)


def add_scale(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    _add_both(parser)
    parser.add_argument("out", type=Path, metavar="OUT", help="the scaled figure: .figure.toml, or .sinew")
    words = "a body and two markers on it or at its ends, as in thigh_r=R.ASIS,R.Knee; may be repeated"
    words += " (default: by pose and size in turn)"
    parser.add_argument("--pair", action="append", default=[], metavar="JOINT=MARKER,MARKER", help=words)
    parser.add_argument("--mass", type=float, metavar="KG", help="of the whole figure; as its bodies grow if left out")
    parser.add_argument("--place", action="store_true", help="put the handles where the markers were, on average")


def _add_both(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a figure whose handles have the names of markers: file or name")
    parser.add_argument("markers", type=Path, metavar="MARKERS", help="a .trc or .c3d file, or a .sinew with a capture")
    words = "how much a marker counts beside the others, which count 1, as in Top.Head=0.2; may be repeated; 0: not"
    parser.add_argument("--weight", action="append", default=[], metavar="MARKER=W", help=words)
    parser.add_argument("--start", type=float, metavar="SECONDS", help="from when; the start of the capture if not")
    parser.add_argument("--end", type=float, metavar="SECONDS", help="until when, likewise")


def run_fit(chosen: argparse.Namespace) -> int:
    """Find the motion."""
    from engine.cli.markers import TrialOptions, fit_file

    trial = TrialOptions(chosen.model, chosen.markers, tuple(chosen.weight), chosen.start, chosen.end)
    print("\n".join(fit_file(trial, chosen.out, errors=chosen.errors)))
    return 0


def run_scale(chosen: argparse.Namespace) -> int:
    """Scale the figure."""
    from engine.cli.markers import TrialOptions, scale_file

    trial = TrialOptions(chosen.model, chosen.markers, tuple(chosen.weight), chosen.start, chosen.end)
    print("\n".join(scale_file(trial, chosen.out, pairs=chosen.pair, mass=chosen.mass, place=chosen.place)))
    return 0
