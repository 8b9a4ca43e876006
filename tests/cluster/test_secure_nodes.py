"""TLS and accounts on three real nodes: who lacks the authority or the password is told so, and gets nothing."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import NOW
from nodes import Nodes, program

import cogmem
from cogmem.errors import InvalidInput
from cogmem.file.rqlite import PERMISSIONS
from cogmem.tokens import counting

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not program(), reason="rqlite is not here: make test-cluster"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not here"),
]


def certificate(folder: Path, name: str, address: str) -> tuple[Path, Path]:
    """A certificate that vouches for itself, and its key."""
    made, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *(
                "-nodes",
                "-days",
                "2",
                "-subj",
                f"/CN={name}",
                "-addext",
                f"subjectAltName={address}",
            ),
            *("-keyout", str(key), "-out", str(made)),
        ],
        check=True,
        capture_output=True,
    )
    return made, key


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("secure")


@pytest.fixture(scope="module")
def authority(folder: Path) -> tuple[Path, Path]:
    return certificate(folder, "nodes", "IP:127.0.0.1")


@pytest.fixture(scope="module")
def nodes(folder: Path, authority: tuple[Path, Path]) -> Iterator[Nodes]:
    accounts = folder / "auth.json"
    accounts.write_text(
        json.dumps(
            [
                {"username": "ada", "password": "s3cret-word", "perms": list(PERMISSIONS)},
                {"username": "ben", "password": "other-word", "perms": ["query"]},
                {"username": "node", "password": "between", "perms": ["all"]},
            ]
        )
    )
    made, key = map(str, authority)
    three = Nodes(
        program(),
        folder,
        ["-http-cert", made, "-http-key", key, "-auth", str(accounts)],
        ["-join-as", "node"],
        ssl.create_default_context(cafile=made),
        "node:between",
    )
    try:
        three.start()
        yield three
    finally:
        three.stop()


@pytest.fixture
def opened(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., cogmem.Memory]:
    """Opens their memory from a machine that has no copy yet."""

    def opened(**given: str) -> cogmem.Memory:
        for name in ("USER", "PASSWORD", "CA"):
            monkeypatch.delenv(f"COGMEM_RQLITE_{name}", raising=False)
        for name, value in given.items():
            if name != "address":
                monkeypatch.setenv(f"COGMEM_RQLITE_{name.upper()}", value)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        return cogmem.open(given.get("address", nodes.address), counter=counting.Simple())

    return opened


def test_with_authority_name_and_password_all_works(
    nodes: Nodes, opened: Callable[..., cogmem.Memory], authority: tuple[Path, Path]
) -> None:
    ca = str(authority[0])
    with opened(user="ada", password="s3cret-word", ca=ca) as mem:
        gone = mem.learn("The heron waits at the lake.", now=NOW)
        assert mem.forget(gone.uid, now=NOW + 1).is_scrubbed  # a snapshot is permitted
        mem.learn("The otter sleeps in the reeds.", now=NOW + 2)
        assert mem.file.check() == []
        assert None not in mem.file.doctor().cluster["nodes"].values()
    given = nodes.address.replace("//", "//ada:s3cret-word@") + f"/?ca={ca}"
    with opened(address=given) as mem:
        assert [one.content for one in mem.list()] == ["The otter sleeps in the reeds."]


def test_a_certificate_that_nobody_trusts_is_refused_with_what_to_do(
    opened: Callable[..., cogmem.Memory], folder: Path
) -> None:
    stranger = str(certificate(folder, "stranger", "IP:127.0.0.1")[0])
    for given in ({}, {"ca": stranger}):
        with pytest.raises(InvalidInput, match=r"not trusted .*ca=FILE.*COGMEM_RQLITE_CA"):
            opened(user="ada", password="s3cret-word", **given)
    with pytest.raises(InvalidInput, match="whole path of a PEM file"):
        opened(user="ada", password="s3cret-word", ca=str(folder / "none.pem"))


def test_a_node_by_another_name_than_its_certificate_has_is_refused(
    nodes: Nodes, opened: Callable[..., cogmem.Memory], authority: tuple[Path, Path]
) -> None:
    with pytest.raises(InvalidInput, match="as its certificate does"):
        opened(address=nodes.address.replace("127.0.0.1", "localhost"), ca=str(authority[0]))


def test_a_wrong_password_and_a_lacking_permission_are_told(
    opened: Callable[..., cogmem.Memory], authority: tuple[Path, Path]
) -> None:
    ca = str(authority[0])
    with pytest.raises(InvalidInput, match="wants a name and a password"):
        opened(ca=ca)
    with pytest.raises(InvalidInput, match="password of ada is another one"):
        opened(ca=ca, user="ada", password="guessed")
    with pytest.raises(InvalidInput, match="query, execute, backup, load, snapshot"):
        opened(ca=ca, user="ben", password="other-word")


def test_tls_where_there_is_none_and_none_where_there_is_tls_are_told(
    nodes: Nodes, opened: Callable[..., cogmem.Memory], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match="begin the address with rqlites://"):
        opened(address=nodes.address.replace("rqlites", "rqlite"))
    plain = Nodes(program(), tmp_path)
    try:
        plain.start(0)
        with pytest.raises(InvalidInput, match="begin the address with rqlite://"):
            opened(address=f"rqlites://127.0.0.1:{plain.ports[0]}")
    finally:
        plain.stop()
