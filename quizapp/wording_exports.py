"""What exported cards, questions and tables say besides the content."""

from __future__ import annotations

from question_bank.text import Text

COURSE = Text("Transformer interview", "Transformer 面试")
QUESTIONS = Text("Questions", "面试题")
FORMULAS = Text("Formulas", "公式")
FORMULA = Text("Formula", "公式")
DRILLS = Text("Drills", "计算练习")

SHORT = Text("In 30 seconds", "30 秒回答")
FULL = Text("In two minutes", "2 分钟回答")
POINTS = Text("Key points", "要点")
PITFALLS = Text("Pitfalls", "误区")
FOLLOW_UPS = Text("Follow-ups", "追问")
SOURCES = Text("Sources: {sources}", "出处：{sources}")
SOURCE = Text("({source})", "（{source}）")
MORE = Text("{title} ({more})", "{title}（{more}）")
SECTION = Text("Section {section}", "课程 {section} 节")

AS_FORMULA = Text("Write it as a formula.", "请写成公式。")
TERMS = Text("Term by term", "逐项拆解")
COMMON_MISTAKES = Text("Common mistakes", "常见误区")

LEVEL = Text("Level {level}", "难度 {level}")
ANSWER = Text("Answer", "答案")
STEPS = Text("Worked steps", "解题过程")
KNOWN_MISTAKES = Text("If you got something else", "如果算出的是别的数")
PART = Text("{label} ({form})", "{label}（{form}）")
NAMED = Text("{name}: {what}", "{name}：{what}")

COARSE = Text(
    "Right as far as it goes, but give all the digits that are asked.", "写出的几位是对的，但位数不够，请写足要求的位数。"
)
RIGHT = Text("Right.", "正确。")
WRITE_SHAPE = Text("Write the shape like [2, 8, 5].", "形状请写成 [2, 8, 5] 这样的形式。")
IN_UNIT = Text("in {unit}; 1 {unit} is ${size}$ bytes", "单位 {unit}，1 {unit} 是 ${size}$ 字节")
IN_BYTES = Text("in bytes", "单位：字节")
DECIMALS = Text("as a decimal, to {n} places", "填小数，保留 {n} 位")
PERCENT = Text("in per cent, without the sign", "填百分数，不写 % 号")
CHOICES = Text("multiple choice", "单选")
YES = Text("yes", "是")
NO = Text("no", "否")
CLAIM = Text("“{claim}”", "“{claim}”")

EITHER = Text("This number can come from more than one mistake.", "不止一种错误会得出这个数。")

# The command -----------------------------------------------------------------------------------------------------------

ENDING = Text("“{file}” should end with .{ending}.", "“{file}”应以 .{ending} 结尾。")
WROTE = Text("{file}: {what}.", "{file}：{what}。")
_QUESTION, _QUESTIONS = Text("1 question", "面试题 1 道"), Text("{n} questions", "面试题 {n} 道")
_LESSON, _LESSONS = Text("1 lesson", "讲解 1 节"), Text("{n} lessons", "讲解 {n} 节")
_PROBLEM, _PROBLEMS = Text("1 problem", "练习题 1 道"), Text("{n} problems", "练习题 {n} 道")


def how_many(questions: int, lessons: int, problems: int) -> Text:
    """Say how much there is of each, of what there is at all."""
    kinds = ((questions, _QUESTION, _QUESTIONS), (lessons, _LESSON, _LESSONS), (problems, _PROBLEM, _PROBLEMS))
    found = [one if n == 1 else several.fill(n=n) for n, one, several in kinds if n]
    return Text(", ".join(each.en for each in found), "，".join(each.zh for each in found))
