"""What ``quizapp doctor`` says."""

from __future__ import annotations

from question_bank.text import Text
from quizapp.doctor_progress import Condition

FILES = Text("files", "文件")
VERSIONS = Text("versions", "版本")
SETTINGS = Text("settings", "设置")
PROGRESS = Text("progress", "学习记录")
BANK = Text("own bank", "自备题库")
TERMINAL = Text("terminal", "终端")
CRASHES = Text("crashes", "崩溃日志")
MENDED = Text("mended", "已修复")

IS_AT = Text("{what}: {path}", "{what}：{path}")
NOT_YET = Text("{what}: {path} (not there yet)", "{what}：{path}（尚未创建）")
DATA_FOLDER = Text("data", "数据")
CONFIG_FOLDER = Text("configuration", "配置")
FOLDER_READ_ONLY = Text("{path} can't be written to.", "{path} 没有写入权限。")

MISSING_PACKAGE = Text("{package} is not installed: {command}", "没有安装 {package}，请运行：{command}")
NOT_IMPORTABLE = Text("{package} can't be loaded: {reason}", "{package} 无法加载：{reason}")
NO_FONTS = Text("the Chinese font for sheets is missing: {path}", "练习卷用的中文字体缺失：{path}")

SETTINGS_FINE = Text("nothing wrong", "没有问题")
SETTINGS_MENDED = Text(
    "{names} set to the default; the file as it was: {backup}", "已将 {names} 改回默认值；原文件保存在 {backup}"
)
SETTINGS_ASIDE = Text("the settings begin anew; the file as it was: {backup}", "设置已重新开始；原文件保存在 {backup}")

CONDITIONS: dict[Condition, Text] = {
    Condition.MISSING: Text("none yet", "还没有记录"),
    Condition.SOUND: Text("{events}, nothing wrong", "{events}，没有问题"),
    Condition.OLDER: Text(
        "{events}, from an older release; brought up to date at the next start, after a backup",
        "{events}，来自旧版本；下次启动时会先备份再升级",
    ),
    Condition.STALE: Text(
        "{events}; what is derived from them (due days, levels) is wrong. --mend makes it anew; no answer is lost.",
        "{events}，但由它们推算的数据（到期日、难度）有误。加上 --mend 可重新推算，作答不会丢失。",
    ),
    Condition.UNREADABLE_EVENTS: Text(
        "{events}, of which {unreadable} can't be read. --mend begins a new file with the others and keeps this one beside it.",
        "{events}，其中 {unreadable} 条无法读取。加上 --mend 会把其余记录转入新文件，原文件保留在旁边。",
    ),
    Condition.DAMAGED: Text(
        "the file is damaged ({reason}). --mend saves what can be read into a new file and keeps this one beside it. "
        "Is there a backup? It can be put in its place.",
        "文件已损坏（{reason}）。加上 --mend 会把还能读出的记录转入新文件，原文件保留在旁边。如有备份，也可直接用备份替换。",
    ),
    Condition.NEWER: Text(
        "the file comes from a newer release of quizapp; install that release. It is not touched.",
        "文件来自更新版本的 quizapp，请升级 quizapp。程序不会改动它。",
    ),
    Condition.FOREIGN: Text(
        "the file is another program's; move it elsewhere. It is not touched.",
        "这是其他程序的文件，请把它移到别处。程序不会改动它。",
    ),
    Condition.LOCKED: Text(
        "another program has the file locked: close that program, then look again.",
        "文件正被另一个程序占用：请关闭那个程序后再检查。",
    ),
    Condition.READ_ONLY: Text(
        "the file can't be written to: answers would be lost at the end of a session. Change its permissions.",
        "文件没有写入权限，退出后作答会丢失。请修改文件权限。",
    ),
    Condition.INACCESSIBLE: Text("the file can't be opened ({reason}).", "文件无法打开（{reason}）。"),
}
REBUILT = Text("due days and levels made anew from the log", "已根据记录重新推算到期日和难度")
SALVAGED = Text(
    "{events} saved into a new progress file; the damaged one: {aside}",
    "已把 {events}转入新的进度文件；损坏的文件保存在 {aside}",
)
NOT_MENDED = Text("could not be mended: {reason}", "无法修复：{reason}")

NO_FOLDERS = Text("none", "没有")
FOLDER_FINE = Text("{folder}: nothing wrong", "{folder}：没有问题")

SIZE = Text("{columns}×{lines}", "{columns}×{lines}")
TOO_SMALL = Text(
    "{columns}×{lines} is too small: {least_columns}×{least_lines} at least",
    "{columns}×{lines} 太小，至少需要 {least_columns}×{least_lines}",
)
ENCODING = Text("encoding {encoding}", "编码 {encoding}")
NOT_UNICODE = Text(
    "encoding {encoding}: Chinese and symbols can't be shown. Set LANG to a UTF-8 locale, or PYTHONUTF8=1.",
    "编码 {encoding}：无法显示中文和符号。请把 LANG 设为 UTF-8，或设置 PYTHONUTF8=1。",
)
COLOURS = Text("colours: {term}", "颜色：{term}")
NO_COLOURS = Text("no colours ({why}): the theme “plain” is for that", "没有颜色（{why}）：可用“无色”主题")
NO_TERMINAL = Text("this is no terminal", "当前不是终端")

NO_CRASHES = Text("none", "没有")
LAST_CRASH = Text("{count}, the last: {file}", "{count}，最近一次：{file}")
WAITING = Text("typed text waits for the next start: {file}", "有未提交的内容，下次启动时恢复：{file}")
