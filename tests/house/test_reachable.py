"""Every edit of the engine is made by something that a person can do: named in the window, in a command that the window
gives, or in an edit that stands for it. Those that are not stand here, each with its reason; the list may only shrink.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from engine.edits import EDITS
from tests.house.tree import ROOT

SEVERAL = "the same of keys, curves and ranges of several layers at once is what the window does"
SCRIPTS = "for scripts and logs: the window keys poses and draws curves"
NOT_REACHED = {
    "do_both": "two edits in one: the window makes both",
    "set_value": SCRIPTS,
    "set_speed": "part of reshape_chosen, by which the graph draws timings",
    "remove_keys": SEVERAL,
    "move_keys": SEVERAL,
    "scale_keys": SEVERAL,
    "copy_keys": SEVERAL,
    "set_tangent": SEVERAL,
    "set_interpolation": SEVERAL,
    "set_extrapolation": SEVERAL,
    "set_kochanek_bartels": "the graph writes the tangents that it gives",
    "unwrap_angles": SEVERAL,
    "set_samples": "what imports and bakes put into a layer",
    "clear_tracks": SCRIPTS,
    "put_muscles": "for scripts: other muscles in the place of all; the window adds, changes and removes each",
    "put_soft_body": "for scripts: another mesh in the place of a body",
    "remove_soft_body": "for scripts: a body is removed with its actor",
    "cut_range": SEVERAL,
    "insert_time": SEVERAL,
    "delete_time": SEVERAL,
    "stretch_range": SEVERAL,
    "slide_range": SEVERAL,
    "reverse_range": SEVERAL,
    "loop_range": SEVERAL,
    "move_targets": "a target is dragged with place_target, several with their keys",
    "remove_secondary": "switching it off keeps gains and targets for another time",
    "put_water_tank": "for scripts: another tank in the place of one",
    "remove_water_tank": "for scripts: a tank is removed with its actor",
    "remove_physics": "an actor that is no longer simulated is an obstacle, which it is without",
    "set_spacetime_plane": "the panel puts the whole plan, with the muscles that turn in the new plane",
    "set_weights": "a brush for weights is not there yet; binding a mesh computes them",
}


def named(root: Path, edits: Iterable[str]) -> set[str]:
    """The edits that stand in quotes somewhere in the window, or where commands and edits are worked out."""
    files = [*(root / "app").rglob("*.py"), *(root / "engine").rglob("commands/*.py"), root / "engine/edits/poses.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = set(re.findall(r'"(\w+)"', text))
    halves = re.findall(r'f"(\w*)\{[^}]+\}(\w*)"', text)  # edits whose names are put together
    ends = [re.compile(f"{first}\\w+{last}") for first, last in halves if len(first + last) > 3]
    return {each for each in edits if each in words or any(end.fullmatch(each) for end in ends)}


def test_every_edit_can_be_made_by_a_person() -> None:
    missing = set(EDITS) - named(ROOT, EDITS)
    assert missing - set(NOT_REACHED) == set(), "give it an action, a field or a command, or say why it has none"


def test_what_has_been_reached_leaves_the_list() -> None:
    assert set(NOT_REACHED) - (set(EDITS) - named(ROOT, EDITS)) == set(), "take these off the list"


def test_an_edit_that_nothing_names_is_found(tmp_path: Path) -> None:
    for name in ("app", "engine/edits"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "engine/edits/poses.py").write_text("")
    (tmp_path / "app/panel.py").write_text('do("set_mirror")\ndo(f"{word}_ranges")\n')
    assert named(tmp_path, ("set_mirror", "set_group", "fill_ranges")) == {"set_mirror", "fill_ranges"}
