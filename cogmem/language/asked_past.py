"""Whether a prompt asks for what was: "what was it called before?", "welchen Port hatten wir früher?"

Two sorts of words say so. Some do by themselves ("used to", "ursprünglich", 以前は); others only in a
question, since "run the tests before you commit" asks for nothing past. A day that is over does in a
question too ("where was the office in March?"), and then what held on that day is meant. "Until" and its like do
where the verb is of the past.

The words are a table: another language is another row. Only the head of a prompt is read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

YEAR = 31_556_952_000  # ms, on the average
READ = 1_500  # characters of a prompt that are looked at
SIGNS = "\"'`.,;:!?()[]{}<>*~|=+…“”‘’«»。，！？；：（）「」『』¿¡"
ENDS = ".?!:;\n。！？；"

# Say by themselves that the past is meant.
ALWAYS = (
    "used to", "previously", "formerly", "originally", "initially", "at first", "in the beginning",
    "back then", "in the past", "in former times", "before that", "at the time", "back in the day",
    "früher", "vorher", "zuvor", "davor", "damals", "ehemals", "vormals", "ursprünglich", "anfangs", "am anfang",
    "anteriormente", "antiguamente", "originalmente", "al principio", "en el pasado", "inicialmente", "solía",
    "solíamos", "solías", "en aquel entonces",
    "auparavant", "autrefois", "précédemment", "initialement", "à l origine", "au début", "à l époque", "jadis",
    "antigamente", "no início", "no começo", "costumava", "costumávamos",
    "precedentemente", "in precedenza", "originariamente", "inizialmente", "all inizio", "in passato", "un tempo",
    "vroeger", "voorheen", "destijds", "oorspronkelijk", "aanvankelijk", "in het begin",
    "раньше", "прежде", "ранее", "изначально", "wcześniej", "poprzednio", "dawniej", "tidigare", "eskiden",
)  # fmt: skip
# Do so in a question.
ASKED = (
    "before", "earlier", "previous", "former", "prior", "old", "no longer", "any more", "anymore", "history",
    "changed", "use to", "replaced", "first", "ever", "the original", "since when", "how long was",
    "how long were", "how long did", "always been", "renamed", "switched", "prior to", "took over", "bisher",
    "bisherige", "bisherigen", "vorherige", "vorherigen", "alte", "alten", "altes", "zuerst", "nicht mehr",
    "ehemalige", "ehemaligen", "frühere", "früheren", "seit wann", "schon immer", "umbenannt", "antes",
    "anterior", "antiguo", "antigua", "previo", "viejo", "vieja", "primero", "ya no", "desde cuándo", "siempre ha",
    "avant", "ancien", "ancienne", "précédent", "précédente", "d avant", "ne plus", "depuis quand", "antigo",
    "antiga", "velho", "velha", "prima", "precedente", "vecchio", "vecchia", "una volta", "da quando",
    "desde quando", "eerder", "eerst", "vorige", "oude", "ervoor", "sinds wanneer", "сначала", "прежний", "старый",
    "до этого", "с каких пор", "przedtem", "od kiedy", "förut", "önceden",
)  # fmt: skip
# Do so in a question whose verb is of the past: "how long until the release?" asks for nothing that was.
UNTIL = (
    "until", "till", "up to", "bis zum", "bis zur", "bis", "vor der", "vor dem", "hasta", "jusqu", "fino a",
    "fino al", "até", "tot", "voor de", "voor het", "до", "przed", "önce",
)  # fmt: skip
VERBS = frozenset(
    """
    did was were had used ran owned lived war waren hatte hatten hieß hießen gab lag wohnte wohnten nutzten
    era eran estaba estaban vivía vivíamos tenía teníamos había usábamos usaba était étaient avait avions
    habitait utilisait utilisions tinha tínhamos ficava usávamos morava aveva avevamo abitava usavamo
    gebruikten woonde heette был была было были жил жила жили использовали назывался называлась był była było
    były neredeydi neydi kimdi
    """.split()
)
IMPERFECT = ("aba", "aban", "ábamos", "aient", "avano", "avamo", "ávamos")
ALWAYS_CJK = (
    "以前は", "以前的", "原来叫", "原来的", "原来是", "原先", "最初", "起初", "曾经", "当初", "从前", "元々",
    "もともと", "かつて", "従来", "当時", "最初は", "昔は", "예전", "이전에", "원래", "처음에는",
)  # fmt: skip
ASKED_CJK = ("之前", "以前", "原来", "过去", "旧", "前の", "前は", "前に", "昔", "이전", "전에")
# "is used to connect" tells what for, and "as before" that nothing is to change.
NOT = ("is", "are", "be", "been", "being", "get", "got", "getting", "as", "like", "than", "the day")
_NOT = tuple([f" {word} " for word in NOT])
NOT_OF = ("used to", "before")
QUESTION = frozenset(
    """
    what which who whom whose where when why how did was were had has have is are do does whats whos wheres
    wie wo wer wann welche welcher welches welchen welchem wem wen woher wohin warum hatte hatten hieß war waren
    qué cuál cuáles dónde quién cuándo cómo que cual donde quien como
    quel quelle quels quelles où qui quand comment quoi
    qual quais onde quem quando
    quale quali dove chi come cosa che
    wat waar welk welke hoe wanneer
    какой какая какое какие какую где кто кем как когда сколько что чем
    gdzie kto jak kiedy jaki jaka jakie co ile nerede neredeydi kim kimdi hangi ne nasıl var vem när hur vilken
    """.split()
)
# A question in the present asks for no day that is over: "what is due in March?"
PRESENT = frozenset(
    "is are am will shall ist sind wird werden es está están son será est sont sera è sono sarà é são zijn".split()
)
QUESTION_CJK = "？?吗呢什哪谁几怎何誰どいか뭐어무누"
TELL = (("tell", "me"), ("remind", "me"), ("do", "you"), ("can", "you"))
# Of the words of a question about the past, those that ask nothing of memory themselves.
IDLE = frozenset(
    word
    for phrase in (*ALWAYS, *ASKED)
    if " " not in phrase or phrase in ("used to", "use to")
    for word in phrase.split()
)
LEAD = 4  # words of a sentence among which a question word makes a question


class Bygone:
    """What of the past a prompt asks for: all of it, or what held on some days (ms UTC, half-open)."""

    __slots__ = ("spans",)

    def __init__(self, spans: Sequence[tuple[int, int]] = ()) -> None:
        self.spans = spans

    def covers(self, since: int | None, until: int) -> bool:
        """Tell whether what held from `since` (None: nobody knows) up to `until` is meant."""
        begins = 0 if since is None else since
        if until <= begins:
            return False  # taken back as never true
        return not self.spans or any(begins < end and start < until for start, end in self.spans)


def bygone(text: str, spans: Sequence[tuple[int, int]], now: int) -> Bygone | None:
    """Return what of the past a prompt asks for; None: nothing. `spans` are the days that it names."""
    head = text[:READ]
    over = [span for span in spans if span[1] <= now]
    asks = False
    for words in _sentences(head):
        said = f" {' '.join(words)} "
        is_question = words[-1] == "?" or not QUESTION.isdisjoint(words[:LEAD])
        is_question = is_question or tuple(words[:2]) in TELL
        if is_question and PRESENT.isdisjoint(words):
            asks = True
            over += _years(words, now)
        if _says_one(said, ALWAYS):
            return Bygone()
        if is_question and (_says_one(said, ASKED) or (_is_past(words) and _says_one(said, UNTIL))):
            return Bygone()
    if not head.isascii():
        head = head.replace("名前", "名")  # a name, where "before" is written with the same sign
        if any(sign in head for sign in ALWAYS_CJK):
            return Bygone()
        if any(sign in head for sign in QUESTION_CJK):
            asks = True
            if any(sign in head for sign in ASKED_CJK):
                return Bygone()
    return Bygone(over) if over and asks else None


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
    for phrase in [
        one for one in phrases if one in said
    ]:  # most stand nowhere, which one look at each says
        at = said.find(f" {phrase} ")
        if at >= 0 and not (phrase in NOT_OF and said[: at + 1].endswith(_NOT)):
            return True
    return False


def _sentences(head: str) -> list[list[str]]:
    """Return the words of each sentence in lower case; a question mark at its end stays as a word."""
    found: list[list[str]] = [[]]
    for line in head.lower().replace("’", "'").split("\n"):
        for chunk in line.split():
            found[-1] += [part for part in chunk.strip(SIGNS).split("'") if part]
            if chunk[-1] in ENDS and found[-1]:
                if "?" in chunk:
                    found[-1].append("?")
                found.append([])
        if found[-1]:
            found.append([])
    return [words for words in found if words]
