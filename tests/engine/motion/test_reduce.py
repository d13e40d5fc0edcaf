"""Key reduction keeps its tolerance at every sample and comes near the fewest keys that there can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Handle, Joint, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion import reduce
from engine.motion.curves import evaluate_track
from engine.motion.motion import compile_motion
from engine.motion.reduce import Tolerance, fit_track, reduce_gradually, reduce_track
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.progress import finish
from tests.drawn import given, settings, st


def ticks_of(count: int, rate: int = 120) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array([frame_time(frame, (rate, 1)) for frame in range(count)], dtype=np.int64)


def wander(seed: int, count: int, *, passes: int = 2) -> Array:
    """Noise summed up: jagged for few passes, smooth for many."""
    values = np.random.default_rng(seed).normal(size=count)
    for _ in range(passes):
        values = np.cumsum(values - values.mean())
    return np.asarray(values / np.abs(values).max())


def fits(values: Array, keys: Sequence[int], tolerance: float) -> bool:
    """Whether some C1 cubic with keys at these samples is within the tolerance: a linear programme."""
    from scipy.optimize import linprog

    rows = np.zeros((len(values), 2 * len(keys)))
    for span, (start, end) in enumerate(pairwise(keys)):
        h = end - start
        for each in range(start, end + 1):
            s = (each - start) / h
            rows[each] = 0.0
            rows[each, 2 * span : 2 * span + 4] = (
                (1 + 2 * s) * (1 - s) ** 2,
                h * s * (1 - s) ** 2,
                s * s * (3 - 2 * s),
                h * s * s * (s - 1),
            )
    found = linprog(
        np.zeros(2 * len(keys)),
        A_ub=np.vstack((rows, -rows)),
        b_ub=np.concatenate((values + tolerance, tolerance - values)),
        bounds=[(None, None)] * (2 * len(keys)),
        method="highs",
    )
    return bool(found.status == 0)


def fewest(values: Array, tolerance: float) -> int:
    """The optimum over all choices of samples."""
    last = len(values) - 1
    for inner in range(last):
        for chosen in combinations(range(1, last), inner):
            if fits(values, (0, *chosen, last), tolerance):
                return inner + 2
    return last + 1


def test_the_number_of_keys_is_near_the_optimum() -> None:
    ours, best = [], []
    for seed in range(6):
        values = wander(seed, 12, passes=seed % 3)
        tolerance = (0.06, 0.1, 0.25)[seed % 3 - 1]
        track, _ = fit_track("a", ticks_of(12), values, tolerance)
        ours.append(len(track.keys))
        best.append(fewest(values, tolerance))
    assert all(found >= wanted for found, wanted in zip(ours, best, strict=True))
    assert max(found - wanted for found, wanted in zip(ours, best, strict=True)) <= 1
    assert sum(ours) <= 1.1 * sum(best)


@settings(max_examples=150)
@given(
    values=st.lists(st.floats(-3.0, 3.0), min_size=1, max_size=60),
    tolerance=st.floats(1e-6, 2.0),
    rate=st.sampled_from((24, 120, 977)),
)
def test_no_sample_is_ever_off_by_more_than_the_tolerance(values: list[float], tolerance: float, rate: int) -> None:
    given_values, ticks = np.array(values), ticks_of(len(values), rate)
    track, error = fit_track("a", ticks, given_values, tolerance)
    found = evaluate_track(track, ticks.astype(np.float64))[:, 0]
    assert np.abs(found - given_values).max() <= tolerance
    assert math.isclose(error, np.abs(found - given_values).max(), rel_tol=1e-9, abs_tol=1e-15)
    assert len(track.keys) <= len(values)


def test_a_cubic_needs_two_keys_and_a_still_coordinate_one() -> None:
    time = np.linspace(-1.0, 1.0, 200)
    cubic, _ = fit_track("a", ticks_of(200), time**3 - 0.3 * time + 0.2, 1e-6)
    assert len(cubic.keys) == 2
    still, error = fit_track("a", ticks_of(200), 0.3 + 1e-4 * np.sin(40 * time), 1e-3)
    assert len(still.keys) == 1
    assert error <= 1e-4 + 1e-12
    line, _ = fit_track("a", ticks_of(2), np.array([0.0, 1.0]), 1e-3)
    assert len(line.keys) == 2


def test_key_counts_grow_as_the_fourth_root_of_the_tolerance() -> None:
    wave = np.sin(np.linspace(0.0, 60.0, 2400))
    counts = [len(fit_track("a", ticks_of(2400), wave, tolerance)[0].keys) for tolerance in (1e-2, 1e-4, 1e-6)]
    assert counts[0] < 40
    assert counts[1] < 4.5 * counts[0]
    assert counts[2] < 4.5 * counts[1]


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_curves_of_noise_do_not_leave_its_range_between_samples(passes: int) -> None:
    """White noise swung by more than four times its range."""
    values, ticks = wander(2, 400, passes=passes), ticks_of(400)
    track, error = fit_track("a", ticks, values, 0.02)
    parts = ticks[:-1, None] + np.linspace(0.0, 1.0, 24) * np.diff(ticks)[:, None]
    found = evaluate_track(track, parts.ravel())[:, 0]
    assert max(found.max() - values.max(), values.min() - found.min()) <= 0.02 + 0.12 * np.ptp(values)
    assert error <= 0.02
    assert len(track.keys) <= len(values)


def test_slopes_join_at_the_keys() -> None:
    track, _ = fit_track("a", ticks_of(400), wander(0, 400, passes=1), 0.02)
    assert len(track.keys) > 2
    assert all(key.slope_in == key.slope_out and key.tangent == "free" for key in track.keys)


def test_a_swift_start_after_stillness_does_not_trap_the_fit() -> None:
    # Marching with one-sided choices, a key with a steep slope makes the next ones alternate ever more steeply.
    rng = np.random.default_rng(4)
    values = np.concatenate((np.zeros(100), np.linspace(0, 1, 4), np.ones(100))) + 1e-3 * rng.normal(size=204)
    assert len(fit_track("a", ticks_of(204), values, 5e-3)[0].keys) <= 10


ARM = Figure(
    name="Arm",
    joints=(
        Joint(id="root", name="Root", dofs=(Dof(id="move", name="Move", kind="slide"),)),
        Joint(id="upper", name="Upper", parent="root", dofs=(Dof(id="lift", name="Lift", axis=(0, 0, 1.0)),)),
        Joint(
            id="lower",
            name="Lower",
            parent="upper",
            offset=(0.0, -2.0, 0.0),
            dofs=(Dof(id="bend", name="Bend", axis=(0, 0, 1.0)),),
        ),
        Joint(id="other", name="Other", parent="root", dofs=(Dof(id="nod", name="Nod"),)),
    ),
    handles=(Handle(id="hand", name="Hand", joint="lower", point=(0.0, -2.0, 0.0)),),
)


def arm_samples() -> Samples:
    values = np.stack([wander(seed, 300) for seed in range(4)], axis=1) * (0.3, 1.0, 1.0, 1.0)
    return Samples(coordinates=ARM.coordinates, values=Blob(values), rate=(120, 1), start=1234, after="cycle_offset")


def off(figure: Figure, samples: Samples, tracks: tuple[Track, ...]) -> Array:
    ticks = [samples.time(frame) for frame in range(samples.frame_count)]
    columns = [figure.coordinate_index[name] for name in samples.coordinates]
    found = compile_motion(figure, (Layer(id="l", tracks=tracks),)).at(ticks)[:, 0, columns]
    return np.asarray(np.abs(found - samples.values.array).max(axis=0))


def test_a_capture_keeps_both_tolerances_on_screen() -> None:
    samples = arm_samples()
    found = finish(reduce_gradually(ARM, samples, Tolerance(degrees=0.5, millimetres=2.0)))
    errors = off(ARM, samples, found.tracks)
    assert [track.coordinate for track in found.tracks] == list(samples.coordinates)
    assert errors[0] <= 2e-3
    assert errors[1:].max() <= math.radians(0.5)
    np.testing.assert_allclose([found.move_error, found.turn_error], [errors[0], errors[1:].max()], rtol=1e-9)
    assert found.place_error is None
    assert found.key_count == sum(len(track.keys) for track in found.tracks) < 300
    assert all(track.after == "cycle_offset" and track.keys[0].time == 1234 for track in found.tracks)


def test_progress_ends_at_one_and_repeats_are_equal() -> None:
    tolerance = Tolerance(degrees=1.0)
    shares = list(reduce_gradually(ARM, arm_samples(), tolerance))
    assert shares == sorted(shares)
    assert {0.25, 0.5, 0.75} < set(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    one, other = (finish(reduce_gradually(ARM, arm_samples(), tolerance)).tracks for _ in range(2))
    assert one == other


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tolerance = Tolerance(degrees=0.5, handles=("hand",), handle_millimetres=20.0)
    whole = finish(reduce_gradually(ARM, arm_samples(), tolerance))
    for name in ("_MARCH", "_TIMES", "_KEYS"):
        monkeypatch.setattr(reduce, name, 7)
    shares = list(reduce_gradually(ARM, arm_samples(), tolerance))
    sliced = finish(reduce_gradually(ARM, arm_samples(), tolerance))
    assert sliced.tracks == whole.tracks
    assert sliced.place_error == whole.place_error
    assert np.diff(shares).min() > -1e-12
    assert len(shares) > 200


def test_handles_keep_their_places_in_the_world() -> None:
    samples = arm_samples()
    loose = finish(reduce_gradually(ARM, samples, Tolerance(degrees=2.0, handles=("hand",), handle_millimetres=1000.0)))
    tight = finish(reduce_gradually(ARM, samples, Tolerance(degrees=2.0, handles=("hand",), handle_millimetres=4.0)))

    def places(values: Array) -> Array:
        model = compile_model(ARM)
        state, rows = model.new_state(), []
        for q in np.ascontiguousarray(values):
            compute_forward_kinematics(model.ints, model.floats, q, state)
            row = model.transforms(state)[2]
            rows.append(row[9:] + row[:9].reshape(3, 3) @ (0.0, -2.0, 0.0))
        return np.array(rows)

    ticks = [samples.time(frame) for frame in range(samples.frame_count)]
    found = compile_motion(ARM, (Layer(id="l", tracks=tight.tracks),)).at(ticks)[:, 0]
    worst = np.linalg.norm(places(found) - places(samples.values.array), axis=1).max()
    assert loose.place_error is not None
    assert tight.place_error is not None
    assert loose.place_error > 4e-3
    assert worst <= 4e-3
    np.testing.assert_allclose(tight.place_error, worst, rtol=1e-9)
    assert tight.tracks[3] == loose.tracks[3]
    assert tight.key_count > loose.key_count


def test_angles_are_unwrapped_first() -> None:
    angle = np.linspace(0.0, 12.0, 500)
    samples = Samples(coordinates=("lift",), values=Blob(np.angle(np.exp(1j * angle))[:, None]), rate=(120, 1))
    assert finish(reduce_gradually(ARM, samples, Tolerance())).key_count == 2


def test_a_balls_numbers_share_their_keys_and_keep_the_angle() -> None:
    figure = Figure(name="B", joints=(Joint(id="r", name="R", dofs=(Dof(id="turn", name="Turn", kind="ball"),)),))
    vectors = np.stack([wander(seed, 240) for seed in range(3)], axis=1)
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    values = np.concatenate((np.cos(angle / 2), np.sin(angle / 2) * vectors / angle), axis=1)
    samples = Samples(coordinates=figure.coordinates, values=Blob(values), rate=(120, 1))
    found = finish(reduce_gradually(figure, samples, Tolerance(degrees=1.0)))
    ticks = [samples.time(frame) for frame in range(240)]
    turned = compile_motion(figure, (Layer(id="l", tracks=found.tracks),)).at(ticks)[:, 0]
    errors = 2.0 * np.arccos(np.clip(np.abs(np.sum(turned * values, axis=1)), 0.0, 1.0))
    assert errors.max() <= math.radians(1.0) + 1e-7
    np.testing.assert_allclose(found.turn_error, errors.max(), atol=1e-7)
    assert len({tuple(key.time for key in track.keys) for track in found.tracks}) == 1
    assert len(found.tracks[0].keys) < 80


@pytest.mark.jit_off
def test_dense_keys_become_few_within_the_tolerance_at_keys_and_frames() -> None:
    times = np.sort(np.random.default_rng(0).choice(2 * TICKS_PER_SECOND, 150, replace=False))
    keys = tuple(Key(int(time), math.sin(3.0 * time / TICKS_PER_SECOND)) for time in times)
    track = Track(coordinate="lift", keys=keys, before="linear")
    found = reduce_track(ARM, track, Tolerance(degrees=0.5), rate=(60, 1))
    assert len(found.keys) < 10
    assert (found.coordinate, found.before) == ("lift", "linear")
    checked = np.concatenate((times, np.arange(times[0], times[-1], TICKS_PER_SECOND // 60))).astype(np.float64)
    gap = evaluate_track(found, checked)[:, 0] - evaluate_track(track, checked)[:, 0]
    assert np.abs(gap).max() <= math.radians(0.5)
    assert reduce_track(ARM, found, Tolerance(degrees=1e-6), rate=(60, 1)) is found
    stepped = Track(coordinate="lift", keys=tuple(Key(key.time, key.value, "stepped") for key in keys))
    assert reduce_track(ARM, stepped, Tolerance(), rate=(60, 1)) is stepped


def test_impossible_wishes_are_refused_by_name() -> None:
    for wish in ({"degrees": 0.0}, {"millimetres": -1.0}, {"handle_millimetres": math.nan}):
        with pytest.raises(InvalidArguments, match="tolerance"):
            Tolerance(**wish)  # type: ignore[arg-type]
    with pytest.raises(UnknownPart, match="handle"):
        finish(reduce_gradually(ARM, arm_samples(), Tolerance(handles=("foot",))))
    with pytest.raises(UnknownPart, match="coordinate"):
        reduce_track(ARM, Track(coordinate="wag", keys=(Key(0, 0.0),)), Tolerance(), rate=(60, 1))
