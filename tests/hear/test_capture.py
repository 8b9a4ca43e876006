"""Rules that read messages prove themselves, and what is told is known from what is said once.

Modules: fate, rules, proposals.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st

import cogmem
from cogmem.hear.capture import (
    Captured,
    Rules,
    check_rules,
    compile_rules,
    spelled_out,
)
from cogmem.hear.proposals import draft_of, place_in
from cogmem.hear.rules import RULE_COLUMNS
from cogmem.language.clauses import fold, own_words, readable, segments
from cogmem.scope import Scope

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/capture.md"


def table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("pragma foreign_keys = on")
    for name in ("05_kind", "08_capture_rule"):
        connection.executescript((ROOT / f"schema/tables/{name}.sql").read_text(encoding="utf-8"))
    return connection


def rows_of(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return connection.execute(f"select {RULE_COLUMNS} from capture_rule").fetchall()


ROWS = rows_of(table())
RULES = compile_rules(ROWS)


def row(
    name: str = "preference.mine", pattern: str = r"\bspecial (?P<what>\w+)", **other: Any
) -> Any:
    columns = {
        "name": name,
        "family": "preference",
        "language": "en",
        "position": 1,
        "pattern": pattern,
        "veto": None,
        "kind": "preference",
        "priority": 2,
        "polarity": 1,
        "confidence": 0.8,
        "state": "active",
        "outcome": "",
        "example": "This is a special example.",
        "counter_example": "This one is quite ordinary.",
        "is_enabled": 1,
        "is_own": 1,
    }
    return tuple((columns | other).values())


def texts(message: str, rules: Rules = RULES, role: str = "user") -> list[str]:
    return [found.text for found in rules.match(message, role)]


def only(message: str, role: str = "user") -> Captured:
    (found,) = RULES.match(message, role)
    return found


def test_the_page_s_own_rule_works() -> None:
    statement = PAGE.read_text(encoding="utf-8").partition("```sql\n")[2].partition("```")[0]
    connection = table()
    connection.executescript(statement)
    rows = rows_of(connection)
    assert len(rows) == len(ROWS) + 1
    assert check_rules(rows) == []


# --- the table ---------------------------------------------------------------------------------


def test_every_rule_captures_its_example_and_leaves_its_counter_example() -> None:
    assert check_rules(ROWS) == []
    assert RULES.problems == ()


def test_the_check_names_a_rule_that_fails_its_own_examples() -> None:
    swapped = row(
        example="This one is quite ordinary.", counter_example="This is a special example."
    )
    assert check_rules([*ROWS, swapped]) == [
        "rule preference.mine: its example is not captured by it",
        "rule preference.mine: its counter-example is captured by it",
    ]
    shadowed = row(example="Always use the special template.")
    assert check_rules([*ROWS, shadowed]) == []  # position 1: it comes first
    late = row(example="Remember that the special day is Monday.", position=999)
    assert check_rules([*ROWS, late]) == [
        "rule preference.mine: its example is not captured by it, remember.that takes it"
    ]


@pytest.mark.parametrize(
    "pattern", ["(", "a{1001}", "(?=x)", "\\", "\ud800", "x" * 2001, "", "(a{30}){200}"]
)
@pytest.mark.parametrize("column", ["pattern", "veto"])
def test_an_unusable_rule_is_reported_by_name_and_the_others_work_on(
    column: str, pattern: str
) -> None:
    rules = compile_rules([*ROWS, row(**{column: pattern})])
    (problem,) = rules.problems
    assert problem.startswith("rule preference.mine: ")
    assert texts("Never commit generated files.", rules) == ["Never commit generated files"]


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("house (style", "missing )"),
        ("house [style", "missing ]"),
        ("ab[z-a]c", "range: z-a)"),
        ("foo (?=bar)", "(?=)"),
        ("ok **", "**)"),
        (r"\k", r"\k)"),
    ],
)
def test_what_is_wrong_in_a_rule_is_told(pattern: str, fault: str) -> None:
    (problem,) = compile_rules([row(pattern=pattern)]).problems
    assert fault in problem


@pytest.mark.parametrize(
    ("pattern", "as_re2_reads_it"),
    [
        ("from now on", r"from\s+now\s+on"),
        ("[ _]x y", r"[ _]x\s+y"),
        (r"a\ b c", r"a\ b\s+c"),
        ("a ?b *c +d {2}e f", r"a ?b *c +d {2}e\s+f"),
        (r"\Qa b\E c", r"\Qa b\E\s+c"),
        (r"[^\] ] \[ x", r"[^\] ]\s+\[\s+x"),
        (r"\s+(?:a|b)", r"\s+(?:a|b)"),
    ],
)
def test_a_blank_of_a_pattern_is_any_white_space(pattern: str, as_re2_reads_it: str) -> None:
    assert spelled_out(pattern) == as_re2_reads_it


def test_a_disabled_rule_is_not_used() -> None:
    assert texts("It was a special day for all of us.", compile_rules([row()]))
    assert not texts("It was a special day for all of us.", compile_rules([row(is_enabled=0)]))
    (found,) = compile_rules([]).match("Always use type hints in Python.")
    assert (found.rule, found.state) == ("standing order", "active")  # the score knows it


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("family", "'wish'"),
        ("kind", "'no such kind'"),
        ("priority", "5"),
        ("polarity", "0"),
        ("confidence", "1.5"),
        ("state", "'archived'"),
        ("outcome", "'failure'"),
        ("pattern", "''"),
        ("counter_example", "example"),
        ("is_enabled", "2"),
    ],
)
def test_the_table_refuses_a_senseless_rule(column: str, value: str) -> None:
    connection = table()
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            f"update capture_rule set {column} = {value} where name = 'remember.that'"
        )


# --- three fates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "always use pnpm here",
        "never push to the main branch",
        "from now on write the commit messages in English",
        "I want you to never touch the migrations",
        "from now on I want you to use tabs",
        "you need to always run the linter",
        "Bitte antworte ab jetzt immer auf Deutsch.",
        "responde siempre en español",
        "以后请始终用中文回答。",
        "Tests must never touch the network.",
        "Deploys always need a green build",
        "Tests dürfen nie ins Netz gehen.",
        "Les tests ne doivent jamais toucher le réseau.",
        "Los tests nunca deben tocar la red.",
        "I test non devono mai toccare la rete.",
        "Os testes nunca podem tocar a rede.",
        "Tests mogen nooit het netwerk aanraken.",
        "テストは絶対にネットワークに触れてはいけません。",
        "测试绝对不能访问网络。",
        "Toujours utiliser pnpm.",
        "Immer pnpm verwenden.",
        "Usar siempre pnpm.",
        "Usare sempre pnpm.",
        "Sempre usar pnpm.",
        "Altijd pnpm gebruiken.",
        "常に pnpm を使ってください。",
        "始终使用 pnpm。",
    ],
)
def test_a_standing_order_is_told_and_active_at_once(message: str) -> None:
    found = only(message)
    assert (found.rule, found.state) == ("standing order", "active")
    assert found.text == message.rstrip(".。")


@pytest.mark.parametrize(
    ("message", "is_told"),
    [
        ("Use TypeScript for all new code", True),
        ("Don't use emojis in commit messages", True),
        ("we store all timestamps in UTC", True),
        ("Schreib keine Kommentare in meinen Code", True),
        ("Ne mets pas de commentaires dans mon code", True),
        ("不要在代码里写注释", True),
        ("Fix all the failing tests", False),
        ("Don't run the tests", False),
        ("don't commit yet", False),
        ("stop using npm, we use pnpm here", False),
        ("Lösch nicht die alte Datei", False),
        ("修复所有测试", False),
    ],
)
def test_what_surely_holds_for_all_of_a_sort_is_told(message: str, is_told: bool) -> None:
    found = [one.rule for one in RULES.match(message, doubtful=True)]
    assert ("standing order" in found) is is_told


def test_a_sure_part_is_kept_of_a_sentence_that_is_doubtful() -> None:
    message = "The rain was awful, but I love cycling to work"
    for doubtful in (False, True):
        assert [one.text for one in RULES.match(message, doubtful=doubtful)] == [
            "I love cycling to work"
        ]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("No, use port 8081 instead", "fact"),
        ("Use ruff instead of flake8", "preference"),
        ("I'm a vegetarian", "profile"),
        ("We require two approvals", "convention"),
        ("The staging server is called heron.", "fact"),
        ("We moved from Jenkins to GitHub Actions.", "decision"),
    ],
)
def test_what_a_person_states_is_said_once(message: str, kind: str) -> None:
    found = only(message)
    assert (found.rule, found.kind, found.state) == ("said once", kind, "active")


@pytest.mark.parametrize(
    "message",
    """
    this project uses pnpm
    this codebase uses tabs
    we're using pnpm here
    dieses Projekt nutzt pnpm
    este proyecto usa pnpm
    questo progetto usa pnpm
    dit project gebruikt pnpm
    这个项目用 pnpm
    мы используем pnpm
    Der Cache läuft jetzt auf Memcached
    le cache tourne maintenant sur Memcached
    I love dark mode
    Ich liebe den Dark Mode
    我喜欢深色模式
    """.strip().splitlines(),
)
def test_what_is_used_and_what_is_liked_is_heard_when_it_is_said_plainly(message: str) -> None:
    assert [found.rule for found in RULES.match(message.strip())] == ["said once"]


@pytest.mark.parametrize(
    "message",
    """
    this function uses recursion
    this package is broken
    this site is slow now
    we're using a hash map here
    wir benutzen hier eine Hashmap
    der Build läuft jetzt durch
    le test passe maintenant
    I love this joke
    I love how clean it is
    j'adore cette blague
    мне нравится эта идея
    そのアイデアが好きです
    docker和虚拟机到底有什么区别
    push the button
    forget it, let's go on
    I never want to wait that long again
    """.strip().splitlines(),
)
def test_what_is_at_hand_is_not_heard_when_it_is_said_as_plainly(message: str) -> None:
    assert RULES.match(message.strip()) == []


@pytest.mark.parametrize(
    "message",
    """
    I avoid lifts
    I really dislike cruise ships
    I do not enjoy long museum tours
    I only drink decaf
    I refuse to fly with small airlines
    I am not interested in golf
    I have a phobia of spiders
    I strictly avoid palm oil
    I can't stand liquorice
    I prefer seats that face forward
    Ich vermeide Palmöl
    我不喜欢香菜
    """.strip().splitlines(),
)
def test_what_somebody_likes_or_avoids_says_who_they_are(message: str) -> None:
    assert [found.kind for found in RULES.match(message.strip())] == ["profile"]


def test_what_somebody_likes_is_known_in_their_other_projects_and_to_nobody_else(
    tmp_path: Path,
) -> None:
    path, likes = str(tmp_path / "shared.db"), "I prefer phones that have removable batteries"
    with cogmem.open(path, user="ida", project="one") as mem:
        mem.conversation("talk").append("user", likes, at=NOW)
        mem.capture_conversation("talk", now=NOW)
    for user, project, told in (("ida", "two", True), ("sam", "one", False)):
        with cogmem.open(path, user=user, project=project) as mem:
            assert (likes in mem.activate("hello", session="new", now=NOW + DAY).stable) is told


@pytest.mark.parametrize(
    "message",
    """
    I hate this bug
    I love it
    I like that idea
    I prefer the first one
    I prefer option B
    I only changed the header
    I only see errors in the second run
    I refuse to merge this
    I'd love to see another picture
    I hate when it crashes
    I really like how this looks
    je préfère la deuxième
    me gusta la azul
    我喜欢蓝色那个
    """.strip().splitlines(),
)
def test_what_somebody_likes_of_what_is_at_hand_stands_in_no_prompt(message: str) -> None:
    assert [found.kind for found in RULES.match(message.strip())] in ([], ["preference"], ["fact"])


@pytest.mark.parametrize(
    "message",
    [
        "I never want to see emojis again",
        "I never want to see a force push again",
        "I always want to see the diff first",
    ],
)
def test_what_somebody_never_wants_again_stands_in_every_prompt(message: str) -> None:
    assert [found.rule for found in RULES.match(message)] == ["standing order"]


def test_what_was_said_once_is_observed_and_holds_no_high_priority() -> None:
    draft = draft_of(only("No, use port 8081 instead"), Scope("", "", "shop", ""), at=0)
    assert draft is not None
    assert (draft.source, draft.priority) == ("observed", 2)
    told = draft_of(only("always use pnpm here"), Scope("", "", "shop", ""), at=0)
    assert told is not None
    assert (told.source, told.scope.project) == ("user_explicit", "shop")


@pytest.mark.parametrize(
    "message",
    """
    My name is Xiaoming
    Hi, my name is Petra
    Actually call me Samuel
    you can call me Jo
    Nenn mich Tom
    Je m'appelle Claire
    I live in San Francisco
    I work at Lumen as a data analyst
    I don't eat pork
    I moved from Bergen to Porto last month
    I switched from Windows to a MacBook
    My favourite films are Alien and Heat
    I prefer pytest over unittest
    The rain was awful, but I love cycling to work
    """.strip().splitlines(),
)
def test_who_somebody_is_stands_in_every_prompt(message: str) -> None:
    assert [one.kind for one in RULES.match(message.strip())] == ["profile"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Remember I'm allergic to nuts", "profile"),
        ("remember that I work at Lumen", "profile"),
        ("remember that we use pnpm, not npm", "convention"),
        ("remember that the badge reader is upstairs", "fact"),
        ("Ricorda che sono allergico alle noci", "profile"),
        ("Lembra que a loja fecha às oito", "fact"),
        ("Onthoud dat de levering op donderdag komt", "fact"),
        ("Запомни, что я вегетарианец", "profile"),
        ("请记住我们用 pnpm", "convention"),
        ("昼食は十二時だと覚えておいて", "fact"),
    ],
)
def test_what_is_to_be_remembered_is_what_it_looks_like(message: str, kind: str) -> None:
    found = only(message)
    assert (found.family, found.kind) == ("remember", kind)
    assert found.is_personal is (kind == "profile")


@pytest.mark.parametrize(
    "message",
    [
        "I called Bob",
        "call me back",
        "Call me on Monday",
        "I moved the file to src",
        "I prefer to keep the old API",
    ],
)
def test_what_somebody_does_stands_in_none(message: str) -> None:
    assert "profile" not in [one.kind for one in RULES.match(message)]


@pytest.mark.parametrize(
    ("held", "said", "is_personal"),
    [
        ("My manager is Priya", "Priya left, my manager is Jonas now", True),
        ("I drive a Polo", "I no longer drive a Polo, I drive a Zoe", True),
        ("I prefer tabs over spaces", "we use spaces here now, not tabs", False),
    ],
)
def test_what_changes_a_person_changes_them_in_every_project(
    path: Path, held: str, said: str, is_personal: bool
) -> None:
    with cogmem.open(path, user="ida", project="one") as mem:
        mem.capture(held, at=NOW)
        mem.capture(said, at=NOW + DAY)
    with cogmem.open(path, user="ida", project="two") as mem:
        told = mem.activate("hello", now=NOW + 2 * DAY).stable
    assert (held in told, said in told) == (not is_personal, is_personal)


def test_what_a_person_says_of_themselves_holds_in_every_project() -> None:
    for message in ("I'm allergic to nuts", "I'm a vegetarian"):
        draft = draft_of(only(message), Scope("", "ada", "shop", "s1"), at=0)
        assert draft is not None
        assert (draft.scope.user, draft.scope.project) == ("ada", "")


def test_a_standing_order_is_told_wherever_it_stands_in_a_message() -> None:
    found = only(
        "ok so the build went red again today because somebody pushed at night and nobody looked."
        " Never deploy between 5 and 9. Then look at the log of the runner and tell me what is wrong with the cache."
    )
    assert (found.text, found.rule) == ("Never deploy between 5 and 9", "standing order")


@pytest.mark.parametrize(
    "message",
    [
        "I don't want to waste time on this, always the same.",
        "My typical day is a hustle",
        "always the same with them",
        "I always forget the syntax for heredocs.",
        "change that sentence so that it always names the author",
        "no, chapters.md should always keep that other order",
        "No - by size, always",
        "please never without!",
        "bitte nie ohne!",
    ],
)
def test_what_only_says_always_stands_in_no_prompt(message: str) -> None:
    assert [found for found in RULES.match(message) if found.rule == "standing order"] == []


@pytest.mark.parametrize(
    "said",
    [
        "I want to be able to look at that file in the future",
        "I'd like to look at this again in the future",
        "I want to always be able to see the status bar",
    ],
)
def test_what_one_wants_to_do_oneself_is_asked_of_nobody(said: str) -> None:
    assert RULES.match(said) == []


def test_what_this_project_is_points_at_nothing_said_before() -> None:
    for said in ("this codebase follows hexagonal architecture", "This repo is public."):
        (found,) = RULES.match(said)
        assert found.state == "active"


@pytest.mark.parametrize(
    "order",
    [
        "Please always double-check that the thing you were asked for is really there",
        "okay, you must never hardcode a bucket name, we should ALWAYS read those from the config",
        "if you cannot reach the sandbox always fetch the list of rows anew",
        "from now on, never ask me whether you may go on if the answer is plain",
        "lets always go for the clean way even if it costs a day",
        "yes, restart the worker yourself, always",
        "next time, if the branch exists already, tell me so",
        "in the future, if a tool is just not installed, let me know and offer to do it",
    ],
)
def test_who_is_told_what_always_to_do_is_given_a_standing_order(order: str) -> None:
    earlier = "I changed the header of the page as you wished. The build is green. Anything else?"
    (found,) = RULES.match(f"{order}.", before=earlier)
    assert (found.rule, found.text) == ("standing order", order)


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("#every morning go through the open tickets with me", True),
        ("Put it back. #never remove an older copy unless I said so. It took a day.", True),
        ("# Title of the page that follows", False),
        ("#include <stdio.h> and then the other headers", False),
        ("#412 is the one to look at first", False),
        ("## Rules of the house for everybody", False),
    ],
)
def test_what_stands_behind_a_sign_of_number_is_to_be_remembered(message: str, kept: bool) -> None:
    found = [one.text for one in RULES.match(message) if one.rule == "remember.sign"]
    assert bool(found) == kept
    assert all(one in message and "#" not in one for one in found)


@pytest.mark.parametrize(
    "report",
    [
        "it always returns an empty list",
        "when you open the page it always jumps",
        "the button always hides below the fold",
        "we always paid late in those years",
        "I'm never gonna forget that",
        "you never know with these two",
        "cleaner names always help",
        "never seen such a mess",
        "never been there before",
        "it crashes on the first click, always",
        "next time the build breaks we lose a day",
        "we should always show it",
    ],
)
def test_what_is_always_so_is_no_order(report: str) -> None:
    assert [found for found in RULES.match(f"{report}.") if found.rule == "standing order"] == []


def test_who_she_is_stands_in_the_sentence_before() -> None:
    found = only("My sister Rita is a vet. She lives in Porto and is allergic to cats.")
    assert found.text == "My sister Rita is a vet. She lives in Porto and is allergic to cats"


def test_what_is_to_be_heeded_stands_in_the_sentence_before() -> None:
    found = only("Mein Arzt sagt, ich soll weniger Salz essen. Bitte künftig beachten.")
    assert found.text == "Mein Arzt sagt, ich soll weniger Salz essen. Bitte künftig beachten"


def test_an_order_that_names_nothing_stands_with_what_it_forbids() -> None:
    found = only("You wrote 'roughly' again without a figure. Please never without!")
    assert found.text == "You wrote 'roughly' again without a figure. Please never without"


@pytest.mark.parametrize(
    "order",
    [
        "keep all sensor code in C from now on, we had this twice already",
        "N'utilise jamais eval() dans ce projet, une erreur nous coûte une journée",
        "Nie ohne Handschuhe ins Labor gehen, letztes Jahr ist etwas passiert",
    ],
)
def test_an_order_is_kept_with_the_reason_behind_its_comma(order: str) -> None:
    found = only(order)
    assert (found.text, found.rule) == (order, "standing order")


def test_a_standing_order_is_one_behind_an_answer_too() -> None:
    order = "Gut. Und antworte mir bitte immer auf Deutsch, auch wenn ich Englisch schreibe."
    (found,) = RULES.match(order, before="The server is up and all tests pass. What next?")
    assert found.text.startswith("antworte mir")


def test_what_somebody_else_wrote_is_not_the_persons_own() -> None:
    assert texts("On Monday Paula wrote:\nWe always use tabs.\n\ncan you draft a reply?") == []
    assert texts("Paula wants you to use tabs from now on") == []
    assert texts("Am Montag schrieb Ben:\nWir nutzen ab jetzt immer Tabs.") == []
    assert texts("As I said:\nnever push on Friday.") == ["never push on Friday"]


@pytest.mark.parametrize(
    "message",
    [
        "1, 2 and 3",
        "MIP 1 and 4",
        "Piece 1 & 2 only, not 3",
        "如何部署这个服务",
        "我们是否总是用中文回答",
    ],
)
def test_labels_and_questions_without_a_mark_are_no_statements(message: str) -> None:
    assert texts(message) == []


def test_a_day_of_the_month_does_not_end_a_sentence() -> None:
    (clause,) = segments("Abgabe ist am 30. September, das steht fest.")
    assert clause.text == "Abgabe ist am 30. September, das steht fest"
    assert len(segments("Es waren 30. Danach kam nichts.")) == 2


def test_what_is_said_for_the_record_is_told() -> None:
    found = only("for the record: nobody edits the zone file by hand, only the robot does")
    assert (found.text[:6], found.state) == ("nobody", "active")


@pytest.mark.parametrize(
    "message",
    [
        "translate: I live in Rome and I work as a cook",
        "vertaal: ik woon in Rome en werk als kok",
    ],
)
def test_what_an_order_brings_along_is_nobody_s_statement(message: str) -> None:
    assert texts(message) == []


def test_what_only_joins_a_sentence_to_the_talk_is_not_kept() -> None:
    assert texts("great. also, never push to main") == ["never push to main"]


def test_the_text_that_an_order_brings_is_nobodys_statement() -> None:
    article = "The council decided on Tuesday to close the old bridge. Cyclists must always use the northern one."
    assert texts(f"summarise this article: {article}") == []
    assert texts("write a changelog entry") == []


def test_what_needs_the_sentence_before_it_is_kept_with_it_or_not_at_all() -> None:
    assert texts("That's the general preferred pattern for our importers.") == []


# --- what is left alone ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "I don't always use tabs in my files.",
        "You must be joking, the train is late.",
        "They must have been very tired by then.",
        "Should I always use X in such a case?",
        "He said never use X in such a case.",
        "If I always use tabs, will it complain?",
        "What if we never use the second server?",
        'Her motto is "never use a long word".',
        "Casino, hotel and spa are in one building.",
        "the comment `# always use utf-8` is in line 3",
    ],
)
def test_z17_what_only_looks_like_a_statement_is_left_alone(message: str) -> None:
    assert texts(message) == []


def test_only_user_text_of_up_to_2000_characters_is_read_however_short() -> None:
    order = "Always use tabs here"
    assert texts(order) == [order]
    filler = " The weather was fine and nothing else took place in the garden."
    assert texts(order + "." + filler * 30) == [order]
    assert texts(order + "." + filler * 32) == []
    assert texts(order, role="assistant") == texts(order, role="tool") == []


def test_the_length_counts_prose_and_not_what_is_pasted() -> None:
    code = "```\n" + "x = 1\n" * 2000 + "```\n"
    assert [c.text for c in segments("Never change the line length.\n\n" + code)] == [
        "Never change the line length"
    ]


# --- remember ----------------------------------------------------------------------------------


def test_remember_this_is_captured_whatever_its_length() -> None:
    found = only("Remember this: PIN is red")
    assert (found.text, found.kind, found.family, found.state) == (
        "PIN is red",
        "fact",
        "remember",
        "active",
    )
    long = "Remember that the shop is shut on Mondays. " + "We talked about the weather. " * 120
    assert texts(long) == ["the shop is shut on Mondays"]


def test_what_is_remembered_has_the_kind_that_its_words_call_for() -> None:
    found = only("Remember: every release must be signed by two people.")
    assert (found.kind, found.text) == ("policy", "every release must be signed by two people")


def test_remember_this_alone_means_what_was_said_before() -> None:
    assert texts("I use zsh on all machines. Remember this.") == ["I use zsh on all machines"]
    assert texts("Remember this.") == [""]
    (found,) = RULES.match("I always use zsh everywhere. Remember that!")
    assert (found.family, found.kind, found.text) == (
        "remember",
        "preference",
        "I always use zsh everywhere",
    )


def test_remember_this_with_a_colon_covers_the_list_below_it() -> None:
    message = "Remember this:\n- prod is eu-west-1\n- staging is us-east-1\n\nNow fix the tests."
    assert texts(message) == ["prod is eu-west-1", "staging is us-east-1"]
    assert texts("Remember this: A is 1. B is 2.\nNow go on.") == ["A is 1", "B is 2"]


@pytest.mark.parametrize(
    "head", ["Remember this:", "Please remember the following:\n", "Keep in mind:"]
)
def test_what_stands_in_a_list_below_a_telling_head_is_told_however_it_is_worded(head: str) -> None:
    found = RULES.match(f"{head}\n- a dog called Rex\n- deploys happen on Tuesdays")
    assert [one.text for one in found] == ["a dog called Rex", "deploys happen on Tuesdays"]
    assert {one.rule.partition(".")[0] for one in found} == {"remember"}


@pytest.mark.parametrize("text", ["We don't want that", "before we get on to UX"])
def test_what_names_nothing_or_says_only_when_is_not_kept(text: str) -> None:
    assert texts(text) == []


# --- self errors -------------------------------------------------------------------------------


def test_z18_an_assistant_s_mistake_becomes_one_episode() -> None:
    told = "I made a mistake in the migration: the column is nullable. I apologize for that."
    found = only(told, role="assistant")
    assert found.text == "self-error: I made a mistake in the migration: the column is nullable"
    assert (found.kind, found.family, found.outcome, found.key) == (
        "self_error",
        "self_error",
        "failure",
        "",
    )


def test_z18_trying_again_makes_it_a_learning() -> None:
    told = "The build failed because the path is wrong. Let me try again with the absolute path."
    assert only(told, role="assistant").outcome == "learning"


def test_z18_talk_about_errors_is_no_error_and_length_is_bounded() -> None:
    for text in (
        "I added error handling for the case that the server answers with status 500.",
        "I made a mistake.",
        "If I made a mistake anywhere in this long list, please tell me and I will look again.",
    ):
        assert RULES.match(text, role="assistant") == []
    told = "I misread the specification of the " + "very " * 40 + "long protocol."
    assert len(only(told, role="assistant").text) == 120
    assert RULES.match(told, role="user") == []


# --- clauses -----------------------------------------------------------------------------------


def test_pasted_text_is_no_clause() -> None:
    message = (
        "Please look at this trace, I do not get it.\n\n```py\nnever = 1\n```\n"
        "2026-03-02 10:11:12 ERROR no\n    at com.x.Main(Main.java:3)\n"
        '{"must": 1}\n\nI think the server must never answer twice.'
    )
    assert [clause.text for clause in segments(message)] == [
        "Please look at this trace, I do not get it",
        "I think the server must never answer twice",
    ]


def test_an_identifier_in_backticks_stays_and_a_quotation_is_blanked() -> None:
    (clause,) = segments('use `uv` and "poetry", not `pip install x` or "the old way"')
    assert clause.text.endswith('"the old way"')
    assert "`uv`" in clause.plain
    assert '"poetry"' in clause.plain
    assert "pip" not in clause.plain
    assert "old way" not in clause.plain


def test_a_hard_wrapped_sentence_is_one_clause_and_list_items_are_many() -> None:
    wrapped = "This sentence was broken by an editor after the\nsixtieth column. - no item"
    assert segments(wrapped)[0].text == (
        "This sentence was broken by an editor after the sixtieth column"
    )
    listed = "- use tabs in Go\n* ask me, e.g. by mail\n1) never call Dr. No"
    assert [c.text for c in segments(listed)] == [
        "use tabs in Go",
        "ask me, e.g. by mail",
        "never call Dr. No",
    ]


def test_both_ends_of_a_very_long_message_are_read() -> None:
    middle = "2026-03-02 10:11:12 INFO never use this, you must use that\n" * 20_000
    message = "Never touch the old queue.\n\n" + middle + "\nI prefer the short log format."
    told = ["Never touch the old queue", "I prefer the short log format"]
    assert [clause.text for clause in segments(message)] == told


# --- bounds ------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *("always", "never", "must", "I", "we", "you", "don't", "ever", "no", "remember", "this"),
        *("that", "prefer", "use", "tabs", "actually", "not", "but", "if", "said", "and", "please"),
        *("from now on", "Write a", ",", ".", "?", "!", ";", ":", "'", '"', "`", "```", ">", "|"),
        *(
            "-",
            "#",
            "**",
            "\n",
            "\n\n",
            "\t",
            "é",
            "’",
            "“",
            "”",
            "日本",
            "🙂",
            "\u0130",
            "\ud800",
            "x1",
        ),
    ]
)
ANY_TEXT = st.text(st.characters(), max_size=400) | st.lists(WORDS, max_size=60).map(" ".join)


@given(ANY_TEXT, st.sampled_from(["user", "assistant"]))
def test_any_text_is_read_and_what_is_captured_stands_in_it(text: str, role: str) -> None:
    for found in RULES.match(text, role):
        assert 0 <= found.start <= found.end <= len(text)
        if role == "user":
            assert found.text == own_words(readable(text), found.start, found.end)
    end = 0
    for clause in segments(text):
        assert end <= clause.start < clause.end <= len(text)
        assert len(clause.plain) == clause.end - clause.start
        end = clause.end


@given(st.text(max_size=60), st.text(max_size=20), ANY_TEXT)
def test_any_rule_is_compiled_or_reported_and_matches_any_text(
    pattern: str, veto: str, text: str
) -> None:
    rules = compile_rules([*ROWS[:3], row(pattern=pattern, veto=veto)])
    assert len(rules.problems) <= 1
    rules.match(text)
    rules.match("Always use type hints in Python.")


@given(st.text(max_size=300))
def test_folding_keeps_every_character_s_place(text: str) -> None:
    assert len(fold(text)) == len(text)


PATTERNS = [
    r"(x+x+)+y",
    r"(a|aa)+$",
    r"^(.*)*always(.*)*$",
    r"(?:\w+\s*)+!",
    r"(?:[ab]{1,30}){30}",
    r"\Q^$\E|(.*?,){11}z",
    r"[^]x]+$|[a^$]",
]


def test_evil_rules_and_long_texts_take_bounded_time() -> None:
    evil = [row(f"evil.{n}", pattern) for n, pattern in enumerate(PATTERNS)]
    rules = compile_rules([*ROWS, *evil])
    assert rules.problems == ()
    for text in ("x" * 5000, "a" * 1_000_000, "ab " * 300_000, "must always, " * 80_000):
        rules.match(text)  # what backtracks takes years


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("In src/api always use async handlers", "src/api"),
        ("for docs/, always write British English", "docs"),
        ("never edit files in docs/reference by hand", "docs/reference"),
        ("In src/api/ verwenden wir immer async", "src/api"),
        ("Always put tests in tests/unit", ""),
        ("always run scripts/check.sh before a commit", ""),
        ("never push to origin/main", ""),
        ("In ~/Projects/x always ask first", ""),
    ],
)
def test_a_rule_for_a_path_holds_there_alone(text: str, path: str) -> None:
    drafts = [draft_of(one, Scope("", "ana", "p", ""), at=0) for one in RULES.match(text)]
    assert [one.path_glob for one in drafts if one] == [path]


def test_two_words_with_a_stroke_between_are_no_path() -> None:
    assert place_in("Always pisz do/nie tego w plikach jest to i nie") == ""
