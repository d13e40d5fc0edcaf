"""Goldens: what this version answers, kept on file, to show that a change of the tree changed nothing else."""
