"""Weights written into sources: only numbers change, all of them or none, in every language."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from evalsmith.games import find_game
from evalsmith.run.errors import InputError
from evalsmith.weights import OutsideFeature, OutsideWeights, Weights, starting_weights
from evalsmith.weights.patching import patch_file, patch_text


def outside(**groups: list[tuple[float, float]]) -> OutsideWeights:
    """Weights with these groups; a name that ends in _one is single."""
    features, values = [], []
    for group, pairs in groups.items():
        for number, pair in enumerate(pairs):
            features.append(OutsideFeature(f"{group}[{number}]", group, single=group.endswith("_one")))
            values.append(pair)
    return OutsideWeights(tuple(features), ("mg", "eg"), np.array(values, dtype=float).T.copy())


SMALL = outside(pawn=[(82, 94)], knight=[(-7, 1000), (12, 3)], tempo_one=[(9, 9)])

CPP = """#include "score.h"  // S2 and 3 stay
constexpr Score Values[3] = {  // 1, 2
    // evalsmith: begin pawn
    S(100, 100),   /* pawn 1 */
    // evalsmith: end
    /* evalsmith: begin knight */ S(  10,   20), S(  30,   40) /* evalsmith: end */
};
// evalsmith: begin tempo_one
static const int32_t tempo = 4; // 5
// evalsmith: end
int table[8] = {1, 2};
"""


def patched(source: str, name: str, weights: OutsideWeights | Weights = SMALL, **options: bool) -> str:
    return patch_text(source, Path(name), weights, **options).after


def test_pairs_in_macros_keep_their_layout() -> None:
    after = patched(CPP, "eval.cpp")
    assert after == CPP.replace("S(100, 100)", "S(82, 94)").replace(
        "S(  10,   20), S(  30,   40)", "S(  -7, 1000), S(  12,    3)"
    ).replace("tempo = 4;", "tempo = 9;")


LANGUAGES = [
    (
        "w.rs",
        "pub static K: [[i32; 2]; 2] = [[1, 2], [3, 4_i32]];",
        "pub static K: [[i32; 2]; 2] = [[-7, 1000], [12, 3_i32]];",
    ),
    (
        "W.java",
        "static final int[] K = new int[] {1, +2,\n  3L, 0x4};",
        "static final int[] K = new int[] {-7, +1000,\n  12L, 3};",
    ),
    ("w.py", "K: list[int] = [\n    1, 2,  # 3\n    -3, 4,\n]", "K: list[int] = [\n    -7, 1000,  # 3\n    12, 3,\n]"),
    ("x.py", "v = {}\nv[7], v[8] = 1, 2\nv[9] = (3,\n  4)", "v = {}\nv[7], v[8] = -7, 1000\nv[9] = (12,\n  3)"),
    (
        "w.c",
        "#define A -1\n#define B 2\n#define C 3\n#define D 4",
        "#define A -7\n#define B 1000\n#define C 12\n#define D 3",
    ),
    ("w.h", "int a = 1, b = 2;\nint c[2] = { 3, - 4 };", "int a = -7, b = 1000;\nint c[2] = { 12, 3 };"),
    ("w.hpp", "double k[2][2] = {{1.5, 2.}, {3.25f, 4e0}};", "double k[2][2] = {{-7.0, 1000.}, {12.00f, 3.0}};"),
    (
        "w.cpp",
        "char c = '1'; auto t = \"2, 3\"; int k[4] = {1'000, 2, 3, 4};",
        "char c = '1'; auto t = \"2, 3\"; int k[4] = {-7, 1000, 12, 3};",
    ),
]


@pytest.mark.parametrize(("name", "before", "after"), LANGUAGES)
def test_languages(name: str, before: str, after: str) -> None:
    comment = "#" if name.endswith(".py") else "//"
    begin, end = f"{comment} evalsmith: begin knight\n", f"\n{comment} evalsmith: end\n"
    assert patched(begin + before + end, name, partial=True) == begin + after + end


def test_orders() -> None:
    def marked(order: str, numbers: str) -> str:
        return f"// evalsmith: begin knight {order}\n{{{numbers}}}\n// evalsmith: end\n"

    assert "{-7, 12, 1000, 3}" in patched(marked("columns", "1, 2, 3, 4"), "w.c", partial=True)
    assert "{-7, 1000, 12, 3}" in patched(marked("pairs", "1, 2, 3, 4"), "w.c", partial=True)
    assert "{1000, 3}" in patched(marked("eg", "1, 2"), "w.c", partial=True)
    assert "{-7, 12}" in patched(marked("0", "1, 2"), "w.c", partial=True)
    with pytest.raises(InputError, match=r"line 1: 'knight' has no order or column 'endgame'; .* columns mg, eg"):
        patched(marked("endgame", "1, 2"), "w.c", partial=True)


def test_both_columns_of_a_group_apart_are_all_of_it() -> None:
    source = "\n".join(
        f"// evalsmith: begin {name}\n{{{numbers}}}\n// evalsmith: end"
        for name, numbers in (("pawn", "1, 1"), ("knight mg", "1, 2"), ("knight eg", "3, 4"), ("tempo_one", "0"))
    )
    assert "{1000, 3}" in patched(source, "w.c")
    with pytest.raises(InputError, match="no section for 'knight'"):
        patched(source.replace("knight eg", "knight mg"), "w.c")


def test_one_feature_by_its_name() -> None:
    source = "# evalsmith: begin knight[1]\nA = (0, 0)\n# evalsmith: end\n"
    assert "A = (12, 3)" in patched(source, "w.py", partial=True)
    with pytest.raises(InputError, match=r"no section for 'pawn', 'knight\[0\]', 'tempo_one'"):
        patched(source, "w.py")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("int x;", "w.c has no markers; expected comments `evalsmith: begin NAME`"),
        ("// evalsmith: begin pawn\n{1, 2}", "line 1: 'pawn' begins and never ends"),
        ("{1}\n// evalsmith: end", "line 2: `evalsmith: end` without a `begin`"),
        ("// evalsmith: begin pawn\n// evalsmith: begin knight\n", "line 2: a section begins inside 'pawn' of line 1"),
        ("// evalsmith: begin\n// evalsmith: end", "line 1: `evalsmith: begin` without a name"),
        ("// evalsmith: start pawn", "line 1: expected `evalsmith: begin NAME` or `evalsmith: end`, not 'start'"),
        (
            "\n// evalsmith: begin bishop\n1, 2\n// evalsmith: end",
            "line 2: the weights have no 'bishop'; they have: pawn, kn",
        ),
        (
            "// evalsmith: begin pawn\n1, 2, 3\n// evalsmith: end",
            r"line 1: 'pawn' has 3 numbers, .* have 2 \(2 columns of 1\)",
        ),
        ("// evalsmith: begin knight eg\n1\n// evalsmith: end", "'knight' has 1 numbers, .* have 2 in the column eg"),
        ("// evalsmith: begin pawn\n1, 2 - 3\n// evalsmith: end", "line 2: '1, 2 - 3' is an expression"),
        ("// evalsmith: begin pawn\n1, 2 * X\n// evalsmith: end", "line 2: '1, 2 \\* X' is an expression"),
        (
            "// evalsmith: begin pawn\n1, 2\n// evalsmith: end",
            "no section for 'knight', 'tempo_one'; .* or give --partial",
        ),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(tmp_path: Path, source: str, reason: str) -> None:
    path = tmp_path / "w.c"
    path.write_text(source)
    with pytest.raises(InputError, match=reason):
        patch_file(path, SMALL)
    assert path.read_text() == source and list(tmp_path.iterdir()) == [path]


def test_files_and_languages_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no source file .*absent\.c"):
        patch_file(tmp_path / "absent.c", SMALL)
    (tmp_path / "w.txt").write_text("1")
    with pytest.raises(InputError, match="does not say its language; expected C, C"):
        patch_file(tmp_path / "w.txt", SMALL)


def test_fractions_do_not_become_integers() -> None:
    source = "// evalsmith: begin a\n{1, 1.00}\n// evalsmith: end"
    with pytest.raises(InputError, match=r"line 2: 1 is an integer, and the weight is 0\.5; round the weights first"):
        patched(source, "w.c", outside(a=[(0.5, 2)]))
    assert "{3, 0.25}" in patched(source, "w.c", outside(a=[(3, 0.25)]))
    assert "{3, 0.125}" in patched(source, "w.c", outside(a=[(3, 0.125)]))


def test_bytes_between_the_numbers_stay(tmp_path: Path) -> None:
    """Line ends of Windows, a byte order mark, and letters of an old encoding."""
    path = tmp_path / "w.c"
    before = b"\xef\xbb\xbf// caf\xe9\r\n// evalsmith: begin pawn\r\n\tS(1,\t2)\r\n// evalsmith: end\r\n"
    path.write_bytes(before)
    path.chmod(0o750)
    found = patch_file(path, SMALL, partial=True)
    assert path.read_bytes() == before.replace(b"S(1,\t2)", b"S(82,\t94)")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert (found.numbers, found.changed, found.without_place) == (2, 2, ("knight", "tempo_one"))
    assert "-\tS(1,\t2)" in found.diff() and "+\tS(82,\t94)" in found.diff()
    assert patch_file(path, SMALL, partial=True).same


def test_a_preview_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "eval.cpp"
    path.write_text(CPP)
    assert patch_file(path, SMALL, write=False).changed == 7
    assert path.read_text() == CPP


def test_fixed_features_need_no_place() -> None:
    features = (OutsideFeature("pawn", "pawn"), OutsideFeature("rest", "rest", fixed=True))
    weights = OutsideWeights(features, ("mg", "eg"), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert "{1, 3}" in patched("// evalsmith: begin pawn\n{0, 0}\n// evalsmith: end", "w.c", weights)


def test_weights_of_a_game() -> None:
    weights = starting_weights(find_game("connect_four"))
    name, size = weights.layout.features[-1]
    numbers = ", ".join(["0"] * 2 * size)
    after = patched(
        f'// evalsmith: begin "{name}" columns\n{{{numbers}}}\n// evalsmith: end', "w.c", weights, partial=True
    )
    expected = weights.values[:, weights.layout.slice_of(name)].reshape(-1).tolist()
    assert f"{{{', '.join(map(str, expected))}}}" in after
