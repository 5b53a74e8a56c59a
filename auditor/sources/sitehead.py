"""The first line of a PokerStars or Full Tilt hand: which hand, game and stakes, where and when.

Also the amounts of money as this grammar writes them, here and in every other line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from auditor.sources.base import UnreadError

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
AMOUNT = r"-?[$€£]?\s?-?\d[\d.,\s]*?(?:\s?[$€£])?"
"""An amount: the sign of a currency before or behind it, or none; separators of any country."""
GAMES = ("seven-card-stud", "five-card-stud")
"""The games that are read."""
_NAMES = {
    "7 Card Stud": "seven-card-stud",
    "Stud Hi": "seven-card-stud",
    "5 Card Stud": "five-card-stud",
    "7 Card Stud Hi/Lo": "seven-card-stud hi/lo",
    "Stud H/L": "seven-card-stud hi/lo",
}
"""Games that the two sites call by different names; of the others the site's own name will do."""
_STRUCTURES = {"Limit": "fixed", "Pot Limit": "pot", "No Limit": "none"}

_LONGEST = 16  # characters, so that hundredths fit in 64 bits
_DIGITS = re.compile(r"(-?)(0|[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d*)(?:[.,](\d{1,2}))?")
_SPACED = re.compile(r"(?<=\d)\s(?=\d{3}(?!\d))")

_HEAD = re.compile(r"(?P<site>PokerStars|Full ?Tilt ?Poker)\b[^#]*#(?P<id>\d+):\s+(?P<rest>.*)")
_STARS_GAME = re.compile(
    r"(?P<game>[57] Card Stud(?: Hi/Lo)?|Razz|(?:\d Card )?Omaha(?: Hi/Lo)?|Courchevel(?: Hi/Lo)?"
    r"|Hold'em|Badugi|5 Card Draw|(?:Single|Triple) Draw 2-7 Lowball) (?P<limit>(?:No |Pot )?Limit)\b"
)
_TILT_GAME = re.compile(r".* - (?:[^-]*? )??(?P<limit>(?:No |Pot )?Limit) (?P<game>.+?) - ")
_STAKES = rf"(?P<small>{AMOUNT})\s?/\s?(?P<big>{AMOUNT})"
_STARS_STAKES = re.compile(rf"[(, ]{_STAKES}(?P<ante>)(?: (?P<currency>[A-Z]{{3}}))?\)")
_TILT_STAKES = re.compile(rf" - {_STAKES}(?: Ante (?P<ante>{AMOUNT}))?(?P<currency>) - ")
_TIME = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)"
_DAY = r"(?P<year>\d{4})/(?P<month>\d\d?)/(?P<day>\d\d?)"
_STARS_CLOCK = re.compile(rf"{_DAY}(?: -)? {_TIME}(?: \(?(?P<zone>[A-Z]+)\)?)?")
_TILT_CLOCK = re.compile(rf"{_TIME} (?P<zone>[A-Z]+) - {_DAY}")

_PARTS = ("year", "month", "day", "hour", "minute", "second")

_HOUSE = "ET"  # the zone of both sites; the other clock, if any, is the player's
_ZONES = {_HOUSE: "America/New_York", "CET": "CET", "EET": "EET", "WET": "WET", "UTC": "UTC"}


@dataclass(frozen=True)
class Head:
    """A hand's first line. ``columns`` are those of the hand in the text form, amounts in hundredths.

    ``colon`` says that a colon follows the name of whoever acts; where it does not, one begins table talk.
    """

    columns: dict[str, Any]
    colon: bool


@lru_cache(maxsize=4096)
def hundredths(text: str) -> int:
    """The amount written in ``text``, in hundredths of its currency; raises ``UnreadError``."""
    digits = _SPACED.sub("", text.translate({ord(sign): None for sign in CURRENCIES}).strip())
    match = _DIGITS.fullmatch(digits)
    if match is None or len(digits) > _LONGEST:
        raise UnreadError(f"{text.strip()!r} is no amount of money")
    minus, whole, part = match.groups()
    value = int(re.sub("[.,]", "", whole)) * 100 + int((part or "").ljust(2, "0"))
    return -value if minus else value


def head(line: str) -> Head:
    """What the first line of a hand says; raises ``UnreadError``, also for a game that is not read."""
    match = _HEAD.match(line)
    if match is None:
        raise UnreadError("its first line is not that of a hand")
    stars = match["site"] == "PokerStars"
    clocks = list((_STARS_CLOCK if stars else _TILT_CLOCK).finditer(match["rest"]))
    if not clocks:
        raise UnreadError("its first line has no date and time")
    said = match["rest"][: clocks[0].start()]
    if line.rstrip().endswith("(partial)"):
        raise UnreadError("the site says that a part of the hand is missing")
    games = list((_STARS_GAME if stars else _TILT_GAME).finditer(said))
    if not games:
        raise UnreadError(f"its first line names no game that is known: {said.strip(' -')}")
    name = games[-1]["game"]
    game = _NAMES.get(name, name)
    if game not in GAMES:
        raise UnreadError(f"{game} cannot be read; the games that can: {', '.join(GAMES)}")
    structure = _STRUCTURES[games[-1]["limit"]]
    columns: dict[str, Any] = {
        "hand_id": match["id"],
        "game": game,
        "structure": structure,
        **_when([clock.groupdict() for clock in clocks]),
    }
    for stakes in list((_STARS_STAKES if stars else _TILT_STAKES).finditer(said))[-1:]:
        if structure == "fixed":
            columns |= {"small_bet": hundredths(stakes["small"]), "big_bet": hundredths(stakes["big"])}
        if stakes["ante"]:
            columns["ante"] = hundredths(stakes["ante"])
        signs = (CURRENCIES[sign] for sign in stakes[0] if sign in CURRENCIES)
        columns["currency"] = stakes["currency"] or next(signs, None)
        if not stars:  # PokerStars names the table on the second line
            place = said[: stakes.start()].strip()
            columns["table_id"] = re.sub(r"^Table (.+?)(?: \([^()]*\))?$", r"\1", place)
    return Head(columns, stars)


def _when(clocks: Sequence[dict[str, str]]) -> dict[str, str]:
    """The day by the site's clock, and the moment, where all clocks together leave only one.

    In the hour that autumn repeats a clock alone leaves two.
    """
    times = []
    for clock in clocks:
        try:
            year, month, day, hour, minute, second = (int(clock[part]) for part in _PARTS)
            times.append(datetime(year, month, day, hour, minute, second))
        except ValueError:
            raise UnreadError("its date and time are none") from None
    zones = [clock["zone"] for clock in clocks]
    gaming_day = times[zones.index(_HOUSE) if _HOUSE in zones else 0].date().isoformat()
    moments: set[datetime] | None = None
    for naive, zone in zip(times, zones, strict=True):
        if zone in _ZONES:
            here = _moments(naive, _ZONES[zone])
            moments = here if moments is None else moments & here
    if not moments or len(moments) > 1:
        return {"gaming_day": gaming_day}
    (moment,) = moments
    return {"gaming_day": gaming_day, "started_at": moment.replace(tzinfo=None).isoformat() + "Z"}


def _moments(naive: datetime, zone: str) -> set[datetime]:
    """When the clocks of ``zone`` show that time: once, twice or never."""
    try:
        place = ZoneInfo(zone)
    except (KeyError, OSError):  # this machine has no table of time zones
        return set()
    both = {naive.replace(tzinfo=place, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {moment for moment in both if moment.astimezone(place).replace(tzinfo=None) == naive}
