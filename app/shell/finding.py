"""Finding an action by a few letters: how well a line of text answers to what was typed.

Every word that was typed must be found. Best is a key, then the beginning of the label, of a word of it, its middle;
then letters of the label in their order ("fsel" finds "Frame selected"); last the menu and the id.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.shell.actions import Action
from app.shell.keymaps import key_text


def answers(query: str, action: Action, label: str, keys: Sequence[str]) -> float | None:
    """Score how well an action answers; None: not at all. An empty query is answered by all alike."""
    total = 0.0
    spoken = {form.lower() for key in keys for form in (key, key_text(key))}
    about = f"{action.menu} {action.submenu} {action.id}".lower()
    for word in query.lower().split():
        found = _in_label(word, label.lower())
        if word in spoken:
            found = 10.0
        elif not found and word in about:
            found = 1.0
        if not found:
            return None
        total += found
    return total - 0.01 * len(label) if total else 0.0


def _in_label(word: str, label: str) -> float:
    place = label.find(word)
    if place == 0:
        return 8.0
    if f" {word}" in label:
        return 6.0
    if place > 0:
        return 4.0
    return 2.0 * _closeness(word, label) if len(word) > 1 else 0.0


def _closeness(word: str, label: str) -> float:
    """1 where the letters stand together, less the wider they are strewn; 0 where they are not all there in order."""
    start = next((at for at in range(len(label)) if label[at] == word[0] and (at == 0 or label[at - 1] == " ")), None)
    if start is None:
        return 0.0
    at = start
    for letter in word[1:]:
        at = label.find(letter, at + 1)
        if at < 0:
            return 0.0
    return len(word) / (at - start + 1)
