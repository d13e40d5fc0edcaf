"""Fields that came later, of all classes or of one, and stand in no file while they have this value."""

LATER = {
    "parts": (),
    "scene_range": None,
    "carried": None,
    "spot": None,
    "reach": 0.25,
    "pushes": False,
    "touches_wearer": False,
    "touches_by_surface": False,
    "touches_itself": False,
    "shown": "pseudo",
    "WaterTank.planar": False,
    "ends": "closed",
    "Actor.natural": 0.0,
    "Actor.floor": False,
    "FilmCamera.focus": None,
    "Spacetime.meetings": (),
    "Skin.colouring": None,
    "BlendShapes.colouring": None,
    "TriangleMesh.colouring": None,
}
