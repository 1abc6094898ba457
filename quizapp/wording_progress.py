"""What the progress screen says: the map of the chapter, days, what is due, mistakes, times."""

from __future__ import annotations

from question_bank.text import Text, same

SUMMARY = Text("{recall} of the course remembered today", "今天大约还记得全部内容的 {recall}")
SUMMARY_SHORT = Text("{recall} remembered", "大约还记得 {recall}")
RIGHT_OF = Text("{right} of {answers} answers right", "作答 {answers} 次，答对 {right} 次")
UNREADABLE_LOG = Text("The progress can't be read: {reason}", "无法读取学习记录：{reason}")

# Keys
GO_TO = Text("Part", "跳转")
GO_TO_TIP = Text(
    "Go to the chapter, the days, what is due, the mistakes or the times.", "跳到章节、日历、待复习、常见错误或用时。"
)
OPEN = Text("Practise", "去练习")
OPEN_TIP = Text("Open the drill that helps most here, or the lesson.", "打开这里最该做的练习或讲解。")
DAY = Text("Day", "日期")
EARLIER_TIP = Text("Mark the day before.", "移到前一天。")
LATER_TIP = Text("Mark the day after.", "移到后一天。")
WEEK_BEFORE_TIP = Text("Mark the day a week before.", "移到一周前。")
WEEK_AFTER_TIP = Text("Mark the day a week after.", "移到一周后。")

DOWN_TIP = Text("Go to the next line.", "移到下一行。")
UP_TIP = Text("Go to the line before.", "移到上一行。")
PAGE_DOWN_TIP = Text("Go on by a page.", "向下翻一页。")
PAGE_UP_TIP = Text("Go back by a page.", "向上翻一页。")
FIRST_TIP = Text("Go to the first line.", "移到第一行。")
LAST_TIP = Text("Go to the last line.", "移到最后一行。")

# What hangs in the margin
CHAPTER = Text("chapter", "章节")
DAYS = Text("days", "日历")
DUE = Text("due", "待复习")
MISTAKES = Text("mistakes", "常见错误")
TIMES = Text("times", "用时")
TIMES_OF_DRILLS = Text("drills", "各练习")

# The map
REMEMBERED = Text("remembered", "记得")
RIGHT = Text("right", "答对")
OF = Text("of {count}", "共 {count}")
SEEN = Text("{seen} of {items} seen", "学过 {seen}/{items} 项")
ENTER = same("Enter")
ENTER_DRILL = Text("{drill}, level {level}", "{drill}，难度 {level}")
ENTER_LESSON = Text("the lesson", "看讲解")

# Days
ON_DAY = Text(
    "{day}: {answers} answers, {right} right, {minutes} min", "{day}：作答 {answers} 次，答对 {right} 次，{minutes} 分钟"
)
ON_DAY_ONE = Text("{day}: 1 answer, {right} right, {minutes} min", "{day}：作答 1 次，答对 {right} 次，{minutes} 分钟")
ON_DAY_SHORTER = Text("{day}: {answers} answers, {right} right", "{day}：作答 {answers} 次，答对 {right} 次")
ON_DAY_SHORT = Text("{day}: {answers}", "{day}：{answers} 次")
NOTHING_ON_DAY = Text("{day}: nothing", "{day}：没有作答")
STREAK = Text("streak {days}, longest {longest}", "连续 {days} 天，最长 {longest}")
NO_STREAK = Text("longest streak {longest}", "最长连续 {longest} 天")
FROM = Text("from {count}", "{count} 起")
ANSWERS_A_DAY = Text("answers a day:", "每天作答：")
ARROWS = same("← →")
ANOTHER_DAY = Text("another day; with Shift a week", "换一天，加 Shift 换一周")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTHS = tuple(Text(name, f"{number}月") for number, name in enumerate(_MONTHS, 1))
_WEEKDAYS = (("Mo", "一"), ("Tu", "二"), ("We", "三"), ("Th", "四"), ("Fr", "五"), ("Sa", "六"), ("Su", "日"))
WEEKDAYS = tuple(Text(english, chinese) for english, chinese in _WEEKDAYS)

# Due, and minutes
DUE_ON = Text("{day}: {count} due", "{day}：复习 {count} 项")
DUE_TODAY = Text("today: {count} due, with what is overdue", "今天：复习 {count} 项，含逾期的")
NONE_DUE_ON = Text("{day}: nothing due", "{day}：没有要复习的")
DUE_IN_ALL = Text("{count} in {days} days", "{days} 天内共 {count} 项")
MINUTES_ON = Text("{day}: {minutes} min", "{day}：{minutes} 分钟")
MINUTES_A_DAY = Text("{minutes} min a day", "平均每天 {minutes} 分钟")
TODAY = Text("today", "今天")

# Mistakes
TIMES_MADE = Text("{count}×", "{count} 次")
LAST_MADE = Text("last on {day}", "最近一次：{day}")
MADE_LATELY = Text("made most often in the last {days} days", "最近 {days} 天里最常犯的")
NO_MISTAKES = Text("None of the known mistakes in the last {days} days.", "最近 {days} 天没有犯过已知的错误。")
READING = Text("…", "……")

# Times
LATELY = Text("lately", "近来")
USUALLY = Text("usually", "平时")
SECONDS = Text("{seconds} s", "{seconds} 秒")
FASTER = Text("{percent} faster", "快 {percent}")
SLOWER = Text("{percent} slower", "慢 {percent}")
AS_USUAL = Text("as usual", "持平")
NO_TIMES = Text(
    "Once a drill has six answers at one level: how long it takes you lately, and usually.",
    "同一练习的同一难度答满六次后，这里会比较近来和平时的用时。",
)

# Before the first answer
NOTHING_YET = Text("Nothing answered yet. This is what will stand here:", "还没有作答。开始练习后，这里会显示：")
CHAPTER_WILL = Text(
    "each section of the chapter: how much of it you would remember today, and how many answers were right",
    "每一节的情况：今天大约还记得多少，答对了多少",
)
DAYS_WILL = Text("a calendar of your days, and how many there are in a row", "练习日历，以及连续练习的天数")
DUE_WILL = Text("how much comes back on each of the next {days} days", "今后 {days} 天每天要复习多少")
MISTAKES_WILL = Text("the mistakes you make most often, each with a drill that helps", "最常犯的错误，以及针对每个错误的练习")
TIMES_WILL = Text("minutes a day, and whether a drill takes you longer than usual", "每天练习的分钟数，以及各练习的用时变化")
BEGIN = Text("begin", "开始")

# Mistakes whose sentence names what stood in the one problem, here said of all of them
GENERAL = {
    "add.left-out": Text("You left out something that had to be added", "你漏加了一项"),
    "ask.other-row": Text("You gave another row than the one asked for", "你给的不是题目要的那一行"),
    "ask.power-too-few": Text("Your order had one power of a size too few", "你写的复杂度里，有个量的次数少了 1"),
    "ask.power-too-many": Text("Your order had one power of a size too many", "你写的复杂度里，有个量的次数多了 1"),
    "embedding_scale.added-first": Text(
        "You added the positions before scaling; only the embedding is scaled", "你先加了位置编码再放大，而放大的只是 embedding"
    ),
    "largest_score.other-type": Text("You took the limit of another number type", "你用了另一种数值类型的上限"),
    "project.wrong-weight": Text("You multiplied by another weight matrix than the one meant", "你乘错了权重矩阵"),
    "residual_add.branch-alone": Text("You left out the residual: the input is added too", "你漏掉了残差：还要加上输入"),
    "residual_add.first-input": Text(
        "You added the input of the first sub-layer once more at the second residual",
        "第二个残差处，你又加了一次第一个子层的输入",
    ),
    "rotate.left-out": Text("You didn't rotate a vector that has to be rotated", "该旋转的向量你没有旋转"),
    "score_bytes.element-size": Text("You took another number of bytes per number", "每个数占几个字节，你用错了"),
    "total.left-out": Text("You left a part out of a total", "求总数时你漏加了一部分"),
}
