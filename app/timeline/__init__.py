"""Timeline: the ruler and dope sheet along which the playhead moves, the graph editor, and the transport buttons."""

from app.timeline.transport import Transport

__all__ = ["Transport"]
