"""Packages that a wheel asks for, from the environment that runs this, by second names of their files.

Only what the wheel asks for, and what that asks for in turn, in versions that each of them allows: what is asked for by
nobody is not there, as after an installation by pip, which takes 15 s of processor time; what Python has compiled of it
comes along.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from email import message_from_string
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from smoke.second_names import second_name


def link_packages(site: Path, wanted: Iterable[str]) -> int:
    """Give a folder of packages all that requirements name, those of the extra `app` among them; how many there are."""
    count = 0
    for package in needed(wanted, {"app"}):
        count += 1
        for source, target in _files(package, site):
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                second_name(source, target)
    return count


def requirements_of(site: Path, name: str) -> list[str]:
    """What an installed package says that it asks for."""
    (path,) = site.glob(f"{name}-*.dist-info/METADATA")
    return message_from_string(path.read_text(encoding="utf-8")).get_all("Requires-Dist") or []


def needed(wanted: Iterable[str], extras: Iterable[str]) -> list[Distribution]:
    """The installed packages that requirements name, those that they ask for included, each once."""
    found: dict[tuple[str, str], Distribution] = {}
    left = [(text, extra) for text in wanted for extra in ("", *extras)]
    while left:
        text, extra = left.pop()
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        package = _installed(requirement)
        for asked in ("", *requirement.extras):
            if (requirement.name, asked) not in found:
                found[requirement.name, asked] = package
                left += [(each, asked) for each in package.requires or ()]
    return list({package.name: package for package in found.values()}.values())


def _installed(requirement: Requirement) -> Distribution:
    """Refuse a package that is not here, or in a version that is not allowed."""
    try:
        package = distribution(requirement.name)
    except PackageNotFoundError:
        raise SystemExit(f"smoke: the wheel asks for {requirement}, which is not installed here") from None
    if not requirement.specifier.contains(package.version, prereleases=True):
        raise SystemExit(f"smoke: the wheel asks for {requirement}, and {package.version} is installed here")
    return package


def _files(package: Distribution, site: Path) -> Iterator[tuple[Path, Path]]:
    """Each file of a package and the place for it, with what Python has compiled of it; its commands are left out."""
    for each in package.files or ():
        if ".." in each.parts or each.suffix == ".pyc":
            continue
        source = Path(str(each.locate()))
        yield source, site / each
        if source.suffix == ".py":
            compiled = Path(importlib.util.cache_from_source(str(source)))
            if compiled.exists():
                name = f"{source.stem}.{sys.implementation.cache_tag}.pyc"
                yield compiled, (site / each).parent / "__pycache__" / name
