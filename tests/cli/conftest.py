"""What the tests of the verbs share."""

import io
import sys

import pytest

from evalsmith.cli.main import main


@pytest.fixture
def finish(capsys):
    """Run the command of ``sys.argv``; its exit code, standard output, and standard error but for what is compiled."""

    def call():
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        seen = capsys.readouterr()
        return code, seen.out, "".join(x for x in seen.err.splitlines(True) if not x.startswith("compiling"))

    return call


@pytest.fixture
def run(monkeypatch, finish, tmp_path):
    """Run a command in an empty folder, with lines on standard input where some are typed; as ``finish``."""
    monkeypatch.chdir(tmp_path)

    def call(*words, typed=None):
        monkeypatch.setattr(sys, "argv", ["evalsmith", *map(str, words)])
        if typed is not None:
            monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return finish()

    return call
