"""Every verb that reads a file says in one line what is wrong with it: missing, empty, no text, of another kind."""

import shutil

import pytest

VERBS = {
    "data import": "data import X -o out",
    "data import of a game": "data import X -o out --game chess",
    "data label": "data label X --by search --nodes 10 -o out",
    "data info": "data info X",
    "data merge": "data merge X X -o out",
    "data split": "data split X -o out",
    "data sample": "data sample X -o out",
    "data export": "data export X out.txt --format csv",
    "data convert": "data convert X out.csa",
    "tune": "tune X -o w.json",
    "tune a game": "tune X -o w.json --game chess",
    "tune from a file of settings": "tune --config X -o w.json",
    "ablate": "ablate X --drop group -o out",
    "spsa": "spsa X",
    "improve": "improve connect_four -o out --from X --generations 1",
    "probcut fit": "probcut fit othello X -o w.json",
    "weights show": "weights show X",
    "weights check": "weights check X --on X",
    "weights check on": "weights check fitted --on X",
    "weights diff": "weights diff X X",
    "weights export": "weights export X out.h",
    "weights patch": "weights patch X --weights fitted --game othello",
    "weights patch from": "weights patch source.c --weights X",
    "suite build": "suite build X -o out --nodes 10",
    "suite run": "suite run X --player self --nodes 10 -o out",
    "suite compare": "suite compare X X",
    "suite export": "suite export X out.epd",
    "match": "match connect_four --player X --player random --games 2 -o out",
    "match from a book": "match chess --player random --player random --games 2 --openings X -o out",
    "match of a program": "match chess --player uci:X --player random --games 2 --nodes 5 -o out",
    "tournament": "tournament X",
    "stats": "stats --crosstable X",
    "placements": "placements X --referee random --ply 4 --times 1 -o out",
    "report": "report X",
    "check-engine": "check-engine uci:X",
    "lockstep": "lockstep chess X self --depth 1",
    "search": "search chess --weights X --nodes 5",
    "explain": "explain chess --weights X",
    "play": "play chess --weights X",
    "net train": "net train X -o out.safetensors",
    "net evaluate": "net evaluate othello X self --games 1",
    "net export": "net export X -o out.onnx",
    "net selfplay": "net selfplay othello --net X -o out --games 1",
}
WRONG = ["missing", "missing.pgn", "empty.pgn", "binary.bin", "folder", "other.json", "lines.txt"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "empty.pgn").touch()
    (tmp_path / "binary.bin").write_bytes(bytes(range(256)) * 16)
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.json").write_text('{"a": 1}\n')
    (tmp_path / "lines.txt").write_text("hello\nworld\n")
    (tmp_path / "source.c").write_text("int a = 1;\n")
    return sorted(path.name for path in tmp_path.iterdir())


# `tune NAME --game GAME` makes a dataset where there is none.
CASES = [(verb, file) for verb in VERBS for file in WRONG if (verb, file) != ("tune a game", "missing")]


@pytest.mark.parametrize(("verb", "file"), CASES)
def test_a_wrong_file_is_one_line_and_exit_code_2(verb, file, run, files, tmp_path):
    code, _, err = run(*VERBS[verb].replace("X", file).split(), typed=[])
    assert code == 2, (code, err)
    *before, last = err.strip().splitlines()
    assert last.startswith(("evalsmith: ", "Error: ")) and len(last) < 1500, err
    assert "Traceback" not in err and not any("Error:" in line for line in before), err
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == files, "a refused command leaves nothing behind"
