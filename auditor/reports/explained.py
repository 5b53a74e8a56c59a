"""What a clause asks, where it is printed, and how far and on what evidence it is audited."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from auditor import rulesets
from auditor.reports.layout import plain
from auditor.rulesets import Clause, Edition, NotCovered, RuleSetError

_NEAR = 5
_WIDTH = 100
_INDENT = 12


@dataclass(frozen=True)
class Explanation:
    """The clauses of one code or number, with their edition; or, with none, a number that is not loaded.

    Prints itself, shows itself in a notebook, and has ``markdown()``.
    """

    edition: Edition
    clauses: tuple[Clause, ...]
    gap: NotCovered | None = None

    def _sections(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Each heading with its labelled texts."""
        for clause in self.clauses:
            yield f"{clause.code}  {clause.number}  {clause.title}", list(labelled(self.edition, clause))
        if self.gap:
            yield (
                f"{self.gap.number}  {self.gap.title}",
                [("Audited", f"no, the text is not loaded. {self.gap.why}")],
            )

    def __str__(self) -> str:
        wrapped = textwrap.TextWrapper(_WIDTH, subsequent_indent=" " * _INDENT, break_on_hyphens=False)
        blocks = []
        for heading, texts in self._sections():
            lines = [plain(heading)]
            for label, text in texts:
                wrapped.initial_indent = f"  {label}".ljust(_INDENT)
                lines.append(wrapped.fill(plain(text)))
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def __repr__(self) -> str:
        return str(self)

    def markdown(self) -> str:
        """The same as Markdown: a heading a clause and a list under it."""
        return "\n\n".join(
            "\n".join([f"## {heading}", "", *(f"- **{label}**: {text}" for label, text in texts)])
            for heading, texts in self._sections()
        )

    def _repr_html_(self) -> str:
        return "".join(
            f"<h4>{escape(heading)}</h4><dl>"
            + "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in texts)
            + "</dl>"
            for heading, texts in self._sections()
        )


def explain(selector: str, rules: str | Path | rulesets.RuleSet = "nz-1999") -> Explanation:
    """The clauses of a code, of a number or of a prefix of either, in the latest edition that has them.

    Raises ``RuleSetError``, with the nearest codes and numbers, when there is nothing of that name.
    """
    book = rules if isinstance(rules, rulesets.RuleSet) else rulesets.load(rules)
    for edition in reversed(book.editions):
        exact = tuple(clause for clause in edition.clauses if selector in (clause.code, clause.number))
        found = exact or tuple(clause for clause in edition.clauses if clause.matches(selector))
        if found:
            return Explanation(edition, found)
    for gap in book.not_covered:
        if gap.number == selector:
            return Explanation(book.editions[-1], (), gap)
    clauses = [clause for edition in book.editions for clause in edition.clauses]
    known = dict.fromkeys(
        [clause.number for clause in clauses]
        + [gap.number for gap in book.not_covered]
        + [clause.code for clause in clauses]
    )
    near = difflib.get_close_matches(selector, known, _NEAR)
    near = near or difflib.get_close_matches(selector.upper(), known, _NEAR)
    remedy = f"did you mean {', '.join(near)}?" if near else "see `auditor rules` for those there are"
    raise RuleSetError(f"no clause {selector!r} in {book.name}; {remedy}")


def labelled(edition: Edition, clause: Clause) -> Iterator[tuple[str, str]]:
    """What there is to say of a clause, each text with its label."""
    yield "Asks", clause.summary
    number = clause.citation.page
    page = f", {'page' if str(number).isdigit() else 'pages'} {number}" if number else ""
    yield "Printed", f"{clause.citation.instrument}{page}; edition {edition.name} of {edition.book.name}"
    yield "Games", ", ".join(clause.games)
    if clause.check:
        rounds = clause.parameters.get("rounds")
        where = f" Rounds {', '.join(map(str, rounds))}." if rounds else ""
        yield "Severity", clause.severity
        yield "Checked", f"{clause.check.title}{where} ({clause.check.name})".lstrip()
    if clause.assumes:
        options = " or ".join(clause.options)
        state = f"declared as {clause.assumed}" if clause.assumed else "not declared"
        yield "Assumes", f"{clause.assumes} = {options} ({state})"
    whys = {r.name: r.why for each in (clause.readings, *clause.options.values()) for r in each if r.name}
    for name, why in whys.items():
        yield "Reading", f"{name}: {why}" if why else name
    needs = f"records {', '.join(clause.check.needs)}" if clause.check and clause.check.needs else ""
    evidence = "; ".join(filter(None, (clause.evidence, needs)))
    if evidence:
        yield "Evidence", evidence
    audited = {"fully": "fully", "part": "in part", "no": "no", "off": "switched off"}[clause.audited]
    yield "Audited", f"{audited}. {clause.why}" if clause.why else audited
    for label, example in (("Keeps it", clause.keeps), ("Breaks it", clause.breaks)):
        if example:
            yield label, example
