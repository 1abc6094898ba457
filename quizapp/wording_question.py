"""What the question screen says, in the order in which a person meets it."""

from __future__ import annotations

from question_bank.text import Text
from quizapp.events import Rating

# Asking
YOURS = Text("you", "作答")
PLACEHOLDER = Text(
    "Say it aloud, or type it here.\nEsc, then Enter, shows the model answer.",
    "先口头说一遍，也可以写在这里。\n先按 Esc 再按 Enter，看参考答案。",
)
REVEAL = Text("Show answer", "看答案")
REVEAL_TIP = Text("Show the model answer beside yours.", "显示参考答案，与自己的回答对照。")
DONT_KNOW = Text("Don't know", "不会")
DONT_KNOW_TIP = Text("Show the model answer without answering first.", "不作答，直接看参考答案。")
WRITE = Text("Type", "作答")
WRITE_TIP = Text("Go to the field and type an answer.", "进入输入框，写下回答。")
AS_CHOICE = Text("4 options", "四选一")
AS_CHOICE_TIP = Text("Ask this question with four options to choose from.", "改成四个选项的选择题。")
AS_FREE = Text("Free answer", "自由作答")
AS_FREE_TIP = Text("Ask this question without options.", "去掉选项，自己组织回答。")
LETTER_TIP = Text("Choose the option with that letter.", "直接选定这个字母对应的选项。")
NEXT = Text("Next", "下一题")
NEXT_TIP = Text("Go to the next question.", "换下一道题。")
FIRST_AGAIN = Text("That was the last question; this is the first.", "已经是最后一题，回到第一题。")

# Four options
OPTIONS = Text("pick", "选项")
CHOSE_RIGHT = Text("{chosen} is right.", "选 {chosen}，正确。")
CHOSE_WRONG = Text("{chosen} is wrong; the right one is {right}.", "选 {chosen} 不对，应选 {right}。")
CHOSE_NONE = Text("The right one is {right}.", "正确选项是 {right}。")

# The model answer
SHORT = Text("short", "简答")
FULL = Text("full", "详答")
SAID = Text("said", "要点")
WHICH_SAID = Text("Which of these did you say?  {ticked}/{all}", "你说到了哪几点？  {ticked}/{all}")
FOUND = Text(
    "Found in your answer: {ticked}/{all}.  Enter ticks or unticks.", "在你的回答里找到 {ticked}/{all} 点，按 Enter 可改。"
)
BY = Text("“{words}”", "“{words}”")
YOU_SAID = Text("You said: “{words}”", "你说的是：“{words}”")
THE_POINTS = Text("What a full answer has to contain", "完整的回答应当包含")
TRAPS = Text("traps", "误区")
CLAIM = Text("“{claim}”", "“{claim}”")
THEN = Text("then", "追问")
FOLLOW_UPS = Text("What the interviewer may ask next", "面试官可能接着问")
DRILLS = Text("drill", "练习")
WITH_NUMBERS = Text("The same point, worked with numbers", "换成数字，动手算一算")
SOURCES = Text("from", "出处")

# Rating
RATE = Text("rate", "自评")
RATE_TIP = Text("Rate your answer “{name}”: {when}.", "自评“{name}”：{when}。")
HOW_WAS_IT = Text("How did it go?", "答得怎么样？")
RATINGS: dict[Rating, tuple[Text, Text]] = {
    Rating.AGAIN: (Text("Again", "忘了"), Text("nothing came, or it was wrong", "没答上来，或者答错了")),
    Rating.HARD: (Text("Hard", "吃力"), Text("with effort, or with gaps", "想了很久，或者漏了要点")),
    Rating.GOOD: (Text("Good", "还行"), Text("the points were there, with a pause or two", "要点都有，中间有停顿")),
    Rating.EASY: (Text("Easy", "轻松"), Text("at once, and I could go on", "张口就来，还能往下讲")),
}
"""Each rating: its name, and when to choose it."""
KEPT = Text("Rated “{rating}”.", "已记为“{rating}”。")
THEN_NEXT = Text("Enter goes on to {next}.", "按 Enter 进入 {next}。")

# Leaving
UNRATED_LOST = Text("Your answer has not been rated and would be lost.", "这次作答还没有自评，退出后会丢失。")
