"""Operations whose results may be far larger than what they are given: each is refused before it is run."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from miles_lint.fold.budget import Budget

BUDGET = Budget()
"""The sizes that a pure operation keeps to, whatever fold it belongs to."""
_WIDEST = 10_000
_FIELD = re.compile(r"\d{5}|\*")


class OverBudget(Exception):
    """An operation whose result would be larger than the budget."""


Pure = Callable[..., Any]


def size(obj: object) -> int:
    """Characters, bytes, bits or elements, at every depth: what an operation that repeats it would repeat."""
    if isinstance(obj, (str, bytes)):
        return len(obj)
    if isinstance(obj, int):
        return obj.bit_length()
    if isinstance(obj, Mapping):
        return sum(size(key) + size(value) for key, value in obj.items())
    return sum(map(size, obj)) if isinstance(obj, (list, tuple, set, frozenset)) else 16


def keep(number: int, what: str, limit: int | None = None) -> None:
    """Raise `OverBudget` for a size past its limit: that of a text, unless told otherwise."""
    if number > (BUDGET.text if limit is None else limit):
        raise OverBudget(f"{what} too large")


def narrow(template: str) -> None:
    """Raise `OverBudget` for a format that asks for a width or precision of five digits, or of any size."""
    if _FIELD.search(template):
        raise OverBudget("format width too large")


def format_value(value: object, spec: str = "") -> str:
    """`format(value, spec)`."""
    narrow(spec)
    return format(value, spec)


def format_text(template: str, *args: object, **named: object) -> str:
    """`template.format(...)`."""
    narrow(template)
    fields = template.count("{")
    keep(len(template) + fields * max(map(size, (*args, *named.values())), default=0), "format", 10 * BUDGET.text)
    if any(isinstance(value, int) and abs(value) > _WIDEST for value in (*args, *named.values())) and (
        re.search(r"\{[^{}]*\{", template.replace("{{", ""))
    ):
        raise OverBudget("format width too large")
    return template.format(*args, **named)


def percent(template: str | bytes, value: object) -> object:
    """`template % value`."""
    text = template if isinstance(template, str) else template.decode("latin-1")
    narrow(text)
    keep(len(text) + text.count("%") * size(value), "format", 10 * BUDGET.text)
    return template % value


def power(base: Any, exponent: Any, modulus: Any = None) -> object:
    """`pow(base, exponent, modulus)`."""
    if isinstance(base, int) and isinstance(exponent, int):
        bits = base.bit_length() * abs(exponent) if modulus is None else size(exponent) + size(modulus)
        keep(bits, "number", BUDGET.number_bits)
    return pow(base, exponent) if modulus is None else pow(base, exponent, modulus)


def shift(number: Any, count: Any) -> object:
    """`number << count`."""
    if isinstance(number, int) and isinstance(count, int):
        keep(number.bit_length() + count, "number", BUDGET.number_bits)
    return number << count


def times(one: Any, two: Any) -> object:
    """`one * two`."""
    if isinstance(one, int) and isinstance(two, int):
        keep(one.bit_length() + two.bit_length(), "number", BUDGET.number_bits)
    for sized, count in ((one, two), (two, one)):
        if isinstance(sized, (str, bytes, list, tuple)) and isinstance(count, int):
            keep(len(sized) * count, "repetition", BUDGET.text if isinstance(sized, (str, bytes)) else BUDGET.items)
    return one * two


def rounded(number: Any, digits: Any = None) -> object:
    """`round(number, digits)`."""
    if isinstance(digits, int):
        keep(abs(digits), "number of digits", BUDGET.number_bits)
    return round(number, digits)


def total(numbers: Any, start: Any = 0) -> object:
    """`sum(numbers, start)`."""
    keep(len(numbers) * size(start), "sum", 10 * BUDGET.text)
    return sum(numbers, start)


def product(numbers: Any, *, start: Any = 1) -> object:
    """`math.prod(numbers, start=start)`."""
    keep(size(list(numbers)) + size(start), "number", BUDGET.number_bits)
    return math.prod(numbers, start=start)


def make_bytes(*args: Any) -> object:
    """`bytes(...)`."""
    if args and isinstance(args[0], int):
        keep(args[0], "bytes")
    return bytes(*args)


def make_range(*bounds: Any) -> object:
    """`range(...)`."""
    made = range(*bounds)
    keep(max(0, -((made.start - made.stop) // made.step)), "range", BUDGET.items)
    return made


def _replaced(owner: Any, args: tuple[Any, ...]) -> int:
    if len(args) < 2 or not isinstance(args[0], (str, bytes)) or not isinstance(args[1], (str, bytes)):
        return 0
    return len(owner) + owner.count(args[0]) * len(args[1])  # type: ignore[no-any-return]


_RESULTS: dict[str, Callable[[Any, tuple[Any, ...]], int]] = {
    "replace": _replaced,
    "expandtabs": lambda owner, args: len(owner) * size_of(args, 8),
    "translate": lambda owner, args: len(owner) * max(1, max(map(size, map(size_key, args)), default=1)),
    "join": lambda owner, args: sum(map(size, args)) + len(owner) * sum(len(arg) for arg in args),
    **dict.fromkeys(("ljust", "rjust", "center", "zfill", "to_bytes"), lambda owner, args: size_of(args, 1)),
}


def size_of(args: tuple[Any, ...], default: int) -> int:
    """The first argument where it is a number."""
    return args[0] if args and isinstance(args[0], int) else default


def size_key(table: object) -> object:
    """What a translation table puts in, as one object."""
    return list(table.values()) if isinstance(table, Mapping) else table


def method(owner: Any, name: str, args: tuple[Any, ...], named: dict[str, Any]) -> object:
    """`owner.name(...)` of a plain object."""
    if name == "format" and isinstance(owner, str):
        return format_text(owner, *args, **named)
    if name == "format_map" and isinstance(owner, str) and args and isinstance(args[0], dict):
        return format_text(owner, **args[0])
    bound = _RESULTS.get(name)
    if bound is not None:
        keep(bound(owner, (*args, *named.values())), name)
    return getattr(owner, name)(*args, **named)
