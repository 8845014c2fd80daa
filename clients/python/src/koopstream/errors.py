"""What can go wrong, by name."""


class KoopstreamError(Exception):
    """Root of everything this package raises on purpose."""


class ModelFormatError(KoopstreamError, ValueError):
    """A file that is not a model of a known version, or is damaged."""


class NotFittedError(KoopstreamError, ValueError, AttributeError):
    """A question to a model that has learned nothing yet.

    It is a ValueError and an AttributeError, as scikit-learn's own is, so that its tools understand it.
    """


class ServerUnreachable(KoopstreamError, ConnectionError):
    """No answer from the address, or the answer was cut short. What was sent may or may not have been accepted."""


class ServerRefused(KoopstreamError):
    """The server answered, and said no.

    Attributes: ``status`` (HTTP), ``code`` (short name such as ``GAP``), ``detail`` (the whole error object).
    """

    def __init__(self, status, code, message, detail=None):
        super().__init__(f"{message} [{status} {code}]")
        self.status = status
        self.code = code
        self.detail = detail or {}


class JavaMissing(KoopstreamError, RuntimeError):
    """No Java 17 or newer, or no jars, to learn with."""
