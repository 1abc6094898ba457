"""What the lab screen says."""

from __future__ import annotations

from question_bank.text import Text

LAB = Text("Lab", "演示")
LAB_TIP = Text(
    "Try it out: change the numbers and watch everything follow; Esc comes back here.",
    "动手试试：改数字，看各步结果跟着变；按 Esc 回到这里。",
)
LAB_NOW_TIP = Text(
    "Try this problem out: change its numbers and watch every step follow; Esc comes back here.",
    "拿这道题动手试试：改数字，看每一步结果跟着变；按 Esc 回到这里。",
)

GIVEN = Text("given", "给定")
THEN = Text("then", "得到")
AS_IF = Text("Mistake swapped in: {sentence}.", "换上的错误：{sentence}。")
COMPUTING = Text("Computing…", "正在计算……")
STEP_OFF = Text("Switched off: {what}.", "已关掉：{what}。")

MOVE = Text("Move", "移动")
MOVE_TIP = Text(
    "Go from cell to cell, over what is given and what follows from it.", "在各格之间移动，给定的和算出来的都能到。"
)
MORE = Text("Change", "增减")
MORE_TIP = Text("Make the number larger; - or [ makes it smaller.", "把这个数调大；按 - 或 [ 调小。")
LESS_TIP = Text("Make the number smaller.", "把这个数调小。")
TYPE = Text("Type", "输入")
TYPE_TIP = Text(
    "Type another number, such as 2, -0.5, 1/3, ln 2 or -inf; a whole matrix replaces the matrix. A digit starts it too.",
    "输入另一个数，如 2、-0.5、1/3、ln 2、-inf；输入整个矩阵则整体替换。直接敲数字也行。",
)
SWITCH = Text("Off/on", "开关")
SWITCH_TIP = Text("Switch the step off that the cursor is on, or on again.", "关掉光标所在的这一步，再按一次打开。")
MISTAKE = Text("Mistake", "换错误")
MISTAKE_TIP = Text(
    "Swap in the next known mistake of this step, or of any step where the cursor is on something given; after the last, none.",
    "给这一步换上下一种常见错误（光标在给定的数上时，轮换所有步骤的错误）；最后一种之后恢复正确。",
)
TRY = Text("Try", "试试")
TRY_TIP = Text("Show the next thing to look for, with its change made.", "看下一个看点，并替你改好数字。")
WALK_ON = Text("Walk", "逐格走")
WALK_ON_TIP = Text(
    "Go to the next cell that is computed, and show its lines; what comes later stays hidden.",
    "到下一个算出来的格子，列出算式；后面的先不显示。",
)
WALK_BACK = Text("Back", "退一格")
WALK_BACK_TIP = Text("Go back to the cell before.", "退回上一格。")
STEPS = Text("Steps", "步骤")
STEPS_TIP = Text("Show or hide all lines of the step that the cursor is on.", "列出光标所在这一步的全部算式，再按一次收起。")
RESET = Text("Reset", "还原")
RESET_TIP = Text("Put everything back as it was at the start.", "全部恢复到开始时的样子。")
SCENE = Text("Other", "换一个")
SCENE_TIP = Text("Go to the next part of this lab.", "看这个演示的下一部分。")
VIEW = Text("View", "画法")
VIEW_TIP = Text(
    "Draw the value that the cursor is on as numbers, as a heat map or as bars; a given row as sliders too.",
    "光标所在的值换一种画法：数字、热力图、条形；给定的一行数还可以画成滑杆。",
)
SUBMIT = Text("Put in", "填入")
SUBMIT_TIP = Text("Put the typed number in.", "把输入的数填进去。")

COMPUTED = Text("{name} follows from what is given; change that.", "{name} 是算出来的，请改给定的数。")
FIXED = Text("{name} stays as it is in this lab.", "这个演示里 {name} 不改。")
BOUND = Text("{name} goes from {least} to {most} here.", "这里 {name} 只能在 {least} 到 {most} 之间。")
NO_SWITCH = Text("This step can't be switched off. Those that can: {names}.", "这一步不能关。可以关的有：{names}。")
NO_SWITCHES = Text("No step can be switched off here.", "这里没有可以关掉的步骤。")
NO_MISTAKES = Text("No known mistake fits here.", "这里没有可换的常见错误。")
NO_LINES = Text("There are no lines to show here; go to a step that is computed.", "这里没有算式，请移到某个算出来的值上。")
END = Text("That was the last cell.", "已经是最后一格。")
ONE_NUMBER = Text(
    "{name} has {rank} dimensions, and so must what replaces it.", "{name} 是 {rank} 维的，换上的也必须是 {rank} 维。"
)
TOO_MANY = Text("That is too large for this screen: at most {most} numbers.", "太大了，这个页面最多放 {most} 个数。")
NO_SHAPE = Text("A size is a whole number, 1 or more.", "尺寸必须是不小于 1 的整数。")
CHANGE_BY = Text("+ − change it, digits replace it", "+ − 增减，敲数字替换")
OPEN_LAB = Text("Lab: {title}", "演示：{title}")
