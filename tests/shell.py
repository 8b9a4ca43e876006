"""A command as a person types it, run in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner, Result

from cogmem.cli.app import app

Run = Callable[..., Result]


def typed(path: str, *words: str, code: int = 0, said: str | None = None) -> Any:
    """What a command on a memory says, or with --json its answer."""
    result = CliRunner().invoke(app, ["--db", path, *words], input=said)
    assert result.exit_code == code, (result.output, result.exception)
    return json.loads(result.stdout) if "--json" in words and code == 0 else result.output


def asked(run: Run, *args: str, code: int = 0, **options: Any) -> Any:
    """The JSON answer of a command."""
    result = run(*args, "--json", **options)
    assert result.exit_code == code, result.output
    assert result.stdout.count("\n") == 1, "one document on one line"
    return json.loads(result.stdout)
