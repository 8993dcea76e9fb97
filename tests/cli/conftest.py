"""What the tests of the verbs share."""

import sys

import pytest

from evalsmith.cli.main import main


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command in an empty folder; its exit code, standard output, and standard error but for what is compiled."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["evalsmith", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        seen = capsys.readouterr()
        return code, seen.out, "\n".join(x for x in seen.err.splitlines() if not x.startswith("compiling"))

    return call
