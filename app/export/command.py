"""The command line of ffmpeg that makes a plan's files of raw frames. All names are within the folder it runs in."""

from __future__ import annotations

import subprocess
from functools import cache
from typing import TYPE_CHECKING

from engine.formats.sound_file import CHANNELS, RATE
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.export.plan import Plan

SOUND = "sound.raw"
FRAMES = "frame_%06d.png"
_YUV = (
    "vflip,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,"
    "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"
)
_PALETTE = "vflip,split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=sierra2_4a"
_OPAQUE, _ALPHA = "vflip,format=rgb24", "vflip,format=rgba"

# Constant quality that shows no blocks on a dark, plain ground, at a speed that leaves the processor to the drawing.
_CODECS = {
    "h264": ("-c:v", "libx264", "-preset", "veryfast", "-crf", "17", "-aq-mode", "3"),
    "vp9": ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1", "-crf", "20", "-b:v", "0"),
    "av1": ("-c:v", "libsvtav1", "-preset", "9", "-crf", "20", "-svtav1-params", "tune=0"),
}
# What an ffmpeg without SVT-AV1 has, as 7.0 is that packages of Sinew carry.
_OTHER_AV1 = "-c:v libaom-av1 -usage realtime -cpu-used 8 -row-mt 1 -crf 20 -b:v 0"


def film_name(plan: Plan) -> str:
    """Return the temporary name of a video until it is whole."""
    return "film" + plan.out.suffix.lower()


def command(plan: Plan) -> list[str]:
    """Return the program and its arguments; frames come through its standard input."""
    (width, height), (frames, seconds) = plan.frame_size, plan.rate
    program = _program()
    found = [
        *(program, "-nostdin", "-y", "-v", "error"),
        *("-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{width}x{height}", "-r", f"{frames}/{seconds}", "-i", "pipe:0"),
    ]
    if plan.has_sound:
        found += ["-f", "s16le", "-ar", str(RATE), "-ac", str(CHANNELS), "-i", SOUND, "-map", "0:v", "-map", "1:a"]
    if plan.codec == "png":
        return [*found, "-vf", _ALPHA if plan.transparent else _OPAQUE, "-f", "image2", "-start_number", "1", FRAMES]
    if plan.codec == "gif":
        return [*found, "-filter_complex", _PALETTE, "-loop", "0", film_name(plan)]
    other = plan.codec == "av1" and not _encodes_by("libsvtav1", program)
    found += ["-vf", _YUV, *(_OTHER_AV1.split() if other else _CODECS[plan.codec])]
    in_mp4 = plan.out.suffix.lower() == ".mp4"
    if plan.has_sound:
        found += ["-c:a", *(("aac", "-b:a", "192k") if in_mp4 else ("libopus", "-b:a", "160k"))]
    if in_mp4:
        found += ["-movflags", "+faststart"]
    return [*found, film_name(plan)]


@cache
def _encodes_by(encoder: str, program: str) -> bool:
    """Tell whether an ffmpeg has an encoder; true where it does not say, for then it will say why it fails."""
    try:
        told = subprocess.run([program, "-hide_banner", "-encoders"], capture_output=True, text=True, check=False)
    except OSError:
        return True
    return told.returncode != 0 or f" {encoder} " in told.stdout


def _program() -> str:
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as problem:
        why = "the program ffmpeg, which writes them, is missing. Install the package imageio-ffmpeg"
        raise EngineError(f"no videos or pictures can be written: {why}, then export again") from problem
