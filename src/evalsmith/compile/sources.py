"""Which source files a Python file depends on: what a cache of anything made from it must look at."""

from __future__ import annotations

import functools
import re
from pathlib import Path

# What a statement imports: ``from 1 import 2`` or ``import 3``. Words of a text or a comment that look like it do no
# harm: a file too many is hashed.
_GAP = r"(?:[ \t]|\\\n)*"
_NAMES = r"\((?:[^)#]|#[^\n]*)*\)|(?:[^\n\\;#]|\\\n)*"
_IMPORT = re.compile(
    rf"(?:^|[;:]){_GAP}(?:from\b{_GAP}([.\w]+?){_GAP}\bimport\b{_GAP}({_NAMES})|import\b({_NAMES}))", re.MULTILINE
)

_OWN = Path(__file__).resolve().parents[2]


def imported_sources(files: list[Path]) -> set[Path]:
    """These files and all that they import from their own packages, however far.

    Only packages that stand beside one of the files, or Evalsmith's own, are followed: numba's and numpy's versions
    are known otherwise. A process reads each file once, as it does when it imports it.
    """
    found: set[Path] = set()
    waiting = [file.resolve() for file in files]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += _directly_imported(file)
    return found


@functools.cache
def _directly_imported(file: Path) -> list[Path]:
    root = _package_root(file.parent)
    found = []
    for base, names, plain in _IMPORT.findall(file.read_text(encoding="utf-8", errors="replace")):
        children = re.findall(r"\w+", names)
        for module in [base] if base else _plain_modules(plain):
            found += _module_files(module, children, file, root)
    return found


def _plain_modules(names: str) -> list[str]:
    """The modules that ``import names`` makes reachable: ``a.b`` gives ``a`` as well, ``a.b as c`` does not."""
    modules = []
    for words in (name.replace("\\", " ").split() for name in names.split(",")):
        if len(words) == 1:
            parts = words[0].split(".")
            modules += [".".join(parts[: i + 1]) for i in range(len(parts))]
        else:
            modules += words[:1]
    return modules


@functools.cache
def _package_root(folder: Path) -> Path:
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _module_files(module: str, children: list[str], file: Path, root: Path) -> list[Path]:
    """The files that ``from module import children`` in ``file`` may load."""
    places = {root, _OWN}
    if module.startswith("."):
        level = len(module) - len(module.lstrip("."))
        module, places = module.lstrip("."), {file.parents[level - 1]}
    found: list[Path] = []
    for place in places:
        found += _files_of(place, module)
        if _is_folder(place, module):
            for child in children:
                found += _files_of(place, f"{module}.{child}" if module else child)
    return found


@functools.cache
def _files_of(place: Path, module: str) -> tuple[Path, ...]:
    """The files in ``place`` that a module of that name is read from."""
    name = place / module.replace(".", "/")
    both = (Path(f"{name}.py"), name / "__init__.py")
    return tuple(candidate.resolve() for candidate in both if candidate.is_file())


@functools.cache
def _is_folder(place: Path, module: str) -> bool:
    return (place / module.replace(".", "/")).is_dir()
