"""Commands of blend shapes."""
