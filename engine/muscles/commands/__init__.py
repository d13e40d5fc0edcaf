"""Commands of muscles."""
