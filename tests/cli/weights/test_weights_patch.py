"""``evalsmith weights patch`` and ``export`` by suffix, as a user types them."""

from __future__ import annotations

import json
import runpy

WEIGHTS = "name,group,mg,eg,kind\npawn,material,82,94,\nknight,material,337,281,\ntempo,tempo,12,12,single\n"
SOURCE = """// evalsmith: begin material
Score material[] = { S(100, 100), S(300, 300) };
// evalsmith: end
int tempo = 0;
"""


def test_patch_a_source(run, tmp_path):
    (tmp_path / "w.csv").write_text(WEIGHTS)
    source = tmp_path / "eval.cpp"
    source.write_text(SOURCE)
    code, _, err = run("weights", "patch", "eval.cpp", "--weights", "w.csv")
    assert code == 2 and "eval.cpp has no section for 'tempo'" in err and source.read_text() == SOURCE
    words = ("weights", "patch", "eval.cpp", "--weights", "w.csv", "--partial")
    code, out, err = run(*words, "--diff")
    assert code == 0 and "+Score material[] = { S(82, 94), S(337, 281) };" in out and "not in eval.cpp: tempo" in err
    code, out, _ = run(*words, "--check")
    assert code == 1 and "4 of 4 numbers would change" in out and source.read_text() == SOURCE
    code, out, _ = run(*words, "--json")
    assert code == 0
    assert json.loads(out) == {
        "source": "eval.cpp", "numbers": 4, "changed": 4, "sections": ["material"], "without_place": ["tempo"],
    }  # fmt: skip
    assert source.read_text() == SOURCE.replace("S(100, 100), S(300, 300)", "S(82, 94), S(337, 281)")
    assert run(*words, "--check")[0] == 0
    code, _, err = run("weights", "patch", "eval.cpp", "--weights", "absent.csv")
    assert code == 2 and "absent.csv" in err and len(err.strip().splitlines()) == 1


def test_export_by_suffix(run, tmp_path):
    (tmp_path / "w.csv").write_text(WEIGHTS)
    for name in ("w.json", "w.h", "w.rs", "w.py"):
        code, out, err = run("weights", "export", "w.csv", "-o", name)
        assert code == 0 and f"written: {name}" in out, err
    assert runpy.run_path(str(tmp_path / "w.py"))["MATERIAL"] == [[82, 337], [94, 281]]
    assert run("weights", "export", "w.json", "-o", "again.csv")[0] == 0
    assert (tmp_path / "again.csv").read_text() == WEIGHTS
    assert run("weights", "export", "hand-set", "--game", "chess", "-o", "c.csv")[0] == 0
    assert (tmp_path / "c.csv").read_text().startswith("feature,index,is,")
    for words, reason in (
        (("hand-set", "--game", "chess", "-o", "x.txt"), "does not say its format"),
        (("hand-set", "--game", "chess"), "name one file to write, with -o"),
        (("hand-set", "a.rs", "-o", "b.rs", "--game", "chess"), "name one file to write"),
    ):
        code, _, err = run("weights", "export", *words)
        assert code == 2 and reason in err
