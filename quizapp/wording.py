"""What the application says that belongs to no problem: labels, tips, notices. In the order in which a person meets them."""

from __future__ import annotations

from question_bank.text import Text, same

NAME = same("quizapp")
TAGLINE = Text("Transformer interview practice", "Transformer 面试练习")

# Keys that every screen has
BACK = Text("Back", "返回")
BACK_TIP = Text("Leave the field, then the screen.", "先离开输入框，再离开当前页面。")
HELP = Text("Help", "帮助")
HELP_TIP = Text("Show the keys that work here, and what can be typed.", "查看当前可用的按键和输入格式。")
LANGUAGE = Text("中文", "English")
LANGUAGE_TIP = Text("Show everything in Chinese.", "全部切换为英文。")
QUIT = Text("Quit", "退出")
QUIT_TIP = Text("Leave the application.", "退出程序。")
PALETTE = Text("Menu", "菜单")
PALETTE_TIP = Text("Find any command or drill by its name.", "按名称查找命令或练习。")
NEXT_FIELD = Text("Next field", "下一项")
NEXT_FIELD_TIP = Text("Goes to the next field.", "跳到下一个输入框。")
PALETTE_PLACEHOLDER = Text("Search for a command or a drill…", "搜索命令或练习……")
PALETTE_NOTHING = Text("Nothing by that name", "没有找到")

# Leaving
AGAIN_TO_LEAVE = Text("Press the key again to leave.", "再按一次即可退出。")
AGAIN_TO_GO_ON = Text("Press the key again to go on.", "再按一次即可继续。")
NOTHING_LOST = Text("Nothing would be lost.", "不会丢失任何内容。")
TYPED_LOST = Text("What you typed has not been handed in and would be lost.", "已输入的内容还没有提交，会丢失。")

# The terminal
MORE_ROOM = Text(
    "This needs {columns} columns and {lines} lines. Make the window larger; nothing is lost.",
    "至少需要 {columns} 列、{lines} 行。请放大窗口，已输入的内容都还在。",
)

# Settings
SETTINGS = Text("Settings", "设置")
SETTINGS_TIP = Text("Language, interview date, colours, daily amount and more.", "语言、面试日期、主题、每日数量等。")

# Progress
PROGRESS = Text("Progress", "学习进度")
PROGRESS_TIP = Text("See what you know, your days, and your mistakes.", "查看掌握情况、日历和常见错误。")

# Themes
DAY_THEME = Text("Light theme", "浅色主题")
NIGHT_THEME = Text("Dark theme", "深色主题")
PLAIN_THEME = Text("Theme without colours", "无色主题")
THEME_TIP = Text("Change the colours.", "更换配色。")

# Home
HOME = Text("Home", "首页")
HOME_TIP = Text("Go to the table of contents.", "回到目录。")
OPEN = Text("Open", "打开")
OPEN_TIP = Text("Open the selected line.", "打开选中的一项。")
FIND = Text("Find", "查找")
FIND_TIP = Text("Find words in titles, questions, lessons and drills.", "在标题、面试题、讲解和练习里查找文字。")
FIND_PLACEHOLDER = Text("words in either language, or a number such as 7.10 or Q7", "中英文关键词，或 7.10、Q7 这样的编号")
FIND_NOTHING = Text("No match. Esc shows everything again.", "没有符合的内容，按 Esc 显示全部。")
MORE = Text("More", "展开")
MORE_TIP = Text("Unfold the selected line; on a drill, go up a level.", "展开选中的一项；在练习上则提高难度。")
LESS = Text("Less", "收起")
LESS_TIP = Text("Fold the selected line; on a drill, go down a level.", "收起选中的一项；在练习上则降低难度。")
MOVE = Text("Move", "移动")
MOVE_TIP = Text("Select the line above or below.", "选中上一行或下一行。")
LEVEL = Text("Level", "难度")
LEVEL_TIP = Text(
    "Choose the level: 1 in your head, 2 on paper, 3 with a calculator, 4 real model sizes.",
    "选择难度：1 心算，2 笔算，3 用计算器，4 真实模型的规模。",
)
LEVEL_NAMES = (
    Text("in your head", "心算"),
    Text("on paper", "笔算"),
    Text("with a calculator", "用计算器"),
    Text("real model sizes", "真实模型规模"),
)
AT_LEVEL = Text("level {level}", "难度 {level}")
DRILL_AT_LEVEL = Text("{drill} · level {level}", "{drill} · 难度 {level}")
CONTINUE = Text("continue", "继续")
START = Text("start", "开始")
QUESTIONS = Text("questions", "问答")
LESSON = Text("lesson", "讲解")
CHAPTER = Text("chapter", "章节")
CHECK = Text("check", "核对")
CHECK_OWN = Text("Check a result of your own", "核对自己算出的结果")
CHECK_TIP = Text("Paste matrices and your result, and see whether it is right.", "粘贴矩阵和自己的结果，看看算得对不对。")
GROUP = Text("Group {group}", "{group} 组")
ONE_DRILL = Text("1 drill", "1 个练习")
SOME_DRILLS = Text("{count} drills", "{count} 个练习")
SOME_QUESTIONS = Text("{count} questions", "{count} 题")

SECTIONS: tuple[tuple[str, Text], ...] = (
    ("7.1", Text("Why attention", "为什么需要注意力")),
    ("7.2", Text("The block, module by module", "逐个模块看 Transformer 层")),
    ("7.3", Text("Position", "位置编码")),
    ("7.4", Text("Cost and length", "开销与序列长度")),
    ("7.5", Text("Queries, keys, values", "投影出 Q、K、V")),
    ("7.6", Text("Symmetry of the scores", "分数矩阵的对称性")),
    ("7.7", Text("Scores", "注意力分数")),
    ("7.8", Text("Dot product or additive", "点积还是加性")),
    ("7.9", Text("Scaling", "缩放")),
    ("7.10", Text("Softmax", "softmax")),
    ("7.11", Text("Mixing the values", "对 V 加权求和")),
    ("7.12", Text("Attention by hand", "手算注意力")),
    ("7.13", Text("Formula and code", "公式与代码")),
    ("7.14", Text("Heads", "多头")),
    ("7.15", Text("KV cache and its kin", "KV cache 及相关技术")),
    ("7.16", Text("Padding mask", "padding mask")),
    ("7.17", Text("Causal mask", "causal mask")),
    ("7.18", Text("Cross-attention", "cross-attention")),
    ("7.19", Text("Residual connections", "残差连接")),
    ("7.20", Text("Normalisation", "归一化")),
    ("7.21", Text("Feed-forward network", "前馈网络")),
    ("7.22", Text("Training and decoding", "训练与解码")),
    ("7.23", Text("Training details", "训练细节")),
)
"""The sections of the course, by number."""

HOW_TO_ANSWER: tuple[tuple[Text, Text], ...] = (
    (Text("numbers", "数字"), Text("0.25  .25  1/4  √2/2  ln 2  1e-3", "0.25  .25  1/4  √2/2  ln 2  1e-3")),
    (Text("vectors", "向量"), Text("0.2 0.3 0.5, with or without brackets and commas", "0.2 0.3 0.5，括号和逗号可有可无")),
    (
        Text("matrices", "矩阵"),
        Text(
            "cell by cell, or paste a whole matrix into any cell: one row per line, [[1, 2], [3, 4]], or a torch printout",
            "逐格输入；也可以把整个矩阵粘贴到任意一格：分行书写、[[1, 2], [3, 4]]、torch 的输出都行",
        ),
    ),
    (Text("shapes", "形状"), Text("2, 8, 128, 64 or 2x8x128x64", "2, 8, 128, 64 或 2x8x128x64")),
    (Text("sizes", "字节数"), Text("1 GiB, 512 MiB, 1073741824", "1 GiB、512 MiB、1073741824")),
    (
        Text("rounding", "舍入"),
        Text(
            "If the true value has more decimals than asked for, the last one may be off by 1; more decimals and exact forms "
            "are welcome.",
            "真值的小数位多于要求时，末位允许相差 1；多写几位小数，或者写成 1/3、√2 这样的精确形式，都可以。",
        ),
    ),
)
"""How answers are written, for the help screen."""

# Hints
HINT = Text("Hint", "提示")
HINT_TIP = Text(
    "Show a hint; there are up to three, each more specific. How many you use is recorded.",
    "显示一条提示，最多三条，一条比一条具体。用了几条会记下来。",
)
HINT_NUMBER = Text("hint {number}/{all}", "提示 {number}/{all}")

# Answer fields
SUBMIT = Text("Hand in", "提交")
SUBMIT_TIP = Text("Hand in the answer; in a grid, go to the next cell first.", "提交答案；在表格里则先移到下一格。")
LEAVE_FIELD = Text("Leave field", "离开输入框")
LEAVE_FIELD_TIP = Text(
    "Leave the field; single letters are then commands, and Tab goes back.", "离开输入框，之后单个字母就是命令，按 Tab 返回。"
)
NEXT_CELL = Text("Next cell", "下一格")
NEXT_CELL_TIP = Text("Go to the next cell; in the last one, hand in.", "移到下一格；在最后一格则提交。")
NEXT_PART = Text("Next part", "下一空")
NEXT_PART_TIP = Text("Go to the next empty part; in the last one, hand in.", "移到下一个空着的部分；都填好了则提交。")
TOO_MUCH_FOR_CELL = Text(
    "That is not a row of a {rows}×{columns} matrix, nor one number for this cell.",
    "这既不是 {rows}×{columns} 矩阵的一行，也不是这一格的一个数。",
)
CELL_TIP = Text("Move between the cells.", "在各格之间移动。")
AS_TEXT = Text("As text", "写成文本")
AS_TEXT_TIP = Text("Type the whole matrix as text.", "把整个矩阵写成一段文本。")
AS_CELLS = Text("As cells", "逐格填写")
AS_CELLS_TIP = Text("Put the text back into the cells.", "把文本填回表格。")
UNDERSTOOD = Text("read as {understood}", "读作 {understood}")
CELLS_LEFT = Text("{count} of {total} cells filled", "已填 {count}/{total} 格")
IN_CELL = Text("Row {row}, column {column}: {message}", "第 {row} 行第 {column} 列：{message}")
YES = Text("Yes", "是")
NO = Text("No", "否")
NOT_AS_CELLS = Text(
    "This can't be put into {rows}×{columns} cells, so it stays as text.", "无法填入 {rows}×{columns} 的表格，保留为文本。"
)
OPTION = Text("Option {letter}", "选项 {letter}")

# Verdicts
OWN_ANSWER = Text("yours  ", "你的答案  ")
RIGHT_ANSWER = Text("right  ", "正确答案  ")
MARKING = Text("Marking…", "正在批改……")
WARMING_UP = Text("Starting the solver…", "正在启动求解程序……")

# The drill screen
DONT_KNOW = Text("Don't know", "不会")
DONT_KNOW_TIP = Text("Give up what is still empty and see the solution.", "放弃尚未填写的部分，查看答案。")
NEXT = Text("Next", "下一题")
NEXT_TIP = Text("Draw another variant of this drill.", "换一组数字，再做一题。")
AGAIN = Text("Again", "重做")
AGAIN_TIP = Text("Do the same variant again.", "用同样的数字重做一遍。")
STEP = Text("Step", "步骤")
STEP_TIP = Text("Unfold the next step of the worked solution.", "展开解答的下一步。")
COPY_CODE = Text("Code", "代码")
COPY_CODE_TIP = Text(
    "Copy the code of this problem; it rebuilds the same numbers anywhere.",
    "复制题目代码，用它可以在任何机器上还原同一道题。",
)
COPIED = Text("Copied: {code}", "已复制：{code}")
STILL_EMPTY = Text(
    "Still empty: {parts}. Fill in the rest, or press Esc, then d, to count it as not known.",
    "还没填写：{parts}。请补上；也可以先按 Esc 再按 d，未填的部分按“不会”处理。",
)
STEPS_LEFT = Text("{count} of {total} steps; s shows the next.", "第 {count} 步，共 {total} 步，按 s 看下一步。")
STEPS_DONE = Text("That is the whole solution.", "解答到此结束。")
NOT_KEPT = Text("The answer could not be saved: {reason}", "这次作答没能保存：{reason}")
NO_TERMINAL = Text(
    "The application needs a terminal to read keys from. “quizapp --help” lists the commands that work without one.",
    "应用程序需要在终端里运行。不需要终端的命令见 quizapp --help。",
)
