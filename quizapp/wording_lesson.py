"""What the lesson screen says."""

from __future__ import annotations

from question_bank.text import Text

PARTS: tuple[Text, ...] = (
    Text("Intuition", "直觉"),
    Text("Formula", "公式"),
    Text("Term by term", "逐项拆解"),
    Text("Shapes", "矩阵 shape"),
    Text("Smallest example", "最小数字例子"),
    Text("What if", "改一改看看"),
    Text("Code", "代码"),
    Text("Common mistakes", "常见误区"),
    Text("Questions and drills", "面试题与练习"),
)
"""The nine parts of a lesson, in order."""

PRINTS = Text("It prints", "输出")
SOURCE = Text("({source})", "（{source}）")
IF = Text("if", "如果")
INSTEAD_OF = Text("instead of ", "原来 ")
SIZES = Text("with {sizes}", "其中 {sizes}")
CLAIM = Text("“{claim}”", "“{claim}”")
ASKED = Text("asked", "面试题")
PRACTISE = Text("drill", "练习")
SOURCES = Text("from", "出处")

PART = Text("Part", "跳到")
PART_TIP = Text("Open the part with that number and go to it.", "展开对应编号的部分并跳到那里。")
ALL = Text("All", "全部")
ALL_TIP = Text("Unfold all parts; once more folds them.", "展开所有部分，再按一次全部收起。")
NEXT = Text("Next", "下一节")
NEXT_TIP = Text("Go to the next section.", "看下一节。")
BEFORE = Text("Before", "上一节")
BEFORE_TIP = Text("Go to the section before.", "看上一节。")
FIRST_AGAIN = Text("That was the last section; this is the first.", "已经是最后一节，回到第一节。")
LAST_AGAIN = Text("That was the first section; this is the last.", "已经是第一节，转到最后一节。")
COMPUTING = Text("The numbers of this lesson are being computed…", "正在计算本节的数值……")
LESSON = Text("Lesson", "讲解")
LESSON_TIP = Text("Read the section that this belongs to; Esc comes back here.", "打开对应的讲解，按 Esc 回到这里。")
