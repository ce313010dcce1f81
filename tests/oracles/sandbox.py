"""Import trainer sources in an interpreter that lacks their dependencies: whatever is missing is stubbed.

Used inside a subprocess only. A name that is neither found nor named as real becomes a module whose attributes are
permissive classes: good as base class, annotation, decorator, value and context manager.
"""

from __future__ import annotations

import abc
import contextlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import sys
import types
from collections.abc import Callable, Iterator, Sequence

ABSENT = frozenset(
    (
        *("kitchen", "mlx", "nvidia_kitchen", "torch_musa", "torch_npu", "torchada"),
        *("torch.hpu", "torch.npu", "torch.version.musa"),
    )
)
"""Packages and attributes that the trainer's image lacks: sources branch on their absence."""

GENUINE = frozenset(("_yaml", "packaging", "tests", "typing_extensions", "yaml"))
"""Installed packages that a closed sandbox uses as they are; its outcome must not depend on what else is installed."""

REPLACED = frozenset(("megatron.rl", "sglang_router.sglang_router_rs"))
"""Parts of real packages that are stubbed all the same: compiled, or not importable without their dependencies."""

FACTS: dict[str, object] = {
    "torch.__version__": "2.9.1",
    "torch.version.cuda": "13.0",
    "torch.version.hip": None,
    "torch.cuda.is_available": lambda *_: False,
    "torch.cuda.device_count": lambda *_: 0,
    "torch.xpu.is_available": lambda *_: False,
    "triton.runtime.driver.active.get_current_target": lambda *_: types.SimpleNamespace(backend="cuda", arch=90),
    "torch.cuda.get_device_capability": lambda *_: (9, 0),
    "transformer_engine.__version__": "2.10.0",
    "triton.__version__": "3.5.0",
    "dill.dumps": lambda *_: b"",
    "transformers.__version__": "4.57.1",
    "numpy.__version__": "2.2.0",
}


def _is_real(argument: object) -> bool:
    if isinstance(argument, StubMeta):
        return "stub_path" not in argument.__dict__
    return isinstance(argument, (type, types.FunctionType, classmethod, staticmethod, property))


class Permissive:
    """Operators that never fail."""

    def _itself(self, *_: object) -> object:
        return self

    def _no(self, *_: object) -> bool:
        return False

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __setitem__(self, *_: object) -> None:
        return None

    def __int__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    __index__ = __int__
    __getitem__ = __or__ = __ror__ = __and__ = __neg__ = __add__ = __radd__ = __sub__ = __rsub__ = _itself
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __rpow__ = _itself
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _no


class StubMeta(Permissive, abc.ABCMeta):
    """Class of everything a stub module offers."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object], **_: object) -> StubMeta:
        return super().__new__(cls, name, bases, body)

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, object], **_: object) -> None:
        super().__init__(name, bases, body)

    def __getattr__(cls, name: str) -> object:
        path = next((base.__dict__["stub_path"] for base in cls.__mro__ if "stub_path" in base.__dict__), None)
        if name.startswith("__") or path is None:
            raise AttributeError(name)
        return member(cls, f"{path}.{name}", name)

    def __call__(cls, *args: object, **kwargs: object) -> object:
        if cls.__dict__.get("stub_path") is None:
            made = super().__call__(*args, **kwargs)
        elif len(args) == 1 and not kwargs and _is_real(args[0]):
            made = args[0]
        else:
            made = Value(f"{cls.stub_path}()")
        return made

    def register(cls, *args: object, **_: object) -> object:
        """Registries of stubs take anything and hand back what was registered."""
        return args[-1] if args and _is_real(args[-1]) else Value(f"{cls!r}.register()")

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.__dict__.get("stub_path") is None and super().__instancecheck__(instance)

    def __repr__(cls) -> str:
        return cls.__dict__.get("stub_path") or super().__repr__()


class Base(metaclass=StubMeta):
    """Root of stub classes; keyword arguments of subclasses are swallowed."""

    def __init__(self, *_: object, **fields: object) -> None:
        vars(self).update(fields)

    def __init_subclass__(cls, **_: object) -> None:
        super().__init_subclass__()


class Value(Permissive):
    """What a stub returns when called: takes any use, and is false."""

    def __init__(self, path: str) -> None:
        self.stub_path = path

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return Value(f"{self.stub_path}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> object:
        return args[0] if len(args) == 1 and not kwargs and _is_real(args[0]) else Value(f"{self.stub_path}()")

    def __repr__(self) -> str:
        return self.stub_path

    def __len__(self) -> int:
        return 0

    def __enter__(self) -> Value:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __mro_entries__(self, _: object) -> tuple[type, ...]:
        return (Base,)


def member(owner: object, path: str, name: str) -> object:
    """The attribute `name` of a stub, made once; exceptions are real exception classes."""
    if path in ABSENT:
        raise AttributeError(name)
    if path in FACTS:
        made: object = FACTS[path]
    elif name.endswith(("Error", "Exception", "Warning")):
        made = type(name, (Exception,), {})
    else:
        made = StubMeta(name, (Base,), {"stub_path": path, "__module__": path.rpartition(".")[0]})
    setattr(owner, name, made)
    return made


class StubModule(types.ModuleType):
    """A module that has every attribute and every submodule."""

    __version__ = "99.0.0"

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return member(self, f"{self.__name__}.{name}", name)


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers for every module that `wanted` accepts."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.wanted = wanted

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if self.wanted(name) else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = StubModule(spec.name)
        module.__dict__["__version__"] = FACTS.get(f"{spec.name}.__version__", StubModule.__version__)
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


def install(roots: Sequence[str], real: Sequence[str], closed: bool = False) -> None:
    """Put `roots` on the path; packages named in `real` are never stubbed, so their gaps stay errors.

    `closed` stubs installed packages as well, the genuine ones excepted; else only what is missing.
    """
    sys.path[:0] = list(roots)
    never = frozenset(real) | ABSENT | sys.stdlib_module_names | (GENUINE if closed else frozenset())

    def other(name: str) -> bool:
        return name.partition(".")[0] not in never

    def replaced(name: str) -> bool:
        return any(f"{name}.".startswith(f"{part}.") for part in REPLACED)

    sys.meta_path.insert(0, StubFinder(lambda name: replaced(name) or (closed and other(name))))
    sys.meta_path.append(StubFinder(other))
    importlib.metadata.version = _lenient(importlib.metadata.version)


@contextlib.contextmanager
def only_known() -> Iterator[None]:
    """While active, whatever is not imported yet is stubbed, the trainer's own modules too."""
    known = dict(sys.modules)
    finder = StubFinder(lambda name: name.partition(".")[0] not in sys.stdlib_module_names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, StubModule)]:
            if name not in known:
                del sys.modules[name]


def _lenient(version: Callable[[str], str]) -> Callable[[str], str]:
    def found(name: str) -> str:
        try:
            return version(name)
        except importlib.metadata.PackageNotFoundError:
            root = name.replace("-", "_")
            if root in ABSENT:
                raise
            return str(FACTS.get(f"{root}.__version__", StubModule.__version__))

    return found
