"""What the rows of a page say that a person can go to and act on."""

from __future__ import annotations

from question_bank.text import Text

WALK = Text("Move", "移动")
WALK_TIP = Text(
    "Go to the next line you can act on; scroll if none is in sight.", "移到下一个可操作的行；看不到这样的行时滚动页面。"
)
READ_ON = Text("Read on", "往下看")
READ_ON_TIP = Text("Scroll by a page.", "向下翻一页。")
TICK = Text("Tick", "勾选")
TICK_TIP = Text("Tick the selected line, or untick it.", "勾选当前行，再按一次取消。")
UNFOLD = Text("Unfold", "展开")
UNFOLD_TIP = Text("Unfold the selected line, or fold it.", "展开当前行，再按一次收起。")
OPEN = Text("Open", "打开")
OPEN_TIP = Text("Open the selected line; Esc comes back here.", "打开当前行，按 Esc 回到这里。")
LEAVE_FIELD = Text("Done typing", "写完了")
LEAVE_FIELD_TIP = Text(
    "Leave the field; single letters are then commands, and Tab goes back to it.",
    "离开输入框，之后单个字母就是命令；按 Tab 可回来接着写。",
)
CHOOSE = Text("Choose", "选定")
CHOOSE_TIP = Text("Choose the selected line.", "选定当前行。")
