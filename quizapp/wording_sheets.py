"""What printed sheets say, and what the command that makes them says."""

from __future__ import annotations

from question_bank.text import Text

# On the paper ----------------------------------------------------------------------------------------------------------

NAME = Text("Name", "姓名")
DATE = Text("Date", "日期")
VARIANT = Text("Variant {number}", "第 {number} 卷")
SCORE = Text("Score", "得分")
KEY = Text("Answer key", "参考答案")
KEY_PAGE = Text("Key", "答案")
FOR_MARKING = Text(
    "The codes of all problems, for quizapp mark; one after the other, in any order.",
    "全部题目的代码，供 quizapp mark 批改使用；可按任意顺序逐个扫描。",
)
POINTS = Text("A full answer says:", "完整的回答应包括：")
IN_SHORT = Text("In short: {answer}", "简要回答：{answer}")
TITLE = Text("Drill sheet", "练习卷")
QUESTIONS_TITLE = Text("Interview questions", "面试题")

# What the command says -------------------------------------------------------------------------------------------------

WHAT = Text(
    "What is to be on the sheet? Name drills (or codes), or use --section or --questions.",
    "练习卷上放什么？请写出练习名（或题目代码），或者使用 --section、--questions。",
)
NO_SECTION = Text(
    "Section {section} has no drills; sections that have some: {all}.", "{section} 节没有练习；有练习的小节：{all}。"
)
NO_LEVEL = Text("No drill of section {section} has level {level}.", "{section} 节的练习都没有难度 {level}。")
LEFT_OUT = Text("Without level {level}, left out: {drills}.", "没有难度 {level}，已略过：{drills}。")
TOO_FEW = Text(
    "{drill} has only {there_are} different problems at level {level}; --count asks for more.",
    "{drill} 在难度 {level} 只有 {there_are} 道不同的题，--count 要的太多。",
)
CODES_OR_DRILLS = Text("Name drills or codes, not both on one sheet.", "请只写练习名或只写题目代码，不要混用。")
CODES_ONLY = Text(
    "--count, --level and --seed choose problems; codes name them already.",
    "代码已经指定题目，不能再用 --count、--level、--seed。",
)
ONE_SHEET_OF_CODES = Text(
    "Codes name the problems, so everybody would get the same; --roster and --copies need drills.",
    "代码指定了题目，所有人会得到相同的卷子；--roster 和 --copies 需要练习名。",
)
NOT_BOTH = Text("Use --roster or --copies, not both.", "--roster 和 --copies 只能用一个。")
EACH_OF_WHOM = Text("--each needs --roster or --copies.", "--each 需要和 --roster 或 --copies 一起用。")
EACH_WHERE = Text(
    "With --each, -o names the folder for everybody's PDFs.", "使用 --each 时，请用 -o 指定存放各人 PDF 的文件夹。"
)
NOT_A_CHOICE = Text(
    "{option} should be one of {choices}; “{value}” is not.",
    "{option} 应为 {choices} 之一，“{value}”不是。",
)
ENDING = Text(
    "“{file}” should end with .pdf, .typ or .md; that says what is made.",
    "“{file}”应以 .pdf、.typ 或 .md 结尾，以此决定生成什么。",
)
KEY_ENDING = Text("The key's file should end with {ending} too.", "答案文件也应以 {ending} 结尾。")
KEY_ELSEWHERE = Text("The key can't have the same file as the sheet.", "答案文件不能与练习卷相同。")
KEY_FILE_OF_NONE = Text(
    "--key none makes no key, so there is nothing for --key-file; leave one of them out.",
    "--key none 不生成答案，--key-file 无内容可写；请去掉其中一个。",
)
KEY_WANTS_OUT = Text("--key-file needs -o.", "--key-file 需要和 -o 一起用。")
PROBLEM = (Text("1 problem", "1 题"), Text("{n} problems", "{n} 题"))
SHEET = (Text("1 sheet", "1 份"), Text("{n} sheets", "{n} 份"))
MADE_ONE = Text(
    "{file}: {problems}. To make it again: --seed {seed}",
    "{file}：共 {problems}。用 --seed {seed} 可再次生成。",
)
MADE_NAMED = Text("{file}: {problems}.", "{file}：共 {problems}。")
MADE_FOR_CLASS = Text(
    "{file}: {sheets} of {problems}. To make them again: --seed {seed}",
    "{file}：{sheets}，每份 {problems}。用 --seed {seed} 可再次生成。",
)
MADE_FOR_CLASS_OF_ONE = Text(
    "{file}: {sheets} of {problems}. To make it again: --seed {seed}",
    "{file}：{sheets}，每份 {problems}。用 --seed {seed} 可再次生成。",
)
KEY_IS_IN = Text("Key: {file}", "答案：{file}")
MARK_FROM = Text("To mark: quizapp mark {file}", "批改：quizapp mark {file}")
MAKING = Text("Setting pages", "正在排版")
SHOWN = Text(
    "To print it: the same with --seed {seed} -o sheet.pdf",
    "要打印，请在原命令后加上 --seed {seed} -o sheet.pdf",
)
IN_THE_WAY = Text(
    "{file} is there already, and is no sheet: what the sheet is marked from would replace it. Choose another name for -o.",
    "{file} 已存在，但不是练习卷文件，会被批改用的数据覆盖。请为 -o 换一个文件名。",
)
ONE_OTHER = Text(
    "{folder} has another PDF, {file}, which would mix with these. Take another folder for -o, or move it away.",
    "{folder} 中已有其他 PDF：{file}，会与这次的混在一起。请为 -o 换一个文件夹，或先移走它。",
)
OTHERS = Text(
    "{folder} has other PDFs, {file} and {n} more, which would mix with these. Take another folder for -o, or move them away.",
    "{folder} 中已有其他 PDF：{file} 和另外 {n} 个，会与这次的混在一起。请为 -o 换一个文件夹，或先移走它们。",
)
