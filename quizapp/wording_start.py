"""What is said at the first start, and when the application has to stop because of a fault of its own."""

from __future__ import annotations

from question_bank.text import Text

# The card of the first start
WELCOME = Text("welcome", "欢迎")
CARD = (
    Text(
        "Enter starts with the first line; ↑ ↓ choose, → unfolds.",
        "按 Enter 从第一行开始；↑ ↓ 选择，→ 展开。",
    ),
    Text(
        "Every answer is marked; s shows it worked step by step.",
        "每次作答都会批改，按 s 看逐步解答。",
    ),
    Text(
        "? lists the keys, l 切换到中文, a comma opens the settings.",
        "? 查看按键，l switches to English，逗号打开设置。",
    ),
)

# A crash
CRASHED = Text(
    "quizapp has a fault and had to stop ({kind}: {reason}).",
    "quizapp 内部出错，只能退出（{kind}：{reason}）。",
)
CRASH_KEPT = Text(
    "Answers whose verdict you have seen are kept, and what you had typed is there again when you next start quizapp.",
    "已显示批改结果的作答都已保存；尚未提交的内容会在下次启动时恢复。",
)
CRASH_ANSWERS = Text("Answers whose verdict you have seen are kept.", "已显示批改结果的作答都已保存。")
CRASH_LOG = Text(
    "What happened is written down in this file; please enclose it when you report the fault:\n{file}",
    "出错详情已写入下面的文件，反馈问题时请附上：\n{file}",
)
TYPED_AGAIN = Text(
    "quizapp stopped unexpectedly last time. What you had typed is there again: {where}.",
    "上次 quizapp 意外退出，未提交的内容已恢复：{where}。",
)
TYPED_CHECK = Text("your own result", "自己的核对")
TYPED_SHEET = Text("the answers to a sheet", "练习卷的作答")
