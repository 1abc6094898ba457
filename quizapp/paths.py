"""Where the application keeps its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "QUIZAPP_HOME"
"""An environment variable that names one folder for everything: for a stick that one carries along, and for tests."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders; neither need exist yet.

    Attributes:
        data: For what the application writes.
        config: For what a person edits.
    """

    data: Path
    config: Path

    @property
    def progress(self) -> Path:
        """The log of answers."""
        return self.data / "progress.db"

    @property
    def sitting(self) -> Path:
        """Today's session, while it is under way."""
        return self.data / "sitting.json"

    @property
    def interview(self) -> Path:
        """The mock interview, while it is under way."""
        return self.data / "interview.json"

    @property
    def reports(self) -> Path:
        """The folder for reports of mock interviews that were written as files."""
        return self.data / "interviews"

    @property
    def sheets(self) -> Path:
        """The folder for sheets made in the application, and for their marks."""
        return self.data / "sheets"

    @property
    def typed(self) -> Path:
        """What is typed in this process and not handed in; it goes when the person leaves, or at the next start."""
        return self.data / f"typed-{os.getpid()}.json"

    @property
    def settings(self) -> Path:
        """The settings."""
        return self.config / "settings.toml"


def find_paths(environment: Mapping[str, str] = os.environ) -> Paths:
    """Return the folders that the platform has for such files, or those in ``QUIZAPP_HOME`` where that is set."""
    home = environment.get(HOME_VARIABLE, "").strip()
    if home:
        folder = Path(home).expanduser().absolute()
        return Paths(folder, folder)
    from platformdirs import PlatformDirs

    platform = PlatformDirs("quizapp", appauthor=False)
    return Paths(platform.user_data_path, platform.user_config_path)
