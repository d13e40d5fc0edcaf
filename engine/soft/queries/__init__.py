"""What views ask of soft bodies."""
