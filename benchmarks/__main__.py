"""Print the figures: ``python -m benchmarks [SECTION...] [--runs N] [--sample N|all] [--json]``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import traceback
from collections.abc import Callable
from io import TextIOWrapper

from benchmarks import (
    discriminating,
    grading,
    keys,
    loading,
    marking,
    progress,
    progress_screen,
    reading,
    sheets,
    shell,
    start,
    throughput,
)
from benchmarks.figures import Report, as_json, lines
from benchmarks.options import Options

SECTIONS: dict[str, Callable[[Options], Report]] = {
    "start": start.measure,
    "keys": keys.measure,
    "shell": shell.measure,
    "loading": loading.measure,
    "sheets": sheets.measure,
    "progress": progress.measure,
    "progress-screen": progress_screen.measure,
    "grading": grading.measure,
    "throughput": throughput.measure,
    "reading": reading.measure,
    "marking": marking.measure,
    "discriminating": discriminating.measure,
}
"""By name, those first that run processes: they want the machine as it is found."""


def _sample(text: str) -> int | None:
    return None if text == "all" else int(text)


def _arguments() -> argparse.Namespace:
    usual = Options()
    parser = argparse.ArgumentParser("python -m benchmarks", description="Print the figures that speed is held to.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of {', '.join(SECTIONS)}; all if left out")
    parser.add_argument("--runs", type=int, default=usual.runs, help="how often each process is run (%(default)s)")
    parser.add_argument(
        "--sample",
        type=_sample,
        default=usual.sample,
        help="problems of each drill and level examined again for whether they discriminate, or all (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, one report a line")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sections if name not in SECTIONS]
    if unknown or arguments.runs < 1:
        parser.error(f"no section {unknown[0]}; there are {', '.join(SECTIONS)}" if unknown else "--runs must be 1 or more")
    return arguments


def main() -> None:
    """Measure what is asked for and print it. A figure that misses its aim fails nothing; what can't be measured does."""
    arguments = _arguments()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    options = Options(arguments.runs, arguments.sample)
    if not arguments.json:
        print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors")
    failed = False
    for name in arguments.sections or SECTIONS:
        try:
            report = SECTIONS[name](options)
        except Exception:  # what one section finds broken must not hide the others' figures
            traceback.print_exc()
            failed = True
            continue
        if arguments.json:
            print(json.dumps({"section": name, **as_json(report)}, ensure_ascii=False), flush=True)
        else:
            print(f"\n{name}: " + "\n".join(lines(report)), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
