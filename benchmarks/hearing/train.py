"""Train and judge what capture hears: `python benchmarks/hearing/train.py [DATA] [--write]`.

Two scores are learned (cogmem/language/worth.py), both from the sentences of this folder and from talk in the folder
DATA: sessions of real work (realwork-dev*.json.gz), whose sentences are marked as worth keeping, or were kept by an
earlier cogmem and marked good or not; three people of realmem-dev with an assistant, `kept_talk.txt` says what a
reader would keep of their talk; and, as what is to be left alone, the chats of decisions-dev.json.gz that decide
nothing and one of the groups of friendsqa. Half of the chats, the other group and two people never teach.

The corpus holds sentences as people say them to agents and assistants, a file for each language and
side: `*_lasting.txt` what is to be kept, by kind, `*_passing.txt` what is not, by why not. `\\n` is a
line end; in a longer message `[[…]]` marks the part that lasts. A line belongs to one of two halves
by its checksum. The figures are of both halves, each judged by weights that saw only the other; the
weights that ship are trained on all of it. The rules of `capture_rule` were written with the corpus
in sight, so their share is no blind test; `held` and `fresh` were written before any result was looked at
and are judged by what ships. `untaught` is of languages of which cogmem knows words alone.

`forms` teaches the shapes that sentences have; nothing is judged by what it makes. Needs numpy and
scipy. The weights are those of a multinomial logistic regression with an elastic net, in
hundredths, the near-zero ones dropped.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from forms import sentences
from logistic import fitted
from typed_lines import folded, sessions

from cogmem.hear.capture import LONGEST, Rules, compile_rules
from cogmem.hear.rules import RULE_COLUMNS
from cogmem.language import worth
from cogmem.language.clauses import readable, segments
from cogmem.language.languages import words_of
from cogmem.language.letters import without_letter
from cogmem.language.mood import is_not_own_talk
from cogmem.language.telling import telling as telling_words
from cogmem.language.unit import STANDING as OF_ORDERS
from cogmem.text.relevance import likely

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from work import Said, idle_chats, in_time, telling

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TELLING = ROOT / "cogmem/data/telling.txt"
WORDS = ROOT / "cogmem/data/lasting.txt"
WORTH = ROOT / "cogmem/data/worth.txt"
STANDING = ROOT / "cogmem/data/standing.txt"
FORMED = 2  # the half of what forms make
KINDS = ("nothing", *worth.KINDS)
LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "zh", "ja")
UNTAUGHT = ("cs",)  # no sentence of it teaches: it is told by its words, Russian by its letters
L1 = L2 = 0.08
ROUNDS = 150  # more of them learn the made sentences by heart
MADE = 0.3  # how much a made sentence counts beside a real one in the second score
# How much a sentence of talk counts in the first score, and in the second.
TALK = {"chats": (0.3, 1.0), "friends": (0.2, 0.5), "people": (0.3, 0.5)}
WORK = 0.3  # how much one of real work counts in the first score
ORDERS = ("wish", "rule")
RULING = OF_ORDERS | {
    "every",
    "should",
    "dont",
    "habit",
}  # one of them is in what teaches a standing order
# How much a sentence of real talk, and one that a form made, count beside a made one in what tells a standing order.
SPOKEN, FORM = 1.5, 0.3
KEPT = 2.0  # how much more what is worth keeping of people's talk counts there: it is so little
ASIDE = "chats, aside"
TEACHERS = (0, 2, 3)  # the people whose talk teaches
# The kinds that readers of real work named.
READ = {
    "preference": "wish",
    "correction": "wish",
    "policy": "rule",
    "procedure": "rule",
    "decision": "decision",
    "fact": "fact",
}
FRAMES = ("bidden", "ordered")  # these tell an order by themselves, whatever its words weigh
Marks = set[str]
Figures = dict[str, float]
SMALLEST = 20  # hundredths below which a weight is dropped


class Line(NamedTuple):
    """One line of the corpus: a message, its kind ("nothing" where it is to be left alone) and place."""

    language: str
    kind: str
    why: str
    text: str
    start: int
    end: int
    half: int


def corpus(folder: Path = HERE / "corpus") -> Iterator[Line]:
    """Every line of the corpus."""
    for file in sorted(folder.glob("*.txt")):
        language, _, side = file.stem.partition("_")
        heading = ""
        for raw in file.read_text(encoding="utf-8").splitlines():
            if raw.startswith("## "):
                heading = raw[3:].strip()
            elif raw.strip():
                text, start, end = marked(raw)
                kind = heading if side == "lasting" else "nothing"
                half = crc32(text.encode()) & 1
                yield Line(language, kind, heading, text, start, end, half)


def earlier() -> Iterator[Line]:
    """The earlier corpus of the rules: messages with what is to be captured, in several languages."""
    kinds = {"constraint": "rule", "preference": "wish", "correction": "correction"}
    for row in (ROOT / "tests/fixtures/capture_corpus.jsonl").read_text("utf-8").splitlines():
        told = json.loads(row)
        text, expected = told["text"], told["expect"]
        half = crc32(text.encode()) & 1
        if not expected:
            yield Line("en", "nothing", "earlier", text, 0, len(text), half)
        elif len(expected) == 1 and expected[0]["family"] in kinds:
            start = max(text.find(expected[0]["text"]), 0)
            end = start + len(expected[0]["text"])
            yield Line("en", kinds[expected[0]["family"]], "earlier", text, start, end, half)


def taught() -> Iterator[Line]:
    """Every sentence that the forms make; it belongs to no half, as nothing is judged by it."""
    for language, side, heading, form in sentences():
        text, start, end = marked(form)
        kind = heading if side == "lasting" else "nothing"
        yield Line(language, kind, heading, text, start, end, FORMED)


def marked(raw: str) -> tuple[str, int, int]:
    """A line as the message that it is, and where the part lies that lasts."""
    text = raw.replace("\\n", "\n")
    if "[[" not in text:
        return text, 0, len(text)
    start, end = text.index("[["), text.index("]]") - 2
    return text.replace("[[", "").replace("]]", ""), start, end


def shipped_rules() -> Rules:
    """The built-in rules, compiled."""
    connection = sqlite3.connect(":memory:")
    for name in ("05_kind", "08_capture_rule"):
        connection.executescript((ROOT / f"schema/tables/{name}.sql").read_text(encoding="utf-8"))
    return compile_rules(connection.execute(f"select {RULE_COLUMNS} from capture_rule").fetchall())


class Stretch(NamedTuple):
    """A stretch as the scores see it: its features and figures, the number of its kind, and where it is from."""

    marks: Marks
    figures: Figures
    kind: int
    half: int
    source: str


def stretches(text: str, before: str = "") -> Iterator[tuple[str, int, int, Marks, Figures]]:
    """What the scores judge of a message: the message as it is read, with start, end, features and figures."""
    text = readable(text)
    if is_not_own_talk(text):
        return
    text = without_letter(text)
    clauses = segments(text)
    if sum(len(clause.text) for clause in clauses) > LONGEST:
        return
    around = worth.Around(clauses, text, before)
    for clause, first, last, marks in worth.units(clauses, text):
        start, end = clause.start + first, clause.start + last
        figures = around.figures(clause, first, marks, telling_words(text[start:end]))
        yield text, start, end, marks, figures


def of_lines(lines: Iterable[Line]) -> Iterator[Stretch]:
    """Those of our own sentences, each a message."""
    for line in lines:
        is_whole = (line.start, line.end) == (0, len(line.text))
        source = "formed" if line.half == FORMED else "made"
        for _, start, end, marks, figures in stretches(line.text):
            lasts = line.kind != "nothing" and start < line.end and end > line.start
            if lasts and is_whole and "part" in marks:
                continue  # half a statement proves nothing
            if lasts and not is_whole and end - start > line.end - line.start + 8:
                continue
            yield Stretch(marks, figures, KINDS.index(line.kind) if lasts else 0, line.half, source)


def holds(one: str, other: str) -> bool:
    """Whether one of two texts stands in the other."""
    return one in other or other in one


def _means(said: Said, ref: str, text: str) -> bool:
    """Whether a stretch of a message is what a reader marked there."""
    if ref not in said.refs:
        return False
    is_it = ref == said.raw["ref"] and holds(text, folded(said.raw["span"]))
    return is_it or (len(telling(text)) > 1 and said.is_in(text))


def of_work(name: str, project: dict[str, Any]) -> Iterator[Stretch]:
    """Those of what people typed at work; a reader marked which are worth keeping."""
    order = {message.ref: number for number, message in enumerate(in_time(project))}
    said = [Said(raw, order) for raw in project["hear"]]
    kept = [folded(one["content"]) for one in project.get("heard", []) if one["mark"] == "good"]
    before: dict[str, str] = {}
    for message in in_time(project):
        if message.role == "user":
            for read, start, end, marks, figures in stretches(
                message.text, before.get(message.session, "")
            ):
                text = folded(read[start:end])
                kind = next((one.raw["kind"] for one in said if _means(one, message.ref, text)), "")
                if not kind and any(holds(text, one) for one in kept):
                    kind = "decision"
                half = crc32(message.session.encode()) & 1
                yield Stretch(marks, figures, KINDS.index(READ.get(kind, "nothing")), half, name)
        before[message.session] = message.text


def of_talk(folder: Path) -> Iterator[Stretch]:
    """Those of talk; two of four chats of programmers stay aside."""
    kinds = kept_talk()
    for name, number, messages in talks(folder):
        before = ""
        source = f"{name}, aside" if name == "chats" and number % 4 > 1 else name
        for role, text in messages:
            if role != "assistant":
                for read, start, end, marks, figures in stretches(text, before):
                    mark = kinds.get(crc32(folded(read[start:end]).encode()), "nothing")
                    kind = KINDS.index(mark) if name == "people" else 0
                    yield Stretch(marks, figures, kind, number % 2, source)
            before = text or before


def kept_talk() -> dict[int, str]:
    """The kinds of what is worth keeping of people's talk, by checksum."""
    kinds: dict[int, str] = {}
    kind = ""
    for word in (HERE / "kept_talk.txt").read_text(encoding="ascii").split("\n", 1)[1].split():
        if word.endswith(":"):
            kind = word[:-1]
        else:
            kinds[int(word, 16)] = kind
    return kinds


def talks(folder: Path) -> Iterator[tuple[str, int, list[tuple[str, str]]]]:
    """Chats of programmers that decide nothing, scenes among friends, people's projects with an assistant."""
    for number, chat in enumerate(idle_chats(folder)):
        yield "chats", number, chat
    for name, file, teachers in (
        ("friends", "friendsqa.jsonl.gz", (0,)),
        ("people", "realmem-dev.jsonl.gz", TEACHERS),
    ):
        if not (folder / file).exists():
            continue
        with gzip.open(folder / file, "rt", encoding="utf-8") as opened:
            told = [json.loads(line) for number, line in enumerate(opened) if number in teachers]
        for talk in told:
            scenes: dict[str, list[tuple[str, str]]] = {}
            for item in talk["items"]:
                scenes.setdefault(item["session"], []).append((item["speaker"], item["text"]))
            for number, scene in enumerate(scenes.values()):
                yield name, number, scene


class Learning:
    """All that teaches, as a matrix of features and one of figures."""

    def __init__(self, every: list[Stretch]) -> None:
        import numpy as np
        from scipy.sparse import csr_matrix

        self.every = every
        self.kinds = np.array([one.kind for one in every])
        self.half = np.array([one.half for one in every])
        self.source = np.array([one.source for one in every])
        self.is_made = np.isin(self.source, ["made", "formed"])
        # Of what others said only shapes and sorts of words are features of their own, and no words.
        seen: Counter[str] = Counter()
        shapes: Counter[str] = Counter()
        for one, made in zip(every, self.is_made, strict=True):
            (seen if made else shapes).update(one.marks)
        self.names = sorted(
            {mark for mark, count in seen.items() if count >= (3 if mark[0] in "=^" else 2)}
            | {mark for mark, count in shapes.items() if mark[0] not in "=^<" and count >= 5}
        )
        self.names = [name for name in self.names if name not in FRAMES]
        place = {name: number for number, name in enumerate(self.names)}
        rows = [[place[mark] for mark in sorted(one.marks) if mark in place] for one in every]
        ends = np.cumsum([0, *map(len, rows)])
        self.table = csr_matrix(
            (np.ones(ends[-1], np.float32), np.concatenate([np.array(row) for row in rows]), ends),
            (len(rows), len(self.names)),
        )

    def words(self, half: int | None = None, without: str = "") -> str:
        """The first score, by accelerated proximal descent; the half and the project that are named do not teach."""
        import numpy as np

        counts = np.select(
            [
                self.is_made,
                *(self.source == name for name in TALK),
                np.char.startswith(self.source, "realwork"),
            ],
            [1.0, *(share for share, _ in TALK.values()), WORK],
        )
        counts[(self.source == "people") & (self.kinds > 0)] *= KEPT
        counts[self.source == without] = 0
        counts[self.half == half] = 0
        used = counts > 0
        table, wanted = self.table[used], np.eye(len(KINDS), dtype=np.float32)[self.kinds[used]]
        share = counts[used].astype(np.float32)[:, None]
        turned = table.T.tocsr()
        steep = np.ones(len(self.names), np.float32)
        for _ in range(20):
            steep = turned @ (share[:, 0] * (table @ steep))
            steep /= np.linalg.norm(steep)
        most = float(np.linalg.norm(turned @ (share[:, 0] * (table @ steep))))
        step = 1 / (0.5 * most + L2)
        weights = np.zeros((len(self.names), len(KINDS)), np.float32)
        ahead, speed = weights.copy(), 1.0
        for _ in range(ROUNDS):
            sums = table @ ahead
            chances = np.exp(sums - sums.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            moved = ahead - step * (turned @ (share * (chances - wanted)) + L2 * ahead)
            moved = np.sign(moved) * np.maximum(np.abs(moved) - step * L1, 0)
            faster = (1 + (1 + 4 * speed * speed) ** 0.5) / 2
            ahead = moved + (speed - 1) / faster * (moved - weights)
            weights, speed = moved, faster
        rounded = {
            name: [round(100 * float(w)) for w in row]
            for name, row in zip(self.names, weights, strict=True)
        }
        return "\n".join(
            f"{name}\t{' '.join(map(str, row))}"
            for name, row in rounded.items()
            if max(map(abs, row)) >= SMALLEST
        )

    def orders(self, halves: list[worth.Weights]) -> Figures:
        """The third score, of what may be a standing order: wishes and rules, and what is neither."""
        used = [
            one
            for one in self.every
            if not RULING.isdisjoint(one.marks)
            and not one.source.endswith(", aside")
            and (one.source in ("made", "formed") or KINDS[one.kind] in ("nothing", *ORDERS))
        ]
        return fitted(
            [worth.of_order(one.marks, one.figures, halves[one.half == 1]) for one in used],
            [int(KINDS[one.kind] in ORDERS) for one in used],
            [{"made": 1.0, "formed": FORM}.get(one.source, SPOKEN) for one in used],
            held=3.0,
        )

    def rows(self, halves: list[worth.Weights]) -> list[Figures]:
        """The figures of each stretch, the first score by weights that never saw it."""
        return [
            one.figures | worth.likeness(worth.looks(one.marks, halves[one.half == 1])[1])
            for one in self.every
        ]

    def figures(self, rows: list[Figures], without: str = "") -> Figures:
        """The second score; `without`: a project that does not teach."""
        share = {"made": MADE, "formed": 0.0, without: 0.0}
        for name, (_, count) in TALK.items():
            share |= {name: count, f"{name}, aside": 0.0}
        counts = [share.get(one.source, 1.0) for one in self.every]
        used = [place for place, count in enumerate(counts) if count]
        return fitted(
            [rows[place] for place in used],
            [int(self.every[place].kind > 0) for place in used],
            [counts[place] for place in used],
            held=3.0,
        )


def heard(rules: Rules, line: Line) -> str:
    """How a line is heard: told, so that it stands in every prompt, once, or '' for not at all."""
    found = [one for one in rules.match(line.text) if one.text]
    if line.kind != "nothing":
        found = [one for one in found if one.start < line.end and one.end > line.start]
    if any(one.rule != "said once" for one in found):
        return "told"
    return "once" if found else ""


def report(title: str, heard_lines: list[tuple[Line, str]]) -> None:
    """Print how much of each kind is heard, in each language, and how much that should not be."""
    print(title)
    for kind in KINDS:
        states = [how for line, how in heard_lines if line.kind == kind]
        by_language = []
        for language in LANGUAGES:
            here = [
                bool(how)
                for line, how in heard_lines
                if (line.kind, line.language) == (kind, language)
            ]
            by_language.append(
                f"{language} {sum(here) / len(here):.2f}" if here else f"{language} –"
            )
        if states:
            share = sum(map(bool, states)) / len(states)
            told = states.count("told") / len(states)
            print(f"  {kind:<11}{len(states):5}  heard {share:.3f}  told {told:.3f}  ", end="")
            print(" ".join(by_language))


def write_telling() -> None:
    """Write down the words of each language's file that no other language's file has."""
    owners: dict[str, set[str]] = {}
    spaced = [language for language in (*LANGUAGES, *UNTAUGHT) if not words_of(language).unspaced]
    for language in spaced:
        for phrase in words_of(language).sorts:
            for word in phrase.split():
                if word.isalpha() and len(word) > 2:
                    owners.setdefault(word, set()).add(language)
    rows = [
        f"{language}: {' '.join(sorted(word for word, of in owners.items() if of == {language}))}"
        for language in spaced
    ]
    TELLING.write_text("\n".join(rows) + "\n", encoding="ascii")


def write(file: Path, title: str, weights: Figures) -> None:
    rows = "".join(f"{name}\t{weight:.3f}\n" for name, weight in weights.items())
    file.write_text(f"# {title}\n{rows}", encoding="utf-8")


def told(learning: Learning, project: str) -> None:
    """Print how much of the surest stretches of a project is worth keeping, taught by all the others."""
    rows = learning.rows([worth.Weights(learning.words(half, project)) for half in (0, 1)])
    weights = learning.figures(rows, project)
    chances: dict[str, list[tuple[float, bool]]] = {project: [], ASIDE: []}
    for one, row in zip(learning.every, rows, strict=True):
        if one.source in chances:
            score = sum(weights.get(name, 0) * value for name, value in row.items())
            chance = likely(score + weights["bias"])
            chances[one.source].append((chance, one.kind > 0))
    best = sorted(chances[project], reverse=True)
    every = sum(is_worth for _, is_worth in best)
    for most in (20, 40, 80, 160):
        right = sum(is_worth for _, is_worth in best[:most])
        least = best[:most][-1][0]
        idle = sum(chance >= least for chance, _ in chances[ASIDE])
        print(
            f"{project}: the surest {most}, from {least:.2f}: {right / most:.2f} of them,"
            f" {right / max(1, every):.2f} of all; {idle} of {len(chances[ASIDE])} of idle chats"
        )


def main() -> None:
    """Judge each half by weights of the other, each project by the others; with --write ship those of all."""
    folder = next((Path(one) for one in sys.argv[1:] if not one.startswith("-")), None)
    if "--write" in sys.argv:
        write_telling()  # first: by these words the language of what teaches is told
    lines = [*corpus(), *earlier()]
    projects = sessions(folder) if folder else {}
    every = list(of_lines([*lines, *taught()]))
    for name, project in projects.items():
        every += of_work(name, project)
    if folder:
        every += of_talk(folder)
    learning = Learning(every)
    halves = [worth.Weights(learning.words(half=half)) for half in (0, 1)]
    every_word = learning.words()
    whole = worth.Weights(every_word)
    rows = learning.rows(halves)
    for name in projects:
        told(learning, name)
    second, third = learning.figures(rows), learning.orders(halves)
    print(sorted(((round(w, 2), n) for n, w in second.items()), key=lambda one: -abs(one[0])))
    if "--write" in sys.argv:
        WORDS.write_text(f"{every_word}\n", encoding="utf-8")
        write(WORTH, "What makes a sentence worth keeping; see NOTICE.", second)
        write(STANDING, "What makes a sentence a standing order; see NOTICE.", third)
    worth.weights = {"worth": second, "standing": third}.__getitem__
    judged: list[tuple[Line, str]] = []
    rules = shipped_rules()
    for half, first in enumerate(halves):
        worth.lasting = lambda first=first: first
        judged += [(line, heard(rules, line)) for line in lines if line.half == half]
    report("both halves, each judged by weights of the other", judged)
    worth.lasting = lambda: whole
    for name in ("held", "fresh", "apart", "untaught"):
        report(
            f"{name}, with what ships", [(line, heard(rules, line)) for line in corpus(HERE / name)]
        )


if __name__ == "__main__":
    main()
