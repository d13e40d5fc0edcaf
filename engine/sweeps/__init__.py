"""Sweeps: a scene done many times with other numbers, each time measured, as one table.

A study (`study`) names a document, edits of it with arguments that vary (`varied`), and results. Each row is a list of
edits (`rows`), done and measured wherever there is room (`row`, `engine.long.pieces`), and kept in a table as soon as
it is known (`table`, `sweep`). Importing this package loads neither numpy nor a kernel.
"""
