"""The way through all screens: what is pressed, and what must be shown then. Tables only; test_walk.py walks them."""

from __future__ import annotations

from typing import NamedTuple

from question_bank.text import Text


class Step(NamedTuple):
    """Keys, and what stands there afterwards.

    Attributes:
        press: Keys with blanks between them; ``␣`` types one, ``30×8`` is a size of the window. Nothing may follow ``escape``,
            which the terminal would take for the beginning of another key.
        shows: Words of the page, with ``|`` between them; ``-`` in front of those that must be gone.
        keys: Keys of the footer.
    """

    press: str
    shows: Text
    keys: Text


def _step(press: str, en: str, zh: str, keys_en: str = "", keys_zh: str = "") -> Step:
    return Step(press, Text(en, zh), Text(keys_en or "^p Menu", keys_zh or "^p 菜单"))


HOME = ("Transformer interview practice | interview", "Transformer 面试练习 | 面试", "⏎ Open | / Find", "⏎ 打开 | / 查找")
HELP = ("Show the keys that work here", "查看当前可用的按键")

STUDY = (
    _step(
        "", "interview practice | welcome | opens the settings", "面试练习 | 欢迎", "⏎ Open | t Today", "⏎ 打开 | t 今日练习"
    ),
    _step("down", "-opens the settings | 7.11", "-欢迎 | 7.11", "/ Find | ? Help", "/ 查找 | ? 帮助"),
    _step("end", "Settings | 7.23", "设置 | 7.23"),
    _step(
        "?",
        "Show the keys that work here | Show everything in Chinese",
        "查看当前可用的按键 | 全部切换为英文",
        "esc Back",
        "esc 返回",
    ),
    _step("escape", "interview practice | 7.23", "面试练习 | 7.23", "⏎ Open", "⏎ 打开"),
    _step("/", "words in either language", "中英文关键词", "esc Back", "esc 返回"),
    _step("scale-row", "Scale a row | ‹1›", "缩放一行分数 | ‹1›"),
    _step("enter", "scale-row.1. | level 1", "scale-row.1. | 难度 1", "⏎ Hand in | esc Leave field", "⏎ 提交 | esc 离开输入框"),
    _step(
        "9 ␣ 9 ␣ 9 enter",
        "✗ z | yours | right | rated",
        "✗ z | 你的答案 | 正确答案 | 评分",
        "⏎ Next | s Step",
        "⏎ 下一题 | s 步骤",
    ),
    _step("s", "1/1 | square root of the key width", "1/1 | 分数除以这个平方根", "u Undo", "u 撤销"),
    _step("3", "Good, back on", "还行，", "1-4 Rate", "1-4 评分"),
    _step("u", "read as [9, 9, 9] | -rated", "读作 [9, 9, 9] | -评分", "⏎ Hand in", "⏎ 提交"),
    _step("escape", "Scale it as attention does", "缩放", "h Hint | d Don't know", "h 提示 | d 不会"),
    _step("h", "hint 1/3", "提示 1/3"),
    _step("?", "Show the keys that work here | Show a hint", "查看当前可用的按键", "-h Hint", "-h 提示"),
    _step("escape", "hint 1/3", "提示 1/3", "h Hint", "h 提示"),
    _step("ctrl+p", "Search for a command or a drill", "搜索命令或练习"),
    _step("escape", "-Search for a command", "-搜索命令", "h Hint", "h 提示"),
    _step("enter", "✗ z | rated", "✗ z | 评分", "v Lab | e Lesson", "v 演示 | e 讲解"),
    _step("v", "given | then", "给定 | 得到", "m Mistake", "m 换错误"),
    _step("?", HELP[0], HELP[1], "-m Mistake", "-m 换错误"),
    _step("escape", "given | then", "给定 | 得到", "m Mistake", "m 换错误"),
    _step("escape", "rated", "评分", "v Lab | e Lesson", "v 演示 | e 讲解"),
    _step("e", "7.9 | Why divide by √d_k", "7.9 | 为什么", "a All | n Next", "a 全部 | n 下一节"),
    _step("?", HELP[0], HELP[1], "-a All", "-a 全部"),
    _step("escape", "7.9 | Why divide by √d_k", "7.9 | 为什么", "a All", "a 全部"),
    _step("escape", "rated", "评分", "v Lab | e Lesson", "v 演示 | e 讲解"),
    _step("escape", "scale-row | ‹1›", "scale-row | ‹1›", "⏎ Open", "⏎ 打开"),
    _step("escape", *HOME),
    # a question: answered, marked, overruled, rated
    _step("/", "words in either language", "中英文关键词", "esc Back", "esc 返回"),
    _step("q7", "q7 | Why divide by √d_k?", "q7 | 为什么", "esc Back", "esc 返回"),
    _step("enter", "Q7 | you", "Q7 | 作答", "esc Done typing", "esc 写完了"),
    _step("softmax", "softmax", "softmax"),
    _step("escape", "Q7 | softmax", "Q7 | softmax", "⏎ Show answer", "⏎ 看答案"),
    _step("enter", "Found in your answer: 0/", "在你的回答里找到 0/", "1 Again", "1 忘了"),
    _step("down enter", "Found in your answer: 1/", "在你的回答里找到 1/", "3 Good", "3 还行"),
    _step("3", "Rated “Good”", "已记为“还行”", "n Next", "n 下一题"),
    _step("?", HELP[0], HELP[1], "-n Next", "-n 下一题"),
    _step("escape", "Rated “Good”", "已记为“还行”", "n Next", "n 下一题"),
    _step("escape", "q7 | Q7", "q7 | Q7", "⏎ Open", "⏎ 打开"),
    _step("escape", *HOME),
    # labs: one that steps, one that is drawn, attention as a heat map
    _step("/", "words in either language", "中英文关键词", "esc Back", "esc 返回"),
    _step("7.12", "The whole calculation, step by step", "完整手算，逐步走"),
    _step("down down down enter", "given", "给定", "n p Walk", "n p 逐格走"),
    _step("escape", "The whole calculation", "完整手算", "⏎ Open", "⏎ 打开"),
    _step("escape", *HOME),
    _step("/", "words in either language", "中英文关键词", "esc Back", "esc 返回"),
    _step("position-curves", "Position curves", "位置编码曲线"),
    _step("enter", "7.3", "7.3", "tab Other", "tab 换一个"),
    _step("escape", "Position curves", "位置编码曲线", "⏎ Open", "⏎ 打开"),
    _step("escape", *HOME),
    _step("/", "words in either language", "中英文关键词", "esc Back", "esc 返回"),
    _step("four-heads", "Four heads", "四个 head"),
    _step("enter", "7.14", "7.14", "t Try", "t 试试"),
    _step("escape", "Four heads", "四个 head", "⏎ Open", "⏎ 打开"),
    _step("escape", *HOME),
    # a result of one's own
    _step(
        "home down down down enter", "Check a result of your own | What have you computed?", "核对自己的结果 | 你算的是哪一步"
    ),
    _step("?", HELP[0], HELP[1]),
    _step("escape", "What have you computed?", "你算的是哪一步"),
    _step(
        "down enter",
        "Softmax | A blank line goes to the next field",
        "softmax | 空一行进入下一项",
        "esc Done typing",
        "esc 写完了",
    ),
    _step("1␣2", "1 2", "1 2"),
    _step("escape", "1 2", "1 2", "o Operation | ⏎ Check", "o 换运算 | ⏎ 核对"),
    _step("enter", "s shows how it is computed", "按 s 逐步看解答", "s Step", "s 步骤"),
    _step("s", "1/1", "1/1", "esc Back", "esc 返回"),
    _step("escape", *HOME),
)
EXAM = (
    _step("", "interview practice | welcome", "面试练习 | 欢迎", "⏎ Open | t Today", "⏎ 打开 | t 今日练习"),
    _step("end", "-opens the settings | Settings | 7.23", "-欢迎 | 设置 | 7.23"),
    _step("home enter", "Today | Start: 2 new | plan", "今天 | 开始：新学 2 项 | 计划", "⏎ Start", "⏎ 开始"),
    _step("?", HELP[0], HELP[1], "-⏎ Start", "-⏎ 开始"),
    _step("escape", "Start: 2 new | plan", "开始：新学 2 项 | 计划", "⏎ Start", "⏎ 开始"),
    _step("enter", "1 of 2 | Q1", "第 1/2 项 | Q1", "esc Done typing", "esc 写完了"),
    _step("escape", "1 of 2 | Q1", "第 1/2 项 | Q1", "⏎ Show answer", "⏎ 看答案"),
    _step("d", "Which of these did you say?", "你说到了哪几点", "1 Again | 3 Good", "1 忘了 | 3 还行"),
    _step("3", "Rated “Good”", "已记为“还行”", "n Next", "n 下一题"),
    _step("n", "2 of 2", "第 2/2 项", "esc", "esc"),
    _step("escape", "2 of 2", "第 2/2 项", "d Don't know", "d 不会"),
    _step("d", "rated", "评分", "s Step", "s 步骤"),
    _step("3", "Good, back on", "还行，", "1-4 Rate", "1-4 评分"),
    _step("n", "Done for today | session", "今天的练习完成了 | 本次", "⏎ Back to Today", "⏎ 回到今天"),
    _step("enter", "plan", "计划", "esc Back", "esc 返回"),
    _step("escape", *HOME),
    _step("home down enter", "Mock interview | Start: 30 min | topics", "模拟面试 | 开始：30 分钟 | 范围", "⏎ Start", "⏎ 开始"),
    _step("?", HELP[0], HELP[1], "-⏎ Start", "-⏎ 开始"),
    _step("escape", "Mock interview | topics", "模拟面试 | 范围", "⏎ Start", "⏎ 开始"),
    _step("enter", "1 of | asks | left", "第 1/ | 提问 | 剩余", "esc Done typing", "esc 写完了"),
    _step("escape", "1 of", "第 1/", "d I'd pass | f End", "d 跳过 | f 结束"),
    _step("c", "1 of | -left", "第 1/ | -剩余"),
    _step("d", "All right. | 2 of", "没关系 | 第 2/", "-f End", "-f 结束"),
    _step("escape", "2 of", "第 2/", "d I'd pass | f End", "d 跳过 | f 结束"),
    _step("d", "3 of", "第 3/", "-f End", "-f 结束"),
    _step("escape", "3 of", "第 3/", "f End", "f 结束"),
    _step("f f", "Interview report | in all | study", "面试报告 | 总览 | 该补", "x Export | p PDF", "x 导出 | p PDF"),
    _step("?", HELP[0], HELP[1], "-x Export", "-x 导出"),
    _step("escape", "in all", "总览", "x Export", "x 导出"),
    _step("escape", "Mock interview | past | points 0/", "模拟面试 | 以往 | 要点 0/", "esc Back", "esc 返回"),
    _step("escape", *HOME),
    _step(
        "p", "Progress | of the course remembered today | chapter", "学习进度 | 还记得全部内容的 | 章节", "1-5 Part", "1-5 跳转"
    ),
    _step("2", "answers a day:", "每天作答：", "←→ Day", "←→ 日期"),
    _step("3", "today: nothing due | None of the known mistakes", "今天：没有要复习的 | 没有犯过已知的错误"),
    _step("5", "Once a drill has six answers", "答满六次"),
    _step("1", "remembered | 7.19", "记得 | 7.19"),
    _step("?", HELP[0], HELP[1], "-1-5 Part", "-1-5 跳转"),
    _step("escape", "remembered | 7.18", "记得 | 7.18", "1-5 Part", "1-5 跳转"),
    _step("escape", *HOME),
    _step(",", "Settings | ‹dark› | new a day", "设置 | 每日新学", "←→ Change", "←→ 更改"),
    _step("down down down right", "new a day 3", "每日新学 3", "⏎ Save", "⏎ 保存"),
    _step("escape", "new a day 3", "每日新学 3", "-⏎ Save | ? Help", "-⏎ 保存 | ? 帮助"),
    _step("?", HELP[0], HELP[1], "-←→ Change", "-←→ 更改"),
    _step("escape", "new a day", "每日新学", "←→ Change", "←→ 更改"),
    _step("escape", *HOME),
    _step("end up up up up", "7.23", "7.23", "w Sheet", "w 练习卷"),
    _step("w", "Make a sheet | Make the PDF | paper", "生成练习卷 | 生成 PDF | 纸张", "⏎ Make the PDF", "⏎ 生成 PDF"),
    _step("?", HELP[0], HELP[1], "-⏎ Make the PDF", "-⏎ 生成 PDF"),
    _step("escape", "Make the PDF | paper", "生成 PDF | 纸张", "⏎ Make the PDF", "⏎ 生成 PDF"),
    _step("enter", "made | Answer it on screen", "已生成 | 在屏幕上作答"),
    _step("escape", "7.23", "7.23", "w Sheet", "w 练习卷"),
    _step("home down down down down enter", "Sheets | recent | 6 problems", "练习卷 | 最近 | 6 题", "⏎ Open", "⏎ 打开"),
    _step("?", HELP[0], HELP[1], "-⏎ Open", "-⏎ 打开"),
    _step("escape", "recent | 6 problems", "最近 | 6 题", "⏎ Open", "⏎ 打开"),
    _step("down enter", "1 of 6", "第 1/6 题", "esc", "esc"),
    _step("escape", "1 of 6", "第 1/6 题", "m Mark", "m 批改"),
    _step("?", HELP[0], HELP[1], "-m Mark", "-m 批改"),
    _step("escape", "1 of 6", "第 1/6 题", "m Mark", "m 批改"),
    _step("m m", "Marks | 0 of 12 marks", "得分 | 得 0 分", "x Report | w Sheet", "x 报告 | w 练习卷"),
    _step("?", HELP[0], HELP[1], "-x Report", "-x 报告"),
    _step("escape", "0 of 12 marks", "得 0 分", "x Report", "x 报告"),
    _step("30×8", "This needs 36 columns and 9 lines", "至少需要 36 列、9 行", "-^p", "-^p"),
    _step("80×24", "0 of 12 marks", "得 0 分", "x Report", "x 报告"),
    _step("escape", "1 of 6", "第 1/6 题"),
)
