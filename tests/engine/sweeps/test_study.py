"""Studies: what they lay out or draw, and what is refused with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.runtime.errors import EngineError, UnreadableFile
from engine.sweeps.rows import base_of, edits_of, rows_of
from engine.sweeps.study import read_study
from engine.sweeps.sweep import sweep_of
from engine.sweeps.varied import Varied, choose

STUDY = """example = "hanging_ball"
end = 0.1

[[edit]]
edit = "set_gains"
actor = "frames_5"
tension = { from = 1, to = 8, count = 4, spacing = "log" }
damping = { values = [1, 0.25] }

[[edit]]
edit = "set_scene_range"
start = 0
end = { from = 10, to = 110, count = 3, name = "end" }

[[result]]
quantity = "velocity.length:frames_5.ball"
of = "max"
"""


def written(folder: Path, text: str = STUDY) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_grid_has_a_row_for_each_choice_and_each_row_is_edits_as_a_log_has_them(tmp_path: Path) -> None:
    study = read_study(written(tmp_path))
    assert study.row_count == 24
    assert [each.name for each in study.varied] == ["set_gains.tension", "set_gains.damping", "end"]
    rows = rows_of(study, base_of(study))
    assert [each.number for each in rows] == list(range(1, 25))
    assert len({each.key for each in rows}) == 24
    assert rows[0].values == (1.0, 1.0, 10)
    assert rows[1].values == (1.0, 1.0, 60), "the last varies fastest; a tick is a whole number"
    assert rows[-1].values == (8.0, 0.25, 110)
    assert rows[6].values[0] == pytest.approx(2.0, rel=1e-15)
    gains, span = edits_of(rows[4].edits)
    assert dict(gains.arguments) == {"actor": "frames_5", "tension": 1.0, "damping": 0.25}
    assert type(dict(gains.arguments)["tension"]) is float, "as the window would write it"
    assert dict(span.arguments) == {"start": 0, "end": 60}


def test_a_draw_is_the_same_for_a_seed_and_its_first_rows_stay_as_it_grows() -> None:
    varied = (
        Varied(name="a", lower=-1.0, upper=1.0),
        Varied(name="b", lower=0.1, upper=10.0, spacing="log"),
        Varied(name="c", lower=1.0, upper=3.0, whole=True),
        Varied(name="d", values=("x", "y")),
    )
    rows = choose("random", varied, 400, seed=7)
    assert rows == choose("random", varied, 400, seed=7)
    assert rows[:100] == choose("random", varied, 100, seed=7)
    assert rows[:100] != choose("random", varied, 100, seed=8)
    a, b, c, d = zip(*rows, strict=True)
    assert sum(map(float, a)) / 400 == pytest.approx(0.0, abs=0.1)
    assert sum(float(each) < 1.0 for each in b) == pytest.approx(200, abs=40), "half of them below the middle of a log"
    assert {each: 100 < c.count(each) < 170 for each in (1, 2, 3)} == {1: True, 2: True, 3: True}
    assert set(d) == {"x", "y"}


REFUSED = (
    ('"hanging_ball"', '"hanging"', 1, "there is no example 'hanging'; did you mean 'hanging_ball'"),
    ('example = "hanging_ball"\n', "", 1, "a study has one document"),
    ('"set_gains"', '"set_gain"', 5, "there is no edit 'set_gain'. Did you mean 'set_gains'?"),
    ("damping =", "dampin =", 8, "unknown key 'dampin'. Did you mean 'damping'?"),
    ('actor = "frames_5"\n', "", 4, "has no 'actor'"),
    ('actor = "frames_5"', 'actor = "frames"', 4, "set_gains of the first row"),
    ("from = 1, to = 8", "from = 9, to = 8", 7, "a range that rises"),
    ("from = 1, to = 8", "from = 0, to = 8", 7, "above 0 where the spacing is log"),
    ("from = 1, to = 8", "from = -1, to = 8", 7, "above 0 where the spacing is log"),
    ("count = 4, ", "", 7, "has no 'count'"),
    ("count = 4, ", "count = 0, ", 7, "a whole number from 1 to"),
    ("count = 4, ", "count = 40000, ", 4, "240,000 rows. At most 100,000 rows"),
    ("values = [1, 0.25]", "values = []", 8, "one or more numbers or texts"),
    ("values = [1, 0.25]", "values = [nan]", 8, "finite numbers"),
    ("values = [1, 0.25]", "values = [-1, 1]", 4, "set_gains of the first row"),
    ("values = [1, 0.25]", "values = ['much']", 4, "set_gains of the first row"),
    ("{ values = [1, 0.25] }", "1979-05-27", 8, "a number, a text, true or false"),
    ('name = "end"', 'name = "set_gains.damping"', 4, "two arguments vary under the name"),
    ("velocity.length", "velocity.lenght", 15, "the component of velocity is 'lenght'"),
    ("frames_5.ball", "frames_5.bal", 15, "there is no joint 'bal'"),
    ('of = "max"', 'of = "median"', 17, "'mean', 'max', 'min', 'last', 'at'"),
    ('of = "max"', 'of = "at"', 17, "a time belongs to what is taken at one"),
    ('of = "max"', 'of = "max"\nof = "max"', 18, "not valid TOML"),
    ("end = 0.1", "end = 'soon'", 2, "a number of seconds"),
    ("end = 0.1", "draw = 'random'", 1, "the study has no 'count'"),
    ("end = 0.1", "count = 5", 2, "Leave count out"),
    ("end = 0.1", "rate = -1", 2, "frames a second"),
)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"), REFUSED, ids=[each[1][:30] or each[0][:30] for each in REFUSED]
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    assert old in STUDY
    with pytest.raises(UnreadableFile) as refused:
        sweep_of(read_study(written(tmp_path, STUDY.replace(old, new))))
    assert said in str(refused.value)
    assert refused.value.line == line


def test_a_study_without_what_varies_edits_or_results_is_refused(tmp_path: Path) -> None:
    plain = STUDY.replace('{ from = 1, to = 8, count = 4, spacing = "log" }', "1").replace(
        "{ values = [1, 0.25] }", "1"
    )
    plain = plain.replace('{ from = 10, to = 110, count = 3, name = "end" }', "1")
    for text, said in (
        (plain, "nothing varies"),
        (STUDY[: STUDY.index("[[result]]")], "0 results"),
        (STUDY[: STUDY.index("[[edit]]")] + STUDY[STUDY.index("[[result]]") :], "0 edits"),
    ):
        with pytest.raises(EngineError, match=said):
            read_study(written(tmp_path, text))
