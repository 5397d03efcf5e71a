"""Known wrong answers of `01-positional-encoding`: each is a right cell with one edit."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

RATES = """
def angle_rates(dim, base=10000.0):
    if dim <= 0 or dim % 2 != 0:
        raise ValueError(f"dim must be even and positive. Received: dim={dim}.")
    i = np.arange(dim // 2)
    return base ** (-2 * i / dim)
"""

TABLE = """
def positional_encoding(max_len, dim, base=10000.0):
    positions = np.arange(max_len)
    rates = angle_rates(dim, base)
    angles = positions[:, np.newaxis] * rates
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
"""

DOTS = """
def dot_products_at_offset(pe, offset):
    count = len(pe) - offset
    first, second = pe[:count], pe[offset:]
    return np.sum(first * second, axis=-1)
"""

CLOSED_FORM = """
def offset_dot_product(offset, dim, base=10000.0):
    angles = offset * angle_rates(dim, base)
    return float(np.sum(np.cos(angles)))
"""

SHIFT = """
def shift_matrix(offset, dim, base=10000.0):
    angles = offset * angle_rates(dim, base)
    matrix = np.zeros((dim, dim))
    for i, angle in enumerate(angles):
        even, odd = 2 * i, 2 * i + 1
        matrix[even, even] = np.cos(angle)
        matrix[even, odd] = np.sin(angle)
        matrix[odd, even] = -np.sin(angle)
        matrix[odd, odd] = np.cos(angle)
    return matrix
"""

LAYER = """
class PositionalEncoding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.table = positional_encoding(max_len, dim)

    def call(self, inputs):
        seq_len = inputs.shape[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        rows = ops.cast(self.table[:seq_len], inputs.dtype)
        return inputs + rows

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
"""

LEARNED = """
class LearnedPositionalEmbedding(keras.layers.Layer):
    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        self.max_len = max_len
        self.dim = dim
        self.table = self.add_weight(name="table", shape=(max_len, dim), initializer="uniform")

    def call(self, inputs):
        seq_len = inputs.shape[1]
        if seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
        rows = self.table[:seq_len]
        return inputs + rows

    def get_config(self):
        return {**super().get_config(), "max_len": self.max_len, "dim": self.dim}
"""

LENGTH_CHECK = """        if seq_len > self.max_len:
            raise ValueError(f"seq_len must be at most max_len={self.max_len}. Received: seq_len={seq_len}.")
"""


def _edit(cell: str, *edits: tuple[str, str]) -> str:
    """Return `cell` with every (right, wrong) edit made."""
    for right, wrong in edits:
        if right not in cell:
            raise ValueError(f"The cell must contain the text to edit. Received: right={right!r}.")
        cell = cell.replace(right, wrong)
    return cell.lstrip("\n")


IN_RATES = (
    Mistake(
        "rates-exponent-i-over-dim",
        "angle-rates",
        Text(
            "The exponent is half of what it should be. i counts pairs, each two columns wide: hence the 2 in 2 i / dim.",
            "지수가 절반밖에 되지 않습니다. i는 두 열짜리 쌍을 셉니다. 2 i / dim의 2가 여기서 나옵니다.",
        ),
        _edit(RATES, ("(-2 * i / dim)", "(-i / dim)")),
        frozenset({"rates-values"}),
    ),
    Mistake(
        "rates-exponent-ends-at-one",
        "angle-rates",
        Text(
            "The exponent reaches 1 in the last pair, so the last rate is 1 / base. 2 i / dim stays below 1: divide by dim.",
            "마지막 쌍에서 지수가 1이 되어 마지막 변화율이 1 / base입니다. 2 i / dim은 1보다 작습니다. dim으로 나누세요.",
        ),
        _edit(RATES, ("(-2 * i / dim)", "(-i / max(dim // 2 - 1, 1))")),
        frozenset({"rates-values"}),
    ),
    Mistake(
        "rates-inverted",
        "angle-rates",
        Text(
            "The rates grow instead of falling: is the exponent's sign right, or did you return the divisors?",
            "변화율이 줄지 않고 커집니다. 지수의 부호가 맞나요? 나누는 수를 그대로 돌려주지는 않았나요?",
        ),
        _edit(RATES, ("(-2 * i / dim)", "(2 * i / dim)")),
        frozenset({"rates-fall"}),
    ),
    Mistake(
        "rates-powers-of-ten",
        "angle-rates",
        Text(
            "The rates 1, 1/10, 1/100, … are right for dim=8 only. How far they fall at each step depends on dim.",
            "1, 1/10, 1/100, …은 dim=8일 때만 맞는 변화율입니다. 한 쌍마다 얼마나 줄어드는지는 dim에 따라 다릅니다.",
        ),
        _edit(RATES, ("base ** (-2 * i / dim)", "10.0 ** -i")),
        frozenset({"rates-values"}),
    ),
    Mistake(
        "rates-base-ignored",
        "angle-rates",
        Text(
            "10000 is written into the formula: use the argument `base`.",
            "식에 10000이 그대로 들어 있습니다. 인수 `base`를 쓰세요.",
        ),
        _edit(RATES, ("return base", "return 10000.0")),
        frozenset({"rates-base"}),
    ),
    Mistake(
        "rates-for-every-column",
        "angle-rates",
        Text(
            "There is one rate for each pair of columns, dim // 2 in all, not one for each column.",
            "변화율은 열마다가 아니라 열의 쌍마다 하나씩, 모두 dim // 2개입니다.",
        ),
        _edit(RATES, ("np.arange(dim // 2)", "np.arange(dim) // 2")),
        frozenset({"rates-shape"}),
    ),
    Mistake(
        "rates-dim-unchecked",
        "angle-rates",
        Text(
            "An odd dim leaves a column without a partner: raise a ValueError.",
            "dim이 홀수이면 짝 없는 열이 남습니다. ValueError를 일으키세요.",
        ),
        _edit(
            RATES,
            ("    if dim <= 0 or dim % 2 != 0:\n", ""),
            ('        raise ValueError(f"dim must be even and positive. Received: dim={dim}.")\n', ""),
        ),
        frozenset({"rates-bad-dim"}),
    ),
    Mistake(
        "rates-dim-one-accepted",
        "angle-rates",
        Text(
            "dim=1 is odd too, and gives no rate at all.",
            "dim=1도 홀수이고, 변화율이 하나도 나오지 않습니다.",
        ),
        _edit(RATES, ("dim % 2 != 0", "(dim % 2 != 0 and dim > 1)")),
        frozenset({"rates-bad-dim"}),
    ),
    Mistake(
        "rates-zero-dim-accepted",
        "angle-rates",
        Text(
            "0 and negative numbers are even too: check the sign of dim as well.",
            "0과 음수도 짝수입니다. dim의 부호도 확인하세요.",
        ),
        _edit(RATES, ("dim <= 0 or ", "")),
        frozenset({"rates-bad-dim"}),
    ),
    Mistake(
        "rates-error-without-value",
        "angle-rates",
        Text(
            "Say in the error which argument was wrong and what it was.",
            "오류 메시지에 어느 인수가 잘못되었고 그 값이 무엇이었는지 적으세요.",
        ),
        _edit(RATES, ('f"dim must be even and positive. Received: dim={dim}."', '"bad argument"')),
        frozenset({"rates-bad-dim"}),
    ),
)

IN_TABLE = (
    Mistake(
        "table-angle-per-column",
        "sinusoidal-table",
        Text(
            "Every column has an angle of its own. The sine and the cosine of a pair share one: 2 (column // 2) / dim for both.",
            "열마다 각도가 다릅니다. 한 쌍의 사인과 코사인은 각도를 함께 씁니다. 두 열 모두 2 (열 // 2) / dim입니다.",
        ),
        _edit(
            TABLE,
            ("rates = angle_rates(dim, base)", "rates = base ** (-np.arange(dim) / dim)"),
            ("np.sin(angles)", "np.sin(angles[:, 0::2])"),
            ("np.cos(angles)", "np.cos(angles[:, 1::2])"),
        ),
        frozenset({"table-angles"}),
    ),
    Mistake(
        "table-exponent-twice-column",
        "sinusoidal-table",
        Text(
            "The exponent is 2 column / dim, but the i of 2 i / dim counts pairs: columns 0 and 1 have i = 0, 2 and 3 have i = 1.",
            "지수가 2 열 / dim입니다. 2 i / dim의 i는 열이 아니라 쌍을 셉니다. 0번, 1번 열은 i = 0, 2번, 3번 열은 i = 1입니다.",
        ),
        """
def positional_encoding(max_len, dim, base=10000.0):
    table = np.zeros((max_len, dim))
    for position in range(max_len):
        for i in range(0, dim, 2):
            table[position, i] = np.sin(position / base ** (2 * i / dim))
            table[position, i + 1] = np.cos(position / base ** (2 * (i + 1) / dim))
    return table
""".lstrip("\n"),
        frozenset({"table-angles"}),
    ),
    Mistake(
        "table-exponent-four-i",
        "sinusoidal-table",
        Text(
            "The exponent is twice as large as it should be: a counter that goes 0, 2, 4, … is 2 i already.",
            "지수가 두 배입니다. 0, 2, 4, …로 세는 변수는 이미 2 i입니다.",
        ),
        """
def positional_encoding(max_len, dim, base=10000.0):
    positions = np.arange(max_len)[:, np.newaxis]
    angles = positions / base ** (2 * np.arange(0, dim, 2) / dim)
    table = np.zeros((max_len, dim))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
""".lstrip("\n"),
        frozenset({"table-angles"}),
    ),
    Mistake(
        "table-positions-from-one",
        "sinusoidal-table",
        Text(
            "Positions count from 0: the first row has angle 0 everywhere.",
            "위치는 0부터 셉니다. 첫 행의 각도는 모두 0입니다.",
        ),
        _edit(TABLE, ("np.arange(max_len)", "np.arange(1, max_len + 1)")),
        frozenset({"table-angles"}),
    ),
    Mistake(
        "table-positions-scaled",
        "sinusoidal-table",
        Text(
            "The positions are divided by the length of the table, so the same position has another code in a longer table.",
            "위치를 표의 길이로 나누었습니다. 그러면 같은 위치라도 표가 길어질 때 코드가 바뀝니다.",
        ),
        _edit(TABLE, ("np.arange(max_len)", "np.arange(max_len) / max_len")),
        frozenset({"table-angles"}),
    ),
    Mistake(
        "table-sines-only",
        "sinusoidal-table",
        Text(
            "Both columns of each pair hold the sine: one of them is the cosine.",
            "쌍의 두 열에 모두 사인이 들어 있습니다. 하나는 코사인입니다.",
        ),
        _edit(TABLE, ("np.cos(angles)", "np.sin(angles)")),
        frozenset({"table-angles", "table-order"}),
    ),
    Mistake(
        "table-concatenated-halves",
        "sinusoidal-table",
        Text(
            "All sines stand on the left, all cosines on the right. Here they alternate: column 0 sine, column 1 cosine, …",
            "왼쪽 절반에 사인, 오른쪽 절반에 코사인을 두었습니다. 여기서는 번갈아 놓습니다. 0번 열은 사인, 1번 열은 코사인, …",
        ),
        _edit(TABLE, ("table[:, 0::2]", "table[:, : dim // 2]"), ("table[:, 1::2]", "table[:, dim // 2 :]")),
        frozenset({"table-order"}),
    ),
    Mistake(
        "table-sine-cosine-swapped",
        "sinusoidal-table",
        Text(
            "Sine and cosine are swapped: column 0 is the sine.", "사인과 코사인이 바뀌었습니다. 0번 열이 사인입니다."
        ),
        _edit(
            TABLE,
            ("table[:, 0::2] = np.sin", "table[:, 0::2] = np.cos"),
            ("table[:, 1::2] = np.cos", "table[:, 1::2] = np.sin"),
        ),
        frozenset({"table-order"}),
    ),
    Mistake(
        "table-rates-reversed",
        "sinusoidal-table",
        Text(
            "The pairs stand in reverse: the fastest one, with rate 1, belongs in columns 0 and 1.",
            "쌍의 순서가 거꾸로입니다. 변화율이 1인 가장 빠른 쌍이 0번, 1번 열에 옵니다.",
        ),
        _edit(TABLE, ("angle_rates(dim, base)", "angle_rates(dim, base)[::-1]")),
        frozenset({"table-whole"}),
    ),
    Mistake(
        "table-base-ignored",
        "sinusoidal-table",
        Text(
            "The base does not reach the rates: hand it on to `angle_rates`.",
            "base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.",
        ),
        _edit(TABLE, ("angle_rates(dim, base)", "angle_rates(dim)")),
        frozenset({"table-base"}),
    ),
    Mistake(
        "table-transposed",
        "sinusoidal-table",
        Text(
            "Positions are rows and features are columns: (max_len, dim).",
            "위치가 행, 특징이 열입니다: (max_len, dim).",
        ),
        _edit(TABLE, ("return table", "return table.T")),
        frozenset({"table-shape"}),
    ),
)

IN_DOTS = (
    Mistake(
        "dots-not-summed",
        "dot-products",
        Text(
            "A dot product is the sum of the products: sum over the features.",
            "내적은 곱들의 합입니다. 특징 축으로 더하세요.",
        ),
        _edit(DOTS, ("np.sum(first * second, axis=-1)", "first * second")),
        frozenset({"dots-shape"}),
    ),
    Mistake(
        "dots-wrap-around",
        "dot-products",
        Text(
            "The last rows have no partner `offset` rows later, but yours meet the first ones again.",
            "마지막 행들에는 `offset`만큼 뒤의 짝이 없는데, 처음 행과 다시 만나고 있습니다.",
        ),
        _edit(DOTS, ("pe[:count], pe[offset:]", "pe, np.roll(pe, -offset, axis=0)")),
        frozenset({"dots-shape"}),
    ),
    Mistake(
        "dots-averaged",
        "dot-products",
        Text("A dot product is the sum of the products, not their mean.", "내적은 곱들의 평균이 아니라 합입니다."),
        _edit(DOTS, ("np.sum", "np.mean")),
        frozenset({"dots-values"}),
    ),
    Mistake(
        "dots-cosine-similarity",
        "dot-products",
        Text(
            "Don't divide by the lengths of the rows: that is the cosine similarity.",
            "행의 길이로 나누지 마세요. 그것은 코사인 유사도입니다.",
        ),
        _edit(
            DOTS,
            ("axis=-1)", "axis=-1) / (np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1))"),
        ),
        frozenset({"dots-values"}),
    ),
    Mistake(
        "dots-with-row-zero",
        "dot-products",
        Text(
            "Every row meets the row `offset` later, not row 0.",
            "각 행은 0번 행이 아니라 `offset`만큼 뒤의 행과 만납니다.",
        ),
        _edit(DOTS, ("pe[:count]", "pe[0]")),
        frozenset({"dots-values"}),
    ),
    Mistake(
        "dots-from-the-formula",
        "dot-products",
        Text(
            "Use the table that the function is given: it need not be the sinusoidal one.",
            "함수가 받은 표를 쓰세요. 삼각함수 표가 아닐 수도 있습니다.",
        ),
        _edit(
            DOTS,
            (
                "return np.sum(first * second, axis=-1)",
                "return np.full(count, np.sum(np.cos(offset * 10000.0 ** (-2 * np.arange(pe.shape[1] // 2) / pe.shape[1]))))",
            ),
        ),
        frozenset({"dots-values"}),
    ),
    Mistake(
        "dots-minus-zero",
        "dot-products",
        Text(
            "With offset 0 the slice pe[:-offset] is pe[:0], which is empty: say how many rows you take instead.",
            "offset이 0이면 pe[:-offset]은 pe[:0], 곧 빈 배열입니다. 몇 행을 쓸지를 직접 적으세요.",
        ),
        _edit(DOTS, ("pe[:count]", "pe[:-offset]")),
        frozenset({"dots-zero"}),
    ),
)

IN_INVARIANCE = (
    Mistake(
        "closed-form-doubled",
        "invariance",
        Text(
            "Each pair is counted twice: sine and cosine together give one cosine of the difference.",
            "쌍을 두 번씩 셌습니다. 사인과 코사인을 합쳐서 각도 차의 코사인 하나가 됩니다.",
        ),
        _edit(CLOSED_FORM, ("float(np.sum", "2 * float(np.sum")),
        frozenset({"invariance-values"}),
    ),
    Mistake(
        "closed-form-sine",
        "invariance",
        Text(
            "sin a sin b + cos a cos b is the cosine of a - b, not its sine.",
            "sin a sin b + cos a cos b는 a - b의 사인이 아니라 코사인입니다.",
        ),
        _edit(CLOSED_FORM, ("np.cos", "np.sin")),
        frozenset({"invariance-values"}),
    ),
    Mistake(
        "closed-form-averaged",
        "invariance",
        Text("A dot product is a sum over the pairs, not their mean.", "내적은 쌍들의 평균이 아니라 합입니다."),
        _edit(CLOSED_FORM, ("np.sum", "np.mean")),
        frozenset({"invariance-values"}),
    ),
    Mistake(
        "closed-form-not-summed",
        "invariance",
        Text("One cosine for each pair: their sum is missing.", "쌍마다 코사인이 하나씩 있을 뿐, 합이 빠졌습니다."),
        _edit(CLOSED_FORM, ("float(np.sum(np.cos(angles)))", "np.cos(angles)")),
        frozenset({"invariance-number"}),
    ),
    Mistake(
        "closed-form-of-a-short-table",
        "invariance",
        Text(
            "The dot product comes from a table that ends before a large offset.",
            "거리가 멀면 표가 모자라는데도 그 표에서 내적을 구했습니다.",
        ),
        """
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(64, dim, base)
    return float(pe[0] @ pe[offset % 64])
""".lstrip("\n"),
        frozenset({"invariance-values"}),
    ),
    Mistake(
        "closed-form-base-ignored",
        "invariance",
        Text(
            "The base does not reach the rates: hand it on to `angle_rates`.",
            "base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.",
        ),
        _edit(CLOSED_FORM, ("angle_rates(dim, base)", "angle_rates(dim)")),
        frozenset({"invariance-base"}),
    ),
    Mistake(
        "closed-form-empty-at-zero",
        "invariance",
        Text(
            "At offset 0 the result is a row times itself, and not 0.",
            "거리 0에서는 0이 아니라 행과 자기 자신의 내적이 됩니다.",
        ),
        """
def offset_dot_product(offset, dim, base=10000.0):
    pe = positional_encoding(offset + 1, dim, base)
    return float(np.sum(pe[:-offset] * pe[offset:]))
""".lstrip("\n"),
        frozenset({"invariance-zero"}),
    ),
)

IN_SHIFT = (
    Mistake(
        "shift-backwards",
        "shift-matrix",
        Text(
            "This matrix turns backwards: it carries pe[p + offset] to pe[p]. In a pair the sine comes first: "
            "which sign does the angle addition give it?",
            "이 행렬은 거꾸로 돌려서 pe[p + offset]을 pe[p]로 보냅니다. 쌍에서는 사인이 먼저입니다. 덧셈 정리에서 부호가 어떻게 되나요?",
        ),
        _edit(SHIFT, ("offset * angle_rates", "-offset * angle_rates")),
        frozenset({"shift-direction"}),
    ),
    Mistake(
        "shift-by-halves",
        "shift-matrix",
        Text(
            "This matrix fits a table with all sines on the left. Here sine and cosine alternate: 2×2 blocks along the diagonal.",
            "사인을 모두 왼쪽에 둔 표의 행렬입니다. 여기서는 사인과 코사인이 번갈아 놓이므로 2×2 블록이 대각선을 따라 놓입니다.",
        ),
        _edit(SHIFT, ("even, odd = 2 * i, 2 * i + 1", "even, odd = i, dim // 2 + i")),
        frozenset({"shift-blocks"}),
    ),
    Mistake(
        "shift-one-angle",
        "shift-matrix",
        Text(
            "Every block turns by the same angle. Each pair has its own rate.",
            "모든 블록이 같은 각도로 돕니다. 쌍마다 변화율이 다릅니다.",
        ),
        _edit(SHIFT, ("offset * angle_rates(dim, base)", "np.full(dim // 2, float(offset))")),
        frozenset({"shift-blocks"}),
    ),
    Mistake(
        "shift-cosines-only",
        "shift-matrix",
        Text(
            "The sines beside the diagonal are missing: a turn mixes the two numbers of a pair.",
            "대각선 옆의 사인이 빠졌습니다. 회전하면 쌍의 두 수가 섞입니다.",
        ),
        _edit(SHIFT, ("= -np.sin(angle)", "= 0.0"), ("= np.sin(angle)", "= 0.0")),
        frozenset({"shift-blocks"}),
    ),
    Mistake(
        "shift-base-ignored",
        "shift-matrix",
        Text(
            "The base does not reach the rates: hand it on to `angle_rates`.",
            "base가 변화율에 전달되지 않습니다. `angle_rates`에 넘겨주세요.",
        ),
        _edit(SHIFT, ("angle_rates(dim, base)", "angle_rates(dim)")),
        frozenset({"shift-base"}),
    ),
    Mistake(
        "shift-separate-blocks",
        "shift-matrix",
        Text(
            "These are the 2×2 blocks, one after another. Put them along the diagonal of one (dim, dim) matrix.",
            "2×2 블록을 차례로 늘어놓았습니다. (dim, dim) 행렬 하나의 대각선을 따라 놓으세요.",
        ),
        _edit(
            SHIFT,
            (
                "return matrix",
                "return np.stack([matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] for i in range(dim // 2)])",
            ),
        ),
        frozenset({"shift-shape"}),
    ),
    Mistake(
        "shift-fitted-without-zero",
        "shift-matrix",
        Text(
            "With offset 0 the slice table[:-offset] is table[:0], which is empty.",
            "offset이 0이면 table[:-offset]은 table[:0], 곧 빈 배열입니다.",
        ),
        """
def shift_matrix(offset, dim, base=10000.0):
    table = positional_encoding(200 + offset, dim, base)
    solution = np.linalg.lstsq(table[:-offset], table[offset:], rcond=None)[0]
    return solution.T
""".lstrip("\n"),
        frozenset({"shift-zero"}),
    ),
)

IN_LAYER = (
    Mistake(
        "layer-drops-batch",
        "positional-layer",
        Text(
            "The output has lost the batch: the rows are added to the inputs.",
            "출력에 배치 축이 없습니다. 행들은 입력에 더해야 합니다.",
        ),
        _edit(LAYER, ("return inputs + rows", "return rows")),
        frozenset({"layer-shape"}),
    ),
    Mistake(
        "layer-returns-table",
        "positional-layer",
        Text("The output holds the positions alone: the inputs are lost.", "출력에 위치만 있고 입력이 사라졌습니다."),
        _edit(LAYER, ("return inputs + rows", "return ops.zeros_like(inputs) + rows")),
        frozenset({"layer-adds"}),
    ),
    Mistake(
        "layer-scales-inputs",
        "positional-layer",
        Text(
            "The inputs come out multiplied by the root of dim. That is the token embedding's business, in a later notebook.",
            "입력에 dim의 제곱근이 곱해져 나옵니다. 그 배율은 뒤의 노트북에서 토큰 임베딩이 맡습니다.",
        ),
        _edit(LAYER, ("return inputs + rows", "return inputs * self.dim**0.5 + rows")),
        frozenset({"layer-adds"}),
    ),
    Mistake(
        "layer-whole-table",
        "positional-layer",
        Text(
            "A shorter sequence meets the whole table: take its first seq_len rows.",
            "짧은 시퀀스에 표 전체를 더하고 있습니다. 앞쪽 seq_len개 행만 쓰세요.",
        ),
        _edit(LAYER, ("self.table[:seq_len]", "self.table")),
        frozenset({"layer-shorter"}),
    ),
    Mistake(
        "layer-skips-zeros",
        "positional-layer",
        Text(
            "A vector of zeros gets no position. It is a vector like any other here.",
            "0으로만 된 벡터에는 위치를 더하지 않습니다. 여기서는 그것도 다른 벡터와 같습니다.",
        ),
        _edit(
            LAYER, ("+ rows", "+ rows * ops.cast(ops.any(ops.not_equal(inputs, 0), -1, keepdims=True), inputs.dtype)")
        ),
        frozenset({"layer-shorter"}),
    ),
    Mistake(
        "layer-drops",
        "positional-layer",
        Text(
            "In training something is dropped. This layer only adds.",
            "학습할 때 드롭아웃이 적용됩니다. 이 계층은 더하기만 합니다.",
        ),
        _edit(LAYER, ("return inputs + rows", "return keras.layers.Dropout(0.1)(inputs + rows)")),
        frozenset({"layer-shorter"}),
    ),
    Mistake(
        "layer-last-rows",
        "positional-layer",
        Text(
            "The first token has position 0: take the first rows of the table, not the last.",
            "첫 토큰의 위치는 0입니다. 표의 뒤쪽이 아니라 앞쪽 행을 쓰세요.",
        ),
        _edit(LAYER, ("self.table[:seq_len]", "self.table[-seq_len:]")),
        frozenset({"layer-shorter"}),
    ),
    Mistake(
        "layer-table-as-weight",
        "positional-layer",
        Text(
            "The table is a weight of the layer: even untrained it would be saved and counted. Keep it as a plain array.",
            "표가 계층의 가중치로 들어 있습니다. 학습하지 않더라도 저장되고 개수에 들어갑니다. 보통의 배열로 두세요.",
        ),
        _edit(
            LAYER,
            (
                "self.table = positional_encoding(max_len, dim)",
                'self.table = self.add_weight(name="table", shape=(max_len, dim), trainable=False)\n'
                "        self.table.assign(positional_encoding(max_len, dim))",
            ),
        ),
        frozenset({"layer-no-weights"}),
    ),
    Mistake(
        "layer-float64",
        "positional-layer",
        Text(
            "A float64 table makes the output float64: cast it to the dtype of the inputs.",
            "float64 표 때문에 출력이 float64가 됩니다. 입력의 dtype으로 바꾸세요.",
        ),
        _edit(
            LAYER,
            ("ops.cast(self.table[:seq_len], inputs.dtype)", "self.table[:seq_len]"),
            ("inputs + rows", "ops.add(inputs, rows)"),
        ),
        frozenset({"layer-float32"}),
        backends=("tensorflow", "torch"),  # JAX makes no float64
    ),
    Mistake(
        "layer-length-unchecked",
        "positional-layer",
        Text(
            "The table has no row for that position: raise a ValueError that says so.",
            "그 위치에 해당하는 행이 표에 없습니다. 이를 알리는 ValueError를 일으키세요.",
        ),
        _edit(LAYER, (LENGTH_CHECK, "")),
        frozenset({"layer-too-long"}),
    ),
    Mistake(
        "layer-length-not-told",
        "positional-layer",
        Text(
            "Say in the ValueError how long the sequence was, not only that it was too long.",
            "너무 길다고만 하지 말고, 시퀀스의 길이가 얼마였는지도 ValueError의 메시지에 적으세요.",
        ),
        _edit(LAYER, (" Received: seq_len={seq_len}.", "")),
        frozenset({"layer-too-long"}),
    ),
    Mistake(
        "layer-length-strict",
        "positional-layer",
        Text(
            "The table has max_len rows, enough for max_len tokens: refuse seq_len > max_len, not >=.",
            "표에는 행이 max_len개 있어 토큰 max_len개까지 맞습니다. >=가 아니라 seq_len > max_len일 때 거부하세요.",
        ),
        _edit(LAYER, ("seq_len > self.max_len", "seq_len >= self.max_len")),
        frozenset({"layer-too-long"}),
    ),
    Mistake(
        "layer-length-off-by-one",
        "positional-layer",
        Text(
            "One token more than the table has rows is already too long: compare seq_len with max_len itself.",
            "표의 행보다 토큰이 하나만 많아도 너무 깁니다. seq_len을 max_len 자체와 비교하세요.",
        ),
        _edit(LAYER, ("seq_len > self.max_len", "seq_len > self.max_len + 1")),
        frozenset({"layer-too-long"}),
    ),
    Mistake(
        "layer-config-incomplete",
        "positional-layer",
        Text(
            "get_config must hold every argument of __init__, max_len and dim too.",
            "get_config에는 max_len과 dim을 포함해 __init__의 모든 인수가 있어야 합니다.",
        ),
        _edit(LAYER, ('"max_len": self.max_len, ', "")),
        frozenset({"layer-config"}),
    ),
    Mistake(
        "layer-without-kwargs",
        "positional-layer",
        Text(
            "from_config hands name, dtype and trainable to __init__: accept **kwargs and pass them to super().__init__.",
            "from_config는 name, dtype, trainable도 __init__에 넘깁니다. **kwargs를 받아 super().__init__에 전달하세요.",
        ),
        _edit(LAYER, ("dim, **kwargs", "dim"), ("__init__(**kwargs)", "__init__()")),
        frozenset({"layer-config"}),
    ),
)

IN_LEARNED = (
    Mistake(
        "learned-drops-batch",
        "learned-layer",
        Text(
            "The output has lost the batch: the rows are added to the inputs.",
            "출력에 배치 축이 없습니다. 행들은 입력에 더해야 합니다.",
        ),
        _edit(LEARNED, ("return inputs + rows", "return rows")),
        frozenset({"learned-shape"}),
    ),
    Mistake(
        "learned-one-row",
        "learned-layer",
        Text(
            "One row for all positions tells none of them apart: there is one row for each.",
            "모든 위치가 한 행을 함께 쓰면 위치를 구별할 수 없습니다. 위치마다 한 행이 있어야 합니다.",
        ),
        _edit(LEARNED, ("shape=(max_len, dim)", "shape=(1, dim)"), ("self.table[:seq_len]", "self.table[0]")),
        frozenset({"learned-table"}),
    ),
    Mistake(
        "learned-length-of-first-input",
        "learned-layer",
        Text(
            "The table is as long as the first sequence that came in: a longer one finds no rows. Make it max_len long.",
            "표의 길이가 처음 들어온 시퀀스에 맞춰졌습니다. 더 긴 시퀀스에는 행이 모자랍니다. max_len으로 만드세요.",
        ),
        _edit(
            LEARNED,
            (
                '        self.table = self.add_weight(name="table", shape=(max_len, dim), initializer="uniform")\n',
                "\n    def build(self, input_shape):\n"
                '        self.table = self.add_weight(name="table", shape=(input_shape[1], self.dim), initializer="uniform")\n',
            ),
        ),
        frozenset({"learned-table"}),
    ),
    Mistake(
        "learned-not-trainable",
        "learned-layer",
        Text("The table never changes: it must be trainable.", "표가 학습되지 않습니다. 학습할 수 있어야 합니다."),
        _edit(LEARNED, ('initializer="uniform"', 'initializer="uniform", trainable=False')),
        frozenset({"learned-trainable"}),
    ),
    Mistake(
        "learned-extra-weights",
        "learned-layer",
        Text("There is more to train than the table.", "표 말고도 학습되는 것이 있습니다."),
        _edit(
            LEARNED,
            (
                "    def call(",
                '        self.bias = self.add_weight(name="bias", shape=(dim,), initializer="zeros")\n\n    def call(',
            ),
            ("inputs + rows", "inputs + rows + self.bias"),
        ),
        frozenset({"learned-trainable"}),
    ),
    Mistake(
        "learned-returns-table",
        "learned-layer",
        Text("The output holds the positions alone: the inputs are lost.", "출력에 위치만 있고 입력이 사라졌습니다."),
        _edit(LEARNED, ("return inputs + rows", "return ops.zeros_like(inputs) + rows")),
        frozenset({"learned-adds"}),
    ),
    Mistake(
        "learned-last-rows",
        "learned-layer",
        Text(
            "The first token has position 0: take the first rows of the table, not the last.",
            "첫 토큰의 위치는 0입니다. 표의 뒤쪽이 아니라 앞쪽 행을 쓰세요.",
        ),
        _edit(LEARNED, ("self.table[:seq_len]", "self.table[self.max_len - seq_len :]")),
        frozenset({"learned-shorter"}),
    ),
    Mistake(
        "learned-sinusoids-on-top",
        "learned-layer",
        Text(
            "The sinusoidal table is added too: the learned one replaces it.",
            "삼각함수 표까지 더했습니다. 학습되는 표는 그것을 대신합니다.",
        ),
        _edit(
            LEARNED,
            (
                "return inputs + rows",
                "return inputs + rows + ops.cast(positional_encoding(self.max_len, self.dim)[:seq_len], inputs.dtype)",
            ),
        ),
        frozenset({"learned-adds"}),
    ),
    Mistake(
        "learned-length-unchecked",
        "learned-layer",
        Text(
            "The table has no row for that position: raise a ValueError that says so.",
            "그 위치에 해당하는 행이 표에 없습니다. 이를 알리는 ValueError를 일으키세요.",
        ),
        _edit(LEARNED, (LENGTH_CHECK, "")),
        frozenset({"learned-too-long"}),
    ),
    Mistake(
        "learned-length-not-told",
        "learned-layer",
        Text(
            "Say in the ValueError how long the sequence was, not only that it was too long.",
            "너무 길다고만 하지 말고, 시퀀스의 길이가 얼마였는지도 ValueError의 메시지에 적으세요.",
        ),
        _edit(LEARNED, (" Received: seq_len={seq_len}.", "")),
        frozenset({"learned-too-long"}),
    ),
    Mistake(
        "learned-length-strict",
        "learned-layer",
        Text(
            "The table has max_len rows, enough for max_len tokens: refuse seq_len > max_len, not >=.",
            "표에는 행이 max_len개 있어 토큰 max_len개까지 맞습니다. >=가 아니라 seq_len > max_len일 때 거부하세요.",
        ),
        _edit(LEARNED, ("seq_len > self.max_len", "seq_len >= self.max_len")),
        frozenset({"learned-too-long"}),
    ),
    Mistake(
        "learned-length-off-by-one",
        "learned-layer",
        Text(
            "One token more than the table has rows is already too long: compare seq_len with max_len itself.",
            "표의 행보다 토큰이 하나만 많아도 너무 깁니다. seq_len을 max_len 자체와 비교하세요.",
        ),
        _edit(LEARNED, ("seq_len > self.max_len", "seq_len > self.max_len + 1")),
        frozenset({"learned-too-long"}),
    ),
    Mistake(
        "learned-config-incomplete",
        "learned-layer",
        Text(
            "get_config must hold every argument of __init__, max_len and dim too.",
            "get_config에는 max_len과 dim을 포함해 __init__의 모든 인수가 있어야 합니다.",
        ),
        _edit(LEARNED, ('"max_len": self.max_len, "dim": self.dim', "")),
        frozenset({"learned-config"}),
    ),
    Mistake(
        "learned-without-kwargs",
        "learned-layer",
        Text(
            "from_config hands name, dtype and trainable to __init__: accept **kwargs and pass them to super().__init__.",
            "from_config는 name, dtype, trainable도 __init__에 넘깁니다. **kwargs를 받아 super().__init__에 전달하세요.",
        ),
        _edit(LEARNED, ("dim, **kwargs", "dim"), ("__init__(**kwargs)", "__init__()")),
        frozenset({"learned-config"}),
    ),
)

MISTAKES: tuple[Mistake, ...] = IN_RATES + IN_TABLE + IN_DOTS + IN_INVARIANCE + IN_SHIFT + IN_LAYER + IN_LEARNED
