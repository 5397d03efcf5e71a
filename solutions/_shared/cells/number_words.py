SYLLABLES = list("일이삼사오육칠팔구십백천만억")
ROMANISED = dict(zip(SYLLABLES, ["il", "i", "sam", "sa", "o", "yuk", "chil", "pal", "gu", "sip", "baek", "cheon", "man", "eok"], strict=True))
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion"]
TOKENS = ["<pad>", "<bos>", "<eos>", "<unk>", *SYLLABLES, *WORDS]
IDS = {token: number for number, token in enumerate(TOKENS)}
SOURCE_LEN, TARGET_LEN, MAX_LEN = 23, 21, 24


def read_in_korean(number):
    """Return the syllables of a number from 1 to 10^12 - 1."""
    # ko: """1부터 10^12 - 1까지의 수를 한국어로 읽은 음절들을 돌려줍니다."""
    digits = f"{number:012d}"
    syllables = []
    for group, great_unit in ((digits[:4], "억"), (digits[4:8], "만"), (digits[8:], "")):
        read = []
        for digit, unit in zip(group, ("천", "백", "십", ""), strict=True):
            if digit != "0":
                read += [unit] if digit == "1" and unit else [SYLLABLES[int(digit) - 1], unit]
        if great_unit == "만" and not syllables and group == "0001":
            read = [""]
        if read:
            syllables += [syllable for syllable in (*read, great_unit) if syllable]
    return syllables


def read_in_english(number):
    """Return the words of a number from 1 to 10^12 - 1."""
    # ko: """1부터 10^12 - 1까지의 수를 영어로 읽은 단어들을 돌려줍니다."""
    digits = f"{number:012d}"
    words = []
    for start, great_unit in zip((0, 3, 6, 9), ("billion", "million", "thousand", ""), strict=True):
        hundreds, rest = int(digits[start]), int(digits[start + 1 : start + 3])
        read = [WORDS[hundreds - 1], "hundred"] if hundreds else []
        if rest >= 20:
            read += [WORDS[17 + rest // 10]] + ([WORDS[rest % 10 - 1]] if rest % 10 else [])
        elif rest:
            read += [WORDS[rest - 1]]
        words += [*read, great_unit] if read and great_unit else read
    return words


def draw_numbers(count, seed):
    """Draw different numbers from 1 to 10^12 - 1."""
    # ko: """1부터 10^12 - 1까지에서 서로 다른 수를 뽑습니다."""
    rng = np.random.default_rng(seed)
    numbers = {}
    while len(numbers) < count:
        digits = rng.integers(0, 10, size=rng.integers(1, 13))
        if rng.random() < 0.3:
            digits = digits * rng.integers(0, 2, size=len(digits))
        digits[0] = rng.integers(1, 10)
        numbers[int("".join(map(str, digits)))] = True
    return list(numbers)


def to_pairs(numbers):
    """Return source ids (count, SOURCE_LEN) and target ids (count, TARGET_LEN) between <bos> and <eos>."""
    # ko: """소스 ID (count, SOURCE_LEN)과 <bos>, <eos>로 둘러싼 타깃 ID (count, TARGET_LEN)을 돌려줍니다."""
    source = np.zeros((len(numbers), SOURCE_LEN), dtype="int32")
    target = np.zeros((len(numbers), TARGET_LEN), dtype="int32")
    for row, number in enumerate(numbers):
        syllables, words = read_in_korean(number), ["<bos>", *read_in_english(number), "<eos>"]
        source[row, : len(syllables)] = [IDS[syllable] for syllable in syllables]
        target[row, : len(words)] = [IDS[word] for word in words]
    return source, target


def to_text(ids):
    """Return the tokens of one row up to <eos>, without <bos> and padding, joined by spaces."""
    # ko: """한 행의 <eos> 앞까지의 토큰을 <bos>와 패딩 없이 빈칸으로 이어 돌려줍니다."""
    tokens = [TOKENS[int(i)] for i in ids]
    tokens = tokens[: tokens.index("<eos>")] if "<eos>" in tokens else tokens
    return " ".join(token for token in tokens if token not in ("<bos>", "<pad>"))


for number in (321, 10_000, 120_000, 100_000_000, 1_000_010_000):
    print(f"{number:>14,d}  {' '.join(read_in_korean(number)):14s}  {' '.join(read_in_english(number))}")
