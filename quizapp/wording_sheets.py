"""What printed sheets say, and what the command that makes them says."""

from __future__ import annotations

from question_bank.text import Text

# On the paper ----------------------------------------------------------------------------------------------------------

NAME = Text("Name", "姓名")
DATE = Text("Date", "日期")
SCORE = Text("Score", "得分")
KEY = Text("Answer key", "参考答案")
KEY_TO = Text("Answer key: {title}", "参考答案：{title}")
KEY_PAGE = Text("Key", "答案")
FOR_MARKING = Text(
    "The codes of all problems, for quizapp mark; one after the other, in any order.",
    "全部题目的代码，供 quizapp mark 批改使用；可按任意顺序逐个扫描。",
)
YES = Text("yes", "是")
NO = Text("no", "否")
POINTS = Text("A full answer says:", "完整的回答应包括：")
IN_SHORT = Text("In short: {answer}", "简要回答：{answer}")
THE_SAME = Text("the same for everybody", "所有人相同")
TITLE = Text("Drill sheet", "练习卷")
QUESTIONS_TITLE = Text("Interview questions", "面试题")
