"""Leases on files, so that processes or machines that share a folder do not repeat each other's work.

A lease is a file that only one process can create. Its owner touches it every few seconds; a lease that is no longer
touched, or whose process has ended, is taken over. The file system only has to support exclusive creation and atomic
replacement of files, as NFS does.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from litotes.core.files import cannot_write, to_json

HEARTBEAT = 5.0
"""Seconds between two touches of a lease."""
STALE_AFTER = 120.0
"""Seconds without a touch after which a lease is free; network file systems may show old times for a minute."""
_MAX_ATTEMPTS = 20
_CLOCK = ".clock"
_HELPER_FILE = re.compile(r"\.clock|\.([0-9a-f]{16}|unknown)\.(progress|removal|lease)")


@dataclass(frozen=True)
class LeaseOwner:
    """The process that holds a lease."""

    host: str
    pid: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    started: str
    """When the lease was acquired."""
    token: Annotated[str, Meta(pattern="^[0-9a-f]*$")]
    """Part of the names of other files."""
    machine: str
    """Equal for processes that can see each other's process ids: same machine, same boot, same container."""
    process: str
    """When the process started, by the clock of the kernel; process ids are reused."""
    crashes: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The number of consecutive earlier owners on this machine that ended without saving any progress."""


class FileLease:
    """An acquired lease; it is touched until it is released."""

    def __init__(self, path: Path, owner: LeaseOwner, heartbeat: float, stale_after: float) -> None:
        self.path = path
        self.owner = owner
        self._stale_after = stale_after
        self._has_progress = False
        self._released = threading.Event()
        self._thread = threading.Thread(target=self._touch, args=(heartbeat,), daemon=True, name="litotes-lease")
        self._thread.start()

    def __enter__(self) -> FileLease:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def record_progress(self) -> None:
        """Record that some work is saved, so that the end of this process does not count as a crash."""
        if not self._has_progress:
            self._has_progress = True
            with contextlib.suppress(OSError):
                _progress_file(self.path, self.owner).touch()

    def release(self) -> None:
        """Remove the lease and, if it is then empty, its folder."""
        self._released.set()
        self._thread.join()
        with contextlib.suppress(OSError):
            _progress_file(self.path, self.owner).unlink(missing_ok=True)
        with contextlib.suppress(OSError), _RemovalLock(self.path, self.owner.token, self._stale_after) as is_ours:
            if is_ours:
                _delete_abandoned(self.path, self.owner)
                self.path.unlink()
        with contextlib.suppress(OSError):  # the folder is not empty
            self.path.parent.rmdir()

    def _touch(self, heartbeat: float) -> None:
        while not self._released.wait(heartbeat):
            with contextlib.suppress(OSError):  # a network file system may be unavailable for a while
                owner = _read_owner(self.path)
                if owner is None or owner.token != self.owner.token:
                    return  # the lease became stale and was taken over
                os.utime(self.path)


def acquire(path: Path, *, heartbeat: float = HEARTBEAT, stale_after: float = STALE_AFTER) -> FileLease | LeaseOwner:
    """Return the lease on a path, or its owner if it is held; take it over if the owner has ended."""
    this = _this_process()
    owner = this
    for _ in range(_MAX_ATTEMPTS):
        if _create(path, this):
            return FileLease(path, this, heartbeat, stale_after)
        current = _read_owner(path)
        if current is None:  # released just now
            continue
        owner = current
        if not _is_stale(path, owner, stale_after):
            return owner
        successor = replace(this, crashes=_count_crashes(path, owner))
        if _take_over(path, owner, successor, stale_after):
            with contextlib.suppress(OSError):
                _progress_file(path, owner).unlink(missing_ok=True)
            return FileLease(path, successor, heartbeat, stale_after)
    return owner


def _delete_abandoned(path: Path, owner: LeaseOwner) -> None:
    """Delete the files that processes left beside the lease when they were killed."""
    for file in path.parent.glob(".*"):
        if _HELPER_FILE.fullmatch(file.name) and not file.name.startswith(f".{owner.token}."):
            file.unlink(missing_ok=True)


def _progress_file(path: Path, owner: LeaseOwner) -> Path:
    """Return the file that marks progress of an owner; its name is unique to the owner."""
    return path.with_name(f".{owner.token or 'unknown'}.progress")


def _count_crashes(path: Path, ended: LeaseOwner) -> int:
    """Count consecutive owners that ended without progress; one on another machine may only be suspended."""
    if not _ended_on_this_machine(ended):
        return ended.crashes
    return 1 if _progress_file(path, ended).exists() else ended.crashes + 1


def _create(path: Path, owner: LeaseOwner) -> bool:
    """Create the lease file; return False if it exists."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        file = path.open("xb")
    except FileExistsError:
        return False
    except FileNotFoundError:  # the previous owner has just removed the empty folder
        return False
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        with file:
            file.write(to_json(asdict(owner)).encode())
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()
        raise cannot_write(path, error) from error
    return True


def _read_owner(path: Path) -> LeaseOwner | None:
    """Return the owner of a lease, or None if it does not exist; a half-written file has an unknown owner."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return msgspec.convert(json.loads(content), LeaseOwner)
    except (ValueError, RecursionError):  # msgspec.ValidationError is a ValueError
        return LeaseOwner(host="an unknown machine", pid=0, started="", token="", machine="", process="")


def _take_over(path: Path, ended: LeaseOwner, successor: LeaseOwner, stale_after: float) -> bool:
    """Replace the lease of an owner that has ended; return False if another process was faster."""
    temporary = path.with_name(f".{ended.token or 'unknown'}.lease")  # only the holder of the lock writes it
    try:
        with _RemovalLock(path, ended.token, stale_after) as is_unchanged:
            if not is_unchanged:
                return False
            temporary.write_bytes(to_json(asdict(successor)).encode())
            temporary.replace(path)
            return True
    except FileNotFoundError:  # the folder was removed together with the lease
        return False
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


class _RemovalLock:
    """The exclusive right to remove one particular lease; entering returns whether that lease is still there.

    Without it, two processes that find the same stale lease could each remove one: the stale one, and then the new
    one of the faster process.
    """

    def __init__(self, path: Path, token: str, stale_after: float) -> None:
        self._path = path
        self._token = token
        self._stale_after = stale_after
        self._lock = path.with_name(f".{token or 'unknown'}.removal")
        self._is_held = False

    def __enter__(self) -> bool:
        try:
            self._lock.open("xb").close()
        except FileExistsError:
            if _age(self._lock) > self._stale_after:  # the process that held it was killed
                with contextlib.suppress(OSError):
                    self._lock.unlink()
            return False
        self._is_held = True
        owner = _read_owner(self._path)
        return owner is not None and owner.token == self._token

    def __exit__(self, *_: object) -> None:
        if self._is_held:
            with contextlib.suppress(OSError):
                self._lock.unlink()


def _is_stale(path: Path, owner: LeaseOwner, stale_after: float) -> bool:
    return _ended_on_this_machine(owner) or _age(path) > stale_after


def _ended_on_this_machine(owner: LeaseOwner) -> bool:
    return bool(owner.machine) and owner.machine == _machine() and _has_ended(owner)


def _age(path: Path) -> float:
    """Return the seconds since a file was touched, by the clock of the file system, which all machines share."""
    clock = path.with_name(_CLOCK)
    try:
        touched = path.stat().st_mtime
        with clock.open("ab", buffering=0) as file:
            file.write(b".")
            now = os.fstat(file.fileno()).st_mtime
        clock.unlink(missing_ok=True)
        return now - touched
    except FileNotFoundError:
        return 0.0
    except OSError as error:
        raise cannot_write(clock, error) from error


def _has_ended(owner: LeaseOwner) -> bool:
    """Return whether a process of this machine has ended; False if that is unknown."""
    if os.name != "posix":
        return False
    try:
        os.kill(owner.pid, 0)  # sends no signal, only checks
    except ProcessLookupError:
        return True
    except OSError:  # the process of another user
        return False
    return bool(owner.process) and _process_start(owner.pid) != owner.process


def _process_start(pid: int) -> str:
    """Return when a process started, by the clock of the kernel; "" if that is unknown or the process is a zombie."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in "ZX" else fields[18]


def _machine() -> str:
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip())
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(parts)


def _this_process() -> LeaseOwner:
    return LeaseOwner(
        host=platform.node() or "this machine",
        pid=os.getpid(),
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        token=secrets.token_hex(8),
        machine=_machine(),
        process=_process_start(os.getpid()),
    )
