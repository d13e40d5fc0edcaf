"""What views ask of muscles."""
