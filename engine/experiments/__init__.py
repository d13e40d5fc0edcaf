"""Experiments: each published table and figure, reproduced without a window."""
