"""Why the system refuses a file is said in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from question_bank.system_errors import why
from question_bank.text import same


@pytest.mark.parametrize(
    ("what", "chinese"), [("missing", "不存在"), (".", "文件夹"), ("file/below", "不是文件夹"), ("n" * 300, "太长")]
)
def test_what_the_system_says_is_said_in_chinese_too(tmp_path: Path, what: str, chinese: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r".") as caught:
        (tmp_path / what).read_bytes()
    said = why(caught.value)
    assert chinese in said.zh
    assert said.en.isascii()


def test_anything_else_is_as_it_was_said() -> None:
    assert why(OSError(0, "odd")) == same("odd")
    assert why(ValueError("embedded null byte")) == same("embedded null byte")
