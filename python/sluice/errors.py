"""What can go wrong, as exceptions with the tool's own message."""

from __future__ import annotations


class Error(Exception):
    """Anything that Sluice refuses or fails at; the message says what, where and what to do."""


class UsageError(Error, ValueError):
    """Bad input: a name, file, value, program or policy that cannot be used."""


class Cancelled(Error):
    """A progress function asked for the end."""


class CrashError(Error):
    """A process that Sluice had started was killed: a policy's shared object that crashed, for example."""


class InternalError(Error):
    """A mistake in Sluice itself, or no memory left."""


class SluiceWarning(UserWarning):
    """Something is worth knowing though the work went on."""


# enum sluice_code of sluice.h
BY_CODE: dict[int, type[Error]] = {
    1: UsageError,
    2: Cancelled,
    3: InternalError,
    4: InternalError,
    5: CrashError,
}
