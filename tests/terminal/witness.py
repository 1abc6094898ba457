"""Sees which answers a terminal has shown a verdict on, and looks for them in the log."""

from __future__ import annotations

import re
from pathlib import Path

from question_bank.questions import titles
from question_bank.text import Language
from quizapp.events import DrillAnswered, QuestionRated
from quizapp.progress import Log
from quizapp.widgets.bilingual import written
from tests.terminal.terminal import Terminal

MARKED = re.compile(r"^ *(rated|评分) *│", re.MULTILINE)
"""The margin of a drill's rating, which goes before another problem comes; the keys at the foot follow a moment later."""
SHOWN = ("Found in your answer:", "在你的回答里找到", " is wrong; the right one is ", "不对，应选", "Rated “", "已记为“")
"""What stands on a question's page once its points or its right option are shown, or it was rated."""

_TITLES = {written(heading.title, language): heading.id for heading in titles() for language in Language}


class Witness:
    """Remembers what was shown, over all terminals of one person."""

    def __init__(self, home: Path) -> None:
        self.seen: set[str] = set()
        self._glimpsed = ""
        self._home = home

    def look(self, terminal: Terminal) -> None:
        """Remember what is shown now, if it stands there for the second time: a page comes in pieces, its foot last."""
        found = self._shown(terminal)
        if found and found == self._glimpsed:
            self.seen.add(found)
        self._glimpsed = found

    def _shown(self, terminal: Terminal) -> str:
        lines = terminal.text.splitlines()
        if terminal.code and MARKED.search(terminal.text):
            return terminal.code
        if any(shown in line for shown in SHOWN for line in lines):
            title = max((title for title in _TITLES if title in lines[0]), key=len, default="")
            return _TITLES.get(title, "")
        return ""

    def lost(self) -> set[str]:
        """Return the answers whose verdict was shown, and that aren't in the log; the tables must be up to it, too."""
        assert not list(self._home.glob("crash-*.log"))
        with Log(self._home / "progress.db") as log:
            kept = {
                event.what.code if isinstance(event.what, DrillAnswered) else f"Q{event.what.number}"
                for event in log.events()
                if isinstance(event.what, DrillAnswered | QuestionRated)
            }
            known = log.memories()
            log.rebuild()
            assert log.memories() == known
        return self.seen - kept
