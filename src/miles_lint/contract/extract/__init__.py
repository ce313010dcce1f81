"""The contract of a trainer, read from its sources. Nothing of them is imported or executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from miles_lint.collector import paused
from miles_lint.contract.extract.checks import overrides, rejections
from miles_lint.contract.extract.drivers import drivers_of, run_guards
from miles_lint.contract.extract.functions import Functions, functions_of
from miles_lint.contract.extract.machine import NoTrainer
from miles_lint.contract.extract.owners import read_owner
from miles_lint.contract.extract.roots import package_of
from miles_lint.contract.extract.selectors import selectors_of
from miles_lint.contract.extract.spelled import unread_families, with_spelled
from miles_lint.contract.extract.trainer import TrainerReading, abbreviates, flags_of, read_trainer
from miles_lint.contract.model import Contract, Flag
from miles_lint.contract.owners import OWNERS, Option, bundled_owners, bundled_revisions, holder_of
from miles_lint.contract.revision import revision_of, version_of
from miles_lint.domain.guard import TooComplex
from miles_lint.fold.records import OutOfSteps
from miles_lint.recursion import deep

BACKENDS = ("megatron", "fsdp")
__all__ = ["BACKENDS", "Extraction", "NoTrainer", "Owned", "extract", "extract_all", "extract_backends", "owned_by"]


@dataclass(frozen=True, slots=True)
class Owned:
    """The options of each owner, with the revision they were read at and the files that told them.

    `folders` is what the files of each owner that was read are relative to.
    """

    options: Mapping[str, Sequence[Option]]
    revisions: tuple[tuple[str, str], ...]
    files: tuple[str, ...] = ()
    folders: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extraction:
    """Contracts, one for each backend and driver, and every file that they were read from."""

    contracts: tuple[Contract, ...]
    files: tuple[str, ...]


def extract(
    root: str,
    megatron: str | None = None,
    sglang: str | None = None,
    router: str | None = None,
    backend: str = "megatron",
    driver: str = "train.py",
) -> Contract:
    """The contract of a checkout for one backend and driver; owners that are not given are taken from the bundle.

    Raises `NoTrainer` where there is nothing to read.
    """
    found = extract_backend(str(root), owned_by(megatron=megatron, sglang=sglang, router=router), backend)
    named = {contract.driver: contract for contract in found.contracts}
    if driver not in named:
        raise NoTrainer(f"{root} has no driver {driver}")
    return named[driver]


def extract_all(
    root: str, megatron: str | None = None, sglang: str | None = None, router: str | None = None
) -> tuple[Contract, ...]:
    """The contracts of a checkout for every backend and driver that it has. Raises `NoTrainer`."""
    return extract_backends(str(root), owned_by(megatron=megatron, sglang=sglang, router=router)).contracts


def extract_backends(root: str, owned: Owned) -> Extraction:
    """The contracts of a checkout for every backend and driver that it has. Raises `NoTrainer`."""
    functions = functions_of(root, _package(root))
    found = [extract_backend(root, owned, BACKENDS[0], functions)]
    for backend in BACKENDS[1:]:
        with suppress(NoTrainer):
            found.append(extract_backend(root, owned, backend, functions))
    files = sorted({file for each in found for file in each.files})
    return Extraction(tuple(contract for each in found for contract in each.contracts), tuple(files))


def owned_by(**roots: str | None) -> Owned:
    """The options of the owners at these roots; of the others, what comes with the linter."""
    options: dict[str, Sequence[Option]] = {}
    revisions: list[tuple[str, str]] = []
    files: list[str] = []
    folders: dict[str, str] = {}
    bundled = bundled_owners()
    for owner in OWNERS:
        root = roots.get(owner.name)
        with deeply():
            taken = read_owner(owner, str(root)) if root is not None else None
        if taken is None or root is None:
            revision, options[owner.name] = bundled_revisions().get(owner.name, ""), bundled.get(owner.name, ())
        else:
            options[owner.name] = taken.options
            folder = holder_of(str(root), owner.package) or str(root)
            revision = revision_of(str(root)) or version_of(folder, owner.package)
            files += taken.files
            folders[owner.name] = folder
        revisions.append((owner.name, revision))
    return Owned(options, tuple(revisions), tuple(files), folders)


def extract_backend(root: str, owned: Owned, backend: str, functions: Functions | None = None) -> Extraction:
    """The contracts of a checkout for one backend. Raises `NoTrainer`."""
    package = _package(root)
    with deeply():
        try:
            functions = functions or functions_of(root, package)
            read = read_trainer(root, package, backend, owned.options)
            flags = flags_of(read)
            if not _admits(flags, backend):
                raise NoTrainer(f"{package} has no {backend} backend")
            return _assembled(read, root, backend, owned, functions)
        except (TooComplex, OutOfSteps, RecursionError) as error:
            raise NoTrainer(f"{package} is too complex to be read: {type(error).__name__}") from error


def _package(root: str) -> str:
    package = package_of(root)
    if package is None:
        raise NoTrainer(f"{root} holds no package with utils/arguments.py")
    return package


def _admits(flags: Sequence[Flag], backend: str) -> bool:
    """Whether a parser with these flags admits a backend; one that cannot choose has the first."""
    chosen = next((flag for flag in flags if flag.dest == "train_backend"), None)
    if chosen is None:
        return bool(flags) and backend == BACKENDS[0]
    return chosen.choices is None or backend in chosen.choices


def _assembled(read: TrainerReading, root: str, backend: str, owned: Owned, functions: Functions) -> Extraction:
    flags = with_spelled(read, flags_of(read), functions.spelled)
    known = {name for flag in flags for name in flag.names}
    own = tuple(flag for flag in functions.flags if known.isdisjoint(flag.names))
    dests = frozenset(flag.dest for flag in flags)
    shared = (*rejections(read), *(overrides(read, dests) if read.whole else ()))
    base = Contract(
        trainer=read.package,
        revision=revision_of(root),
        backend=backend,
        flags=(*flags, *own),
        constraints=shared,
        selectors=selectors_of(read, flags),
        open_prefixes=unread_families(read, known),
        allow_abbrev=abbreviates(read),
        owners=owned.revisions,
        plugged=functions.paths,
    )
    made = []
    for driver in drivers_of(root, read.package) or ("train.py",):
        before = len(read.machine.events)
        fields = dict(read.held.fields) if read.held is not None else {}
        if read.whole:
            run_guards(read, driver)
        made.append(replace(base, driver=driver, constraints=(*shared, *rejections(read, before))))
        if read.held is not None:
            read.held.fields = fields
    files = {*read.tree.read.values(), *functions.files, *owned.files}
    return Extraction(tuple(made), tuple(sorted(files)))


@contextmanager
def deeply() -> Iterator[None]:
    """Allow the recursion that folding a program this size takes, and pause the collector meanwhile."""
    with paused(), deep(20_000):
        yield
