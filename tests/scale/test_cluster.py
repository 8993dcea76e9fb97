"""Work on a Ray cluster of several nodes on this machine: the local result, whoever dies, joins, lies or is full."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray", reason="Ray is not installed: pip install 'evalsmith[ray]'")

import evalsmith as es
from evalsmith.arena.play.finishing import FINISHES
from evalsmith.fit.ablation import ablate
from evalsmith.fit.joint import scattered
from evalsmith.run import InputError, read_events
from evalsmith.scale import How, Job, crew, run, run_on
from evalsmith.scale.cluster_worker import Servant
from evalsmith.scale.identity import identity
from evalsmith.scale.place import PlaceSettings, open_place
from evalsmith.suite.answers import ANSWERS_FILE, read_answers
from scale.cluster import cluster

pytestmark = [
    # Ray itself leaves sockets and files to the collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
]
HOST = socket.gethostname()
PLACES = ("ray", "local")
TIMES = {"date", "seconds", "longest", "wall", "cpu", "waited", "load", "times", "told", "bytes"}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with cluster(2) as found:
        yield found


@pytest.fixture
def on_ray(nodes: Any) -> Iterator[None]:
    with run_on("ray"):
        yield


def sample(folder: Path, *args: Any, **fields: Any) -> Job:
    return Job("scale.work_samples:Sample", (str(folder), *args), **fields)


def squares(items: list[int]) -> list[tuple[int, int]]:
    return [(item, item * item) for item in items]


def log_of(folder: Path) -> list[str]:
    """The log without times."""
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    return [json.dumps({key: value for key, value in line.items() if key not in TIMES}) for line in lines]


def parts_of(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("part-*.parquet"))]


@pytest.mark.usefixtures("on_ray")
def test_results_come_in_order_and_each_worker_is_seen(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    units: list[int] = []
    crews: list[str] = []
    how = How(
        report=units.append, event=lambda kind, **fields: events.append({"kind": kind, **fields}), crew=crews.append
    )

    def joined() -> list[dict[str, Any]]:
        return [event for event in events if event.get("what") == "joined"]

    def items() -> Iterator[int]:
        number = 0
        while len(joined()) < 2 or number < 300:  # the second may need longer than all the work takes
            yield number
            number += 1

    found = list(run(sample(tmp_path), items(), how))
    assert found == squares(list(range(len(found))))
    assert {event["host"] for event in joined()} == {HOST}
    assert len({event["node"] for event in joined()}) == 2
    assert sum(event["done"] for event in events if event.get("what") == "left") == len(found)
    assert any("machine" in text for text in crews)


@pytest.mark.usefixtures("on_ray")
def test_items_of_workers_that_die_are_done_again(tmp_path: Path) -> None:
    events: list[str] = []
    items = [1, -2, 3, -4, 5, -6, *range(7, 30)]
    how = How(event=lambda kind, **fields: events.append(fields.get("what", "")))
    assert list(run(sample(tmp_path), items, how)) == squares(items)
    assert events.count("lost") >= 3


@pytest.mark.usefixtures("on_ray")
def test_an_error_of_an_item_names_the_host(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"on {HOST}: bad is no number"):
        list(run(sample(tmp_path), [1, "bad", 3]))


@pytest.mark.usefixtures("on_ray")
@pytest.mark.parametrize(
    ("habit", "named"), [("full", "No space left on device"), ("lie", "not what was asked for")], ids=str
)
def test_a_machine_that_cannot_is_named_and_the_rest_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], habit: str, named: str
) -> None:
    job = sample(tmp_path, habit, 0.02, check="scale.work_samples:is_square")
    items = list(range(40))
    assert list(run(job, items)) == squares(items)
    assert f"evalsmith: {HOST}: " in (said := capfd.readouterr().err)
    assert named in said


@pytest.mark.usefixtures("on_ray")
def test_where_no_machine_can_that_is_an_error_with_the_reasons(tmp_path: Path) -> None:
    job = sample(tmp_path, prepare="scale.work_samples:refuse")
    with pytest.raises(InputError, match=f"no machine .*{HOST}: the program tinkerbell is not there"):
        list(run(job, [1]))


@pytest.mark.usefixtures("on_ray")
@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("version", "99.0", r"has Evalsmith .*, not 99\.0"),
        ("python", "3.99", r"has Python 3\.\d+, not 3\.99"),
        ("sources", "abc", r"has other sources of Evalsmith .* \(.*, not abc\)"),
    ],
)
def test_another_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, value: str, named: str
) -> None:
    """The driver says that it has another one, so every worker differs from it."""
    monkeypatch.setattr(crew, "identity", lambda: replace(identity(), **{field: value}))
    with pytest.raises(InputError, match=f"no machine of the cluster can do this work: {HOST}: {named}"):
        list(run(sample(tmp_path), [1]))


def test_a_worker_of_another_version_is_refused_before_it_is_sent_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(digest: str) -> bytes:
        raise AssertionError(digest)

    monkeypatch.setattr("evalsmith.scale.identity._elsewhere", False)  # so that this process is none afterwards
    servant = Servant()
    servant.identity = replace(identity(), python="2.7")
    answer = servant.begin(b"no pickle", [], fetch, identity(), False)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert answer == ("refused", f"has Python 2.7, not {python}")


@pytest.mark.usefixtures("on_ray")
def test_when_no_new_items_may_begin_those_under_way_are_finished(tmp_path: Path) -> None:
    found: list[int] = []
    for item, _ in run(sample(tmp_path), range(100_000), How(window=80, going=lambda: len(found) < 5)):
        found.append(item)
    assert found == list(range(len(found)))
    assert 5 <= len(found) < 1000


@pytest.mark.usefixtures("on_ray")
def test_games_and_parts_are_those_of_the_local_run(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for number in range(4):
        broken = '[Result "1-0"]\n\n1. e4 Ke4 1-0\n\n' if number == 2 else ""
        (files / f"{number}.pgn").write_text(
            broken + '[Result "1-0"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n\n' * (1 + number)
        )

    def work(folder: Path) -> None:
        es.match("connect_four", "self;name=a", "random;name=b", games=40, nodes=50, output=folder / "match")
        es.tournament(
            "connect_four", ["self;name=a", "random;name=b", "random;name=c"],
            format="swiss", games=2, nodes=20, output=folder / "swiss",
        )  # fmt: skip
        es.generate("connect_four", folder / "positions", games=520, nodes=20)
        es.label(folder / "positions", by="search", nodes=50)
        es.import_games(sorted(files.glob("*.pgn")), folder / "imported")
        es.spsa(
            "connect_four", "self", {"lmr_base": {"c_end": 150, "r_end": 0.02}},
            iterations=6, pairs=2, nodes=50, output=folder / "spsa",
        )  # fmt: skip
        es.placements([tmp_path / "local" / "match"], ["self;name=r"], ply=6, nodes=20, output=folder / "placements")
        es.build_suite(folder / "positions", folder / "suite", nodes=50, positions=12)
        es.run_suite(folder / "suite", "self;nodes=30", output=folder / "answers")

    with run_on("local"):
        work(tmp_path / "local")
    work(tmp_path / "ray")
    for name in ("match", "swiss", "spsa"):
        assert log_of(tmp_path / "ray" / name) == log_of(tmp_path / "local" / name)
    for name in ("positions", "imported"):
        assert parts_of(tmp_path / "ray" / name) == parts_of(tmp_path / "local" / name) != []
    summaries = [(tmp_path / place / "imported" / "import.json").read_text() for place in PLACES]
    assert summaries[0] == summaries[1]
    assert "2.pgn" in summaries[0]
    finished = [sorted((tmp_path / place / "placements" / FINISHES).read_text().splitlines()) for place in PLACES]
    assert finished[0] == finished[1] != []
    assert len({(tmp_path / place / "suite" / "suite.parquet").read_bytes() for place in PLACES}) == 1
    answers = [read_answers(tmp_path / place / "answers" / ANSWERS_FILE)[0] for place in PLACES]
    for name in ("move", "own_score", "depth", "nodes", "loss"):
        assert answers[0][name].tolist() == answers[1][name].tolist()
    for name in ("placements", "suite", "answers"):
        assert {event["event"] for event in read_events(tmp_path / "ray" / name)} >= {"worker"}
    assert {event["event"] for event in read_events(tmp_path / "ray" / "match")} >= {"worker"}


@pytest.mark.usefixtures("on_ray")
def test_games_with_clocks_say_where_they_were_played(tmp_path: Path) -> None:
    es.match("connect_four", "self;name=a", "random;name=b", games=2, tc="2+0.1", output=tmp_path / "run")
    lines = [json.loads(line) for line in (tmp_path / "run" / "games.jsonl").read_text().splitlines()]
    assert {line["host"] for line in lines} == {HOST}
    assert all(line["speed"] > 0 for line in lines)


@pytest.mark.usefixtures("on_ray")
def test_a_machine_without_the_program_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: Any) -> None:
    """The driver finds it in its PATH; the nodes were started with another one."""
    program = tmp_path / "tinkerbell"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(InputError, match=f"{HOST}: player 'tinkerbell': no program 'tinkerbell'"):
        es.match("connect_four", "uci:tinkerbell", "random", games=2, nodes=1, output=tmp_path / "run")


def test_a_node_is_killed_and_another_one_joins(tmp_path: Path, nodes: Any) -> None:
    extra = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    events: list[str] = []
    found = []

    def items() -> Iterator[int]:
        number = 0
        while events.count("joined") < 4 or number < 40:
            yield number
            number += 1

    with run_on("ray"):
        how = How(event=lambda kind, **fields: events.append(fields.get("what", "")))
        for item, result in run(sample(tmp_path, "", 0.05), items(), how):
            found.append((item, result))
            if extra is not None and events.count("joined") == 3:
                nodes.remove_node(extra, allow_graceful=False)
                extra = None
                nodes.add_node(num_cpus=1)
    assert found == squares(list(range(len(found))))
    assert events.count("lost") >= 1


def test_a_fit_on_a_cluster_gives_the_local_weights_though_a_part_is_lost(tmp_path: Path, nodes: Any) -> None:
    """Thirty thousand positions: a few chunks, so that there are parts."""
    with run_on("local"):
        data = es.generate("connect_four", tmp_path / "positions", games=2500, nodes=10, noise=0.3)
        local = es.tune(data, tmp_path / "local.json", loss="logistic", quiet=False)
    with run_on("ray") as place:
        held: list[Any] = []
        hold = place.hold

        def remember(make: str, described: Any, how: How) -> Any:
            held.append(hold(make, described, how))
            return held[-1]

        place.hold = remember  # type: ignore[method-assign]
        asked = 0

        def losing(calls: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked == 7:
                place.ray.kill(held[0]._keepers[-1].actor)  # type: ignore[attr-defined]
            return type(held[0]).ask(held[0], calls)

        real = scattered.ScatteredRows.__init__

        def watch(self: Any, parts: Any, *rest: Any) -> None:
            parts.ask = losing
            real(self, parts, *rest)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scattered.ScatteredRows, "__init__", watch)
            remote = es.tune(data, tmp_path / "ray.json", loss="logistic", quiet=False)
    assert asked > 7 and len(held[0]._described) >= 2
    assert np.array_equal(local.weights.values, remote.weights.values)
    assert abs(local.loss_after - remote.loss_after) < 1e-9
    workers = [event for event in read_events(tmp_path / "ray.run") if event["event"] == "worker"]
    parts = {f"part {number} of the data" for number in range(len(held[0]._described))}
    assert {event["doing"] for event in workers if event["what"] == "joined"} == parts
    assert [event["doing"] for event in workers if event["what"] == "lost"] == [max(parts)]
    assert all(event["host"] == socket.gethostname() and event["pid"] for event in workers)


@pytest.mark.usefixtures("on_ray")
def test_folds_and_ablations_are_those_of_the_local_run(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"loss": "logistic", "quiet": False, "penalty": 100}
    with run_on("local"):
        data = es.generate("connect_four", tmp_path / "positions", games=2500, nodes=10, noise=0.3)
        local = ablate(data.path, tmp_path / "local", drop="group", **settings)
        folds = es.tune(data, tmp_path / "local.json", k_fold=2, **settings)
    assert ablate(data.path, tmp_path / "ray", drop="group", **settings).to_json() == local.to_json()
    remote = es.tune(data, tmp_path / "ray.json", k_fold=2, **settings)
    assert remote.joint is not None and folds.joint is not None
    assert remote.joint.folds == folds.joint.folds != ()


def driver(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "evalsmith", *words, "-o", str(folder), "--on", "ray"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder.parent,
    )  # fmt: skip


def until(condition: Any, seconds: float = 120.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.1)
    return False


def running(mark: str) -> list[int]:
    """The processes whose command line has a mark."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "interrupt"])
@pytest.mark.usefixtures("nodes")
def test_a_driver_that_ends_leaves_nothing_and_what_is_logged_stays(tmp_path: Path, how: signal.Signals) -> None:
    """The programs of its workers end too; the same command goes on, and ends with the log of a run on this machine."""
    program = tmp_path / f"player-{how.name}.py"
    program.write_text(SLOW)
    words = (
        "match", "connect_four", "--player", f"codecup:{sys.executable} {program};name=slow", "--player", "random",
        "--games", "12", "--nodes", "1", "--random-plies", "0", "--repeat",
    )  # fmt: skip
    run = tmp_path / "run"
    first = driver(run, *words)
    log = run / "games.jsonl"
    assert until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 2), first.stderr
    assert running(program.name)
    first.send_signal(how)
    if how == signal.SIGINT:
        time.sleep(0.5)
        first.send_signal(how)
    first.wait(60)
    assert until(lambda: not running(program.name))
    logged = log.read_bytes()
    again = driver(run, *words)
    assert again.wait(240) == 0, again.stderr.read() if again.stderr else ""
    assert log.read_bytes().startswith(logged)
    assert len(log_of(run)) == 12
    with run_on("local"):
        es.match(
            "connect_four", f"codecup:{sys.executable} {program};name=slow", "random",
            games=12, nodes=1, random_plies=0, repeat=True, output=tmp_path / "local",
        )  # fmt: skip
    assert log_of(run) == log_of(tmp_path / "local")


SLOW = """
import sys, time
heights = [0] * 7
for line in sys.stdin:
    word = line.strip()
    if word == "Quit":
        break
    if word != "Start":
        heights[int(word) - 1] += 1
    time.sleep(0.03)
    column = min(range(7), key=lambda one: heights[one])
    heights[column] += 1
    print(column + 1, flush=True)
"""


def test_a_cluster_is_joined_by_its_client_address(tmp_path: Path, nodes: Any) -> None:
    """By another process: a process has one connection, and this one's goes to the cluster itself."""
    text = (
        "from evalsmith.scale import Job, run, run_on\n"
        f"with run_on({nodes.client_address!r}):\n"
        f"    found = list(run(Job('scale.work_samples:Sample', ({str(tmp_path)!r},)), range(30)))\n"
        "print([result for _, result in found] == [i * i for i in range(30)])\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout.strip() == "True", done.stderr


def test_an_address_nobody_listens_on_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        pytest.raises(InputError, match=f"nobody listens on ray://127.0.0.1:{port}"),
        run_on(f"ray://127.0.0.1:{port}"),
    ):
        pass


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_what_listens_but_is_not_ray_is_named(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def reply() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(answer)

        thread = threading.Thread(target=reply)
        thread.start()
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match=f"what listens on {address} is not Ray"), run_on(address):
            pass
        thread.join()


@pytest.mark.parametrize("address", ["cluster", ":6379", "cluster:port"])
def test_what_is_no_address_in_the_environment_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(InputError, match=f"RAY_ADDRESS must be HOST:PORT or ray://HOST:PORT, not '{address}'"):
        open_place(PlaceSettings("ray"))


@pytest.mark.parametrize("text", ["cluster", "ray://host", "ray://:1", "ray://host:port"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="on must be local, ray or ray://HOST:PORT"), run_on(text):
        pass


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'evalsmith\[ray\]'"), run_on("ray"):
        pass
