"""Reports of bugs whose matter was decided long ago: is the deciding statement in the block?

    python benchmarks/decisions.py [--half tune|report|unseen] [--show] [--write]

The matters stand in prompts/decisions.txt. Every other one was decided in a commit of a made repository, the others
in a chat with an agent; a third was amended later, in the same way. They lie among 1,500 other commits and 100 other
chats, which are made of the words of such work. The repository is read by `cogmem git`'s own call, chats are recorded
as hooks do. Then each report is a prompt of a new session, with the file at hand for one of three. Counted are the
shares of reports whose block holds the deciding statement, and, of those amended, the stale one; and the tokens.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import cogmem
from cogmem.scope import project_of

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "decisions.json"
BEGAN = 1_700_000_000  # s
COMMITS, CHATS = 1_500, 100
VERBS = "Add Fix Rename Move Handle Simplify Document Test Extend Extract Cover Clean".split()
THINGS = (
    "form button header parser reader writer helper table column widget label banner footer report filter sorter "
    "loader importer notifier scheduler validator translator page view route hook adapter client worker window "
    "dialog field option"
).split()
OWNERS = (
    "shop order customer product invoice basket supplier courier coupon review account branch visitor ticket"
).split()
SIDES = (
    "It was hard to read.",
    "The name said something else.",
    "Two callers needed it.",
    "The old one stays for a release.",
    "No behaviour changes.",
    "This makes the next step smaller.",
)


class Matter(NamedTuple):
    path: str
    subject: str
    said: str
    report: str
    amended: str  # '' where nothing amended it

    @property
    def deciding(self) -> str:
        return self.amended or self.said


def matters(name: str = "decisions") -> list[Matter]:
    found = []
    for line in (HERE / "prompts" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            path, subject, said, report, amended = line.split(" | ")
            found.append(Matter(path, subject, said, report, "" if amended == "-" else amended))
    return found


def other(chance: random.Random) -> tuple[str, str, str]:
    """Subject, body and file of a commit that decides nothing."""
    owner, thing = chance.choice(OWNERS), chance.choice(THINGS)
    subject = f"{chance.choice(VERBS)} the {thing} of the {owner} {chance.choice(THINGS)}"
    body = " ".join(chance.sample(SIDES, chance.randint(0, 2)))
    return subject, body, f"src/{owner}/{thing}.py"


def make_repository(root: Path, decided: list[Matter], chance: random.Random) -> None:
    """All commits in one stream, an hour apart; matters at places drawn by lot, their amendments later."""
    count = COMMITS + sum(1 + bool(one.amended) for one in decided)
    places = sorted(chance.sample(range(count), count - COMMITS))
    chance.shuffle(decided)
    order: list[tuple[str, str, str]] = []
    first = [(one.subject, one.said, one.path) for one in decided]
    then = [
        (f"Change {one.subject[0].lower()}{one.subject[1:]}", one.amended, one.path)
        for one in decided
        if one.amended
    ]
    order = first + then
    at_place = dict(zip(places, order, strict=True))
    stream = []
    for number in range(count):
        subject, body, path = at_place.get(number) or other(chance)
        message = f"{subject}\n\n{body}\n".encode()
        blob = f"{number}\n".encode()
        stream.append(
            b"commit refs/heads/main\ncommitter Mara <mara@example.org> %d +0000\n"
            % (BEGAN + 3_600 * number)
        )
        stream.append(b"data %d\n%s\n" % (len(message), message))
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n\n" % (path.encode(), len(blob), blob))
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(root)], check=True)
    subprocess.run(
        ["git", "-C", str(root), "fast-import", "--quiet"], input=b"".join(stream), check=True
    )
    subprocess.run(["git", "-C", str(root), "checkout", "--quiet", "--force", "main"], check=True)


def chat(mem: cogmem.Memory, name: str, lines: list[str], at: int) -> None:
    roles = ("user", "assistant")
    entries = [(roles[n % 2], text, None, at + 60_000 * n, None) for n, text in enumerate(lines)]
    mem.conversation(name).extend(entries, counted=False)
    mem.capture_conversation(name, now=at + 3_600_000)


def small_talk(chance: random.Random) -> list[str]:
    lines = []
    for _ in range(chance.randint(2, 5)):
        subject, body, path = other(chance)
        lines.append(f"{subject}, please. It is in {path}.")
        lines.append(f"Done. {body} I changed {path} and ran the tests.")
    return lines


def run(half: str, *, show: bool = False) -> dict[str, object]:
    chance = random.Random(7)
    chosen = (
        matters("decisions_unseen")
        if half == "unseen"
        else [
            one
            for n, one in enumerate(matters())
            if half == "all" or (n // 2) % 2 == (half == "report")
        ]
    )
    in_commits, in_chats = chosen[::2], chosen[1::2]
    hits = stale = tokens = amended = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "code")
        make_repository(root, list(in_commits), chance)
        now = (BEGAN + 3_600 * 2_000) * 1000
        with cogmem.open(f"{folder}/m.db", project=project_of(str(root)).id) as mem:
            mem.repository.read(str(root), now=now)
            talks: list[list[str]] = [small_talk(chance) for _ in range(CHATS)]
            early = [
                [*small_talk(chance)[:2], one.said, "Understood, I will keep to that."]
                for one in in_chats
            ]
            late = [
                [*small_talk(chance)[:2], one.amended, "Understood, that changes it."]
                for one in in_chats
                if one.amended
            ]
            every = talks[: CHATS // 2] + early + talks[CHATS // 2 :] + late
            for number, lines in enumerate(every):
                chat(mem, f"chat{number}", lines, (BEGAN + 36_000 * number) * 1000)
            for number, one in enumerate(chosen):
                files = [one.path] if number % 3 == 0 and one in in_commits else []
                result = mem.activate(
                    one.report, session=f"bug{number}", files=files, now=now + 86_400_000
                )
                text = result.stable + result.volatile
                found = one.deciding.rstrip(".") in text
                old = bool(one.amended) and one.said.rstrip(".") in text
                hits += found
                stale += old
                amended += bool(one.amended)
                tokens += result.tokens
                if show and (not found or old):
                    where = "commit" if one in in_commits else "chat"
                    print(
                        f"--- {where}: {one.report}\n    wanted: {one.deciding}\n{text or '(nothing)'}"
                    )
    return {
        "tasks": len(chosen),
        "deciding statement in the block": round(hits / len(chosen), 3),
        "stale one in the block": round(stale / max(1, amended), 3),
        "amended": amended,
        "tokens, mean": round(tokens / len(chosen), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--half", choices=("tune", "report", "all", "unseen"), default="all")
    parser.add_argument("--show", action="store_true", help="show what failed")
    parser.add_argument("--write", action="store_true", help="keep the figures of both halves")
    given = parser.parse_args()
    if given.write:
        figures = {half: run(half) for half in ("tune", "report", "all", "unseen")}
        RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        print(json.dumps(figures, indent=1))
        return
    print(json.dumps(run(given.half, show=given.show), indent=1))


if __name__ == "__main__":
    main()
