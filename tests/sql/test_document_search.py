"""The search index over documents follows their sections, whatever any client does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from conftest import Space

words = st.lists(st.sampled_from(["build", "deploy", "zebra", "naïve", ""]), max_size=3).map(
    " ".join
)
moves = st.lists(
    st.tuples(
        st.sampled_from(["add", "change", "drop", "drop document"]), st.integers(0, 5), words, words
    ),
    max_size=12,
)


def add_document(space: Space, number: int) -> None:
    space.execute(
        "insert into document (id, path, name, scope, hash, size, body, modified_at, seen_at)"
        " values (?, ?, 'AGENTS.md', 'project', 'x', 1, 'x', 0, 0) on conflict do nothing",
        (number, f"/p/{number}/AGENTS.md"),
    )


def found(space: Space, match: str) -> list[object]:
    rows = space.all("select rowid from document_fts where document_fts match ? order by 1", match)
    return [row[0] for row in rows]


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves)
def test_the_index_is_exact_after_any_moves(
    space: Space, moves: list[tuple[str, int, str, str]]
) -> None:
    space.execute("pragma foreign_keys = on")
    space.execute("delete from document")
    for position, (verb, number, heading, content) in enumerate(moves):
        if verb == "add":
            add_document(space, number % 2 + 1)
            space.execute(
                "insert into document_section (document_id, position, heading, content) values (?, ?, ?, ?)",
                (number % 2 + 1, position, heading, content),
            )
        elif verb == "change":
            space.execute(
                "update document_section set heading = ?, content = ? where position = ?",
                (heading, content, number),
            )
        elif verb == "drop":
            space.execute("delete from document_section where position = ?", (number,))
        else:
            space.execute("delete from document where id = ?", (number % 2 + 1,))
    space.execute("insert into document_fts (document_fts, rank) values ('integrity-check', 1)")
    for word in ("build", "zebra", "naive"):
        stored = "naïve" if word == "naive" else word
        holding = space.all(
            "select id from document_section where heading like ? or content like ? order by id",
            f"%{stored}%",
            f"%{stored}%",
        )
        assert found(space, word) == [row[0] for row in holding]
