"""Small changes to compiled functions, one at a time: what mutation testing asks the tests to notice.

Changed is what a function does: comparisons, conditions, arithmetic, constants, results, whole statements.
Left alone is what cannot matter: docstrings, annotations, decorators; what stands beside an ``INAPPLICABLE``
(or what ``pots`` says of a pot that is not settled), which nobody is told; less than nobody or nothing among
what is expected and observed; and seats beyond the first and the last.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from auditor import state
from auditor.checks import registry

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
INSTEAD = {
    "COMPLIANT": "BREACH",
    "BREACH": "COMPLIANT",
    "INAPPLICABLE": "COMPLIANT",
    "NOT_EVIDENCED": "INAPPLICABLE",
    "UP": "DOWN",
    "DOWN": "UP",
    "DEAL": "BURN",
    "BURN": "COMMUNITY",
    "COMMUNITY": "RESHUFFLE",
    "RESHUFFLE": "DEAL",
    "CHECK": "BET",
    "BET": "CALL",
    "CALL": "RAISE",
    "RAISE": "FOLD",
    "FOLD": "CHECK",
    "SHOW": "MUCK",
    "MUCK": "AWARD",
    "AWARD": "SHOW",
    "FIXED": "SPREAD",
    "SPREAD": "FIXED",
    "DEALING": "BETTING",
    "BETTING": "DEALING",
    "NO_CARD": "UNKNOWN_CARD",
    "UNKNOWN_CARD": "NO_CARD",
}
"""Names that may be taken for each other."""
UNTOLD = ("INAPPLICABLE", "NOT_DUE", "UNCERTAIN")
"""First in a result whose rest is told nobody."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change to one function; ``lines`` are those of the statement changed, its body left out."""

    module: str
    function: FunctionType
    line: int
    change: str
    code: CodeType
    lines: range

    @property
    def place(self) -> str:
        return f"{self.module.replace('.', '/')}.py:{self.line}"


def mutants_of(module: ModuleType) -> Iterator[Mutant]:
    """Every mutant of every function that the module defines, in the order of its text."""
    assert module.__file__
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for function, node in _functions(module, tree):
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        for statement, old, new in _changes(node):
            code = compile(ast.Module([node], []), module.__file__, "exec", dont_inherit=True)
            body = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
            yield Mutant(module.__name__, function, old.lineno, _told(old, new), body, _lines(statement))


def _functions(module: ModuleType, tree: ast.Module) -> Iterator[tuple[FunctionType, ast.FunctionDef]]:
    """The functions of a module, and those by which its checks say when they apply, with their text."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            match decorator:
                case ast.Call(func=ast.Name(id="check"), args=[ast.Constant(value=name)], keywords=keywords):
                    for keyword in keywords:
                        if keyword.arg == "applies" and isinstance(keyword.value, ast.Lambda):
                            gate = registry.CHECKS[name].applies
                            assert inspect.isfunction(gate)
                            yield gate, _as_function(keyword.value)
        function = getattr(module, node.name)
        # Without a compiler: with one, the source stands behind a wrapper.
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            yield function, node


def _as_function(gate: ast.Lambda) -> ast.FunctionDef:
    answer = ast.copy_location(ast.Return(gate.body), gate)
    node = ast.parse("def applies(): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.args, node.body = gate.args, [answer]
    return node


def _lines(statement: ast.stmt) -> range:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return range(statement.lineno, max(last or 0, statement.lineno) + 1)


def _told(old: ast.AST, new: ast.AST) -> str:
    if isinstance(new, ast.Pass):
        return f"without: {ast.unparse(old).splitlines()[0]}"
    before, after = (ast.unparse(each).splitlines()[0] for each in (old, new))
    return f"{before}  ->  {getattr(new, 'word', after)}"


def _changes(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, ast.AST, ast.AST]]:
    """Change the function in place, yield (statement, what was there, what is there now), and put it back."""
    bound = {argument.arg for argument in function.args.args}
    for body, at, statement in list(_statements(function)):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # the docstring
        for parent, name, index, child in _expressions(statement):
            for new in _variants(parent, child):
                ast.copy_location(new, child)
                _put(parent, name, index, new)
                ast.fix_missing_locations(statement)
                yield statement, child, new
                _put(parent, name, index, child)
        if isinstance(statement, ast.AugAssign):
            old = ast.copy_location(ast.parse(ast.unparse(statement)).body[0], statement)
            for operator in OPERATORS.get(type(statement.op), ()):
                was, statement.op = statement.op, operator()
                yield statement, old, statement
                statement.op = was
        if statement is not function.body[-1] and not _first_binding(statement, bound):
            body[at] = ast.copy_location(ast.Pass(), statement)
            yield statement, statement, body[at]
            body[at] = statement


def _statements(holder: ast.AST) -> Iterator[tuple[list[ast.stmt], int, ast.stmt]]:
    for _, value in ast.iter_fields(holder):
        for at, each in enumerate(value if isinstance(value, list) else ()):
            if isinstance(each, ast.stmt):
                yield value, at, each
                yield from _statements(each)


def _first_binding(statement: ast.stmt, bound: set[str]) -> bool:
    """Whether the statement gives a name its first value: without it there is nothing to run."""
    if not isinstance(statement, ast.Assign):
        return False
    names = {
        node.id
        for target in statement.targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    first = bool(names - bound)
    bound |= names
    return first


def _expressions(statement: ast.stmt) -> list[tuple[ast.AST, str, int | None, ast.expr]]:
    """The expressions of a statement, those of the statements in it left out, each with its place."""
    found: list[tuple[ast.AST, str, int | None, ast.expr]] = []
    pending: list[ast.AST] = [statement]
    while pending:
        parent = pending.pop(0)
        for name, value in ast.iter_fields(parent):
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.expr):
                    found.append((parent, name, index, child))
                    pending.append(child)
    return found


def _put(parent: ast.AST, name: str, index: int | None, child: ast.expr) -> None:
    if index is None:
        setattr(parent, name, child)
    else:
        getattr(parent, name)[index] = child


def _is_name(node: ast.expr) -> bool:
    """Whether it is a constant of the module, changed as such if at all."""
    return isinstance(node, ast.Name) and node.id.isupper()


def _variants(parent: ast.AST, node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(parent, ast.If | ast.IfExp) and node is parent.test:
        yield ast.Constant(True)
    if isinstance(parent, ast.If | ast.IfExp | ast.While) and node is parent.test:
        yield ast.Constant(False)
    if (
        isinstance(parent, ast.Return)
        and not isinstance(node, ast.Tuple | ast.Constant)
        and not _is_name(node)
    ):
        yield ast.Constant(0)
        yield ast.Constant(1)
    if isinstance(parent, ast.Tuple) and node is not parent.elts[0] and isinstance(parent.ctx, ast.Load):
        if isinstance(parent.elts[0], ast.Name) and parent.elts[0].id in UNTOLD:
            return
        match node:
            case ast.Constant(value=0) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                yield ast.Constant(1 if isinstance(node, ast.Constant) else 0)
                return
        if not _is_name(node):
            yield ast.Constant(0)
    match parent, node:
        case ast.Call(func=ast.Name(id="range"), args=[*_, last]), ast.Constant(value=int(value)):
            yield ast.Constant(value + (-1 if node is last else 1))
            return
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                for other in COMPARISONS.get(type(operator), ()):
                    yield ast.Compare(
                        node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators
                    )
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for at in range(len(node.values)):
                rest = [*node.values[:at], *node.values[at + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            yield ast.Constant(1 - value)
            yield ast.UnaryOp(ast.USub(), ast.Constant(value + 1))
        case ast.UnaryOp():
            yield node.operand
        case ast.BinOp():
            for other_operator in OPERATORS.get(type(node.op), ()):
                yield ast.BinOp(node.left, other_operator(), node.right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)) if not isinstance(parent, ast.UnaryOp):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            other_name = "max" if name == "min" else "min"
            yield ast.Call(ast.Name(other_name, ast.Load()), node.args, node.keywords)
        case ast.Name(id=name, ctx=ast.Load()) if name in INSTEAD:
            other_name = INSTEAD[name]
            value = getattr(registry, other_name, getattr(state, other_name, None))
            new = ast.Constant(value)  # the module may not have imported the other name
            new.word = other_name  # type: ignore[attr-defined]
            yield new
