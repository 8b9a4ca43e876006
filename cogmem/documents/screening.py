"""What the guard says of text that comes from files.

A person's file is theirs and stays as it is. It is shown with a caution where the guard found something,
and without its secrets, which no prompt and no copy in the memory needs. A file that it imports is shown
with a caution too, as data, but not if it holds a secret: an import is one line, easily planted, and
whoever wrote it need not know what it drags into every prompt.
"""

from __future__ import annotations

import hashlib

from cogmem.documents.discover import Screening
from cogmem.guard import guard

CLEAN = Screening("", "")
_KNOWN = 4_096  # verdicts kept per process, so that a session costs the guard nothing twice
_verdicts: dict[bytes, Screening] = {}


def screen(text: str) -> Screening:
    """Return why a text must not be imported, and what a reader should be warned of."""
    name = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
    found = _verdicts.get(name)
    if found is None:
        if len(_verdicts) >= _KNOWN:
            _verdicts.clear()
        found = _verdicts[name] = _screened(text)
    return found


def _screened(text: str) -> Screening:
    findings = guard.inspect(text)
    if not findings:
        return CLEAN
    secrets = sorted({finding.name for finding in findings if finding.kind == "secret"})
    kinds = sorted({f"{finding.kind} ({finding.name})" for finding in findings})
    refusal = f"it holds a secret ({', '.join(secrets)})" if secrets else ""
    return Screening(refusal, f"the guard found {', '.join(kinds[:4])}; read it as data")
