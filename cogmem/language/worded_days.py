"""The days that words of other languages than English name, and seasons, quarters and parts of a year in any.

"letztes Jahr", "en 2024", "au printemps", "два месяца назад", "last spring", "Q3 2025", "Anfang 2026". As in `days`,
what names no year is the last one that has begun. Seasons are those of the northern half of the earth.

The words are tables: another language is another word in each row. Loaded only for a prompt that has
a word of time in it.
"""

from __future__ import annotations

from datetime import date, timedelta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Days = tuple[date, date]

DAY, WEEK, MONTH, YEAR = 1, 7, 30, 365


def _table(rows: dict[int, str]) -> dict[str, int]:
    return {word: value for value, words in rows.items() for word in words.split()}


UNITS = _table(
    {
        DAY: "tag tage tagen día días dia jour jours dias giorno giorni dag dagen день дня дней dzień dni gün",
        WEEK: "woche wochen semana semanas semaine semaines settimana settimane weken неделя неделю неделе недели"
        " недель tydzień tygodniu tygodnie tygodni hafta",
        MONTH: "monat monate monaten monats mes meses mois mês mese mesi maand maanden месяц месяца месяце месяцев"
        " miesiąc miesiącu miesiące miesięcy ay",
        YEAR: "jahr jahre jahren jahres año años an ans année années ano anos anno anni jaar год года году лет"
        " rok roku lata lat yıl sene",
    }
)
# A season by the month in which it begins.
SEASONS = _table(
    {
        3: "spring springtime frühling frühjahr primavera printemps lente voorjaar весна весной весну wiosna wiosną"
        " wiosnę bahar ilkbahar ilkbaharda baharda",
        6: "summer summertime sommer verano été verão estate zomer лето летом lato latem yaz yazın",
        9: "autumn fall herbst otoño automne outono autunno herfst осень осенью jesień jesienią sonbahar sonbaharda",
        12: "winter wintertime invierno hiver inverno зима зимой зиму zima zimą zimę kış kışın",
    }
)
# These say "in" by their ending.
IN_SEASON = frozenset(
    "весной летом осенью зимой wiosną latem jesienią zimą yazın kışın ilkbaharda baharda sonbaharda".split()
)
# "Configured in Spring" is not about a season, and no more about a case.
NEEDS_MORE = frozenset("spring summer autumn fall winter".split())
BEFORE_SEASON = frozenset("in im den au en à na no nel nella w we da de del".split())

MONTHS = _table(
    {
        1: "январь января январе styczeń stycznia styczniu ocak ocakta",
        2: "февраль февраля феврале luty lutego lutym şubat şubatta",
        3: "март марта марте marzec marca marcu mart martta",
        4: "апрель апреля апреле kwiecień kwietnia kwietniu nisan nisanda",
        5: "май мая мае maja maju mayıs mayısta",
        6: "июнь июня июне czerwiec czerwca czerwcu haziran haziranda",
        7: "июль июля июле lipiec lipca lipcu temmuz temmuzda",
        8: "август августа августе sierpień sierpnia sierpniu ağustos ağustosta",
        9: "сентябрь сентября сентябре wrzesień września wrześniu eylül eylülde",
        10: "октябрь октября октябре październik października październiku ekim ekimde",
        11: "ноябрь ноября ноябре listopad listopada listopadzie kasım kasımda",
        12: "декабрь декабря декабре grudzień grudnia grudniu aralık aralıkta",
    }
)
# Only Italian and the Slavic and Turkic languages say it so: "a march on Rome" is English.
MONTHS_AFTER_A = _table(
    {
        1: "gennaio", 2: "febbraio", 3: "marzo", 4: "aprile", 5: "maggio", 6: "giugno", 7: "luglio",
        8: "agosto", 9: "settembre", 10: "ottobre", 11: "novembre", 12: "dicembre",
    }
)  # fmt: skip

BEFORE_YEAR = frozenset(
    "im en nel em jahr jahre año année ano anno jaar seit desde depuis dal sinds в во roku w yılında yılı".split()
)
AFTER_YEAR = frozenset("году года roku yılında yılı te de da ta".split())
PARTS = _table(  # of a year, by the third of it
    {
        0: "early beginning start anfang début principios inizio início begin",
        1: "mid middle mitte mediados milieu metà meados",
        2: "late end ende fin finales fine fim eind",
    }
)
OF = frozenset("of de di des do del von van the".split())

LAST = frozenset(
    """last past previous letzter letzte letzten letztem letztes voriger vorige vorigen voriges vergangene vergangenen
    vergangenes pasado pasada dernier dernière passé passée passado passada scorso scorsa vorig afgelopen
    прошлый прошлая прошлой прошлом прошлым прошлую прошлого zeszły zeszłym zeszłej zeszłą zeszłego ubiegłym ubiegłej
    ubiegły geçen""".split()
)
ENGLISH = frozenset("last past previous".split())  # "this may last"
THIS = frozenset(
    """this that dieser diese diesen diesem dieses este esta cette cet ce neste nesta quest questo questa dit deze
    этот этой этом эту этим tym tej ten tę bu""".split()
)
AGO_BEFORE = frozenset("vor hace há".split())  # and "il y a"
AGO_AFTER = frozenset("ago atrás fa geleden назад temu önce".split())
BEFORE_AN = ("l", "un", "cet")  # "l'an dernier"; elsewhere it is an article or a preposition
COUNTED = _table(
    {
        1: "a an one ein einem einer einen un uno una une um uma een één один одну bir jeden",
        2: "two zwei dos deux dois duas due twee два две dwa dwie iki",
        3: "three drei tres trois três tre drie три trzy üç",
        4: "four vier cuatro quatre quatro quattro четыре cztery dört",
        5: "five fünf cinco cinq cinque vijf пять pięć beş",
        6: "six sechs seis sei zes шесть sześć altı",
        7: "seven sieben siete sept sete sette zeven семь siedem yedi",
        8: "eight acht ocho huit oito otto восемь osiem sekiz",
        9: "nine neun nueve neuf nove negen девять dziewięć dokuz",
        10: "ten zehn diez dix dez dieci tien десять dziesięć on",
    }
)
NAMED = _table(
    {
        0: "heute hoy aujourd hui hoje oggi vandaag сегодня dzisiaj dziś bugün",
        1: "gestern ayer ontem ieri gisteren вчера wczoraj dün",
        2: "vorgestern anteayer antier anteontem eergisteren позавчера przedwczoraj",
    }
)
QUARTERS = {f"q{number}": number for number in range(1, 5)}
CENTURIES = ("19", "20")

# The words that such a date can begin with, or that stand in it; numbers apart.
OPENERS = frozenset((*UNITS, *SEASONS, *MONTHS, *MONTHS_AFTER_A, *NAMED, *QUARTERS))


def dates(words: list[str], today: date, months: Mapping[str, int]) -> tuple[list[Days], set[str]]:
    """The days a text names, first and last inclusive, and the words that named them.

    `months` are those that are read elsewhere; here only "letzten Mai", which needs no "in". Seasons
    and quarters stay words of the prompt: what was said of them may have them.
    """
    parts = [part for word in words for part in word.replace("’", "'").split("'") if part]
    found: list[Days] = []
    used: set[str] = set()
    for at, word in enumerate(parts):
        before = parts[at - 1] if at else ""
        after = parts[at + 1] if at + 1 < len(parts) else ""
        span: Days | None = None
        if word in NAMED:
            day = today - timedelta(days=NAMED[word])
            span = day, day
            used.add(word)
        elif word in MONTHS or (word in MONTHS_AFTER_A and before == "a"):
            month = MONTHS.get(word) or MONTHS_AFTER_A[word]
            span = whole_months(_year(parts, at, today, month), month, 1)
            used.add(word)
        elif word in months and not {before, after}.isdisjoint(LAST - ENGLISH):
            month = months[word]
            span = whole_months(_year(parts, at, today, month), month, 1)
        elif word in QUARTERS:
            month = 3 * QUARTERS[word] - 2
            span = whole_months(_year(parts, at, today, month), month, 3)
        elif word in SEASONS:
            span = _season(parts, at, today)
        elif word in UNITS:
            span = _unit(parts, at, today)
            if span:
                used |= {word, before, after} & (LAST | THIS | AGO_AFTER | AGO_BEFORE | {word})
        elif _is_year(word):
            span = _of_year(parts, at)
            if span:
                used.add(word)
        if span:
            found.append(span)
    return found, used


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word.isascii() and word[:2] in CENTURIES


def _of_year(parts: list[str], at: int) -> Days | None:
    """ "en 2024", "2025 году", "Anfang 2026"; a bare number may be anything."""
    year = int(parts[at])
    before = [part for part in parts[max(0, at - 3) : at] if part not in OF]
    third = PARTS.get(before[-1]) if before else None
    if third is not None:
        return whole_months(year, 4 * third + 1, 4)
    after = parts[at + 1] if at + 1 < len(parts) else ""
    if (before and before[-1] in BEFORE_YEAR) or after in AFTER_YEAR:
        return date(year, 1, 1), date(year, 12, 31)
    return None


def _year(parts: list[str], at: int, today: date, month: int) -> int:
    """The year that stands behind a month, or the last one in which it has begun."""
    behind = [part for part in parts[at + 1 : at + 3] if part not in OF]
    if behind and _is_year(behind[0]):
        return int(behind[0])
    back = _neighbour(parts, at) == "last" and month == today.month
    return today.year - (month > today.month or back)


def _neighbour(parts: list[str], at: int) -> str:
    """Whether "last" or "this" stands beside a word, on either side."""
    beside = {*parts[max(0, at - 1) : at], *parts[at + 1 : at + 2]}
    return "last" if beside & LAST else "this" if beside & THIS else ""


def _season(parts: list[str], at: int, today: date) -> Days | None:
    word = parts[at]
    month = SEASONS[word]
    behind = [part for part in parts[at + 1 : at + 3] if part not in OF]
    ahead = parts[max(0, at - 2) : at]
    which = _neighbour(parts, at)
    if behind and _is_year(behind[0]):
        return whole_months(int(behind[0]), month, 3)
    is_in = bool(ahead) and ahead[-1] in BEFORE_SEASON and word not in NEEDS_MORE
    is_in = is_in or ahead in (["in", "the"], ["during", "the"], ["in", "de"], ["en", "el"])
    if not (which or is_in or word in IN_SEASON):
        return None
    year = today.year - (month > today.month)
    is_now = whole_months(year, month, 3)[1] >= today
    return whole_months(year - (is_now and which == "last"), month, 3)


def _unit(parts: list[str], at: int, today: date) -> Days | None:
    """ "letztes Jahr", "la semana pasada", "vor zwei Wochen", "два месяца назад"."""
    days = UNITS[parts[at]]
    ahead = parts[max(0, at - 4) : at]
    if parts[at] == "an" and not (ahead and ahead[-1] in BEFORE_AN):
        return None
    count = _count(ahead[-1]) if ahead else 0
    is_ago = at + 1 < len(parts) and parts[at + 1] in AGO_AFTER
    is_ago = is_ago or (count > 0 and len(ahead) > 1 and ahead[-2] in AGO_BEFORE)
    is_ago = is_ago or ahead[:-1][-3:] == ["il", "y", "a"]
    if is_ago:
        count = count or 1  # "rok temu"
        middle = today - timedelta(days=min(days * count, today.toordinal() - 400))
        slack = timedelta(days=days // 2)
        return middle - slack, min(middle + slack, today)
    which = _neighbour(parts, at)
    if not which:
        return None
    back = int(which == "last")
    if days == YEAR:
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    if days == MONTH:
        year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
        return whole_months(year, month + 1, 1)
    if days == WEEK:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return monday, monday + timedelta(days=6)
    return None


def _count(word: str) -> int:
    if word.isdecimal() and word.isascii() and len(word) <= 3:
        return int(word)
    return COUNTED.get(word, 0)


def whole_months(year: int, month: int, count: int) -> Days:
    """From the first of a month on, so many months."""
    later, of = divmod(month - 1 + count, 12)
    return date(year, month, 1), date(year + later, of + 1, 1) - timedelta(days=1)
