"""tell_muscles: the live job that tells a panel of the muscles of an actor at a time: lengths, forces, activations.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.muscles.uses import muscles_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

SHORT, LONG = 0.5, 1.5  # of a fibre length, between which muscles work


@dataclass(frozen=True, kw_only=True)
class MusclesTold:
    """The report on muscles; numbers in the order of `muscles`."""

    actor: str
    time: int
    muscles: tuple[str, ...]
    lengths: tuple[float, ...]  # [m]
    rates: tuple[float, ...]  # [m/s]
    fibres: tuple[float, ...]  # over the length at which they are strongest
    forces: tuple[float, ...]  # [N]
    activations: tuple[float, ...]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each muscle."""
        return {id: place for place, id in enumerate(self.muscles)}


def tell_muscles(
    evaluator: Evaluation, document: Document, actor: str, time: int
) -> Generator[MusclesTold | None, None, None]:
    """Answers once."""
    yield None
    if actor not in document.actor_index or muscles_of(document.actor(actor)) is None:
        return
    from engine.muscles.stage import NAME, MusclesStage

    found = cast(MusclesStage, evaluator.stage(NAME)).measured(document, actor, [time])
    yield MusclesTold(
        actor=actor,
        time=time,
        muscles=tuple(found.figure.numbers),
        lengths=tuple(found.lengths[0].tolist()),
        rates=tuple(found.rates[0].tolist()),
        fibres=tuple(found.figure.fibres(found.lengths[0], found.rates[0], found.activations[0]).tolist()),
        forces=tuple(found.forces[0].tolist()),
        activations=tuple(found.activations[0].tolist()),
    )
