"""Sound: what is heard with the motion. The file's own bytes are kept, so that nothing is lost when the file goes."""

from __future__ import annotations

from engine.document.blobs import Blob
from engine.document.motion import TICKS_PER_SECOND, ticks
from engine.document.parts import Part
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

LOUDEST = 8.0
LONGEST = 3600.0  # [s]


@dataclass(frozen=True, kw_only=True)
class Sound(Part):
    """A recording, and from when on and how loud it is heard."""

    name: str
    data: Blob  # a sound file's bytes, shape [byte_count]
    seconds: float  # that it lasts
    start: int = 0  # when it begins [ticks]
    gain: float = 1.0  # times as loud
    mute: bool = False

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidDocument(what="the name of a sound", value=self.name, allowed="some text")
        if (self.data.type, len(self.data.shape)) != ("|u1", 1):
            raise InvalidDocument(what=f"the sound {self.name}", value=self.data, allowed="the bytes of a sound file")
        ticks(f"the start of sound {self.name}", self.start)
        for name, most in (("seconds", LONGEST), ("gain", LOUDEST)):
            number = finite(f"the {name} of sound {self.name}", getattr(self, name))
            if not 0.0 <= number <= most:
                raise InvalidDocument(what=f"the {name} of sound {self.name}", value=number, allowed=f"0 to {most:g}")
            object.__setattr__(self, name, number)

    @property
    def end(self) -> int:
        """The time at which it ends [ticks]."""
        return self.start + round(self.seconds * TICKS_PER_SECOND)
