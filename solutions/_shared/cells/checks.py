# Public checks: they compare your work with small examples and say in a sentence what is wrong.
# ko: # 공개 검사: 작은 예로 여러분의 코드를 살펴보고 무엇이 틀렸는지 한 문장으로 알려 줍니다.
# They give no points: those come from other, hidden inputs after you hand in.
# ko: # 여기서는 점수를 주지 않습니다. 점수는 제출한 뒤 공개되지 않은 다른 입력으로 매깁니다.
import html
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib import font_manager

BEING_AUTOGRADED = os.environ.get("NBGRADER_EXECUTION") == "autograde"
HANGUL_FONTS = ("NanumGothic", "Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo", "AppleGothic")


def use_hangul_font():
    """Let plots show Hangul, with a font of the machine or of the package koreanize-matplotlib. False if there is none."""
    # ko: """컴퓨터나 koreanize-matplotlib 패키지의 글꼴로 그림에 한글이 나오게 합니다. 글꼴이 없으면 False입니다."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    if not known & set(HANGUL_FONTS):
        if "google.colab" in sys.modules:
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "koreanize-matplotlib"], check=False)
        package = importlib.util.find_spec("koreanize_matplotlib")
        for folder in package.submodule_search_locations if package else ():
            font_manager.fontManager.addfont(Path(folder) / "fonts" / "NanumGothic.ttf")
            known.add("NanumGothic")
    plt.rcParams["font.family"] = ["DejaVu Sans", *[name for name in HANGUL_FONTS if name in known]]
    return bool(known & set(HANGUL_FONTS))


HAS_HANGUL = use_hangul_font()


class CheckFailed(AssertionError):
    """A public check that did not hold. Shown as one sentence, without a traceback."""
    # ko: """통과하지 못한 공개 검사. 트레이스백 없이 한 문장으로 보입니다."""

    def _render_traceback_(self):
        return [f"\x1b[31m✗ {self}\x1b[0m"]


def _as_array(value):
    """Turn a NumPy array, a list or a tensor of any Keras backend into a NumPy array."""
    # ko: """NumPy 배열, 리스트, 또는 Keras 백엔드의 텐서를 NumPy 배열로 바꿉니다."""
    try:
        return np.asarray(value)
    except Exception:
        import keras

        return keras.ops.convert_to_numpy(value)


class checking:
    """Collect the public checks of one task: `with checking("my_function") as check: ...`."""
    # ko: """한 과제의 공개 검사를 모읍니다: `with checking("my_function") as check: ...`."""

    def __init__(self, name):
        self.name = name
        self.passed = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and issubclass(kind, NotImplementedError):
            raise CheckFailed(
                f"{self.name} is not written yet: replace `raise NotImplementedError()` with your code."
                # ko: f"{self.name}은(는) 아직 작성되지 않았습니다. `raise NotImplementedError()`를 여러분의 코드로 바꾸세요."
            ) from None
        return False

    def _fail(self, text):
        raise CheckFailed(f"{self.name}: {text}")

    def shape(self, value, expected, words):
        """`value` has exactly the shape `expected`, which reads `words`."""
        # ko: """`value`의 모양이 정확히 `expected`입니다. 말로는 `words`입니다."""
        if value is None:
            self._fail("it returned None. Is the `return` missing?")
            # ko: self._fail("None을 돌려주었습니다. `return`이 빠지지 않았나요?")
        received = _as_array(value).shape
        if received != tuple(expected):
            self._fail(f"the shape is {received}, but {words} is {tuple(expected)} here.")
            # ko: self._fail(f"모양이 {received}입니다. 여기서 {words}은(는) {tuple(expected)}이어야 합니다.")
        self.passed.append(f"shape {words} = {received}")
        # ko: self.passed.append(f"모양 {words} = {received}")

    def close(self, value, expected, what, hints=None, tolerance=1e-4):
        """`value` equals `expected`; `hints` maps a sentence to the wrong answer that it explains."""
        # ko: """`value`가 `expected`와 같습니다. `hints`는 문장마다 그것이 설명하는 틀린 답을 담습니다."""
        if value is None:
            self._fail("it returned None. Is the `return` missing?")
            # ko: self._fail("None을 돌려주었습니다. `return`이 빠지지 않았나요?")
        received, expected = _as_array(value), np.asarray(expected, dtype=float)
        if received.shape != expected.shape:
            self._fail(f"{what}: the shape is {received.shape}, expected {expected.shape}.")
            # ko: self._fail(f"{what}: 모양이 {received.shape}입니다. {expected.shape}이어야 합니다.")
        received = received.astype(float)
        if np.isnan(received).any() and not np.isnan(expected).any():
            self._fail(f"{what}: there is a NaN. Did something overflow, or divide 0 by 0?")
            # ko: self._fail(f"{what}: NaN이 있습니다. 오버플로나 0 나누기 0이 일어나지 않았나요?")
        if not np.allclose(received, expected, rtol=tolerance, atol=tolerance):
            for sentence, wrong in (hints or {}).items():
                wrong = np.asarray(wrong, dtype=float)
                if wrong.shape == received.shape and np.allclose(received, wrong, rtol=tolerance, atol=tolerance):
                    self._fail(f"{what}: {sentence}")
            with np.printoptions(precision=4, suppress=True, threshold=40):
                self._fail(f"{what}:\nyou gave\n{received}\nexpected\n{expected}")
                # ko: self._fail(f"{what}:\n여러분의 값\n{received}\n올바른 값\n{expected}")
        self.passed.append(what)

    def true(self, condition, what, otherwise):
        """`condition` holds; `otherwise` says what is wrong when it doesn't."""
        # ko: """`condition`이 참입니다. 거짓이면 `otherwise`가 무엇이 틀렸는지 말합니다."""
        if not condition:
            self._fail(otherwise)
        self.passed.append(what)

    def raises_value_error(self, function, *args, naming=(), **kwargs):
        """The call raises a ValueError whose text contains every one of `naming`."""
        # ko: """호출하면 ValueError가 나고, 그 메시지에 `naming`이 모두 들어 있습니다."""
        shown = ", ".join(
            [repr(a) if np.isscalar(a) else "…" for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()]
        )
        try:
            function(*args, **kwargs)
        except ValueError as error:
            missing = [str(word) for word in naming if str(word) not in str(error)]
            if missing:
                self._fail(f"the text of the ValueError for ({shown}) should name {' and '.join(missing)}.")
                # ko: self._fail(f"({shown})에 대한 ValueError의 메시지에 {', '.join(missing)}이(가) 들어 있어야 합니다.")
        else:
            self._fail(f"({shown}) should raise a ValueError.")
            # ko: self._fail(f"({shown})에는 ValueError를 일으켜야 합니다.")
        self.passed.append(f"ValueError for ({shown})")
        # ko: self.passed.append(f"({shown})에 대한 ValueError")

    def _repr_html_(self):
        lines = "".join(f"<li>✓ {html.escape(line)}</li>" for line in self.passed)
        return (
            f"<b>{html.escape(self.name)}</b><ul style='list-style:none;padding-left:1em'>{lines}</ul>"
            "<i>The public examples hold. The points come from other inputs.</i>"
            # ko: "<i>공개된 예제는 모두 맞습니다. 점수는 다른 입력으로 매깁니다.</i>"
        )

    def __repr__(self):
        # A grader without this course's configuration reads a test cell's value as its points: there are none here.
        # ko: # 이 과정의 설정이 없는 채점기는 검사 셀의 값을 점수로 읽습니다. 여기서 줄 점수는 없습니다.
        if BEING_AUTOGRADED:
            return "0.0"
        return "\n".join([self.name, *[f"✓ {line}" for line in self.passed]])

    def _ipython_display_(self):
        # nbgrader's Validate takes a cell's value for points as well, but not what the cell displays.
        # ko: # nbgrader의 Validate도 셀의 값은 점수로 읽지만 셀이 보여 주는 것은 읽지 않습니다.
        if BEING_AUTOGRADED:
            raise NotImplementedError
        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
