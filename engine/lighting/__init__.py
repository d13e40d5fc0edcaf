"""Light: what shines on a scene, its ground and background, and the finish of actors. Nothing moves by it."""
