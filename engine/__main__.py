"""The engine without a window: `python -m engine version | info FILE | convert IN OUT | pose SCENE |
reach SCENE PART=X,Y,Z... | evaluate PROJECT --time T | bake PROJECT | meet PROJECT | plan PROJECT | spacetime PROJECT |
replay LOG | between PROJECT ACTOR T0 T1 OUT |
curves SCENE OUT QUANTITY... | quantities | example [NAME OUT] | sweep STUDY | edits |
retarget MOTION FIGURE OUT | fit MODEL MARKERS OUT | scale MODEL MARKERS OUT | forces FILE FORCES OUT |
  residuals FILE OUT |
measure FOLDER TABLE QUANTITY... | fields CAPTURES OUT | muscles FILE |
experiment NAME | job NAME JSON`.

Exit codes: 0 done, 1 it failed (one line on standard error says why), 2 the arguments were not understood, 130 it was
interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from engine import __version__
from engine.cli.forces_arguments import add_forces, run_forces
from engine.cli.marker_arguments import add_fit, add_scale, run_fit, run_scale
from engine.cli.muscle_arguments import add_muscles, run_muscles
from engine.cli.residuals_arguments import add_residuals, run_residuals
from engine.cli.spacetime_arguments import add_between, add_spacetime, run_between, run_spacetime
from engine.runtime.errors import EngineError

EXIT_CODES = (
    "Exit codes: 0 done; 1 it failed, and one line on standard error says why; 2 the arguments were not understood; "
    "130 it was interrupted. Work that takes longer than a second says on standard error how far it is."
)

_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


def main(arguments: Sequence[str] | None = None, *, program: str = "engine") -> int:
    """Run one command; its exit code. `program` is what the person called."""
    chosen = _parser(program).parse_args(arguments)
    try:
        code = _run(chosen)
        print(end="", flush=True)
    except BrokenPipeError:
        _close_output()
        return 1
    except OSError as problem:
        print(f"cannot write what was asked for: {problem.strerror or problem}", file=sys.stderr)
        _close_output()
        return 1
    except KeyboardInterrupt:
        return 130
    except EngineError as problem:
        print(problem, file=sys.stderr)
        return 1
    return code


def _run(chosen: argparse.Namespace) -> int:
    match chosen.command:
        case "version":
            print(f"Sinew {__version__}")
        case "info":
            from engine.cli.command_line import describe

            print(describe(chosen.file))
        case "pose":
            from engine.cli.command_line import pose_lines

            print("\n".join(pose_lines(chosen.scene, chosen.set, as_json=chosen.json)))
        case "reach":
            _reach(chosen)
        case "evaluate":
            from engine.cli.command_line import evaluate_lines

            print("\n".join(evaluate_lines(chosen.project, chosen.time, as_json=chosen.json)))
        case "example":
            _example(chosen)
        case "replay":
            from engine.cli.command_line import replay_log

            print(replay_log(chosen.log, chosen.out))
        case "soften":
            _soften(chosen)
        case "plan":
            _plan(chosen)
        case "quantities":
            from engine.cli.curves import kind_lines

            print("\n".join(kind_lines()))
        case "edits":
            from engine.sweeps.sweep import edit_lines

            print("\n".join(edit_lines()))
        case "experiment":
            _experiment(chosen)
        case "job":
            from engine.long.child_side import run_job

            return run_job(chosen.name, chosen.arguments, as_child=chosen.child)
        case _:
            return _WITH_CODES[chosen.command](chosen)
    return 0


def _soften(chosen: argparse.Namespace) -> None:
    from engine.cli.soften import soften

    soften(
        chosen.mesh,
        chosen.out,
        along=chosen.along,
        cells=chosen.cells,
        young=chosen.young,
        unit=chosen.unit,
        by_surface=chosen.by_surface,
        itself=chosen.itself,
    )


def _plan(chosen: argparse.Namespace) -> None:
    from engine.cli.plan import plan_file

    print("\n".join(plan_file(chosen.project, out=chosen.out, iterations=chosen.iterations)))


def _example(chosen: argparse.Namespace) -> None:
    from engine.cli.examples import example_lines, write_example, write_examples

    if chosen.all is not None:
        write_examples(chosen.all)
    elif chosen.name is None:
        print("\n".join(example_lines()))
    else:
        write_example(chosen.name, chosen.out or Path(f"{chosen.name}.sinew"))


def _reach(chosen: argparse.Namespace) -> None:
    from engine.cli.reach import ReachOptions, reach_lines

    options = ReachOptions(**{each: getattr(chosen, each) for each in ReachOptions.__dataclass_fields__})
    print("\n".join(reach_lines(chosen.scene, chosen.goals, options)))


def _batch(chosen: argparse.Namespace, source: Path, target: Path, **options: object) -> int:
    """Do it with each file of a folder."""
    from engine.cli.batch import run_batch
    from engine.long.chosen_pieces import pieces_on

    pieces = pieces_on(chosen.workers, chosen.scheduler)
    end = run_batch(pieces, chosen.command, source, target, chosen.to, options)  # type: ignore[arg-type]
    print(end.text)
    return 1 if end.failed else 0


def _projects(chosen: argparse.Namespace, work: str, target: Path | None = None, **options: object) -> int:
    """Do it with each project of a folder."""
    from engine.cli.batch import run_projects
    from engine.long.chosen_pieces import pieces_on

    pieces = pieces_on(chosen.workers, chosen.scheduler)
    end = run_projects(pieces, work, chosen.project, target, options)  # type: ignore[arg-type]
    print(end.text)
    return 1 if end.failed else 0


def _bake(chosen: argparse.Namespace) -> int:
    if chosen.project.is_dir():
        return _projects(chosen, "bake", start=chosen.start, end=chosen.end, rate=chosen.rate)
    from engine.long.bake import bake_project

    print(bake_project(chosen.project, start=chosen.start, end=chosen.end, rate=chosen.rate).text)
    return 0


def _fields(chosen: argparse.Namespace) -> int:
    from engine.cli.fields import FieldsOptions, write_fields
    from engine.long.chosen_pieces import pieces_on

    options = FieldsOptions(
        figure=chosen.figure, joints=tuple(chosen.joint), nodes=chosen.nodes, margin=chosen.margin,
        holes=chosen.holes, mirrored=chosen.mirrored,
    )  # fmt: skip
    text, whole = write_fields(pieces_on(chosen.workers, chosen.scheduler), chosen.captures, chosen.out, options)
    print(text)
    return 0 if whole else 1


def _retarget(chosen: argparse.Namespace) -> int:
    if chosen.motion.is_dir():
        figure = chosen.figure if not Path(chosen.figure).exists() else str(Path(chosen.figure).absolute())
        pairs = None if chosen.map is None else str(chosen.map.absolute())
        more = {"figure": figure, "reference": chosen.reference, "pairs": pairs}
        return _batch(chosen, chosen.motion, chosen.target, **more)
    from engine.cli.retarget import retarget_file

    retarget_file(chosen.motion, chosen.figure, chosen.target, reference=chosen.reference, pairs=chosen.map)
    return 0


def _convert(chosen: argparse.Namespace) -> int:
    from engine.cli.convert import convert
    from engine.formats.format import Options
    from engine.queries.naming import ticks_of

    read = Options(unit=chosen.unit, up=chosen.up, rate=chosen.fps, figure=chosen.figure)
    start, end = (None if each is None else ticks_of(each, "a range") for each in (chosen.start, chosen.end))
    write = Options(unit=chosen.out_unit, up=chosen.out_up, rate=chosen.fps, start=start, end=end)
    actors = chosen.actor or (() if chosen.all else None)
    if chosen.source.is_dir():
        told = asdict(replace(read, figure=None))
        told["figure"] = None if chosen.figure is None else str(chosen.figure.absolute())
        more = {"read": told, "write": asdict(write), "actors": None if actors is None else list(actors)}
        return _batch(chosen, chosen.source, chosen.target, **more)
    convert(chosen.source, chosen.target, read=read, write=write, actors=actors)
    return 0


def _meet(chosen: argparse.Namespace) -> int:
    if chosen.project.is_dir():
        return _projects(chosen, "meet", chosen.out, actor=chosen.actor)
    from engine.cli.meet import meet_file

    lines, met = meet_file(chosen.project, actor=chosen.actor, out=chosen.out)
    print("\n".join(lines))
    if not met:
        print("not every target is met; the nearest result is what was found", file=sys.stderr)
    return 0 if met else 1


def _curves(chosen: argparse.Namespace) -> int:
    if chosen.scene.is_dir():
        more = {"quantities": chosen.quantities, "start": chosen.start, "end": chosen.end, "rate": chosen.fps}
        return _batch(chosen, chosen.scene, chosen.out, **more)
    from engine.cli.curves import write_curves

    write_curves(chosen.scene, chosen.out, chosen.quantities, start=chosen.start, end=chosen.end, rate=chosen.fps)
    return 0


def _sweep(chosen: argparse.Namespace) -> int:
    from engine.sweeps.command import SweepOptions, run_sweep

    options = SweepOptions(**{each: getattr(chosen, each) for each in SweepOptions.__dataclass_fields__})
    print(run_sweep(chosen.study, options))
    return 0


def _measure(chosen: argparse.Namespace) -> int:
    from engine.long.chosen_pieces import pieces_on
    from engine.sweeps.measured_files import MeasureOptions, measure_folder

    options = MeasureOptions(
        quantities=tuple(chosen.quantities), of=tuple(chosen.of or ("mean", "min", "max")),
        start=chosen.start, end=chosen.end, rate=chosen.fps, replace=chosen.replace,
    )  # fmt: skip
    end = measure_folder(pieces_on(chosen.workers, chosen.scheduler), chosen.folder, chosen.out, options)
    print(end.text)
    return 1 if end.failed else 0


def _experiment(chosen: argparse.Namespace) -> None:
    from engine.experiments.result import Settings
    from engine.experiments.table import EXPERIMENTS, run_and_write

    if chosen.list or chosen.name is None:
        print("\n".join(f"{name:14} {title}" for name, title in EXPERIMENTS.items()))
        return
    settings = Settings(seed=chosen.seed, quick=chosen.quick, data=chosen.data)
    print(run_and_write(chosen.name, settings, chosen.out or Path(f"experiment-{chosen.name}")))


def _rate(text: str) -> tuple[int, int]:
    from engine.cli.files import rate_from

    return rate_from(text)


def _unit(text: str) -> float:
    """Metres per unit: a name or a number."""
    return _UNITS[text] if text in _UNITS else float(text)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Sinew's engine without a window.", epilog=EXIT_CODES)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("version", help="say which version this is")
    info = commands.add_parser("info", help="say what a file of any format holds")
    info.add_argument("file", type=Path, metavar="FILE")
    _add_convert(commands.add_parser("convert", help="write a file as another format, named by its suffix"))
    pose = commands.add_parser("pose", help="print where every joint is, in metres")
    pose.add_argument("scene", metavar="SCENE", help="a .sinew file, or the name of a figure such as human")
    pose.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="ACTOR.JOINT.DOF=VALUE",
        help="turn a joint first: degrees for hinges, metres for slides; may be repeated",
    )
    pose.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    _add_reach(commands.add_parser("reach", help="pose a figure by places of its parts, as a drag in the window does"))
    _add_evaluate(commands.add_parser("evaluate", help="print where every joint is at a time, in metres, locks kept"))
    _add_bake(commands.add_parser("bake", help="work frames out ahead, for the window to read while a motion plays"))
    _add_meet(commands.add_parser("meet", help="let secondary motion meet its targets, and say how near it comes"))
    example = commands.add_parser("example", help="list the scenes that come with Sinew, or write one as a project")
    example.add_argument("name", metavar="NAME", nargs="?")
    example.add_argument("out", metavar="OUT", nargs="?", type=Path, help="a .sinew file; NAME.sinew if left out")
    example.add_argument("--all", metavar="FOLDER", type=Path, help="write each of them into a folder instead")
    replay = commands.add_parser("replay", help="do again all that a saved log tells, and print the document's digest")
    replay.add_argument("log", type=Path, metavar="LOG", help="a .sinewlog file")
    replay.add_argument("--out", type=Path, metavar="FILE", help="keep the document as this .sinew file")
    _add_curves(commands.add_parser("curves", help="write quantities against time as CSV, NPZ or SVG, in SI units"))
    _add_soften(commands.add_parser("soften", help="make a scene with a soft body of a mesh file"))
    _add_plan(commands.add_parser("plan", help="find what splines of soft bodies must do to be where keyframes say"))
    _add_water(commands.add_parser("water", help="make a scene with a tank of water, or bake the water of a project"))
    add_spacetime(commands.add_parser("spacetime", help="find the motions that a project plans, and say how well"))
    add_between(commands.add_parser("between", help="fill the time between two poses with the least-effort motion"))
    commands.add_parser("quantities", help="say which kinds of quantities there are, and their units")
    _add_sweep(commands.add_parser("sweep", help="do a scene many times with other numbers, and write one table"))
    commands.add_parser("edits", help="say which edits there are, and their arguments, for studies")
    retarget = commands.add_parser("retarget", help="give a motion to another figure, feet kept where they stand")
    retarget.add_argument("motion", type=Path, metavar="MOTION")
    retarget.add_argument("figure", metavar="FIGURE", help="a file, or the name of a figure such as human")
    retarget.add_argument("target", type=Path, metavar="OUT")
    words = "the frame of MOTION that stands as FIGURE does at rest, where MOTION's own rest pose does not"
    retarget.add_argument("--reference", type=int, metavar="FRAME", help=words)
    words = "a text of lines 'joint of the motion -> joint of the figure', in place of what the names say"
    retarget.add_argument("--map", type=Path, metavar="FILE", help=words)
    _add_batch(retarget)
    add_fit(commands.add_parser("fit", help="find the motion of a figure that follows captured markers"))
    add_forces(commands.add_parser("forces", help="put measured forces of the ground on a figure"))
    add_residuals(commands.add_parser("residuals", help="change a motion a little, to agree with its measured forces"))
    add_scale(commands.add_parser("scale", help="scale a figure to the person who wore captured markers"))
    _add_measure(commands.add_parser("measure", help="measure each file of a folder, into one table"))
    add_muscles(commands.add_parser("muscles", help="say what muscles measure, or write moment arms over a range"))
    _add_fields(commands.add_parser("fields", help="work out joint limits from a folder of captures"))
    _add_experiment(commands.add_parser("experiment", help="reproduce a published table or figure; writes CSV and SVG"))
    job = commands.add_parser("job", help="run a long job, writing its progress as lines of JSON")
    job.add_argument("name", metavar="NAME")
    job.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help='such as {"rate": 60}')
    job.add_argument("--child", action="store_true", help="run at low priority and end when standard input closes")
    return parser


def _add_reach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="a .sinew file, or the name of a figure such as human")
    words = "an end-effector or a joint, and where it is to be in the world [m], as in hand_right=-0.3,1.2,0.4"
    parser.add_argument("goals", nargs="+", metavar="PART=X,Y,Z", help=words)
    parser.add_argument("--actor", metavar="ACTOR", help="whom, where the scene has several")
    parser.add_argument(
        "--held", action="append", default=[], metavar="PART", help="stays where it is; may be repeated"
    )
    words = "how far it is posed as bodies move, from 0 (exact) to 1 (default: as the scene says)"
    parser.add_argument("--natural", type=float, metavar="SHARE", help=words)
    words = "keep bodies above the plane y = 0, or do not (default: as the scene says)"
    parser.add_argument("--floor", action=argparse.BooleanOptionalAction, help=words)
    parser.add_argument("--time", type=float, default=0.0, metavar="SECONDS", help="when (default: 0)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the posed scene as a .sinew file")
    words = "print one JSON object, coordinates in radians or metres, and how far each part is off"
    parser.add_argument("--json", action="store_true", dest="as_json", help=words)


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a .sinew file")
    parser.add_argument("--time", type=float, required=True, metavar="SECONDS", help="when")
    words = "print one JSON object, with rotations, coordinates in radians or metres, and how far locks are off"
    parser.add_argument("--json", action="store_true", help=words)


def _add_bake(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "project",
        type=Path,
        metavar="PROJECT",
        help="a .sinew file, or a folder of some; frames go to a folder beside",
    )
    parser.add_argument("--start", type=float, metavar="SECONDS", help="from when; the start of what is played if not")
    parser.add_argument("--end", type=float, metavar="SECONDS", help="until when, likewise")
    words = "frames a second: 30, 29.97 or 30000/1001; by default those of the project"
    parser.add_argument("--rate", type=_rate, metavar="RATE", help=words)
    _add_workers(parser)


def _add_meet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a .sinew file, or a folder of some")
    parser.add_argument("--actor", metavar="NAME", help="whose targets, by id or name; all that have any by default")
    words = (
        "keep the project with its corrections as this .sinew file, those of a folder in this folder; else only how "
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=words + "near they come is printed")
    _add_workers(parser)


def _add_plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a .sinew file whose soft bodies have keyframes")
    words = (
        "keep the project as it moves then as this .sinew file; else only by how much keyframes are missed is printed"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=words)
    words = "at most so many; as the project says by default"
    parser.add_argument("--iterations", type=int, metavar="COUNT", help=words)


def _add_measure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="of scenes and motions")
    words = "the table, .csv or .parquet, a row for each file; rows of files that did not change are kept"
    parser.add_argument("out", type=Path, metavar="TABLE", help=words)
    words = "as for curves, such as velocity.length:.hand_left: of the first figure of each file"
    parser.add_argument("quantities", nargs="+", metavar="QUANTITY", help=words)
    words = "mean, min, max or last: a column of each; may be repeated (default: mean, min, max)"
    parser.add_argument("--of", action="append", choices=("mean", "min", "max", "last"), help=words)
    parser.add_argument("--start", type=float, metavar="SECONDS", help="from when; the start of what is played if not")
    parser.add_argument("--end", type=float, metavar="SECONDS", help="until when, likewise")
    parser.add_argument("--fps", type=_rate, metavar="RATE", help="times a second: 30, 29.97 or 30000/1001")
    parser.add_argument("--replace", action="store_true", help="lose the rows of something else that TABLE holds")
    _add_workers(parser)


def _add_fields(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("captures", type=Path, metavar="CAPTURES", help="a folder of motions")
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder, which gets JOINT.field.npz for each joint")
    words = "a file, or the name of a figure such as human (default: that of the first file)"
    parser.add_argument("--figure", metavar="FIGURE", help=words)
    words = "by its id; may be repeated (default: all that have hinges alone)"
    parser.add_argument("--joint", action="append", default=[], metavar="JOINT", help=words)
    parser.add_argument("--nodes", type=int, default=32, metavar="N", help="of the field along each axis (default: 32)")
    words = "how far beyond the captures a joint may go (default: 5.7)"
    parser.add_argument("--margin", type=float, default=5.7, metavar="DEGREES", help=words)
    parser.add_argument("--holes", action="store_true", help="keep holes among the captures out of bounds")
    parser.add_argument("--mirrored", action="store_true", help="what one side does, the other may do")
    _add_workers(parser)


def _add_curves(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", type=Path, metavar="SCENE", help="a .sinew file, or a motion")
    parser.add_argument("out", type=Path, metavar="OUT", help="a .csv, .npz, .svg or .sto file")
    parser.add_argument(
        "quantities",
        nargs="+",
        metavar="QUANTITY",
        help="KIND.COMPONENT:ACTOR.PART, as in velocity.y:human.hand_left, or ACTOR.JOINT.DOF for a coordinate",
    )
    parser.add_argument("--start", type=float, metavar="SECONDS", help="from when; the start of what is played if not")
    parser.add_argument("--end", type=float, metavar="SECONDS", help="until when, likewise")
    parser.add_argument("--fps", type=_rate, metavar="RATE", help="times a second: 30, 29.97 or 30000/1001")
    _add_batch(parser)


def _add_sweep(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", metavar="STUDY", help="a .toml file (docs/sweeps.md), or one of Sinew's: hanging_ball")
    words = "the table, .csv or .parquet; rows that it holds are kept (default: beside the study, .csv)"
    parser.add_argument("--out", type=Path, metavar="TABLE", help=words)
    parser.add_argument("--replace", action="store_true", help="lose the rows of another study that TABLE holds")
    _add_workers(parser)
    words = "work nothing out, but write the document of this row with --save, or print its edits"
    parser.add_argument("--row", type=int, metavar="N", help=words)
    parser.add_argument("--save", type=Path, metavar="FILE", help="a .sinew or .sinewlog file, with --row")
    parser.add_argument("--check", action="store_true", help="say how many rows there would be, and work nothing out")


def _add_workers(parser: argparse.ArgumentParser) -> None:
    words = "so many processes of this machine (default: one for each core)"
    parser.add_argument("--workers", type=int, metavar="COUNT", help=words)
    words = "a Dask scheduler, such as tcp://10.0.0.5:8786, on whose workers it is done instead"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=words)


def _add_batch(parser: argparse.ArgumentParser) -> None:
    """Options of what is done with each file of a folder."""
    words = "the ending of what is written where a folder is given, with another folder: each file of it is done"
    parser.add_argument("--to", metavar="SUFFIX", help=words)
    _add_workers(parser)


def _add_soften(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mesh", type=Path, help="a closed surface, or a mesh of tetrahedra or hexahedra")
    parser.add_argument("out", type=Path, help="the project, .sinew")
    parser.add_argument("--along", type=int, default=12, help="cells along the longest side of a surface (default: 12)")
    parser.add_argument("--cells", choices=("tetrahedra", "hexahedra"), default="tetrahedra")
    parser.add_argument("--young", type=float, default=2e4, metavar="PA", help="Young's modulus (default: 20000)")
    parser.add_argument("--unit", type=_unit, help="metres per unit of length of the file")
    parser.add_argument("--by-surface", action="store_true", help="it touches with what is drawn of it")
    parser.add_argument("--itself", action="store_true", help="it touches itself")


def _add_water(parser: argparse.ArgumentParser) -> None:
    does = parser.add_subparsers(dest="does", required=True, metavar="make|bake")
    make = does.add_parser("make", help="write a project in which a tank stands")
    make.add_argument("out", type=Path, help="the project, .sinew")
    make.add_argument("--begins", choices=("still", "dam", "drop", "wave"), default="still")
    make.add_argument("--size", type=float, nargs=3, default=(1.6, 1.2, 1.2), metavar=("X", "Y", "Z"), help="in metres")
    make.add_argument("--resolution", type=float, default=20.0, metavar="N", help="cells a metre (default: 20)")
    make.add_argument("--level", type=float, default=0.5, metavar="M", help="of still water (default: 0.5 m)")
    make.add_argument(
        "--surface",
        choices=("particle_level_set", "level_set", "flip", "apic", "height_field"),
        default="particle_level_set",
        help="what follows the surface; height_field: wide calm water",
    )
    make.add_argument("--planar", action="store_true", help="one cell deep, as in a plane")
    make.add_argument("--current", type=float, default=0.0, metavar="M/S", help="along x")
    make.add_argument("--ends", choices=("closed", "open"), default="closed", help="open ones let the current through")
    make.add_argument("--stroke", type=float, default=0.0, metavar="M", help="of a wave maker (default: there is none)")
    bake = does.add_parser("bake", help="work the water of all tanks out, and keep it where the window reads it")
    bake.add_argument("project", type=Path, help="a .sinew file, or a folder of some")
    bake.add_argument("--end", type=float, metavar="S", help="up to that time; what is played where none is said")
    _add_workers(bake)


def _water(chosen: argparse.Namespace) -> int:
    from engine.cli.water import bake_water, make_water

    if chosen.does == "bake":
        if chosen.project.is_dir():
            return _projects(chosen, "bake water", end=chosen.end)
        print("\n".join(bake_water(chosen.project, end=chosen.end)))
        return 0
    x, y, z = chosen.size
    make_water(
        chosen.out, begins=chosen.begins, size=(x, y, z), resolution=chosen.resolution, level=chosen.level,
        surface=chosen.surface, planar=chosen.planar, current=chosen.current, ends=chosen.ends, stroke=chosen.stroke,
    )  # fmt: skip
    return 0


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="which one; --list names them")
    parser.add_argument("--list", action="store_true", help="say which experiments there are")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write; experiment-NAME by default")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what is drawn at random; 1 by default")
    parser.add_argument("--quick", action="store_true", help="a few cases of each, to see that it works")
    parser.add_argument("--data", type=Path, metavar="FILE", help="a captured motion in place of the forward jumps")


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="IN")
    parser.add_argument("target", type=Path, metavar="OUT")
    parser.add_argument("--fps", type=_rate, metavar="RATE", help="frames a second to write: 30, 29.97 or 30000/1001")
    units = ", ".join(_UNITS)
    parser.add_argument("--unit", type=_unit, metavar="UNIT", help=f"unit of length of IN: {units} or metres a unit")
    parser.add_argument("--up", choices=("x", "y", "z"), help="the axis of IN that points up")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="the figure of a motion that is kept apart from it")
    words = "which actor of a scene to write, by its id or name; may be repeated: a file each where a file holds one"
    parser.add_argument("--actor", action="append", metavar="NAME", help=words)
    parser.add_argument("--all", action="store_true", help="write all actors of a scene, not its first figure alone")
    words = "from when the motion is written; by default the start of what is played"
    parser.add_argument("--start", type=float, metavar="SECONDS", help=words)
    parser.add_argument("--end", type=float, metavar="SECONDS", help="until when, likewise")
    parser.add_argument("--out-unit", type=_unit, metavar="UNIT", help="unit of length of OUT")
    _add_batch(parser)
    parser.add_argument("--out-up", choices=("x", "y", "z"), help="the axis of OUT that points up")


def _close_output() -> None:
    """Give up what the output would not take: the interpreter gets another one to flush into."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


_WITH_CODES = {
    "convert": _convert,
    "bake": _bake,
    "meet": _meet,
    "curves": _curves,
    "water": _water,
    "spacetime": run_spacetime,
    "between": run_between,
    "sweep": _sweep,
    "retarget": _retarget,
    "fit": run_fit,
    "forces": run_forces,
    "residuals": run_residuals,
    "scale": run_scale,
    "measure": _measure,
    "fields": _fields,
    "muscles": run_muscles,
}
"""Commands that end with an exit code of their own."""


if __name__ == "__main__":
    sys.exit(main())
