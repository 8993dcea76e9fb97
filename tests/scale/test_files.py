"""Files of a job on another machine: used where they are the same, fetched once where not, and named as there."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.players.files import sent_files
from evalsmith.run import InputError, OutputError
from evalsmith.scale import Job, files
from evalsmith.scale.files import Sent, digest_of, files_of, local_word, receive

FOUR = find_game("connect_four")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(files.CACHE, str(tmp_path / "cache"))
    yield
    files._translations.clear()


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_file_is_fetched_once_and_then_stays(tmp_path: Path) -> None:
    engine = program(tmp_path / "engine")
    content, fetched = engine.read_bytes(), list[str]()
    sent = [one for one, _ in files_of(Job("x:y", files=((str(engine), engine),)))]
    engine.unlink()  # as on a machine that does not have it

    def fetch(digest: str) -> bytes:
        fetched.append(digest)
        return content

    for _ in range(2):
        receive(sent, fetch)
    assert fetched == [sent[0].digest]
    copy = Path(local_word(str(engine)))
    assert (copy.name, copy.read_bytes(), copy.stat().st_mode & 0o777) == ("engine", content, 0o755)
    assert local_word(f"--book={engine}") == f"--book={copy}"
    assert local_word("--depth=3") == "--depth=3"


def test_the_same_file_at_the_same_place_is_used(tmp_path: Path) -> None:
    engine = program(tmp_path / "engine")
    receive([Sent(str(engine), digest_of(engine), "engine", True)], lambda digest: pytest.fail("it is here"))
    assert local_word(str(engine)) == str(engine)


def test_another_file_at_the_same_place_is_not(tmp_path: Path) -> None:
    engine = program(tmp_path / "engine")
    sent = Sent(str(engine), digest_of(engine), "engine", True)
    content = engine.read_bytes()
    engine.write_text("#!/bin/sh\nexit 1\n")
    receive([sent], lambda digest: content)
    assert local_word(str(engine)) != str(engine)


def test_what_arrives_broken_or_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Sent("/nowhere/engine", "0" * 32, "engine", True)
    with pytest.raises(OutputError, match="is not what was written there"):
        receive([sent], lambda digest: b"something else")
    monkeypatch.setenv(files.CACHE, "/dev/full/cache")
    with pytest.raises(OutputError, match="/dev/full"):
        receive([sent], lambda digest: b"something")


def test_a_player_names_its_files_and_finds_them_where_it_arrives(tmp_path: Path) -> None:
    engine, book = program(tmp_path / "engine"), program(tmp_path / "book.bin")
    player = parse_player(f"uci:{engine} --book={book} --threads 1", FOUR)
    assert dict(sent_files(player)) == {str(engine): engine, str(book): book}
    contents = {digest_of(path): path.read_bytes() for path in (engine, book)}
    sent = [one for one, _ in files_of(Job("x:y", files=sent_files(player)))]
    moved = pickle.dumps(player)
    for path in (engine, book):
        path.write_text("another")
    receive(sent, contents.__getitem__)
    arrived = pickle.loads(moved).here()
    command = arrived.outside.launch.command
    assert [Path(word.partition("=")[2] or word).name for word in command[:2]] == ["engine", "book.bin"]
    assert all(str(tmp_path / "cache") in word for word in command[:2])
    assert command[2:] == ("--threads", "1")


def test_a_program_without_a_folder_must_be_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "tinkerbell")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        player = parse_player("uci:tinkerbell;name=t", FOUR)
        assert sent_files(player) == ()
    with pytest.raises(InputError, match="player 't': no program 'tinkerbell'"):
        player.here()
    assert player.outside is not None
    gone = replace(player.outside, launch=replace(player.outside.launch, cwd=tmp_path / "gone"))
    with pytest.raises(InputError, match="there is no folder"):
        gone.here()
