"""One operator of a constraint over values that may be known in part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from miles_lint.binding.values import ABSENT, UNKNOWN, Fragments, Partial, Rejected, frozen, known
from miles_lint.domain.term import BINARY
from miles_lint.domain.truth import Truth

_NUMBERS = (bool, int, float)
_ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_LARGEST = 1 << 40
_METHODS = frozenset(
    (
        *("capitalize", "casefold", "count", "endswith", "find", "isdigit", "lower", "lstrip", "partition", "replace"),
        *("removeprefix", "removesuffix", "rpartition", "rsplit", "rstrip", "split", "startswith", "strip", "upper"),
    )
)
_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    **{call.__name__: call for call in (abs, all, any, bool, float, int, len, max, min, round, sorted, str, sum)},
    "tuple": tuple,
    "list": tuple,
}


def apply(op: str, operands: tuple[object, ...]) -> object:
    """The value of an operator; a `Partial` where that is not known, or where Python would raise."""
    found = _refined(op, operands)
    if found is not None:
        return found
    if not all(map(known, operands)):
        return Partial(bool) if op in _COMPARISONS or op in ("in", "not in", "is", "is not") else UNKNOWN
    try:
        return frozen(_computed(op, operands))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return UNKNOWN


def truth(value: object) -> Truth:
    """Whether a value counts as true."""
    if isinstance(value, Partial):
        return value.truth
    return Truth.MAYBE if value is ABSENT or isinstance(value, Rejected) else Truth.of(bool(value))


def _computed(op: str, operands: tuple[object, ...]) -> object:
    if op == "call":
        return _called(str(operands[0]), operands[1:])
    if op == "len":
        return _FUNCTIONS["len"](*operands)
    left, right = operands
    if op == "index":
        return left[right]  # type: ignore[index]
    if op in ("is", "is not"):
        return (type(left) is type(right) and left == right) is (op == "is")
    if op in _ARITHMETIC and not (isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS)):
        return left + right if op == "+" and isinstance(left, (str, tuple)) else UNKNOWN  # type: ignore[operator]
    if op == "**" and (abs(left) > _LARGEST or abs(right) > 64):  # type: ignore[arg-type]
        return UNKNOWN
    return BINARY[op](left, right) if op in BINARY else UNKNOWN


def _called(name: str, arguments: tuple[object, ...]) -> object:
    if name in _METHODS and arguments and isinstance(arguments[0], str):
        return getattr(arguments[0], name)(*arguments[1:])
    if name == "str" and any(isinstance(argument, (tuple, dict)) for argument in arguments):
        return UNKNOWN
    return _FUNCTIONS[name](*arguments) if name in _FUNCTIONS else UNKNOWN


def _refined(op: str, operands: tuple[object, ...]) -> object:
    """What can be said although an operand is known in part only; None when nothing can."""
    if op == "len" and isinstance(operands[0], tuple):
        return len(operands[0])
    if len(operands) != 2:
        return None
    left, right = operands
    if op == "index" and isinstance(left, tuple) and isinstance(right, int) and -len(left) <= right < len(left):
        return left[right]
    if op in ("==", "!=", "is", "is not") and _differ(left, right):
        return op in ("!=", "is not")
    if op in ("in", "not in") and _holds(left, right):
        return op == "in"
    if op in ("in", "not in") and isinstance(right, tuple) and all(_differ(left, item) for item in right):
        return op == "not in"
    return None


def _holds(item: object, container: object) -> bool:
    """Whether an item is certainly in a container that is known in part."""
    if isinstance(container, Partial) and isinstance(item, str):
        return any(part is not None and item in part for part in container.text)
    return isinstance(container, tuple) and known(item) and any(known(x) and x == item for x in container)


def _differ(left: object, right: object) -> bool:
    """Whether two values certainly differ, one of them known in part."""
    if isinstance(right, Partial):
        left, right = right, left
    if not isinstance(left, Partial) or not known(right) or left.type is None:
        return False
    if isinstance(right, _NUMBERS):
        return left.type not in _NUMBERS
    if not isinstance(right, left.type) or (left.truth is not Truth.MAYBE and left.truth is not truth(right)):
        return True
    return isinstance(right, str) and not _fits(right, left.text)


def _fits(text: str, fragments: Fragments) -> bool:
    """Whether a string may be the one that is known in part."""
    if not fragments:
        return True
    first, last = fragments[0] or "", fragments[-1] or ""
    return len(text) >= len(first) + len(last) and text.startswith(first) and text.endswith(last)
