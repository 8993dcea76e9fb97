"""What holds for every test: none measures time, since a kernel may be compiled at its first use."""

from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("evalsmith", deadline=None)
settings.load_profile("evalsmith")


# Tests that must not run beside each other, as those that start a Ray cluster: files whose tests one process runs.
# (pytest-xdist 3.8 writes the group of a test into its name, which pytest 9 no longer lets it do.)
GROUPS = {"tests/scale/test_cluster.py": "ray", "tests/examples/test_outside_engine.py": "outside_engine"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadgroup``, a scheduler that knows these groups."""
    from xdist.scheduler import LoadGroupScheduling

    class Grouping(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return GROUPS.get(nodeid.partition("::")[0]) or super()._split_scope(nodeid)

    return Grouping(config, log) if config.getoption("dist") == "loadgroup" else None
