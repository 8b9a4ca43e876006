"""Merges in a circle: one file merged B into A while another merged A into B, so both would be archived.

Every merged memory leads to one that stays. Where the memories lead back to each other, the one archived first
stays: whoever archived the last one meant another of the circle to carry its words.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.sync.fold import Stamp


def who_stays(put_away: dict[str, Stamp], took_in: dict[str, set[str]]) -> set[str]:
    """Of memories that were merged, with when, those that stay because all that took them in were merged into them.

    `took_in` names those that took each one in, of which some may not be merged themselves.
    """
    # What leads to one that is not merged, or to none at all, is well.
    well = {uid for uid in put_away if not took_in[uid] or took_in[uid] - put_away.keys()}
    while more := {uid for uid in put_away.keys() - well if took_in[uid] & well}:
        well |= more
    lost = put_away.keys() - well
    reached = {uid: _reached(uid, took_in) for uid in lost}
    rounds = {
        frozenset(reached[uid]) for uid in lost if all(uid in reached[o] for o in reached[uid])
    }
    return {min(one, key=lambda uid: (put_away[uid], uid)) for one in rounds}


def _reached(uid: str, took_in: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [uid]
    while waiting:
        for other in took_in[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found
