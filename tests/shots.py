"""`python -m tests.shots [FOLDER]`: pictures of the real window, by default into docs/pictures.

They are made by the tests too (into a temporary folder), so that what the README shows can always be drawn.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from app.session import Item
from engine.document import Document
from engine.edits import edit
from tests.stage import Stage, stage

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
WALKING = {
    "hip_left.flexion": 0.55,
    "hip_right.flexion": -0.32,
    "knee_left.flexion": 0.45,
    "knee_right.flexion": 0.35,
    "ankle_right.dorsiflexion": -0.35,
    "shoulder_left.flexion": -0.45,
    "shoulder_right.flexion": 0.65,
    "elbow_left.flexion": 0.5,
    "elbow_right.flexion": 0.95,
    "middle_spine.rotation": 0.12,
    "head.rotation": -0.1,
}


def posed(open_stage: Stage) -> str:
    """Give the human a stride; its id."""
    session = open_stage.session
    actor = session.document.actors[0]
    values = tuple(WALKING.items())
    session.do(edit("set_pose", actor=actor.id, layer=actor.layers[0].id, values=values))
    return actor.id


def window(open_stage: Stage) -> None:
    """Four views, a joint selected."""
    actor = posed(open_stage)
    open_stage.session.select([Item(actor, "knee_left")])


def maximised(open_stage: Stage) -> None:
    """One view, the human turned towards it."""
    actor = posed(open_stage)
    open_stage.view.maximise(3 if open_stage.view.panes().get(3) is None else open_stage.view.active)
    open_stage.view.frame()
    open_stage.session.select([Item(actor, "elbow_right")])


def two(open_stage: Stage) -> None:
    """Two humans and a ball; a whole figure selected."""
    posed(open_stage)
    open_stage.window.menus.actions["add.ball"].trigger()
    open_stage.window.menus.actions["add.human"].trigger()
    open_stage.settle()
    open_stage.view.frame()


def figure(open_stage: Stage) -> None:
    """A figure that is edited, one of its joints in the panel."""
    actor = open_stage.session.document.actors[0].id
    open_stage.view.maximise(open_stage.view.active)
    open_stage.session.select([Item(actor, "elbow_left")])
    open_stage.window.show_panel("figure")
    open_stage.window.menus.actions["figure.edit"].trigger()
    open_stage.settle()
    open_stage.view.frame()


def poses(open_stage: Stage) -> None:
    """The library of poses beside a human."""
    maximised(open_stage)
    open_stage.window.show_panel("poses")


PICTURES: dict[str, tuple[Callable[[Stage], None], str]] = {
    "window": (window, "dark"),
    "maximised": (maximised, "dark"),
    "two-figures": (two, "dark"),
    "figure": (figure, "dark"),
    "poses": (poses, "dark"),
    "light": (window, "light"),
}


def take(name: str, path: Path, *, document: Document | None = None) -> None:
    """Make one picture."""
    prepare, theme = PICTURES[name]
    with stage(document, theme=theme, anti_aliasing="on") as open_stage:
        open_stage.until(lambda: open_stage.session.reaching.ready)
        prepare(open_stage)
        open_stage.settle()
        open_stage.draw()
        if not open_stage.grab().save(str(path)):
            raise OSError(f"cannot write {path}")


def main(arguments: list[str]) -> int:
    """Make all pictures, without a person's own poses in them."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as nobody:
        os.environ["SINEW_DATA"] = nobody
        for name in PICTURES:
            take(name, folder / f"{name}.png")
            print(folder / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
