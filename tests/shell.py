"""A command as a person types it, run in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]


def asked(run: Run, *args: str, code: int = 0, **options: Any) -> Any:
    """The JSON answer of a command."""
    result = run(*args, "--json", **options)
    assert result.exit_code == code, result.output
    assert result.stdout.count("\n") == 1, "one document on one line"
    return json.loads(result.stdout)
