"""``quizapp find``: words in questions, lessons and drills."""

from __future__ import annotations

import click

from question_bank.search import MOST, Hit, Index, documents, terms
from question_bank.text import Text
from quizapp.commands.bilingual import Command, option, whole_number
from quizapp.commands.contents import bank_of, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.pages import Page, terminal_width
from quizapp.commands.session import Session

LARGEST_LIMIT = 1000
NOTHING = Text("Nothing found for “{query}”.", "没有找到“{query}”。")
NO_WORD = Text("There is no word in “{query}” to look for.", "“{query}”里没有可以查找的词。")
MORE = Text("There is more: --limit {n} shows the next ones too.", "还有更多结果，可用 --limit {n} 继续查看。")


@takes_bank
@click.command(
    "find",
    cls=Command,
    said=Text(
        "Find words in questions, lessons and drills, in both languages at once.\n"
        "What holds all of the words is listed, the best first. Exit code: 0 found, 1 nothing found.",
        "在面试题、讲解和练习中查找，中英文同时查。\n只列出包含全部词语的条目，最相关的在前。退出码：0 找到，1 没有找到。",
    ),
    usages=("WORDS... [--limit N]",),
)
@click.argument("words", nargs=-1, required=True, metavar="WORDS")
@option(
    "--limit",
    said=Text("How many to list at most; {n} by default.", "最多列出几条，默认 {n} 条。").fill(n=MOST),
    callback=whole_number(1, LARGEST_LIMIT),
    metavar="N",
)
@click.pass_obj
def find(session: Session, words: tuple[str, ...], limit: int | None) -> Exit:
    """List what holds all of the words."""
    query = " ".join(" ".join(words).split())
    shown = query if len(query) <= 60 else query[:59] + "…"
    if not terms(query):
        raise MisuseError(NO_WORD.fill(query=shown))
    most = MOST if limit is None else limit
    hits = Index(documents(bank_of(session))).find(query, session.language, most + 1)
    hits, has_more = hits[:most], len(hits) > most
    if session.json:
        session.dump([_data(session, hit) for hit in hits])
    else:
        page = Page(session, terminal_width())
        for hit in hits:
            session.data(*_lines(page, hit))
    if not hits:
        session.tell(NOTHING.fill(query=shown))
        return Exit.NOT_RIGHT
    if has_more and not session.json:
        session.tell(MORE.fill(n=min(2 * most, LARGEST_LIMIT)))
    return Exit.DONE


def _lines(page: Page, hit: Hit) -> list[str]:
    title = page.written(hit.title)
    passage = [] if hit.passage == title else page.beneath(hit.passage)
    return [*page.hanging(f"{hit.id}  ", title), *passage]


def _data(session: Session, hit: Hit) -> dict[str, object]:
    return {"kind": hit.kind.value, "id": hit.id, "title": session.written(hit.title), "passage": hit.passage}
