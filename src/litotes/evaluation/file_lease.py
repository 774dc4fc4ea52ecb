"""Who works on what: several processes or machines that share a folder do nothing twice.

A claim is a file that only one process can make. Its owner touches it every few seconds, so that the others can tell
an owner that is at work from one that is gone. Needed of the file system is no more than that a file is made by one
process alone and takes another's place in one step, as on NFS.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from litotes.core.files import cannot_write, to_json

BEAT = 5.0
"""Seconds between two touches of a claim."""
STALE_AFTER = 120.0
"""A claim that was not touched for so long is nobody's; file systems of networks may show an old time for a minute."""
_ATTEMPTS = 20


@dataclass(frozen=True)
class Holder:
    """Whose a claim is."""

    host: str
    pid: int
    started: str
    """When it was claimed."""
    token: str
    machine: str
    """Tells processes that can see each other's numbers: the same machine since it was started, the same container."""
    process: str
    """When the process was started, by the machine's own count; numbers of processes are used again."""
    ends: int = 0
    """How many owners in a row before this one were ended on this machine, none a step further than the last."""


class Claim:
    """A claim that is ours; touched until it is released, at the latest when the block is left."""

    def __init__(self, path: Path, holder: Holder, beat: float, stale_after: float) -> None:
        self.path = path
        self.holder = holder
        self._stale_after = stale_after
        self._stepped = False
        self._over = threading.Event()
        self._heart = threading.Thread(target=self._touch, args=(beat,), daemon=True, name="litotes-claim")
        self._heart.start()

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def step(self) -> None:
        """Some of the work is done for good: if we end before the rest is, we were at least further than the last."""
        if not self._stepped:
            self._stepped = True
            with contextlib.suppress(OSError):
                _step(self.path, self.holder).touch()

    def release(self) -> None:
        """Let others have it; nothing of the claim is left."""
        self._over.set()
        self._heart.join()
        with contextlib.suppress(OSError):
            _step(self.path, self.holder).unlink(missing_ok=True)
        with contextlib.suppress(OSError), _Removal(self.path, self.holder.token, self._stale_after) as may:
            if may:
                self.path.unlink()
        with contextlib.suppress(OSError):  # something was kept in it
            self.path.parent.rmdir()

    def _touch(self, beat: float) -> None:
        while not self._over.wait(beat):
            with contextlib.suppress(OSError):  # a network that is away may come back
                holder = _read(self.path)
                if holder is None or holder.token != self.holder.token:
                    return  # we were thought to be gone, and it is another's now
                os.utime(self.path)


def take(path: Path, *, beat: float = BEAT, stale_after: float = STALE_AFTER) -> Claim | Holder:
    """The claim of that path, or who has it; one whose owner is gone is taken over."""
    mine = _myself()
    holder = mine
    for _ in range(_ATTEMPTS):
        if _create(path, mine):
            return Claim(path, mine, beat, stale_after)
        found = _read(path)
        if found is None:  # released in this moment
            continue
        holder = found
        if not _is_gone(path, holder, stale_after):
            return holder
        heir = replace(mine, ends=_ends(path, holder))
        if _take_over(path, holder, heir, stale_after):
            with contextlib.suppress(OSError):
                _step(path, holder).unlink(missing_ok=True)
            return Claim(path, heir, beat, stale_after)
    return holder


def _step(path: Path, holder: Holder) -> Path:
    """The file that says that an owner got on; it has a name of its own, so that no other can be in its way."""
    return path.with_name(f".{holder.token or 'nobody'}.step")


def _ends(path: Path, gone: Holder) -> int:
    """How many owners ended without a step between them; one that only fell silent may be a machine that sleeps."""
    if not _ended_here(gone):
        return gone.ends
    return 1 if _step(path, gone).exists() else gone.ends + 1


def _create(path: Path, mine: Holder) -> bool:
    """Make the file if there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        file = path.open("xb")
    except FileExistsError:
        return False
    except FileNotFoundError:  # the last owner removed the empty folder in this moment
        return False
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        with file:
            file.write(to_json(asdict(mine)).encode())
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()
        raise cannot_write(path, error) from error
    return True


def _read(path: Path) -> Holder | None:
    """Whose it is; None if it is not there. One that is just being written is a stranger's."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return Holder(**json.loads(content))
    except (ValueError, TypeError):
        return Holder(host="an unknown machine", pid=0, started="", token="", machine="", process="")


def _take_over(path: Path, gone: Holder, mine: Holder, stale_after: float) -> bool:
    """Put our claim in the place of one whose owner is gone; false if another was faster."""
    mine_ready = path.with_name(f".{mine.token}.claim")
    try:
        with _Removal(path, gone.token, stale_after) as may:
            if not may:
                return False
            mine_ready.write_bytes(to_json(asdict(mine)).encode())
            mine_ready.replace(path)
            return True
    except FileNotFoundError:  # the folder went with the claim
        return False
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            mine_ready.unlink()


class _Removal:
    """The right to remove one certain claim, which only one process has at a time.

    Without it two that find the same claim stale could each remove one: the stale one, and the new one of the faster.
    """

    def __init__(self, path: Path, token: str, stale_after: float) -> None:
        self._path = path
        self._token = token
        self._stale_after = stale_after
        self._right = path.with_name(f".{token or 'nobody'}.removal")
        self._have = False

    def __enter__(self) -> bool:
        try:
            self._right.open("xb").close()
        except FileExistsError:
            if _age(self._right) > self._stale_after:  # whoever had it was killed in between
                with contextlib.suppress(OSError):
                    self._right.unlink()
            return False
        self._have = True
        found = _read(self._path)
        return found is not None and found.token == self._token

    def __exit__(self, *_: object) -> None:
        if self._have:
            with contextlib.suppress(OSError):
                self._right.unlink()


def _is_gone(path: Path, holder: Holder, stale_after: float) -> bool:
    return _ended_here(holder) or _age(path) > stale_after


def _ended_here(holder: Holder) -> bool:
    return bool(holder.machine) and holder.machine == _machine() and _has_ended(holder)


def _age(path: Path) -> float:
    """Seconds since the file was touched, by the clock of the file system: machines need not agree on the time."""
    probe = path.with_name(f".{secrets.token_hex(8)}.now")
    try:
        touched = path.stat().st_mtime
        probe.open("xb").close()
        try:
            return probe.stat().st_mtime - touched
        finally:
            probe.unlink()
    except FileNotFoundError:
        return 0.0
    except OSError as error:
        raise cannot_write(probe, error) from error


def _has_ended(holder: Holder) -> bool:
    """Whether a process of this machine is no more; where that cannot be seen, it is thought to be there."""
    if os.name != "posix":
        return False
    try:
        os.kill(holder.pid, 0)  # asks only
    except ProcessLookupError:
        return True
    except OSError:  # another user's
        return False
    return bool(holder.process) and _process_start(holder.pid) != holder.process


def _process_start(pid: int) -> str:
    """When a process was started, in the machine's own count; "" where that cannot be seen, or for a dead one."""
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


def _myself() -> Holder:
    return Holder(
        host=platform.node() or "this machine",
        pid=os.getpid(),
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        token=secrets.token_hex(8),
        machine=_machine(),
        process=_process_start(os.getpid()),
    )
