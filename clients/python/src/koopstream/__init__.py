"""Koopstream for Python: a client in scikit-learn's manner, and a reader of model files. Needs numpy and nothing else."""

from .client import Koopstream
from .errors import KoopstreamError, ModelFormatError, NotFittedError, ServerRefused, ServerUnreachable
from .model import Model, load_model

__all__ = [
    "Koopstream",
    "KoopstreamError",
    "Model",
    "ModelFormatError",
    "NotFittedError",
    "ServerRefused",
    "ServerUnreachable",
    "load_model",
]
__version__ = "0.1.0"
