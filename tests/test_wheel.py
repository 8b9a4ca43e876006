"""The package as people get it: from a wheel, an editable install and a checkout.

Nothing is downloaded: what is built here is installed without its dependencies, which the new
environment borrows from the present one.
"""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import cogmem
from cogmem import errors

ROOT = Path(cogmem.__file__).resolve().parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="needs the repository"),
]

USE = """
import sys, cogmem
from cogmem.file import sql
with cogmem.open(sys.argv[1]) as mem:
    mem.learn("Deploys need a green build.", kind="policy", key="deploy")
    assert mem.get("deploy").tokens, "the token table came along"
    assert mem.file.check() == [], mem.file.check()
print(cogmem.__file__)
print(sql.SCHEMA)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


def built(source: Path, folder: Path) -> Path:
    """The wheel of a source tree."""
    subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(folder),
            str(source),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    [file] = folder.glob("cogmem_sqlite-*.whl")
    return file


def environment(folder: Path, *install: str) -> Path:
    """A fresh environment with one thing installed; returns its interpreter."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120
    )
    python = folder / "bin" / "python"
    # Installed by the present pip into the new place; --no-index proves that nothing is fetched.
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-build-isolation",
            "--disable-pip-version-check",
            *install,
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return python


def use(python: Path | str, elsewhere: Path, **env: str) -> tuple[Path, Path]:
    """Use a memory from a folder that is not the repository; where were package and schema found?"""
    done = subprocess.run(
        [str(python), "-c", USE, str(elsewhere / "memory.db")],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": "/usr/bin:/bin", **env},
    )
    assert done.returncode == 0, done.stderr
    package, schema = done.stdout.splitlines()
    return Path(package), Path(schema)


def test_the_wheel_holds_the_package_and_the_schema_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"cogmem", f"cogmem_sqlite-{cogmem.__version__}.dist-info"}
    wanted = {
        f"cogmem/schema/{file.relative_to(ROOT / 'schema')}"
        for file in (ROOT / "schema").rglob("*.sql")
    }
    assert wanted <= names
    assert {"cogmem/schema/derived/VERSION", "cogmem/schema/README.md", "cogmem/py.typed"} <= names
    data = {
        f"cogmem/data/{file.name}"
        for file in (ROOT / "cogmem" / "data").iterdir()
        if file.is_file()
    }
    assert data <= names
    prompts = {
        f"cogmem/data/prompts/{file.name}" for file in (ROOT / "cogmem/data/prompts").glob("*.md")
    }
    assert prompts
    assert prompts <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert [name for name in names if "test" in name or "__pycache__" in name] == []


def test_the_wheel_is_called_what_errors_tell_people_to_install(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        told = email.message_from_bytes(archive.read(name))
    assert told["Name"] == errors.DISTRIBUTION
    assert told["Version"] == cogmem.__version__
    assert set(told.get_all("Provides-Extra", ())) >= {"mcp", "vec", "inspect"}
    needed = told.get_all("Requires-Dist", ())
    assert [line for line in needed if re.match(r"cogmem\b(?!-sqlite)", line)] == []
    links = [line.split(", ")[1] for line in told.get_all("Project-URL", ())]
    assert [link for link in links if not link.startswith("https://")] == [], "an index refuses it"


def test_a_wheel_in_a_fresh_environment_makes_and_uses_a_memory(
    wheel: Path, tmp_path: Path
) -> None:
    python = environment(tmp_path / "venv", str(wheel))
    (tmp_path / "elsewhere").mkdir()
    package, schema = use(python, tmp_path / "elsewhere")
    assert package.is_relative_to(tmp_path / "venv")
    assert schema == package.parent / "schema"


@pytest.mark.long  # `make` uses one for all it does
def test_an_editable_install_reads_the_schema_of_the_repository(tmp_path: Path) -> None:
    python = environment(tmp_path / "venv", "--editable", str(ROOT))
    (tmp_path / "elsewhere").mkdir()
    package, schema = use(python, tmp_path / "elsewhere")
    assert package == ROOT / "cogmem" / "__init__.py"
    assert schema == ROOT / "schema"


def test_a_checkout_needs_no_installation(tmp_path: Path) -> None:
    _, schema = use(sys.executable, tmp_path, PYTHONPATH=str(ROOT))
    assert schema == ROOT / "schema"


@pytest.mark.long
def test_the_source_distribution_builds_the_same_package(wheel: Path, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
        timeout=180,
    )
    [again] = tmp_path.glob("cogmem_sqlite-*.whl")
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.long
def test_the_container_file_copies_all_that_its_build_needs(wheel: Path, tmp_path: Path) -> None:
    lines = (ROOT / "Containerfile").read_text().splitlines()
    ignored = (ROOT / ".dockerignore").read_text().split()
    source = tmp_path / "source"
    source.mkdir()
    for line in lines:
        if line.startswith("COPY "):
            *things, target = line.split()[1:]
            for thing in things:
                assert f"!{thing}" in ignored, f"{thing} is kept out of the build by .dockerignore"
                if (ROOT / thing).is_dir():
                    shutil.copytree(ROOT / thing, source / target)
                else:
                    shutil.copy(ROOT / thing, source / target)
    file = built(source, tmp_path)
    there = {name for name in zipfile.ZipFile(file).namelist() if "__pycache__" not in name}
    assert there == set(zipfile.ZipFile(wheel).namelist())
    assert "[mcp]" in "".join(lines), "its first use is as a server of tools"
