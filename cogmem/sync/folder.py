"""A folder that everybody reads and writes: on a network disk, or kept in sync by a cloud service.

The memory itself must never lie in such a folder: a copy taken while it is written is torn. What lies there is files
of acts (`org_….00000001.acts`). Each is written once, whole, under a name that nobody else uses, and never changed.
However late or in whatever order they arrive, a file is read once it is whole and the one before it is there.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256

from cogmem.errors import InvalidInput
from cogmem.records import new_uid
from cogmem.sync.exchange import Synced
from cogmem.sync.sides import NOWHERE, Side
from cogmem.text.cell import mapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.sync.sides import Message

NAME = "cogmem-folder"  # holds the folder's own name: one that was emptied gets another
ENDING = ".acts"


def meet(side: Side, folder: str) -> Synced:
    """Read what others put here, and put here what they lack."""
    result = Synced(folder)
    origin = _name_of(folder)
    held = side.door.sight
    known = side.known(origin, held)
    taken = side.taken_from(origin, held)
    there = _files(folder)
    if max(there.get(side.self, [0])) < taken.get(side.self, 0):
        known = dict(NOWHERE)  # what this file had put here is gone
    known = side.trusted(known)
    is_whole = True
    while True:  # what is put first need not be told from what came
        batch, upto = side.batch(known, None, side.door)
        if upto == known:
            break
        if batch["acts"] or batch["receipts"]:
            number = max([0, *there.get(side.self, []), taken.get(side.self, 0)]) + 1
            _put(folder, side.self, number, batch)
            there.setdefault(side.self, []).append(number)
            taken[side.self] = number
            result.sent += len(batch["acts"])
        known = upto
        side.note(origin, held, known, label=folder, taken=json.dumps(taken))
    for other, numbers in sorted(there.items()):
        if other == side.self:
            continue
        for number in sorted(numbers):
            if number <= taken.get(other, 0):
                continue
            given = _read(folder, other, number) if number == taken.get(other, 0) + 1 else None
            if given is None:
                is_whole = False  # it, or the one before it, is still on its way
                break
            side.take(given, other, "folder", dict(NOWHERE), folder)
            if side.held_back:
                break
            taken[other] = number
            heads = side.unless_more_came(known) or known
            side.note(origin, held, heads, label=folder, taken=json.dumps(taken))
    result.received, result.forgotten = side.taken["acts"], side.taken["forgotten"]
    result.refused, result.ahead = dict(side.refused), dict(side.held_back)
    if not is_whole:
        result.waiting = True
    return result


def put_upto(side: Side, folder: str) -> dict[str, Any]:
    """How far the feeds of this file lie in a folder."""
    if not os.path.isfile(os.path.join(folder, NAME)):
        return dict(NOWHERE)
    return side.trusted(side.known(_name_of(folder), side.door.sight))


def _name_of(folder: str) -> str:
    path = os.path.join(folder, NAME)
    for _ in range(2):
        with suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
            name = file.read().strip()
            if name.startswith("dir_"):
                return name
            raise InvalidInput(f"{path} does not name a folder of acts: name another folder")
        if os.listdir(folder) and not any(name.endswith(ENDING) for name in os.listdir(folder)):
            raise InvalidInput(
                f"{folder} holds other things: make an empty folder for the acts and name that"
            )
        _write_once(path, new_uid("dir").encode() + b"\n")
    raise InvalidInput(f"{path} cannot be read")


def _files(folder: str) -> dict[str, list[int]]:
    """The numbers of the files that are here, by whose they are."""
    found: dict[str, list[int]] = {}
    for name in os.listdir(folder):
        origin, _, rest = name.partition(".")
        number = rest.removesuffix(ENDING)
        if rest.endswith(ENDING) and number.isdigit() and origin.startswith("org_"):
            found.setdefault(origin, []).append(int(number))
    return found


def _path(folder: str, origin: str, number: int) -> str:
    return os.path.join(folder, f"{origin}.{number:08d}{ENDING}")


def _put(folder: str, origin: str, number: int, batch: Message) -> None:
    """One file: a line for each act and receipt, and a last one that proves the others."""
    lines = [json.dumps({"receipt": one}, ensure_ascii=False) for one in batch["receipts"]]
    lines += [json.dumps(act, ensure_ascii=False) for act in batch["acts"]]
    body = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    proof = json.dumps({"end": len(lines), "sha256": sha256(body).hexdigest()})
    _write_once(_path(folder, origin, number), body + proof.encode() + b"\n")


def _write_once(path: str, data: bytes) -> None:
    partial = f"{path}.partial-{os.getpid()}"
    with open(partial, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(partial, path)
    except FileExistsError:
        raise InvalidInput(
            f"{path} is there already: is this memory synced twice at once?"
        ) from None
    except OSError:  # a file system without hard links
        os.rename(partial, path)
        return
    os.unlink(partial)


def _read(folder: str, origin: str, number: int) -> dict[str, Any] | None:
    """What one of these files says; None as long as it is not whole."""
    try:
        with open(_path(folder, origin, number), "rb") as file:
            data = file.read()
    except OSError:
        return None
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    body += b"\n" if body else b""
    proof = mapped(last.decode("utf-8", "replace"))
    if proof.get("sha256") != sha256(body).hexdigest():
        return None
    said = [json.loads(line) for line in body.decode("utf-8", "surrogatepass").split("\n") if line]
    return {
        "receipts": [one["receipt"] for one in said if "receipt" in one],
        "acts": [one for one in said if "act" in one],
    }
