"""The viewport: draws Snapshots in four views, moves their cameras, and says what lies under the pointer.

Importing this package loads neither vispy nor OpenGL; `Viewport.start` does, after the window's first paint.
"""

from app.scene.camera import Bounds, Camera
from app.scene.look import Look
from app.scene.markers import Marker
from app.scene.picks import Pick
from app.scene.tool import Pointer, Tool, Typist
from app.scene.viewport import Viewport

__all__ = ["Bounds", "Camera", "Look", "Marker", "Pick", "Pointer", "Tool", "Typist", "Viewport"]
