"""Commands of physics."""
