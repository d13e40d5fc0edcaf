"""Commands of water."""
