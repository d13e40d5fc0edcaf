"""The session: the one mutable cell of the application, and the thread that answers it. no widgets."""

from app.session.gesture import Gesture
from app.session.history import Entry, History
from app.session.posing import Blend, SessionPosing
from app.session.reaching import BodyGrip, Grip, Reaching
from app.session.selection import Item, Selection
from app.session.session import Session
from app.session.states import LOG_KEPT, EngineState, FileOutcome, JobState, LogEntry

__all__ = [
    "LOG_KEPT",
    "Blend",
    "BodyGrip",
    "EngineState",
    "Entry",
    "FileOutcome",
    "Gesture",
    "Grip",
    "History",
    "Item",
    "JobState",
    "LogEntry",
    "SessionPosing",
    "Reaching",
    "Selection",
    "Session",
]
