"""Content files: TOML checked against a schema, every fault told at once, with file, field and line."""

from question_bank.content.faults import ContentError, Fault, Found
from question_bank.content.reading import read, read_data

__all__ = ["ContentError", "Fault", "Found", "read", "read_data"]
