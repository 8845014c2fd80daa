"""Koopstream for Python: an estimator, a client of a shared server, a reader of model files, and controllers
(:mod:`koopstream.control`). Needs numpy, and Java to learn."""

from . import control
from .client import Koopstream
from .errors import JavaMissing, KoopstreamError, ModelFormatError, NotFittedError, ServerRefused, ServerUnreachable
from .koopman import Koopman, pairs
from .model import Model, load_model

__all__ = [
    "JavaMissing",
    "Koopman",
    "Koopstream",
    "KoopstreamError",
    "Model",
    "ModelFormatError",
    "NotFittedError",
    "ServerRefused",
    "ServerUnreachable",
    "control",
    "load_model",
    "pairs",
]
__version__ = "0.2.0"
