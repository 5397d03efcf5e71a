"""A page and its Korean twin say the same, and the glossary is in both languages.

Every check is a function of text that returns what is wrong, so that damaged texts can be given to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TWINS = [("README.md", "README.ko.md"), ("docs/students.md", "docs/students.ko.md")]
GLOSSARY = "docs/glossary.md"
HANGUL = re.compile(r"[가-힣]")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[([^\]]*)\]\(([^()\s]+)\)")
NEW_PARAGRAPH = re.compile(r"#|\||>|[-*] |\d+\. ")
TAG = re.compile(r"<[^<>]*>")
LONG = 60  # characters; a shorter paragraph may hold only names


def outside_code(text: str) -> str:
    return FENCE.sub("\n", text)


def headings(text: str) -> list[str]:
    return re.findall(r"^(#+) ", outside_code(text), re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """Cells of every row of every table, headings and rules included."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in outside_code(text).splitlines()
        if line.startswith("|")
    ]


def row_keys(text: str) -> list[tuple[str, list[str]]]:
    """What a row and its twin have in common: code in the first cell, and the numbers."""
    return [
        (" ".join(CODE.findall(cells[0])), sorted(re.findall(r"\d+", TAG.sub("", " ".join(cells)))))
        for cells in rows(text)
    ]


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, list items, headings and rows outside code, without the code in their lines and without addresses."""
    lines: list[str] = []
    for line in [*outside_code(text).splitlines(), ""]:
        if lines and (not line.strip() or NEW_PARAGRAPH.match(line)):
            yield CODE.sub("", LINK.sub(r"\1", " ".join(lines)))
            lines = []
        if line.strip():
            lines.append(line.strip())


def kinds(text: str) -> list[str]:
    """Whether each paragraph is a heading, a row, an item of a list or plain text."""
    markers = (NEW_PARAGRAPH.match(paragraph) for paragraph in paragraphs(text))
    return [re.sub(r"\d+", "1", marker[0]).strip() if marker else "text" for marker in markers]


def differences(what: str, english: Iterable[object], korean: Iterable[object]) -> list[str]:
    return [f"{what} {i}: {a} and {b}" for i, (a, b) in enumerate(zip_longest(english, korean)) if a != b]


def unlike(english: str, korean: str) -> list[str]:
    """Return where the twins' structure, code or numbers differ."""
    return [
        *differences("heading", headings(english), headings(korean)),
        *differences("paragraph", kinds(english), kinds(korean))[:1],
        *differences("code block", FENCE.findall(english), FENCE.findall(korean)),
        *differences("row", row_keys(english), row_keys(korean)),
    ]


def unlinked(text: str, twin: str) -> list[str]:
    """Return the first line below the title if it isn't a link to the twin."""
    lines = [line for line in text.splitlines() if line.strip()]
    link = LINK.fullmatch(lines[1])
    return [] if link and link[2] == twin else [lines[1]]


def broken_links(text: str, exists: Callable[[str], bool]) -> list[str]:
    """Return the relative links that lead nowhere."""
    targets = [link[2].partition("#")[0] for link in LINK.finditer(outside_code(text)) if "://" not in link[2]]
    return [target for target in targets if target and not exists(target)]


def not_korean(text: str) -> list[str]:
    """Return long paragraphs without Hangul."""
    return [p for p in paragraphs(text) if len(p) > LONG and re.search("[A-Za-z]", p) and not HANGUL.search(p)]


def bad_terms(text: str, notebooks: Iterable[str]) -> list[str]:
    """Return rows of the glossary that are incomplete, in the wrong language, of no notebook, or out of order."""
    heading, rule, *terms = rows(text)
    bad = []
    last = ""
    for cells in terms:
        english, korean, meaning, number = (*cells, "", "", "", "")[:4]
        first, _, second = meaning.partition("<br>")
        good = len(cells) == 4 and english.casefold() > last and number in notebooks
        good = good and not any(map(HANGUL.search, (english, first, number))) and bool(english and first)
        if not (good and HANGUL.search(korean) and HANGUL.search(second)):
            bad.append(" | ".join(cells))
        last = english.casefold()
    return bad


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(("english", "korean"), TWINS, ids=[english for english, _ in TWINS])
def test_a_page_and_its_twin_agree(english: str, korean: str):
    assert unlike(read(english), read(korean)) == []
    assert unlinked(read(english), Path(korean).name) == []
    assert unlinked(read(korean), Path(english).name) == []
    assert not_korean(read(korean)) == []


@pytest.mark.parametrize("page", [*(page for twins in TWINS for page in twins), GLOSSARY])
def test_every_relative_link_leads_somewhere(page: str):
    assert broken_links(read(page), lambda target: (ROOT / page).parent.joinpath(target).exists()) == []


def test_every_term_is_in_both_languages():
    notebooks = {path.name[:2] for path in (ROOT / "solutions").glob("[0-9][0-9]-*")}
    assert len(rows(read(GLOSSARY))) > 50
    assert bad_terms(read(GLOSSARY), notebooks) == []


ENGLISH = """# Course

[한국어](PAGE.ko.md)

Hand in the notebook; see the [limits](limits.md#time) and https://example.org for more.

## Run

```
# not a heading
./run demo  # shows the gradebook
```

| command | points |
|---|---|
| `01-one` | 20 |
| `02-two` | 5 of 7 |

- The first item of a list.
- The second item of a list.
"""
KOREAN = """# 과정

[English](PAGE.md)

노트북을 제출하세요. 자세한 것은 [제한](limits.md#time)과 https://example.org 를 보세요.

## 실행

```
# not a heading
./run demo  # shows the gradebook
```

| 명령 | 점수 |
|---|---|
| `01-one` | 20 |
| `02-two` | 7개 가운데 5개 |

- 목록의 첫째 항목입니다.
- `a name that is quite long, longer than sixty characters, and no sentence at all`
"""
TERMS = """# Glossary

| English | 한국어 | What it is | Notebook |
|---|---|---|---|
| head | 헤드 | A small attention.<br>작은 어텐션이다. | 01 |
| Mask | 마스크 | It hides `(1, 2)`.<br>가린다. | 02 |
"""


def wrong(english: str, korean: str) -> set[str]:
    """Return the checks that find something."""
    found = {
        "no link to the twin": [*unlinked(english, "PAGE.ko.md"), *unlinked(korean, "PAGE.md")],
        "broken link": broken_links(korean, {"PAGE.md", "limits.md"}.__contains__),
        "not Korean": not_korean(korean),
    }
    return {line.partition(" ")[0] for line in unlike(english, korean)} | {name for name in found if found[name]}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("\n## 실행\n", "\n", {"heading", "paragraph"}),
        ("## 실행", "### 실행", {"heading"}),
        ("# shows the gradebook", "# 성적부를 보여 준다", {"code"}),
        ("```\n# not", "```bash\n# not", {"code"}),
        ("| `02-two` | 7개 가운데 5개 |\n", "", {"row", "paragraph"}),
        ("`02-two`", "`02-zwei`", {"row"}),
        ("`02-two`", "02-two", {"row"}),
        ("7개 가운데 5개", "7개 가운데 6개", {"row"}),
        ("[English](PAGE.md)\n\n", "", {"no link to the twin", "paragraph"}),
        ("(PAGE.md)", "(OTHER.md)", {"no link to the twin", "broken link"}),
        ("limits.md#time", "limit.md#time", {"broken link"}),
        (
            "노트북을",
            "A paragraph that nobody has put into Korean and that is not short.\n\n노트북을",
            {"not Korean", "paragraph"},
        ),
        ("- 목록의 첫째 항목입니다.\n", "", {"paragraph"}),
        (
            "목록의 첫째 항목입니다.",
            "An item that nobody has put into Korean, over\n  two lines, and not short.",
            {"not Korean"},
        ),
    ],
)
def test_a_damaged_twin_is_seen(old: str, new: str, found: set[str]):
    assert wrong(ENGLISH, KOREAN) == set()
    assert wrong(ENGLISH, KOREAN.replace(old, new)) == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| 헤드 |", "| head |"),
        ("| 헤드 ", ""),
        ("<br>가린다.", ""),
        ("가린다.", "It hides."),
        ("A small attention.", "작은 어텐션이다."),
        ("| 02 |", "| 12 |"),
        ("| 02 |", "| 02 | 03 |"),
        ("| Mask |", "| Head |"),
        ("| Mask |", "| attention |"),
        ("| Mask |", "| 마스크 |"),
    ],
)
def test_a_damaged_glossary_is_seen(old: str, new: str):
    assert bad_terms(TERMS, {"01", "02"}) == []
    assert len(bad_terms(TERMS.replace(old, new), {"01", "02"})) == 1
