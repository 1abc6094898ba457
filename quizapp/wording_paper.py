"""What the application says of sheets: making one, answering one on screen, its marks."""

from __future__ import annotations

from question_bank.text import Text, same

# Home, palette
HOME_LINE = Text("Sheets: answer one on screen, see its marks", "打开已有的卷子，在屏幕上作答并批改")
HOME_NOTE = Text("on paper", "练习卷")
SHEETS_TIP = Text(
    "Open a sheet that was made before, answer it on screen, see the marks.", "打开以前生成的练习卷，在屏幕上作答并批改。"
)
SHEET = Text("Sheet", "练习卷")
SHEET_TIP = Text("Make a sheet on paper from what is selected.", "用选中的内容生成纸质练习卷。")
NO_SHEET_OF_THIS = Text(
    "A sheet is made from a section, a drill, a question or a group of questions. Move to one of them first.",
    "练习卷由小节、练习、面试题或题组生成。请先移到其中一行。",
)
WRONG_TIP = Text("Make a sheet on paper of what was wrong.", "把答错的题做成纸质练习卷。")

# The list of sheets
SHEETS = Text("Sheets", "练习卷")
FILE = Text("file", "文件")
FILE_ABOUT = Text("The .json beside a printed sheet; Enter opens it.", "纸质练习卷旁边的 .json 文件，按 Enter 打开。")
FILE_HINT = same("~/sheet.json")
RECENT = Text("recent", "最近")
NONE_RECENT = Text(
    "No sheets yet. w on a section or a drill of the home screen makes one; so does quizapp sheet.",
    "还没有练习卷。在首页的小节或练习上按 w 即可生成，也可使用 quizapp sheet 命令。",
)
LOOKING = Text("Looking…", "正在查找……")
RECENT_LINE = Text("{title}  {problems} problems, {day}", "{title}　{problems} 题，{day}")
RECENT_CLASS = Text("{title}  {people} people, {day}", "{title}　{people} 人，{day}")
OPEN_FILE = Text("Open", "打开")
OPEN_FILE_TIP = Text("Open the sheet.", "打开练习卷。")
WHOSE = Text("whose", "谁的")

# Answering
OF = Text("{place} of {total}", "第 {place}/{total} 题")
NEXT = Text("Next", "下一题")
NEXT_TIP = Text("Go to the next problem; what is blank is given up.", "转到下一题，空着的算放弃。")
BEFORE = Text("Before", "上一题")
BEFORE_TIP = Text("Go back to the problem before.", "回到上一题。")
MARK = Text("Mark", "批改")
MARK_TIP = Text("Have the sheet marked as it stands.", "按现在的答案批改这份卷子。")
MARKING = Text("Marking…", "正在批改……")
LAST_ONE = Text("That was the last problem. m marks the sheet.", "已是最后一题。按 m 批改。")
BLANKS = Text("Still blank: {numbers}. Blank ones are given up.", "还空着：{numbers}。空着的算放弃。")
NOTHING_HERE = Text("There is nothing on this sheet that can be marked.", "这份练习卷上没有可以批改的题。")

# Marks
MARKS = Text("Marks", "得分")
IN_ALL = Text("in all", "总分")
MARKS_OF = Text("{marks} of {possible} marks", "得 {marks} 分，满分 {possible} 分")
TITLE_CODE = Text("{title}  {code}", "{title}　{code}")
OPEN_LEFT = Text("Interview questions, not marked here: {numbers}", "面试题不在这里批改：{numbers}")
EXPORT = Text("Report", "报告")
EXPORT_TIP = Text("Write the marks into a Markdown file.", "把批改结果写成 Markdown 文件。")
WROTE = Text("Written: {file}", "已写入：{file}")
PRACTISE = Text("Practise it", "去练习")
PRACTISE_TIP = Text("Open this problem as a drill.", "把这道题当作练习打开。")

# Making
MAKE = Text("Make a sheet", "生成练习卷")
GO = Text("Make the PDF", "生成 PDF")
GO_TIP = Text("Make the PDF, and the .json that it is marked from.", "生成 PDF，以及批改用的 .json 文件。")
ABOUT = Text("about", "内容")
FROM_DRILLS = Text("{n} drills: {titles}", "{n} 个练习：{titles}")
FROM_DRILL = Text("{titles}", "{titles}")
FROM_QUESTIONS = Text("{n} interview questions", "{n} 道面试题")
NUMBERS = Text("numbers", "数字")
NUMBERS_ABOUT = Text("Other numbers of the same kind, or those that were wrong.", "同类的新数字，或答错时的原题。")
NEW, SAME = "new", "same"
NUMBERS_CHOICES = {NEW: Text("new", "新的"), SAME: Text("the same", "原题")}
COUNT = Text("problems", "题数")
COUNT_ABOUT = Text("Shared evenly among the drills.", "平均分给各个练习。")
LEVEL = Text("level", "难度")
LEVEL_ABOUT = Text(
    "1 in your head, 2 on paper, 3 with a calculator, 4 real model sizes.", "1 心算，2 笔算，3 用计算器，4 真实模型的规模。"
)
LEVEL_OWN = Text("as chosen", "按所选")
SPOKEN = Text("language", "语言")
SPOKEN_ABOUT = Text("What the sheet is printed in.", "练习卷所用的语言。")
SPOKEN_CHOICES = {"en": same("English"), "zh": same("中文"), "both": Text("both", "双语")}
KEY = Text("key", "答案")
KEY_ABOUT = Text("On pages of its own, behind the questions.", "单独成页，排在题目之后。")
KEY_CHOICES = {"none": Text("none", "不要"), "answers": Text("answers", "仅答案"), "worked": Text("every step", "解题过程")}
PAPER = Text("paper", "纸张")
PAPER_ABOUT = Text("The size of its pages.", "纸张大小。")
PAPER_CHOICES = {"a4": same("A4"), "letter": same("Letter")}
MAKING = Text("Setting the pages…", "正在排版……")
MADE = Text("{file}", "{file}")
MADE_IT = Text("The sheet is ready: {file}", "练习卷已生成：{file}")
OPEN_IT = Text("Answer it on screen", "在屏幕上作答")
FEWER = Text("There are only {n} different ones.", "不同的题只有 {n} 道。")
FROM_WRONG = Text("A sheet on paper of what was wrong", "把答错的题做成纸质练习卷")
PDF = Text("PDF", "PDF")
PDF_TIP = Text("Write the report as a PDF, and say where.", "把报告导出为 PDF，并显示保存位置。")
AFTER_TIP = Text("Make a sheet on paper of the computations asked.", "用面试中的计算题生成纸质练习卷。")
TITLE_WRONG = Text("What was wrong", "错题")
TITLE_INTERVIEW = Text("After the interview", "面试之后")
NOTHING_WRONG = Text("Nothing was wrong.", "没有答错的题。")
READY = Text("made", "已生成")
