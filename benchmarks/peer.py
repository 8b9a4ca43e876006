"""A store of peers/peers.toml in a process of its own: its libraries never meet those of cogmem.

`make scoreboard-peers` installs them; peers/exchange.py has the other side of the pipe.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import tomllib
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLACE = ROOT / ".venv" / "peers"
BUILT = ROOT / "build" / "peers"
LONGEST_S = 1800  # for one answer; who takes longer is left out
# A peer is alone: it asks no network, reports to nobody, and finds no key.
ALONE = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "MEM0_TELEMETRY": "False",
    "LANG": "C.UTF-8",
}


def peers() -> dict[str, dict[str, Any]]:
    """What peers.toml says of each store that can be run."""
    told = tomllib.loads((HERE / "peers" / "peers.toml").read_text(encoding="utf-8"))
    return {name: peer for name, peer in told.items() if "finds" in peer}


def installed(name: str) -> bool:
    """Whether there is what a system needs: the embedder, and for a peer its environment."""
    needs = {"minilm", name} & {"minilm", *peers()}
    return all((PLACE / one / ".installed").exists() for one in needs)


class Embedder:
    """The process of peers/minilm.py, which the peers ask for vectors; an embedder of cogmem as well."""

    model = "all-MiniLM-L6-v2"

    def __init__(self) -> None:
        BUILT.mkdir(parents=True, exist_ok=True)
        python = PLACE / "minilm" / "bin" / "python"
        self._process = subprocess.Popen(
            [python, HERE / "peers" / "minilm.py", BUILT / "vectors.db"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise PeerFailed("the embedder did not start: make scoreboard-peers")

    def keep(self, whether: bool) -> None:
        """Keep the vectors of what comes now, or make each anew. Who went on without one is found out."""
        if self._asked("keep", whether)["failed"]:
            raise PeerFailed("it went on after the embedder had failed")

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in order."""
        return [one["embedding"] for one in self._asked("v1/embeddings", {"input": texts})["data"]]

    def _asked(self, where: str, what: Any) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.url}/{where}", json.dumps(what).encode())
        with urllib.request.urlopen(request) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def __enter__(self) -> Embedder:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


class PeerFailed(Exception):
    """A peer's process ended, or took too long; where its own words are."""


class Peer:
    """One store with one conversation in it."""

    def __init__(
        self, name: str, embedder: Embedder, folder: str, items: list[dict[str, Any]]
    ) -> None:
        self._log = BUILT / f"{name}.log"
        runs = HERE / "peers" / peers()[name]["runs"]
        home = PLACE / name
        places = {
            "HOME": folder,
            "TMPDIR": folder,
            "XDG_CONFIG_HOME": folder,
            "XDG_DATA_HOME": folder,
            "XDG_STATE_HOME": folder,
            "XDG_CACHE_HOME": folder,
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PEERS_EMBEDDER": embedder.url,
            "PEER_HOME": str(home),
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [home / "bin" / ("node" if runs.suffix == ".mjs" else "python"), runs],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=folder,
                env=ALONE | places,
            )
        embedder.keep(True)
        try:
            self.version: str = self._told({"fill": items, "folder": folder})["version"]
            embedder.keep(False)
        except BaseException:
            self._end()
            raise

    def ask(self, prompt: str, limit: int) -> tuple[list[str], float]:
        """Texts, best first, and the seconds that the search took within its process."""
        found = self._told({"ask": prompt, "limit": limit})
        return found["texts"], found["seconds"]

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _told(self, what: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        late = threading.Timer(LONGEST_S, self._process.kill)
        late.start()
        try:
            self._process.stdin.write(json.dumps(what).encode() + b"\n")
            self._process.stdin.flush()
            told = (line for line in self._process.stdout if line.startswith(b"{"))
            line = next(told, b"")  # a library may print when it is imported
        except BrokenPipeError:
            line = b""
        finally:
            late.cancel()
        if not line:
            raise PeerFailed(f"it ended early, or took more than {LONGEST_S} s: see {self._log}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
