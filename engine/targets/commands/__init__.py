"""Commands of targets: edits that are worked out by inverse kinodynamics."""
