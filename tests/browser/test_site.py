"""The course's site from the disk: for every reader, on a phone and on paper, and its search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.site.build import build_site
from autograder.sources.course import Course
from browser import PAPER, Watched, looked_at
from browser.conftest import Opens
from browser.test_pages import SCREENS

pytestmark = pytest.mark.browser

PAGES = ["index", "02-attention", "10-modern-transformer", "glossary", "guide", "search"]
LANGUAGES = ["en", "ko"]


@pytest.fixture(scope="module")
def site(chromium_wanted: None, course: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this course, with those outputs of its given cells that are kept."""
    folder = tmp_path_factory.mktemp("site")
    build_site(course, folder)
    return folder


@pytest.fixture
def first_page(site: Path, opens: Opens) -> Iterator[Watched]:
    yield opens(site / "en" / "index.html")


@pytest.mark.parametrize(("name", "language", "screen"), looked_at(PAGES, LANGUAGES, ["light", "dark", "phone"]))
def test_a_page_is_readable_by_all_and_asks_nobody(
    site: Path, opens: Opens, name: str, language: str, screen: str
) -> None:
    watched = opens(site / language / f"{name}.html", **SCREENS[screen])
    watched.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    watched.screenshot(f"site-{name}-{language}-{screen}")
    assert watched.page.locator("html").get_attribute("lang") == language
    assert watched.overflow() <= 0
    assert watched.violations() == []
    assert watched.outside() == [] and all(url.startswith(site.as_uri()) for url in watched.asked)
    assert watched.complaints == []


@pytest.mark.parametrize("screen", ["light", "phone"])
@pytest.mark.parametrize("name", ["index", "02-attention", "search"])
def test_the_tab_key_reaches_every_link_and_scroll_region(site: Path, opens: Opens, name: str, screen: str) -> None:
    assert opens(site / "en" / f"{name}.html", **SCREENS[screen]).unreachable() == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_paper(site: Path, opens: Opens, name: str) -> None:
    watched = opens(site / "ko" / f"{name}.html", viewport=PAPER)
    watched.page.emulate_media(media="print")
    watched.screenshot(f"site-{name}-print")
    assert watched.overflow() <= 0
    assert not watched.page.locator(".bar").is_visible()


def test_the_first_stop_of_the_tab_key_leads_past_the_navigation(first_page: Watched) -> None:
    page = first_page.page
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    box = skip.bounding_box()
    assert box is not None and box["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize(("locale", "language"), [("ko-KR", "ko"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_page_above_goes_on_in_the_readers_language(site: Path, opens: Opens, locale: str, language: str) -> None:
    page = opens(site / "index.html", locale=locale).page
    page.wait_for_url(f"**/{language}/index.html")
    page.go_back()  # not into a trap
    assert page.url == "about:blank"


def test_without_javascript_everything_but_the_search_is_there(site: Path, opens: Opens) -> None:
    page = opens(site / "index.html", java_script_enabled=False).page
    page.get_by_role("link", name="한국어").click()
    page.get_by_role("link", name="02 스케일드 닷 프로덕트 어텐션").last.click()
    assert page.locator("h1").inner_text() == "스케일드 닷 프로덕트 어텐션"
    page.goto((site / "ko" / "search.html").as_uri())
    assert page.get_by_text("자바스크립트가 필요합니다").is_visible()


def test_a_page_changes_its_language_in_place(site: Path, opens: Opens) -> None:
    page = opens(site / "en" / "03-multi-head-attention.html").page
    page.get_by_role("link", name="한국어").click()
    assert page.url.endswith("/ko/03-multi-head-attention.html")


def found(page: Any) -> list[str]:
    return page.locator("#found a").all_inner_texts()


def test_the_search_finds_headings_terms_and_text_and_leads_to_them(first_page: Watched) -> None:
    from playwright.sync_api import expect

    page = first_page.page
    page.get_by_role("searchbox").fill("label smoothing")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=label+smoothing")
    assert found(page)[0].endswith(": label smoothing") and len(found(page)) > 2
    assert page.locator("#found mark").count() > 2
    box = page.get_by_role("searchbox")
    box.fill("orthogonal vector")
    expect(page.locator("#count")).to_have_text("1 place")
    box.fill("xylophone")
    expect(page.locator("#count")).to_have_text("Nothing was found.")
    box.fill("<img src=x onerror=alert(1)>")
    assert page.locator("#found img").count() == 0
    box.fill("softmax weights")
    page.locator("#found a", has_text="Task 1: softmax").click()
    expect(page.get_by_role("heading", name="Task 1: softmax")).to_be_in_viewport()
    assert first_page.complaints == [] and first_page.outside() == []


def test_the_search_finds_korean_words_in_any_form(site: Path, opens: Opens) -> None:
    page = opens(site / "ko" / "search.html").page
    page.get_by_role("searchbox").fill("소프트맥스")
    whole = len(found(page))
    page.get_by_role("searchbox").fill("소프트맥스".encode().decode()[:3])
    assert len(found(page)) >= whole > 5


def test_how_soon_text_is_painted_is_measured(site: Path, opens: Opens, record_property: Any) -> None:
    """A busy machine says nothing about the pages, so no bound is held; `--junit-xml` keeps the figures."""
    for name in PAGES:
        page = opens(site / "en" / f"{name}.html").page
        page.locator("h1").first.wait_for()
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)")
        record_property(f"{name}_first_paint_ms", painted)
