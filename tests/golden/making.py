"""Making: logs and project files that are not there yet. What is there is never written over.

A log is a walk of edits at random, each of which changes something, cut where it holds nothing that the others lack.
"""

from __future__ import annotations

from tests.engine.edits import (
    camera_examples,
    driven_examples,
    lighting_examples,
    marker_examples,
    measured_examples,
    muscles_examples,
    physics_examples,
    plan_examples,
    soft_examples,
    spacetime_examples,
)
from tests.golden import reach
from tests.golden.kinds import FILES, LOGS

SEEDS, STEPS = 40, 160
OWN = {
    "arguments": reach.argued_edits,  # edits with arguments that chance never gives
    "systems": soft_examples.every_edit,  # of soft bodies, blend shapes and water
    "cameras": camera_examples.every_edit,
    "focus": camera_examples.focus_edits,
    "light": lighting_examples.every_edit,
    "plans": plan_examples.every_edit,  # of soft bodies
    "nodal": plan_examples.nodal_edits,
    "torques": physics_examples.every_torque_edit,
    "planned": spacetime_examples.every_edit,
    "meetings": spacetime_examples.meeting_edits,
    "driven": driven_examples.every_edit,
    "following": driven_examples.following_edits,
    "springs": driven_examples.spring_edits,
    "muscles": muscles_examples.every_edit,
    "expressions": muscles_examples.expression_edits,
    "markers": marker_examples.every_edit,
    "measured": measured_examples.every_edit,
    "felt": measured_examples.felt_edits,
}  # logs with names
Stretch = list[tuple[reach.Document, reach.Edit, reach.Document]]
LONGEST = 24  # edits of one log, so that one that fails hides few others


def make_missing() -> None:
    """A log for each edit that none holds; a file for each class of part that none holds."""
    LOGS.mkdir(parents=True, exist_ok=True)
    FILES.mkdir(parents=True, exist_ok=True)
    for name, made in OWN.items():
        if not (LOGS / f"{name}.sinewlog").exists():
            reach.write_log(LOGS / f"{name}.sinewlog", *made())
    missing = set(reach.edit_names()) - logged()
    if missing:
        start, changes = reach.rare_edits()
        if missing & {each.name for each in changes}:
            missing -= _keep(start, changes)
    stretches = _stretches() if missing else []
    while gain := max((len(missing & _names(each)) for each in stretches), default=0):
        best = next(each for each in stretches if len(missing & _names(each)) == gain)
        wanted = [number for number, (_, change, _) in enumerate(best) if change.name in missing]
        kept = best[wanted[0] : wanted[-1] + 1]
        missing -= _keep(kept[0][0], [change for _, change, _ in kept])
    if missing:
        raise SystemExit(f"no walk changes anything by {', '.join(sorted(missing))}: give it a place in rare_edits")
    _make_files()


def logged() -> set[str]:
    """Names of the edits that change something in the logs."""
    return {
        name
        for path in LOGS.glob("*.sinewlog")
        for name, before, after in reach.command_log(path)
        if after is not before and name != "start"
    }


def _stretches() -> list[Stretch]:
    """Walks, cut into pieces."""
    found = list[Stretch]()
    for seed in range(SEEDS):
        steps = list(reach.walk(seed, STEPS))
        found += [steps[first : first + LONGEST] for first in range(0, len(steps), LONGEST)]
    return found


def _names(stretch: Stretch) -> set[str]:
    return {change.name for _, change, _ in stretch}


def _keep(start: reach.Document, changes: list[reach.Edit]) -> set[str]:
    number = 1 + max((int(each.stem) for each in LOGS.glob("[0-9]*.sinewlog")), default=0)
    reach.write_log(LOGS / f"{number:02}.sinewlog", start, changes)
    return {change.name for change in changes}


def held_parts() -> set[str]:
    """Names of the classes of parts that the files hold."""
    return {name for path in FILES.glob("*.sinew") for name in reach.parts_in(path)}


def _make_files() -> None:
    missing = set(reach.kinds_of_parts()) - held_parts()
    states = [each for path in sorted(LOGS.glob("*.sinewlog")) for each in reach.states(path)]
    while missing:
        gains = [len(missing & reach.part_names(before, edit)) for _, before, edit in states]
        most = max(gains)
        if most == 0:
            raise SystemExit(f"no log holds a {', '.join(sorted(missing))}")
        name, before, edit = states[gains.index(most)]
        reach.save_with(FILES / f"{name}.sinew", before, edit)
        missing -= reach.part_names(before, edit)
