"""What the help and the README say of the formats is what the table of formats says, and that is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.formats.format import Contents, Format, Options
from engine.formats.overview import HEADS, OPTIONS, markdown, rows
from engine.formats.table import FORMATS, writers
from engine.long.scenes import scene_contents
from engine.runtime.errors import UnwritableFile
from tests.conformance.test_formats import SAMPLES, biped, tetrahedron, walking
from tests.engine.formats.scenes import crowd

README = Path(__file__).parents[3] / "README.md"

OTHER = {
    "unit": Options(unit=0.5),
    "up": Options(up="z"),
    "rate": Options(rate=(60, 1)),
    "start": Options(start=SECOND // 2),
    "end": Options(end=SECOND // 2),
}
USUAL = {"up": Options(up="y")}  # of formats whose usual one is the other


def test_the_readme_has_the_same_table() -> None:
    said = README.read_text(encoding="utf-8")
    assert markdown() in said, f"put this table into README.md:\n\n{markdown()}"


def test_every_format_is_a_row_with_all_its_cells() -> None:
    found = list(rows())
    assert [row.name for row in found] == [each.name for each in FORMATS]
    assert all(cell and "|" not in cell and "\n" not in cell for row in found for cell in row)
    assert len(HEADS) == len(found[0])


def test_options_are_named_as_the_command_line_names_them() -> None:
    from engine.__main__ import _parser

    parser = _parser("engine")
    given = parser.parse_args(["convert", "a", "b", "--unit", "cm", "--up", "z", "--fps", "24", "--figure", "f"])
    assert (given.unit, given.up, given.fps, given.figure) == (0.01, "z", (24, 1), Path("f"))
    assert [flag for flag, _ in OPTIONS.values()] == ["--unit", "--up", "--fps", "--figure", "--start", "--end"]


@pytest.mark.parametrize("option", OTHER)
@pytest.mark.parametrize("format", writers(), ids=lambda format: format.name)
def test_a_writer_heeds_the_options_that_it_names_and_no_others(format: Format, option: str, tmp_path: Path) -> None:
    assert format.write is not None
    contents = SAMPLES[format.kind]()
    if format.takes_scene:
        contents = scene_contents(crowd(), ["box"])
    elif format.kind == "motion":
        contents = Contents(figure=biped(), layers=(walking(biped()),), surfaces=(tetrahedron(),))
    written = []
    for name, options in (("plain", USUAL.get(option, Options())), ("other", OTHER[option])):
        (tmp_path / name).mkdir()
        path = tmp_path / name / f"a{format.suffixes[0]}"
        try:
            format.write(path, contents, options)
        except UnwritableFile:
            pytest.skip("this writer wants other contents")
        files = (each for each in sorted(path.parent.rglob("*")) if each.is_file())
        written.append(b"".join(each.read_bytes() for each in files))
    if format.kind == "document":
        assert option not in format.write_options, "a document's revisions carry the time"
    else:
        assert (written[0] != written[1]) == (option in format.write_options)
