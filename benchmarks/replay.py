"""Replays the history of repositories: are statements about code shown as true after the code changed?

    python benchmarks/replay.py build click FOLDER     a repository of successive releases, a commit per changed file
    python benchmarks/replay.py run FOLDER [FOLDER …]  replay each, and print the shares

At commits spread over the history, statements about what stands there are learned in plain words: the value of a
constant, the parameters of a function, a default, an exception that is raised, a base class. Half of them put names
between backticks. At every later commit Python's own parser says which are still true: of the same name in the same
file, or in another one if that file has it no more. That is compared with what a turn would do with them: show, show
with "the code changed since", or hold back. `turn` has only looked at the files that are cited, as a turn does;
`session` has run `verify` first, as the start of a session does after new commits.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cogmem
from cogmem.turn.cited import look_at

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).resolve().parent / "results" / "replay.json"
LEARNED = 40  # points of the history at which statements are learned
EACH = 12  # statements learned at each
LOOKED = 60  # commits at which all are looked at


class Claim(NamedTuple):
    """Something that a parser can say of one name: in which file, what, and the value."""

    path: str
    name: str
    what: str
    value: str

    def text(self, quoted: bool) -> str:
        name = f"`{self.name}`" if quoted else self.name
        return {
            "constant": f"{name} in {self.path} is {self.value}.",
            "parameters": f"{name} in {self.path} takes {self.value}.",
            "default": f"In {self.path} {name} has the default {self.value}.",
            "raises": f"{name} in {self.path} raises {self.value}.",
            "base": f"The class {name} in {self.path} derives from {self.value}.",
        }[self.what]


def claims(path: str, source: str) -> Iterator[Claim]:
    """Everything that is claimed of a file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and len(target.id) > 3:
                    yield Claim(path, target.id, "constant", ast.unparse(node.value)[:40])
        if isinstance(node, ast.ClassDef):
            if node.bases:
                yield Claim(path, node.name, "base", ast.unparse(node.bases[0]))
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("__"):
                    yield from _of_function(path, f"{node.name}.{inner.name}", inner)
        if isinstance(node, ast.FunctionDef):
            yield from _of_function(path, node.name, node)


def _of_function(path: str, name: str, node: ast.FunctionDef) -> Iterator[Claim]:
    given = [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
    if given:
        yield Claim(path, name, "parameters", ", ".join(given))
    defaults = node.args.defaults
    for one, value in zip(
        node.args.args[-len(defaults) :] if defaults else (), defaults, strict=True
    ):
        yield Claim(path, name, "default", f"{one.arg}={ast.unparse(value)}"[:40])
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call):
            yield Claim(path, name, "raises", ast.unparse(inner.exc.func))


class Tree:
    """What the parser says of a working tree; files that did not change are not parsed again."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._known: dict[str, tuple[tuple[int, int], frozenset[Claim]]] = {}

    def read(self) -> dict[str, dict[str, set[tuple[str, str]]]]:
        """name → path → what is true of it there."""
        found: dict[str, dict[str, set[tuple[str, str]]]] = {}
        for path in Path(self.root).rglob("*.py"):
            short = path.relative_to(self.root).as_posix()
            stat = path.stat()
            state = (stat.st_size, stat.st_mtime_ns)
            if self._known.get(short, (None,))[0] != state:
                said = frozenset(claims(short, path.read_text("utf-8", "replace")))
                self._known[short] = (state, said)
            for one in self._known[short][1]:
                found.setdefault(one.name, {}).setdefault(short, set()).add((one.what, one.value))
        return found

    def all(self) -> set[Claim]:
        """Every claim of the files that were read last."""
        there = {path for path in self._known if os.path.exists(os.path.join(self.root, path))}
        return {claim for path in there for claim in self._known[path][1]}


def is_true(claim: Claim, said: dict[str, dict[str, set[tuple[str, str]]]]) -> bool:
    """Whether it holds of the same name in the same file; of one that the file has no more, in another file."""
    places = said.get(claim.name, {})
    here = [places[claim.path]] if claim.path in places else list(places.values())
    return any((claim.what, claim.value) in one for one in here)


def git(root: str, *words: str) -> str:
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def replay(root: str, seed: int = 1) -> dict[str, object]:
    """The shares for one repository, which is cloned first."""
    chance = random.Random(seed)
    names = ("stale", "shown_stale", "true", "held_true", "marked_true")
    counts = {who: dict.fromkeys(names, 0) for who in ("turn", "session")}
    spent: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        clone = os.path.join(folder, "code")
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", root, clone], check=True)
        commits = git(clone, "rev-list", "--reverse", "--first-parent", "HEAD").split()
        learned_at = set(
            range(len(commits) // LEARNED, len(commits) - 1, max(1, len(commits) // LEARNED))
        )
        looked_at = set(range(1, len(commits), max(1, len(commits) // LOOKED)))
        tree = Tree(clone)
        held: dict[str, Claim] = {}
        with (
            chdir(clone),
            cogmem.open(os.path.join(folder, "a.db"), project="p") as alone,
            cogmem.open(os.path.join(folder, "b.db"), project="p") as followed,
        ):
            twins: dict[str, str] = {}
            for number, commit in enumerate(commits):
                if number not in learned_at and number not in looked_at:
                    continue
                git(clone, "checkout", "--quiet", "--force", commit)
                said = tree.read()
                if number in looked_at and held:
                    followed.repository.verify()
                    for who, mem, names in (
                        ("turn", alone, {u: u for u in held}),
                        ("session", followed, twins),
                    ):
                        uids = list(names)
                        verdict: dict[str, str] = {}
                        for at in range(0, len(uids), 20):
                            began = time.perf_counter()
                            found, steps = look_at(
                                mem.db, [names[u] for u in uids[at : at + 20]], 0
                            )
                            spent.append(time.perf_counter() - began)
                            if steps:
                                mem.db.write(steps, verb="look", actor="replay", at=number)
                            verdict |= {u: found.get(names[u], "holds") for u in uids[at : at + 20]}
                        for uid, claim in held.items():
                            _count(counts[who], is_true(claim, said), verdict[uid])
                if number in learned_at:
                    all_claims = sorted(tree.all())
                    for claim in chance.sample(all_claims, min(EACH, len(all_claims))):
                        if not is_true(claim, said):
                            continue
                        text = claim.text(chance.random() < 0.5)
                        one = alone.learn(text, profile="import")
                        two = followed.learn(text, profile="import")
                        if one.outcome == "inserted":
                            held[one.uid], twins[one.uid] = claim, two.uid
            cited = alone.db.ask("select count(distinct memory_id) from citation")[0][0]
    spent.sort()
    shares: dict[str, object] = {"commits": len(commits), "statements": len(held), "citing": cited}
    for who, count in counts.items():
        shares[who] = {
            "stale shown as true": round(count["shown_stale"] / max(1, count["stale"]), 4),
            "true held back": round(count["held_true"] / max(1, count["true"]), 4),
            "true with a word on it": round(count["marked_true"] / max(1, count["true"]), 4),
            "stale": count["stale"],
            "true": count["true"],
        }
    shares["ms for 20 memories, median"] = round(1000 * spent[len(spent) // 2], 3)
    return shares


def _count(count: dict[str, int], holds: bool, verdict: str) -> None:
    if holds:
        count["true"] += 1
        count["held_true"] += verdict == "gone"
        count["marked_true"] += verdict not in ("gone", "holds")
    else:
        count["stale"] += 1
        count["shown_stale"] += verdict == "holds"


def build(package: str, root: str, most: int) -> None:
    """A repository of a package's successive releases: each changed file is a commit."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "index", "versions", package],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    versions = listed.partition("Available versions: ")[2].partition("\n")[0].split(", ")[:most]
    os.makedirs(root, exist_ok=True)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    identity = ("-c", "user.name=Mara", "-c", "user.email=mara@example.org")
    for version in reversed(versions):
        with tempfile.TemporaryDirectory() as folder:
            words = [
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
                "-d",
                folder,
                f"{package}=={version}",
            ]
            if subprocess.run([sys.executable, "-m", "pip", *words], check=False).returncode:
                continue
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                files = {
                    name: archive.read(name) for name in archive.namelist() if name.endswith(".py")
                }
        for old in Path(root).rglob("*.py"):
            if old.relative_to(root).as_posix() not in files:
                old.unlink()
                git(
                    root,
                    *identity,
                    "commit",
                    "--quiet",
                    "--all",
                    "-m",
                    f"{version}: remove {old.name}",
                )
        for name, data in sorted(files.items()):
            place = Path(root, name)
            if place.exists() and place.read_bytes() == data:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            git(root, "add", "--all")
            git(root, *identity, "commit", "--quiet", "-m", f"{version}: change {name}")
    print(f"{root}: {git(root, 'rev-list', '--count', 'HEAD')} commits of {len(versions)} releases")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("build", help="make a repository of a package's releases")
    made.add_argument("package")
    made.add_argument("folder")
    made.add_argument("--releases", type=int, default=24)
    run = commands.add_parser("run", help="replay repositories")
    run.add_argument("folders", nargs="+")
    run.add_argument("--write", action="store_true", help="keep the figures")
    given = parser.parse_args()
    if given.command == "build":
        build(given.package, given.folder, given.releases)
        return
    figures = {}
    for folder in map(os.path.abspath, given.folders):
        name = os.path.basename(folder)
        figures[name] = {"repository": name, **replay(folder)}
        print(json.dumps(figures[name], indent=1))
    if given.write:
        RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
