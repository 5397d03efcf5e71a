"""Draw the notebooks' diagrams: `python solutions/_shared/diagrams/draw.py` writes an SVG a diagram and language beside this file."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from svg import Diagram  # noqa: E402  (found only beside this file)

LANGUAGES = ("en", "ko")


def _part(d: Diagram, here: str, number: str, x: float, y: float, width: float, words: tuple[str, str]) -> None:
    """Draw a part of the whole model and the numbers of the notebooks about it; filled if the present one is among them."""
    is_here = here in number.split()
    d.labelled(x, y, width, 26, [d.say(*words)], "here" if is_here else "box", 13)
    d.text(x + width + 6, y + 17, number, 11, "start", "ink" if is_here else "soft", bold=is_here)


def whole_model(language: str, here: str) -> str:
    """Draw the Transformer with the parts that one notebook is about.

    Args:
        language: language of the words, `en` or `ko`.
        here: the notebook's number, such as `03`.
    """
    d = Diagram(720, 430, language)
    left, right, wide = 60, 400, 190
    middles = left + wide / 2, right + wide / 2
    feed_forward, residual = ("feed-forward", "피드포워드"), ("sum, normalisation", "덧셈, 정규화")
    columns = (
        (
            left,
            151,
            [("05", residual), ("05", feed_forward), ("05", residual), ("02 03 04", ("self-attention", "셀프 어텐션"))],
        ),
        (
            right,
            87,
            [
                ("05", residual),
                ("05", feed_forward),
                ("05", residual),
                ("02 03 04", ("attention over memory", "교차 어텐션")),
                ("05", residual),
                ("02 03 04", ("self-attention, masked", "마스크드 셀프 어텐션")),
            ],
        ),
    )
    for (x, top, parts), middle, kind in zip(
        columns, middles, (("encoder", "인코더"), ("decoder", "디코더")), strict=True
    ):
        d.box(x - 16, top - 12, wide + 80, 291 - top, "none", "5 4")
        d.text(x + wide + 62, top - 20, d.say(f"{kind[0]} block × N", f"{kind[1]} 블록 × N"), 12, "end", "soft")
        for row, (number, words) in enumerate(parts):
            _part(d, here, number, x, top + 32 * row, wide, words)
        _part(d, here, "01", x, 306, wide, ("+ positions", "+ 위치"))
        _part(d, here, "06", x, 352, wide, ("embedding", "임베딩"))
        d.arrow((middle, 396), (middle, 380))
        d.arrow((middle, 351), (middle, 334))
        d.arrow((middle, 305), (middle, 281))
    d.text(middles[0], 412, d.say("source ids", "소스 ID"), 13)
    d.text(middles[1], 412, d.say("target ids so far", "지금까지의 타깃 ID"), 13)
    if here == "09":
        d.text(middles[0] + 46, 412, d.say("BERT: this side alone", "BERT는 이쪽만"), 12, "start", bold=True)
        d.text(middles[1] + 66, 412, d.say("GPT: no memory", "GPT는 메모리 없이"), 12, "start", bold=True)
    d.arrow((middles[0], 138), (middles[0], 90), (346, 90), (346, 196), (right - 2, 196))
    d.text(middles[0] + 8, 82, d.say("memory", "메모리"), 12, "start", "soft")
    # what goes on around it
    _part(d, here, "06", right, 18, wide, ("output over the vocabulary", "어휘에 대한 출력"))
    d.arrow((middles[1], 74), (middles[1], 46))
    _part(d, here, "07 08 09", 20, 18, 104, ("training", "학습"))
    _part(d, here, "07 09", 190, 18, 104, ("decoding", "디코딩"))
    d.arrow((right - 2, 31), (346, 31))
    return d.svg()


def clock_hands(language: str) -> str:
    """Draw the hands of the first three pairs of a table of 16 columns at the first positions."""
    d = Diagram(720, 330, language)
    dim = 16
    rates = [10000 ** (-2 * pair / dim) for pair in range(3)]
    d.text(20, 28, d.say("position p", "위치 p"), 14, "start", bold=True)
    for p in range(6):
        d.text(190 + 88 * p, 28, str(p), 14, bold=True)
    for row, rate in enumerate(rates):
        y = 85 + 84 * row
        d.text(20, y - 4, d.say(f"pair {row}", f"쌍 {row}"), 14, "start")
        d.text(20, y + 16, f"ω{'₀₁₂'[row]} = {rate:.2g}", 13, "start", "soft")
        for p in range(6):
            x, angle = 190 + 88 * p, rate * p
            d.circle(x, y, 32)
            d.arrow((x, y), (x + 28 * math.cos(angle), y - 28 * math.sin(angle)))
    d.caption(
        f"dim={dim}. Each hand gives two columns: how high its tip is (sine) and how far right (cosine).",
        f"dim={dim}. 바늘마다 두 열이 나옵니다. 끝의 높이가 사인, 오른쪽으로 간 거리가 코사인입니다.",
    )
    return d.svg()


def look_up(language: str) -> str:
    """Draw a dictionary's look-up beside attention."""
    d = Diagram(720, 320, language)
    keys = (("cat", "고양이"), ("dog", "개"), ("car", "자동차"))
    for side, (title, weights) in enumerate(
        (
            (d.say("a dictionary: equal or not", "딕셔너리: 같거나 다르거나"), (1.0, 0.0, 0.0)),
            (d.say("attention: to what degree", "어텐션: 얼마나 맞는가"), (0.7, 0.25, 0.05)),
        )
    ):
        x = 20 + 360 * side
        d.text(x, 28, title, 14, "start", bold=True)
        d.labelled(x, 130, 70, 40, [d.say("query", "쿼리"), d.say(*keys[0])], "blue")
        for row, (key, weight) in enumerate(zip(keys, weights, strict=True)):
            y = 60 + 70 * row
            d.labelled(x + 110, y, 76, 40, [d.say("key", "키"), d.say(*key)], "green")
            d.labelled(x + 246, y, 76, 40, [d.say("value", "값")], "violet")
            d.arrow((x + 70, 150), (x + 108, y + 20), dash="" if weight else "3 4")
            d.line(x + 186, y + 20, x + 246, y + 20, 1 + 9 * weight)
            d.text(x + 216, y + 10, f"{weight:g}", 13)
        d.text(
            x + 165,
            290,
            d.say("gives one value", "값 하나를 준다")
            if side == 0
            else d.say("gives the weighted mean of all values", "모든 값의 가중 평균을 준다"),
            13,
            tone="soft",
        )
    return d.svg()


def heads(language: str) -> str:
    """Draw how features are dealt to heads and come together again."""
    d = Diagram(720, 330, language)
    fills = ("blue", "green", "rose")
    tokens, size = 4, 22

    def grid(x: float, y: float, columns: list[str]) -> None:
        for row in range(tokens):
            for column, fill in enumerate(columns):
                d.cell(x + size * column, y + size * row, size, fill)

    dealt = [fill for fill in fills for _ in range(2)]
    d.text(86, 40, "(seq_len, d_model)", 13)
    grid(20, 100, dealt)
    d.text(20 - 2, 205, d.say("a row a token", "토큰마다 한 행"), 12, "start", "soft")
    d.arrow((158, 144), (206, 144))
    d.text(182, 134, d.say("split", "나누기"), 12, tone="soft")
    d.text(310, 40, "(num_heads, seq_len, head_dim)", 13)
    for number, fill in enumerate(fills):
        y = 52 + 78 * number
        for row in range(tokens):
            for column in range(2):
                d.cell(214 + 18 * column, y + 18 * row, 18, fill)
        d.arrow((254, y + 36), (282, y + 36))
        d.labelled(286, y + 15, 110, 42, [d.say(f"attention {number}", f"어텐션 {number}")], fill)
        d.arrow((398, y + 36), (424, y + 36))
        for row in range(tokens):
            for column in range(2):
                d.cell(430 + 18 * column, y + 18 * row, 18, fill)
    d.arrow((478, 144), (526, 144))
    d.text(502, 134, d.say("merge", "합치기"), 12, tone="soft")
    d.text(600, 40, "(seq_len, d_model)", 13)
    grid(534, 100, dealt)
    d.text(600, 205, d.say("heads side by side", "나란히 놓인 헤드"), 12, tone="soft")
    d.caption(
        "Every head has weights of its own, and sees only its own columns.",
        "헤드마다 가중치가 따로 있고, 자기 열만 봅니다.",
    )
    return d.svg()


def masks(language: str) -> str:
    """Draw a padding mask, a look-ahead mask, and both together."""
    d = Diagram(720, 270, language)
    size, count, padded = 30, 5, (3, 4)
    titles = (d.say("padding", "패딩"), d.say("look-ahead", "룩어헤드"), d.say("either hides", "하나라도 가리면 가림"))
    for number, title in enumerate(titles):
        left, top = 84 + 225 * number, 60
        d.text(left + size * count / 2, 28, title, 14, bold=True)
        d.text(left + size * count / 2, 48, d.say("keys →", "키 →"), 12, tone="soft")
        for row in range(count):
            for column in range(count):
                hides = (number != 1 and column in padded) or (number != 0 and column > row)
                d.cell(
                    left + size * column, top + size * row, size, "hidden" if hides else "green", "1" if hides else "0"
                )
        if number < 2:
            d.text(
                left + size * count + 40, top + size * count / 2 + 6, (d.say("or", "또는"), "=")[number], 15, bold=True
            )
    d.text(76, 140, d.say("queries ↓", "쿼리 ↓"), 12, "end", "soft")
    d.caption(
        "1 hides a key from a query, 0 keeps it. Rows of padding stay: nobody reads them.",
        "1은 키를 가리고 0은 남깁니다. 패딩의 행은 그대로 둡니다. 아무도 읽지 않습니다.",
    )
    return d.svg()


def block_orders(language: str) -> str:
    """Draw an encoder block with the normalisation before and behind each sublayer."""
    d = Diagram(720, 300, language)
    names = {
        "norm": (d.say("norm", "정규화"), "violet"),
        "attention": (d.say("attention", "어텐션"), "blue"),
        "ffn": (d.say("feed-forward", "피드포워드"), "green"),
        "dropout": (d.say("dropout", "드롭아웃"), "box"),
    }

    def row(y: float, title: str, parts: tuple[str, ...]) -> None:
        d.text(20, y - 48, title, 14, "start", bold=True)
        x, start = 34.0, 0.0
        d.text(20, y + 5, "x", 15, bold=True)
        for part in parts:
            if part == "fork":
                start = x + 2
                d.line(x - 4, y, x + 4, y)
                x += 10
            elif part == "sum":
                d.arrow((start, y), (start, y - 34), (x + 18, y - 34), (x + 18, y - 12))
                d.arrow((x - 2, y), (x + 7, y))
                d.plus(x + 18, y)
                x += 32
            else:
                words, fill = names[part]
                width = 62 if part == "norm" else 78 if part == "dropout" else 96
                d.arrow((x - 4, y), (x + 9, y))
                d.labelled(x + 10, y - 17, width, 34, [words], fill, 13)
                x += width + 16
        d.arrow((x - 2, y), (x + 16, y))

    pre = ("fork", "norm", "attention", "dropout", "sum", "fork", "norm", "ffn", "dropout", "sum")
    post = ("fork", "attention", "dropout", "sum", "norm", "fork", "ffn", "dropout", "sum", "norm")
    row(95, d.say("pre-norm (norm_first=True)", "사전 정규화 (pre-norm, norm_first=True)"), pre)
    as_in_paper = d.say("post-norm, as in the paper", "사후 정규화 (post-norm), 논문의 방식")
    row(225, f"{as_in_paper} (norm_first=False)", post)
    d.caption(
        "In pre-norm the way around (above) is never normalised; in post-norm every sum is.",
        "사전 정규화에서는 지름길(위)을 정규화하지 않고, 사후 정규화에서는 더할 때마다 정규화합니다.",
    )
    return d.svg()


def training_and_decoding(language: str) -> str:
    """Draw what the decoder reads in training, and what it reads when it writes by itself."""
    d = Diagram(720, 330, language)
    words = ("<bos>", "three", "hundred", "one")
    nexts = ("three", "hundred", "one", "<eos>")
    d.text(
        20,
        28,
        d.say("training: all at once, on right words", "학습: 올바른 단어로 모든 위치를 한꺼번에"),
        14,
        "start",
        bold=True,
    )
    for column, (word, after) in enumerate(zip(words, nexts, strict=True)):
        x = 40 + 76 * column
        d.labelled(x, 228, 70, 30, [word], "blue", 12)
        d.arrow((x + 35, 226), (x + 35, 168))
        d.arrow((x + 35, 116), (x + 35, 92))
        d.labelled(x, 60, 70, 30, [after], "green", 12)
    d.labelled(40, 118, 298, 48, [d.say("decoder", "디코더")])
    d.text(40, 282, d.say("decoder input", "디코더 입력"), 12, "start", "soft")
    d.text(40, 52, d.say("labels: the next words", "라벨: 다음 단어"), 12, "start", "soft")
    d.text(
        400,
        28,
        d.say("decoding: one by one, on own words", "디코딩: 자기 단어로 한 번에 하나씩"),
        14,
        "start",
        bold=True,
    )
    for column, word in enumerate(words[:3]):
        x = 400 + 76 * column
        d.labelled(x, 228, 70, 30, [word], "blue" if column == 0 else "rose", 12)
        d.arrow((x + 35, 226), (x + 35, 168))
    d.labelled(400, 118, 222, 48, [d.say("decoder", "디코더")])
    d.arrow((587, 116), (587, 92))
    d.labelled(552, 60, 70, 30, ["one"], "rose", 12)
    d.labelled(628, 228, 70, 30, [d.say("next input", "다음 입력")], size=11)
    d.arrow((624, 75), (663, 75), (663, 226))
    d.text(400, 282, d.say("what it wrote goes back in", "쓴 단어가 다시 들어간다"), 12, "start", "soft")
    d.caption("The source goes in through the memory in both cases.", "두 경우 모두 소스는 메모리를 거쳐 들어갑니다.")
    return d.svg()


# Number, name and what it is about, of each notebook's station on the way.
STATIONS = (
    ("01", ("positions", "위치"), ("where words stand", "단어가 놓인 자리")),
    ("02", ("attention", "어텐션"), ("what words look at", "단어가 바라보는 것")),
    ("03", ("heads", "헤드"), ("several at once", "여러 시선을 나란히")),
    ("04", ("masks", "마스크"), ("what stays hidden", "보면 안 되는 것")),
    ("05", ("blocks", "블록"), ("of the two halves", "인코더와 디코더")),
    ("06", ("Transformer", "트랜스포머"), ("all parts together", "모두 합친 모델")),
    ("07", ("training", "학습"), ("numbers into words", "수를 영어 단어로")),
    ("08", ("clinic", "디버깅"), ("mistakes that hide", "숨어 있는 실수")),
    ("09", ("BERT, GPT", "BERT와 GPT"), ("one half each", "모델의 두 절반")),
    ("10", ("today", "오늘날의 모델"), ("what came since", "그 뒤에 나온 것들")),
)


def _curve(d: Diagram, x: float, y: float, heights: Iterable[float], step: float) -> None:
    """Draw a curve from (x, y), in pixels: heights above y, `step` apart."""
    above = list(heights)
    for number, (one, other) in enumerate(itertools.pairwise(above)):
        d.line(x + step * number, y - one, x + step * (number + 1), y - other, 2.2, "ink")


def _icon(d: Diagram, number: str, x: float, y: float) -> None:
    """Draw what a notebook is about in 100 by 60 pixels below and to the right of (x, y)."""
    if number == "01":
        _curve(d, x + 4, y + 30, (24 * math.sin(k / 3) for k in range(24)), 4)
        _curve(d, x + 4, y + 30, (24 * math.cos(k / 8) for k in range(24)), 4)
    elif number in ("02", "04"):
        for row, column in itertools.product(range(4), range(4)):
            seen = column <= row if number == "04" else column == (row, 2, 1, 3)[row]
            d.cell(
                x + 22 + 14 * column, y + 2 + 14 * row, 14, "green" if seen else "hidden" if number == "04" else "blue"
            )
    elif number == "03":
        for place, fill in enumerate(("blue", "green", "rose")):
            d.box(x + 16 + 14 * place, y + 4 + 10 * place, 40, 32, fill)
    elif number == "05":
        for row, fill in enumerate(("green", "violet", "blue")):
            d.box(x + 26, y + 4 + 18 * row, 52, 14, fill)
        d.arrow((x + 52, y + 59), (x + 14, y + 59), (x + 14, y + 11), (x + 24, y + 11))
    elif number == "06":
        for column, rows in ((14, 2), (58, 3)):
            for row in range(rows):
                d.box(x + column, y + 44 - 18 * row, 30, 14, "green" if column == 14 else "blue")
        d.arrow((x + 29, y + 25), (x + 29, y + 16), (x + 56, y + 16))
    elif number == "07":
        d.line(x + 10, y + 4, x + 10, y + 56)
        d.line(x + 10, y + 56, x + 94, y + 56)
        _curve(d, x + 13, y + 54, (48 * math.exp(-k / 5) + 2 * math.sin(3 * k) * (k > 2) for k in range(20)), 4)
    elif number == "08":
        for column in range(5):
            d.cell(x + 6 + 18 * column, y + 24, 18, "rose" if column == 3 else "green", "!" if column == 3 else "")
        d.circle(x + 69, y + 33, 20, "none")
        d.line(x + 83, y + 47, x + 95, y + 58, 4)
    elif number == "09":
        for column, word in enumerate(("a", "?", "c", "d", "?")):
            d.cell(
                x + 6 + 18 * column, y + 22, 18, "hidden" if column == 1 else "violet" if column == 4 else "box", word
            )
        d.arrow((x + 33, y + 58), (x + 33, y + 43))
        d.arrow((x + 70, y + 12), (x + 87, y + 12), (x + 87, y + 20))
    else:
        d.circle(x + 50, y + 30, 27)
        for angle in (0.2, 1.1, 2.0):
            d.arrow((x + 50, y + 30), (x + 50 + 24 * math.cos(angle), y + 30 - 24 * math.sin(angle)))


def journey(language: str) -> str:
    """Draw the notebooks one after another, as the stations of a way."""
    wide, high, step, left = 130, 128, 146, 23
    d = Diagram(760, 380, language)
    for place, (number, name, about) in enumerate(STATIONS):
        x, y = left + step * (place % 5), 40 + 166 * (place // 5)
        is_bonus = number in ("09", "10")
        d.box(x, y, wide, high, "box", "5 4" if is_bonus else "")
        _icon(d, number, x + 15, y + 10)
        d.text(x + wide / 2, y + 96, f"{number} {d.say(*name)}", 14, bold=True)
        d.text(x + wide / 2, y + 115, d.say(*about), 12, tone="soft")
        if place % 5 < 4:
            d.arrow((x + wide + 1, y + high / 2), (x + step - 1, y + high / 2))
    last, first = left + step * 4 + wide / 2, left + wide / 2
    d.arrow((last, 169), (last, 187), (first, 187), (first, 205))
    d.text(left, 28, d.say("first the parts, each from scratch", "먼저 부품을 하나씩 처음부터"), 13, "start", "soft")
    d.text(left, 358, d.say("then the model, and its training", "그다음은 모델과 학습"), 13, "start", "soft")
    d.text(left + 3 * step, 358, d.say("bonus: what grew out of it", "보너스: 여기에서 자라난 것"), 13, "start", "soft")
    return d.svg()


def rotary(language: str) -> str:
    """Draw a query and a key that are turned by their positions: the angle between them depends on the offset alone."""
    d = Diagram(720, 338, language)
    rates = ((0.6, "ω₀ = 0.6"), (0.2, "ω₁ = 0.2"))
    places = ((0, 2), (1, 3), (5, 7), (1, 6))
    query, key = 0.4, 1.5  # the angles of the two before they are turned, in radians
    for column, (p, s) in enumerate(places):
        x = 205 + 142 * column
        d.text(x, 28, d.say(f"q at {p}, k at {s}", f"쿼리 {p}, 키 {s}"), 13, bold=True)
        d.text(x, 48, d.say(f"offset {s - p}", f"거리 {s - p}"), 12, tone="soft")
    for row, (rate, name) in enumerate(rates):
        y = 114 + 118 * row
        d.text(20, y - 4, d.say(f"pair {row}", f"쌍 {row}"), 14, "start")
        d.text(20, y + 16, name, 13, "start", "soft")
        for column, (p, s) in enumerate(places):
            x, turned = 205 + 142 * column, (query + rate * p, key + rate * s)
            d.circle(x, y, 46, "green" if s - p == 2 else "rose")
            for angle, letter in zip(turned, ("q", "k"), strict=True):
                d.arrow((x, y), (x + 40 * math.cos(angle), y - 40 * math.sin(angle)))
                d.text(x + 58 * math.cos(angle), y - 58 * math.sin(angle) + 5, letter, 14, bold=True)
    d.caption(
        "Green: positions differ, the offset doesn't, and neither does the angle between query and key.",
        "초록: 위치는 달라도 거리가 같으면 쿼리와 키 사이의 각도가 같습니다.",
    )
    return d.svg()


def shared_keys(language: str) -> str:
    """Draw eight query heads with eight, two and one heads of keys and values."""
    d = Diagram(720, 250, language)
    kinds = (
        (8, d.say("multi-head", "멀티 헤드")),
        (2, d.say("grouped-query", "그룹 쿼리")),
        (1, d.say("multi-query", "멀티 쿼리")),
    )
    for number, (kv_heads, title) in enumerate(kinds):
        left, step = 22 + 236 * number, 26
        d.text(left + 4 * step, 28, title, 14, bold=True)
        d.text(left + 4 * step, 47, f"num_kv_heads = {kv_heads}", 12, tone="soft")
        group = 8 // kv_heads
        for head in range(8):
            x = left + step * head + 12
            middle = left + step * (head // group * group + (group - 1) / 2) + 12
            d.labelled(x - 11, 64, 22, 26, ["q"], "blue", 13)
            d.line(x, 90, middle, 134)
        for shared in range(kv_heads):
            middle = left + step * (shared * group + (group - 1) / 2) + 12
            d.labelled(middle - 11, 134, 22, 26, ["k"], "green", 13)
            d.labelled(middle - 11, 164, 22, 26, ["v"], "violet", 13)
    d.text(
        20,
        213,
        d.say("Only keys and values are kept in the cache.", "캐시에 남는 것은 키와 값뿐입니다."),
        12,
        "start",
        "soft",
    )
    d.caption(
        "With fewer of them the cache shrinks; every query head still has queries of its own.",
        "키와 값의 헤드가 적으면 캐시가 작아집니다. 쿼리는 헤드마다 그대로 따로 있습니다.",
    )
    return d.svg()


def window_and_sinks(language: str) -> str:
    """Draw who sees whom under a look-ahead mask, through a window, and through a window with sinks."""
    d = Diagram(720, 268, language)
    count, size, window, sinks = 8, 20, 3, 1
    titles = (
        d.say("look-ahead", "룩어헤드"),
        d.say(f"window {window}", f"윈도 {window}"),
        d.say(f"window {window}, {sinks} sink", f"윈도 {window}, 싱크 {sinks}개"),
    )
    for number, title in enumerate(titles):
        left, top = 86 + 216 * number, 62
        d.text(left + size * count / 2, 28, title, 14, bold=True)
        d.text(left + size * count / 2, 48, d.say("looked at →", "보이는 쪽 →"), 12, tone="soft")
        for row in range(count):
            for column in range(count):
                in_past, is_near, is_sink = column <= row, row - column < window, column < sinks
                seen = in_past and (number == 0 or is_near or (number == 2 and is_sink))
                fill = "hidden" if not seen else "here" if number == 2 and is_sink and not is_near else "green"
                d.cell(left + size * column, top + size * row, size, fill)
    d.text(78, 146, d.say("looks ↓", "보는 쪽 ↓"), 12, "end", "soft")
    d.caption(
        "Green is seen. The sink (yellow) stays visible when the window has moved on.",
        "초록은 보이는 자리입니다. 윈도가 지나간 뒤에도 싱크(노랑)는 계속 보입니다.",
    )
    return d.svg()


DIAGRAMS: dict[str, Callable[[str], str]] = {
    "clock-hands": clock_hands,
    "look-up": look_up,
    "heads": heads,
    "masks": masks,
    "block-orders": block_orders,
    "training-and-decoding": training_and_decoding,
    "journey": journey,
    "rotary": rotary,
    "shared-keys": shared_keys,
    "window-and-sinks": window_and_sinks,
} | {
    f"model-{number:02d}": (lambda language, here=f"{number:02d}": whole_model(language, here))
    for number in range(1, 10)
}


def drawn() -> dict[str, str]:
    """Return file name -> SVG text of every diagram in every language."""
    return {f"{name}.{language}.svg": draw(language) for name, draw in DIAGRAMS.items() for language in LANGUAGES}


if __name__ == "__main__":
    for file_name, text in drawn().items():
        (FOLDER / file_name).write_text(text, encoding="utf-8")
