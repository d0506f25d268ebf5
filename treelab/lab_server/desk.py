"""What all tabs share: the folder, the data given at the start, sessions and jobs."""

from secrets import token_urlsafe
from typing import Any

from treelab.lab_server.folder import Folder
from treelab.lab_server.jobs import Job, Jobs
from treelab.lab_server.sessions import Session, Sessions
from treelab.lab_server.sources import Source


class Desk:
    """A server without its network."""

    def __init__(self, folder: Folder, given: Source | None = None) -> None:
        self.folder, self.given = folder, given
        self.token = token_urlsafe(32)
        self.jobs = Jobs()
        self.sessions = Sessions(self.jobs.cancel_all)

    def start(self, session: Session, name: str, **given: Any) -> Job:
        """Begin a job of a session, on its data."""
        found = session.opened
        data = None if found is None else (found.training, found.held_out)
        return self.jobs.start(session.tab, name, session.key, data, given)

    def close(self) -> None:
        """End everything."""
        self.jobs.close()
        self.sessions.close_all()
