"""Small models for tests: OpenSim's of version 4 and of version 3, MuJoCo's, and a surface of VTK's."""

from __future__ import annotations

BODY = "<mass>{mass}</mass><mass_center>0 -0.1 0</mass_center><inertia>0.01 0.002 0.01 0 0 0</inertia>"
POINT = "<socket_parent_frame>/bodyset/{body}</socket_parent_frame><location>{place}</location>"
FRAME = """<PhysicalOffsetFrame name="{name}">
 <socket_parent>{parent}</socket_parent>
 <translation>{place}</translation>
 <orientation>{turn}</orientation>
</PhysicalOffsetFrame>"""


def frame(name: str, parent: str, place: str = "0 0 0", turn: str = "0 0 0") -> str:
    """A frame on a body."""
    return FRAME.format(name=name, parent=parent, place=place, turn=turn)


def body(name: str, inside: str = "", mass: str = "1.5") -> str:
    """A body."""
    return f'<Body name="{name}">\n{BODY.format(mass=mass)}\n{inside}\n</Body>'


def coordinate(name: str, inside: str = "<range>-1.5 2</range>\n<clamped>true</clamped>") -> str:
    """A coordinate."""
    return f'<Coordinate name="{name}">\n<default_value>0.1</default_value>\n{inside}\n</Coordinate>'


def joint(kind: str, name: str, parent: str, child: str, coordinates: str = "", inside: str = "") -> str:
    """A joint between two bodies, or the ground, whose parent frame is 0.3 m below the body's."""
    frames = frame("in_parent", parent, "0 -0.3 0") + "\n" + frame("in_child", child)
    return f"""<{kind} name="{name}">
<socket_parent_frame>in_parent</socket_parent_frame>
<socket_child_frame>in_child</socket_child_frame>
<coordinates>{coordinates}</coordinates>
<frames>
{frames}
</frames>
{inside}
</{kind}>"""


def axis(name: str, coordinate: str, direction: str, function: str) -> str:
    """An axis of a custom joint."""
    words = f"<coordinates>{coordinate}</coordinates><axis>{direction}</axis>"
    return f'<TransformAxis name="{name}">\n{words}\n{function}\n</TransformAxis>'


def transform(*axes: str) -> str:
    """The axes of a custom joint."""
    return "<SpatialTransform>\n" + "\n".join(axes) + "\n</SpatialTransform>"


def point(name: str, body: str, place: str, kind: str = "PathPoint", inside: str = "") -> str:
    """A point of a path."""
    return f'<{kind} name="{name}">\n{POINT.format(body=body, place=place)}\n{inside}\n</{kind}>'


def muscle(name: str, points: str, wraps: str = "", kind: str = "Thelen2003Muscle", lengths: str = "0.12 0.2") -> str:
    """A muscle; lengths of its fibres and of its tendon."""
    fibre, tendon = lengths.split()
    return f"""<{kind} name="{name}">
<GeometryPath>
<PathPointSet><objects>
{points}
</objects></PathPointSet>
<PathWrapSet><objects>
{wraps}
</objects></PathWrapSet>
</GeometryPath>
<max_isometric_force>700</max_isometric_force>
<optimal_fiber_length>{fibre}</optimal_fiber_length>
<tendon_slack_length>{tendon}</tendon_slack_length>
<pennation_angle_at_optimal>0.1</pennation_angle_at_optimal>
</{kind}>"""


def wrap(kind: str, name: str, size: str, place: str = "0 -0.3 0", quadrant: str = "all") -> str:
    """A wrap in a set of its own."""
    inside = f"<translation>{place}</translation>\n<quadrant>{quadrant}</quadrant>\n{size}"
    return f'<WrapObjectSet><objects>\n<{kind} name="{name}">\n{inside}\n</{kind}>\n</objects></WrapObjectSet>'


def around(name: str, ends: str = "-1 -1") -> str:
    """A wrap of a muscle."""
    return f"<PathWrap><wrap_object>{name}</wrap_object>\n<range>{ends}</range></PathWrap>"


def held(name: str, *inside: str) -> str:
    """A set of the model."""
    return f"<{name}><objects>\n" + "\n".join(inside) + f"\n</objects></{name}>"


def model(*sets: str, version: str = "40000", inside: str = "<gravity>0 -9.8 0</gravity>") -> str:
    """A document."""
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<OpenSimDocument Version="{version}">\n<Model name="small">\n'
    return head + inside + "\n" + "\n".join(sets) + "\n</Model>\n</OpenSimDocument>\n"


UPPER = body("upper", wrap("WrapCylinder", "elbow_wrap", "<radius>0.03</radius><length>0.1</length>", quadrant="x"))
BODIES = held("BodySet", UPPER, body("lower"))
SHOULDER = joint("PinJoint", "shoulder", "/ground", "/bodyset/upper", coordinate("lift"))
ELBOW = joint(
    "CustomJoint",
    "elbow",
    "/bodyset/upper",
    "/bodyset/lower",
    coordinate("bend"),
    transform(
        axis("rotation1", "bend", "0 0 1", "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"),
        axis(
            "translation1",
            "bend",
            "1 0 0",
            "<SimmSpline><x>-1 0 1 2</x><y>0.002 0 0.004 0.001</y></SimmSpline>",
        ),
    ),
)
BICEPS = muscle(
    "biceps",
    point("origin", "upper", "0.02 0 0")
    + "\n"
    + point(
        "via",
        "upper",
        "0.05 -0.2 0",
        "ConditionalPathPoint",
        "<socket_coordinate>bend</socket_coordinate>\n<range>-0.5 1</range>",
    )
    + "\n"
    + point("end", "lower", "0.03 -0.05 0"),
    around("elbow_wrap"),
)
MARKER = f'<Marker name="wrist">\n{POINT.format(body="lower", place="0 -0.25 0")}\n</Marker>'
ARM = model(BODIES, held("JointSet", SHOULDER, ELBOW), held("ForceSet", BICEPS), held("MarkerSet", MARKER))

OLD_ARM = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="30000">
<Model name="old">
<gravity>0 -9.8 0</gravity>
<defaults>
<Schutte1993Muscle_Deprecated name="default">
<max_isometric_force>450</max_isometric_force>
</Schutte1993Muscle_Deprecated>
</defaults>
<BodySet><objects>
<Body name="ground"><mass>0</mass>
 <WrapObjectSet><objects><WrapSphere name="ball"><xyz_body_rotation>0 0 0</xyz_body_rotation>
  <translation>0.1 0.2 0.3</translation><quadrant>-y</quadrant><radius>0.04</radius>
 </WrapSphere></objects></WrapObjectSet>
</Body>
<Body name="upper">
 <mass>2</mass><mass_center>0 -0.15 0</mass_center>
 <inertia_xx>0.02</inertia_xx><inertia_yy>0.003</inertia_yy><inertia_zz>0.02</inertia_zz>
 <Joint><CustomJoint name="shoulder">
  <parent_body>ground</parent_body>
  <location_in_parent>0 1 0</location_in_parent><orientation_in_parent>0 0.5 0</orientation_in_parent>
  <location>0 0.02 0</location><orientation>0 0 0</orientation>
  <CoordinateSet><objects>
   <Coordinate name="lift"><default_value>0</default_value><range>-1 1</range><clamped>true</clamped></Coordinate>
   <Coordinate name="slip"><default_value>0</default_value><range>-0.1 0.1</range><locked>true</locked></Coordinate>
  </objects></CoordinateSet>
  <SpatialTransform>
   <TransformAxis name="rotation1"><coordinates>lift</coordinates><axis>0 0 1</axis>
    <function><LinearFunction><coefficients>-1 0.2</coefficients></LinearFunction></function></TransformAxis>
   <TransformAxis name="rotation2"><coordinates></coordinates><axis>1 0 0</axis>
    <function><Constant><value>0.3</value></Constant></function></TransformAxis>
   <TransformAxis name="rotation3"><coordinates>lift</coordinates><axis>0 1 0</axis>
    <function><MultiplierFunction><function><LinearFunction><coefficients>2 0</coefficients></LinearFunction></function>
    <scale>0.5</scale></MultiplierFunction></function></TransformAxis>
   <TransformAxis name="translation2"><coordinates>slip</coordinates><axis>0 1 0</axis>
    <function><LinearFunction><coefficients>1 0</coefficients></LinearFunction></function></TransformAxis>
   <TransformAxis name="translation3"><coordinates></coordinates><axis>0 0 1</axis>
    <function><Constant><value>0.05</value></Constant></function></TransformAxis>
  </SpatialTransform>
 </CustomJoint></Joint>
</Body>
</objects></BodySet>
<ForceSet><objects>
<Schutte1993Muscle_Deprecated name="deltoid">
 <GeometryPath><PathPointSet><objects>
  <PathPoint name="a"><location>0.1 1.1 0</location><body>ground</body></PathPoint>
  <MovingPathPoint name="b"><location>0 0 0</location><body>upper</body>
   <x_location><SimmSpline><x>-1 1</x><y>0.02 0.04</y></SimmSpline></x_location><x_coordinate>lift</x_coordinate>
   <y_location><Constant><value>-0.1</value></Constant></y_location><y_coordinate>lift</y_coordinate>
   <z_location><PiecewiseLinearFunction><x>-1 0 1</x><y>0 0.01 0.01</y></PiecewiseLinearFunction></z_location>
   <z_coordinate>lift</z_coordinate></MovingPathPoint>
 </objects></PathPointSet></GeometryPath>
 <optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.05</tendon_slack_length>
 <pennation_angle>0.2</pennation_angle>
</Schutte1993Muscle_Deprecated>
</objects></ForceSet>
<MarkerSet><objects>
<Marker name="acromion"><body>ground</body><location>0.1 1.2 0.3</location></Marker>
<Marker name="elbow"><body>upper</body><location>0 -0.3 0</location></Marker>
</objects></MarkerSet>
</Model>
</OpenSimDocument>
"""

VTP = """<?xml version="1.0"?>
<VTKFile type="PolyData" version="0.1" byte_order="LittleEndian">
<PolyData><Piece NumberOfPoints="4" NumberOfPolys="2">
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0
1 1 0 0 1 0.5
</DataArray></Points>
<Polys>
<DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 0 2 3</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3 6</DataArray>
</Polys>
</Piece></PolyData>
</VTKFile>
"""

MJCF_ARM = """<mujoco model="arm">
<default><joint axis="0 1 0" range="-90 90"/><geom type="capsule" size="0.04"/></default>
<worldbody>
<site name="a" pos="0.1 0 1"/>
<body name="upper" pos="0 0 1">
<joint name="lift"/>
<geom name="bone" fromto="0 0 0 0 0 -0.3"/>
<geom name="ball" type="sphere" size="0.03" pos="0 0 -0.3"/>
<site name="side" pos="0.1 0 -0.3"/>
<body name="lower" pos="0 0 -0.3" euler="0 10 0">
<joint name="bend" pos="0 0 0.01"/>
<geom fromto="0 0 0 0 0 -0.25"/>
<site name="b" pos="0.05 0 -0.1"/>
</body>
</body>
</worldbody>
<tendon><spatial name="t"><site site="a"/><geom geom="ball" sidesite="side"/><site site="b"/></spatial></tendon>
<actuator><muscle name="flexor" tendon="t" force="300" lengthrange="0.2 0.5"/></actuator>
</mujoco>
"""
