# Public checks: they compare your work with small examples and say in a sentence what is wrong.
# ko: # 공개 검사: 작은 예로 여러분의 코드를 살펴보고 무엇이 틀렸는지 한 문장으로 알려 줍니다.
# They give no points: those come from other, hidden inputs after you hand in.
# ko: # 여기서는 점수를 주지 않습니다. 점수는 제출한 뒤 공개되지 않은 다른 입력으로 매깁니다.
import html
import inspect
import linecache
import os
import re
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import keras
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib import font_manager

BEING_AUTOGRADED = os.environ.get("NBGRADER_EXECUTION") == "autograde"
HANGUL_FONTS = ("NanumGothic", "Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "Apple SD Gothic Neo", "AppleGothic")


FONT_FOLDERS = (".", "fonts", "../fonts", "../../fonts", *(f"{top}/share/fonts/truetype/nanum" for top in (sys.prefix, "/usr")))


def use_hangul_font():
    """Let plots show Hangul, with a font of the machine or with NanumGothic.ttf in one of the folders. False if there is none."""
    # ko: """컴퓨터에 있는 글꼴이나 위 폴더에 있는 NanumGothic.ttf로 그림에 한글이 나오게 합니다. 글꼴이 없으면 False입니다."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    if not known & set(HANGUL_FONTS):
        if "google.colab" in sys.modules:
            subprocess.run(["apt-get", "-qq", "install", "fonts-nanum"], stdout=subprocess.DEVNULL, check=False)
        for folder in FONT_FOLDERS:
            try:
                font_manager.fontManager.addfont(Path(folder, "NanumGothic.ttf"))
            except (OSError, RuntimeError):
                continue
            known.add("NanumGothic")
            break
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
        return keras.ops.convert_to_numpy(value)


# What an error often comes from: a pattern of its text, a pattern of the code around it ("" fits any), and a sentence.
# ko: # 오류의 흔한 원인: 오류 메시지의 패턴, 그 둘레 코드의 패턴(""는 무엇에나 맞음), 그리고 문장.
_CANT_FIT = (
    r"(?<!arrays\scould\snot\sbe\s)broadcast|mismatch(?!:\sindexing)|[Ii]ncompatible\sshapes|must\sbe\sequal|[Mm]at[Mm]ul(?!\(\)\s|\w*\sas\sinput)|size-incompatible|compatible\sbatch\sdimensions"
    r"|Dimensions\smust|not\saligned"
)
_CAUSES = [
    (
        r"(?s)Expected\sdimension\s\d+\sat\saxis\s1\s.*\scalling\sKeras's\s\w*Attention",
        "",
        "Keras's attention takes (query, value, key), in this order. Values and keys come from the same tokens, so there are as many of them.",
        # ko: "케라스의 어텐션은 (query, value, key)를 이 순서로 받습니다. 값과 키는 같은 토큰에서 나오므로 수가 같아야 합니다.",
    ),
    (
        r"can't\sconvert\s\S+\sdevice\stype\stensor|Expected\sall\stensors\sto\sbe\son\sthe\ssame\sdevice",
        "",
        "PyTorch's tensors lie on the GPU here, NumPy's arrays beside the processor, and one can't stand for the other. Compute with `keras.ops` all the way (`keras.ops.convert_to_tensor(x)` first), or turn a tensor into an array by `keras.ops.convert_to_numpy(x)`.",
        # ko: "여기에서 파이토치의 텐서는 GPU에, NumPy 배열은 CPU 메모리에 있어서 서로 대신할 수 없습니다. 처음부터 끝까지 `keras.ops`로 계산하거나(먼저 `keras.ops.convert_to_tensor(x)`), `keras.ops.convert_to_numpy(x)`로 텐서를 배열로 바꾸세요.",
    ),
    (
        r"expects\s1\sinput|'tuple'\sobject\shas\sno\sattribute\s'(shape|dtype|ndim|astype|reshape)'|(inhomogeneous|inputs\smust\smatch).*\sis\sa\stuple",
        "",
        "Several arrays stand where one is wanted. Some functions return a pair, as attention does: take it apart first, `output, weights = …`.",
        # ko: "배열 하나가 필요한 곳에 여럿이 있습니다. 어텐션처럼 쌍을 돌려주는 함수가 있습니다. 먼저 `output, weights = …`처럼 나누어 받으세요.",
    ),
    (
        r"inputs\smust\smatch",  # a pair that a call inside another gives, and that has no name
        # ko: r"inputs\smust\smatch",  # 호출 안의 호출이 돌려준 이름 없는 쌍
        r"return_attention_scores\s*=\s*True",
        "Several arrays stand where one is wanted. Some functions return a pair, as attention does: take it apart first, `output, weights = …`.",
        # ko: "배열 하나가 필요한 곳에 여럿이 있습니다. 어텐션처럼 쌍을 돌려주는 함수가 있습니다. 먼저 `output, weights = …`처럼 나누어 받으세요.",
    ),
    (
        rf"{_CANT_FIT}|[Ii]nvalid\sreduction|out\sof\sbounds|convert\s1\.0\sto|'float'\sobject\scannot\sbe\sinterpreted",
        r"\b(max|amax)\(([^\n]*\bsum\([^\n]*\)\s*,\s*1|(?:[^\n()]|\([^\n()]*\))*,\s*1\.0?)\)",
        "The second argument of `max` is an axis. `ops.maximum` takes the larger of two numbers, entry by entry.",
        # ko: "`max`의 둘째 인수는 축입니다. 원소마다 두 수 가운데 큰 쪽을 고르는 함수는 `ops.maximum`입니다.",
    ),
    (
        r"'Tshape'\sof\sfloat|expected\sa\spositive\sinteger.*=\d+\.\d|'float'\sobject\scannot\sbe\sinterpreted|integer\stype,\sgot\s\(|indices,\sgot\s\d+\.\d|type\sinteger\.\sReceived\s`tensor`\s=\s\d",
        "",
        "A size is a whole number: divide sizes with `//`, not with `/`.",
        # ko: "크기는 정수여야 합니다. 크기는 `/`가 아니라 `//`로 나누세요.",
    ),
    (
        r"subscripts\sgiven\sin\seinstein|too\smany\ssubscripts|number\sof\s(subscripts|indices)"
        r"|Expected\sinput\s\d+\sto\shave\srank|transpose\sexpects\sa\svector\sof\ssize",
        r"einsum\(((?!return|transpose)[^=])*\Z",
        "`einsum` wants a letter for each axis. Has an array an axis too many or too few here, or do the letters leave out the leading axes, which three dots stand for (`...ij,...jk->...ik`)?",
        # ko: "`einsum`에서는 축마다 글자가 하나씩 있어야 합니다. 여기서 어느 배열의 축이 너무 많거나 적은가요? 아니면 글자에 앞쪽 축이 빠졌나요? 앞쪽 축은 `...ij,...jk->...ik`처럼 점 세 개로 받습니다.",
    ),
    (
        r"remapped\sshapes|Expected\sdimension\s\d+\sat\saxis",
        r"einsum\(((?!return)[^=])*\Z",
        "In `einsum` a letter stands for one length, and here the same letter names axes of different lengths. Which axis is which in each array?",
        # ko: "`einsum`에서 같은 글자는 길이가 같은 축을 나타내는데, 여기서는 길이가 다른 축에 같은 글자를 썼습니다. 배열마다 어느 축이 어느 글자인지 보세요.",
    ),
    (
        r"transpose\sexpects\sa\svector\sof\ssize\s(?![5-9])|axes\sdon't\smatch\sarray",
        r"transpose\(((?!return)[^=]|(axes|perm)\s*=)*\Z",
        "`transpose` wants all axes of its array in a new order, and here the array has more of them, or fewer. `swapaxes` swaps just two; counted from the back, these stay the same whatever leading axes there are.",
        # ko: "`transpose`에는 배열의 모든 축을 새 순서로 적어야 하는데, 여기서는 배열의 축의 수가 다릅니다. `swapaxes`는 두 축만 맞바꿉니다. 뒤에서부터 세면 앞쪽 축이 있든 없든 그대로 쓸 수 있습니다.",
    ),
    (
        r"Expected\sinput\s\d+\sto\shave\srank\s\d+\sbut\sgot|transpose\sexpects\sa\svector\sof\ssize",
        "",
        "An array has an axis too many or too few, a mask `mask[:, None]` for example. Which of the shapes is it?",
        # ko: "배열 하나의 축이 너무 많거나 적습니다. 이를테면 마스크를 `mask[:, None]`으로 만들면 그렇습니다. 어느 배열의 모양이 그런가요?",
    ),
    (
        r"(reshape|transpose)\(\)\stakes\s(?!no\skeyword)|interpret\s'\d+'\sas\sa\sdata\stype",
        "",
        "A shape is one argument: a tuple in brackets of its own, as in `np.zeros((rows, columns))`. So is the order of axes.",
        # ko: "모양은 인수 하나입니다. `np.zeros((rows, columns))`처럼 괄호로 묶은 튜플로 주세요. 축의 순서도 그렇습니다.",
    ),
    (
        r"cannot\sreshape\sarray|Input\sto\sreshape|is\sinvalid\sfor\sinput\sof\ssize",
        "",
        "A reshape keeps all numbers: the lengths of the new shape have the same product as those of the old one.",
        # ko: "reshape는 수의 개수를 바꾸지 못합니다. 새 모양의 길이를 모두 곱한 값이 원래 모양의 것과 같아야 합니다.",
    ),
    (
        r"provided\sweight\sshape|weight\slist\sof\slength",
        "",
        "`set_weights` takes one array for each weight of the layer, in the layer's order and each in its shape. `[w.shape for w in layer.weights]` shows them.",
        # ko: "`set_weights`는 계층의 가중치마다 배열 하나씩을 계층의 순서와 모양 그대로 받습니다. `[w.shape for w in layer.weights]`로 볼 수 있습니다.",
    ),
    (
        r"interpret\s'(tf|torch|jax)\.\S*\sas\sa\sdata\stype",
        "",
        "NumPy doesn't know the dtypes of tensors: use `ops.cast`, or `ops.convert_to_tensor(array, dtype=x.dtype)`.",
        # ko: "NumPy는 텐서의 dtype을 모릅니다. `ops.cast`나 `ops.convert_to_tensor(array, dtype=x.dtype)`를 쓰세요.",
    ),
    (
        r"interpret\sinitializer\sidentifier:\s\d|convert\s'\d+'\sto\sa\sshape",
        r"add_weight\(",
        "`add_weight` takes a shape as one tuple: `shape=(rows, columns)`, or `shape=(length,)` with one axis, and an initializer by its name, as in `initializer=\"zeros\"`.",
        # ko: "`add_weight`에는 모양을 `shape=(rows, columns)`처럼, 축이 하나라면 `shape=(length,)`처럼 튜플 하나로, 초기화 방법은 `initializer=\"zeros\"`처럼 이름으로 주세요.",
    ),
    (
        r"return\sarrays\smust\sbe\sof\sArrayType|interpret\s'True'\sas\sa\sdata\stype",
        r",\s*True\)",
        "Write `keepdims=True` with its name: NumPy's third place is another argument.",
        # ko: "`keepdims=True`처럼 이름을 붙여 쓰세요. NumPy에서 셋째 자리는 다른 인수입니다.",
    ),
    (
        r"negative\sinteger\spowers",
        "",
        "Whole numbers have no negative powers here: make the base a float, as in `10000.0`.",
        # ko: "정수의 거듭제곱에는 음수 지수를 쓸 수 없습니다. 밑을 `10000.0` 같은 실수로 두세요.",
    ),
    (
        r"convert\selements\sof\s\(",
        "",
        "A length that is still open (None) stands in a shape. Take it from `keras.ops.shape(x)`, or write -1 for one of the axes.",
        # ko: "아직 정해지지 않은 길이(None)가 모양에 들어 있습니다. `keras.ops.shape(x)`에서 구하거나 축 하나에 -1을 쓰세요.",
    ),
    (
        r"root\sscope\sname",
        "",
        "Keras makes a name for the compiled code of the name of your class: it must begin with a Latin letter and hold Latin letters, digits and underscores only.",
        # ko: "케라스는 클래스 이름으로 컴파일한 코드의 이름을 만듭니다. 클래스 이름은 로마자로 시작하고 로마자와 숫자와 밑줄로만 지으세요.",
    ),
    (
        r"module\s'\S+'\shas\sno\sattribute\s'(astype|sum|mean|max|min|std|var|swapaxes|softmax|reduce_\w+)'",
        "",
        "This module has no function of that name. `keras.ops` has most of NumPy's (`ops.sum`, `ops.swapaxes`; for `astype` it has `ops.cast`), TensorFlow says `tf.reduce_sum`, `tf.reduce_max`. Neither NumPy nor `tf` itself has a `softmax`: take the one that you wrote.",
        # ko: "이 모듈에는 그런 이름의 함수가 없습니다. `keras.ops`에는 `ops.sum`, `ops.swapaxes`처럼 NumPy의 함수가 대부분 있고(`astype`은 `ops.cast`), 텐서플로에서는 `tf.reduce_sum`, `tf.reduce_max`라고 씁니다. `softmax`는 NumPy에도 `tf` 바로 아래에도 없습니다. 여러분이 작성한 것을 쓰세요.",
    ),
    (
        r"'(type|method|\w*function\w*|numpy\.ufunc|\S+Dispatcher)'\sobject|convert\sa\svalue\s\(<(function|ufunc|class)|operand\stype.*'(method|function)'|type\sobject\s'super'",
        "",
        "Here stands a function or a class itself, not what a call of it returns: are its brackets `()` missing, or is its name used for something else?",
        # ko: "여기 있는 것은 함수나 클래스를 호출한 결과가 아니라 함수나 클래스 그 자체입니다. 호출하는 괄호 `()`가 빠졌거나, 그 이름을 다른 것에 쓰지 않았나요?",
    ),
    (
        r"numpy-related|(Tensor|Variable)'\sobject\shas\sno\sattribute\s'(astype|reshape|sum|mean|max|argmax|any|all|copy|item|transpose|swapaxes)'",
        "",
        "A tensor lacks NumPy's methods. `ops.cast`, `ops.reshape`, `ops.sum` … do the same, for arrays too.",
        # ko: "텐서에는 NumPy 배열의 메서드가 없습니다. `ops.cast`, `ops.reshape`, `ops.sum` 등이 같은 일을 하며 배열에도 쓸 수 있습니다.",
    ),
    (
        r"argument\s'axis',\sbut\sreceived:\s[\d.]|(?s:index\sout\sof\srange.*\scalling\sKeras's\sLayerNormalization)",
        "",
        "The first argument of `LayerNormalization` is its axis (if none is given, the last one). Give it the other settings by their names, as in `epsilon=…`.",
        # ko: "`LayerNormalization`의 첫째 인수는 축입니다(주지 않으면 마지막 축). 다른 설정은 `epsilon=…`처럼 이름으로 주세요.",
    ),
    (
        r"(truth\svalue|Boolean\svalue)\sof|argument\s'axis',\sbut\sreceived",
        r"\b(Dropout|LayerNormalization|Dense)\(\s*(self\.\w+\(|x\b)",
        "A layer is made of its settings, in `__init__`, and then called on the tensor: `Dropout(rate)(x)`. Here a tensor stands where a setting belongs.",
        # ko: "계층은 먼저 `__init__`에서 설정값으로 만들고, 그다음 `Dropout(rate)(x)`처럼 텐서로 호출합니다. 여기서는 설정값이 들어갈 자리에 텐서가 있습니다.",
    ),
    (
        r"axis\s.*out\sof\sbounds|rank|ndim|[Ss]hape|dimension|(truth|Boolean)\svalue\sof",
        r"\bnot\s+\w*[m]ask\b",  # written like this it is also said of a mask that is None
        # ko: r"\bnot\s+\w*[m]ask\b",  # 이렇게 써 두면 마스크가 None일 때도 알려 줍니다
        "Python's `not` gives one truth value, and a mask has one for each entry. `1 - mask`, `mask == 0` and `ops.logical_not(mask)` turn each entry round; `mask is None` asks whether there is no mask.",
        # ko: "파이썬의 `not`은 참이나 거짓 하나만 내놓지만 마스크는 원소마다 값이 있습니다. 원소마다 뒤집으려면 `1 - mask`, `mask == 0`, `ops.logical_not(mask)` 가운데 하나를 쓰고, 마스크가 없는지는 `mask is None`으로 알아보세요.",
    ),
    (
        r"axis\s-3\sis\sout\sof\sbounds\sfor\s(an\s)?array\s(with|of)\sdimension\s1\b.*\scalling\sKeras's\s\w*Attention",
        "",
        "The mask is a single value here, and attention wants one for each query and key. Python's `is` and `not` look at an object as a whole; `ops.logical_not` turns each entry round. Is it a single number where there is no mask? Hand on `None` there.",
        # ko: "여기서 마스크는 값 하나뿐입니다. 어텐션에는 쿼리와 키의 쌍마다 값이 필요합니다. 파이썬의 `is`와 `not`은 객체를 통째로 봅니다. 원소마다 뒤집는 함수는 `ops.logical_not`입니다. 마스크가 없을 때 수 하나를 넘기지 않나요? 그때는 `None`을 넘기세요.",
    ),
    (
        r"scalar\sindex|(truth|Boolean)\svalue\sof|multiple\svalues\sfor\sargument\s'axis'|positional\sarguments?\sbut",
        r"\b(concatenate|concat|[hv]?stack)\(\s*[\w.]+(\[[^\]\n]*\]|\([^()\n]*\))?\s*,\s*(?!\w+\s*=)[A-Za-z_][^\n]*\n*\Z",
        "What is joined goes in as one list, in brackets of its own: `np.concatenate([a, b], axis=…)`.",
        # ko: "합칠 배열들은 `np.concatenate([a, b], axis=…)`처럼 대괄호로 묶어 리스트 하나로 넘깁니다.",
    ),
    (
        r"bitwise_(and|or)|Bitwise(And|Or)|(truth|Boolean)\svalue\sof",
        r"([<>]=?|[=!]=)\s*[\w.]+\s*[&|][^\n]*\n*\Z|[&|]\s*[\w.]+\s*([<>]=?|[=!]=)[^\n]*\n*\Z",
        "`&` and `|` bind more tightly than `<`, `==` and `!=`: put each comparison in brackets of its own, as in `(a < b) & (c != d)`.",
        # ko: "`&`와 `|`는 `<`, `==`, `!=`보다 먼저 계산됩니다. `(a < b) & (c != d)`처럼 비교마다 괄호로 묶으세요.",
    ),
    (
        r"(truth\svalue|Boolean\svalue)\sof",
        r"\([^()]*,[^()]*\)\s*[=!]=|[=!]=\s*\([^()]*,|\b(if|assert)\s[^=!]*[=!]=",
        "`==` and `!=` compare arrays entry by entry, and give a truth value for each. To decide for each entry, compute with what they give (`ops.cast`, `ops.where`), without `if`; `np.array_equal(a, b)` says whether two arrays are equal as a whole.",
        # ko: "`==`과 `!=`는 배열을 원소마다 비교해 참이나 거짓을 원소마다 내놓습니다. 원소마다 판단하려면 `if` 없이 비교한 결과로 계산하고(`ops.cast`, `ops.where`), 두 배열이 통째로 같은지는 `np.array_equal(a, b)`로 알아봅니다.",
    ),
    (
        r"values\sto\sunpack",
        r"=[^=\n]*\bshape(\([^()\n]*\))?[ \t]*\n*\Z",
        "A shape is taken apart into more or fewer names than the array has axes. How many axes has it here, and which did it get or lose on the way?",
        # ko: "배열의 축의 수와 모양을 나누어 받는 이름의 수가 다릅니다. 여기서 이 배열의 축은 몇 개인가요? 오는 길에 어느 축이 늘거나 줄었나요?",
    ),
    (
        r"values\sto\sunpack",
        "",
        "Something is taken apart into more or fewer names than it has parts; an array falls apart along its first axis. If one array comes back, give it one name; if two should, look at the `return` of the function.",
        # ko: "나누어 받는 이름의 수와 나누어지는 것의 수가 다릅니다. 배열은 첫째 축을 따라 나누어집니다. 배열 하나가 나온다면 이름 하나로 받고, 둘이 나와야 한다면 그 함수의 `return`을 보세요.",
    ),
    (
        r"(?s)(truth\svalue|Boolean\svalue)\sof.*\scalling\sKeras's\sDense",
        "",
        "An activation is a name or a function, as in `activation=\"relu\"`, and not a layer's class.",
        # ko: "활성화 함수는 계층의 클래스가 아니라 `activation=\"relu\"`처럼 이름이나 함수로 주세요.",
    ),
    (
        r"(truth\svalue|Boolean\svalue)\sof",
        r"(\A|\n)(?![^\n]*(\b(if|while|assert|and|or|not)\b|(?<![.\w])(max|min)\())[^\n]*\b(softmax|concatenate|concat|[hv]?stack|sum|mean|amax|argmax)\([^\n]*,[^\n]*\n*\Z",
        "An array stands where a setting belongs, such as an `axis`. Look at the order of the arguments: arrays that are joined go in as one list, and `softmax` takes an axis there, not a mask.",
        # ko: "`axis` 같은 설정이 들어갈 자리에 배열이 있습니다. 인수의 순서를 보세요. 합칠 배열들은 리스트 하나로 넘기고, `softmax`의 그 자리에는 마스크가 아니라 축을 넘깁니다.",
    ),
    (
        r"(truth\svalue|Boolean\svalue)\sof",
        "",
        "`or`, `and`, `not`, `if` and Python's own `max` want one truth value, not an array of them. `ops.logical_or`, `ops.logical_and`, "
        # ko: "`or`, `and`, `not`, `if`와 파이썬의 `max`에는 배열이 아니라 참이나 거짓 하나가 필요합니다. `ops.logical_or`, `ops.logical_and`, "
        "`ops.logical_not`, `ops.where` and `ops.maximum` take each entry by itself, `ops.max` finds the largest of one array, `ops.any` says whether anything in it is true, and `mask is not None` asks whether there is a mask.",
        # ko: "`ops.logical_not`, `ops.where`, `ops.maximum`은 원소마다 따로 계산합니다. 한 배열에서 가장 큰 원소는 `ops.max`로, 참이 하나라도 있는지는 `ops.any`로 구하고, 마스크가 있는지는 `mask is not None`으로 알아봅니다.",
    ),
    (
        r"slice\sindices\smust",
        "",
        "A tensor can't say where a NumPy array is cut. Make a tensor of the array first, with `ops.convert_to_tensor`.",
        # ko: "NumPy 배열은 텐서로 자를 수 없습니다. 먼저 `ops.convert_to_tensor`로 배열을 텐서로 만드세요.",
    ),
    (
        r"[\[(]((?:\d+,\s?)*(\d+))[\])]\D{1,6}[\[(]\1,\s?\2[\])]",
        r"([Ee]mb|self\.(table|pos))\w*\(",
        "Is an embedding called on vectors? It makes a vector of each number in them: call it on ids, or on the positions 0, 1, 2, …",
        # ko: "임베딩을 벡터로 호출하지 않았나요? 임베딩은 받은 수 하나하나를 벡터로 바꿉니다. ID나 위치 0, 1, 2, …로 호출하세요.",
    ),
    (
        r"KerasTensor\s(cannot\sbe\sused\sas\sinput|is\ssymbolic)",
        "",
        "A model that is being built hands on tensors that have no values yet. `+`, layers and `keras.ops` take them; NumPy and `tf.*` don't.",
        # ko: "만드는 중인 모델은 아직 값이 없는 텐서를 넘깁니다. `+`와 계층과 `keras.ops`는 그것을 받지만 NumPy와 `tf.*`는 받지 않습니다.",
    ),
    (
        r"[Ss]ymbolic|only\savailable\swhen\seager|without\sevaluating|Tracer|KerasTensor(?!s\.)|NumPy\sfunction|concrete\svalue",
        "",
        "NumPy, `float` and `if` can't read a tensor that has no value yet, as while `fit` compiles: compute with `keras.ops` (or `tf.*`), and compare a length only where `x.shape[1]` isn't None.",
        # ko: "NumPy, `float`, `if`는 `fit`이 컴파일할 때처럼 아직 값이 없는 텐서를 읽을 수 없습니다. `keras.ops`(또는 `tf.*`)로 계산하고, 길이는 `x.shape[1]`이 None이 아닐 때만 비교하세요.",
    ),
    (
        r"expected\sshape=\(None,\s\d+[,)]",
        "",
        "The model takes inputs of one length only. Leave the length open: `keras.Input((None,))` for ids, `keras.Input((None, dim))` for vectors.",
        # ko: "모델이 한 가지 길이의 입력만 받습니다. 길이를 정하지 마세요. ID라면 `keras.Input((None,))`, 벡터라면 `keras.Input((None, dim))`입니다.",
    ),
    (
        r"(?s)[Ii]ncompatible\sshapes.*LogicalAnd",
        "",
        "The mask doesn't fit: its last axis is as long as what is attended to, the last but one (or 1) as long as what attends.",
        # ko: "마스크의 모양이 맞지 않습니다. 마지막 축의 길이는 보이는 쪽의 길이와, 끝에서 둘째 축의 길이는 보는 쪽의 길이와 같거나 1이어야 합니다.",
    ),
    (
        r"converted\sto\s(Python\s)?[Ss]calar|[Oo]nly\s(scalar|length-1|0-dimensional|one\selement)",
        r"\bmath\.\w+\(|(?<![.\w])(sqrt|exp|log|sin|cos|float|int)\(",
        "Functions of `math`, and `float` and `int`, take one number, not an array. `keras.ops` and NumPy have functions that take each entry by itself, such as `ops.sqrt` for `math.sqrt`.",
        # ko: "`math`의 함수와 `float`, `int`는 배열이 아니라 수 하나만 받습니다. `math.sqrt` 대신 쓰는 `ops.sqrt`처럼, `keras.ops`와 NumPy에는 원소마다 따로 계산하는 함수가 있습니다.",
    ),
    (
        r"allowed\svalues|Tidx|scalar\sarrays|[Ii]nvalid\sreduction",
        r"\b(max|amax|min|sum|mean)\((?!.*,\s*-?\d+\s*\))([^=]*,[^=]*\)|\s*\w+\s*,\s*[\w.]+\()",
        "The second argument of `max`, `sum` and their like is an axis. `ops.maximum` takes the larger of two arrays, entry by entry, `ops.minimum` the smaller.",
        # ko: "`max`나 `sum`의 둘째 인수는 축입니다. 두 배열에서 원소마다 큰 쪽을 고르는 함수는 `ops.maximum`, 작은 쪽을 고르는 함수는 `ops.minimum`입니다.",
    ),
    (
        r"scalar\sindex",
        r"\[[^\]\n]*(:\s*[A-Za-z_]|[A-Za-z_]\w*\s*:)[^\n]*\n*\Z",
        "A slice begins and ends at one number for all rows. Where each row has its own, compare and use `np.where`.",
        # ko: "슬라이스의 시작과 끝은 모든 행에서 같은 수 하나입니다. 행마다 다르다면 비교해서 `np.where`를 쓰세요.",
    ),
    (
        r"scalar\sindex|Expected\sbegin,\send|type\sinteger\.\sReceived\s`tensor`\s=\s\[",
        r"(?s)\A(?!.*\]\s*[-+*/|&]?=(?!=))",
        "An array stands where one whole number is wanted, such as a length, an axis or the index of a list or a tensor (`ops.take` and `ops.take_along_axis` pick by arrays).",
        # ko: "길이나 축, 리스트나 텐서의 인덱스처럼 정수 하나가 필요한 곳에 배열이 있습니다(`ops.take`와 `ops.take_along_axis`는 배열로 골라냅니다).",
    ),
    (
        r"NoneType|must\sbe\sa\smapping",
        r"get_config\(\)",
        "`get_config` has to return a dictionary. Is its `return` missing? `update` changes a dictionary, and gives None.",
        # ko: "`get_config`는 딕셔너리를 돌려주어야 합니다. `return`이 빠지지 않았나요? `update`는 딕셔너리를 고치기만 하고 None을 돌려줍니다.",
    ),
    (
        r"'tuple'\sobject\sdoes\snot\ssupport\sitem",
        "",
        "A tuple's parts can't be assigned to: give the new array a name of its own, and make a new tuple.",
        # ko: "튜플의 원소에는 값을 대입할 수 없습니다. 새 배열에 따로 이름을 붙이고 튜플을 새로 만드세요.",
    ),
    (
        r"scalar\sindex|(Tensor|Variable)'\sobject.*\sitem\sassignment|immutable",
        "",
        "A tensor's entries can't be assigned to. Make a new one, by `ops.where(condition, …, …)` or of parts, by `ops.stack` and `ops.reshape`. Or fill an array of NumPy.",
        # ko: "텐서의 원소에는 값을 대입할 수 없습니다. `ops.where(condition, …, …)`나, 부분들을 모으는 `ops.stack`과 `ops.reshape`로 새로 만드세요. NumPy 배열에는 대입할 수 있습니다.",
    ),
    (
        r"array\sis\s0-dimensional|unsized\sobject|'(int|float|numpy\.(int|float)\d+)'\sobject\s(does|is)\snot\s(support\sitem|subscriptable)",
        "",
        "Something has no axes here: it is a single number, or None because a `return` is missing.",
        # ko: "여기 있는 값에는 축이 없습니다. 수 하나이거나, `return`이 빠져 None입니다.",
    ),
    (
        r"too\smany\sindices|input\shas\sonly",
        r"(?s)^(?!.*\[[^\]\n]*(==|[Mm]ask))",
        "More axes are asked for than there are. Where there may or may not be leading axes, count from the back (`...`, `-1`).",
        # ko: "있는 것보다 많은 축을 찾습니다. 앞쪽 축이 있을 수도 없을 수도 있는 곳에서는 축을 뒤에서부터(`...`, `-1`) 세세요.",
    ),
    (
        r"used\sas\sindices\smust\sbe\sof\sinteger",
        "",
        "Floats can't be an index. `mask == 1` makes truth values of a mask; better still, `where(mask == 1, …, …)` broadcasts.",
        # ko: "실수 배열로는 인덱싱할 수 없습니다. `mask == 1`은 마스크를 참과 거짓으로 바꿉니다. `where(mask == 1, …, …)`를 쓰면 브로드캐스트도 됩니다.",
    ),
    (
        r"no\sattribute\s'masked_fill_?'",
        "",
        "Only PyTorch's tensors have `masked_fill`. `ops.where(condition, a, b)` takes `a` where the condition is true, `b` elsewhere.",
        # ko: "`masked_fill`은 파이토치의 텐서에만 있습니다. `ops.where(condition, a, b)`는 조건이 참인 곳에서 `a`를, 나머지에서 `b`를 고릅니다.",
    ),
    (
        r"x1`\sand\s`x2`\seither\sboth|either\sboth\sor\sneither",
        "",
        "`where` takes three arguments: a condition, what stands where it is true, and what stands elsewhere.",
        # ko: "`where`의 인수는 셋입니다. 조건, 조건이 참인 곳의 값, 나머지의 값을 차례로 주세요.",
    ),
    (
        r"boolean\sindex|too\smany\sindices|mask\s.*\sdoes\snot\smatch",
        "",
        "A mask that is used as an index needs exactly the shape of what it indexes. `where(mask == 1, …, …)` broadcasts.",
        # ko: "마스크로 인덱싱하려면 모양이 대상과 똑같아야 합니다. `where(mask == 1, …, …)`는 브로드캐스트합니다.",
    ),
    (
        r"(?s)^(?!.*[Mm]at[Mm]ul).*(broadcast|[Ii]ncompatible\sshapes)",
        r"(?s)\A(?!.*(loss|label)).*mask[^\n]*\n*\Z",
        "If it is the mask that doesn't fit: one for attention has a last axis as long as what is attended to, a last but one (or 1) as long as what attends; the axes before these, if there are any, are those of the batch and the heads, or 1. A mask that vectors (batch, seq_len, dim) are multiplied by is (batch, seq_len, 1). "
        # ko: "마스크가 맞지 않는 것이라면, 어텐션의 마스크에서는 마지막 축의 길이는 보이는 쪽의 길이와, 끝에서 둘째 축의 길이는 보는 쪽의 길이와 같거나 1이어야 합니다. 그 앞에 축이 있으면 배치와 헤드의 축이거나 길이가 1입니다. 벡터 (batch, seq_len, dim)에 곱하는 마스크는 (batch, seq_len, 1)입니다. "
        "Where there are two masks, or two sequences, have they changed places? Or is one as long as there are sequences, not positions?",
        # ko: "마스크나 시퀀스가 둘이면 서로 바뀌지 않았나요? 위치의 수 대신 시퀀스의 수로 만든 마스크는 아닌가요?",
    ),
    (
        r"broadcast\sinput\sarray",
        r"\[[^\],\n]*\]\s*=[^=]",
        "What stands on the right has another shape than the part of the array that it is written into. Did the index lose a comma, as in `x[::2]` (every second row) for `x[:, ::2]` (every second column)?",
        # ko: "오른쪽 값의 모양이, 그 값을 써 넣을 배열의 부분과 다릅니다. `x[:, ::2]`(한 열씩 걸러)를 `x[::2]`(한 행씩 걸러)로 쓴 것처럼 인덱스에서 쉼표가 빠지지 않았나요?",
    ),
    (
        r"broadcast\sinput\sarray",
        r"\[[^\]\n]*\]\s*=[^=]",
        "What stands on the right has another shape than the part of the array that it is written into: how many rows and columns has either?",
        # ko: "오른쪽 값의 모양이, 그 값을 써 넣을 배열의 부분과 다릅니다. 둘의 행과 열이 각각 몇 개인지 보세요.",
    ),
    (
        _CANT_FIT,
        r"\[[^\]\n]*:\s*-\s*[A-Za-z_]",
        "A slice `[:-n]` is empty when n is 0, because -0 is 0. Count from the front instead.",
        # ko: "n이 0이면 `[:-n]`은 비어 있습니다. -0은 0이기 때문입니다. 앞에서부터 세세요.",
    ),
    (
        r"[Cc]annot\ssqueeze|size\snot\sequal\sto\sone",
        "",
        "Only an axis of length 1 can be squeezed out. How many axes has what comes in, and how many shall go out?",
        # ko: "길이가 1인 축만 없앨 수 있습니다. 들어온 것의 축은 몇 개이고, 몇 개가 되어야 하나요?",
    ),
    (
        r"ndims\smust\sbe\s(>=|==)\s2|has\sdifferent\sndims",
        "",
        "TensorFlow's `@` takes no vectors, only matrices. Multiply elementwise and sum, or make the vector a matrix of one column.",
        # ko: "텐서플로의 `@`는 벡터를 받지 않고 행렬만 받습니다. 원소끼리 곱해 더하거나, 벡터를 열이 하나인 행렬로 만드세요.",
    ),
    (
        _CANT_FIT,
        r"\.T\b|transpose\(\s*\w*\s*\)",
        "`.T` and `transpose` without axes reverse *all* axes, the batch too. Where axes have to change places at all, swap the last two only; "
        # ko: "`.T`와 축을 정하지 않은 `transpose`는 배치까지 모든 축을 뒤집습니다. 축을 바꾸어야 하는 곳에서는 마지막 두 축만 맞바꾸세요. "
        "where the columns of the left array already fit the rows of the right one, nothing is turned.",
        # ko: "왼쪽 배열의 열과 오른쪽 배열의 행이 이미 맞으면 아무것도 뒤집지 않습니다.",
    ),
    (
        r"remapped\sshapes|compatible\sbatch\sdimensions",
        r"\b(concatenate|concat|append|[hv]stack)\(",
        "In this matrix product the axes in front of the last two don't fit together. Were arrays joined along another axis than that of the positions, the last but one, or has one of them fewer heads than the other?",
        # ko: "이 행렬 곱에서는 마지막 두 축보다 앞에 있는 축들이 맞지 않습니다. 배열을 위치의 축(끝에서 둘째)이 아닌 다른 축을 따라 이어 붙였거나, 한쪽의 헤드가 더 적지 않나요?",
    ),
    (
        r"^(?!.*batch\sdimensions).*([Mm]at[Mm]ul(?!\(\)\s|\w*\sas\sinput)|[Mm]atrix\ssize|not\saligned)",
        "",
        "Two arrays don't fit together in a matrix product: the last axis of the left one and the last but one of the right one have to be equally long.",
        # ko: "행렬 곱에서 두 배열의 모양이 맞지 않습니다. 왼쪽 배열의 마지막 축과 오른쪽 배열의 끝에서 둘째 축의 길이가 같아야 합니다.",
    ),
    (
        r"batch\sdimensions|remapped\sshapes.*requested\sshape",
        "",
        "In a matrix product the axes before the last two have to be equally long in both arrays, or 1. Has one of them been swapped with another axis, or does a new one stand in the wrong place?",
        # ko: "행렬 곱에서는 마지막 두 축보다 앞에 있는 축들도 두 배열에서 길이가 같거나 1이어야 합니다. 그 축까지 다른 축과 맞바꾸거나 새 축을 엉뚱한 자리에 넣지 않았나요?",
    ),
    (
        r"non-broadcastable\soutput",
        "",
        "What is computed has more axes, or longer ones, than the array that it is written into (as with `+=` or `|=`). Was one entry along an axis to be picked out before, as by `[:, -1]`, or an axis to be summed over?",
        # ko: "계산한 값의 축이, (`+=`나 `|=`처럼) 그 값을 써 넣을 배열의 축보다 많거나 깁니다. 그 전에 `[:, -1]`처럼 한 축에서 원소 하나를 골라내거나 축을 따라 더해야 하지 않았나요?",
    ),
    (
        r"[\[(]((?:\d+,\s?)*\d+),?[\])][^\d(\[]{1,6}[\[(]\1,\s?\d+[\])]|[\[(]((?:\d+,\s?)*\d+),\s?\d+[\])][^\d(\[]{1,6}[\[(]\2,?[\])]",
        r"None|newaxis|expand_dims|keepdims",
        "One of the two shapes is the other without its last axis. Should the longer one have lost it before, by a sum or an index, or is a `[..., None]` too much there? If not, `keepdims=True` leaves an axis of length 1 where axes are summed over, and `[..., None]` puts one in at the end.",
        # ko: "한 모양은 다른 모양에서 마지막 축을 뺀 것입니다. 긴 쪽에서 먼저 합을 구하거나 인덱스로 골라 그 축을 없앴어야 하나요, 아니면 거기에 `[..., None]`이 필요 없나요? 그렇지 않다면, 축을 따라 더할 때 `keepdims=True`를 주면 길이 1인 축이 남고, `[..., None]`은 끝에 그런 축을 넣습니다.",
    ),
    (
        _CANT_FIT,
        r"(None|newaxis|expand_dims)[^\n]*[)\]\s]*\Z",  # in the statement that stops: one above it may be right
        # ko: r"(None|newaxis|expand_dims)[^\n]*[)\]\s]*\Z",  # 멈춘 문장에 있을 때만. 윗줄의 것은 맞을 수 있습니다
        "An axis of length 1 may stand in the wrong place (count axes from the back), an axis may still be there that should be summed over, "
        # ko: "길이가 1인 축이 엉뚱한 자리에 있거나(축은 뒤에서부터 세세요), 합을 구해 없애야 할 축이 남아 있거나, "
        "or a product with a weight matrix is missing.",
        # ko: "가중치 행렬을 곱하지 않은 것 같습니다.",
    ),
    (
        _CANT_FIT,
        r"(?s)^(?!.*keepdims).*(\b|reduce_)(sum|max|amax|min|mean|var|std|norm|logsumexp)\(",
        "A sum, mean or maximum along an axis takes that axis away. `keepdims=True` keeps it with length 1.",
        # ko: "한 축을 따라 합, 평균, 최댓값을 구하면 그 축이 없어집니다. `keepdims=True`를 주면 길이 1로 남습니다.",
    ),
    (
        rf"{_CANT_FIT}|indexing\sarrays",
        "",
        "Two arrays don't fit together. Axes are compared from the last one, and have to be equally long or 1.",
        # ko: "두 배열의 모양이 서로 맞지 않습니다. 축은 마지막 것부터 비교하며, 길이가 같거나 1이어야 합니다.",
    ),
    (
        r"must\soverride\s`?get_config|'super'\sobject\shas\sno\sattribute\s'get_config'",
        "",
        "The class that yours is made from has no `get_config`, or one that only raises: write one that returns a dictionary, without `super()`.",
        # ko: "물려받은 클래스에는 `get_config`가 없거나, 있어도 오류만 일으킵니다. `super()` 없이 딕셔너리를 돌려주는 것을 작성하세요.",
    ),
    (
        r"inhomogeneous|non-rectangular",
        "",
        "Rows of different lengths, or a number beside them, don't make an array: fill the shorter ones up. Or did a pair go in, such as (output, weights), where one array is wanted?",
        # ko: "길이가 다른 행들이나, 행들 사이에 수 하나가 섞인 것으로는 배열을 만들 수 없습니다. 짧은 행의 남는 자리를 채우세요. 아니면 배열 하나가 필요한 곳에 (output, weights) 같은 쌍을 그대로 넘기지 않았나요?",
    ),
    (
        r"from_config|deserializ",
        "",
        "`from_config` hands `__init__` what `get_config` returned: every argument of `__init__` has to be in it, with the value that was given (not a layer), and nothing else that "
        # ko: "`from_config`는 `get_config`가 돌려준 설정을 `__init__`에 넘깁니다. `__init__`의 모든 인수가 (계층이 아니라) 받은 값 그대로 들어 있어야 하고, "
        "`__init__` doesn't take.",
        # ko: "`__init__`이 받지 않는 인수가 들어 있으면 안 됩니다.",
    ),
    (
        r"axis\s.*out\sof\sbounds|[Ii]nvalid\sreduction\sdimension",
        "",
        "An axis is asked for that the array doesn't have: how many axes has it?",
        # ko: "배열에 없는 축을 찾습니다. 배열의 축이 몇 개인지 보세요.",
    ),
    (
        r"list\sindex\sout\sof\srange",
        r"weights\s*\[",
        "A layer has no weights yet before it is built: by its first call, or by `build`.",
        # ko: "계층은 처음 호출하거나 `build`를 부르기 전에는 가중치가 없습니다.",
    ),
    (
        r"for\saxis\s\d\swith\ssize\s1\b",
        r"mask\[[^\]\n]*(,|\]\[)[^\n]*\n*\Z",
        "The mask has an axis of length 1 here. If its one entry is meant for all, `np.broadcast_to(mask, scores.shape)` spreads it out first.",
        # ko: "여기서 마스크에는 길이가 1인 축이 있습니다. 모두에 함께 쓸 값이라면 `np.broadcast_to(mask, scores.shape)`로 먼저 펼치세요.",
    ),
    (
        r"for\saxis\s0\swith\ssize\s1\b",
        "",
        "The first axis has length 1. Is it that of the batch? Then positions come after it, as in `x[:, j]`. Or has the array a row too few?",
        # ko: "첫 축의 길이가 1입니다. 배치의 축이 아닌가요? 그렇다면 위치는 `x[:, j]`처럼 그다음 축에서 찾습니다. 아니면 배열의 행이 하나 모자라지 않나요?",
    ),
    (
        r"slice\sindex\s[1-9]\d*\sof\sdimension.*out\sof\sbounds|out\sof\sbounds\sfor\s(axis|dimension)|list\sindex\sout\sof\srange",
        "",
        "An index lies behind the end of an axis or a list. Does a loop take a step too many, is a comparison the wrong way round, or does the index count something else than the array holds (as columns where there is one entry for each pair)? Did the call that made the array get its arguments out of order, or is the colon of a slice missing, as in `table[:n]`?",
        # ko: "인덱스가 축이나 리스트의 끝을 넘습니다. 반복문이 한 걸음 더 가거나, 비교가 거꾸로 되었거나, (쌍마다 값이 하나인 배열을 열 번호로 읽은 것처럼) 배열에 담긴 것과 다른 것을 세지 않나요? 아니면 그 배열을 만든 호출에 인수의 순서를 바꾸어 주었거나, `table[:n]` 같은 슬라이스에서 콜론이 빠지지 않았나요?",
    ),
    (
        r"slice\sindex.*out\sof\sbounds",
        "",
        "An axis that the array doesn't have, or an empty one, is cut. Is a shape handed over whole, as in `ops.ones((size, size))`?",
        # ko: "배열에 없는 축이나 빈 축을 자릅니다. `ops.ones((size, size))`처럼 모양 전체를 튜플로 주었나요?",
    ),
    (
        r"is\snot\sin\s\[0|out\sof\srange\sin\sself|indices\[",
        "",
        "An index lies outside of what it looks up in. Have an array and its indices changed places, is an embedding called on something else than ids (or positions 0, 1, 2, …), or has its table too few rows?",
        # ko: "인덱스가 대상의 크기를 벗어납니다. 배열과 인덱스의 자리가 바뀌었거나, 임베딩을 ID(또는 위치 0, 1, 2, …)가 아닌 것으로 호출했거나, 임베딩 표의 행이 모자라지 않나요?",
    ),
    (
        r"(destination|output\sarray)\sis\sread-only",
        "",
        "A tensor's own numbers can't be written over: work on a copy (`np.array(x)`), and inside a layer compute with `keras.ops`.",
        # ko: "텐서가 가진 수는 덮어쓸 수 없습니다. 복사본(`np.array(x)`)을 고치거나, 계층 안이라면 `keras.ops`로 계산하세요.",
    ),
    (
        r"UnboundLocalError",
        "",
        "If a function assigns a name anywhere, this name belongs to the function alone, and here it has no value yet. Is it also the name of a function that is called here (then choose another), is it assigned in one branch of an `if` only, or is it used (as by `+=`) before it gets its first value?",
        # ko: "함수 안 어디에서든 값을 넣는 이름은 그 함수만의 이름이며, 이 이름에는 아직 값이 없습니다. 여기서 부르는 함수의 이름과 같거나(그러면 다른 이름을 쓰세요), `if`의 한쪽에서만 값을 넣거나, (`+=`처럼) 첫 값을 넣기도 전에 쓰지 않았나요?",
    ),
    (
        r"(arg|iterable\sargument)\sis\s(an\s)?empty|zero-size\sarray",
        "",
        "The largest (or smallest) of nothing is asked for. Does a loop begin too early, where nothing is there yet, or go on when nothing is left?",
        # ko: "아무것도 없는 데서 최댓값(또는 최솟값)을 구합니다. 반복문이 아직 아무것도 없는 곳에서 시작하거나, 남은 것이 없는데도 계속하지 않나요?",
    ),
    (
        r"singleton\stf\.Variables",
        "",
        "A layer (even a `Dropout`) or a variable is made in `call`, anew at each call. Make it in `__init__`, and only call it in `call`.",
        # ko: "계층(`Dropout`도 마찬가지입니다)이나 변수를 `call`에서 호출할 때마다 새로 만듭니다. `__init__`에서 만들고 `call`에서는 호출만 하세요.",
    ),
    (
        r"'numpy\.ndarray'\sobject\shas\sno\sattribute\s'numpy'",
        "",
        "What comes here is an array, which has no `.numpy()`. `keras.ops.convert_to_numpy` takes arrays and tensors.",
        # ko: "여기 있는 것은 배열이어서 `.numpy()`가 없습니다. `keras.ops.convert_to_numpy`는 배열과 텐서를 모두 받습니다.",
    ),
    (
        r"(range|list|tuple)\sindices\smust.*not\s(NoneType|tuple)",
        r"\[[^\]\n]*(None|,)[^\]\n]*\][^\n]*\n*\Z",
        "A `range`, a list or a tuple takes neither `None` nor a comma as an index. Make an array of it first.",
        # ko: "`range`나 리스트, 튜플의 인덱스에는 `None`도 쉼표도 쓸 수 없습니다. 먼저 배열로 만드세요.",
    ),
    (
        r"[Pp]robabilities\sdo\snot\ssum\sto\s1",
        "",
        "`rng.choice` takes probabilities that add up to 1: divide what is left by its sum.",
        # ko: "`rng.choice`에 주는 확률은 합이 1이어야 합니다. 남은 확률을 그 합으로 나누세요.",
    ),
    (
        r"(same|different)\snumbers?\sof\sdimensions|Ranks\sof\sall\sinput",
        "",
        "These arrays need equally many axes. `x[..., None]` gives an array one more, of length 1, at its end. Or should they be taken together entry by entry (`a + b`, `ops.maximum(a, b)`), not joined, or has one of them an axis along which one entry was to be picked out before?",
        # ko: "이 배열들은 축의 수가 같아야 합니다. `x[..., None]`은 배열 끝에 길이 1인 축을 하나 붙입니다. 아니면 이어 붙이지 않고 원소마다 계산하거나(`a + b`, `ops.maximum(a, b)`), 한 배열에서 먼저 한 축의 원소 하나를 골라야 하지 않나요?",
    ),
    (
        r"NoneType",
        "",
        "Something is None here. Is a `return` missing, is a length not known yet (inside a layer's `call`, `keras.ops.shape(x)` gives it; compare it only where it isn't None), is it asked for outside a layer, or is it an argument such as a mask or a cache that may be None?",
        # ko: "여기서 무언가가 None입니다. `return`이 빠졌거나, 아직 모르는 길이거나(계층의 `call` 안에서는 `keras.ops.shape(x)`로 구하고, 비교는 None이 아닐 때만 합니다), 계층 밖에서 길이를 구했거나, 마스크나 캐시처럼 None일 수 있는 인수가 아닌가요?",
    ),
    (
        r"name\s'(ops|layers|tf|torch|jax|jnp|scipy|sp|F|nn|math)'\sis\snot\sdefined",
        "",
        "Import the library in the cell of your answer.",
        # ko: "그 라이브러리를 여러분의 답이 있는 셀에서 import하세요.",
    ),
    (
        r"name\s'(sqrt|exp|log|log2|log10|sin|cos|tanh)'\sis\snot\sdefined",
        r"(?<![.\w])(sqrt|exp|log|log2|log10|sin|cos|tanh)\(",
        "Functions such as `sqrt`, `exp` and `log` belong to a library: write `ops.sqrt` or `np.sqrt`.",
        # ko: "`sqrt`, `exp`, `log` 같은 함수는 라이브러리에 들어 있습니다. `ops.sqrt`나 `np.sqrt`처럼 쓰세요.",
    ),
    (
        r"name\s'self'\sis\snot\sdefined",
        "",
        "Only a method has `self`, as its first parameter: is it missing after `def`?",
        # ko: "`self`는 메서드의 첫 매개변수로만 있습니다. `def` 줄에서 빠지지 않았나요?",
    ),
    (
        r"is\snot\sdefined",
        "",
        "Nothing has this name yet. Is it spelt as where it was made, and has that cell been run? In a class, is `self.` missing? Sizes that the text names are found with `.shape`.",
        # ko: "아직 이런 이름이 없습니다. 철자가 정의한 곳과 같나요? 그 셀을 실행했나요? 클래스 안이라면 `self.`가 빠지지 않았나요? 설명에 나오는 크기는 `.shape`로 구합니다.",
    ),
    (
        r"(?s)unexpected\skeyword\sargument\s'mask'.*\scalling\sKeras's\s\w*Attention|multiple\svalues\sfor\sargument\s'query_mask'",
        "",
        "Keras's own attention calls its mask `attention_mask`: hand it over by this name. There True (or 1) may be attended.",
        # ko: "케라스의 어텐션에서는 마스크의 이름이 `attention_mask`입니다. 이 이름으로 넘기세요. 거기서는 True(또는 1)가 보아도 된다는 뜻입니다.",
    ),
    (
        r"(?s)unexpected\skeyword\sargument\s'mask'.*\scalling\s",
        "",
        "The layer that is called here takes no `mask`. Masks are for attention: a feed-forward network or a normalisation works on each token by itself, and nothing has to be hidden from it.",
        # ko: "여기서 부르는 계층은 `mask`를 받지 않습니다. 마스크는 어텐션에 쓰는 것입니다. 피드포워드 신경망과 정규화는 토큰마다 따로 계산하므로 가릴 것이 없습니다.",
    ),
    (
        r"(?s)[Oo]nly\sinput\stensors\smay.*\(of\stype\s<class\s'(range'|int'.*\scalling\sKeras's\sEmbedding)|'(range|list|int)'\sobject\shas\sno\sattribute\s'dtype'",
        "",
        "An array is wanted here, not a `range`, a list or a number. The positions 0, 1, 2, … are `ops.arange(length)`.",
        # ko: "여기에는 `range`나 리스트나 수가 아니라 배열이 필요합니다. 위치 0, 1, 2, …는 `ops.arange(길이)`입니다.",
    ),
    (
        r"([Oo]nly\sinput\stensors\smay.*argument:|be\sKerasTensors\.\s.*value)\s<\w+\sname=|convert\sa\svalue\s\(<\w+\sname=",
        "",
        "A layer itself is handed over where what it gives belongs: call it on the tensor first, as in `self.dense(x)`.",
        # ko: "계층의 출력이 있어야 할 자리에 계층 자체를 넘겼습니다. `self.dense(x)`처럼 먼저 텐서로 호출하세요.",
    ),
    (
        r"[Oo]nly\sinput\stensors\smay",
        "",
        "Keras's layers take arrays by position and everything else by its name: `training=training`, `mask=None`.",
        # ko: "케라스의 계층은 배열만 위치로 받고 나머지는 이름으로 받습니다. `training=training`, `mask=None`처럼 쓰세요.",
    ),
    (
        r"MultiHeadAttention\.__init__\(\)\s(missing|got)|passed\sto\sMultiHeadAttention\b",
        r"(?<!layers\.)\bMultiHeadAttention\([^\n]*key_dim",
        "`MultiHeadAttention` alone is your own layer of notebook 03, which takes `(d_model, num_heads)`. Keras's, which takes `num_heads` and `key_dim`, is `keras.layers.MultiHeadAttention`.",
        # ko: "`MultiHeadAttention`이라고만 쓰면 3번 노트북에서 직접 만든 계층이고, `(d_model, num_heads)`를 받습니다. `num_heads`와 `key_dim`을 받는 케라스의 계층은 `keras.layers.MultiHeadAttention`입니다.",
    ),
    (
        r"missing\s(\d+|a)\srequired",
        r"\bdef\s|layers\.\w+\(",
        "This call lacks an argument that it can't do without: the error below names it.",
        # ko: "이 호출에 꼭 있어야 하는 인수가 빠졌습니다. 아래 오류에 그 이름이 있습니다.",
    ),
    (
        r"unexpected\skeyword\sargument\s'transpose_[ab]'",
        "",
        "Only `tf.matmul` takes `transpose_a` and `transpose_b`. Elsewhere, swap the last two axes of the array first, with `swapaxes`.",
        # ko: "`transpose_a`와 `transpose_b`는 `tf.matmul`에만 있습니다. 다른 함수에서는 먼저 `swapaxes`로 배열의 마지막 두 축을 맞바꾸세요.",
    ),
    (
        r"too\smany\spositional|takes\s1\spositional",
        r"\b([Aa]dd|[Cc]oncatenate|[Mm]ultiply)\(|\.add\w*\(",
        "Keras's layers that join arrays take them as one list: `Add()([a, b])`.",
        # ko: "배열을 합치는 케라스 계층은 배열들을 리스트 하나로 받습니다. `Add()([a, b])`처럼 쓰세요.",
    ),
    (
        r"positional\sargument|unexpected\skeyword|Unrecognized\skeyword|multiple\svalues",
        "",
        "Compare the call with what the function takes. Keep the names and the order of the arguments as they were given; the first argument of a method is `self`.",
        # ko: "호출을 함수가 받는 인수와 견주어 보세요. 인수의 이름과 순서를 주어진 그대로 두세요. 메서드의 첫 인수는 `self`입니다.",
    ),
    (
        r"BitwiseXor|bitwise_xor|xor\sdoes\snot|operand\stype\(s\)\sfor\s\^",
        r"\^",
        "In Python `^` isn't a power: write `x ** 2`.",
        # ko: "파이썬에서 `^`는 거듭제곱이 아닙니다. `x ** 2`처럼 쓰세요.",
    ),
    (
        r"invert|bitwise_not|LogicalNot|allowed\svalues|accept\sdtype|unary",
        r"~",
        "`~` turns truth values round, no numbers: write `mask == 0`, or `ops.logical_not`.",
        # ko: "`~`는 참과 거짓만 뒤집고 수는 뒤집지 않습니다. `mask == 0`이나 `ops.logical_not`을 쓰세요.",
    ),
    (
        r"allowed\svalues",
        r"\|",
        "`|` takes truth values, no floats: the larger of two arrays, entry by entry, is `ops.maximum`.",
        # ko: "`|`는 참과 거짓에만 쓸 수 있고 실수에는 쓸 수 없습니다. 원소마다 큰 쪽을 고르는 함수는 `ops.maximum`입니다.",
    ),
    (
        r"of\s(int(32|64)|bool)\sis\snot\sin\sthe\slist\sof\sallowed",
        "",
        "This function takes nothing of that dtype (integers, or truth values): make floats of them with `ops.cast`.",
        # ko: "이 함수는 그런 dtype(정수, 또는 참과 거짓)을 받지 않습니다. `ops.cast`로 실수로 바꾸세요.",
    ),
    (
        r"Invalid\sdtype:\s(tuple|list)",
        "",
        "Several numbers, such as a whole shape, stand where one is wanted: a length is `x.shape[1]`.",
        # ko: "수 하나가 필요한 곳에 모양 전체처럼 여러 수가 있습니다. 길이는 `x.shape[1]`처럼 구합니다.",
    ),
    (
        r"\bdtypes?\b(?!=|\sobject)|EagerTensor\sof|expected\sto\sbe\sa\s\w+\stensor|same\stype",
        "",
        "Two kinds of numbers meet. Cast one of them to the other's dtype with `ops.cast`.",
        # ko: "서로 다른 자료형의 수가 만났습니다. `ops.cast`로 한쪽을 다른 쪽의 dtype으로 바꾸세요.",
    ),
    (
        r"'(float|int)'\sobject\sis\snot\scallable",
        r"\bself\.\w+\(",
        "What is called here is a number, not a layer. Does one attribute get both a layer and its rate? Keep the rate under another name.",
        # ko: "부르려는 것이 계층이 아니라 수입니다. 같은 이름의 속성에 계층과 비율을 모두 넣지 않았나요? 비율은 다른 이름에 두세요.",
    ),
    (
        r"expected\saxis\s-1\sof\sinput\sshape\sto\shave\svalue",
        "",
        "A layer takes one width only (the last axis), that of its `build` or first call. Is the same layer called in two places, or does a tensor of another width go in?",
        # ko: "계층은 `build`하거나 처음 호출할 때의 너비(마지막 축)만 받습니다. 같은 계층을 두 곳에서 부르거나 너비가 다른 텐서를 넣지 않았나요?",
    ),
]


def _is_stub(error):
    """Whether an error is the one that the cells to fill in raise, and not a library's own NotImplementedError."""
    # ko: """채워야 할 셀의 코드가 일으킨 오류인지 알려 줍니다. 라이브러리가 일으킨 NotImplementedError는 아닙니다."""
    if not isinstance(error, NotImplementedError):
        return False
    steps = [step for step in traceback.walk_tb(error.__traceback__) if step[0].f_globals is _as_array.__globals__]
    line = linecache.getline(steps[-1][0].f_code.co_filename, steps[-1][1]) if steps else ""
    return not str(error) or line.strip().startswith("raise NotImplementedError")


def _gradients(call, weights):
    """Return the largest gradient that reaches each weight from what `call()` returns: one call instead of one a weight. 0 where it isn't known."""
    # ko: """`call()`의 결과에서 가중치마다 닿는 가장 큰 기울기를 돌려줍니다. 가중치마다 호출하지 않고 한 번만 호출합니다. 알 수 없으면 0입니다."""
    unknown = [0.0] * len(weights)
    if keras.backend.backend() != "tensorflow":
        return unknown
    import tensorflow

    try:
        with tensorflow.GradientTape() as tape:
            answer = keras.ops.cast(call(), "float32")
            mixed = keras.ops.sum(answer * np.random.default_rng(1).normal(size=answer.shape).astype("float32"))
        found = tape.gradient(mixed, [weight.value for weight in weights])
    except Exception:  # something in the student's layers can't be differentiated
    # ko: except Exception:  # 학생의 계층에 미분할 수 없는 것이 있습니다
        return unknown
    return [0.0 if gradient is None else np.abs(_as_array(tensorflow.convert_to_tensor(gradient))).max() for gradient in found]


def _in_one_line(text):
    """Return an error's text in one line, without colours and without TensorFlow's names of its operations."""
    # ko: """오류 메시지를 색과 텐서플로의 연산 이름 없이 한 줄로 돌려줍니다."""
    text = re.sub(r"\x1b\[[\d;]*m|\{\{function_node\s\S+\}\}|\[Op:\w+\](\sname:)?", "", text)
    return re.sub(r"\s+", " ", text).strip()


def _before_keras(text):
    """Return an error's text without what Keras adds of the arguments: it names dtypes, tensors and sizes."""
    # ko: """오류 메시지에서 케라스가 인수에 대해 덧붙인 글을 뺍니다. 거기에는 dtype과 텐서, 크기가 나옵니다."""
    return re.sub(r"Could\snot\sautomatically\sinfer.*?Error\sencountered:", "", text.partition("Arguments received by ")[0])


def _is_open(code):
    """Whether more brackets are opened in a piece of code than closed."""
    # ko: """코드 조각에서 여는 괄호가 닫는 괄호보다 많은지 알려 줍니다."""
    return sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))


def _is_without_axes(short, long):
    """Whether the shape `short` is `long` without one or more of its axes."""
    # ko: """모양 `short`가 `long`에서 축을 하나 이상 뺀 것인지 알려 줍니다."""
    sizes = iter(long)
    return len(short) < len(long) and all(size in sizes for size in short)


def _stopped_at(error, frame, lines, first):
    """
    Return the rest of the line from where the code stopped; empty where that can't be told.
    # ko: 코드가 멈춘 곳부터 그 줄의 끝까지를 돌려줍니다. 알 수 없으면 비어 있습니다.

    Args:
    # ko: 인수:
        error: an exception with its traceback.
        # ko: error: 트레이스백이 있는 예외.
        frame: a step of it.
        # ko: frame: 그 트레이스백의 한 단계.
        lines: the source of the frame's code.
        # ko: lines: 그 단계의 소스 코드.
        first: number of its first line.
        # ko: first: 그 첫 줄의 번호.
    """
    step = error.__traceback__
    while step.tb_frame is not frame:
        step = step.tb_next
    number, _, column, _ = list(frame.f_code.co_positions())[step.tb_lasti // 2]
    if number is None or column is None or not 0 <= number - first < len(lines):
        return ""
    return lines[number - first].encode()[column:].decode()


def _called(rest, frame):
    """Return what is called at the beginning of `rest` in a frame's code, such as a layer; None where that can't be told."""
    # ko: """어떤 프레임의 코드에서 `rest` 첫머리가 부르는 것(계층 등)을 돌려줍니다. 알 수 없으면 None입니다."""
    name = re.match(r"[\w.]+(?=\()", rest)
    if not name:
        return None
    head, *attributes = name[0].split(".")
    value = frame.f_locals.get(head, frame.f_globals.get(head))
    for attribute in attributes:
        value = getattr(value, attribute, None)
    return value


def _explained(error, given=()):
    """
    Say in sentences where the student's code stopped, with which shapes, and what it often comes from.
    # ko: 학생의 코드가 어디에서 어떤 모양의 배열로 멈추었는지, 흔한 원인은 무엇인지 문장으로 알려 줍니다.

    Args:
    # ko: 인수:
        error: an exception with its traceback.
        # ko: error: 트레이스백이 있는 예외.
        given: file names of the given cells' code, besides this one.
        # ko: given: 이 셀 말고도 주어진 셀들의 코드의 파일 이름들.
    """
    if "_error_repr" in str(error):
        error = error.__context__ or error  # Keras fails to make JAX's error again
        # ko: error = error.__context__ or error  # 케라스가 JAX의 오류를 다시 만들지 못합니다
    text = _before_keras(_in_one_line(str(error))).strip()
    said = re.sub(r"config=\{.*\}", "", text)
    text = text if len(text) <= 300 else text[:300] + " …"
    in_message = {tuple(map(int, re.findall(r"\d+", shape))) for shape in re.findall(r"(?<!\w)[\[(](\d[\d,\s]*)[\])]", said)}
    own = [step for step in traceback.walk_tb(error.__traceback__) if step[0].f_globals is _as_array.__globals__]
    students = [step for step in own if step[0].f_code.co_filename not in {*given, _explained.__code__.co_filename}]
    where, code, statement, rest, shapes, impossible = "", "", "", "", {}, set()
    for frame, line_number in (students or own)[-1:]:
        masks = [value for name, value in frame.f_locals.items() if "mask" in name]
        if masks and all(mask is None for mask in masks):
            impossible.add("mask")  # there is none
            # ko: impossible.add("mask")  # 마스크가 없습니다
        try:
            lines, first = inspect.getsourcelines(frame.f_code)
        except (OSError, TypeError):
            break
        index = line_number - max(first, 1)
        if index >= len(lines):  # of a comprehension below a lambda, the lambda's lines were found
        # ko: if index >= len(lines):  # lambda 아래의 컴프리헨션이면 lambda의 줄이 나옵니다
            lines = linecache.getlines(frame.f_code.co_filename)[max(first, 1) - 1 :]
        index = min(max(index, 0), len(lines) - 1)
        line, stop = lines[index].strip(), index + 1
        while stop < len(lines) and _is_open("".join(lines[index:stop])):
            stop += 1
        code, statement = (
            re.sub(r'"""[\s\S]*?"""|=\s*None\b|\bis\s(not\s)?None\b', "", "".join(part))
            for part in ((lines[:stop], lines[index:stop]) if students else ([line], [line]))
        )
        shapes = {
            name: tuple(frame.f_locals[name].shape)
            for name in re.findall(r"[A-Za-z_]\w*", line)
            if not callable(getattr(frame.f_locals.get(name), "shape", len))  # a library's `shape` is a function
            # ko: if not callable(getattr(frame.f_locals.get(name), "shape", len))  # 라이브러리의 `shape`는 함수입니다
        }
        said += "".join(
            f" {name} is a tuple"
            for name in re.findall(r"[A-Za-z_]\w*", line)
            if isinstance(value := frame.f_locals.get(name), tuple) and value and all(hasattr(part, "shape") for part in value)
        )
        rest = _stopped_at(error, frame, lines, max(first, 1)) if students else ""
        if isinstance(called := _called(rest, frame), keras.Layer):
            owner = "Keras's" if type(called).__module__.startswith("keras.") else "the notebook's"
            said += f" by calling {owner} {type(called).__name__}"
        name = frame.f_code.co_qualname.replace("<locals>.", "") if students else ""
        where = f"{f'in {name}, ' if name else ''}the line `{line}` stops"
        # ko: where = f"{f'{name}의 ' if name else ''}`{line}`에서 멈춥니다"
        if shapes:
            where += f" (shapes: {', '.join(f'{name} {shape}' for name, shape in shapes.items())})"
            # ko: where += f" (모양: {', '.join(f'{name} {shape}' for name, shape in shapes.items())})"
        where += ". "
        outer, number = students[0] if students else (frame, line_number)
        if not f"{frame.f_code.co_qualname}.".startswith(f"{outer.f_code.co_qualname}."):  # neither the same function nor one inside it
        # ko: if not f"{frame.f_code.co_qualname}.".startswith(f"{outer.f_code.co_qualname}."):  # 같은 함수도 그 안의 함수도 아닙니다
            where += f"The call came from `{linecache.getline(outer.f_code.co_filename, number).strip()}` in {outer.f_code.co_qualname}. "
            # ko: where += f"{outer.f_code.co_qualname}의 `{linecache.getline(outer.f_code.co_filename, number).strip()}`에서 부른 것입니다. "
        unknown = re.search(r"name\s'(\w+)'\sis\snot\sdefined", said)
        if unknown and re.match(rf"{unknown[1]}\s*:\s*self\.{unknown[1]}\b", rest):
            return f'{where}A key of a dictionary is a text: write `"{unknown[1]}"`, in quotes.\n({type(error).__name__}: {text})'
            # ko: return f'{where}딕셔너리의 키는 문자열이므로 `"{unknown[1]}"`처럼 따옴표로 묶어야 합니다.\n({type(error).__name__}: {text})'
        if unknown and hasattr(frame.f_locals.get("self"), unknown[1]):
            owner = "super()" if unknown[1] == frame.f_code.co_name else "self"
            return f"{where}`{unknown[1]}` is an attribute of the object: write `{owner}.{unknown[1]}`.\n({type(error).__name__}: {text})"
            # ko: return f"{where}`{unknown[1]}`은(는) 객체의 속성이므로 `{owner}.{unknown[1]}`(으)로 써야 합니다.\n({type(error).__name__}: {text})"
        lost = re.search(r"'(\w+)'\sobject\shas\sno\sattribute\s'(\w+)'", said)
        if lost and lost[1] == type(frame.f_locals.get("self")).__name__ and f"self.{lost[2]}" in line:
            if callable(frame.f_globals.get(lost[2])):
                return f"{where}`{lost[2]}` is the notebook's, not the object's: write it without `self.`.\n({type(error).__name__}: {text})"
                # ko: return f"{where}`{lost[2]}`은(는) 객체의 것이 아니라 노트북의 것이므로 `self.` 없이 써야 합니다.\n({type(error).__name__}: {text})"
            return f"{where}Nothing has made `self.{lost[2]}` before. Is it spelt as in `__init__`, or as Keras spells it?\n({type(error).__name__}: {text})"
            # ko: return f"{where}`self.{lost[2]}`을(를) 아직 만들지 않았습니다. `__init__`이나 케라스에서 쓰는 철자와 같은가요?\n({type(error).__name__}: {text})"
        if unknown and unknown[1][0].isupper() and hasattr(keras.layers, unknown[1]):
            return f"{where}If you mean Keras's layer, write `keras.layers.{unknown[1]}`; if you mean your own, run the cell that defines it.\n({type(error).__name__}: {text})"
            # ko: return f"{where}케라스의 계층이라면 `keras.layers.{unknown[1]}`(으)로 쓰고, 여러분의 계층이라면 그것을 정의하는 셀을 실행하세요.\n({type(error).__name__}: {text})"
        handed_over = {name: shapes[name] for name in frame.f_code.co_varnames[: frame.f_code.co_argcount] if shapes.get(name)}
        if min(in_message, key=len, default=None) in handed_over.values():
            impossible.add("keepdims")  # what was handed over never had another axis
            # ko: impossible.add("keepdims")  # 인수로 받은 것에는 없어진 축이 없습니다
        lacking = [(a, b) for a in shapes if len(handed_over.get(a, ())) != 1 for b in shapes if {shapes[a], shapes[b]} <= in_message and shapes[a] == shapes[b][:-1]]
        if lacking and re.search(_CANT_FIT, said) and not re.search(r"[Mm]at[Mm]ul|[Mm]atrix\s|output\soperand", said):
            short, long = (" and ".join(f"`{name}`" for name in dict.fromkeys(names)) for names in zip(*lacking, strict=True))
            # ko: short, long = (", ".join(f"`{name}`" for name in dict.fromkeys(names)) for names in zip(*lacking, strict=True))
            return f"{where}The shape of {short} is that of {long} without the last axis. Should {long} have lost that axis before, by a sum or an index? If not, `keepdims=True` leaves an axis of length 1 where axes are summed over, and `[..., None]` puts one in at the end.\n({type(error).__name__}: {text})"
            # ko: return f"{where}{short}의 모양은 {long}의 모양에서 마지막 축을 뺀 것입니다. {long}에서 먼저 합을 구하거나 인덱스로 골라 그 축을 없앴어야 하나요? 그렇지 않다면, 축을 따라 더할 때 `keepdims=True`를 주면 길이 1인 축이 남고, `[..., None]`은 끝에 그런 축을 넣습니다.\n({type(error).__name__}: {text})"
    if re.match(r"raise\s+ValueError", rest):
        return f"{where}This is a `raise` of your own code, and what the check hands over is right. Is its condition turned round, does it look at another axis or another value than it should, or does what raises it get other arguments from you than it takes?\n({type(error).__name__}: {text})"
        # ko: return f"{where}여러분의 코드에 있는 `raise`인데, 검사가 넘긴 것은 올바른 입력입니다. 조건이 거꾸로 되었거나, 엉뚱한 축이나 값을 살피거나, 이 오류를 일으킨 것에 인수를 잘못 넘기지 않았나요?\n({type(error).__name__}: {text})"
    if len(in_message) > 1 and not any(_is_without_axes(short, long) for short in in_message for long in in_message):
        impossible.add("keepdims")  # neither shape is the other without some of its axes: no sum took any away
        # ko: impossible.add("keepdims")  # 한 모양에서 축을 몇 개 뺀 것이 다른 모양이 아닙니다. 합을 구하다 없어진 축이 아닙니다
    if any(len(shape) == 1 and f"{name}.T" in statement for name, shape in shapes.items()) or not (
        re.search(r"\.T\b|transpose", statement) or any(len(shape) > 2 for shape in shapes.values())
    ):
        impossible.add(".T")  # a vector stays as it is, and one in a line above has no batch to reverse
        # ko: impossible.add(".T")  # 벡터는 .T를 해도 그대로이고, 윗줄의 것이 뒤집을 배치가 없습니다
    fitting = [
        (sentence, around, re.search(around, statement))
        for pattern, around, sentence in _CAUSES
        if re.search(pattern, f"{type(error).__name__} {said}")
        and (re.search(around, code) or re.search(around, statement))
        and not any(word in around.replace("\\", "") for word in impossible)
    ]
    if fitting and not fitting[0][2]:  # it stands in a line above: one in the statement itself is likelier
    # ko: if fitting and not fitting[0][2]:  # 윗줄에 있는 원인입니다. 멈춘 문장에 있는 원인이 더 그럴듯합니다
        fitting = [cause for cause in fitting if cause[1] and cause[2]] or fitting
    return f"{where}Look here first: {fitting[0][0]}\n({type(error).__name__}: {text})" if fitting else f"{where}{type(error).__name__}: {text}"
    # ko: return f"{where}먼저 확인하세요. {fitting[0][0]}\n({type(error).__name__}: {text})" if fitting else f"{where}{type(error).__name__}: {text}"


def demonstrate(function):
    """
    Run a demonstration at once. Its names are its own. It waits without an error, and without an empty picture, for answers that
    # ko: 시연을 바로 실행합니다. 시연 안의 이름은 밖으로 나오지 않습니다. 아직 작성하지 않은 답이 필요하면 오류도 빈 그림도 없이
    aren't written yet. Of any other error a sentence says where it came.
    # ko: 기다립니다. 다른 오류가 나면 어디에서 멈추었는지 문장으로 알려 줍니다.
    """
    try:
        function()
    except Exception as error:
        plt.close("all")
        if isinstance(error, CheckFailed):
            raise error from None
        if not _is_stub(error) and not (isinstance(error, NameError) and str(error.name).startswith("_")):
            raise CheckFailed(f"{_explained(error, {function.__code__.co_filename})}\nIf a check above doesn't hold, begin there.") from None
            # ko: raise CheckFailed(f"{_explained(error, {function.__code__.co_filename})}\n위에 통과하지 못한 검사가 있으면 그것부터 고치세요.") from None
        print("This cell shows something when the answers that it uses are written and the cells above it have been run.")
        # ko: print("이 셀은 필요한 코드를 먼저 작성하고 위의 셀들을 실행해야 결과를 보여 줍니다.")


class checking:
    """Run the public checks of one task: a function below `@checking("my_function")`, which gets them as `check`."""
    # ko: """한 과제의 공개 검사를 실행합니다. `@checking("my_function")` 아래의 함수가 이것을 `check`로 받습니다."""

    given_files = set()  # file names of given cells, whose functions call the student's
    # ko: given_files = set()  # 학생의 함수를 부르는 함수가 있는 주어진 셀들의 파일 이름
    footer = "The public examples hold. The points come from other inputs."
    # ko: footer = "공개된 예제는 모두 맞습니다. 점수는 다른 입력으로 매깁니다."

    def __init__(self, name):
        self.name = name
        self.passed = []
        self.notes = []

    def __call__(self, function):
        self.given_files = {function.__code__.co_filename, *self.given_files}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # Keras warns of what the check does
                # ko: warnings.simplefilter("ignore", UserWarning)  # 검사가 하는 일에 대한 케라스의 경고
                warnings.simplefilter("ignore", DeprecationWarning)  # and NumPy of TensorFlow's tensors
                # ko: warnings.simplefilter("ignore", DeprecationWarning)  # 텐서플로의 텐서에 대한 NumPy의 경고
                function(self)
        except CheckFailed as failed:
            raise failed from None
        except Exception as error:
            if _is_stub(error):
                unwritten = self._unwritten(error)
                of_keras = re.search(r"\suses\s([A-Z]\w*)\.", unwritten)
                # ko: of_keras = re.search(r"에서\s쓰는\s([A-Z]\w*)\.", unwritten)
                raise CheckFailed(
                    f"{unwritten} is not written yet: replace `raise NotImplementedError()` with your code, and run its cell without an error."
                    # ko: f"{unwritten}은(는) 아직 작성되지 않았습니다. `raise NotImplementedError()`를 여러분의 코드로 바꾸고 그 셀을 오류 없이 실행하세요."
                    + (f" If you mean Keras's own, write `keras.layers.{of_keras[1]}`." if of_keras and hasattr(keras.layers, of_keras[1]) else "")
                    # ko: + (f" 케라스의 계층을 쓰려던 것이라면 `keras.layers.{of_keras[1]}`(으)로 쓰세요." if of_keras and hasattr(keras.layers, of_keras[1]) else "")
                ) from None
            raise CheckFailed(f"{self.name}: {_explained(error, self.given_files)}") from None
        return self

    def _unwritten(self, error):
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_globals is _as_array.__globals__]
        name = frames[-1].f_code.co_qualname if frames else self.name
        by_check = any("_check" in frame.f_code.co_qualname for frame in frames[-2:])
        return name if name.split(".")[0] == self.name or by_check else f"{self.name} uses {name}, which"
        # ko: return name if name.split(".")[0] == self.name or by_check else f"{self.name}에서 쓰는 {name}"

    def _fail(self, text):
        raise CheckFailed(f"{self.name}: {text}")

    def note(self, text):
        """Say of work that earns its points what it can't do all the same."""
        # ko: """점수를 받는 답이라도 할 수 없는 일이 있으면 알려 줍니다."""
        line = f"It earns its points as it is, but {text}"
        # ko: line = f"이대로도 점수는 받습니다. 그런데 {text}"
        if line not in self.notes:
            self.notes.append(line)

    def _lose(self, required, text):
        if required:
            self._fail(text)
        self.note(text)

    def _returned(self, value):
        if value is None:
            self._fail("it returned None. Is the `return` missing?")
            # ko: self._fail("None을 돌려주었습니다. `return`이 빠지지 않았나요?")

    def pair(self, value, words):
        """`value` is a tuple of two, which reads `words`."""
        # ko: """`value`는 두 개짜리 튜플이고, 말로는 `words`입니다."""
        self._returned(value)
        self.true(
            isinstance(value, tuple) and len(value) == 2,
            "two results",
            # ko: "결과 두 개",
            f"return a tuple of two, ({words}): `return {words}`.",
            # ko: f"두 개짜리 튜플 ({words})를 돌려주세요: `return {words}`.",
        )

    def shape(self, value, expected, words, otherwise=""):
        """`value` has exactly the shape `expected`, which reads `words`; `otherwise` says what may be wrong when it hasn't."""
        # ko: """`value`의 모양이 정확히 `expected`입니다. 말로는 `words`입니다. 모양이 다르면 `otherwise`가 무엇이 틀렸을지 말합니다."""
        self._returned(value)
        shapes = [getattr(part, "shape", ()) for part in value] if isinstance(value, (tuple, list)) else []
        received = None if len(set(map(tuple, shapes))) > 1 else _as_array(value).shape
        if received != tuple(expected):
            if isinstance(value, list) and any(map(len, shapes)) and len(set(map(tuple, shapes))) == 1:
                self._fail(f"a list of {len(shapes)} arrays came back. One array is wanted, {words}. `np.stack` joins arrays of the same shape along a new axis. {otherwise}".rstrip())
                # ko: self._fail(f"배열 {len(shapes)}개의 리스트가 나왔습니다. {words} 배열 하나를 돌려주세요. 모양이 같은 배열들은 `np.stack`이 새 축을 따라 하나로 쌓습니다. {otherwise}".rstrip())
            if any(map(len, shapes)):
                self._fail(f"{len(shapes)} arrays came back. One is wanted, {words}. Does your `return` name several, or hand on a pair that another function returned?")
                # ko: self._fail(f"배열 {len(shapes)}개가 나왔습니다. {words} 배열 하나를 돌려주세요. `return`에 여럿을 썼거나, 다른 함수가 돌려준 쌍을 그대로 넘기지 않았나요?")
            self._fail(f"the shape is {received}, but {words} is {tuple(expected)} here. {otherwise}".rstrip())
            # ko: self._fail(f"모양이 {received}입니다. 여기서는 {tuple(expected)}이어야 합니다: {words}. {otherwise}".rstrip())
        self.passed.append(f"shape {words} = {received}")
        # ko: self.passed.append(f"{words}: 모양 {received}")

    def close(self, value, expected, what, hints=None, tolerance=1e-4, otherwise=""):
        """`value` equals `expected`; `hints` maps a sentence to the wrong answer that it explains, `otherwise` fits any other."""
        # ko: """`value`가 `expected`와 같습니다. `hints`는 문장마다 그것이 설명하는 틀린 답을 담고, `otherwise`는 그 밖의 틀린 답에 씁니다."""
        self._returned(value)
        received, expected = _as_array(value), _as_array(expected).astype(float)
        if isinstance(value, str) or received.dtype.kind in "US":
            self._fail(f"{what}: it returned a text, not a number.")
            # ko: self._fail(f"{what}: 수가 아니라 문자열을 돌려주었습니다.")
        if received.shape != expected.shape:
            self._fail(f"{what}: the shape is {received.shape}, expected {expected.shape}.")
            # ko: self._fail(f"{what}: 모양이 {received.shape}입니다. {expected.shape}이어야 합니다.")
        if np.iscomplexobj(received):
            self._fail(f"{what}: the numbers are complex, and real ones are wanted: return their real part, `.real`.")
            # ko: self._fail(f"{what}: 복소수를 돌려주었습니다. 실수가 필요하므로 실수부 `.real`을 돌려주세요.")
        received = received.astype(float)
        if not np.isnan(expected).any():
            self.numbers(received, what, otherwise)
        if not np.allclose(received, expected, rtol=tolerance, atol=tolerance):
            for sentence, wrong in (hints or {}).items():
                wrong = np.asarray(wrong, dtype=float)
                if wrong.shape == received.shape and np.allclose(received, wrong, rtol=tolerance, atol=tolerance):
                    self._fail(f"{what}: {sentence}")
            with np.printoptions(precision=4, suppress=True, threshold=40):
                head = f"{what}: {otherwise}" if otherwise else what
                self._fail(f"{head}\nyou gave\n{received}\nexpected\n{expected}")
                # ko: self._fail(f"{head}\n여러분의 값\n{received}\n기대한 값\n{expected}")
        self.passed.append(what)

    def numbers(self, value, what, otherwise=""):
        """`value` holds no NaN."""
        # ko: """`value`에 NaN이 없습니다."""
        if np.isnan(_as_array(value).astype(float)).any():
            such_as = " (such as `mask * -np.inf` where the mask is 0)" if re.search("mask|hidden|마스크|가[리린릴려렸]", what) else ""
            # ko: such_as = "(마스크가 0인 곳의 `mask * -np.inf`처럼)" if re.search("mask|hidden|마스크|가[리린릴려렸]", what) else ""
            self._fail(
                f"{what}: there is a NaN. It comes from 0 / 0, ∞ / ∞, ∞ - ∞, 0 · ∞{such_as}, or the root or logarithm of a negative number. "
                # ko: f"{what}: NaN이 있습니다. NaN은 0 / 0, ∞ / ∞, ∞ - ∞, 0 · ∞{such_as}, 또는 음수의 제곱근이나 로그에서 나옵니다. "
                f"Which of them is in your code? {otherwise}"
                # ko: f"여러분의 코드에는 어느 것이 있나요? {otherwise}"
            )

    def true(self, condition, what, otherwise):
        """`condition` holds; `otherwise` says what is wrong when it doesn't."""
        # ko: """`condition`이 참입니다. 거짓이면 `otherwise`가 무엇이 틀렸는지 말합니다."""
        if not condition:
            self._fail(otherwise)
        self.passed.append(what)

    def compiles(self, function, *inputs, required=True, open_batch=False):
        """
        `function` works on tensors without values, as in a `fit` that compiles it.
        # ko: `fit`이 컴파일할 때처럼 값이 없는 텐서로도 `function`이 계산됩니다.

        Args:
        # ko: 인수:
            function: takes one tensor for each of `inputs`.
            # ko: function: `inputs`마다 텐서를 하나씩 받는 함수.
            inputs: arrays.
            # ko: inputs: 배열들.
            required: whether the check fails if it doesn't work; else it notes that.
            # ko: required: 안 될 때 검사가 실패하는지. 거짓이면 알려 주기만 합니다.
            open_batch: whether it is also compiled while the length of the first axis is open, as `fit` does on TensorFlow.
            # ko: open_batch: 텐서플로의 `fit`처럼 첫 축의 길이를 정하지 않고도 컴파일해 보는지.
        """
        tensors = [keras.ops.convert_to_tensor(value) for value in inputs]
        try:
            if keras.backend.backend() == "tensorflow":
                import tensorflow

                compiled = tensorflow.function(function, autograph=False)
                compiled(*tensors)
                if open_batch:
                    compiled.get_concrete_function(*(tensorflow.TensorSpec((None, *tensor.shape[1:]), tensor.dtype) for tensor in tensors))
            elif keras.backend.backend() == "jax":
                import jax

                jax.jit(function)(*tensors)
            else:
                function(*tensors)
        except Exception as error:
            if _is_stub(error):
                raise
            self._lose(required, f"it fails where `fit` compiles it: {_explained(error, self.given_files)}")
            # ko: self._lose(required, f"`fit`이 컴파일하면 실패합니다. {_explained(error, self.given_files)}")
            return
        self.passed.append("`fit` can compile it")
        # ko: self.passed.append("`fit`이 컴파일할 수 있다")

    def learns(self, layer, call, inputs, weights, required=True, where=""):
        """
        One step of training moves all of `weights`.
        # ko: 학습 한 걸음에 `weights`가 모두 움직입니다.

        Args:
        # ko: 인수:
            layer: the layer that is trained.
            # ko: layer: 학습할 계층.
            call: inputs -> the layer's output.
            # ko: call: 입력 -> 계층의 출력.
            inputs: (batch, ...), an array.
            # ko: inputs: (batch, ...), 배열.
            weights: name -> a weight that a gradient should reach.
            # ko: weights: 이름 -> 기울기가 닿아야 하는 가중치.
            required: whether the check fails if they don't all move; else it notes that.
            # ko: required: 움직이지 않는 가중치가 있을 때 검사가 실패하는지. 거짓이면 알려 주기만 합니다.
            where: words for the case that `call` is, such as "under a mask ".
            # ko: where: `call`이 어떤 경우인지 나타내는 말. 이를테면 "마스크를 쓰면 ".
        """

        class Trained(keras.Model):
            def __init__(self):
                super().__init__()
                self.layer = layer

            def call(self, x):
                return call(x)

        model, before = Trained(), {name: np.array(_as_array(weight)) for name, weight in weights.items()}
        model.compile(keras.optimizers.SGD(1.0), "mse", run_eagerly=True)
        advice = "A gradient passes neither through NumPy nor through `stop_gradient`: inside a layer, and in the functions that it calls, compute with `keras.ops` (or `tf.*`)."
        # ko: advice = "기울기는 NumPy와 `stop_gradient`를 통과하지 못합니다. 계층 안에서, 그리고 계층이 부르는 함수에서는 `keras.ops`(또는 `tf.*`)로 계산하세요."
        try:
            model.fit(inputs, np.zeros_like(_as_array(call(inputs))), batch_size=len(inputs), verbose=0)
        except Exception as error:
            text = re.sub(r"Exception\sencountered\swhen\scalling\s\S+", "", _before_keras(_in_one_line(str(error)))).strip()[:200]
            self._lose(required, f"{where}it can't be trained. {advice}\n({type(error).__name__}: {text})")
            # ko: self._lose(required, f"{where}학습할 수 없습니다. {advice}\n({type(error).__name__}: {text})")
            return
        still = [name for name, weight in weights.items() if np.array_equal(before[name], _as_array(weight))]
        if still:
            self._lose(required, f"{where}a step of training doesn't move {', '.join(still)}. {advice}")
            # ko: self._lose(required, f"{where}학습 한 걸음에 움직이지 않는 가중치가 있습니다: {', '.join(still)}. {advice}")
            return
        self.passed.append(f"{where}a step of training moves its weights")
        # ko: self.passed.append(f"{where}학습 한 걸음에 가중치가 움직인다")

    def gives_logits(self, outputs, words=""):
        """`outputs` (..., vocab_size) are neither a softmax nor the logarithm of one, nor cut off at 0. `words` says of which model."""
        # ko: """`outputs` (..., vocab_size)가 소프트맥스도 그 로그도 아니고 0에서 잘리지도 않았습니다. `words`는 어느 모델인지 말합니다."""
        which = f"{words}: " if words else ""
        self.true(
            not np.allclose(outputs.sum(axis=-1), 1, atol=1e-3),
            f"{which}logits, without a softmax",
            # ko: f"{which}소프트맥스 없는 로짓",
            f"{which}the outputs add up to 1: leave the softmax out.",
            # ko: f"{which}출력의 합이 1입니다. 소프트맥스를 빼세요.",
        )
        self.true(
            not np.allclose(np.exp(outputs).sum(axis=-1), 1, atol=1e-3),
            f"{which}logits, without the logarithm of a softmax",
            # ko: f"{which}소프트맥스의 로그도 아닌 로짓",
            f"{which}the exponentials of the outputs add up to 1: leave the log_softmax out.",
            # ko: f"{which}출력을 지수로 바꾸면 합이 1입니다. log_softmax를 빼세요.",
        )
        self.true(
            outputs.min() < 0,
            f"{which}logits of either sign",
            # ko: f"{which}부호에 제한이 없는 로짓",
            f"{which}no output is negative: the output layer has no activation such as ReLU.",
            # ko: f"{which}음수인 출력이 하나도 없습니다. 출력층에는 ReLU 같은 활성화 함수가 없어야 합니다.",
        )

    def drops_nothing(self, call, has_network=True, has_embedding=True):
        """`call(training=True)` of something made with dropout 0.0 gives what `call()` gives. `has_…`: whether there may be such a part."""
        # ko: """드롭아웃 비율 0.0으로 만든 것은 `call(training=True)`가 `call()`과 같습니다. `has_…`: 피드포워드 신경망이나 임베딩이 있을 수 있는지."""
        where = "in the feed-forward network too (and in embeddings, if there are any)" if has_embedding else "in the feed-forward network too"
        # ko: where = "피드포워드 신경망까지(임베딩이 있으면 임베딩까지)" if has_embedding else "피드포워드 신경망까지"
        self.close(
            call(training=True),
            _as_array(call()),
            "with dropout 0.0 nothing is dropped in training either",
            # ko: "드롭아웃 비율이 0.0이면 학습할 때도 드롭아웃이 없다",
            otherwise=f"Is the rate the argument `dropout` everywhere, {where}?" if has_network else "Is the rate the argument `dropout`?",
            # ko: otherwise=f"{where} 모두 인수 `dropout`을 비율로 쓰나요?" if has_network else "인수 `dropout`을 비율로 쓰나요?",
        )

    def survives_config(self, layer, call, words, otherwise=""):
        """A layer made from the config of `layer` computes the same with its weights. `call`: layer -> output."""
        # ko: """`layer`의 config로 만든 계층에 같은 가중치를 넣으면 결과도 같습니다. `call`: 계층 -> 출력."""
        copy = type(layer).from_config(layer.get_config())
        call(copy)  # now it has its weights
        # ko: call(copy)  # 이제 가중치가 생겼습니다
        copy.set_weights(layer.get_weights())
        self.close(call(copy), _as_array(call(layer)), words, otherwise=otherwise)

    def notes_failure(self, function, what):
        """Note it if `function()` fails; nothing is lost by that. `what` says what fails."""
        # ko: """`function()`이 실패하면 알려 줍니다. 점수는 깎이지 않습니다. `what`은 무엇이 실패하는지 말합니다."""
        try:
            function()
        except Exception as error:
            if _is_stub(error):
                raise
            self.note(f"{what}: {_explained(error, self.given_files)}")
            # ko: self.note(f"{what}. {_explained(error, self.given_files)}")

    def notes_open_length(self, call, inputs):
        """Note it if a model in which `call` gets sequences of any length can't be built; `inputs`: (batch, seq_len, dim)."""
        # ko: """길이를 정하지 않은 시퀀스를 `call`에 넣는 모델을 만들 수 없으면 알려 줍니다. `inputs`: (batch, seq_len, dim)."""

        def build():
            entry = keras.Input((None, inputs.shape[-1]))
            models.append(keras.Model(entry, call(entry)))

        def fits(length):
            outputs = models[0].predict(inputs[:, :length], verbose=0)
            return np.allclose(outputs, _as_array(call(inputs[:, :length])), atol=1e-5)

        def answer():
            try:
                answers.extend(map(fits, (2, 3)))
            except Exception as error:
                if "Graph execution error" not in str(error):  # that one stands in no line of the student's
                # ko: if "Graph execution error" not in str(error):  # 이 오류에는 학생의 줄이 나오지 않습니다
                    raise
                answers.append(False)

        models, answers = [], []
        self.notes_failure(build, "a model of sequences of any length fails")
        # ko: self.notes_failure(build, "길이를 정하지 않은 모델에서 실패합니다")
        if models:
            self.notes_failure(answer, "a model of sequences of any length fails")
            # ko: self.notes_failure(answer, "길이를 정하지 않은 모델에서 실패합니다")
        if not all(answers):
            self.note(
                "a model of sequences of any length fails: something took a length while it was still open (`None`). Take it from `ops.shape(…)`."
                # ko: "길이를 정하지 않은 모델에서 실패합니다. 길이가 아직 정해지지 않았을 때(`None`) 그 값을 썼습니다. 길이는 `ops.shape(…)`에서 구하세요."
            )

    def notes_dtype(self, layer, inputs):
        """Note it if `layer`, made with a dtype of its own, fails on `inputs` or answers in another dtype; nothing is lost by that."""
        # ko: """dtype을 따로 정해 만든 `layer`가 `inputs`에서 실패하거나 다른 dtype으로 답하면 알려 줍니다. 점수는 깎이지 않습니다."""
        wanted, received = layer.compute_dtype, []
        self.notes_failure(lambda: received.append(keras.backend.standardize_dtype(layer(inputs).dtype)), f"a {wanted} layer fails")
        # ko: self.notes_failure(lambda: received.append(keras.backend.standardize_dtype(layer(inputs).dtype)), f"{wanted}인 계층에서 실패합니다")
        if received and received[0] != wanted:
            self.note(f"a {wanted} layer answers in {received[0]}.")
            # ko: self.note(f"{wanted}인 계층이 답하는 dtype이 {received[0]}입니다.")

    def notes_config(self, layer_class, **arguments):
        """Note it if a layer made from the config of another has another name or dtype; nothing is lost by that."""
        # ko: """다른 계층의 config로 만든 계층의 이름이나 dtype이 다르면 알려 줍니다. 점수는 깎이지 않습니다."""
        try:
            layer = layer_class(**arguments, name="mine", dtype="float16")
        except TypeError:
            self.note("it takes neither `name` nor `dtype`: hand `**kwargs` on to `super().__init__`.")
            # ko: self.note("`name`과 `dtype`을 받지 않습니다. `**kwargs`를 `super().__init__`에 넘기세요.")
            return
        except Exception as error:
            self.note(f"a float16 layer can't be made: {_explained(error, self.given_files)}")
            # ko: self.note(f"float16인 계층을 만들 수 없습니다. {_explained(error, self.given_files)}")
            return
        if layer.name != "mine":
            self.note("its `name` and `dtype` are lost: hand `**kwargs` on to `super().__init__`.")
            # ko: self.note("`name`과 `dtype`이 사라집니다. `**kwargs`를 `super().__init__`에 넘기세요.")
            return
        copy = layer_class.from_config(layer.get_config())
        if (copy.name, copy.compute_dtype) != (layer.name, layer.compute_dtype):
            self.note("a copy forgets name and dtype: `super().get_config()` gives them.")
            # ko: self.note("복사본이 이름과 dtype을 잃습니다. `super().get_config()`에 그것이 들어 있습니다.")

    def uses_every_weight(self, layer, call, what=""):
        """Each trainable weight of `layer`, called `what`, has a say in what `call()` returns. What begins at 0 is a bias, and left out."""
        # ko: """`layer`(이름은 `what`)의 학습되는 가중치마다 `call()`의 결과에 영향을 줍니다. 0에서 시작하는 것은 편향이므로 뺍니다."""
        what = what and f"{what}: "
        rng, before, idle = np.random.default_rng(0), _as_array(call()), []
        for weight, gradient in zip(layer.trainable_weights, _gradients(call, layer.trainable_weights), strict=True):
            value = _as_array(weight)
            if value.any() and not gradient > 1e-3:  # no gradient, or a small one: does it move the output at all?
            # ko: if value.any() and not gradient > 1e-3:  # 기울기가 없거나 작으면 출력을 조금이라도 움직이는지 알아봅니다
                weight.assign(value + rng.normal(size=value.shape))
                if np.allclose(_as_array(call()), before, atol=1e-5):
                    idle.append(weight.path)
                weight.assign(value)
        listed = ", ".join(idle[:4]) + (f" … ({len(idle)} in all)" if len(idle) > 4 else "")
        # ko: listed = ", ".join(idle[:4]) + (f" … (모두 {len(idle)}개)" if len(idle) > 4 else "")
        self.true(
            not idle,
            f"{what}every weight has a say in the output",
            # ko: f"{what}가중치마다 출력에 영향을 준다",
            f"{what}the output stays the same whatever these weights are: {listed}. Is what their layer computes used?",
            # ko: f"{what}이 가중치들은 어떤 값이어도 출력이 그대로입니다: {listed}. 이들이 든 계층의 출력을 쓰나요?",
        )

    def raises_value_error(self, function, *args, naming=(), **kwargs):
        """The call raises a ValueError whose text contains every one of `naming`, or of one of the tuples in it."""
        # ko: """호출하면 ValueError가 나고, 그 메시지에 `naming`이 모두(튜플이 여럿이면 그 가운데 하나가 모두) 들어 있습니다."""
        shown = ", ".join(
            [repr(a) if np.isscalar(a) else f"an array of shape {np.shape(a)}" if hasattr(a, "shape") else "…" for a in args]
            # ko: [repr(a) if np.isscalar(a) else f"모양 {np.shape(a)}인 배열" if hasattr(a, "shape") else "…" for a in args]
            + [f"{k}={v!r}" for k, v in kwargs.items()]
        )
        try:
            function(*args, **kwargs)
        except ValueError as error:
            choices = naming if naming and isinstance(naming[0], tuple) else (naming,)
            own_text = _before_keras(str(error))
            lacking = [[str(word) for word in words if str(word) not in own_text] for words in choices]
            missing = lacking[0]
            if all(lacking):
                *_, (last, number) = traceback.walk_tb(error.__traceback__)
                line = linecache.getline(last.f_code.co_filename, number)
                if last.f_globals is not _as_array.__globals__ or (line and "raise" not in line):
                    self._fail(f"the ValueError for ({shown}) is not your own: raise one before you compute, naming {' and '.join(map(str, choices[0]))}.")
                    # ko: self._fail(f"({shown})에 대한 ValueError를 여러분의 코드가 일으키지 않았습니다. 계산하기 전에 {', '.join(map(str, choices[0]))}을(를) 적어 일으키세요.")
                self._fail(f"the text of the ValueError for ({shown}) should name {' and '.join(missing)}.")
                # ko: self._fail(f"({shown})에 대한 ValueError의 메시지에 {', '.join(missing)}이(가) 들어 있어야 합니다.")
        except Exception as error:
            came, (*_, (last, number)) = type(error).__name__, traceback.walk_tb(error.__traceback__)
            line = linecache.getline(last.f_code.co_filename, number) if last.f_globals is _as_array.__globals__ else ""
            if _is_stub(error) or type(error) is NameError or ("raise " in line and came not in line):  # the `raise` itself fails
            # ko: if _is_stub(error) or type(error) is NameError or ("raise " in line and came not in line):  # `raise` 자체가 실패했습니다
                raise
            self._fail(f"({shown}) should raise a ValueError, but {came} came. Is it `raise ValueError(…)`, and before you compute?")
            # ko: self._fail(f"({shown})에는 ValueError를 일으켜야 하는데 {came}이(가) 났습니다. 계산하기 전에, `raise ValueError(…)`로 일으키나요?")
        else:
            self._fail(f"({shown}) should raise a ValueError.")
            # ko: self._fail(f"({shown})에는 ValueError를 일으켜야 합니다.")
        self.passed.append(f"ValueError for ({shown})")
        # ko: self.passed.append(f"({shown})에 대한 ValueError")

    def _repr_html_(self):
        lines = "".join(f"<li>✓ {html.escape(line)}</li>" for line in self.passed)
        lines += "".join(f"<li>⚠ {html.escape(note)}</li>" for note in self.notes)
        return (
            f"<b>{html.escape(self.name)}</b><ul style='list-style:none;padding-left:1em'>{lines}</ul>"
            f"<i>{html.escape(self.footer)}</i>"
        )

    def __repr__(self):
        # A grader without this course's configuration reads a test cell's value as its points: there are none here.
        # ko: # 이 과정의 설정이 없는 채점기는 검사 셀의 값을 점수로 읽습니다. 여기서 줄 점수는 없습니다.
        if BEING_AUTOGRADED:
            return "0.0"
        return "\n".join([self.name, *[f"✓ {line}" for line in self.passed], *[f"⚠ {note}" for note in self.notes]])

    def _ipython_display_(self):
        # nbgrader's Validate takes a cell's value for points as well, but not what the cell displays.
        # ko: # nbgrader의 Validate도 셀의 값은 점수로 읽지만 셀이 보여 주는 것은 읽지 않습니다.
        if BEING_AUTOGRADED:
            raise NotImplementedError
        display({"text/plain": repr(self), "text/html": self._repr_html_()}, raw=True)
