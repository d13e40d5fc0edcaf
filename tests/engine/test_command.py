"""Commands say what they use and change; whoever shows one asks nothing of its class."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Generator, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

import engine.commands
from engine.command import AtOnce, Command, CommandAnswer, Desk, Gradual, Showing, Underway, as_command
from engine.commands.breakdown import Breakdown
from engine.commands.hold import Hold
from engine.commands.poses import PutPose
from engine.commands.reach import PullHandle, Reach
from engine.document import Actor, Document
from engine.edits import Edit, both, edit
from engine.evaluate.evaluator import Evaluator
from engine.evaluation import Evaluation
from engine.ik.methods import Method
from engine.long.warm_up import WARM
from tests.engine.motion.motions import walker


def commands() -> list[type[Command]]:
    for each in pkgutil.iter_modules(engine.commands.__path__):
        importlib.import_module(f"engine.commands.{each.name}")

    def below(kinds: list[type[Command]]) -> Iterator[type[Command]]:
        for each in kinds:
            yield each
            yield from below(each.__subclasses__())

    return [
        each
        for each in below(Command.__subclasses__())
        if each.__module__.startswith("engine.") and not each.__abstractmethods__
    ]


@pytest.mark.parametrize("kind", commands(), ids=lambda kind: kind.__name__)
def test_every_command_names_kernels_that_there_are_and_whom_it_changes(kind: type[Command]) -> None:
    assert set(kind.uses) <= {each.name for each in WARM}
    own = [each for each in kind.__mro__ if each not in (Command, Gradual)]
    assert any("changes" in vars(each) for each in own) or "actor" in {each.name for each in fields(kind)}  # type: ignore[arg-type]


def test_what_kernels_are_needed_may_depend_on_what_is_asked() -> None:
    assert Hold(id="held", actor="a", joint="j", target="b", target_joint="k", time=0).needs == ("locks",)
    pose = PutPose(actor="a", time=0, title="Pose", values=())
    assert (pose.needs, PutPose(actor="a", time=0, title="Pose", values=(), key=True).needs) == ((), ("playing",))
    usual = PullHandle(drag="d", actor="a", goals=())
    assert usual.needs == ()
    assert PullHandle(drag="d", actor="a", goals=(), compared=Method()).needs == ("methods",)


def test_an_edit_changes_whom_it_names_however_it_names_them() -> None:
    turn = edit("set_value", actor="arm", layer="pose", coordinate="turn", value=0.3)
    moved = edit("move_chosen", chosen=(("leg", "pose", ()),), ticks=1)
    frozen = edit("freeze_actor", actor="arm", frozen=True)
    assert as_command(turn).changes == ("arm",)
    assert as_command(moved).changes == ("leg",)
    assert as_command(both(turn, moved)).changes == ("arm", "leg")
    assert as_command(frozen).changes == (), "it is the way to change it again"
    assert Breakdown(parts=(("arm", None), ("leg", None)), time=0, share=0.5).changes == ("arm", "leg")


@dataclass(frozen=True)
class Slow(Gradual):
    change: Edit

    def label(self, document: Document) -> str:
        return "Slow"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        yield 0.25
        yield 0.5
        return self.change


@dataclass(frozen=True)
class Quick(AtOnce):
    change: Edit

    def label(self, document: Document) -> str:
        return "Quick"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        return self.change


def answered(steps: Showing) -> tuple[list[Underway | None], CommandAnswer]:
    told = []
    while True:
        try:
            told.append(next(steps))
        except StopIteration as end:
            return told, end.value


@pytest.mark.parametrize("kind", [Slow, Quick, None])
def test_each_is_shown_as_the_document_that_it_comes_to(
    kind: type[Slow | Quick] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.command.SHOWN_AFTER", 0.0)
    monkeypatch.setattr("engine.command.SHOWN_EVERY", 0.0)
    evaluator = Evaluator()
    document = Document(actors=(Actor(id="one", name="One", figure=walker()),))
    change = edit("rename_actor", actor="one", name="Other")
    command = as_command(change if kind is None else kind(change))
    told, shown = answered(command.show(Desk(evaluator, Reach(evaluator), 0), document))
    assert shown.edit is change
    assert shown.snapshot.document.actors[0].name == "Other"
    assert [each.share for each in told if each is not None] == ([0.25, 0.5] if kind is Slow else [])
    assert bool(told) == (kind is Slow), "others are answered in one step"


def test_two_edits_are_put_together_whatever_was_imported() -> None:
    """No module of an edit has the name of a function of the room, whose place it would take as it is imported."""
    import engine.edits

    modules = {path.stem for path in Path(engine.edits.__file__).parent.glob("*.py")} - {"__init__"}
    assert not modules & {name for name, value in vars(engine.edits).items() if callable(value)}
