"""One visual per kind of thing that is drawn. They load OpenGL; only the canvas imports them."""
