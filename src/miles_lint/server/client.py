"""What the client said that it can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types


@dataclass(frozen=True)
class Client:
    """The capabilities that make a difference to this server."""

    capabilities: types.ClientCapabilities

    def get(self, name: str) -> Any:
        """A dotted capability, in snake case; None where the client does not speak of it."""
        found: Any = self.capabilities
        for part in name.split("."):
            found = getattr(found, part, None)
        return found

    def can(self, name: str) -> bool:
        return bool(self.get(name))

    @property
    def push(self) -> bool:
        """Whether diagnostics must be published: a client that asks for them would show them twice."""
        return self.get("text_document.diagnostic") is None

    @property
    def related(self) -> bool:
        return self.can("text_document.publish_diagnostics.related_information") or self.can(
            "text_document.diagnostic.related_information"
        )

    @property
    def diagnostic_refresh(self) -> bool:
        return self.can("workspace.diagnostics.refresh_support")

    @property
    def lens_refresh(self) -> bool:
        return self.can("workspace.code_lens.refresh_support")

    @property
    def versioned_edits(self) -> bool:
        return self.can("workspace.workspace_edit.document_changes")

    @property
    def lazy_actions(self) -> bool:
        """Whether the edit of an action may come later."""
        return "edit" in (self.get("text_document.code_action.resolve_support.properties") or ())

    @property
    def watches(self) -> bool:
        return self.can("workspace.did_change_watched_files.dynamic_registration")

    @property
    def configures(self) -> bool:
        """Whether the client answers questions about its configuration."""
        return self.can("workspace.configuration")

    @property
    def progress(self) -> bool:
        return self.can("window.work_done_progress")

    @property
    def shows_documents(self) -> bool:
        return self.can("window.show_document.support")
