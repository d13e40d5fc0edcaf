"""Examples that are simulated, and in no golden: the last bit of another processor decides how a fall ends."""

SIMULATED = {
    "ragdoll", "jelly", "snake", "word", "stool", "table", "lizard", "biceps", "overlap", "regions", "hat", "arm",
    "flesh", "seesaw", "dam", "splash", "floats", "duck", "face_down", "waves", "stream", "pond", "belly",
    "leap", "two_particles", "throw", "dropped",
}  # fmt: skip
