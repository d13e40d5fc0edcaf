"""Inverse kinematics: goals, problems, and one module for each solver."""
