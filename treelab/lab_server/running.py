"""`lab`: the server, started and stopped."""

import atexit
import os
import socket
import time
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from secrets import token_urlsafe
from threading import Thread
from types import TracebackType
from typing import Any

from treelab.data.bundled import load
from treelab.data.dataset import Dataset
from treelab.data.readers import is_data_file
from treelab.data.synth import make
from treelab.errors import (
    MissingExtraError,
    ParameterError,
    TreelabError,
    UnknownNameError,
    check_number,
    suggestion,
)
from treelab.lab_server.sources import Asked, File, InMemory, Source

HOST = "127.0.0.1"
PACKAGES = ("starlette", "uvicorn")
"""What the extra `lab` brings."""

PATIENCE = 10.0
"""Seconds in which a server has started, or ended."""


class Lab:
    """A running lab: `url` is the address of its page, `stop` ends it and all it has started.

    It is a context manager, too.
    """

    def __init__(self, given: Source | None, folder: str | os.PathLike[str], port: int) -> None:
        try:
            import uvicorn

            from treelab.lab_server.app import application
        except ImportError as error:
            package = (error.name or "").split(".")[0]
            if package not in PACKAGES:
                raise
            raise MissingExtraError("treelab lab", package, "lab") from None
        from treelab.lab_server.desk import Desk
        from treelab.lab_server.folder import Folder

        if not Path(folder).is_dir():
            raise ParameterError(f"{os.fspath(folder)!r} is no folder")
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self.desk = Desk(Folder(Path(folder)), given)
        self._app = application(self.desk, self.port)
        config = uvicorn.Config(
            self._app, log_level="warning", access_log=False, lifespan="off", ws="none",
            timeout_graceful_shutdown=1, server_header=False,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """The address of the page, with its key."""
        return f"http://{HOST}:{self.port}/{self.desk.token}/"

    def start(self) -> "Lab":
        """Serve in a thread; return when requests are answered."""
        self.desk.jobs.warm_up()
        atexit.register(self.desk.close)
        self._thread = Thread(target=self._serve, daemon=True, name="treelab lab")
        self._thread.start()
        end = time.monotonic() + PATIENCE
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > end:
                self.stop()
                raise TreelabError("the server of treelab lab could not be started")
            time.sleep(0.01)
        return self

    def serve(self) -> None:
        """Serve until it is interrupted: nothing else ends it.

        uvicorn does not always pass the interrupt on that has ended it.
        """
        self.desk.jobs.warm_up()
        self._serve()
        raise KeyboardInterrupt

    def _serve(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.desk.close()
            self._socket.close()

    def stop(self) -> None:
        """End the server, its worker processes and its files; a second time nothing happens."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(PATIENCE)
        self.desk.close()
        atexit.unregister(self.desk.close)
        self._socket.close()

    def open_browser(self) -> None:
        """Open the page in a browser.

        Programs are called with an address that other users of the machine can see in the list of
        processes. So it holds a key that opens the page once, and never the token.
        """
        once = token_urlsafe(32)
        self._app.allow_once(once)
        with suppress(webbrowser.Error):
            webbrowser.open(f"http://{HOST}:{self.port}/{once}")

    def __enter__(self) -> "Lab":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Lab at {self.url}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook: as a link."""
        url = escape(self.url)
        return f'<a href="{url}" target="_blank" rel="noopener noreferrer">treelab lab</a>'


def lab(
    data: Any = None,
    target: str | None = None,
    *,
    port: int | None = None,
    browser: bool = True,
    block: bool = False,
    folder: str | os.PathLike[str] = ".",
) -> Lab:
    """Open a local page to load data, grow trees, compare metrics, ask why and edit by hand.

    The page is served on the loopback address only, to whoever has its address.

    Parameters
    ----------
    data
        Data to begin with: a `Dataset`, a frame, a file, or the name of a bundled data set. They
        are offered on the page as 'given'.
    target
        The column of a frame or a file to predict.
    port
        The port of the server; None takes a free one.
    browser
        Whether to open the page in a browser.
    block
        Whether to wait until the program is interrupted. Else the server runs beside it, until
        `stop()` is called or Python ends.
    folder
        The only folder whose files can be opened from the page.

    Returns
    -------
    Lab
        With its address, `url`, and `stop()`.

    Examples
    --------
    >>> import treelab as tl
    >>> with tl.lab("iris", browser=False) as running:
    ...     running.url.startswith("http://127.0.0.1:")
    True
    """
    found = Lab(given_source(data, target, {}), folder, 0 if port is None else port)
    if not block:
        found.start()
        if browser:
            found.open_browser()
        return found
    if browser:
        found.open_browser()
    found.serve()
    return found


def given_source(data: Any, target: str | None, reading: Mapping[str, Any]) -> Source | None:
    """Return data given at the start as a source; what is wrong with them is told at once."""
    if data is None:
        return None
    source = _source(data, target, reading)
    source.read(Asked())
    return source


def _source(data: Any, target: str | None, reading: Mapping[str, Any]) -> Source:
    if isinstance(data, str | os.PathLike):
        name = os.fspath(data)
        if is_data_file(name):
            said = {"from": "given", "name": Path(name).name}
            return File(str(Path(name).absolute()), name, said, target, dict(reading))
        return _named(name)
    if not isinstance(data, Dataset):
        if target is None:
            raise ParameterError("name the column of the frame to predict with target=")
        data = Dataset.from_frame(data, target)
    said = {"from": "given", "name": data.name}
    return InMemory(said, "data  # the data that were given to tl.lab", data)


def _named(name: str) -> Source:
    """Return a bundled data set, or data made to order: 'make:exor,n=3'."""
    said = {"from": "given", "name": name}
    if name.startswith("make:"):
        spec = name.removeprefix("make:")
        spec = spec if ":" in spec else spec.replace(",", ":", 1)
        return InMemory(said, f"tl.make({spec!r})", make(spec))
    try:
        return InMemory(said, f"tl.load({name!r})", load(name))
    except UnknownNameError as error:
        near = suggestion(name, error.known)
        what = f"there is no file {name!r} and no bundled data set of that name: {near}"
        raise ParameterError(what) from None


def _bound(port: Any) -> socket.socket:
    """Return a socket of the loopback address at a port; 0 is any that is free."""
    check_number("port", port, 0, 65_535, whole=True)
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen(64)
    except OSError as error:
        found.close()
        raise TreelabError(f"cannot use port {port}: {error.strerror or error}") from None
    return found
