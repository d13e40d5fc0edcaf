"""How Sphinx makes the site: nothing is asked of a network, neither as it is made nor as it is read."""

from __future__ import annotations

project = "Sinew"
author = "The Sinew developers"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["templates"]
templates_path = ["templates"]
language = "en"
highlight_language = "text"
myst_heading_anchors = 3
myst_links_external_new_tab = False
suppress_warnings: list[str] = []
nitpicky = True

html_theme = "furo"
html_title = "Sinew"
html_static_path = ["style"]
html_css_files = ["sinew.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_permalinks = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f6058", "color-brand-content": "#0f6058"},
    "dark_css_variables": {"color-brand-primary": "#4fb8a8", "color-brand-content": "#4fb8a8"},
}
