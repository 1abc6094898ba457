"""What Today says: the plan, the session, ratings with their dates, undoing, the closing page."""

from __future__ import annotations

from question_bank.text import Text, same

# Home and the palette
TODAY = Text("today", "今天")
TODAY_TITLE = Text("Today", "今天")
TODAY_LINE = Text("What is due, and what is new", "要复习和要新学的内容")
TODAY_TIP = Text("See what is due and what is new today.", "看看今天要复习什么、学什么。")
START_TODAY = Text("Today", "今日练习")
START_TODAY_TIP = Text("Start today's session, or go on with it.", "开始今天的练习，或接着练。")

# How much there is
BOTH = Text("{due} due, {new} new", "复习 {due} 项，新学 {new} 项")
ONLY_DUE = Text("{due} due", "复习 {due} 项")
ONLY_NEW = Text("{new} new", "新学 {new} 项")
ABOUT = Text("{amount} · about {minutes} min", "{amount} · 约 {minutes} 分钟")
NOTHING_LEFT = Text("Done for today", "今天的都做完了")

# The page
DUE = Text("due", "复习")
NEW = Text("new", "新学")
PLAN = Text("plan", "计划")
DONE = Text("done", "已做")
READING = Text("Reading what is due…", "正在读取学习计划……")
NONE_DUE = Text("Nothing to repeat today.", "今天没有要复习的。")
NEXT_DUE = Text("Nothing to repeat today; next on {day}.", "今天没有要复习的，下一次在{day}。")
NONE_NEW = Text("Everything has been seen at least once.", "所有内容都至少看过一遍了。")
NO_MORE_NEW = Text("Today's new ones have been started; {unseen} are left.", "今天的新内容都开始学了，还剩 {unseen} 项。")
NO_NEW_WANTED = Text("The daily amount is 0; {unseen} are left.", "每日新学数量为 0，还剩 {unseen} 项。")
AND_MORE = Text("and {count} more", "另有 {count} 项")
LATE = Text("since {day}", "{day}到期")
NO_DATE = Text(
    "{daily} new a day. Set an interview date (comma opens the settings), and everything is fitted in before it.",
    "每天新学 {daily} 项。设好面试日期（按逗号键打开设置），就能按日期排好进度。",
)
INTERVIEW = Text("Interview {when}, {day}.", "面试：{day}，{when}。")
INTERVIEW_TODAY = Text(
    "The interview is today. Good luck! A short round to warm up is enough.",
    "今天就是面试，祝顺利！热热身就够了。",
)
INTERVIEW_OVER = Text(
    "The interview was on {day}. Since then it has been {daily} new a day; for another one, set its date "
    "(comma opens the settings).",
    "面试（{day}）已经过去，现在每天新学 {daily} 项。还有下一场的话，按逗号键打开设置填上日期。",
)
ALL_SEEN = Text("Everything has been seen; each item comes again before it.", "全部内容都已看过，面试前每项还会再复习。")
ALL_SEEN_EVE = Text(
    "Everything has been seen: repeat what is due, and get some rest.", "全部内容都已看过：把要复习的过一遍，早点休息。"
)
ENOUGH = Text(
    "{daily} new a day is enough: {unseen} left, and {needed} a day would do.",
    "每天新学 {daily} 项够用：还剩 {unseen} 项，每天 {needed} 项就能学完。",
)
ENOUGH_JUST = Text("{daily} new a day is just enough for the {unseen} left.", "还剩 {unseen} 项，每天新学 {daily} 项正好学完。")
ENOUGH_EVE = Text("Never seen yet: {unseen}, and that fits into today.", "还有 {unseen} 项没看过，今天就能看完。")
TOO_FEW = Text(
    "{daily} new a day is not enough: {unseen} left, and that is {short} a day too few. {needed} a day would do.",
    "每天新学 {daily} 项不够：还剩 {unseen} 项，每天差 {short} 项；改成每天 {needed} 项就来得及。",
)
TOO_MANY = Text(
    "{unseen} items were never seen, too many for {days} days. What is due comes first; then take as many new ones as you can.",
    "还有 {unseen} 项没看过，{days} 天学不完了。先做要复习的，有余力再学新的。",
)
TOO_MANY_EVE = Text(
    "{unseen} items were never seen, and one day won't change that: better repeat what you know, and get some rest.",
    "还有 {unseen} 项没看过，一天也补不完。不如把学过的再过一遍，早点休息。",
)
ANSWERED = Text("{answers} answered, {right} right, {minutes} min.", "作答 {answers} 次，对 {right} 次，用时 {minutes} 分钟。")
NOTHING_DONE = Text("Nothing yet.", "还没有。")
START = Text("Start", "开始")
START_TIP = Text("Start the session, or go on where it was left.", "开始练习，或从上次停下的地方继续。")
START_LINE = Text("Start: {amount}, about {minutes} min", "开始：{amount}，约 {minutes} 分钟")
RESUME_LINE = Text("Go on: {left} left, about {minutes} min", "继续：还剩 {left} 项，约 {minutes} 分钟")
RAISE = Text("{needed} a day", "每天 {needed} 项")
RAISE_KEY = Text("Raise amount", "提高数量")
RAISE_TIP = Text("Raise the daily amount so that everything is seen in time.", "提高每日数量，赶在面试前学完。")
RAISED = Text("The daily amount is {needed} now.", "每日新学数量已改为 {needed}。")
NOTHING_TO_DO = Text("Nothing is left for today.", "今天没有要做的了。")
UNREADABLE_LOG = Text("What is due can't be read: {reason}", "无法读取复习计划：{reason}")

# In the session
PROGRESS = Text("{place} of {total}", "第 {place}/{total} 项")
SKIP = Text("Skip", "跳过")
SKIP_TIP = Text("Leave this one out for now; it stays due.", "先跳过这一项，它仍留在复习计划里。")
NEXT_ITEM = Text("Next", "下一项")
NEXT_ITEM_TIP = Text("Keep the rating and go to the next item.", "保留这个评分，进入下一项。")
ANSWER_LOST = Text("What you typed here would be lost.", "这里已输入的内容会丢失。")
ENTER_NEXT = Text("Enter goes on.", "按 Enter 继续。")

# The rating
RATE = Text("rated", "评分")
RERATE = Text("Rate", "评分")
RERATE_TIP = Text(
    "Change the rating, and with it the date: 1 again, 2 hard, 3 good, 4 easy.",
    "改评分，复习日期随之改变：1 忘了，2 吃力，3 还行，4 轻松。",
)
BACK_ON = Text("{rating}, back on {day}", "{rating}，{day}再来")
BACK_TOMORROW = Text("{rating}, back tomorrow, {day}", "{rating}，明天（{day}）再来")
BACK_TODAY = Text("{rating}, once more today", "{rating}，今天还会再来一次")
ON_TOMORROW = Text("tomorrow", "明天")
ON_TODAY = Text("today", "今天")
SUGGESTED = Text("{made} of {all} points: “{rating}” is suggested.", "说到 {made}/{all} 点，建议评为“{rating}”。")
SUGGESTED_SLOW = Text(
    "{made} of {all} points in {minutes} minutes: “{rating}” is suggested.",
    "用时 {minutes} 分钟，说到 {made}/{all} 点，建议评为“{rating}”。",
)
SUGGESTED_CHOICE = Text("“{rating}” is suggested.", "建议评为“{rating}”。")
COMES_ON = Text("Back on {day}.", "{day}再来。")
COMES_TOMORROW = Text("Back tomorrow, {day}.", "明天（{day}）再来。")
COMES_TODAY = Text("Once more today.", "今天还会再来一次。")

# Undoing
UNDO = Text("Undo", "撤销")
UNDO_TIP = Text(
    "Take the last answer back, with its rating and date; what was typed stands in its field again.",
    "撤回上一次作答，评分和日期一并还原，输入的内容回到输入框。",
)
NOTHING_TO_UNDO = Text("There is nothing to undo.", "没有可以撤销的。")
UNDONE = Text("Taken back.", "已撤销。")

# The closing page
CLOSING = Text("Done for today", "今天的练习完成了")
SESSION = Text("session", "本次")
ONE_DONE = Text("1 item in {minutes} min", "1 项，用时 {minutes} 分钟")
ITEMS_DONE = Text("{items} items in {minutes} min", "{items} 项，用时 {minutes} 分钟")
FIRST_TRY = Text("{first} of {items} right at the first try", "一次答对 {first}/{items} 项")
TOMORROW = Text("tomorrow", "明天")
WEAKEST = Text("weakest", "薄弱")
LATELY = Text("{section} {title}, {right} of {answers} right lately", "{section} {title}，近期答对 {right}/{answers}")
READ_IT = Text("Read the lesson", "看讲解")
DRILL_IT = Text("Drill: {drill}", "练习：{drill}")
NOTHING_TOMORROW = Text("nothing", "没有安排")
SKIPPED = Text("{count} left out", "跳过 {count} 项")
TO_TODAY = Text("Back to Today", "回到今天")
TO_TODAY_TIP = Text("Leave the session for the page of today.", "结束练习，回到今天的页面。")
LEVEL_ASIDE = Text("level {level}", "难度 {level}")
DOT = same(" · ")
