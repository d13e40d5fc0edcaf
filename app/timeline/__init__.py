"""Timeline: what the playhead moves along, and the buttons that move it."""

from app.timeline.transport import Transport

__all__ = ["Transport"]
