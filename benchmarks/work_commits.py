"""Which earlier commit does a later one go back to? And the plain FTS5 that the other parts have beside cogmem.

A later commit's subject is the prompt. Wanted is the commit that its message names by its hash; in a repository where
few messages name any, the commits that wrote most of the lines which the later one takes away (`git blame`). cogmem
reads the repository up to the commit before, as `cogmem git` does, and is asked without and with the names of the
files. Beside it stand FTS5 over messages, `git log` of those files, and `git log --grep` for the rarest words of the
subject: the newest that fit into 800 tokens.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreboard import any_word
from shown import BUDGET, packed
from work_figures import figures

import cogmem
from cogmem.scope import project_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from work_figures import Answers

MOST = 80  # asks, the latest
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]{3,}")
NAMED = re.compile(r"\b[0-9a-f]{7,40}\b")
FEW = 20  # so many messages that name a commit are enough
SMALL = (10, 200)  # files and lost lines: what changes more goes back to everything
MOST_OF = 1 / 3  # of the lost lines are of one commit
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


def plain(name: str, items: list[dict[str, Any]], folder: str) -> Callable[..., list[str]]:
    """FTS5 over messages or whole conversations, asked for what lay before and in other sessions."""
    connection = sqlite3.connect(os.path.join(folder, "plain.db"))
    connection.execute("create virtual table said using fts5 (text, tokenize='porter')")
    talks: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        talks.setdefault(item["session"], []).append(number)
    texts = [f"{item['speaker']}: {item['text']}" for item in items]
    whole = name == "fts5-chats"
    rows = [(texts[n],) for n in range(len(items))]
    if whole:
        rows = [("\n".join(texts[n] for n in talk),) for talk in talks.values()]
    connection.executemany("insert into said values (?)", rows)
    connection.commit()
    sessions = list(talks)

    def ask(prompt: str, limit: int, after: int, session: str) -> list[str]:
        match = any_word(prompt)
        if not match:
            return []
        found = connection.execute(
            "select rowid - 1 from said where said match ? order by rank limit ?", (match, limit)
        )
        if not whole:
            best = [n for (n,) in found if n < after and items[n]["session"] != session]
            return [texts[n] for n in best]
        before = [
            sessions[n]
            for (n,) in found
            if sessions[n] != session and talks[sessions[n]][0] < after
        ]
        return [texts[n] for name in before[:2] for n in reversed(talks[name]) if n < after]

    return ask


def git(root: str, *words: str) -> str:
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True)
    return done.stdout


class Later(NamedTuple):
    """A commit that goes back to an earlier one."""

    sha: str
    at: int
    subject: str
    wanted: list[str]  # the subjects of those that it goes back to


def history(root: str) -> list[list[str]]:
    """All commits, oldest first: hash, time, subject, body."""
    told = git(root, "log", "--reverse", "--no-merges", "--format=%H%x1f%ct%x1f%s%x1f%b%x1e")
    return [one.strip("\n").split("\x1f") for one in told.split("\x1e") if one.strip()]


def naming(commits: list[list[str]]) -> list[Later]:
    """The latest of those that name earlier ones."""
    place = {commit[0]: n for n, commit in enumerate(commits)}
    shorts: dict[str, str] = {sha[:7]: sha for sha in place}
    found = []
    for number, (sha, at, subject, body) in enumerate(commits):
        fulls = {shorts.get(word[:7], "") for word in NAMED.findall(f"{subject} {body}")}
        earlier = [place[full] for full in fulls if full and place[full] < number]
        if earlier:
            found.append(Later(sha, int(at), subject, [commits[n][2] for n in earlier]))
    return found[-MOST:]


def wrote(root: str, sha: str) -> list[str]:
    """The commits that wrote most of what this one takes away."""
    files = git(root, "diff", "--name-only", "--diff-filter=M", f"{sha}^", sha).splitlines()
    if not 0 < len(files) <= SMALL[0]:
        return []
    writers: Counter[str] = Counter()
    for file in files:
        told = git(root, "diff", "--unified=0", f"{sha}^", sha, "--", file)
        lost = [(int(at), int(many or 1)) for at, many in HUNK.findall(told) if many != "0"]
        if sum(many for _, many in lost) > SMALL[1]:
            return []
        if lost:
            ranges = [f"-L{at},+{many}" for at, many in lost]
            blamed = git(root, "blame", "--porcelain", *ranges, f"{sha}^", "--", file)
            writers.update(re.findall(r"^([0-9a-f]{40}) \d+ \d+", blamed, re.MULTILINE))
    lines = sum(writers.values())
    return [one for one, many in writers.items() if many >= MOST_OF * lines]


def mending(root: str, commits: list[list[str]]) -> list[Later]:
    """The latest of those that take away lines which one or two earlier ones wrote, the first of all left out."""
    subjects = {commit[0]: commit[2] for commit in commits[1:]}
    found: list[Later] = []
    for sha, at, subject, _ in reversed(commits[1:]):
        if len(found) == MOST:
            break
        wanted = [subjects[one] for one in wrote(root, sha) if one in subjects]
        if wanted and subject not in wanted:
            found.append(Later(sha, int(at), subject, wanted))
    return found[::-1]


def files_of(root: str, sha: str) -> list[str]:
    """The files that a commit changes, twenty at most."""
    return git(root, "show", "--format=", "--name-only", sha).splitlines()[:20]


def of_cogmem(root: str, asks: list[Later], *, by_files: bool) -> tuple[Answers, int]:
    """The repository is read up to the commit before, then its successor's subject is the prompt."""
    answers: Answers = []
    with tempfile.TemporaryDirectory() as folder:
        clone = os.path.join(folder, "code")
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", root, clone], check=True)
        git(clone, "checkout", "--quiet", "--detach")
        path = os.path.join(folder, "cogmem.db")
        with cogmem.open(path, project=project_of(clone).id) as mem:
            for ask in asks:
                git(clone, "reset", "--quiet", "--hard", f"{ask.sha}^")
                mem.repository.read(clone, now=1000 * ask.at)
                files = files_of(root, ask.sha) if by_files else []
                started = time.process_time()
                turn = mem.activate(ask.subject, BUDGET, ask.sha, files, now=1000 * ask.at)
                answers.append((turn.text, time.process_time() - started))
        return answers, os.path.getsize(path)


def of_fts5(commits: list[list[str]], asks: list[Later]) -> tuple[Answers, int]:
    """FTS5 over the messages of the commits before."""
    items = [
        {"session": sha, "speaker": "commit", "text": f"{subject}\n{body}".strip()}
        for sha, _, subject, body in commits
    ]
    place = {commit[0]: n for n, commit in enumerate(commits)}
    answers: Answers = []
    with tempfile.TemporaryDirectory() as folder:
        ask_plain = plain("fts5", items, folder)
        for ask in asks:
            started = time.process_time()
            texts = ask_plain(ask.subject, 300, place[ask.sha], ask.sha)
            answers.append((packed(texts), time.process_time() - started))
        return answers, os.path.getsize(os.path.join(folder, "plain.db"))


def of_git(
    root: str, asks: list[Later], counts: Counter[str], *, by_files: bool
) -> tuple[Answers, int]:
    """`git log` of the files that the commit changes, or of its rarest words."""
    answers: Answers = []
    for ask in asks:
        started = time.perf_counter()
        if by_files:
            before = [f"{ask.sha}^", "--", *files_of(root, ask.sha)]
        else:
            rare = sorted(set(WORD.findall(ask.subject)), key=lambda word: counts[word.lower()])[:2]
            grep = [f"--grep={word}" for word in rare]
            before = ["--regexp-ignore-case", *grep, f"{ask.sha}^"]
        told = git(root, "log", "-60", "--format=%s%n%b%x1e", *before)
        texts = [one.strip() for one in told.split("\x1e") if one.strip()]
        answers.append((packed(texts), time.perf_counter() - started))
    return answers, 0


def run(repository: str) -> dict[str, Any]:
    """A row for each way, in the form of the scoreboard."""
    root = os.path.realpath(repository)
    commits = history(root)
    asks, how = naming(commits), "that name an earlier one"
    if len(asks) < FEW:
        asks, how = mending(root, commits), "that change what an earlier one wrote"
    if not asks:
        raise SystemExit(f"{repository}: no commit goes back to an earlier one: name another one")
    said = sum(len(f"{subject}\n{body}".encode()) for _, _, subject, body in commits)
    counts = Counter(word.lower() for commit in commits for word in set(WORD.findall(commit[2])))
    ways: dict[str, Callable[[], tuple[Answers, int]]] = {
        "cogmem": lambda: of_cogmem(root, asks, by_files=False),
        "cogmem, told the files": lambda: of_cogmem(root, asks, by_files=True),
        "plain FTS5, all words joined by OR": lambda: of_fts5(commits, asks),
        "git log of its files": lambda: of_git(root, asks, counts, by_files=True),
        "git log --grep": lambda: of_git(root, asks, counts, by_files=False),
    }
    systems: dict[str, Any] = {}
    for name, way in ways.items():
        answers, size = way()
        hits = [
            float(any(" ".join(one.split()) in " ".join(block.split()) for one in ask.wanted))
            for ask, (block, _) in zip(asks, answers, strict=True)
        ]
        systems[name] = figures(name, {"the earlier commit": hits}, answers, size / max(1, said))
    return {
        "title": f"Commits of a real repository ({len(commits)} commits, {len(asks)} {how})",
        "goals": {"the earlier commit": True},
        "systems": systems,
    }
