"""Style: the look of the application. Theme tokens, fonts, icons, the style sheet, and the small painted widgets.

Imports Qt only, so that it can be tried and tested without a document.
"""
