#!/usr/bin/env python3
"""Writes clock-cases.tsv: what python-dateutil says a schedule's times are, for the test to compare with.

Rules are read by dateutil.rrule over naive local times. A local time becomes an instant by dateutil.tz, and by zoneinfo
as a second opinion; they must agree, except after 2037, where dateutil reads no rule and zoneinfo stands alone.

Our own two decisions are spelled out here in the plainest way: a time that does not exist is the first one after it
that does, found by counting seconds; a time that exists twice is the first (fold=0).

Columns: what it shows, zone, start, rule or -, length, after (UTC), expected START/END ... (UTC).
A length is `elapsed SECONDS` or `wall SECONDS`.
"""
import datetime as dt
import sys
from zoneinfo import ZoneInfo

from dateutil import rrule, tz

UTC = dt.timezone.utc
STEP = dt.timedelta(seconds=1)


def exists(naive, zone):
    aware = naive.replace(tzinfo=ZoneInfo(zone))
    return aware.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0) == naive


def instant(naive, zone):
    while not exists(naive, zone):
        naive += STEP if naive.second else dt.timedelta(minutes=1)
    second = naive.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)
    if naive.year <= 2037:
        first = naive.replace(tzinfo=tz.gettz(zone), fold=0).astimezone(UTC)
        assert first == second, (naive, zone, first, second)
    return second


def naive_rule(rule, zone):
    """UNTIL in UTC, as calendars write it, means a local time here."""
    parts = []
    for part in rule.split(";"):
        key, value = part.split("=")
        if key == "UNTIL" and value.endswith("Z"):
            moment = dt.datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            value = moment.astimezone(ZoneInfo(zone)).strftime("%Y%m%dT%H%M%S")
        if key == "UNTIL" and "T" not in value:
            value += "T235959"
        parts.append(f"{key}={value}")
    return ";".join(parts)


def times(start, rule, zone):
    if rule == "-":
        return [start]
    return rrule.rrulestr(naive_rule(rule, zone), dtstart=start)


def case(name, zone, start, rule, length, after, count=4):
    first = dt.datetime.fromisoformat(start)
    moment = dt.datetime.fromisoformat(after).replace(tzinfo=UTC)
    kind, seconds = length.split()
    span = dt.timedelta(seconds=int(seconds))
    found = []
    for local in times(first, rule, zone):
        begin = instant(local, zone)
        if begin <= moment:
            continue
        end = begin + span if kind == "elapsed" else instant(local + span, zone)
        if end <= begin:
            end = begin + span
        found.append(f"{begin:%Y-%m-%dT%H:%M:%SZ}/{end:%Y-%m-%dT%H:%M:%SZ}")
        if len(found) == count:
            break
    print("\t".join([name, zone, start, rule, length, after, " ".join(found)]))


HOUR = 3600
DAILY = "FREQ=DAILY"

# zone, day and clock inside the spring gap, day and clock that autumn shows twice
EDGES = [
    ("Europe/Berlin", "2026-03-29", "02:30:00", "2026-10-25", "02:30:00"),
    ("Europe/London", "2027-03-28", "01:15:00", "2027-10-31", "01:45:00"),
    ("Europe/Dublin", "2026-03-29", "01:30:00", "2026-10-25", "01:30:00"),
    ("America/New_York", "2026-03-08", "02:30:00", "2026-11-01", "01:30:00"),
    ("America/St_Johns", "2026-03-08", "02:10:00", "2026-11-01", "01:59:59"),
    ("America/Santiago", "2026-09-06", "00:30:00", "2026-04-04", "23:30:00"),
    ("Australia/Sydney", "2026-10-04", "02:00:00", "2026-04-05", "02:00:00"),
    ("Australia/Lord_Howe", "2026-10-04", "02:15:00", "2026-04-05", "01:45:00"),
    ("Pacific/Auckland", "2026-09-27", "02:59:59", "2026-04-05", "02:30:00"),
    ("Pacific/Chatham", "2026-09-27", "02:45:00", "2026-04-05", "03:15:00"),
    ("America/Nuuk", "2026-03-28", "23:30:00", "2026-10-24", "23:30:00"),
    ("Asia/Jerusalem", "2026-03-27", "02:20:00", "2026-10-25", "01:20:00"),
]


def edges():
    for zone, spring, gap, autumn, twice in EDGES:
        case(f"once in the gap, by length", zone, f"{spring} {gap}", "-", f"elapsed {HOUR}", "2026-01-01")
        case(f"every day over the gap, by the end", zone, f"2026-01-05 {gap}", DAILY, f"wall {2 * HOUR}",
             str(dt.date.fromisoformat(spring) - dt.timedelta(days=2)))
        case(f"once where clocks go back, by length", zone, f"{autumn} {twice}", "-", f"elapsed {HOUR}", "2026-01-01")
        case(f"every day where clocks go back, by the end", zone, f"2026-01-05 {twice}", DAILY, f"wall {5 * HOUR}",
             str(dt.date.fromisoformat(autumn) - dt.timedelta(days=2)))


def spans():
    for zone, spring, _, autumn, _ in EDGES[:8]:
        for day in (spring, autumn):
            eve = dt.date.fromisoformat(day) - dt.timedelta(days=1)
            case("a night over the change, by the end", zone, f"{eve} 22:30:00", "-", f"wall {7 * HOUR}", "2026-01-01")
            case("a night over the change, by length", zone, f"{eve} 22:30:00", "-", f"elapsed {7 * HOUR}", "2026-01-01")


def rules():
    berlin, length = "Europe/Berlin", f"wall {2 * HOUR}"
    case("first Saturday of the month", berlin, "2026-01-03 23:00:00", "FREQ=MONTHLY;BYDAY=1SA;WKST=MO", length, "2026-02-01", 14)
    case("last Sunday of the month", berlin, "2026-01-25 02:30:00", "FREQ=MONTHLY;BYDAY=-1SU", length, "2026-02-01", 12)
    case("last working day of the month", berlin, "2026-01-30 18:00:00",
         "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", length, "2026-01-01", 14)
    case("first and last weekend day", berlin, "2026-01-03 10:00:00", "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,-1", length, "2026-01-01", 10)
    case("the 31st, in months that have one", berlin, "2026-01-31 20:00:00", "FREQ=MONTHLY;BYMONTHDAY=31", length, "2026-01-01", 8)
    case("the last day of every month", "America/New_York", "2026-01-31 23:30:00", "FREQ=MONTHLY;BYMONTHDAY=-1", length, "2026-01-01", 14)
    case("29 February", "UTC", "2024-02-29 12:00:00", "FREQ=YEARLY", f"elapsed {HOUR}", "2024-01-01", 3)
    case("29 February by its numbers", berlin, "2024-02-29 12:00:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", length, "2024-03-01", 3)
    case("once on 29 February into March", "Asia/Kathmandu", "2028-02-29 23:30:00", "-", length, "2026-01-01")
    case("once on 28 February of a common year", "Asia/Kathmandu", "2027-02-28 23:30:00", "-", length, "2026-01-01")
    case("New Year's Eve into the year", "Pacific/Kiritimati", "2026-12-31 23:00:00", "-", f"elapsed {3 * HOUR}", "2026-01-01")
    case("Monday and Friday", berlin, "2026-03-23 20:00:00", "FREQ=WEEKLY;BYDAY=MO,FR", length, "2026-03-22", 6)
    case("every other week, weeks from Monday", berlin, "2026-10-20 20:00:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO", length, "2026-10-01", 6)
    case("every other week, weeks from Sunday", berlin, "2026-10-20 20:00:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", length, "2026-10-01", 6)
    case("a first day that the rule does not name", berlin, "2026-10-21 20:00:00", "FREQ=WEEKLY;BYDAY=MO", length, "2026-10-01", 3)
    case("ten times, the last ones", "America/New_York", "2026-03-01 02:30:00", "FREQ=DAILY;COUNT=10", length, "2026-03-06", 9)
    case("until a moment in UTC", berlin, "2026-10-20 02:30:00", "FREQ=DAILY;UNTIL=20261027T013000Z", length, "2026-10-22", 9)
    case("until a day, inclusive", berlin, "2026-10-20 20:00:00", "FREQ=DAILY;UNTIL=20261027", length, "2026-10-22", 9)
    case("several times a day", "Australia/Lord_Howe", "2026-10-01 06:00:00", "FREQ=DAILY;BYHOUR=6,12,18", f"elapsed {HOUR}", "2026-10-03", 9)
    case("week 53", berlin, "2026-12-28 12:00:00", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", length, "2026-01-01", 3)
    case("week 1, weeks from Sunday", berlin, "2026-01-01 12:00:00", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=WE;WKST=SU", length, "2026-01-01", 8)
    case("weeks 10 and 20", berlin, "2026-01-01 12:00:00", "FREQ=YEARLY;BYWEEKNO=10,20;BYDAY=SU", length, "2026-01-01", 8)
    case("day 366", berlin, "2024-12-31 12:00:00", "FREQ=YEARLY;BYYEARDAY=366", length, "2024-01-01", 3)
    case("second Tuesday of November, the year's", "America/New_York", "2026-11-10 20:00:00", "FREQ=YEARLY;BYMONTH=11;BYDAY=2TU", length, "2026-01-01", 4)
    case("Friday the 13th", berlin, "2026-01-01 20:00:00", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", length, "2026-01-01", 5)
    case("every third month", "Asia/Kathmandu", "2026-01-31 05:45:00", "FREQ=MONTHLY;INTERVAL=3", length, "2026-01-01", 5)
    case("summers only", "Australia/Sydney", "2026-01-01 21:00:00", "FREQ=DAILY;BYMONTH=12,1,2;BYDAY=SA", length, "2026-02-20", 4)
    case("half an hour of a zone", "Asia/Kolkata", "2026-01-01 00:00:00", DAILY, f"elapsed {HOUR}", "2026-05-05", 2)
    case("three quarters of an hour of a zone", "Asia/Kathmandu", "2026-01-01 00:00:00", DAILY, f"elapsed {HOUR}", "2026-05-05", 2)
    case("a zone of old offsets", "America/Caracas", "2026-01-01 00:00:00", DAILY, f"elapsed {HOUR}", "2026-05-05", 2)
    case("far beyond the table of changes", berlin, "2060-03-20 02:30:00", DAILY, length, "2060-03-26", 4)
    case("far beyond it, in autumn", "America/New_York", "2061-11-01 01:30:00", DAILY, length, "2061-11-04", 4)
    case("far beyond it, in the south", "Australia/Lord_Howe", "2071-04-01 01:45:00", DAILY, length, "2071-04-02", 5)
    case("a day that an island left out", "Pacific/Apia", "2011-12-28 20:00:00", DAILY, f"elapsed {HOUR}", "2011-12-28", 4)
    case("a zone that ended its summer time", "America/Sao_Paulo", "2026-10-18 00:30:00", "-", length, "2026-01-01")
    case("a change of half an hour for good", "Asia/Pyongyang", "2018-05-04 23:45:00", "-", length, "2018-01-01")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    edges()
    spans()
    rules()
