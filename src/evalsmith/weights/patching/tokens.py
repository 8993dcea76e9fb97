"""The tokens of a C, C++, Rust, Java or Python source that patching needs: comments, texts, words, numbers, signs.

Nothing is understood beyond that: a number is a number wherever it stands outside comments, texts and words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalsmith.run import InputError

C_LIKE = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".rs", ".java")
PYTHON = (".py",)
COMMENT, TEXT, WORD, NUMBER, SIGN = "comment", "text", "word", "number", "sign"

_NUMBER = (
    r"(?P<number>0[xX][0-9a-fA-F_']+\w*"
    r"|(?:\d[\d_']*)(?:\.(?!\.)[\d_']*)?(?:[eE][+-]?\d+)?[a-zA-Z_]\w*"  # with a suffix: 10L, 1.5f, 7_i32
    r"|(?:\d[\d_']*)(?:\.(?!\.)[\d_']*)?(?:[eE][+-]?\d+)?"
    r"|\.\d[\d_]*(?:[eE][+-]?\d+)?\w*)"
)
_C = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>\bR\"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)\"|\br#+\".*?\"#+|\"(?:\\.|[^\"\\\n])*\"|'(?:\\[^\n]{1,9}?|[^'\\\n])')"
    rf"|{_NUMBER}|(?P<word>[^\W\d]\w*)|(?P<sign>[^\w\s])",
    re.DOTALL,
)
_PYTHON = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<text>\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    rf"|{_NUMBER}|(?P<word>[^\W\d]\w*)|(?P<sign>[^\w\s])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source text, from ``begin`` to ``end``."""

    kind: str
    begin: int
    end: int
    text: str


def tokens(source: str, path: Path) -> Iterator[Token]:
    """The tokens of a source in order, by the language that its name says; blanks are left out."""
    suffix = path.suffix.lower()
    if suffix not in C_LIKE + PYTHON:
        raise InputError(
            f"the name of {path} does not say its language; expected C, C++, Rust, Java or Python "
            f"({', '.join(C_LIKE + PYTHON)})"
        )
    for match in (_PYTHON if suffix in PYTHON else _C).finditer(source):
        kind = match.lastgroup if match.lastgroup != "raw" else TEXT
        assert kind is not None
        yield Token(kind, match.start(), match.end(), match.group())
