"""Soft bodies: meshes that give way, and move themselves by activation splines (Engell-Norregard 2012, part III)."""
