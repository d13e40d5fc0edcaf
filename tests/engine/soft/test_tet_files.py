"""Volume meshes from files of other programs, and what of them is refused."""

from pathlib import Path

import numpy as np
import pytest

from engine.runtime.errors import UnreadableFile
from engine.soft.mesh import UnsoundBody
from engine.soft.tet_files import read_volume_mesh

GMSH_2 = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
6
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
9 1 1 1
7 5 5 5
$EndNodes
$Elements
3
1 2 2 1 1 1 2 3
2 4 2 1 1 1 2 3 4
3 4 2 1 1 3 2 4 9
$EndElements
"""
GMSH_4 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 0
$EndEntities
$Nodes
2 5 1 9
0 1 0 1
1
0 0 0
3 1 0 4
2
3
4
9
1 0 0
0 1 0
0 0 1
1 1 1
$EndNodes
$Elements
2 3 1 3
2 1 2 1
1 1 2 3
3 1 4 2
2 1 2 3 4
3 2 3 4 9
$EndElements
"""
NODES = "# points\n5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n"
CELLS = "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n"
MEDIT = """MeshVersionFormatted 2
Dimension 3
Vertices 5
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
1 1 1 0
Triangles 1
1 2 3 0
Tetrahedra 2
1 2 3 4 0
2 3 4 5 0
End
"""
PLACES = "0 0 0  1 0 0  0 1 0\n0 0 1  1 1 1"
VTK = f"""# vtk DataFile Version 3.0
two
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
{PLACES}
CELLS 3 14
3 0 1 2
4 0 1 2 3
4 1 2 3 4
CELL_TYPES 3
5 10 10
POINT_DATA 5
SCALARS CELLS int
"""
VTK_5 = (
    VTK[: VTK.index("CELLS")].replace("3.0", "5.1")
    + """CELLS 4 11
OFFSETS vtktypeint64
0 3 7 11
CONNECTIVITY vtktypeint64
0 1 2 0 1 2 3 1 2 3 4
CELL_TYPES 3
5
10
10
"""
)
VTU = f"""<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="2">
<PointData><DataArray type="Float64" Name="u" NumberOfComponents="1" format="ascii">1 2 3 4 5</DataArray></PointData>
<Points>
<DataArray type="Float64" NumberOfComponents="3" format="ascii">
{PLACES}
</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 1 2 3 4</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4 8</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10 10</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>
"""
ABAQUS = """*Heading
** made by hand
*Node
1, 0., 0., 0.
2, 1., 0., 0.
3, 0., 1., 0.
4, 0., 0., 1.
9, 1., 1., 1.
*Element, type=S3
1, 1, 2, 3
*Element, type=C3D4, elset=Body
2, 1, 2, 3, 4
*ELEMENT, TYPE=C3D10
3, 2, 3, 4, 9, 5, 6,
7, 8, 10, 11
*Solid Section, elset=Body
"""
BRICK = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
8
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0 0 1
6 1 0 1
7 1 1 1
8 0 1 1
$EndNodes
$Elements
1
1 5 2 1 1 1 2 3 4 5 6 7 8
$EndElements
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_all_formats_give_the_same_mesh(tmp_path: Path) -> None:
    written(tmp_path, "two.node", NODES)
    paths = [
        written(tmp_path, "two.msh", GMSH_2),
        written(tmp_path, "four.msh", GMSH_4),
        written(tmp_path, "two.ele", CELLS),
        written(tmp_path, "two.mesh", MEDIT),
        written(tmp_path, "two.vtk", VTK),
        written(tmp_path, "five.vtk", VTK_5),
        written(tmp_path, "two.vtu", VTU),
        written(tmp_path, "two.inp", ABAQUS),
    ]
    for path in paths:
        mesh = read_volume_mesh(path, unit=0.5).mesh
        assert mesh.shape == "tetrahedra"
        assert len(mesh.points) == 5
        assert mesh.volumes == pytest.approx((1.0 / 48.0, 1.0 / 24.0))
        assert (mesh.points[mesh.cells[1]].max(axis=0) == 0.5).all()


def test_cells_are_turned_and_that_is_said(tmp_path: Path) -> None:
    written(tmp_path, "two.node", NODES)
    made = read_volume_mesh(written(tmp_path, "two.ele", CELLS.replace("0 0 1 2 3", "0 1 0 2 3")))
    assert "the other way round" in made.notes[0]
    assert (made.mesh.volumes > 0.0).all()
    brick = read_volume_mesh(written(tmp_path, "brick.msh", BRICK))
    assert (brick.mesh.shape, brick.notes) == ("hexahedra", ())
    assert brick.mesh.volumes == pytest.approx([1.0])
    other = read_volume_mesh(written(tmp_path, "other.msh", BRICK.replace("1 2 3 4 5 6 7 8", "5 6 7 8 1 2 3 4")))
    assert len(other.notes) == 1
    assert other.mesh.volumes == pytest.approx([1.0])


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.msh", "", "an empty file"),
        ("a.msh", "$Nodes\n1\n", "no .MeshFormat before"),
        ("a.msh", "ply\n", "no .MeshFormat"),
        ("a.msh", GMSH_2.replace("2.2 0 8", "2.2 1 8"), "binary"),
        ("a.msh", GMSH_2.replace("2.2 0 8", "3.0 0 8"), "version 3.0"),
        ("a.msh", GMSH_2.replace("4 0 0 1", "4 0 0 x"), "line 9.*coordinate"),
        ("a.msh", GMSH_2.replace("4 0 0 1", "4 0 0"), "line 9.*3 words"),
        ("a.msh", GMSH_2.replace("1 2 3 4", "1 2 3 44"), "point 44"),
        ("a.msh", GMSH_2.replace("1 2 3 4", "1 2 3"), "line 16.*3 points"),
        ("a.msh", GMSH_2.replace("$Elements\n3", "$Elements\n333333333"), "words where|the end"),
        ("a.msh", GMSH_2.replace("$Elements\n3", "$Elements\n-1"), "'-1'"),
        ("a.msh", GMSH_2[: GMSH_2.index("$Elements")], "no tetrahedra"),
        ("a.msh", GMSH_4[:110], "line"),
        ("a.mesh", MEDIT.replace("Tetrahedra 2", "Tetrahedra 9"), "fewer than 9"),
        ("a.mesh", MEDIT.replace("1 2 3 4 0", "1 2 3 0 0"), "point 0"),
        ("a.mesh", MEDIT.replace("Vertices", "Places"), "no points"),
        ("a.ele", CELLS, "a.node.*no file"),
        ("a.obj", "", "suffix .obj"),
        ("a.vtk", "solid\n", "no '# vtk"),
        ("a.vtk", VTK.replace("ASCII", "BINARY"), "BINARY in its third line"),
        ("a.vtk", VTK.replace("UNSTRUCTURED_GRID", "POLYDATA"), "line 4.*POLYDATA"),
        ("a.vtk", VTK.replace("4 1 2 3 4", "9 1 2 3 4"), "more points than are listed"),
        ("a.vtk", VTK.replace("CELL_TYPES 3\n5 ", "CELL_TYPES 2\n"), "3 cells, of 2"),
        ("a.vtk", VTK_5.replace("0 3 7 11", "0 3 7 99"), "beyond its connectivity"),
        ("a.vtk", VTK.replace("0 0 1  1 1 1", "0 0 1  1 1 x"), "line 7.*coordinate"),
        ("a.vtu", "<VTKFile/>", "no UnstructuredGrid"),
        ("a.vtu", VTU.replace('"offsets" format="ascii"', '"offsets" format="binary"'), "line 12.*format is binary"),
        ("a.vtu", VTU.replace('"offsets"', '"other"'), "without offsets"),
        ("a.vtu", VTU.replace(">4 8<", ">4 9<"), "beyond its connectivity"),
        ("a.inp", "*Heading\n", "no .NODE"),
        ("a.inp", ABAQUS.replace("4, 0., 0., 1.", "4, 0., 0."), "line 7.*3 numbers"),
        ("a.inp", ABAQUS.replace("4, 0., 0., 1.", "3, 0., 0., 1."), "second node 3"),
        ("a.inp", ABAQUS.replace("** made by hand", "*Include, input=b.inp"), "line 2.*includes another"),
    ],
)
def test_broken_files_are_refused_by_name(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=says):
        read_volume_mesh(written(tmp_path, name, text))


def test_flat_cells_of_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsoundBody, match=r"a\.msh cannot be a soft body: cell 0 .* is flat"):
        read_volume_mesh(written(tmp_path, "a.msh", GMSH_2.replace("4 0 0 1", "4 0.5 0.5 0")))


def test_corners_of_voxels_are_put_in_order(tmp_path: Path) -> None:
    corners = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"
    text = VTK[: VTK.index("POINTS")] + f"POINTS 8 float\n{corners}\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n"
    made = read_volume_mesh(written(tmp_path, "voxel.vtk", text))
    assert (made.mesh.shape, made.notes) == ("hexahedra", ())
    assert made.mesh.volumes == pytest.approx([1.0])


def test_any_cut_of_a_file_is_read_or_refused(tmp_path: Path) -> None:
    chance = np.random.default_rng(4)
    texts = {"msh": (GMSH_2, GMSH_4), "mesh": (MEDIT,), "vtk": (VTK, VTK_5), "vtu": (VTU,), "inp": (ABAQUS,)}
    for number, (suffix, text) in enumerate([(name, text) for name, all_of in texts.items() for text in all_of] * 8):
        path = written(tmp_path, f"{number}.{suffix}", text[: chance.integers(len(text))])
        try:
            read_volume_mesh(path)
        except (UnreadableFile, UnsoundBody):
            continue
