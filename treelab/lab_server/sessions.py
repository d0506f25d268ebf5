"""What each tab of the browser works on; tabs know nothing of each other."""

import re
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any

import attrs

from treelab.data.readers import suffixes
from treelab.data.readers.source import unpacked
from treelab.editing import Edit
from treelab.errors import ParameterError, TreelabError, UnknownNameError, shown
from treelab.lab_server.folder import MODELS
from treelab.lab_server.sources import Opened
from treelab.learner import Learner
from treelab.tree.model import Tree

MOST_SESSIONS = 16
MOST_UPLOADS = 40
TAB = re.compile(r"[A-Za-z0-9-]{1,64}")


class NothingThereError(TreelabError):
    """There is nothing yet to work on."""


@attrs.frozen(eq=False)
class Grown:
    """A tree and its history: as it was grown or restored, and after each edit.

    The cursor says which of the versions is shown; those behind it have been undone. `learner` is
    None where nothing is known of who made a restored tree, `has_data` false where its data are
    not open.
    """

    versions: tuple[Tree, ...]
    cursor: int = 0
    learner: Learner | None = None
    has_data: bool = True

    @property
    def tree(self) -> Tree:
        """The version that is shown."""
        return self.versions[self.cursor]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the version that is shown."""
        return self.tree.edits

    def moved(self, step: int) -> "Grown":
        """Return the same at an earlier or later version."""
        place = self.cursor + step
        if not 0 <= place < len(self.versions):
            raise NothingThereError(f"there is nothing to {'undo' if step < 0 else 'redo'}")
        return attrs.evolve(self, cursor=place)

    def edited(self, tree: Tree) -> "Grown":
        """Return the same with a further version in the place of those that were undone."""
        versions = (*self.versions[: self.cursor + 1], tree)
        return attrs.evolve(self, versions=versions, cursor=self.cursor + 1)


class Session:
    """The data, the tree and the files of one tab. Whatever is kept here is replaced as a whole."""

    def __init__(self, tab: str) -> None:
        self.tab = tab
        self.lock = Lock()
        self.opened: Opened | None = None
        self.grown: Grown | None = None
        self.key = ""
        self.uploads: dict[str, Path] = {}

    def open(self, opened: Opened) -> None:
        """Work on other data; the tree of those before is forgotten."""
        self.opened, self.grown, self.key = opened, None, token_hex(8)

    @property
    def data(self) -> Opened:
        """The data, or the sentence that there are none."""
        if self.opened is None:
            raise NothingThereError("open some data first")
        return self.opened

    @property
    def current(self) -> Grown:
        """The tree, or the sentence that there is none."""
        if self.grown is None:
            raise NothingThereError("grow a tree first")
        return self.grown

    @property
    def editable(self) -> tuple[Opened, Grown]:
        """The data and their tree, or the sentence that one is missing."""
        grown = self.current
        if not grown.has_data or self.opened is None:
            raise NothingThereError("open the data that the tree was grown from first")
        return self.opened, grown

    # Files that were handed over

    @cached_property
    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="treelab-lab-"))

    def keep(self, name: str, content: bytes) -> str:
        """Keep a file that was handed over, and return what it is called from now on."""
        safe = _file_name(name)
        if len(self.uploads) >= MOST_UPLOADS:
            raise ParameterError(f"a tab keeps at most {MOST_UPLOADS} files: reload the page")
        path = self._folder / safe
        path.write_bytes(content)
        number = f"u{len(self.uploads) + 1}"
        self.uploads[number] = path
        return number

    def upload(self, number: Any) -> Path:
        """Return a file that was handed over."""
        try:
            return self.uploads[number]
        except (KeyError, TypeError):
            raise UnknownNameError("upload", number, self.uploads) from None

    def said(self, sentence: str) -> str:
        """Return a sentence without the folder that the user does not know of."""
        return sentence.replace(f"{self._folder}/", "") if self.uploads else sentence

    def end(self) -> None:
        """Remove what is on the disk."""
        if self.uploads:
            shutil.rmtree(self._folder, ignore_errors=True)


def _file_name(name: Any) -> str:
    """Return a name for a file that was handed over: its last part, if its kind is known."""
    last = re.split(r"[/\\]", name)[-1] if isinstance(name, str) else ""
    if not 0 < len(last) <= 200 or "\0" in last or last.startswith("."):
        raise ParameterError(f"a file is handed over with its name, got {shown(name)}")
    suffix = unpacked(Path(last)).suffix.lower()
    if suffix not in (*suffixes(), *MODELS):
        raise UnknownNameError("file suffix", suffix, (*suffixes(), *MODELS))
    return last


class Sessions:
    """The sessions by tab; of too many the one idle longest ends."""

    def __init__(self, forget: Callable[[str], None], most: int = MOST_SESSIONS) -> None:
        self.forget, self.most = forget, most
        self.lock = Lock()
        self.found: OrderedDict[str, Session] = OrderedDict()

    def of(self, tab: Any) -> Session:
        """Return the session of a tab, a new one if it has none."""
        if not isinstance(tab, str) or not TAB.fullmatch(tab):
            raise ParameterError(f"tab must be letters, digits and '-', got {shown(tab)}")
        with self.lock:
            session = self.found.pop(tab, None) or Session(tab)
            self.found[tab] = session
            idle = [self.found.popitem(last=False)[1] for _ in range(len(self.found) - self.most)]
        for other in idle:
            self._end(other)
        return session

    def close(self, tab: str) -> None:
        """End the session of a tab."""
        with self.lock:
            session = self.found.pop(tab, None)
        if session is not None:
            self._end(session)

    def close_all(self) -> None:
        """End all sessions."""
        for tab in [*self.found]:
            self.close(tab)

    def _end(self, session: Session) -> None:
        self.forget(session.tab)
        session.end()
