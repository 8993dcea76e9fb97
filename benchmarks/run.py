"""Run every benchmark of this folder, one after another: ``make bench``, or ``python benchmarks/run.py othello``.

Each compares with a peer in the same run and prints ratios; machines differ, ratios much less.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    wanted = sys.argv[1:]
    scripts = [path for path in sorted(HERE.glob("bench_*.py")) if not wanted or path.stem[6:] in wanted]
    if not scripts:
        names = ", ".join(path.stem[6:] for path in sorted(HERE.glob("bench_*.py")))
        print(f"no benchmark of that name; there are: {names}", file=sys.stderr)
        return 2
    failed = []
    for script in scripts:
        print(f"── {script.stem[6:]} " + "─" * (70 - len(script.stem)), flush=True)
        if subprocess.run([sys.executable, script], check=False).returncode:
            failed.append(script.stem)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
