"""The rules of the house that no linter knows, each a function from a root folder to what breaks it there.

They take the root so that a test can plant a violation in a copy of the tree and see it refused. What ruff, mypy
and import-linter can check is theirs (pyproject.toml), not repeated here.
"""

import ast
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from tests.house.sources import parsed

Rule = Callable[[Path], list[str]]

LONGEST_MODULE = 600
LONGEST_FUNCTION = 60
LONGEST_KERNEL = 110
DATA_TABLE = "data table"

KERNEL_DECORATORS = {"kernel", "entered_kernel", "parallel_kernel"}
BARE_DECORATORS = {"njit", "jit", "vectorize", "guvectorize", "stencil", "cfunc", "jit_module"}
MAY_DECORATE = {"engine/runtime/jit.py"}
FORBIDDEN_CLASS = re.compile(r"(Manager|Entity|Controller)s?$")
FORBIDDEN_MODULES = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "entity", "controller"}

# A cached kernel is a program that this machine compiled for itself; nothing else is ever unpickled.
PICKLERS = {"pickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
MAY_PICKLE = {"engine/runtime/jit.py", "engine/runtime/kernel_cache.py"}
ONLY_IN = {"casadi": ("engine/spacetime/", "tests/"), "hypothesis": ("tests/drawn.py",)}

ADDRESS_IN_LOCK = re.compile(r"://|index-url|find-links")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:work|root)/|/home/[a-z]\w*/|/Users/\w+/|[A-Z]:\\Users\\")
UNFINISHED = re.compile(r"\b(?:TO(?=DO\b)|FIX(?=ME\b)|XX(?=X\b))")

TEXT = {
    ".py",
    ".toml",
    ".md",
    ".lock",
    ".svg",
    ".json",
    ".txt",
    ".yml",
    ".yaml",
    ".sh",
    ".vert",
    ".frag",
    ".glsl",
    ".qss",
}
GENERATED = {"__pycache__", "build", "dist"}
HIDDEN_BUT_OURS = {".ci", ".gitignore"}

LOOKED_AT = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
    ast.keyword,
    ast.Attribute,
)

OF_EXPRESSIONS = ("numba", "pickle", "sleep")  # words of files in which a rule looks at more than statements

OURS = {"sinew", "engine", "app", "resources"}
# What is of use where it is installed, and is told where it is not.
DOES_WITHOUT = {
    "engine/formats/sound_file.py": {"imageio_ffmpeg"},
    "engine/long/cluster.py": {"distributed"},
    "engine/spacetime/ipopt.py": {"casadi"},
    "engine/sweeps/table.py": {"pyarrow"},
}

# Distributions whose import names are others.
IMPORT_NAMES = {"pyside6-essentials": {"PySide6"}, "pyopengl": {"OpenGL"}, "numba": {"numba", "llvmlite"}}


def module_length(root: Path) -> list[str]:
    """A module of more lines than that is two; a table of data may say so in its first line and be as long as it is."""
    found = []
    for path in python_files(root):
        lines = path.read_text(encoding="utf-8").splitlines()
        exempt = name_of(root, path).startswith("resources/") or (lines and DATA_TABLE in lines[0].lower())
        if len(lines) > LONGEST_MODULE and not exempt:
            found.append(f"{name_of(root, path)}: {len(lines)} lines, at most {LONGEST_MODULE}")
    return found


def function_length(root: Path) -> list[str]:
    """Longer than the house style's 40 (a kernel's 80) by half: then it is no longer a matter of taste."""
    found = []
    for path, node in nodes(root, ast.FunctionDef, ast.AsyncFunctionDef):
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
        lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
        is_kernel = any(last_name(decorator) in KERNEL_DECORATORS for decorator in node.decorator_list)
        limit = LONGEST_KERNEL if is_kernel else LONGEST_FUNCTION
        if lines > limit:
            found.append(f"{at(root, path, node)}: {node.name} has {lines} lines, at most {limit}")
    return found


def bare_numba_decorators(root: Path) -> list[str]:
    """Kernels go through the two decorators of engine/runtime/jit.py, or they hold the GIL and miss the cache."""
    found = []
    for path in python_files(root):
        if name_of(root, path) in MAY_DECORATE:
            continue
        tree = looked_at(path)
        aliases = {
            alias.asname or alias.name
            for node in tree
            if isinstance(node, ast.Import)
            for alias in node.names
            if alias.name == "numba"
        }
        for node in tree:
            taken: set[str] = set()
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
                taken = {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
                taken = {node.attr}
            found += [f"{at(root, path, node)}: bare numba.{name}" for name in sorted(taken & BARE_DECORATORS)]
    return found


def forbidden_names(root: Path) -> list[str]:
    """A name that says nothing is where code without a place collects."""
    found = [
        f"{at(root, path, node)}: class {node.name}"
        for path, node in nodes(root, ast.ClassDef)
        if isinstance(node, ast.ClassDef) and FORBIDDEN_CLASS.search(node.name)
    ]
    for path in python_files(root):
        words = {part.lower() for part in path.relative_to(root).with_suffix("").parts}
        found += [f"{name_of(root, path)}: the name {word}" for word in sorted(words & FORBIDDEN_MODULES)]
    return found


def pickling(root: Path) -> list[str]:
    """Unpickling runs what a file says; a file from another person must never be able to."""
    found = []
    for path, node in nodes(root, ast.Import, ast.ImportFrom, ast.keyword):
        if name_of(root, path) in MAY_PICKLE:
            continue
        if isinstance(node, ast.keyword):
            allows = node.arg == "allow_pickle" and not (isinstance(node.value, ast.Constant) and not node.value.value)
            found += [f"{at(root, path, node.value)}: allow_pickle"] if allows else []
        else:
            found += [f"{at(root, path, node)}: {name}" for name in sorted(top_imports(node) & PICKLERS)]
    return found


def rooms_of_imports(root: Path) -> list[str]:
    """Some packages are one room's alone."""
    return [
        f"{at(root, path, node)}: {name} is for {ONLY_IN[name][0]} alone"
        for path, node in nodes(root, ast.Import, ast.ImportFrom)
        for name in sorted(top_imports(node) & ONLY_IN.keys())
        if not name_of(root, path).startswith(ONLY_IN[name])
    ]


def undeclared_imports(root: Path) -> list[str]:
    """What engine/ and sinew/ import must be in the project's dependencies, and what app/ does there or among those of
    the window, or `pip install` gives a broken Sinew."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    always = {*OURS, *sys.stdlib_module_names, *import_names(project["dependencies"])}
    drawn = always | import_names(project["optional-dependencies"]["app"])
    declared = {"engine": always, "sinew": always, "app": drawn}
    found = []
    for path, node in nodes(root, ast.Import, ast.ImportFrom):
        name = name_of(root, path)
        allowed = declared.get(name.partition("/")[0])
        if allowed is not None:
            strange = top_imports(node) - allowed - DOES_WITHOUT.get(name, set())
            found += [f"{at(root, path, node)}: {each} is not among the dependencies" for each in sorted(strange)]
    return found


def import_names(requirements: Iterable[str]) -> set[str]:
    """What the packages that are required are imported as."""
    names = (re.split(r"[^\w.-]", requirement)[0].lower() for requirement in requirements)
    return set().union(*(IMPORT_NAMES.get(name, {name.replace("-", "_")}) for name in names))


def sleeping_tests(root: Path) -> list[str]:
    """A test that sleeps is slow on a good day and wrong on a bad one: wait for what is awaited."""
    found = []
    for path, node in nodes(root, ast.Attribute, ast.ImportFrom):
        if not name_of(root, path).startswith("tests/"):
            continue
        by_attribute = isinstance(node, ast.Attribute) and node.attr == "sleep" and last_name(node.value) == "time"
        by_import = isinstance(node, ast.ImportFrom) and node.module == "time" and "sleep" in imported(node)
        if by_attribute or by_import:
            found.append(f"{at(root, path, node)}: time.sleep")
    return found


def addresses_in_locks(root: Path) -> list[str]:
    """A lock that names the registry it was made from works for nobody else."""
    return [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(root.glob("*.lock"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ADDRESS_IN_LOCK.search(line)
    ]


def paths_of_a_machine(root: Path) -> list[str]:
    """A path of the machine that a file was written on is there and nowhere else."""
    return matching_lines(root, MACHINE_PATH)


def unfinished_work(root: Path) -> list[str]:
    """Work that is left is an issue, where it can be found and closed."""
    return matching_lines(root, UNFINISHED)


RULES: tuple[Rule, ...] = (
    module_length,
    function_length,
    bare_numba_decorators,
    forbidden_names,
    pickling,
    rooms_of_imports,
    undeclared_imports,
    sleeping_tests,
    addresses_in_locks,
    paths_of_a_machine,
    unfinished_work,
)


# Reading the tree


def text_files(root: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name not in GENERATED and is_ours(name))
        yield from (Path(folder, name) for name in sorted(names) if is_ours(name) and Path(name).suffix in TEXT)


def is_ours(name: str) -> bool:
    return (not name.startswith(".") or name in HIDDEN_BUT_OURS) and not name.endswith(".egg-info")


def python_files(root: Path) -> list[Path]:
    return [path for path in text_files(root) if path.suffix == ".py"]


def looked_at(path: Path) -> list[ast.AST]:
    """The nodes of a file that some rule asks for: walking all of them again for each rule takes ten times as long."""
    return _looked_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _looked_at(path: Path, _changed: int) -> list[ast.AST]:
    """A file that is no Python is empty here: ruff says where and why, once, and the other rules go on."""
    try:
        tree = parsed(path)
    except SyntaxError:
        return []
    text = path.read_text(encoding="utf-8")
    walked = ast.walk(tree) if any(word in text for word in OF_EXPRESSIONS) else statements(tree)
    return [node for node in walked if isinstance(node, LOOKED_AT)]


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement, in a fifth of the time that every node takes."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            waiting += getattr(node, name, ())


def nodes(root: Path, *kinds: type[ast.AST]) -> Iterator[tuple[Path, ast.AST]]:
    for path in python_files(root):
        yield from ((path, node) for node in looked_at(path) if isinstance(node, kinds))


def matching_lines(root: Path, pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in text_files(root):
        text = path.read_text(encoding="utf-8", errors="replace")
        if pattern.search(text):  # line by line takes ten times as long
            lines = enumerate(text.splitlines(), 1)
            found += [
                f"{name_of(root, path)}:{number}: {line.strip()[:120]}"
                for number, line in lines
                if pattern.search(line)
            ]
    return found


def top_imports(node: ast.AST) -> set[str]:
    """The packages that an import statement loads, by their first name."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return {node.module.split(".")[0]}
    return set()


def imported(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


def last_name(node: ast.AST) -> str:
    """`kernel` for kernel, runtime.kernel and kernel(...)."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def name_of(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def at(root: Path, path: Path, node: ast.AST) -> str:
    return f"{name_of(root, path)}:{getattr(node, 'lineno', 0)}"
