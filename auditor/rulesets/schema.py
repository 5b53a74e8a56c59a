"""JSON Schema of the files of a rule set, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from auditor.rulesets.tables import RuleSetFile, SectionFile, Table


def json_schema() -> dict[str, dict[str, Any]]:
    """JSON Schema of the two kinds of file, by name: ``ruleset`` and ``section``."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    models: dict[str, type[Table]] = {"ruleset": RuleSetFile, "section": SectionFile}
    return {name: dialect | model.model_json_schema() for name, model in models.items()}


def write_schemas(folder: Path) -> None:
    """Write ``<name>.schema.json`` for each of ``json_schema()`` into ``folder``."""
    for name, schema in json_schema().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        (folder / f"{name}.schema.json").write_text(f"{text}\n", encoding="utf-8")
