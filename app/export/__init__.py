"""Export of pictures: a video or frames of a document, drawn off the screen and encoded by a program of its own."""
