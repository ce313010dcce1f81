"""Every file of the workspace, checked one by one; a file is checked again only when something near it changed."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pygls.exceptions import JsonRpcContentModified
from pygls.uris import to_fs_path

from miles_lint import sniff
from miles_lint.cli.run import Job, Outcome, examine
from miles_lint.files import ReadError, discover, read
from miles_lint.server.session import Server

Stamp = tuple[int, int]
Step = Callable[[int, int, str], None]


@dataclass
class Workspace:
    """What is known of the files on disk: when each was changed last, and what came of those that could launch."""

    server: Server
    stamps: dict[str, Stamp] = field(default_factory=dict)
    epoch: int = -1
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def check(self, step: Step) -> None:
        """Bring `server.elsewhere` and `server.outcomes` up to date for all files of the workspace.

        `step` is called before each file that is checked, with how many are done, how many there are, and its
        path; an exception from it ends the work, and the next call goes on from there.
        """
        async with self.lock:
            epoch = self.server.epoch
            if epoch == self.epoch and self.server.client.watches:
                return
            stamps = await self.server.worker.run(self._stamps)
            waiting = await self.server.worker.run(lambda: self._waiting(stamps))
            for path in self.stamps.keys() - stamps.keys():
                self.server.elsewhere.pop(path, None)
            self.stamps = {path: stamp for path, stamp in stamps.items() if path not in waiting}
            for done, path in enumerate(waiting):
                step(done, len(waiting), path)
                await self._check(path)
                self.stamps[path] = stamps[path]
            for uri in tuple(self.server.analyses):
                with contextlib.suppress(JsonRpcContentModified):
                    await self.server.findings(uri)
            self.epoch = epoch

    def forget(self) -> None:
        """Check everything again: the settings have changed."""
        self.stamps.clear()

    async def _check(self, path: str) -> None:
        def job() -> Outcome | None:
            try:
                source = read(path).source
            except ReadError:
                return None
            if not sniff.might_launch(source.text):
                return None
            return examine(Job(source, self.server.configuration.for_file(path)))

        outcome = await self.server.worker.run(job)
        if outcome is None:
            self.server.elsewhere.pop(path, None)
        else:
            self.server.elsewhere[path] = outcome

    def _stamps(self) -> dict[str, Stamp]:
        roots = [each for each in roots_of(self.server) if os.path.isdir(each)]
        found: dict[str, Stamp] = {}
        for path in discover(roots, self.server.configuration.for_directory) if roots else ():
            try:
                status = os.stat(path)
            except OSError:
                continue
            found[path] = (status.st_mtime_ns, status.st_size)
        return found

    def _waiting(self, stamps: dict[str, Stamp]) -> list[str]:
        """The files to check: those that changed, and those whose text names one of them, also through others."""
        changed = {path for path, stamp in stamps.items() if self.stamps.get(path) != stamp}
        gone = self.stamps.keys() - stamps.keys()
        if not self.stamps or not (changed or gone):
            return sorted(changed)
        rest = {path: text for path in stamps.keys() - changed if (text := _text(path)) is not None}
        names = set(map(_stem, (*changed, *gone)))
        while names:
            touched = {path for path, text in rest.items() if any(name in text for name in names)}
            changed |= touched
            names = {_stem(path) for path in touched}
            for path in touched:
                del rest[path]
        return sorted(changed)


def roots_of(server: Server) -> Iterator[str]:
    """The folders that the client works in."""
    folders = [path for uri in server.workspace.folders if (path := to_fs_path(uri)) is not None]
    yield from folders or ([server.workspace.root_path] if server.workspace.root_path else ())


def known_paths(server: Server) -> Iterable[str]:
    """The files that something is known about."""
    return dict.fromkeys((*server.elsewhere, *server.outcomes))


def _stem(path: str) -> str:
    name = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if name == "__init__" else name


def _text(path: str) -> str | None:
    try:
        return read(path).source.text
    except ReadError:
        return None
