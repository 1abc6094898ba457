"""What the settings screen says."""

from __future__ import annotations

from question_bank.text import Text, same

# Names, for the margin, and what each is for
NAMES: dict[str, tuple[Text, Text]] = {
    "language": (
        Text("language", "语言"),
        Text("l switches it on every screen.", "在任何页面按 l 都可以切换。"),
    ),
    "theme": (
        Text("theme", "主题"),
        Text(
            "“plain” needs no colours: bold, underline and reverse alone.",
            "“无色”不依赖颜色，只用粗体、下划线和反白。",
        ),
    ),
    "interview": (
        Text("interview", "面试日期"),
        Text(
            "With a date, everything is planned to be seen in time. Empty: no date.",
            "填了日期，程序会安排在面试前学完全部内容。留空表示未定。",
        ),
    ),
    "daily": (
        Text("new a day", "每日新学"),
        Text("At most this many new questions and drills a day.", "每天最多新学多少道面试题和练习。"),
    ),
    "rollover": (
        Text("day ends", "换日时间"),
        Text(
            "The hour of the morning until which it is still the day before.",
            "凌晨几点之前仍算前一天。",
        ),
    ),
    "order": (
        Text("order", "新学顺序"),
        Text(
            "New material in the order of the course, or your weakest sections first.",
            "新内容按课程顺序学，或先学自己最弱的章节。",
        ),
    ),
    "decimals": (
        Text("decimals", "小数位数"),
        Text(
            "Of the numbers in labs; 0 leaves it to each lab. Drills say what they ask for.",
            "演示里的数字显示几位小数，0 表示由各演示决定。练习以题目为准。",
        ),
    ),
}

# Choices
LANGUAGES = {"en": same("English"), "zh": same("中文")}
THEMES = {
    "night": Text("dark", "深色"),
    "day": Text("light", "浅色"),
    "plain": Text("plain", "无色"),
}
ORDERS = {"course": Text("course", "课程顺序"), "weakness": Text("weakest first", "弱项优先")}
CHOICES = {"language": LANGUAGES, "theme": THEMES, "order": ORDERS}
CHANGE = Text("Change", "更改")
CHANGE_TIP = Text("Take the next choice, or the one before.", "换成下一个或上一个选项。")
KEEP = Text("Save", "保存")
KEEP_TIP = Text("Save the value and go to the next.", "保存这一项，转到下一项。")
STEP_TIP = Text("One more or one less.", "加一或减一。")

# Values
DATE_PLACEHOLDER = Text("2026-12-24, 24.12., in 10 days", "2026-12-24、12月24日、10天后")
NUMBER_WANTED = Text(
    "Type a whole number from {low} to {high}; until then it stays {value}.",
    "请输入 {low} 到 {high} 的整数；目前仍为 {value}。",
)
DAY_READ = Text("{day}: {far}.", "{day}，{far}。")
PAST = Text("{day} is past ({far}). It was not saved.", "{day}{far}，没有保存。")
OVER = Text(
    "{day}: {far}, so nothing is planned any more. Type the next date, or empty the field.",
    "{day}，{far}，不再安排计划。可以输入新的日期，或清空。",
)

# What only the file has
KEYS = Text("keys", "按键")
KEYS_AS_SHIPPED = Text("as shipped", "默认")
KEYS_CHANGED = Text("changed in the file: {keys}", "在文件里改过：{keys}")
FILE = Text("file", "文件")
FILE_IS = Text(
    "{file}\nEverything here can be edited there too; keys ([keys]) and folders of your own (bank) only there. "
    "A change in the file counts from the next start.",
    "{file}\n以上各项也可以直接在这个文件里改；按键（[keys]）和自备题库文件夹（bank）只能在文件里改。改完后下次启动生效。",
)
