"""What the self-check screen says, in the order in which a person meets it."""

from __future__ import annotations

from question_bank.text import Text

TITLE = Text("Check a result of your own", "核对自己的结果")

# Choosing the operation
OPERATION = Text("what", "运算")
WHICH = Text("What have you computed?", "你算的是哪一步？")
OTHER = Text("Operation", "换运算")
OTHER_TIP = Text(
    "Choose another operation; fields of the same name keep their numbers.", "换一种运算，同名输入框里的数会保留。"
)

# Fields
SUCH_AS = Text("such as {example}", "例如 {example}")
OPTIONAL = Text("optional; such as {example}", "可不填；例如 {example}")
READ_AS = Text("{title}: {found}", "{title}：{found}")
NUMBERS = Text("{count} numbers", "{count} 个数")
ONE_NUMBER = Text("1 number", "1 个数")
MISSING = Text("Still missing: {title}.", "还没填：{title}。")
RESULT = Text("yours", "结果")
RESULT_PLACEHOLDER = Text("the result you got; leave it empty to see the solution", "你算出的结果；不填则直接看解答")
HOW = Text("A blank line goes to the next field; Esc, then Enter, checks.", "空一行进入下一项；先按 Esc 再按 Enter 核对。")

# Checking
CHECK = Text("Check", "核对")
CHECK_TIP = Text("Check the result; where none is typed, show the solution.", "核对结果；没填结果时显示解答。")
TYPE = Text("Type", "填写")
TYPE_TIP = Text("Go back to the fields.", "回到输入框。")
SOLUTION = Text("Solution", "看解答")
SOLUTION_TIP = Text("Show the solution, whatever result is typed.", "不管结果填了什么，直接显示解答。")
CHECKING = Text("Computing…", "正在计算……")
STEPS = Text("s shows how it is computed, step by step ({count}).", "按 s 逐步看解答，共 {count} 步。")
