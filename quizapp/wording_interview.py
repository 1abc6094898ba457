"""What the mock interview says: setting it up, the interviewer's lines, the report."""

from __future__ import annotations

from question_bank.text import Text, same

# Home and the palette
HOME_NOTE = Text("interview", "面试")
TITLE = Text("Mock interview", "模拟面试")
HOME_LINE = Text("A mock interview, against the clock", "计时模拟面试")
PALETTE_TIP = Text("Hold a mock interview, or read an old report.", "开始模拟面试，或查看以往的报告。")

# Setting it up
LENGTH = Text("length", "时长")
LENGTH_ABOUT = Text("Questions, follow-ups and numbers fill this time.", "问题、追问和计算题合计约这么久。")
MINUTES = Text("{minutes} min", "{minutes} 分钟")
CLOCK = Text("clock", "时钟")
CLOCK_SHOWN = Text("shown", "显示")
CLOCK_HIDDEN = Text("hidden", "隐藏")
CLOCK_ABOUT = Text("c shows or hides it during the interview.", "面试中按 c 可随时显示或隐藏。")
TOPICS = Text("topics", "范围")
TOPICS_ABOUT = Text("What may come up; at least one.", "会问到的内容，至少选一项。")
START_LINE = Text("Start: {minutes} min, {items} to answer", "开始：{minutes} 分钟，共 {items} 问")
START_ABOUT = Text("Nothing is judged before the end; then comes a report.", "中途不评对错，结束后看报告。")
START_SHORT = Text("These topics hold no more than that.", "所选范围只够问这么久。")
NO_TOPICS = Text("Tick at least one topic to start.", "至少选一项范围才能开始。")
RESUME_LINE = Text("Go on: {left} left, {place} of {total}", "继续：还剩 {left}，第 {place}/{total} 问")
RESUME_OVER = Text("The time is up: finish the answer at hand.", "时间到：答完手头这一问。")
REPORT_LINE = Text("It is over: read the report.", "面试已结束，查看报告。")
END_IT = Text("End it, and read the report", "就此结束，看报告")
BEFORE = Text("past", "以往")
BEFORE_LINE = Text(
    "{minutes} min · points {made}/{points} · numbers {right}/{numbers}",
    "{minutes} 分钟 · 要点 {made}/{points} · 计算 {right}/{numbers}",
)
BEFORE_UNREADABLE = Text("This report can't be read by this release.", "当前版本无法读取这份报告。")
BEFORE_MORE = Text("and {count} more; quizapp interview list names them", "另有 {count} 份，运行 quizapp interview list 查看")
NONE_BEFORE = Text("None yet.", "还没有。")
BEGIN = Text("Start", "开始")
BEGIN_TIP = Text("Start the interview, or go on with it.", "开始面试，或继续没做完的面试。")
CHANGE = Text("Change", "更改")
CHANGE_TIP = Text("Take the next value, or the one before.", "换成下一个或上一个取值。")

# The interviewer's lines
ASKS = Text("asks", "提问")
OPENS = (
    Text("Thanks for coming. Let's start with something broad.", "你好，我们先从一个大一点的问题开始。"),
    Text("Good to meet you. An open question first.", "欢迎，先问一个开放的问题。"),
)
CHANGES = (
    Text("Let's change the subject.", "我们换个话题。"),
    Text("Now something else.", "再聊点别的。"),
    Text("Moving on.", "接着看下一个问题。"),
)
DEEPER = (
    Text("Let me go a little deeper.", "我再往下追问一点。"),
    Text("A follow-up on that.", "就这个问题追问一句。"),
    Text("Staying with that for a moment.", "这个问题我们再多说几句。"),
)
COMPUTES = (
    Text("Let's put numbers to it.", "用具体的数字算一算。"),
    Text("Can you work that out on paper?", "能在纸上算一下吗？"),
    Text("Show me with an example.", "举个例子，实际算一遍。"),
)
NOTED = Text("Noted.", "记下了。")
PASSED = Text("All right.", "没关系。")
HURRY = Text("Let's keep an eye on the time: wrap this one up when you can.", "注意一下时间，这一问差不多可以收尾了。")
ASKED_BEFORE = Text("On: {question}", "原问题：{question}")

# Answering
YOURS = Text("you", "作答")
PLACEHOLDER = Text("Answer as you would aloud.\nEsc, then Enter, hands it in.", "怎么说就怎么写。\n先按 Esc 再按 Enter 提交。")
HAND_IN = Text("Hand in", "提交")
HAND_IN_TIP = Text("Hand in the answer; it is noted, and the next question comes.", "提交回答，记下后进入下一问。")
PASS = Text("I'd pass", "跳过")
PASS_TIP = Text("Pass on this one, or on the fields that are still empty.", "这一问不答，或放弃还空着的部分。")
WRITE = Text("Type", "作答")
WRITE_TIP = Text("Go back to the field.", "回到输入框。")
CLOCK_KEY = Text("Clock", "时钟")
CLOCK_TIP = Text("Show or hide the clock.", "显示或隐藏时钟。")
FINISH = Text("End", "结束")
FINISH_TIP = Text("End the interview early, and read the report.", "提前结束面试，查看报告。")
PLACE = Text("{place} of {total}", "第 {place}/{total} 问")
LEFT = Text("{left} left", "剩余 {left}")
OVER = Text("time is up", "时间到")
NOTHING_TYPED = Text("Nothing is typed yet; d passes.", "还没写内容；按 d 跳过这一问。")
STILL_EMPTY = Text("Still empty: {parts}. d passes on them.", "还空着：{parts}。按 d 放弃这些。")
NOTING = Text("One moment…", "稍等……")
TIME_UP = Text("Time is up. Finish this answer; then comes the report.", "时间到。答完这一问就看报告。")
TYPED_UNCOUNTED = Text("What you typed here would not count.", "这里写的内容不会计入。")
END_EARLY = Text("Not answered yet: {left}.", "还有 {left} 问没有回答。")
AGAIN_TO_END = Text("Press the key again to end the interview.", "再按一次就结束面试。")
ONE_LEFT = Text("This is the last one.", "这是最后一问。")
WAITS = Text("The interview waits as it is, and its clock stands still.", "面试已暂停，时钟停走，随时可以继续。")
REPORTING = Text("Writing the report…", "正在生成报告……")

# The report
REPORT = Text("Interview report", "面试报告")
IN_ALL = Text("in all", "总览")
HELD = Text(
    "{took} of {minutes} min; {questions}, {follow_ups}, {computed}.",
    "用时 {took}/{minutes} 分钟：{questions}，{follow_ups}，{computed}。",
)
QUESTIONS = (Text("1 question", "1 个问题"), Text("{n} questions", "{n} 个问题"))
FOLLOW_UPS = (Text("1 follow-up", "1 个追问"), Text("{n} follow-ups", "{n} 个追问"))
COMPUTED = (Text("1 computation", "1 道计算题"), Text("{n} computations", "{n} 道计算题"))
SCORES = Text(
    "Key points {made} of {points}; numbers {right} of {numbers} right.", "要点说到 {made}/{points}；计算对 {right}/{numbers}。"
)
SCORES_POINTS = Text("Key points {made} of {points}.", "要点说到 {made}/{points}。")
ENDED_EARLY = Text("Ended early; {unasked} not answered.", "提前结束，还有 {unasked} 问没有回答。")
ENDED_TIME_UP = Text("Time was up; {unasked} not answered.", "时间到，还有 {unasked} 问没有回答。")
NOTHING_ASKED = Text("Nothing was answered.", "没有作答。")
STUDY = Text("study", "该补")
STUDY_LINE = Text("{section} {title}", "{section} {title}")
POINTS_MISSING = (Text("1 point missing", "漏 1 个要点"), Text("{n} points missing", "漏 {n} 个要点"))
PITFALLS = (Text("1 pitfall", "踩中 1 个误区"), Text("{n} pitfalls", "踩中 {n} 个误区"))
WRONG_NUMBERS = (Text("1 computation not right", "1 道计算题没算对"), Text("{n} computations not right", "{n} 道计算题没算对"))
NOTHING_TO_STUDY = Text(
    "Nothing stood out: every point was made, and every number right.", "没有明显短板：要点都说到了，计算也都对。"
)
READ = Text("Read the lesson", "看讲解")
DO_DRILL = Text("Drill: {drill}", "练习：{drill}")
ANSWER_AGAIN = Text("Answer {id} again", "重新回答 {id}")
SAME_NUMBERS = Text("Do it again with the same numbers", "用同样的数字再做一遍")
TOOK = Text("took {took}, meant for {meant}", "用时 {took}，预计 {meant}")
SAID = Text("said", "要点")
POINTS = Text("Key points: {made} of {points}", "要点：{made}/{points}")
BY = Text("“{words}”", "“{words}”")
TRAP = Text("trap", "误区")
CLAIM = Text("“{claim}”", "“{claim}”")
YOU_SAID = Text("You said: “{words}”", "你说的是：“{words}”")
MODEL = Text("model", "参考")
THE_MODEL = Text("The model answer", "参考答案")
MODEL_IS = Text("The model answer: {answer}", "参考答案：{answer}")
THEN = Text("then", "追问")
DRILL = Text("drill", "计算")
DID_PASS = Text("You passed.", "跳过了。")
SAID_NOTHING = Text("Nothing was typed.", "没有写内容。")
UNMARKED = Text("This was not marked.", "这一项没有批改。")
NOT_READ = Text("This can't be read as an answer: {reason}", "读不出答案：{reason}")
EXPORT = Text("Export", "导出")
EXPORT_TIP = Text("Write the report into a Markdown file, and say where.", "把报告导出为 Markdown 文件，并显示保存位置。")
EXPORTED = Text("Written to {file}", "已写入 {file}")
NOT_SAVED = Text(
    "The report is not on disk yet ({reason}); the interview stays where it is.",
    "报告还没有写入磁盘（{reason}），面试记录仍保留。",
)
LOG_UNREADABLE = Text("Earlier interviews can't be read: {reason}", "无法读取以往的面试：{reason}")

# Markdown
STUDY_ITEM = Text("{section} {title}: {need} ({items})", "{section} {title}：{need}（{items}）")
BRACKETS = Text("({text})", "（{text}）")
ASKED = Text("Asked", "提问")
ANSWERED = Text("Your answer", "你的回答")
RIGHT_VALUE = Text("{label}: typed {typed}, right {expected}.", "{label}：你填 {typed}，正确 {expected}。")
RIGHT_ONE = Text("{label}: {expected}.", "{label}：{expected}。")
WHAT_TO_STUDY = Text("What to study", "该补什么")
TRAPS = Text("Pitfalls", "误区")
FOLLOW_UP = Text("Follow-up", "追问")
COMPUTATION = Text("Computation", "计算")
NOTHING = same("–")
