"""A first clip: from the page that Sinew starts with to an exported video of poses of one's own, by counted events of
mouse and keyboard, as somebody would do it who has read one page (docs/tour.md).
"""

from __future__ import annotations

from pathlib import Path

from app.shell.start_page import StartPage
from tests.counted import Counted
from tests.first_videos import finish

MOST_ACTIONS = 25
POSES = ((8, (-0.20, 0.10, 0.0)), (16, (0.22, -0.10, 0.0)))  # frame, and how the hand goes on [m]


def start(hand: Counted) -> None:
    """A new scene, from the start page."""
    hand.opened.until(lambda: any(page.isVisible() for page in hand.opened.window.findChildren(StartPage)))
    page = next(page for page in hand.opened.window.findChildren(StartPage) if page.isVisible())
    before = hand.session.document
    hand.push(page.new)
    hand.opened.until(lambda: hand.session.document is not before and hand.session.at_rest)
    hand.opened.settle()


def animate(hand: Counted) -> None:
    """Three poses, each at its time, which are what is played, and a look at them."""
    hand.drag("wrist_right", (-0.30, 0.70, 0.0))
    hand.press("pose.key")
    for frame, way in POSES:
        hand.go(frame)
        hand.drag("wrist_right", way)
    hand.press("time.range_end")
    hand.press("time.play")
    hand.press("time.stop")


def make_clip(hand: Counted, path: Path) -> None:
    """All of it."""
    start(hand)
    animate(hand)
    finish(hand, path)
