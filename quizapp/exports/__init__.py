"""Exports for other programs: Anki decks, Moodle XML, CSV, JSON, Markdown.

``content`` says what is exported, as frozen data; each format has a module of its own that turns that into bytes:

    anki       notes with stable ids, through genanki
    moodle     Moodle XML: numerical, cloze, short answer, multiple choice, essay
    flat       CSV, a row for everything
    record     JSON
    markdown   a document

``selection`` reads what a person wants exported, ``markup`` and ``formulas`` write HTML and LaTeX.
"""
