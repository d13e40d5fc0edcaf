"""Commands of spacetime constraints."""
