"""Commands of measured forces."""
