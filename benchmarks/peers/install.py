"""Environments for the stores of peers.toml, one each below .venv/peers.

    python benchmarks/peers/install.py [NAME ...]

What is there already and asks for nothing new is left alone. What cannot be installed is named, and
the others are installed all the same.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLACE = HERE.parents[1] / ".venv" / "peers"


def peers() -> dict[str, dict[str, Any]]:
    return tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))


def install(name: str, peer: dict[str, Any]) -> None:
    """One environment; a stamp holds what it was asked for."""
    folder = PLACE / name
    stamp = folder / ".installed"
    wanted = repr(sorted(peer.items()))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *peer["needs"]], check=True)
    if peer.get("alone"):
        subprocess.run([*pip, "--no-deps", *peer["alone"]], check=True)
    if peer.get("npm"):
        npm = [
            folder / "bin" / "npm",
            "install",
            "--prefix",
            folder,
            "--no-fund",
            "--no-audit",
            "--loglevel=error",
        ]
        subprocess.run([*npm, *peer["npm"]], check=True)
    stamp.write_text(wanted, encoding="utf-8")


def main() -> int:
    known = {name: peer for name, peer in peers().items() if "runs" in peer}
    wanted = ["minilm", *sys.argv[1:]] if sys.argv[1:] else list(known)
    if unknown := set(wanted) - set(known):
        print(f"Not in peers.toml, or not to be run: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    for name in wanted:
        print(f"{name}: {PLACE / name}")
        try:
            install(name, known[name])
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{name}: left out, {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
