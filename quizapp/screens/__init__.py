"""The screens, one module each, with its ``.tcss`` beside it.

Conventions, so that every screen looks and behaves like the others:

*A screen* derives from ``base.BilingualScreen``, yields a ``Heading`` and a ``Page`` of ``Row`` from ``compose_page``,
and does nothing but lay out and dispatch: data goes down into widgets, their messages come up. It's reached through a
place of ``places`` (plain data) and ``quiz.open(place)``; ``places.screen_for`` imports it when first opened.

*The page* is an exercise book: what hangs in the margin (``Row.note``: a number, a name, ✓ ~ ✗) names or marks what
stands beside it. No boxes, thin rules, one accent; ``soft``, ``strong``, ``right``, ``almost``, ``wrong`` are classes of
``page.tcss``.

*Both languages.* A sentence is a ``Text`` of ``quizapp.wording`` (or of the engine) and is shown by a ``Phrase``, which
follows the language by itself; ``phrase.say(text)`` changes it. A widget that draws text itself derives from
``Bilingual`` and overrides ``translate(language)``; a screen does the same for placeholders and the like. Nothing is
rebuilt when the language changes, so what was typed, opened and focused stays. Never pass text to Textual as markup:
``Phrase``, ``Content`` and ``quiz.tell`` don't.

*Keys* are declared with ``bilingual.bind(key, action, label, tip)``: full-width twins and capitals come with it, footer,
help screen and palette show it in the language of the moment. ``check_action`` hides what can't be done now. Single
letters are commands only while no field has the focus: after a verdict call ``leave_field``, which gives the focus to the
page.

*The solver* is ``await quiz.solver.grade(...)``, ``.work(...)`` or ``.call(function, ...)`` inside a ``@work`` method; it
raises ``SolverError`` whose ``message`` is shown where the verdict would stand. What was typed stays in its field. What
happened is kept with ``await quiz.keep(...)`` before its verdict is shown; both run in a worker of the application where
they must outlive the screen.

*Shared views.* ``widgets.answer.AnswerField`` takes an answer of any format (line, cells, text area, choice),
``widgets.part.Part`` names it in the margin and later shows its verdict, ``widgets.verdict.VerdictView`` sets the
person's answer beside the right one, ``widgets.steps.step_row`` draws a worked step, ``widgets.matrices.Matrices`` draws
named values side by side.

*What would be lost* is said by ``at_stake``; Ctrl+C, ``q`` and Esc ask it, and ``quiz.sure(action, stake)`` asks for the
same key twice before anything else throws typed text away. A screen that turns to a new page sets ``turned_at``, so that
keys typed ahead go into its field and never act as commands.
"""
