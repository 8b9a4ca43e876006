"""The command line as a whole: its help, its faults, its exit codes; also as real processes.

Modules: call, method, show, cogmem.__main__.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from processes import ran
from shell import asked

import cogmem
import cogmem.__main__
from cogmem.cli.app import MEANT, SECTIONS, UNSAID, app
from cogmem.cli.call import every_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from shell import Run

COMMAND = [sys.executable, "-m", "cogmem"]


def spawn(
    path: str, *args: str | bytes, command: Sequence[str | Path] = COMMAND, **options: Any
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, "--db", path, *args],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def at_terminal(program: Path, path: str, *args: str, **environment: str) -> str:
    """What a command shows a person at a terminal."""
    here, there = pty.openpty()
    child = subprocess.Popen(
        [program, "--db", path, *args],
        stdout=there,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200", **environment},
    )
    os.close(there)
    data = b""
    while True:
        try:
            piece = os.read(here, 4096)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(here)
    assert child.wait(60) == 0
    return data.decode()


# -- answers -------------------------------------------------------------------------------------


def test_options_stand_before_or_behind_the_command(run: Run, path: str) -> None:
    asked(run, "learn", "Ann's.", "--user", "ann")
    result = CliRunner().invoke(app, ["list", "--json", "--user", "ann", "--db", path])
    assert [row["content"] for row in json.loads(result.stdout)] == ["Ann's."]
    assert asked(run, "--user", "bob", "list") == []
    environment = {"COGMEM_DB": path, "COGMEM_USER": "ann"}
    assert "Ann's." in CliRunner().invoke(app, ["list"], env=environment).stdout


def test_text_of_others_cannot_steer_the_terminal_or_its_markup(run: Run) -> None:
    assert run("learn", "Loud \u2067words").exit_code == 1
    asked(
        run,
        "file",
        "import",
        "-",
        "--as-is",
        input='{"content": "\\u001b[31mRed \\u202eback [bold]x"}\n',
    )
    shown = run("list").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "�[31mRed �back [bold]x" in shown


# -- the file ------------------------------------------------------------------------------------


def test_a_repository_without_shared_memories_is_not_called_sound(run: Run, tmp_path: Path) -> None:
    assert "there is no .cogmem" in run("sync", "check", str(tmp_path)).stdout


# -- faults --------------------------------------------------------------------------------------


FAULTS = {
    "learn '   '": (1, "there is nothing to remember"),
    "learn x --priority huge": (1, "priority 'huge' is not known"),
    "learn x --source rumour": (1, "source 'rumour' is not known"),
    "learn x --valid-from soon": (2, "'soon' is not an instant; write it like 2026-11-20"),
    "learn": (2, "Missing argument 'TEXT'"),
    "learn x --colour red": (2, "No such option"),
    "teach x": (2, "there is no command 'teach'"),
    "serach x": (2, "did you mean `cogmem recall`?"),
    "delete x": (2, "use `cogmem remove`"),
    "get nobody": (3, "no memory is called 'nobody'"),
    "remove nobody": (1, "no memory is called 'nobody'"),
    "undo 999": (1, "there is no change 999"),
    "list --kind nothing": (1, "kind 'nothing' is not registered"),
    "list --limit many": (2, "not a valid integer"),
    "recall '\"unbalanced AND ( * ^ NEAR'": (3, "nothing found"),
    "file import nowhere.jsonl": (1, "nowhere.jsonl cannot be read"),
    "file import .": (1, "is a folder"),
    "file backup no/such/folder/x.db": (1, "is not a folder"),
    "file restore": (1, "there is no backup beside"),
    "learn one two": (2, "put a text of several words into quotes"),
    "learn x --valid-from 2026-05-02 --valid-to 2026-05-01": (1, "valid_to lies before valid_from"),
    "learn procedure deploy --tag x ''": (1, "at least one step"),
    "recall x --tokens -1": (2, "is not in the range"),
    "recall x --min-chance 2": (2, "is not in the range"),
    "activate x --documents nowhere": (1, "nowhere is not a folder"),
    "activate x --documents ''": (1, "cogmem: '' is not a folder"),
    "activate x --budget 99999999999999999999": (1, "a number is too large: the largest is"),
    "setting kind add gem --layer semantic --meaning ' '": (1, "'gem' needs a meaning"),
    "chat import ''": (1, "cogmem: '': No such file"),
    "file backup nowhere/": (1, "nowhere/ is not a folder: make it first"),
    "file export nowhere/x.jsonl": (1, "nowhere/x.jsonl: No such file"),
    "sync check nowhere": (1, "nowhere is not a folder: name the repository"),
    "setting set silence loud": (1, "cogmem: silence is cautious, balanced or generous"),
    "chat backfill --undo b1": (
        1,
        "no backfill or import is called 'b1': nothing was recorded yet",
    ),
    "git nowhere": (1, "nowhere is not a folder: name one of the working tree"),
}


@pytest.mark.parametrize("words", FAULTS)
def test_faults_are_one_sentence_and_a_meaningful_code(run: Run, words: str) -> None:
    asked(run, "learn", "Herons wade.")
    asked(run, "setting", "set", "budget_tokens", "800")
    code, said = FAULTS[words]
    result = run(*shlex.split(words))
    assert result.exit_code == code, result.output
    assert said in " ".join(result.output.split())
    assert "Traceback" not in result.output
    assert run("list").stdout.count("mem_") == 1


def test_of_a_long_or_hostile_argument_a_fault_quotes_what_a_terminal_can_bear(run: Run) -> None:
    asked(run, "learn", "Herons wade.")
    for words, advice in (
        (["get"], "`cogmem recall` searches\n"),
        (["learn", "y", "--priority"], "use critical, high, medium, normal or 4 to 1\n"),
        (["list", "--limit"], "is not a valid integer.\n"),
    ):
        told = run(*words, "x" * 100_000).stderr
        assert len(told) < 1_300
        assert told.endswith(advice)
    told = run("chat", "import", "\u202e\x07\x1b[2Jgone").stderr
    assert told == "cogmem: ���[2Jgone: No such file or directory\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("words", ["--version", "list --json", "learn Coffee"])
def test_an_answer_that_cannot_be_written_is_one_sentence(path: str, words: str) -> None:
    cogmem.open(path).close()
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *shlex.split(words)], stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "COGMEM_DB": path}, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(r"(cogmem: [^\n]+\n)+", done.stderr)
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        ("list", ">&-", 0),
        ("learn -", "<&-", 1),
        ("--version", "<&- >&- 2>&-", 0),
    ],
)
def test_a_caller_that_closed_a_stream_gets_its_code(
    path: str, words: str, closed: str, code: int
) -> None:
    cogmem.open(path).close()
    shell = f"exec {shlex.join(COMMAND)} {words} {closed}"
    done = subprocess.run(
        ["sh", "-c", shell], capture_output=True, text=True, check=False,
        env={**os.environ, "COGMEM_DB": path},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "this should not happen" not in done.stderr
    with cogmem.open(path) as mem:
        assert mem.file.check() == []


def test_an_interruption_while_the_program_loads_is_no_accident(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cogmem.cli.app.main", interrupted)
    monkeypatch.setattr(sys, "argv", ["cogmem", "list"])
    with pytest.raises(SystemExit) as ended:
        cogmem.__main__.main()
    assert (ended.value.code, capsys.readouterr().err) == (130, "cogmem: interrupted\n")


def test_an_argument_that_is_not_utf_8_is_no_accident(path: str, program: Path) -> None:
    latin, spawned = b"caf\xe9.go", partial(spawn, path, command=[program])
    spawned("learn", "The coffee is strong.", "--path", "caf*")
    for words in (
        ["activate", "coffee", "--file", latin],
        ["activate", "coffee", "--session", latin],
        ["list", "--user", latin],
    ):
        done = spawned(*words)  # type: ignore[arg-type]
        assert (done.returncode, done.stderr) == (0, "")
        assert "The coffee is strong." in done.stdout
    done = spawned("get", latin)
    assert done.returncode == 3
    assert "no memory is called 'caf\ufffd.go'" in done.stderr


def test_the_help_of_learn_and_activate_names_every_key(run: Run) -> None:
    for words in (["learn", "Deploys need a green build."], ["activate", "deploy"]):
        told = " ".join(run(words[0], "--help").stdout.split())
        named = re.search(r"JSON: ([\w, ]+)\.", told)[1].split(", ")  # type: ignore[index]
        assert set(named) == set(asked(run, *words))
    (found,) = asked(run, "recall", "deploys")
    told = " ".join(run("recall", "--help").stdout.split())
    assert set(re.search(r"JSON: \[\{([\w, ]+)\}\]", told)[1].split(", ")) == set(found)  # type: ignore[index]


def test_a_file_that_is_not_there_is_not_made_by_looking(run: Run, path: str) -> None:
    for words in (
        ["list"],
        ["recall", "x"],
        ["file", "stats"],
        ["log"],
        ["doctor"],
        ["file", "check"],
        ["file", "export"],
        ["sql", "select 1"],
    ):
        result = run(*words)
        assert result.exit_code == 1
        assert "there is no memory at" in result.stderr
    assert not os.path.exists(path)


def test_debug_shows_where_a_fault_comes_from(run: Run) -> None:
    try:
        assert "Traceback" in run("learn", "", "--debug").stderr
    finally:
        from cogmem.cli.call import Call

        Call.debug = False


def test_what_was_noticed_on_opening_goes_to_standard_error(run: Run, path: str) -> None:
    asked(run, "learn", "First.")
    with open(path, "r+b") as file:
        file.truncate(300)
    refused = run("learn", "Second.", "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["code"]) == (1, "damaged")
    assert "is damaged" in refused.stderr
    assert os.path.getsize(path) == 300, "nobody replaces a damaged file"
    assert run("doctor", "--set-aside").exit_code == 0
    nothing = run("list").stderr
    assert "there is no memory" in nothing
    assert "was set aside" in nothing
    result = run("learn", "Second.", "--json")
    assert json.loads(result.stdout)["outcome"] == "inserted"
    assert "is gone" not in result.stderr, "a person put it by"
    assert "was set aside" in run("doctor").stdout


# -- help ----------------------------------------------------------------------------------------


COMMANDS = [name for commands in SECTIONS.values() for name in commands]
EVERY = {
    name
    for top in COMMANDS
    for name, _ in every_command(top, app.get_command(None, top))  # type: ignore[arg-type]
}


def test_help_stays_small_and_what_is_meant_exists() -> None:
    assert len(COMMANDS) <= 37
    families = {" ".join(name.split()[:-1]) for name in EVERY}
    assert [new for new in MEANT.values() if new not in EVERY | families] == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("export", "use `cogmem skills export` or `cogmem file export`"),
        ("rules", "use `cogmem capture rules`"),
        ("check", "use `cogmem capture rules check` or `cogmem file check` or"),
        ("Search", "use `cogmem recall`"),
        ("kinds", "did you mean `cogmem setting kind`?"),
        ("lern", "did you mean `cogmem learn`?"),
        ("zzz", "`cogmem help all` lists them"),
    ],
)
def test_a_word_that_is_no_command_leads_to_one(run: Run, typed: str, told: str) -> None:
    done = run(typed, "--json")
    assert done.exit_code == 2
    assert f"there is no command {typed.lower()!r}: {told}" in done.stderr


def test_a_text_that_is_called_as_a_part_is_a_text_where_something_stands_before_it(
    run: Run,
) -> None:
    assert "inserted" in run("learn", "--kind", "fact", "episode").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    result = run(command, "-h")
    assert result.exit_code == 0
    first = result.stdout.split("\n\n")[1].strip()
    assert first.endswith((".", ":")), first
    assert "--db" not in result.stdout, "the common options are explained once"


def test_help_lists_commands_by_purpose_and_the_common_options(run: Run) -> None:
    shown = run("--help").stdout
    for word in (
        *SECTIONS,
        *(name for name in COMMANDS if name not in UNSAID),
        "--db",
        "--user",
        "--project",
        "--actor",
        "--json",
        "--version",
    ):
        assert word in shown
    assert len([name for name in COMMANDS if name not in UNSAID]) <= 35
    assert run().exit_code == 2
    assert run("--version").stdout == f"cogmem {cogmem.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(run: Run, shell: str) -> None:
    source = asked(run, "setting", "completion", shell)["source"]
    assert "_COGMEM_COMPLETE" in source
    done = CliRunner().invoke(
        app,
        [],
        prog_name="cogmem",
        env={"_COGMEM_COMPLETE": "bash_complete", "COMP_WORDS": "cogmem res", "COMP_CWORD": "1"},
    )
    assert "restore" in done.stdout


def test_a_failed_call_answers_with_json_too(run: Run) -> None:
    asked(run, "learn", "Tabs are four wide.")
    fault = asked(run, "update", "nobody", "--content", "x", code=1)
    assert set(fault) == {"error", "code", "hint"}
    assert fault["code"] == "unknown_memory"
    assert fault["hint"].startswith("`cogmem list` shows uids and keys")
    assert asked(run, "get", "nobody", code=3)["code"] == "unknown_memory"
    assert asked(run, "delete", "x", code=2)["code"] == "usage"


def test_help_explains_a_subject_or_a_command(run: Run) -> None:
    assert "backup" in run("help", "file").stdout
    assert "Make a verified copy" in run("help", "all").stdout
    assert (
        run("help", "capture", "rules", "add").stdout
        == run("capture", "rules", "add", "--help").stdout
    )
    assert "there is no subject" in run("help", "cooking").stderr


# -- as processes --------------------------------------------------------------------------------


def test_standard_input_is_read_as_bytes_of_utf_8(path: str) -> None:
    command = [*COMMAND, "--db", path, "learn", "-", "--json"]
    done = subprocess.run(
        command, input="Größe: ½ 缓存\n".encode(), capture_output=True, check=True
    )
    uid = json.loads(done.stdout)["uid"]
    with cogmem.open(path) as mem:
        assert mem.get(uid).content == "Größe: ½ 缓存"
    done = subprocess.run(command, input=b"caf\xe9", capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["code"]) == (1, "invalid_input")
    assert b"standard input is not UTF-8" in done.stderr


def test_a_closed_pipe_is_quiet(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.file.import_(
            [json.dumps({"content": f"Fact {n}. " + "x" * 500}) for n in range(400)], as_is=True
        )
    for words in (["file", "export"], ["list", "--limit", "0"]):
        with subprocess.Popen(
            [*COMMAND, "--db", path, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.read(10)
            child.stdout.close()
            assert child.stderr.read() == b""
            assert child.wait(60) == 0


def test_an_interrupt_leaves_with_130_and_the_file_sound(path: str, tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    big.write_text(
        "".join(json.dumps({"content": f"Fact number {n}."}) + "\n" for n in range(40_000))
    )
    child = subprocess.Popen(
        [*COMMAND, "--db", path, "file", "import", str(big), "--as-is"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not (os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 100_000):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert said.decode().strip() == "cogmem: interrupted"
    # Python may end itself by the signal after all; to a shell both are 130.
    assert child.returncode in (130, -signal.SIGINT)
    with cogmem.open(path) as mem:
        assert mem.stats().memories == 0
        assert mem.file.check() == []


def test_a_person_at_a_terminal_gets_a_table_and_others_plain_text(
    path: str, program: Path
) -> None:
    with cogmem.open(path) as mem:
        mem.learn("The [bold] truth.")

    rich = at_terminal(program, path, "list")
    assert "\x1b[1m" in rich
    assert "The [bold] truth." in rich
    for plain in (
        at_terminal(program, path, "list", NO_COLOR="1"),
        spawn(path, "list", command=[program]).stdout,
    ):
        assert "\x1b" not in plain
        assert "The [bold] truth." in plain


def test_a_narrow_terminal_gives_half_of_itself_to_what_is_told(path: str, program: Path) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build, whoever asks for one.", key="auto.pref.green-build")
        mem.learn("Maybe the build is slow.", kind="preference", state="candidate")
    assert "  Deploys need a green build, whoever" in at_terminal(
        program, path, "list", COLUMNS="80"
    )
    assert "whoever asks for one." in at_terminal(program, path, "list", COLUMNS="200")
    assert "strength" in at_terminal(program, path, "list", COLUMNS="200")
    assert "strength" not in at_terminal(program, path, "list", COLUMNS="80")
    with cogmem.open(path) as mem:
        mem.learn("The build server is called jay.", key="build-server")
    for width in ("40", "80"):
        assert "candidate" in at_terminal(program, path, "list", COLUMNS=width)
    kinds = at_terminal(program, path, "setting", "kind", "list", COLUMNS="80")
    assert re.search(r"^entity +semantic +\d.* A project, team or system", kinds, re.MULTILINE)


def test_an_answer_that_is_too_wide_is_a_line_for_each_value(path: str, program: Path) -> None:
    with cogmem.open(path) as mem:
        mem.learn("Deploys need a green build.", key="deploys")
    answer = "select uid, content, kind, key, layer, state from memory"
    wide, narrow = (
        at_terminal(program, path, "sql", answer, COLUMNS=width) for width in ("200", "60")
    )
    assert "Deploys need a green build.  fact  deploys" in wide
    assert "content: \x1b[0mDeploys need a green build.\r\n" in narrow
    assert "…" not in narrow


def test_a_command_loads_only_what_it_uses(path: str) -> None:
    with cogmem.open(path) as mem:
        mem.file.show()  # as the first command does, once for a file
        mem.learn("Lunch is at noon.")
    program = (
        "import sys\n"
        "from cogmem.cli.app import app\n"
        "try:\n    app.main(args=sys.argv[1:])\n"
        "except SystemExit:\n    pass\n"
        "print(*sorted({'rich', 'sqlite_utils', 'tiktoken', 'numpy', 'pydantic', 'sqlite3'} & set(sys.modules)))\n"
    )
    for words in (
        ["--help"],
        ["--db", path, "list"],
        ["--db", path, "file", "stats"],
        ["--db", path, "log"],
    ):
        done = ran([sys.executable, "-c", program, *words], check=True)
        assert done.stdout.splitlines()[-1] == "", words


def test_no_list_of_commands_breaks_a_sentence_off(run: Run) -> None:
    names = [name for section in SECTIONS.values() for name in section]
    context = click.Context(app)
    families = [name for name in names if isinstance(app.get_command(context, name), click.Group)]
    assert "setting" in families
    lists = [run("help", "all").output, *(run(name, "--help").output for name in families)]
    told = [line for text in lists for line in text.splitlines() if not line.startswith("Usage")]
    assert [line for line in told if line.endswith("...")] == []
