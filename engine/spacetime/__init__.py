"""Motion from purpose: least-effort motions that physics allows, by spacetime constraints; see README.md."""
