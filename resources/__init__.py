"""Sinew's figures, motions, fonts, icons and examples. Read through importlib.resources."""
