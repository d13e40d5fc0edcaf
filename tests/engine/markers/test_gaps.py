"""Gaps of captured markers follow general edits of time and figure, and nothing is fitted to them afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Layer, Samples
from engine.document.actor import Placement
from engine.document.capture import MarkerGap, MarkerGaps
from engine.edits import edit
from engine.edits.fitting import with_figure
from engine.formats.captured import marker_figure
from engine.markers.captured_markers import markers_of_actor
from engine.markers.uses import captures
from engine.runtime.errors import InvalidDocument, NothingThere
from tests.engine.markers.worn import actor_of, wearing

FRAME = 705_600_000 // 60


def capture(**fields: object) -> Actor:
    """Two markers over ten frames; one was not seen in frames 4 to 6."""
    figure = marker_figure("Markers", ("LASI", "RASI"))
    values = np.arange(60.0).reshape(10, 6)
    layer = Layer(id="motion", samples=Samples(coordinates=figure.coordinates, values=Blob(values), rate=(60, 1)))
    gaps = MarkerGaps(gaps=(MarkerGap(joint="RASI", start=4 * FRAME, end=6 * FRAME),))
    return Actor(id="seen", name="Seen", figure=figure, layers=(layer,), parts=(gaps,), **fields)  # type: ignore[arg-type]


def unseen(actor: Actor) -> list[int]:
    """The frames in which the second marker was not seen."""
    return np.flatnonzero(np.isnan(markers_of_actor(actor).points[:, 1, 0])).tolist()


def test_a_capture_is_read_in_the_world_without_its_gaps() -> None:
    actor = capture(placement=Placement(position=(1.0, 0.0, 0.0)))
    found = markers_of_actor(actor)
    assert found.labels == ("LASI", "RASI")
    np.testing.assert_allclose(found.points[2, 0], [13.0, 13.0, 14.0])
    assert unseen(actor) == [4, 5, 6]
    assert list(captures(Document(actors=(actor, actor_of(wearing()))))) == [actor]
    with pytest.raises(NothingThere, match="no capture"):
        markers_of_actor(actor_of(wearing()))


@pytest.mark.parametrize(
    ("name", "arguments", "gaps"),
    [
        ("insert_everywhere", {"time": 2 * FRAME, "length": 3 * FRAME}, [(7, 9)]),
        ("insert_everywhere", {"time": 8 * FRAME, "length": 3 * FRAME}, [(4, 6)]),
        ("delete_everywhere", {"start": FRAME, "end": 3 * FRAME}, [(2, 4)]),
        ("delete_everywhere", {"start": 5 * FRAME, "end": 9 * FRAME}, [(4, 5)]),
    ],
)
def test_gaps_go_with_their_time(name: str, arguments: dict[str, int], gaps: list[tuple[int, int]]) -> None:
    changed = edit(name, actors=("seen",), **arguments).apply(Document(actors=(capture(),))).actors[0]
    part = changed.part(MarkerGaps)
    assert part is not None
    assert [(each.start / FRAME, each.end / FRAME) for each in part.gaps] == gaps


def test_a_gap_goes_with_its_marker() -> None:
    document = with_figure(Document(actors=(capture(),)), "seen", marker_figure("Markers", ("LASI",)))
    part = document.actors[0].part(MarkerGaps)
    assert part == MarkerGaps()


def test_a_gap_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="gap of LASI"):
        MarkerGap(joint="LASI", start=2, end=1)
