"""How much memory there is: that of a container counts, where it is less than the machine's."""

from pathlib import Path

import pytest

from mpgk_core import checks


@pytest.mark.parametrize(
    ("said", "expected"),
    [("1000000\n", 1_000_000), ("max\n", None), (f"{10**18}\n", None), (None, None)],
)
def test_a_container_has_no_more_memory_than_it_may_use(
    said: str | None, expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "_CONTAINER_LIMIT", tmp_path / "nothing")
    machine = checks.total_memory()
    if said is not None:
        (tmp_path / "memory.max").write_text(said)
        monkeypatch.setattr(checks, "_CONTAINER_LIMIT", tmp_path / "memory.max")
    assert checks.total_memory() == (expected or machine)
