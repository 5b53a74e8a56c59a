"""The chart of growth, made of small logs."""

from __future__ import annotations

from pathlib import Path

from auditor.bench import Cost
from tests.proof.growth import main, page


def test_chart_and_page_are_written_of_logs_that_are_kept(tmp_path: Path) -> None:
    main(["--hands", "20", "60", "--logs", str(tmp_path), "--page", str(tmp_path / "growth.md")])
    rows = (tmp_path / "growth.md").read_text("utf-8").splitlines()
    assert [row.split(" | ")[0] for row in rows if row.startswith("| 20 ") or row.startswith("| 60 ")] == [
        "| 20",
        "| 60",
    ]
    assert "clauses asked" in (tmp_path / "growth.svg").read_text("utf-8")
    assert (tmp_path / "20.parquet").exists() and (tmp_path / "60" / "run.json").exists()


def test_the_page_has_each_figure_in_its_column() -> None:
    text = page({2_000: Cost(wall=0.5, cpu=0.9, peak=100 * 2**20)}, [(0, 30.2), (55, 74.6)])
    assert "| 2,000 | 0.5 | 0.9 | 4,000 | 100 |" in text
    assert "| 0 | 30 |\n| 55 | 75 |" in text
