"""Ray reads how long a node may take to start when it is imported; a machine that runs tests is a busy one."""

from __future__ import annotations

import os

os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")
