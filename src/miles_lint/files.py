"""Files at the edge: finding the ones to check, reading them, and replacing them without loss."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from miles_lint.gitignore import Ignores, ignores_at
from miles_lint.globs import fits, matcher
from miles_lint.settings import Settings
from miles_lint.source import Source

SettingsFor = Callable[[str], Settings]


class ReadError(Exception):
    """A file that cannot be read as text; the message is worded as ruff 0.17.6 words it."""


class ChangedError(Exception):
    """A file that is no longer what was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A source and the bytes it was decoded from."""

    source: Source
    content: bytes


def read(path: str) -> FileText:
    """Read a UTF-8 file. Raises `ReadError`."""
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except OSError as error:
        error = _why_not_listed(path) or error
        raise ReadError(f"{error.strerror} (os error {error.errno})") from None
    return FileText(decode(path, content), content)


def _why_not_listed(path: str) -> OSError | None:
    """Why a directory that was met while walking could not be listed."""
    if not os.path.isdir(path):
        return None
    try:
        os.scandir(path).close()
    except OSError as error:
        return error
    return None


def decode(path: str, content: bytes) -> Source:
    """A source from bytes; newlines and a byte order mark are kept. Raises `ReadError` unless they are UTF-8."""
    try:
        return Source.from_text(path, content.decode("utf-8"))
    except UnicodeDecodeError:
        raise ReadError("stream did not contain valid UTF-8") from None


def write(original: FileText, source: Source) -> None:
    """Replace a file by a new text in one step, keeping its mode and owner; a symbolic link keeps pointing at it.

    A file that holds the new text already, because it has several names, is left alone. Raises `ChangedError` when
    the file is no longer what `original` was read from, `OSError` when it cannot be written; it is then untouched.
    """
    import tempfile

    target = os.path.realpath(original.source.path)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    wanted = source.full_text.encode("utf-8")
    descriptor, temporary = tempfile.mkstemp(prefix=".miles-lint-", dir=os.path.dirname(target))
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(wanted)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_attributes(target, temporary)
        with open(target, "rb") as stream:
            present = stream.read()
        if present == wanted:
            os.unlink(temporary)
        elif present == original.content:
            os.replace(temporary, target)
        else:
            raise ChangedError(f"{original.source.path} changed since it was read")
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _keep_attributes(target: str, temporary: str) -> None:
    """Give a new file the mode of the one it replaces, and its owner as far as we may."""
    before = os.stat(target)
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def discover(paths: Iterable[str], settings_for: SettingsFor) -> tuple[str, ...]:
    """The absolute paths of the files to check, sorted, each once.

    A file or directory that is named is taken whatever its suffix or the exclusions say, unless the
    settings force exclusions. A path that does not exist is kept, so that reading it reports it.
    `settings_for` gives the settings in force in a directory.
    """
    found: set[str] = set()
    for path in paths:
        absolute = os.path.abspath(path)
        settings = settings_for(os.path.dirname(absolute))
        if settings.force_exclude and excluded(absolute, settings):
            continue
        if os.path.isdir(absolute):
            settings = settings_for(absolute)
            ignores = ignores_at(absolute) if settings.respect_gitignore else Ignores()
            found.update(_walk(absolute, settings_for, ignores))
        else:
            found.add(absolute)
    return tuple(sorted(found, key=lambda path: path.split(os.sep)))


def excluded(path: str, settings: Settings) -> bool:
    """Whether an absolute path, or a directory above it up to the settings' root, fits an exclusion."""
    current = path
    while True:
        if fits(settings.exclude, current):
            return True
        parent = os.path.dirname(current)
        if current == settings.root or parent in (current, settings.root):
            return False
        current = parent


def _walk(directory: str, settings_for: SettingsFor, ignores: Ignores) -> Iterator[str]:
    settings = settings_for(directory)
    left_out, wanted = matcher(settings.exclude), matcher(settings.include)
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        yield directory
        return
    for entry in entries:
        path = entry.path
        is_directory = entry.is_dir(follow_symlinks=False)
        if left_out(path) or ignores.ignored(path, is_directory):
            continue
        if is_directory:
            yield from _walk(path, settings_for, ignores.below(path))
        elif wanted(path) and not _is_something_else(entry):
            yield path


def _is_something_else(entry: os.DirEntry[str]) -> bool:
    """Whether it is no file: a link to a directory, or a pipe or device, which reading could wait on for ever."""
    try:
        return not stat.S_ISREG(entry.stat().st_mode)
    except OSError:
        return False
