"""Koopstream for Python: an estimator, a client of a shared server, and a reader of model files. Needs numpy, and Java to learn."""

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
    "load_model",
    "pairs",
]
__version__ = "0.2.0"
