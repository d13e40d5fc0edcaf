"""BushingsFollow: what becomes of bushings where general edits change the figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.bushings.uses import bushings_of, with_bushings
from engine.document import Actor, Document, Figure
from engine.document.values import Vector3
from engine.edits.follows import Follows


class BushingsFollow(Follows):
    """A bushing goes with the joints on whose bodies it stands."""

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without the bushings on bodies that another figure lacks."""
        old, known = bushings_of(actor), content.joint_index
        kept = tuple(each for each in old if all(joint in known for joint in each.joints))
        return actor if len(kept) == len(old) else with_bushings(actor, kept)

    def scaled(self, actor: Actor, figure: Figure, factors: Mapping[str, float]) -> Actor:
        """The actor with bushings that stand on larger bodies; they are as stiff as before."""
        old = bushings_of(actor)
        new = tuple(
            replace(
                each,
                first_position=_longer(each.first_position, _factor(factors, each.first)),
                second_position=_longer(each.second_position, _factor(factors, each.second)),
            )
            for each in old
        )
        return actor if new == old else with_bushings(actor, new)

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints that bushings stand on: rerooting leaves their frames where they are."""
        for each in bushings_of(document.actor(actor)):
            yield from each.joints


def _factor(factors: Mapping[str, float], joint: str | None) -> float:
    return 1.0 if joint is None else factors.get(joint, 1.0)


def _longer(place: Vector3, factor: float) -> Vector3:
    x, y, z = place
    return (factor * x, factor * y, factor * z)
