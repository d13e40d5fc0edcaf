"""Cameras: views that go along with what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.cameras.actions import FOLLOWING, FollowingCommands
from app.features.cameras.following import FollowingViews
from app.features.feature import Actions, Feature

if TYPE_CHECKING:
    from app.features.window import Window


def _begin(window: Window) -> None:
    window.of(FollowingViews)


FEATURE = Feature(
    name="cameras",
    actions=(Actions(FOLLOWING, FollowingCommands, 207),),
    begin=_begin,
)
