"""Builds the wheel, with the standard library alone (PEP 517): the package, and an installed Sluice.

    pip wheel --no-deps python/                  from the build folder next to python/, or $SLUICE_BUILD
    python3 python/wheel_backend.py BUILD OUT    the same without pip
"""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = next(
    line.split('"')[1] for line in (HERE / "pyproject.toml").read_text().splitlines() if line.startswith("version")
)
INFO = f"sluice-{VERSION}.dist-info"
TAG = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
# Zip files know no earlier time, and the wheel's bytes should depend on its content alone.
EPOCH = (1980, 1, 1, 0, 0, 0)


def _metadata() -> str:
    return (
        f"Metadata-Version: 2.1\nName: sluice\nVersion: {VERSION}\n"
        "Summary: GPU cache management and warp scheduling, simulated: the Python interface of Sluice\n"
        "License: Apache-2.0\nRequires-Python: >=3.9\n"
        'Provides-Extra: frames\nRequires-Dist: pandas; extra == "frames"\n'
        'Provides-Extra: plots\nRequires-Dist: matplotlib; extra == "plots"\n'
    )


def _wheel_facts() -> str:
    return f"Wheel-Version: 1.0\nGenerator: sluice\nRoot-Is-Purelib: false\nTag: {TAG}\n"


class _Wheel:
    def __init__(self, path: Path) -> None:
        self.file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.external_attr = (stat.S_IFREG | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.file.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def add_file(self, name: str, path: Path) -> None:
        self.add(name, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)

    def close(self) -> None:
        name = f"{INFO}/RECORD"
        text = "\n".join([*self.record, f"{name},,"]) + "\n"
        self.file.writestr(zipfile.ZipInfo(name, EPOCH), text)
        self.file.close()


def _prefix_files(prefix: Path) -> list[Path]:
    """What of an installation the package needs: not itself, and of links to one library the name that is loaded."""
    files = []
    for path in sorted(prefix.rglob("*")):
        parts = path.relative_to(prefix).parts
        if not path.is_file() or "dist-packages" in parts or parts[:2] in (("share", "man"), ("share", "doc")):
            continue
        if path.name.startswith("libsluice.so") and path.name != "libsluice.so.1":
            continue
        files.append(path)
    return files


def _install(build: Path, prefix: Path) -> None:
    """What is there after ./quickstart is no whole build: then the rest is built first."""
    command = ["cmake", "--install", str(build), "--strip", "--prefix", str(prefix)]
    if subprocess.run(command, capture_output=True).returncode:
        subprocess.run(["cmake", "--build", str(build)], check=True, stdout=sys.stderr)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _make(build: Path, folder: Path) -> str:
    if not (build / "cmake_install.cmake").is_file():
        raise SystemExit(f"{build}: not a build folder of Sluice; set SLUICE_BUILD to one")
    name = f"sluice-{VERSION}-{TAG}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        prefix = Path(scratch) / "prefix"
        _install(build, prefix)
        wheel = _Wheel(folder / name)
        for path in sorted((HERE / "sluice").glob("*.py")) + [HERE / "sluice" / "py.typed"]:
            wheel.add_file(f"sluice/{path.name}", path)
        for path in _prefix_files(prefix):
            wheel.add_file(f"sluice/_prefix/{path.relative_to(prefix)}", path)
    wheel.add(f"{INFO}/METADATA", _metadata().encode())
    wheel.add(f"{INFO}/WHEEL", _wheel_facts().encode())
    wheel.close()
    return name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Called by pip and other front ends."""
    return _make(Path(os.environ.get("SLUICE_BUILD", HERE.parent / "build")), Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise SystemExit("there is no source package: the wheel is made of Sluice's own build")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    print(Path(sys.argv[2]) / _make(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
