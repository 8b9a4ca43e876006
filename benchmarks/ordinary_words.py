"""Counts how ordinary words are, for cogmem/language/ordinary.py.

    python benchmarks/ordinary_words.py --data DIR [--write]

DIR holds friendsqa, qmsum, lifebench-en-dev and lifebench-zh-dev (README.md); how people write about
code is counted in the docstrings and comments of the installed Python. A stem must be met in two of
the registers, so that nobody's name comes in. Only counts are kept: a power of two of a thousand texts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import sysconfig
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log2
from pathlib import Path

from cogmem.file.db import Database

TARGET = Path(__file__).resolve().parents[1] / "cogmem" / "data" / "ordinary.txt"
WORD = re.compile(r"[a-z]{2,}")
TEXTS = 60_000  # of one register
LEAST, LEAST_PAIR = 8e-4, 2e-2  # shares of the texts below which a word is rare
CODE_FILES = 2_500
# Function words, thanks and greetings of other languages, written down and not counted: in a small file
# they look as rare as a name. Left out is what is an English word or anybody's name (die, war, pour, Mia).
ELSEWHERE = {
    "German": """
        der das dem des ein eine einen einem einer eines und oder aber nicht kein keine ich
        du er sie es wir ihr mich mir dich dir uns euch mein meine meinen meinem meiner dein
        deine unser unsere ist sind bin bist wird werden wurde hat haben habe hatte kann
        können muss soll will auf aus bei mit nach von vom zu zum zur für über unter durch
        ohne gegen um im ins als wie wo wann wer wen was warum wieso welche welcher welches
        auch noch nur schon sehr mehr hier dort da dann wenn weil dass ob sich jetzt bitte
        danke hallo ja nein
    """,
    "French": """
        le la les un une des du de et ou où mais pas ne plus je tu il elle nous vous ils
        elles on me te se mon ma mes notre nos votre vos leur leurs ce cet cette ces est
        sont suis es êtes était ai as ont avons avez été être avoir fait peut dans sur sous
        avec sans par chez entre vers en au aux que qui quoi quel quelle quels quelles quand
        comment pourquoi combien si très bien aussi encore tout tous toute y merci bonjour
        salut oui non qu
    """,
    "Spanish": """
        el la los las un una unos unas lo al del de y o pero no yo tú él nosotros ellos me
        te se nos le les mi mis tu tus su sus nuestro nuestra este esta esto ese esa eso es
        está están soy eres somos fue era ha he hay tiene en con para por sobre entre hasta
        desde que qué quién cuál cuándo cómo dónde cuánto cuántos si muy más también ya como
        todo todos gracias hola sí
    """,
    "Italian": """
        il lo la i gli le un uno una del dello della dei degli delle di da al alla nel nella
        sul sulla con per tra fra su e o ma non io tu lui lei noi voi loro mi ti si ci vi
        mio miei mie tuo tua suo sua nostro nostra questo questa quello quella è sono sei
        siamo era ho hai ha hanno abbiamo che chi cosa quale quando perché quanto se molto
        più anche ancora già grazie ciao sì
    """,
    "Portuguese": """
        o os as um uma uns umas do da dos das no na nos nas ao à de em e ou mas não eu ele
        ela nós eles elas meu minha seu sua nosso nossa este esta isso isto é são está estão
        foi era tem há com para por pelo pela sobre até que quem qual quando como onde
        quanto se muito mais também já obrigado obrigada olá sim
    """,
    "Dutch": """
        de het een en of maar niet geen ik jij je hij zij ze wij we jullie mij mijn jouw
        zijn haar ons onze dit dat deze is ben bent heeft heb hebben had wordt kan moet op
        met voor van naar uit bij door over tot om te aan wat wie waar wanneer waarom hoe
        welke als ook nog wel zo zeer veel er hier nu dank bedankt hallo ja nee
    """,
    "Swedish, Danish, Norwegian": """
        och att det den en ett som är jag du hon vi ni de mig dig min mitt din ditt inte på
        av med för om från när hur vad vem var vilken eller kan ska har hade här og at er
        jeg ikke til et for af hvad hva hvem hvor når hvordan mit vores vår skal vil tack
        tak takk hej hei
    """,
    "Finnish": """
        ja on ei en se että hän minä sinä me te he mun minun sinun meidän oli ovat olen olet
        mutta tai kun jos niin myös vain nyt mikä mitä kuka missä milloin miten miksi kiitos
        hei joo
    """,
    "Polish, Czech": """
        i w z na do nie się to że jest są był ja ty on ona my wy oni mój moja moje co kto
        gdzie kiedy jak dlaczego ale lub dla po od przez czy też już dziękuję cześć tak a v
        s se že je jsou byl můj kdo kde kdy proč nebo pro až už děkuji ano ne
    """,
    "Russian": """
        и в во не на я что он с со как а то все она так его но да ты к у же вы за бы по её
        мне было вот от меня ещё нет о из ему когда если уже или ни быть был него до вас они
        мы мой моя моё мои наш кто где это эта этот чем для при почему сколько какой какая
        спасибо привет
    """,
    "Turkish": """
        ve bir bu da de için ile ne mi mı mu mü ben sen o biz siz benim senin bizim var yok
        çok daha gibi ama veya nerede zaman nasıl neden hangi teşekkürler merhaba evet hayır
    """,
    "Indonesian": """
        yang di ke dari ini itu untuk dengan tidak apa siapa kapan bagaimana mengapa saya
        kamu dia kami kita adalah akan atau juga sudah terima kasih
    """,
}
PAIR = 4  # the most for a pair of characters: telephones say pay and order oftener than people do
EVERYWHERE = 6  # the power of two at which they stand: as I and what do in English


def items(folder: Path, name: str) -> Iterator[list[str]]:
    """The texts of each conversation."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield [item["text"] for item in json.loads(line)["items"]]


def comments() -> Iterator[str]:
    """Paragraphs of docstrings, and runs of comments."""
    paths = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    files = sorted(file for path in paths for file in Path(path).rglob("*.py"))
    random.Random(1).shuffle(files)
    for file in files[:CODE_FILES]:
        source = file.read_text(encoding="utf-8", errors="ignore")
        for text in re.findall(r'"""(.*?)"""', source, re.S):
            yield from (part for part in text.split("\n\n") if 40 < len(part) < 900)
        for run in re.findall(r"(?:^[ \t]*# .*\n)+", source, re.M):
            if 40 < len(run) < 900:
                yield run.replace("#", " ")


def stems(db: Database, texts: Iterable[str]) -> tuple[Counter[str], int]:
    """In how many texts each stem stands, and how many texts there are."""
    known: dict[str, str] = {}
    counted: Counter[str] = Counter()
    many = 0
    for text in texts:
        many += 1
        words = set(WORD.findall(text.lower()))
        for word in words - known.keys():
            known[word] = (db.stems(word) or [""])[0]
        counted.update({known[word] for word in words} - {""})
        if many >= TEXTS:
            break
    return counted, many


def english(folder: Path) -> dict[str, float]:
    """Stems with the mean share of texts that have them."""
    db = Database(":memory:")
    registers = [
        stems(db, (text for talk in items(folder, name) for text in talk))
        for name in ("friendsqa", "qmsum", "lifebench-en-dev")
    ]
    registers.append(stems(db, comments()))
    met = Counter(stem for counted, _ in registers for stem, many in counted.items() if many >= 2)
    return {
        stem: sum(counted[stem] / many for counted, many in registers) / len(registers)
        for stem, in_registers in met.items()
        if in_registers >= 2
    }


def chinese(folder: Path) -> dict[str, float]:
    """Pairs of characters that all people use about as much."""
    people: list[tuple[Counter[str], int]] = []
    for texts in items(folder, "lifebench-zh-dev"):
        counted: Counter[str] = Counter()
        for text in texts:
            pairs = {text[at : at + 2] for at in range(len(text) - 1)}
            counted.update(pair for pair in pairs if all("\u4e00" <= c <= "\u9fff" for c in pair))
        people.append((counted, len(texts)))
    found = {}
    for pair in people[0][0]:
        shares = [counted[pair] / many for counted, many in people]
        if min(counted[pair] for counted, _ in people) >= 3 and max(shares) < 6 * min(shares):
            found[pair] = sum(shares) / len(shares)
    return found


def elsewhere(counted: dict[str, float]) -> set[str]:
    """The stems of the function words of other languages that English does not have, or hardly."""
    db = Database(":memory:")
    found = {stem for words in ELSEWHERE.values() for stem in db.stems(" ".join(words.split()))}
    often = 2**EVERYWHERE / 1_000
    return {
        stem
        for stem in found
        if (len(stem) <= 2 and counted.get(stem, 0.0) < often) or stem not in counted
    }


def table(folder: Path) -> str:
    """Return the lists of data/ordinary.txt."""
    rows: dict[int, list[str]] = defaultdict(list)
    counted = {word: share for word, share in english(folder).items() if share >= LEAST}
    others = elsewhere(counted)
    for words, least, most in ((counted, LEAST, 8), (chinese(folder), LEAST_PAIR, PAIR)):
        for word, share in words.items():
            if share >= least and len(word) > 1 and word not in others:
                rows[max(-1, min(most, round(log2(share * 1000))))].append(word)
    rows[EVERYWHERE] += others
    text = ""
    for power in sorted(rows, reverse=True):
        plain = " ".join(sorted(word for word in rows[power] if word.isascii()))
        pairs = " ".join(sorted(word for word in rows[power] if not word.isascii()))
        lines = textwrap.wrap(plain, 118) + textwrap.wrap(pairs, 80)
        text += "\n".join([f"[{2.0**power:g}]", *lines, ""])
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="DIR", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--write", action="store_true", help="write data/ordinary.txt")
    options = parser.parse_args()
    rows = table(Path(options.data))
    if not options.write:
        print(rows)
        return 0
    remarks = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    TARGET.write_text("\n".join([*remarks, rows]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
