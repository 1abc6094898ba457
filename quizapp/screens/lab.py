"""The lab screen: a program whose inputs, steps and mistakes a person changes, and everything that follows, at once."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Region
from textual.widgets import Input

from question_bank import labs, problem
from question_bank.drills import DRILLS
from question_bank.exact import show
from question_bank.labs.lab import Lab, Look, looked_at
from question_bank.labs.of_problem import scene_of, start_of
from question_bank.text import Text, same
from quizapp import wording_lab as wording
from quizapp import wording_lesson as lesson
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import LabPlace, LessonPlace, screen_for
from quizapp.solver_process import SolverError
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.board import At, Board
from quizapp.widgets.drawings import LabDrawing, drawing_for
from quizapp.widgets.lab_page import LabPage, ValueEntry, nearest
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.steps import line_text, step_row
from quizapp.workbench import RefusedError, Workbench
from solvers.answers import read_value
from solvers.frames import Frame, frame_of, sentence_of
from solvers.reading.model import Unreadable

BELOW = 10_000
"""Lines by which the computed cells lie below the given ones, for finding the next cell."""


class LabScreen(BilingualScreen):
    """One lab, scene after scene; or the general lab over a problem."""

    CSS_PATH: ClassVar = ["lab.tcss", "../widgets/steps.tcss"]
    AUTO_FOCUS = "LabPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("plus,equals_sign,right_square_bracket,＋,＝,】", "turn(1)", wording.MORE, wording.MORE_TIP, display="+ −"),
        bind("minus,left_square_bracket,underscore,－,【", "turn(-1)", wording.MORE, wording.LESS_TIP, show=False, display="−"),
        bind("enter", "type", wording.TYPE, wording.TYPE_TIP, show=False),
        bind("t", "try", wording.TRY, wording.TRY_TIP),
        bind("o", "switch", wording.SWITCH, wording.SWITCH_TIP),
        bind("m", "mistake", wording.MISTAKE, wording.MISTAKE_TIP),
        bind("n", "walk(1)", wording.WALK_ON, wording.WALK_ON_TIP, display="n p"),
        bind("p", "walk(-1)", wording.WALK_BACK, wording.WALK_BACK_TIP, show=False),
        bind("s", "steps", wording.STEPS, wording.STEPS_TIP),
        bind("r", "reset", wording.RESET, wording.RESET_TIP, show=False),
        bind("tab", "scene", wording.SCENE, wording.SCENE_TIP),
        bind("g", "view", wording.VIEW, wording.VIEW_TIP, show=False),
        bind("e", "lesson", lesson.LESSON, lesson.LESSON_TIP, show=False),
    ]

    def __init__(self, place: LabPlace) -> None:
        """Take a lab up.

        Raises:
            CodeError: The place names no problem.
            ContentError: The lab's file, or that of its lesson, is at fault.
        """
        super().__init__()
        self._place = place
        self._problem = problem(place.code) if place.code else None
        self._lab: Lab | None = None if self._problem else labs.load(place.lab)
        self._scene = 0
        self._cursor: At | None = None
        self._wanted = False
        self._busy = False
        self._drawing: LabDrawing | None = None
        self._steps_of = ""
        self._bench = self._set_out()

    def _set_out(self) -> Workbench:
        if self._problem is not None:
            return Workbench(scene_of(self._problem), start_of(self._problem), any_step=True)
        assert self._lab is not None
        return Workbench(self._lab.scenes[self._scene], self._lab.start(self._scene))

    def compose_page(self) -> ComposeResult:
        """Lay out what to look for, the boards, and the line of the cell beneath."""
        yield Heading()
        yield LabPage(
            Row(None, Phrase(), id="look"),
            Row(same("✗"), Phrase(), id="mistake"),
            Row(None, id="drawing"),
            Row(wording.GIVEN, Board(id="given"), id="given-row"),
            Row(wording.THEN, Board(id="then"), id="then-row"),
            Row(same("!"), Phrase(classes="almost"), id="troubles"),
            typed=self._type,
        )
        yield Phrase(id="cell")
        yield ValueEntry(id="entry")

    def on_mount(self) -> None:
        """Show the first scene."""
        if self._problem is None:
            self.quiz.left_off_at(self._place)
        for row in ("#mistake", "#troubles", "#drawing"):
            self.query_one(row).display = False
        self.call_later(self._begin)

    # A scene

    async def _begin(self) -> None:
        """Show a scene from its start."""
        bench = self._bench
        section, title = labs.LABS[self._place.lab] if self._problem is None else ("", Text("", ""))
        if self._problem is not None:
            section, title = DRILLS[self._problem.drill].section, DRILLS[self._problem.drill].title
        more = bench.scene.title
        self.query_one(Heading).say(title, same(self._problem.code if self._problem else section), more)
        row = self.query_one("#drawing", Row)
        await row.body.remove_children()
        self._drawing = drawing_for(bench.scene)
        row.display = self._drawing is not None
        if self._drawing is not None:
            await row.body.mount(self._drawing)
        first = next((name for name in bench.inputs if name not in bench.scene.fixed), None)
        self._cursor = next(iter(self._cells_of(first)), None) if first is not None else None
        self._draw()
        self._say(wording.COMPUTING)
        self.call_later(self._tell_look, bench.scene.looks[0])
        self._ask()
        self.refresh_bindings()

    def _cells_of(self, name: str) -> list[At]:
        board = self.query_one("#given", Board)
        board.show(self._bench.given(), None)
        return [at for at in board.cells if at.name == name]

    async def _tell_look(self, look: Look) -> None:
        """Say what to look for, its numbers computed."""
        bench = self._bench
        says = look.says
        if "«" in says.en:
            try:
                says = await self.quiz.solver.call(sentence_of, bench.start, looked_at(bench.start, look), says)
            except SolverError as error:
                says = error.message
        if self._here and bench is self._bench and look is bench.scene.looks[bench.look]:
            count = len(bench.scene.looks)
            row = self.query_one("#look", Row)
            row.note.say(same(f"{bench.look + 1}/{count}") if count > 1 else None)
            row.query_one(".row-body Phrase", Phrase).say(says)

    @property
    def _here(self) -> bool:
        return self in self.app.screen_stack

    # Computing: of several changes in a row only the last is computed

    def _ask(self) -> None:
        self._wanted = True
        if not self._busy:
            self._busy = True
            self.run_worker(self._compute(), exit_on_error=True)

    async def _compute(self) -> None:
        try:
            while self._wanted and self._here:
                self._wanted = False
                bench = self._bench
                decimals = self.quiz.settings.decimals or bench.state.decimals
                state = replace(bench.state, decimals=decimals)
                frame: Frame = await self.quiz.solver.call(frame_of, state, bench.wanted)
                if self._here and bench is self._bench:
                    bench.take(frame)
                    if self._cursor is None and bench.path:
                        self._cursor = bench.path[0][0]
                    self._draw()
                    self._tell_cell()
                    self.refresh_bindings()
                    if self._drawing is not None:
                        self._drawing.show(frame)
        except SolverError as error:
            if self._here:
                self._say(error.message, "almost")
        finally:
            self._busy = False

    # Drawing

    def _draw(self) -> None:
        bench = self._bench
        self.query_one("#given", Board).show(bench.given(), self._cursor)
        self.query_one("#then", Board).show(bench.worked(), self._cursor)
        self.query_one("#given-row").display = bool(bench.inputs)
        if self._drawing is not None:
            self._drawing.hide(bench.unreached)
        offered = bench.frame.mistake if bench.frame is not None else None
        said = [wording.AS_IF.fill(sentence=offered.sentence)] if offered is not None and bench.state.mistake else []
        said += [wording.STEP_OFF.fill(what=what) for what in bench.switched_off()]
        self._show_row("#mistake", said)
        self._show_row("#troubles", list(bench.troubles()))

    def _show_row(self, name: str, said: list[Text]) -> None:
        row = self.query_one(name, Row)
        row.display = bool(said)
        text = said[0] if said else Text("", "")
        for more in said[1:]:
            text += more
        row.query_one(".row-body Phrase", Phrase).say(text)

    def _say(self, text: Text | None, style: str = "") -> None:
        cell = self.query_one("#cell", Phrase)
        cell.set_classes(style)
        cell.say(text)

    def _tell_cell(self) -> None:
        """Say beneath the page what the cell in hand is, and how it comes about."""
        at, bench = self._cursor, self._bench
        if at is None or bench.frame is None:
            self._say(None)
            return
        name = self._called(at)
        if bench.is_input(at.name):
            try:
                bench.knob(at.name)
            except RefusedError as refused:
                self._say(refused.message)
                return
            value = same(f"{name} = {show(bench.state.cell(at.name, at.index))}  ")
            self._say(value if self.has_class("-short") or self.has_class("-narrow") else value + wording.CHANGE_BY)
            return
        cell, node = bench.lines(at), bench.node(at.name)
        if cell is not None:
            most = 1 if bench.walked is None else 2 if self.has_class("-short") else 6
            lines = cell.lines[-most:]
            self._say(same("\n".join(map(line_text, lines))))
        elif node is not None:
            self._say(node.title)

    # Moving

    def _regions(self) -> dict[At, Region]:
        given = self.query_one("#given", Board).cells
        then = self.query_one("#then", Board).cells
        return given | {at: region.translate((0, BELOW)) for at, region in then.items()}

    def action_move(self, way: str) -> None:
        """Go to the next cell in a direction."""
        regions = self._regions()
        if not regions:
            return
        here = regions.get(self._cursor) if self._cursor is not None else None
        if here is None:
            self._point(next(iter(regions)))
            return
        self._bench.walked = None
        found = nearest(regions, here, way)
        if found is None:
            page = self.query_one(LabPage)
            page.scroll_relative(y=-2 if way == "up" else 2 if way == "down" else 0, animate=False, force=True)
        else:
            self._point(found)

    def _point(self, at: At) -> None:
        self._cursor = at
        self._draw()
        self._tell_cell()
        self.refresh_bindings()
        self.call_after_refresh(self._show_cursor)

    def _show_cursor(self) -> None:
        """Scroll so that the cell in hand is seen, with the line above it."""
        page = self.query_one(LabPage)
        for board in self.query(Board):
            region = board.cells.get(self._cursor) if self._cursor is not None else None
            if region is not None:
                corner = board.content_region.offset - page.content_region.offset + page.scroll_offset
                page.scroll_to_region(region.translate(corner).grow((2, 0, 1, 0)), animate=False, force=True)

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Point at a cell by mouse."""
        event.stop()
        self._bench.walked = None
        self._point(event.at)

    # Changing

    def _do(self, change: object) -> None:
        """Make a change, and have what follows computed; or say why it can't be made."""
        assert callable(change)
        try:
            change()
        except RefusedError as refused:
            self._say(refused.message, "almost")
            return
        self._draw()
        self._tell_cell()
        self._ask()

    def action_turn(self, ways: int) -> None:
        """Make the number in hand larger or smaller."""
        at = self._cursor
        if at is not None:
            self._do(lambda: self._bench.turn(at, ways))

    def action_switch(self) -> None:
        """Switch a step off or on."""
        self._do(lambda: self._bench.switch(self._cursor))

    def action_mistake(self) -> None:
        """Swap in the next mistake."""
        self._do(lambda: self._bench.mistake(self._cursor))

    def action_try(self) -> None:
        """Show the next thing to look for, with its change made."""
        self._do(lambda: self.call_later(self._tell_look, self._bench.next_look()))
        self.query_one(LabPage).scroll_home(animate=False)

    async def action_reset(self) -> None:
        """Put everything back."""
        await self.query(".step").remove()
        self._do(self._bench.reset)

    def action_walk(self, step: int) -> None:
        """Go to the next computed cell, or the one before; what comes later is hidden meanwhile."""
        try:
            at = self._bench.walk(step)
        except RefusedError as refused:
            self._draw()
            self._say(refused.message)
            return
        self._point(at if at is not None else self._cursor or At("", ()))

    def action_view(self) -> None:
        """Draw the value in hand in the next way."""
        if self._cursor is not None:
            self._bench.turn_view(self._cursor.name)
            self._draw()

    async def action_steps(self) -> None:
        """Show all lines of the step in hand beneath the boards, or hide them."""
        page = self.query_one(LabPage)
        shown = page.query(".step")
        was = self._steps_of if shown else None
        await shown.remove()
        name = self._cursor.name if self._cursor is not None else ""
        step = self._bench.step(name)
        if step is None:
            if was is None:
                self._say(wording.NO_LINES, "almost")
            return
        if was == name:
            return
        nodes = [node.name for node in self._bench.nodes]
        row = step_row(step, nodes.index(name) + 1, len(nodes), self._bench.names.symbol(name))
        self._steps_of = name
        await page.append(row)
        self.call_after_refresh(row.scroll_visible, animate=False, top=True)

    # Typing

    def action_type(self) -> None:
        """Type another number in place of the one in hand."""
        at = self._cursor
        if at is not None and self._bench.is_input(at.name):
            self._type(show(self._bench.state.cell(at.name, at.index)).replace("−", "-"))
        elif at is not None:
            self._say(wording.COMPUTED.fill(name=f"${self._bench.names.symbol(at.name)}$"), "almost")

    def _type(self, text: str) -> None:
        """Open the line in which a number is typed."""
        at = self._cursor
        if at is None:
            return
        try:
            self._bench.knob(at.name)
        except RefusedError as refused:
            self._say(refused.message, "almost")
            return
        self.query_one(ValueEntry).open(same(f"{self._called(at)} = "), text)
        self._say(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Put the typed number in."""
        event.stop()
        at = self._cursor
        value = read_value(event.value)
        if isinstance(value, Unreadable):
            self._say(value.message, "almost")
        elif at is not None:
            try:
                self._bench.put(at, value)
            except RefusedError as refused:
                self._say(refused.message, "almost")
                return
            self.leave_field()
            self._do(lambda: None)

    def leave_field(self) -> None:
        """Close the line and give the focus back to the page."""
        self.query_one(ValueEntry).close()
        self.set_focus(self.query_one(LabPage), scroll_visible=False)
        self._tell_cell()

    # Going on

    async def action_scene(self) -> None:
        """Go to the next scene of the lab; after the last to the first."""
        assert self._lab is not None
        self._scene = (self._scene + 1) % len(self._lab.scenes)
        self._bench = self._set_out()
        await self.query(".step").remove()
        await self._begin()

    def action_lesson(self) -> None:
        """Read the section that the lab belongs to."""
        self.app.push_screen(screen_for(LessonPlace(self._section)))

    @property
    def _section(self) -> str:
        return DRILLS[self._problem.drill].section if self._problem is not None else labs.LABS[self._place.lab][0]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        if action == "scene":
            return self._lab is not None and len(self._lab.scenes) > 1
        if action == "try":
            return len(self._bench.scene.looks) > 1
        if action == "lesson":
            return self._section in self.quiz.bank.sections()
        if not self.is_mounted:
            return super().check_action(action, parameters)
        if action == "switch":
            return bool(self._bench.switches())
        if action == "steps":
            return self._cursor is not None and not self._bench.is_input(self._cursor.name)
        if action in ("turn", "type"):
            return self._cursor is not None and self._bench.is_input(self._cursor.name)
        return super().check_action(action, parameters)

    def _called(self, at: At) -> str:
        """Name a cell: X[1, 2]."""
        return f"${self._bench.names.symbol(at.name)}$" + (str([place + 1 for place in at.index]) if at.index else "")
