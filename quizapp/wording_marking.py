"""What is said of marked sheets, and what the command that marks them says."""

from __future__ import annotations

from question_bank.text import Text, same

# Files of answers ------------------------------------------------------------------------------------------------------

CANNOT_READ = Text("The answers in {file} can't be read: {reason}.", "无法读取答案文件 {file}：{reason}。")
TOO_LARGE = Text("the file is too large", "文件太大")
NOT_TEXT = Text(
    "it is not UTF-8 text (line {line}); in a spreadsheet, save it as “CSV UTF-8”",
    "它不是 UTF-8 文本（第 {line} 行），请在表格软件中另存为“CSV UTF-8”格式",
)
NO_LINES = Text("it has no answers", "文件中没有答案")

BROKEN_QUOTE = Text("a quotation mark opens here and is never closed", "这里的引号没有配对")
BROKEN = Text(
    "not readable as CSV: something stands behind a closing quotation mark, or a cell is far too long",
    "不是有效的 CSV：右引号之后还有别的内容，或者某一格太长",
)
THREE_CELLS = Text(
    "person, problem and answer are expected, parted by commas or semicolons",
    "应有姓名、题号、答案三项，用逗号或分号隔开",
)
TWO_CELLS = Text("problem and answer are expected", "应有题号和答案两项")
MORE_CELLS = Text("{found} cells, but the first line names {named}", "这一行有 {found} 格，而首行只有 {named} 格")
NO_PERSON = Text("the person is missing", "缺少姓名")
NO_PROBLEM = Text("the number or the code of the problem is missing", "缺少题号或题目代码")
NOBODY = Text("nobody called “{name}” has a sheet", "没有发给“{name}”的卷子")
NO_VARIANT = Text(
    "“{name}” should be the number of a variant, 1 to {last}, or the problem should be given by its code",
    "“{name}”应为卷号（1 到 {last}），或者用题目代码代替题号",
)
NEAREST = Text("; is it {near}?", "；是不是 {near}？")
NO_NUMBER = Text("there is no problem {number}; they go from 1 to {last}", "没有第 {number} 题，题号为 1 到 {last}")
NOT_A_PROBLEM = Text(
    "“{cell}” is neither the number of a problem, such as 3 or 3b, nor a code",
    "“{cell}”既不是题号（如 3、3b），也不是题目代码",
)
NO_PART = Text("problem {number} has no part “{part}”; it has {parts}", "第 {number} 题没有“{part}”部分，它有 {parts}")
ONE_PART = Text("problem {number} has one part only, not “{part}”", "第 {number} 题只有一问，没有“{part}”")
TWO_READINGS = Text(
    "“{cell}” can be part {letter} or the part called {name}; write {number}{other} for that one",
    "“{cell}”可以是 {letter} 部分，也可以是名为 {name} 的部分；若指后者，请写 {number}{other}",
)
WHICH_PART = Text("problem {number} has several parts; write {parts}", "第 {number} 题有多个部分，请写 {parts}")
PART_IS = Text("{letter} ({name})", "{letter}（{name}）")
OTHER_SHEET = Text("{code} is not on this sheet", "这份卷子上没有 {code}")
WHOSE_SHEET = Text("{code} is on the sheet of {other}", "{code} 是 {other} 那份卷子上的题")
VARIANT = Text("variant {number}", "第 {number} 卷")
TWICE = Text("this was answered on line {line} already, otherwise", "第 {line} 行已有这一问的答案，且内容不同")
OPEN_QUESTION = Text(
    "{number} is an interview question, which is compared with its key by hand",
    "第 {number} 题是面试题，请对照参考要点人工批改",
)
LINE_SAYS = Text("line {line}: {what}", "第 {line} 行：{what}")

# Reports ---------------------------------------------------------------------------------------------------------------

MARKS = Text("{marks} of {possible}", "{marks}/{possible}")
COLON = Text(": ", "：")
TRANSPOSED = Text("This is the right matrix, transposed.", "你写的是正确答案的转置。")
"""What the grader says of a matrix that lies on its side."""
TRANSPOSED_MISTAKE = Text("You gave the right matrix, transposed", "你写的是正确答案的转置")
PROBLEM_LINE = Text("{number}", "第 {number} 题")
CODES_TITLE = Text("Problems", "题目")
NOBODYS = Text("the sheet", "本卷")
ONE_PERSON = Text("1 person, {mean} of {possible} marks", "共 1 人，得 {mean} 分，满分 {possible} 分")
PEOPLE = Text("{n} people, on average {mean} of {possible} marks", "共 {n} 人，平均 {mean} 分，满分 {possible} 分")
ABSENT = Text("No answers from: {names}", "没有答案：{names}")
OPEN_LEFT = Text("Interview questions are not marked here: {numbers}.", "面试题不在这里批改：{numbers}。")
NOT_REACHED = Text("Not reached: {numbers}", "还没做到：{numbers}")
MARKS_HEADING = Text("Marks", "得分")
PROBLEMS_HEADING = Text("Problems", "各题情况")
MISTAKES_HEADING = Text("Mistakes of the class", "全班常见错误")
OWN_MISTAKES_HEADING = Text("Mistakes", "错误")
DETAILS_HEADING = Text("What was not right", "未得分的答案")
BAD_HEADING = Text("Lines not marked", "未批改的行")
RIGHT_OF = Text("{right} of {people} right", "{people} 人中 {right} 人全对")
TIMES = Text("{n}×", "{n} 次")
BY_PEOPLE = Text("{people}", "{people}")
AND_MORE = Text("{names} and {n} more", "{names} 等 {n} 人")
YOURS = Text("given", "所答")
RIGHT_ANSWER = Text("right", "答案")
LEFT_BLANK = Text("left blank", "未作答")
NAME_COLUMN = Text("person", "姓名")
TOTAL_COLUMN = Text("marks", "得分")
PROBLEM_COLUMN = Text("problem", "题目")
ALL_RIGHT = Text("Everything is right.", "全部正确。")

# The command -----------------------------------------------------------------------------------------------------------

SAID = Text(
    "Mark a printed sheet: from its .json, the codes on it, or the text of its QR code on stdin (-).\n"
    "Asks for the answers one by one; an empty line gives a part up, {keys} ends. With --answers, marks a whole class.\n"
    "Exit code: 0 marked, 2 command misused, 3 some line or answer could not be read, 4 internal error.",
    "批改纸质练习卷：可以给出它的 .json 文件、卷面上的题目代码，或者从标准输入（-）给出二维码的文字。\n"
    "默认逐题询问答案，空行表示放弃，按 {keys} 结束；用 --answers 可一次批改全班。\n"
    "退出码：0 已批改，2 命令用法有误，3 有的行或答案无法读取，4 内部错误。",
)
BRIEF = Text("Mark the answers to a printed sheet.", "批改纸质练习卷的答案。")
ANSWERS_OPTION = Text(
    "A CSV file with the columns person, problem (3, 3b or a code), answer.",
    "答案 CSV 文件，三列依次为姓名、题号（3、3b 或题目代码）、答案。",
)
FORMAT_OPTION = Text("The form of the report; by the file's ending, else text.", "报告格式，默认看文件后缀，否则为 text。")
OUT_OPTION = Text("The file, such as marks.csv.", "输出文件，如 marks.csv。")
WHAT = Text(
    "Mark what? Name the .json of a sheet, or the codes printed on it; - reads the text of its QR code from stdin.",
    "要批改哪份卷子？请给出它的 .json 文件或卷面上的题目代码；- 表示从标准输入读取二维码的文字。",
)
ONE_SHEET = Text("Name one sheet, or codes; not both.", "请只给出一份卷子，或者只给出代码。")
NO_PROBLEMS = Text("There is no problem on this sheet that can be marked.", "这份卷子上没有可以批改的题目。")
ENDING = Text(
    "“{file}” should end with .csv, .json, .md or .txt; or say --format.",
    "“{file}”应以 .csv、.json、.md 或 .txt 结尾，或者用 --format 指明格式。",
)
SAME_FILE = Text("-o would write over the sheet or the answers.", "-o 会覆盖练习卷或答案文件。")
WROTE = Text("{file}: {people} marked.", "{file}：已批改 {people} 份。")
BAD_LINES = Text("Lines not marked: {n}. They are in the report.", "有 {n} 行未能批改，已列在报告里。")
UNREADABLE_ANSWERS = Text("Answers that can't be read: {n}.", "无法读取的答案：{n} 个。")
NO_TERMINAL = Text(
    "No answers follow on stdin, and there is no terminal to ask at; use --answers.",
    "标准输入里没有答案，也没有终端可以逐题输入，请使用 --answers。",
)

# Asking ----------------------------------------------------------------------------------------------------------------

HOW = Text(
    "Type each answer as it stands on the paper. An empty line gives a part up; {keys} ends.",
    "请照卷面逐个输入答案。空行表示放弃，按 {keys} 结束。",
)
PASTE = Text("Paste the text of the QR code, or type codes:", "请粘贴二维码的文字，或输入题目代码：")
PASTE_PART = Text("Part {part} of {parts} is there; the next:", "已有第 {part}/{parts} 个，请继续：")
WHOSE = Text("Whose sheet? (an empty line ends)", "谁的卷子？（空行结束）")
ASK_PART = Text("{number}  {label} ({form}): ", "{number}  {label}（{form}）：")
AGAIN = Text("{message} Once more:", "{message}请重新输入：")
TOTAL = Text("{marks} of {possible} marks.", "得 {marks} 分，满分 {possible} 分。")
WHO = Text("{name}:", "{name}：")

KEY_TO_END = same("Ctrl+D")
