"""Why the system refuses a file, in both languages; the system itself says it in its own."""

from __future__ import annotations

import errno

from question_bank.text import Text, same

_DENIED = Text("permission is denied", "没有权限")
_TOO_MANY = Text("too many files are open", "打开的文件太多")
_REASONS = {
    errno.ENOENT: Text("there is no such file or folder", "文件或文件夹不存在"),
    errno.ENOTDIR: Text("a part of its path is no folder", "路径中有一段不是文件夹"),
    errno.EISDIR: Text("it is a folder", "这是一个文件夹"),
    errno.EEXIST: Text("there is something of that name already", "已有同名的文件或文件夹"),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EROFS: Text("the disk can only be read", "该磁盘是只读的"),
    errno.ENOSPC: Text("the disk is full", "磁盘已满"),
    errno.EDQUOT: Text("the disk quota is used up", "磁盘配额已用完"),
    errno.EFBIG: Text("the file would be larger than is allowed", "文件超过允许的大小"),
    errno.EIO: Text("the disk reports an error", "磁盘读写出错"),
    errno.EBUSY: Text("it is in use", "文件正被占用"),
    errno.ELOOP: Text("its links go round in a circle", "链接绕成了一圈"),
    errno.ENAMETOOLONG: Text("the name is too long", "文件名太长"),
    errno.EMFILE: _TOO_MANY,
    errno.ENFILE: _TOO_MANY,
}


def why(fault: Exception) -> Text:
    """Return the reason of an ``OSError``; what isn't known here, or isn't the system's, is as it was said."""
    if isinstance(fault, OSError):
        return _REASONS.get(fault.errno or 0, same(fault.strerror or str(fault)))
    return same(str(fault))
