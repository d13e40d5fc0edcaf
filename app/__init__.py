"""Sinew's window: everything that needs Qt or OpenGL. Holds no formula of the subject; asks the engine."""
