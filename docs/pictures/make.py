"""Make the documents' pictures of the feedback page, the class report and the site, and take that of a notebook from the browser tests.

./run demo 02-attention
./run autograder site
BROWSER_SCREENSHOTS=shots EXTRAS=test,browser ./run tests tests/browser/test_student.py -k sees_what
python docs/pictures/make.py demo-class shots

The picture of whatever isn't there stays as it is.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
ASSIGNMENT = "02-attention"
FEEDBACK = "feedback/mistake-scores-keys-by-queries/02-attention/scaled_dot_product_attention.html"
CHROMIUM = "/usr/bin/chromium"
WIDTH = 1000  # pixels
COLOURS = 96
NOTEBOOK = (285, 28, 1245, 700)  # of the picture of JupyterLab: left, top, right, bottom
MAX_BYTES = 200_000


def save(png: bytes | Path, name: str, box: tuple[int, int, int, int] | None = None) -> None:
    """Write a picture, cut to a box and to a few colours, and hold it to its size."""
    image = Image.open(io.BytesIO(png) if isinstance(png, bytes) else png).convert("RGB")
    image = image.crop(box) if box else image
    path = HERE / name
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise SystemExit(
            f"A picture must have at most {MAX_BYTES} bytes. Received: {name} with {size}. Cut it smaller."
        )
    print(f"{path.relative_to(HERE.parent.parent)}: {image.width} x {image.height}, {size // 1000} kB")


def main(demo: Path, shots: Path | None = None) -> None:
    """Write the pictures beside this file; the site is looked for in the working directory."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, page, height in (
            ("feedback.png", demo / FEEDBACK, 940),
            ("report.png", demo / "reports" / f"{ASSIGNMENT}.html", 940),
            ("site.png", Path("site", "en", "index.html"), 880),
        ):
            if not page.is_file():
                continue
            window = browser.new_page(viewport={"width": WIDTH, "height": height})
            window.goto(page.resolve().as_uri())
            save(window.screenshot(), name)
        browser.close()
    if shots:
        save(shots / "student-wrong.png", "notebook.png", NOTEBOOK)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
