"""What the README shows of the command line is what the commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
TIMES = re.compile(r"in [\d.]+ s \([\d.]+ million/s\)")


def examples():
    """Pairs of command and output of the console blocks."""
    for block in re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def test_the_console_examples_are_true():
    found = list(examples())
    assert len(found) >= 3
    for command, output in found:
        words = command.split()
        assert words[0] == "evalsmith"
        run = subprocess.run(
            [sys.executable, "-m", *words],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"COLUMNS": "100"},
        )
        assert TIMES.sub("", run.stdout) == TIMES.sub("", output), command


def test_every_link_in_the_readme_leads_somewhere():
    for place in re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / place).exists(), place
