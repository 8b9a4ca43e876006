"""Who sees a memory, and where: the truth table, what never leaks, globs, and what a project is."""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import NOW, examples
from hypothesis import given, settings
from hypothesis import strategies as st

import cogmem
from cogmem.errors import InvalidInput, UnknownMemory, UnknownName
from cogmem.scope import Project, Scope, fits, names_of, narrowness, project_of
from cogmem.tokens import counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# -- the predicate -----------------------------------------------------------------------------------

AXES = ("runtime", "user", "project", "session")
NAMES = ("", "a", "b")


def sees(viewer: Scope, row: Scope) -> bool:
    """The rule in words: an empty column is everyone's; users have two partitions."""
    if viewer.everywhere:
        return True
    others = all(
        getattr(row, axis) in ("", getattr(viewer, axis))
        for axis in ("runtime", "project", "session")
    )
    if row.user == "":
        return others and viewer.shared
    return others and viewer.own and row.user == viewer.user


@pytest.fixture(scope="module")
def rows_of_every_scope() -> Iterator[cogmem.Memory]:
    """81 memories: each combination of nobody, a and b on four axes, named by its scope."""
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        for row in itertools.product(NAMES, repeat=4):
            scope = dict(zip(AXES, row, strict=True))
            mem.learn(f"memory of {row}", key="spot", data=scope, now=NOW, **scope)
        yield mem


VIEWERS = [
    Scope(*row, own=own, shared=shared)
    for row in itertools.product(("", "a"), repeat=4)
    for own, shared in ((True, True), (True, False), (False, True))
] + [Scope(everywhere=True)]


def test_z27_a_glob_without_a_folder_fits_files_wherever_they_lie() -> None:
    assert fits("*.sql", "db/init.sql")
    assert fits("*.sql", "init.sql")
    assert not fits("src/*.sql", "db/init.sql")
    assert not fits("*.sql", "db/init.py")


@pytest.mark.parametrize("viewer", VIEWERS, ids=repr)
def test_f34_g04_the_predicate_is_its_truth_table(
    rows_of_every_scope: cogmem.Memory, viewer: Scope
) -> None:
    found = rows_of_every_scope.store.list(viewer, NOW, limit=0)
    seen = {tuple(row.data.values()) for row in found}
    expected = {row for row in itertools.product(NAMES, repeat=4) if sees(viewer, Scope(*row))}
    assert seen == expected


name = st.sampled_from(["", "a", "b", "_", "%", "a%", "A", "ä", "a'", "*", "null"])
scopes = st.builds(Scope, name, name, name, name)


@settings(max_examples=examples(50))
@given(owners=st.lists(scopes, min_size=1, max_size=6), viewer=scopes)
def test_f35_no_row_of_another_user_project_or_session_ever_comes_back(
    owners: list[Scope], viewer: Scope
) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        learned = {}
        for number, owner in enumerate(owners):
            row = mem.learn(f"secret heron{number}x", key=f"k{number}", now=NOW, **owner.owner())
            learned[row.uid] = (owner, f"k{number}")
        visible = {uid for uid, (owner, _) in learned.items() if sees(viewer, owner)}
        mem.scope = viewer
        assert {row.uid for row in mem.list(now=NOW)} == visible
        assert mem.stats().memories == len(visible)
        assert {row.uid for row in mem.recall("secret", now=NOW)} <= visible
        shown = mem.activate("what is the secret?", now=NOW).text
        shown_uids = {uid for number, uid in enumerate(learned) if f"heron{number}x" in shown}
        assert shown_uids <= visible
        assert bool(shown_uids) is bool(visible), "what may be seen is shown, or nothing was tested"
        for uid, (_, key) in learned.items():
            for name_given in (uid, key):
                if uid in visible:
                    assert mem.get(name_given, now=NOW).uid == uid
                else:
                    with pytest.raises(UnknownMemory):
                        mem.get(name_given, now=NOW)
        assert {act.uid for act in mem.history.log(limit=0)} == visible
        assert {act.uid for act in mem.history.log(limit=0, everywhere=True)} == set(learned)
        for uid, (owner, _) in learned.items():
            act = mem.history.log(uid=uid, everywhere=True)[-1].act
            if uid in visible:
                assert {row.uid for row in mem.history.diff(act)} == {uid}
            else:
                with pytest.raises(UnknownName):
                    mem.history.diff(act)
            if owner.user in ("", viewer.user) and owner.runtime in ("", viewer.runtime):
                assert mem.undo(act, dry_run=True, now=NOW).uids == [uid]
            else:
                with pytest.raises(UnknownMemory, match="--everywhere"):
                    mem.undo(act, dry_run=True, now=NOW)


@settings(max_examples=examples(25))
@given(owners=st.lists(scopes, min_size=1, max_size=4), viewer=scopes)
def test_f35_no_turn_of_another_user_or_project_ever_comes_back(
    owners: list[Scope], viewer: Scope
) -> None:
    with cogmem.open(":memory:", counter=counting.Simple()) as mem:
        for number, owner in enumerate(owners):
            mem.activate(f"heron{number}x?", turn=f"t{number}", now=NOW, **owner.owner())
        heard = {
            f"t{number}"
            for number, owner in enumerate(owners)
            if sees(
                viewer, owner.replacing(session="")
            )  # a session's turns are its user's, as its talk is
        }
        mem.scope = viewer
        assert {row.turn for row in mem.turns.list(limit=0)} == heard
        assert len(mem.turns.list(limit=0, everywhere=True)) == len(owners)
        for number in range(len(owners)):
            name = f"t{number}"
            if name in heard:
                assert mem.turns.get(name).turn == name
            else:
                with pytest.raises(UnknownName):
                    mem.turns.get(name)
                assert mem.turns.get(name, everywhere=True).turn == name


@pytest.mark.parametrize("change", ["update", "remove", "archive", "restore", "tried"])
def test_f35_nobody_changes_what_he_does_not_see(memory: cogmem.Memory, change: str) -> None:
    learned = memory.learn("Mara prefers tea.", user="mara", now=NOW)
    memory.scope = Scope(user="theo")
    arguments: dict[str, object] = {"update": {"content": "x"}, "tried": {"success": True}}.get(
        change, {}
    )
    with pytest.raises(UnknownMemory):
        getattr(memory, change)(learned.uid, now=NOW, **arguments)


def test_f35_a_memory_that_is_gone_is_still_its_owner_s(
    path: str, open_memory: Callable[..., cogmem.Memory]
) -> None:
    with open_memory(path, user="bob") as bob, open_memory(path, user="ann") as ann:
        learned = bob.learn("Bob's walrus.", topic="pets", now=NOW)
        bob.update(learned.uid, detail={"topic": "sea"}, now=NOW)
        acts = [entry.act for entry in bob.history.log()]
        bob.undo(acts[0], now=NOW)
        gone = bob.undo(acts[1], now=NOW).act
        assert len(bob.history.log()) == 4
        assert {row.record for row in bob.history.diff(str(gone))} == {"memory", "fact"}
        assert ann.history.log() == []
        for act in (*acts, str(gone)):
            with pytest.raises(UnknownName):
                ann.history.diff(act)
            with pytest.raises(UnknownMemory):
                ann.undo(act, force=True, now=NOW)
        assert ann.history.log(everywhere=True) == bob.history.log()
        assert ann.undo(str(gone), everywhere=True, now=NOW).uids == [learned.uid]
        assert bob.get(learned.uid, now=NOW).content == "Bob's walrus."
        assert ann.file.check() == []


def test_f35_of_an_act_on_several_users_each_sees_their_own(memory: cogmem.Memory) -> None:
    other = memory.learn("Bob's walrus.", user="bob", now=NOW)
    mine = memory.learn("Ann's heron.", user="ann", now=NOW)
    act = memory.many.change("tag", "pets", dry_run=False, everywhere=True, now=NOW).act
    memory.scope = Scope(user="ann")
    (entry,) = memory.history.log(act=act)
    assert (entry.uid, entry.memories, entry.content) == (mine.uid, 1, "Ann's heron.")
    assert [row.uid for row in memory.history.diff(act)] == [mine.uid]
    with pytest.raises(UnknownMemory, match="another user"):
        memory.undo(act, now=NOW)
    assert memory.get(mine.uid, now=NOW).tags.count("pets") == 1, "nothing was changed"
    assert set(memory.undo(act, everywhere=True, now=NOW).uids) == {other.uid, mine.uid}


def test_f35_one_takes_back_what_one_did_in_any_project_or_session(memory: cogmem.Memory) -> None:
    acts = [
        memory.learn(f"A heron of {number}.", now=NOW, **place).act
        for number, place in enumerate(({"project": "p"}, {"session": "s"}, {"user": ""}))
    ]
    for act in acts:
        assert memory.undo(act, now=NOW).rows == 1


def test_what_belongs_to_no_memory_everyone_sees_and_takes_back(memory: cogmem.Memory) -> None:
    memory.store.set_setting("budget_tokens", "900", now=NOW)
    memory.scope = Scope(user="ann", project="p")
    (entry,) = memory.history.log()
    assert [row.record for row in memory.history.diff(entry.act)] == ["setting"]
    assert memory.undo(entry.act, now=NOW).rows == 1


@pytest.mark.parametrize("asked", ["turn", "replay", "used", "why"])
def test_f35_a_turn_of_another_is_answered_like_one_that_never_was(
    path: str, open_memory: Callable[..., cogmem.Memory], asked: str
) -> None:
    with open_memory(path, user="bob") as bob, open_memory(path, user="ann") as ann:
        learned = bob.learn("Bob's walrus swims.", now=NOW)
        turn = bob.activate("walrus", session="s", now=NOW).turn
        calls: dict[str, Callable[..., object]] = {
            "turn": lambda mem, name, **more: mem.turns.get(name, **more),
            "replay": lambda mem, name, **more: mem.turns.replay(name, **more),
            "used": lambda mem, name, **more: mem.used(name, [learned.uid], now=NOW, **more),
            "why": lambda mem, name, **more: mem.why(learned.uid, name, **more),
        }
        with pytest.raises(UnknownName) as theirs:
            calls[asked](ann, turn)
        with pytest.raises(UnknownName) as nobodys:
            calls[asked](ann, "turn_0000000000000000")
        assert str(theirs.value).replace(turn, "turn_0000000000000000") == str(nobodys.value)
        assert bob.get(learned.uid, now=NOW).access_count == 0
        assert calls[asked](bob, turn)
        assert calls[asked](ann, turn, everywhere=True)
        assert ann.turns.list() == []
        assert ann.file.check() == []


def test_f35_a_word_on_one_s_own_turn_strengthens_nothing_of_another(memory: cogmem.Memory) -> None:
    other = memory.learn("The walrus of Bob.", user="bob", now=NOW)
    mine = memory.learn("The walrus swims.", user="ann", session="s", now=NOW)
    turn = memory.activate("walrus", user="ann", session="s", now=NOW).turn
    memory.scope = Scope(user="ann")
    assert memory.used(turn, [other.uid, mine.uid], now=NOW) == 1
    counts = {row.uid: row.access_count for row in memory.list(everywhere=True, now=NOW)}
    assert counts == {other.uid: 0, mine.uid: 1}


def test_f35_of_another_s_memory_why_not_tells_no_more_than_that(memory: cogmem.Memory) -> None:
    uid = memory.learn("The walrus of Ada.", user="ada", source="web", now=NOW).uid
    assert memory.why_not(uid, "walrus", now=NOW).stage == "scope"


def test_f35_two_users_hold_the_same_key_without_touching_each_other(memory: cogmem.Memory) -> None:
    for user in ("mara", "theo", ""):
        memory.learn(f"drink of {user or 'all'}", key="drink", user=user, now=NOW)
    for user in ("mara", "theo"):
        memory.scope = Scope(user=user)
        assert memory.get("drink", now=NOW).content == f"drink of {user}"


def test_g05_a_project_is_filled_in_unless_a_memory_is_for_all(memory: cogmem.Memory) -> None:
    memory.scope = Scope(project="p1", session="s1")
    mine = memory.learn("Tabs here.", session="", now=NOW)
    everyone = memory.learn("Be kind.", project="", session="", now=NOW)
    assert memory.get(mine.uid, now=NOW).project == "p1"
    assert memory.get(everyone.uid, now=NOW).project == ""


# -- globs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("glob", "path", "within"),
    [
        ("", "anything/at/all", True),
        ("src/auth.py", "src/auth.py", True),
        ("src/auth.py", "src/auth.pyc", False),
        ("src/auth", "src/auth/login.py", True),
        ("src/auth", "src/authority.py", False),
        ("src/auth/", "src/auth/login.py", True),
        ("src/*", "src/auth/login.py", True),
        ("src/*.py", "src/login.py", True),
        ("src/*.py", "src/auth/login.py", False),
        ("src/**/*.py", "src/login.py", True),
        ("src/**/*.py", "src/a/b/login.py", True),
        ("src/**/*.py", "lib/login.py", False),
        ("**/test_*", "a/b/test_x.py", True),
        ("src/?.py", "src/a.py", True),
        ("src/?.py", "src/ab.py", False),
        ("src/[ab].py", "src/a.py", True),
        ("src/[!ab].py", "src/a.py", False),
        ("src/[a-c]x", "src/bx", True),
        ("src/[ab", "src/[ab", True),
        ("src/a_b.py", "src/axb.py", False),
        ("src/100%.md", "src/1000.md", False),
        ("src\\auth", "src/auth/login.py", True),
        ("./src//auth", "src/auth", True),
        ("SRC", "src", False),
    ],
)
def test_z27_a_path_is_within_a_glob(glob: str, path: str, within: bool) -> None:
    assert fits(glob, path) is within


# A part of dots alone is not a name: "./a" is a.
letters = st.text("ab_%.", min_size=1, max_size=6).filter(lambda part: part.strip("."))
paths = st.lists(letters, min_size=1, max_size=4).map("/".join)


@given(paths, paths)
def test_z27_without_wildcards_only_the_path_and_what_lies_below_fit(glob: str, path: str) -> None:
    assert fits(glob, path) is (path == glob or path.startswith(glob + "/"))


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 300 + "b", "a" * 600),
        ("**/a/" * 60 + "b", "a/" * 600 + "c"),
        ("**/*a*a*a*a*b/" * 20, "/".join(["a" * 40] * 200)),
        ("[a-z]" * 400, "a" * 400 + "/" + "a" * 400),
        ("*[a]" * 150 + "b", "a" * 600),
    ],
)
def test_z27_no_glob_takes_exponential_time(glob: str, path: str) -> None:
    fits(glob, path)  # or the test has no end


@pytest.mark.parametrize(
    ("glob", "path", "within"),
    [
        ("[ab]x[cd]", "ax]", False),
        ("[^a]b", "cb", True),
        ("[^a]b", "ab", False),
        ("[]]x", "]x", True),
        ("[a", "[a", True),
        ("a**", "ab", True),
        ("**/b/c", "a/b/b/c", True),
        ("**/b/c", "b/c", True),
        ("a/**/b/**/c", "a/b/b/x/c", True),
        ("a/**/d", "a/b/c/d", True),
        ("a/**/d", "a/d", True),
        ("a/**/d", "a/b/c", False),
        ("a/**", "a", True),
        ("**/x/**/y", "p/x/q/x/y/r", True),
        ("a?c", "a/c", False),
    ],
)
def test_z27_wildcards_come_back_to_where_they_can_still_match(
    glob: str, path: str, within: bool
) -> None:
    assert fits(glob, path) is within


def test_a_glob_is_as_narrow_as_its_literal_parts_and_then_its_letters() -> None:
    assert narrowness("src/api/*.py") == (2, 9)
    assert narrowness("src/api/main.py") == (3, 13)
    assert narrowness("src/**") == (1, 3)
    assert narrowness("src/?") == (1, 4)
    assert narrowness("/src//[ab]/") == (1, 7)
    assert narrowness("") == (0, 0)


@pytest.mark.parametrize(
    ("config", "remote"),
    [
        ('[remote "up"]\n\turl = https://a.example/x/y.git\n', "a.example/x/y"),
        ('[remote "up"]\n url=git@a.example:x/y.git\n', "a.example/x/y"),
        ('[remote "up"]\n url = ssh://git@A.example/X/y/\n', "a.example/x/y"),
        ('[remote "a"]\nurl = https://a/b\n[remote "b"]\nurl = https://c/d\n', ""),
        ('[remote "a"]\nurl = https://a/b\n[remote "origin"]\nurl = https://c/d=e\n', "c/d=e"),
        ('[remote "origin"]\nurl = https://first/x\nurl = https://second/x\n', "first/x"),
        ('[remote "origin"]\npushurl = https://a/b\n', ""),
        ("url = https://a/b\n", ""),
        ('[branch "x"]\nurl = https://a/b\n', ""),
        ('[remote "origin"]\nurl = ../elsewhere\n', ""),
        ('[remote "origin"]\nurl = /srv/git/x\n', ""),
        ('[remote "origin"]\nurl = file:///srv/x\n', ""),
        ('[remote "origin"]\nurl = https://m:p@ss@a.example/x\n', "a.example/x"),
        ('[remote "örigin"]\nurl = https://ä.example/ü\n', "ä.example/ü"),
    ],
)
def test_the_remote_that_names_a_project_is_read_from_its_configuration(
    tmp_path: Path, config: str, remote: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(config, encoding="utf-8")
    project = project_of(str(tmp_path))
    assert project.remote == remote
    assert project.root == str(tmp_path.resolve())
    assert project.label == (remote.rpartition("/")[2] if remote else tmp_path.name)


def test_a_folder_without_git_is_a_project_by_its_path(tmp_path: Path) -> None:
    found = project_of(str(tmp_path), home=str(tmp_path.parent / "elsewhere"))
    assert (found.root, found.remote, found.label) == (str(tmp_path.resolve()), "", tmp_path.name)
    (tmp_path / ".cogmem").write_text("garden\nmore\n")
    (tmp_path / "below").mkdir()
    named = project_of(str(tmp_path / "below"))
    assert (named.label, named.root, named.remote) == ("garden", str(tmp_path.resolve()), "")
    assert named.id != found.id
    assert named.id == Project("name:garden", "", "").id
    assert len(named.id) == 16


def test_two_scopes_are_equal_when_they_see_the_same() -> None:
    one = Scope("r", "u", "p", "s")
    assert one == Scope("r", "u", "p", "s")
    assert hash(one) == hash(Scope("r", "u", "p", "s"))
    for other in (
        Scope("x", "u", "p", "s"),
        Scope("r", "x", "p", "s"),
        Scope("r", "u", "x", "s"),
        Scope("r", "u", "p", "x"),
        one.replacing(own=False),
        one.replacing(shared=False),
        one.replacing(everywhere=True),
    ):
        assert one != other
    assert one != "Scope"
    assert repr(one) == "Scope(runtime='r', user='u', project='p', session='s')"
    assert repr(Scope()) == "Scope(runtime='', user='', project='', session='')"


# -- projects ----------------------------------------------------------------------------------------


def git(folder: Path, *words: str) -> None:
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, env=quiet, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "garden"
    (folder / "beds").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "README").write_text("roses")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "roses")
    return folder


def identity(folder: Path, home: Path | None = None) -> str:
    return project_of(str(folder), home=str(home) if home else None).id


def test_g04_a_project_is_known_by_sixteen_hex_digits_and_keeps_to_itself(
    memory: cogmem.Memory, tmp_path: Path
) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        memory.scope = Scope(project=identity(tmp_path / place))
        assert len(memory.scope.project) == 16
        memory.learn(f"This is {place}.", key="where", now=NOW)
    memory.learn("Everywhere.", project="", now=NOW)
    assert {row.content for row in memory.list(now=NOW)} == {"This is two.", "Everywhere."}


def test_g04_a_path_is_resolved_before_it_names_a_project(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert identity(tmp_path / "link") == identity(tmp_path / "real" / ".." / "real")
    with cogmem.open(tmp_path / "m.db", project=str(tmp_path / "link")) as mem:
        assert mem.scope.project == identity(tmp_path / "real"), "a folder, as for --project"
    with pytest.raises(InvalidInput, match="not a folder"):
        cogmem.open(tmp_path / "m.db", project=str(tmp_path / "missing"))


def test_a_folder_inside_a_repository_is_that_project(repository: Path) -> None:
    assert identity(repository / "beds") == identity(repository)


def test_worktrees_of_one_repository_share_their_memory(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "shed"))
    assert identity(tmp_path / "shed") == identity(repository)
    assert project_of(str(tmp_path / "shed")).label == "garden"


def test_fresh_clones_of_one_remote_share_their_memory(repository: Path) -> None:
    urls = [
        "https://example.org/Herons/garden.git",
        "git@example.org:Herons/garden.git",
        "ssh://git@example.org/Herons/garden",
        "https://token:x@example.org/herons/garden/",
    ]
    found = set()
    for url in urls:
        git(repository, "config", "remote.origin.url", url)
        project = project_of(str(repository))
        assert (project.remote, project.label) == ("example.org/herons/garden", "garden")
        found.add(project.id)
    assert len(found) == 1


def test_a_clone_of_a_folder_is_known_by_its_own_place(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(repository), "copy")
    assert identity(tmp_path / "copy") != identity(repository)


def test_a_file_cogmem_with_a_name_wins_over_git(repository: Path, tmp_path: Path) -> None:
    (repository / ".cogmem").write_text("our garden\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".cogmem").write_text("our garden\n")
    assert identity(repository / "beds") == identity(elsewhere)
    assert project_of(str(elsewhere)).label == "our garden"
    (elsewhere / ".cogmem").write_text("\n")
    assert identity(elsewhere) != identity(repository), "an empty file names nothing"


def test_the_home_directory_and_the_root_are_no_projects(tmp_path: Path) -> None:
    for folder in (str(tmp_path), "/"):
        with pytest.raises(InvalidInput, match=r"put a file \.cogmem"):
            project_of(folder, home=str(tmp_path))
    with pytest.raises(InvalidInput, match="not a folder"):
        project_of(str(tmp_path / "nowhere"))


def test_a_repository_in_the_home_directory_is_not_taken_for_all_that_lies_below(
    tmp_path: Path,
) -> None:
    # Some people keep their settings in a git repository at home; that is not one big project.
    git(tmp_path, "init", "--quiet")
    (tmp_path / "work").mkdir()
    with pytest.raises(InvalidInput):
        project_of(str(tmp_path), home=str(tmp_path))
    assert project_of(str(tmp_path / "work"), home=str(tmp_path)).label == "work"


@pytest.mark.parametrize("text", ["", "gitdir: /nowhere", "[remote", "\x00\xff", "gitdir:"])
def test_a_broken_git_file_still_gives_a_project(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / ".git").write_bytes(text.encode("latin-1"))
    assert isinstance(project_of(str(folder)), Project)


# -- the names of a file -----------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A working tree, and a link that leads to it."""
    (tmp_path / "house" / "src" / "auth").mkdir(parents=True)
    (tmp_path / "house" / ".git").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "house")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("src/auth/login.py", ""),
        ("./src/auth/login.py", ""),
        ("src/../src/auth/login.py", ""),
        ("{tree}/house/src/auth/login.py", ""),
        ("{tree}/house/src/auth/login.py", "{tree}"),
        ("{tree}/link/src/auth/login.py", ""),
        ("{tree}/link/src/auth/not/there/yet.py", ""),
        ("login.py", "{tree}/house/src/auth"),
        ("../auth/login.py", "{tree}/link/src/auth"),
    ],
)
def test_a_file_is_known_by_every_name_that_leads_to_it(tree: Path, file: str, folder: str) -> None:
    names = names_of(file.format(tree=tree), folder.format(tree=tree))
    assert any(fits("src/auth/**", name) for name in names)


def test_another_tree_has_files_of_its_own(tree: Path) -> None:
    (tree / "other" / "src" / "auth").mkdir(parents=True)
    names = names_of(f"{tree}/other/src/auth/login.py", f"{tree}/house")
    assert not any(fits("src/auth/**", name) for name in names)


def test_a_worktree_without_git_begins_at_the_folder(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    assert "src/a.py" in names_of(str(tmp_path / "src" / "a.py"), str(tmp_path))


def test_a_rule_for_a_path_is_shown_for_the_absolute_path(
    memory: cogmem.Memory, tree: Path
) -> None:
    memory.learn("Hash passwords with Argon2id.", path="src/auth/**", now=NOW)
    for file in ("src/auth/login.py", f"{tree}/link/src/auth/login.py"):
        assert "Argon2id" in memory.activate("go on", files=[file], now=NOW).volatile


def test_a_call_names_its_owner_in_four_words_and_no_other(memory: cogmem.Memory) -> None:
    row = memory.learn("Herons wade.", user="mara", session="s", now=1_800_000_000_000)
    assert memory.list(everywhere=True, now=1_800_000_000_001)[0].uid == row.uid
    with pytest.raises(TypeError, match="everywhere: no call takes this"):
        memory.learn("Herons wade.", everywhere=True)  # type: ignore[call-arg]
