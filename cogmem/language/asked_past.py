"""Whether a prompt asks for what was: "what was it called before?", "welchen Port hatten wir früher?"

Two sorts of words say so. Some do by themselves ("used to", "ursprünglich", 以前は); others only in a
question, since "run the tests before you commit" asks for nothing past. A day that is over does in a
question too ("where was the office in March?"), and then what held on that day is meant. "Until" and its like do
where the verb is of the past.

The words of all languages lie in `data/past.txt`. Only the head of a prompt is read.
"""

from __future__ import annotations

from cogmem.language.asking import READ, sentences_in
from cogmem.text.data import words as lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

YEAR = 31_556_952_000  # ms, on the average

_LISTS = {head: text.replace("\n", "|").split("|") for head, text in lists("past").items()}
ALWAYS, ASKED, UNTIL = _LISTS["always"], _LISTS["asked"], _LISTS["until"]
VERBS, IMPERFECT = frozenset(_LISTS["verbs"]), tuple(_LISTS["endings"])
_NOT = tuple([f" {word} " for word in _LISTS["not after"]])
NOT_OF = ("used to", "before")
QUESTION, PRESENT = frozenset(_LISTS["question"]), frozenset(_LISTS["present"])
TELL = (("tell", "me"), ("remind", "me"), ("do", "you"), ("can", "you"))
# Of the words of a question about the past, those that ask nothing of memory themselves.
IDLE = frozenset(
    word
    for phrase in (*ALWAYS, *ASKED)
    if " " not in phrase or phrase in ("used to", "use to")
    for word in phrase.split()
)
LEAD = 4  # words of a sentence among which a question word makes a question


class AskedPast:
    """What of the past a prompt asks for: all of it, or what held on some days (ms UTC, half-open)."""

    def __init__(self, spans: Sequence[tuple[int, int]] = ()) -> None:
        self.spans = spans

    def covers(self, since: int | None, until: int) -> bool:
        """Tell whether what held from `since` (None: nobody knows) up to `until` is meant."""
        begins = 0 if since is None else since
        if until <= begins:
            return False  # taken back as never true
        return not self.spans or any(begins < end and start < until for start, end in self.spans)


def asked_past(text: str, spans: Sequence[tuple[int, int]], now: int) -> AskedPast | None:
    """Return what of the past a prompt asks for; None: nothing. `spans` are the days that it names."""
    head = text[:READ]
    over = [span for span in spans if span[1] <= now]
    asks = False
    for words in sentences_in(head):
        said = f" {' '.join(words)} "
        is_question = words[-1] == "?" or not QUESTION.isdisjoint(words[:LEAD])
        is_question = is_question or tuple(words[:2]) in TELL
        if is_question and PRESENT.isdisjoint(words):
            asks = True
            over += _years(words, now)
        if _says_one(said, ALWAYS):
            return AskedPast()
        if is_question and (_says_one(said, ASKED) or (_is_past(words) and _says_one(said, UNTIL))):
            return AskedPast()
    if not head.isascii():
        head = head.replace("名前", "名")  # a name, where "before" is written with the same sign
        if any(sign in head for sign in _LISTS["always unspaced"]):
            return AskedPast()
        if any(sign in head for sign in _LISTS["question unspaced"]):
            asks = True
            if any(sign in head for sign in _LISTS["asked unspaced"]):
                return AskedPast()
    return AskedPast(over) if over and asks else None


def _years(words: list[str], now: int) -> list[tuple[int, int]]:
    """Years that are over, by their number alone ("wie hieß er 2024?"): elsewhere that may be anything."""
    found = []
    for word in words:
        if len(word) == 4 and word.isascii() and word.isdecimal() and word[:2] in ("19", "20"):
            begins = (int(word) - 1970) * YEAR
            if begins + YEAR <= now:
                found.append((begins, begins + YEAR))
    return found


def _is_past(words: list[str]) -> bool:
    """Tell whether a question's verb is of the past; "was" may open a German one, which asks what."""
    told = words[1:] if words[0] == "was" else words
    return not VERBS.isdisjoint(told) or bool([1 for word in told if word.endswith(IMPERFECT)])


def _says_one(said: str, phrases: Iterable[str]) -> bool:
    """Tell whether one of the phrases is said, and not as part of another that says something else."""
    for phrase in [one for one in phrases if one in said]:  # most stand nowhere
        at = said.find(f" {phrase} ")
        if at >= 0 and not (phrase in NOT_OF and said[: at + 1].endswith(_NOT)):
            return True
    return False
