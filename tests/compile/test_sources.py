"""Which files a file imports, in every way that Python lets one write it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import evalsmith
from evalsmith.compile.sources import imported_sources

FORMS = [
    "from . import a",
    "from.a import x",
    "from .a import x",
    "from .a import *",
    "from pkg import a",
    "from pkg.a import x as y",
    "import pkg.a",
    "import pkg.a as y",
    "import os, pkg.a as y, sys",
    "import os; import pkg.a",
    "from os import path; from .a import x",
    "if True: from .a import x",
    "try:\n    from .a import x\nexcept ImportError:\n    pass",
    "def f():\n\timport pkg.a",
    "from . import (\n    b,  # (not this one)\n    a,\n)",
    "from pkg import \\\n    b, \\\n    a",
    "from pkg import \\\n    (b,\n    a)",
    "import os\nimport sys\nfrom os import path\nfrom .a import x",
    "from .b import y\nfrom .a import x",
    "from .b import y\nimport pkg.a",
    "import pkg.b  # and\nimport pkg.a  # this",
    "from pkg.sub import far",
    "from .sub.deep import far",
]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    texts = {
        "__init__": "",
        "a": "",
        "b": "",
        "alone": "",
        "sub/__init__": "from .deep import far",
        "sub/deep": "from ..a import x",
        "sub/kernels": "",
    }
    for name, text in texts.items():
        file = tmp_path / "pkg" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "pkg"


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_import_is_followed(package: Path, form: str) -> None:
    subject = package / "subject.py"
    subject.write_text(f'"""A module."""\n{form}\nNUMBER = 1\n')
    found = imported_sources([subject])
    assert {subject, package / "a.py"} <= found
    assert package / "alone.py" not in found


@pytest.mark.parametrize("form", ["from .. import a", "from ..a import x", "from ...pkg.a import x", "import pkg.a"])
def test_imports_lead_out_of_a_folder(package: Path, form: str) -> None:
    subject = package / "sub" / "kernels.py"
    subject.write_text(form)
    assert package / "a.py" in imported_sources([subject])


def test_a_plain_import_reaches_the_packages_on_its_way(package: Path) -> None:
    subject = package / "subject.py"
    subject.write_text("import pkg.sub.kernels")
    assert package / "sub" / "__init__.py" in imported_sources([subject])


def test_an_alias_reaches_only_its_module(package: Path) -> None:
    subject = package / "subject.py"
    subject.write_text("import pkg.sub.kernels as short")
    assert imported_sources([subject]) == {subject, package / "sub" / "kernels.py"}


def test_circles_end(package: Path) -> None:
    (package / "a.py").write_text("from . import b")
    (package / "b.py").write_text("from . import a")
    assert imported_sources([package / "a.py"]) == {package / name for name in ("a.py", "b.py", "__init__.py")}


def test_evalsmith_is_followed_from_outside_and_other_packages_are_not(package: Path) -> None:
    subject = package / "subject.py"
    subject.write_text("import numpy as np\nfrom evalsmith.games.contract import contract\n")
    root = Path(evalsmith.__file__).parent
    found = imported_sources([subject])
    assert {root / "compile" / "operations.py", root / "games" / "contract.py", root / "run" / "errors.py"} <= found
    assert all(file == subject or root in file.parents for file in found)


def test_no_import_of_evalsmith_itself_is_overlooked() -> None:
    root = Path(evalsmith.__file__).parent
    for file in root.rglob("*.py"):
        wanted = {place for name in imported_names(file) for place in places_of(root.parent, name)}
        assert wanted <= imported_sources([file]), file


def imported_names(file: Path) -> list[str]:
    """The modules of Evalsmith that a file imports, as Python's own parser sees them."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            names += [name.name for name in node.names]
    return [name for name in names if name.startswith("evalsmith")]


def places_of(root: Path, name: str) -> list[Path]:
    base = root / name.replace(".", "/")
    return [place.resolve() for place in (base.with_suffix(".py"), base / "__init__.py") if place.is_file()]
