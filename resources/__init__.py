"""What the application shows and ships: figures, fonts, icons. Read through importlib.resources."""
