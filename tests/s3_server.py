"""A local S3 server (moto's) with the files of a test."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_START_SECONDS = 60
BUCKET = "corpora"
ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}


class S3Server:
    """A running server."""

    def __init__(self, port: int) -> None:
        self.endpoint = f"http://127.0.0.1:{port}"
        self.query = f"?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
        self.environment = {**ENVIRONMENT, "AWS_ENDPOINT_URL": self.endpoint, "AWS_REGION": "us-east-1"}

    def url(self, key: str, bucket: str = BUCKET) -> str:
        """Return the URL of a key, with the address of the server."""
        return f"s3://{bucket}/{key}{self.query}"

    def put(self, key: str, content: bytes) -> str:
        """Store a file and return its URL."""
        file_system, path = self._file_system(key)
        with file_system.open_output_stream(path, compression=None) as stream:
            stream.write(content)
        return self.url(key)

    def put_folder(self, key: str, folder: Path) -> str:
        """Store the files of a folder and return its URL."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.put(f"{key}/{path.relative_to(folder).as_posix()}", path.read_bytes())
        return self.url(key)

    def create_bucket(self) -> None:
        """Create the bucket."""
        self._file_system("")[0].create_dir(BUCKET)

    def _file_system(self, key: str) -> Any:
        from pyarrow.fs import FileSystem

        return FileSystem.from_uri(f"s3://{BUCKET}/{key}{self.query}&allow_bucket_creation=true")


@contextmanager
def s3_server(folder: Path) -> Iterator[S3Server]:
    """Start a server, and end it."""
    pytest.importorskip("moto", reason="moto is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    with (folder / "s3.log").open("wb") as log:
        command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(port, process)
            server = S3Server(port)
            server.create_bucket()
            yield server
        finally:
            process.kill()
            process.wait()
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the S3 server did not start")
