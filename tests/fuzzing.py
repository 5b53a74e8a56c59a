"""Inputs that no well-behaved system writes, and what must hold of each of them.

Input ``number`` of a seed is always the same: mutated files of every format, tables whose columns are of
other types, chunked, sliced and full of nulls, fields at the ends of their types, events in any order and
number. ``examine`` reads, audits, writes and replays one; what it raises is a bug.
"""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from auditor import engine, replayed, sources
from auditor.handlog import SCHEMA, HandLog
from auditor.plan import Plan
from auditor.sources import SourceError
from auditor.sources.flatcsv import flat
from tests.hands import log_of
from tests.strategies import any_event, any_hand, corrupted

ROOT = Path(__file__).parents[1]
EXPORTS = ROOT / "tests" / "exports"
EXTREMES = (
    *(0, 1, -1, 10, 11, -2, 31, 52, 63, 64, 127, -128, 255, 32767, 65535, 2**31 - 1, -(2**31), 2**32),
    *(10**12, 10**12 + 1, 2**63 - 1, -(2**63)),
)
TOKENS = (
    *(b"\0", b"\r", b"\n", b"\n\n", b"\r\n", b'"', b'""', b",", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(
        b"\xff\xfe",
        b"{",
        b"}",
        b"[",
        b"]",
        b"null",
        b"true",
        b"NaN",
        b"1e400",
        b"-0",
        b"0x10",
        b"-inf",
        b"??",
    ),
    *(b"\\ud800", b"\\u0000", b"'''", b'"""', b"[" * 500, b"[" * 100_000, b'{"a":' * 3_000, b"9" * 20),
    *(b"9" * 5_000, b"0x" + b"f" * 5_000, b" " * 3_000, b"#", b"=", b"[1]\n", b"9999-12-31", b"0001-01-01"),
    *(b"2026-02-30", b"24:00:00", b"p1 cbr 99999999999999999999", b"p11 f", b"\xd9\xa3", b"1_000"),
)


@dataclass(frozen=True)
class Input:
    """One input: the bytes of a file of that suffix, read under a mapping or as a hand log, or a table handed
    over in memory."""

    about: str
    suffix: str = ""
    data: bytes = b""
    table: pa.Table | None = None
    mapping: str = ""


@cache
def plan() -> Plan:
    return Plan.make(verdicts=replayed.EVERY_VERDICT)


@cache
def good_files() -> tuple[tuple[str, bytes], ...]:
    """Small files without a fault, by suffix: what is mutated."""
    folder = ROOT / "sample_logs"
    night = b"".join((folder / "dirty-night.jsonl").read_bytes().splitlines(keepends=True)[:6])
    phh = [path.read_bytes() for path in sorted((folder / "phh").iterdir())[:4]]
    many = b"\n".join(b"[%d]\n%s" % (number, hand) for number, hand in enumerate(phh, 1))
    files = [(".jsonl", night), (".jsonl", (folder / "malformed.jsonl").read_bytes()[:6000])]
    files += [(".phh", phh[0]), (".phh", phh[2]), (".phhs", many)]
    files += [(".txt", path.read_bytes()) for path in sorted((ROOT / "tests" / "site_hands").glob("*.txt"))]
    table = sources.load(folder / "clean-night.jsonl").table.slice(0, 5)
    plain = {"use_dictionary": False, "compression": "none"}  # strings lie there as they are
    for suffix, options in ((".csv", {}), (".parquet", {}), (".parquet", plain)):
        sink = io.BytesIO()
        if suffix == ".csv":
            pyarrow.csv.write_csv(flat(table), sink)
        else:
            pq.write_table(table, sink, row_group_size=3, **options)
        files.append((suffix, sink.getvalue()))
    return tuple(files)


# -- mutated bytes ------------------------------------------------------------------------------------------


def mutated(data: bytes, rng: random.Random) -> bytes:
    """``data`` after one to five accidents."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, length = rng.randint(0, len(data)), rng.choice((1, 1, 2, 8, 100, 1000))
        match rng.choice("bit byte cut drop double insert insert splice number tail".split()):
            case "bit" if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            case "byte":
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            case "cut":
                data = data[:at]
            case "tail":
                data = data[at:] if rng.random() < 0.3 else data
            case "drop":
                data = data[:at] + data[at + length :]
            case "double":
                data = data[: at + length] + data[at:]
            case "insert":
                data = data[:at] + rng.choice(TOKENS) + data[at:]
            case "splice":
                other = rng.choice(good_files())[1]
                start = rng.randint(0, len(other))
                data = data[:at] + other[start : start + 10 * length] + data[at:]
            case "number":
                found = list(re.finditer(rb"\d+", data[:100_000]))
                if found:
                    one = rng.choice(found)
                    new = rng.choice((str(rng.choice(EXTREMES)).encode(), rng.choice(TOKENS)))
                    data = data[: one.start()] + new + data[one.end() :]
    return data


def mutated_file(rng: random.Random) -> Input:
    """A file of any format after accidents, perhaps packed or in UTF-16, perhaps under another suffix."""
    suffix, data = rng.choice(good_files())
    data = mutated(data, rng)
    if suffix != ".parquet" and rng.random() < 0.1:
        data = data.decode("utf-8", "replace").encode("utf-16")
        data = mutated(data, rng) if rng.random() < 0.5 else data
    if suffix != ".parquet" and rng.random() < 0.15:
        packing = rng.choice(("gz", "zst"))
        data = (
            gzip.compress(data, mtime=0) if packing == "gz" else pa.Codec("zstd").compress(data).to_pybytes()
        )
        data = mutated(data, rng) if rng.random() < 0.5 else data
        suffix = f"{suffix}.{packing}"
    if rng.random() < 0.05:
        suffix = rng.choice((".jsonl", ".csv", ".phh", ".phhs", ".parquet", ".txt", ".jsonl.gz"))
    return Input("mutated file", suffix, data)


@cache
def good_exports() -> tuple[tuple[str, bytes], ...]:
    """The export of a pit system, as CSV and as Parquet."""
    text = (EXPORTS / "pit.csv").read_bytes()
    sink = io.BytesIO()
    table = pyarrow.csv.read_csv(EXPORTS / "pit.csv")
    pq.write_table(table, sink, row_group_size=20, use_dictionary=False, compression="none")
    return (".csv", text), (".parquet", sink.getvalue())


def mutated_export(rng: random.Random) -> Input:
    """A casino's own export after accidents, read by its mapping."""
    suffix, data = rng.choice(good_exports())
    return Input("mutated export", suffix, mutated(data, rng), mapping="pit.toml")


# -- fields and types ---------------------------------------------------------------------------------------


def plain_rows(rng: random.Random, most: int = 12) -> list[dict[str, Any]]:
    hands = [{**any_hand(rng, most), "hand_id": f"h{number}"} for number in range(rng.randint(0, 3))]
    return log_of(hands).table.to_pylist()


def extreme(rng: random.Random) -> Any:
    return None if rng.random() < 0.3 else rng.choice(EXTREMES)


def spoil_values(rows: list[dict[str, Any]], rng: random.Random) -> None:
    """Fields of hands, seats and events at the ends of 64 bits, or null; lists empty, null or with nulls."""
    whole = [field.name for field in SCHEMA if pa.types.is_integer(field.type)]
    for row in rows:
        for _ in range(rng.randint(0, 3)):
            items = row[rng.choice(("seats", "events"))]
            case = rng.random()
            if case < 0.3:
                row[rng.choice(whole)] = extreme(rng)
            elif case < 0.7 and items:
                item = rng.choice(items)
                names = [name for name in item or () if name not in ("player", "time", "note")]
                if names:
                    item[rng.choice(names)] = extreme(rng)
            elif case < 0.75 and items:
                items[rng.randrange(len(items))] = None
            elif case < 0.8:
                row[rng.choice(("seats", "events"))] = rng.choice(([], None))
            elif case < 0.9:
                row[rng.choice(("hand_id", "game", "structure", "table_id"))] = rng.choice(
                    ("", "x\0y", None, "é\n")
                )
            elif items:
                items.extend([dict(item) for item in items if item])


WHOLE = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
OTHERS = (
    *(pa.float64(), pa.bool_(), pa.string(), pa.large_string(), pa.binary(), pa.null(), pa.date32()),
    *(
        pa.date64(),
        pa.timestamp("ns", "UTC"),
        pa.timestamp("s", "UTC"),
        pa.timestamp("us"),
        pa.duration("us"),
    ),
    *(pa.decimal128(20, 2), pa.dictionary(pa.int8(), pa.string()), pa.string_view(), pa.time64("us")),
)


def other_type(kind: pa.DataType, rng: random.Random) -> pa.DataType:
    if pa.types.is_integer(kind) and rng.random() < 0.8:
        return rng.choice(WHOLE)
    if pa.types.is_struct(kind):
        fields = [pa.field(f.name, other_type(f.type, rng) if rng.random() < 0.2 else f.type) for f in kind]
        rng.shuffle(fields)
        if rng.random() < 0.1:
            fields = fields[1:]
        return pa.struct(fields)
    if pa.types.is_list(kind):
        listing = rng.choice((pa.list_, pa.list_, pa.list_, pa.large_list, pa.list_view))
        return listing(other_type(kind.value_type, rng))
    return rng.choice(OTHERS)


def odd_table(rng: random.Random) -> pa.Table:
    """Hands in a table of other types, in pieces, with columns missing, doubled or out of order."""
    rows = plain_rows(rng)
    spoil_values(rows, rng)
    columns: list[tuple[str, pa.Array | pa.ChunkedArray]] = []
    share = rng.choice((0.0, 0.05, 0.2))
    for field in SCHEMA:
        nested = pa.types.is_list(field.type)
        values = [row[field.name] for row in rows]
        wide = pa.int64() if pa.types.is_integer(field.type) else field.type
        kinds = [other_type(field.type, rng)] if rng.random() < (0.7 if nested else share) else [wide]
        columns.append((field.name, pieces(array_of(values, [*kinds, _wide(field.type)]), rng)))
    if rng.random() < 0.1:
        at = rng.choice([at for at, (_, array) in enumerate(columns) if pa.types.is_string(array.type)])
        columns[at] = columns[at][0], no_text(len(rows))
    if rng.random() < 0.3:
        rng.shuffle(columns)
    if rng.random() < 0.1:
        columns.pop(rng.randrange(len(columns)))
    if rng.random() < 0.03:
        columns.append(rng.choice(columns))
    return pa.table([array for _, array in columns], names=[name for name, _ in columns])


def no_text(length: int) -> pa.Array:
    """Strings of which every other one is not UTF-8."""
    raw = pa.array([b"a\xff\xed\xa0" if row % 2 else b"a" for row in range(length)], pa.binary())
    return pc.cast(raw, options=pc.CastOptions(target_type=pa.string(), allow_invalid_utf8=True))


def _wide(kind: pa.DataType) -> pa.DataType:
    """``kind`` with every integer 64 bits wide and every value nullable."""
    if pa.types.is_list(kind):
        return pa.list_(_wide(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, _wide(field.type)) for field in kind])
    return pa.int64() if pa.types.is_integer(kind) else kind


def array_of(values: list[Any], kinds: Sequence[pa.DataType]) -> pa.Array:
    """The values as the first of ``kinds`` that holds them."""
    for kind in kinds:
        try:
            return pa.array(values, kind)
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            continue
    raise AssertionError(f"{values} are no {kinds[-1]}")


def pieces(array: pa.Array, rng: random.Random) -> pa.Array | pa.ChunkedArray:
    """The array as it is, as a slice of a longer one, in chunks, some of them empty, or coded."""
    match rng.choice(("as it is", "as it is", "slice", "chunks", "coded")):
        case "slice" if len(array):
            return pa.concat_arrays([array[-1:], array, array[:1]]).slice(1, len(array))
        case "chunks":
            cut = rng.randint(0, len(array))
            return pa.chunked_array([array[:cut], array[:0], array[cut:]], array.type)
        case "coded" if rng.random() < 0.1 and not pa.types.is_nested(array.type):
            return array.dictionary_encode()
    return array


def odd_values(rng: random.Random) -> Input:
    table = odd_table(rng)
    if rng.random() < 0.5:
        return Input("odd table", table=table)
    sink = io.BytesIO()
    try:
        pq.write_table(table, sink, row_group_size=rng.choice((1, 2, 100)))
    except (pa.ArrowException, NotImplementedError):
        return Input("odd table", table=table)  # Parquet has no such type: handed over in memory
    return Input("odd Parquet", ".parquet", sink.getvalue())


# -- events in any order ------------------------------------------------------------------------------------


def any_order(rng: random.Random) -> Input:
    """Hands as they come, some of them thousands of events long, with some fields blanked."""
    hands = []
    for number in range(rng.randint(1, 4)):
        hand = any_hand(rng, rng.choice((5, 40, 200)))
        if rng.random() < 0.5:
            hand = corrupted(hand, rng)
        if rng.random() < 0.05:
            hand["events"] = lengthened(hand, rng.choice((300, 1500, 5000)), rng)
        hands.append({**hand, "hand_id": f"h{number % 3}"})
    return Input("any order", table=log_of(hands).table)


def lengthened(hand: dict[str, Any], length: int, rng: random.Random) -> list[dict[str, Any]]:
    """``length`` events: those of the hand over and over, one kind only, or any."""
    seats = [seat["seat"] for seat in hand["seats"]]
    match rng.choice(("again", "one kind", "any")):
        case "again":
            events = hand["events"] * (length // len(hand["events"]) + 1)
        case "one kind":
            events = [any_event(rng, seats)] * length
        case _:
            events = [any_event(rng, seats) for _ in range(length)]
    return events[:length]


KINDS_OF_INPUT: tuple[Callable[[random.Random], Input], ...] = (
    mutated_file,
    odd_values,
    any_order,
    mutated_export,
)


def input_of(seed: int, number: int) -> Input:
    """Input ``number`` of a seed: each kind by turns."""
    rng = random.Random(f"{seed}:{number}")
    return KINDS_OF_INPUT[number % len(KINDS_OF_INPUT)](rng)


# -- what must hold -----------------------------------------------------------------------------------------


def examine(given: Input, folder: Path) -> None:
    """Read, audit, write and replay an input; ``AssertionError`` or whatever is raised tells a bug."""
    if given.table is not None:
        try:
            log = HandLog(*sources.check_ranges(given.table))
        except SourceError as error:
            assert_said(str(error))
            return
        assert log.read == given.table.num_rows
        result = engine.audit(plan(), HandLog(given.table), threads=1)
    else:
        path = folder / f"input{given.suffix}"
        path.write_bytes(given.data)
        by = sources.load_mapping(EXPORTS / given.mapping) if given.mapping else None
        try:
            log = sources.load(path, mapping=by)
        except SourceError as error:
            assert by  # an export that lacks a column is no input
            assert_said(str(error))
            return
        result = engine.audit(plan(), sources.units([path], mapping=by), threads=1)
        if not by:
            assert_nothing_lost(given, log)
    assert log.table.schema.equals(SCHEMA, check_metadata=True)
    assert result.read == result.audited + result.quarantined
    # An audit does not read the notes of a Parquet file, and so not that they are broken.
    assert log.read == result.read or given.suffix == ".parquet"
    for entry in log.quarantine:
        assert_said(entry.reason)
        whole_file = entry.line is None and entry.hand_id is None
        assert entry.source and (whole_file or (entry.line is not None and entry.text)), entry
    assert_written_whole(log, folder)
    for hand_id in log.table.column("hand_id").to_pylist()[:1]:
        if log.hand(hand_id).table.column("game")[0].as_py() in plan().rules.games:
            shown = replayed.replay(plan(), log, hand_id)
            assert str(shown) and shown._repr_html_()


def assert_said(reason: str) -> None:
    """A reason is one line that says something."""
    assert reason.strip() and len(reason.splitlines()) == 1 and len(reason) < 2000, repr(reason[:3000])


def assert_nothing_lost(given: Input, log: HandLog) -> None:
    """Each line of JSON Lines is a hand or an entry with its text; each row of a CSV is part of one."""
    if given.suffix == ".jsonl" and given.data[:2] not in (b"\xff\xfe", b"\xfe\xff") and given.data.strip():
        data = given.data.removeprefix(b"\xef\xbb\xbf")
        if data[:4] == b"\x28\xb5\x2f\xfd" or data[:2] == b"\x1f\x8b":
            return
        lines = {at: text.removesuffix(b"\r") for at, text in enumerate(data.split(b"\n"), 1)}
        assert log.read == sum(bool(text) for text in lines.values())
        for entry in log.quarantine:
            assert entry.line is not None
            assert entry.text == lines[entry.line].decode("utf-8", "backslashreplace")
    elif given.suffix == ".csv" and b'"' not in given.data and b"\0" not in given.data:
        if any(entry.line is None or entry.line == 1 for entry in log.quarantine):
            return  # the header itself is wrong
        rows = sum(bool(line.strip(b"\r")) for line in given.data.split(b"\n")[1:])
        kept = sum(len(hand["seats"]) + len(hand["events"]) for hand in log.table.to_pylist())
        aside = sum(bool(line.strip("\r")) for entry in log.quarantine for line in entry.text.split("\n"))
        assert rows == kept + aside


def assert_written_whole(log: HandLog, folder: Path) -> None:
    """What was read can be written in each format and read again, the same."""
    for suffix in (".jsonl", ".csv", ".parquet"):
        path = folder / f"written{suffix}"
        assert sources.write(HandLog(log.table), path) == ()
        again = sources.load(path)
        if suffix != ".parquet" and not len(log):
            continue  # an empty text file is one that says nothing
        assert again.quarantine == ()
        places = ["source", "source_line"]  # filled in with the file written where there are none
        assert again.table.drop_columns(places).equals(log.table.drop_columns(places)), suffix
