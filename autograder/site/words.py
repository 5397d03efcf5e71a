"""What the pages of the site say besides the course's own texts."""

from __future__ import annotations

from autograder.base.text import Text

NAMES = {"en": "English", "ko": "한국어"}  # of the languages, in themselves
WORDS = {
    "home": Text("Course", "과정 소개"),
    "guide": Text("Students' guide", "학생 안내"),
    "glossary": Text("Glossary", "용어집"),
    "search": Text("Search", "검색"),
    "search_label": Text("Search the notebooks, the glossary and the guide", "노트북, 용어집, 안내에서 찾기"),
    "search_needs": Text(
        "Searching needs JavaScript. Without it, use your browser's own search on the pages.",
        "검색하려면 자바스크립트가 필요합니다. 쓸 수 없다면 페이지마다 브라우저의 찾기 기능을 쓰세요.",
    ),
    "found_none": Text("Nothing was found.", "찾은 것이 없습니다."),
    "found_one": Text("1 place", "1곳"),
    "found_many": Text("{} places", "{}곳"),
    "found_first": Text("{} places, of which the first {} are shown", "{}곳 가운데 처음 {}곳"),
    "skip": Text("To the content", "본문으로 건너뛰기"),
    "navigation": Text("Pages", "페이지"),
    "language": Text("Language", "언어"),
    "contents": Text("On this page", "이 페이지의 내용"),
    "notebooks": Text("The notebooks", "노트북"),
    "open_in": Text("Open in {}", "{}에서 열기"),
    "download": Text("Download", "내려받기"),
    "task": Text("Task", "과제"),
    "difficulty": Text("Difficulty", "난이도"),
    "minutes": Text("Minutes", "시간(분)"),
    "points": Text("Points", "점수"),
    "of": Text("{} of {}", "{}/{}"),
    "worth": Text("{} points", "{}점"),
    "bonus": Text("{} bonus points", "보너스 {}점"),
    "takes": Text("about {} minutes", "{}분쯤"),
    "due": Text("due", "마감"),
    "tasks_of": Text("Tasks of {}", "{}의 과제"),
    "answer": Text("You write", "직접 쓰는 셀"),
    "carry_over": Text("You bring along", "앞에서 만든 코드를 넣는 셀"),
    "check": Text("Public checks", "공개 검사"),
    "setup": Text("Given code", "주어진 코드"),
    "picture": Text("Picture that the cell above draws", "위의 셀이 그리는 그림"),
    "printed": Text("What the cell above prints", "위의 셀이 출력하는 것"),
    "shown": Text(
        "Pictures and printed lines below given cells are what you see, too, once the answers that they use are right.",
        "주어진 셀 아래의 그림과 출력은 그 셀이 쓰는 답을 바르게 작성하고 나면 여러분에게도 보이는 것입니다.",
    ),
    "before": Text("Before", "이전"),
    "next": Text("Next", "다음"),
}
