"""Recipes of two folders compared, file by file; what nothing has changed for is not folded twice."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from miles_lint import sniff
from miles_lint.diff.report import Compared, located
from miles_lint.domain.value import Hole, Text, Unknown, options_of
from miles_lint.files import ReadError, read
from miles_lint.fold.heap import Module
from miles_lint.launch_diff import same_launches
from miles_lint.program.lower import ParseError
from miles_lint.project import ProjectLoader, trainer_root
from miles_lint.recipe import Fold, fold
from miles_lint.revisions import Trees
from miles_lint.show.places import Texts
from miles_lint.source import Source


@dataclass
class Recorder:
    """A loader that remembers the files it found and the names it was asked for."""

    inner: ProjectLoader
    files: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def module(self, name: str, importer: Module) -> Module | None:
        self.names.update(name.split("."))
        return self.kept(self.inner.module(name, importer))

    def file(self, path: str) -> Module | None:
        self.names.add(os.path.splitext(os.path.basename(path))[0])
        return self.kept(self.inner.file(path))

    def model_file(self, model_type: str, importer: Module) -> Module | None:
        self.names.add(model_type)
        return self.kept(self.inner.model_file(model_type, importer))

    def extend_path(self, path: str) -> None:
        self.inner.extend_path(path)

    def kept(self, module: Module | None) -> Module | None:
        if module is not None:
            self.files.add(module.file)
        return module


@dataclass(frozen=True)
class Folded:
    """One recipe of one side, and what its fold read."""

    fold: Fold
    texts: Texts
    recorder: Recorder


def read_quietly(path: str) -> Source | None:
    """The source in a file, None when it cannot be read."""
    try:
        return read(path).source
    except ReadError:
        return None


def folded(path: str) -> Folded:
    """The launches of the recipe in a file. Raises `ReadError` and `ParseError`."""
    source = read(path).source
    recorder = Recorder(ProjectLoader(os.path.abspath(path), path))
    return Folded(fold(source, loader=recorder), Texts(source, read_quietly), recorder)


def compare_files(old: str, new: str) -> Compared:
    """Two recipes in files. Raises `ReadError` and `ParseError`."""
    one, two = folded(old), folded(new)
    roots = tuple(found[0] if found else "" for found in (trainer_root(_folder(old)), trainer_root(_folder(new))))
    changes = same_launches(one.fold, two.fold, (roots[0], roots[1]))
    return Compared(old, new, changes, located(changes, (one.texts, two.texts), str), assumed(one.fold, two.fold))


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def assumed(one: Fold, two: Fold) -> tuple[str, ...]:
    """Unknown parts that both folds have and that say nothing about their value but why it is unknown."""
    others = set(_nameless(two))
    return tuple(dict.fromkeys(text for text in _nameless(one) if text in others))


def _nameless(found: Fold) -> Iterator[str]:
    for launch in found.launches:
        settings = [variant.value for _, variants in launch.environment for variant in variants]
        values = [launch.train_script, *settings, *(argument.text for argument in launch.argv)]
        for value in values:
            for _, leaf in options_of(value, launch.space.always):
                pieces = leaf.pieces if isinstance(leaf, Text) else ()
                unknowns = [piece.unknown for piece in pieces if isinstance(piece, Hole)]
                unknowns += [leaf] if isinstance(leaf, Unknown) else []
                yield from (str(unknown) for unknown in unknowns if unknown.term is None)


def names_under(trees: Trees, paths: Iterable[str]) -> Iterator[str]:
    """The recipes that paths of the repository name in either tree. Raises `ReadError` for a path in neither."""
    for path in paths:
        roots = [os.path.join(tree, path) for tree in (trees.before, trees.after)]
        if not any(map(os.path.exists, roots)):
            raise ReadError(f"'{path}' is in neither revision")
        for tree, root in zip((trees.before, trees.after), roots):
            if os.path.isfile(root):
                yield path
            for folder, folders, files in os.walk(root):
                folders[:] = sorted(each for each in folders if not each.startswith("."))
                for name in sorted(files):
                    file = os.path.join(folder, name)
                    if name.endswith(".py") and _might_launch(file):
                        yield os.path.relpath(file, tree)


def _might_launch(path: str) -> bool:
    source = read_quietly(path)
    return source is not None and sniff.might_launch(source.text)


def compare_trees(trees: Trees, names: Collection[str]) -> Iterator[Compared]:
    """Each of these recipes in both trees, those that launch nothing left out; a failure is told of its recipe."""
    now = {old: new for new, old in trees.renamed.items()}
    for name in sorted({now.get(name, name) for name in names}):
        old = trees.renamed.get(name, name)
        try:
            found = _compared(trees, old, name)
        except (ParseError, ReadError) as error:
            found = Compared(old, name, error=str(error))
        except Exception as error:
            found = Compared(old, name, error=f"internal error: {type(error).__name__}: {error}")
        if found is not None:
            yield found


def _compared(trees: Trees, old: str, new: str) -> Compared | None:
    paths = os.path.join(trees.before, old), os.path.join(trees.after, new)
    there = [os.path.isfile(path) for path in paths]
    one = folded(paths[0]) if there[0] else None
    if one is not None and old == new and there[1] and _untouched(trees, one, old):
        return Compared(old, new) if one.fold.launches else None
    two = folded(paths[1]) if there[1] else None
    if not any(side is not None and side.fold.launches for side in (one, two)):
        return None
    if one is None or two is None:
        return Compared(old if one is not None else None, new if two is not None else None)
    changes = same_launches(one.fold, two.fold, (trees.before, trees.after))
    places = located(changes, (one.texts, two.texts), _Shorter((trees.before, trees.after)))
    return Compared(old, new, changes, places, assumed(one.fold, two.fold))


def _untouched(trees: Trees, one: Folded, name: str) -> bool:
    """Whether a recipe reads nothing that differs, and asks for nothing that came or went."""
    read_files = {os.path.relpath(file, trees.before) for file in one.recorder.files} | {name}
    stems = {os.path.splitext(os.path.basename(path))[0] for path in trees.came_or_went}
    packages = {part for path in trees.came_or_went for part in path.split("/")[:-1]}
    return not (read_files & trees.changed or (stems | packages) & one.recorder.names)


@dataclass(frozen=True)
class _Shorter:
    """Paths of two trees as they are in the repository."""

    roots: tuple[str, ...]

    def __call__(self, path: str) -> str:
        for root in self.roots:
            if path.startswith(root + os.sep):
                return os.path.relpath(path, root)
        return path
