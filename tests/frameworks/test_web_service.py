"""The page on web services: its program runs in FastAPI as it stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "web-service.md"


def test_the_program_of_the_page_serves_users_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastapi")
    testing = pytest.importorskip("fastapi.testclient")
    monkeypatch.chdir(tmp_path)
    code = PAGE.read_text(encoding="utf-8").split("```python\n")[1].partition("\n```")[0]
    program: dict[str, Any] = {}
    exec(compile(code, "web-service.md", "exec", dont_inherit=True), program)
    ann, bob = {"x-user": "ann"}, {"x-user": "../bob"}
    with testing.TestClient(program["app"]) as service:
        told = service.post("/chat", params={"text": "Always answer me in French."}, headers=ann)
        assert told.status_code == 200
        service.post("/chat", params={"text": "Remember that I keep goats in Lund."}, headers=bob)
        assert "French" in str(service.get("/memories", headers=ann).json())
        assert "French" not in str(service.get("/memories", headers=bob).json())
        assert "French" in service.get("/export", headers=ann).text
        assert "French" not in service.get("/export", headers=bob).text
        assert service.delete("/me", headers=ann).json()["removed"] >= 1
        assert service.delete("/me", headers=ann).status_code == 404
        assert service.get("/memories", headers=ann).json() == []
    assert [path.name for path in tmp_path.iterdir()] == ["memories"]
