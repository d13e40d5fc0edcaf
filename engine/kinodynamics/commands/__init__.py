"""Commands of secondary motion: edits that are worked out from simulations."""
