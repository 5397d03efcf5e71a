# %% mistake="train-lesser-of-ties" task="bpe-train" misses="train-ties" of="plain"
# Of equally frequent pairs the lesser one is taken. It must be the greater one.
# ko: 횟수가 같을 때 더 작은 쌍을 골랐습니다. 더 큰 쌍이어야 합니다.
# - best = max(counts, key=lambda pair: (counts[pair], pair))
# + best = min(counts, key=lambda pair: (-counts[pair], pair))

# %% mistake="train-first-of-ties" task="bpe-train" misses="train-ties" of="plain"
# Of equally frequent pairs the one met first is taken. max with counts alone decides ties by order; the greater pair must win.
# ko: 횟수가 같을 때 먼저 나온 쌍을 골랐습니다. 횟수만으로 max를 쓰면 순서가 동점을 정합니다. 더 큰 쌍이 이겨야 합니다.
# - max(counts, key=lambda pair: (counts[pair], pair))
# + max(counts, key=counts.get)

# %% mistake="train-joined-ties" task="bpe-train" misses="train-ties" of="plain"
# Ties are decided by the joined bytes. Compare the pairs themselves: first the left part, then the right one.
# ko: 동점을 이어 붙인 바이트로 정했습니다. 쌍 그대로, 왼쪽 부분부터 비교하세요.
# - (counts[pair], pair)
# + (counts[pair], pair[0] + pair[1])

# %% mistake="train-right-part-of-ties" task="bpe-train" misses="train-ties" of="plain"
# Ties are decided by the right part first. Python compares the left part first.
# ko: 동점을 오른쪽 부분부터 비교해 정했습니다. 파이썬은 왼쪽 부분부터 비교합니다.
# - (counts[pair], pair)
# + (counts[pair], pair[::-1])

# %% mistake="train-left-part-of-ties" task="bpe-train" misses="train-ties" of="plain"
# Ties are decided by the left part alone. Where it is equal too, the greater right part comes first.
# ko: 동점을 왼쪽 부분만으로 정했습니다. 왼쪽이 같으면 오른쪽이 더 큰 쌍이 먼저입니다.
# - (counts[pair], pair)
# + (counts[pair], pair[0])

# %% mistake="train-pieces-joined" task="bpe-train" misses="train-pieces train-end" of="plain"
# Pairs are counted across the ends of the pieces: the text must be cut first, and no pair may reach from one piece into the next.
# ko: 조각의 끝을 넘는 쌍까지 세었습니다. 먼저 글을 자르고, 한 조각에서 다음 조각으로 이어지는 쌍은 세지 마세요.
# - re.findall(r"\s?\S+|\s+", text)
# + [text]

# %% mistake="train-whitespace-lost" task="bpe-train" misses="train-pieces train-end" of="plain"
# The text was split at whitespace, so the spaces are gone. They belong to the pieces: a space stands in front of its word.
# ko: 공백에서 나누어 공백이 사라졌습니다. 공백도 조각에 속합니다. 공백은 자기 단어 앞에 붙습니다.
# - re.findall(r"\s?\S+|\s+", text)
# + text.split()

# %% mistake="train-whitespace-alone" task="bpe-train" misses="train-pieces train-end" of="plain"
# Words and whitespace are cut apart. The last whitespace character in front of a word belongs to the word.
# ko: 단어와 공백을 따로 잘랐습니다. 단어 바로 앞의 공백 문자 하나는 그 단어에 속합니다.
# - r"\s?\S+|\s+"
# + r"\S+|\s+"

# %% mistake="train-whitespace-behind" task="bpe-train" misses="train-pieces" of="plain"
# The whitespace is put behind its word. It stands in front of the next one.
# ko: 공백을 단어 뒤에 붙였습니다. 다음 단어의 앞에 붙어야 합니다.
# - r"\s?\S+|\s+"
# + r"\S+\s?|\s+"

# %% mistake="train-pieces-once" task="bpe-train" misses="train-pieces" of="plain"
# Each piece counts once however often the text holds it. A word that occurs five times counts five times.
# ko: 글에 몇 번 나오든 조각을 한 번만 세었습니다. 다섯 번 나오는 단어는 다섯 번 셉니다.
# - in re.findall(r"\s?\S+|\s+", text)
# + in sorted(set(re.findall(r"\s?\S+|\s+", text)))

# %% mistake="train-raises-at-the-end" task="bpe-train" misses="train-end" of="plain"
# When no pair is left, max of nothing raises. Stop there and return the merges learnt so far.
# ko: 쌍이 남지 않으면 빈 것의 max에서 오류가 납니다. 거기서 멈추고 그때까지 배운 병합을 돌려주세요.
# -         if not counts:
# -             break

# %% mistake="train-stops-at-one" task="bpe-train" misses="train-end" of="plain"
# It stops as soon as no pair occurs twice. A pair that occurs once is merged like any other.
# ko: 두 번 나오는 쌍이 없으면 멈춥니다. 한 번만 나오는 쌍도 똑같이 합칩니다.
# - if not counts:
# + if not counts or max(counts.values()) < 2:

# %% mistake="train-one-too-many" task="bpe-train" misses="train-order train-ties train-pieces train-bytes train-overlaps train-end" of="plain"
# One merge too many is learnt: exactly num_merges are asked for.
# ko: 병합을 하나 더 배웠습니다. 정확히 num_merges개여야 합니다.
# - range(num_merges)
# + range(num_merges + 1)

# %% mistake="train-merges-reversed" task="bpe-train" misses="train-order train-ties train-pieces train-bytes train-overlaps" of="plain"
# The merges are returned last first. They belong in the order in which they are learnt.
# ko: 병합을 나중에 배운 것부터 돌려주었습니다. 배운 차례대로여야 합니다.
# - return merges
# + return merges[::-1]

# %% mistake="train-joined-tokens" task="bpe-train" misses="train-runs" of="plain"
# It returns the joined tokens. A merge is the pair (left, right).
# ko: 합친 토큰을 돌려주었습니다. 병합은 쌍 (left, right)입니다.
# - merges.append(best)
# + merges.append(best[0] + best[1])

# %% mistake="train-overlaps-once" task="bpe-train" misses="train-overlaps" of="plain"
# In a run such as a a a the pair (a, a) is counted once. It occurs twice: each token has one behind it.
# ko: a a a처럼 이어질 때 쌍 (a, a)를 한 번만 세었습니다. 바로 뒤에 짝이 있는 토큰마다 세므로 두 번입니다.
# -             for left, right in zip(word, word[1:]):
# -                 counts[left, right] = counts.get((left, right), 0) + 1
# +             last = None
# +             for place, pair in enumerate(zip(word, word[1:])):
# +                 if last == (place - 1, pair):
# +                     continue
# +                 last = (place, pair)
# +                 counts[pair] = counts.get(pair, 0) + 1

# %% mistake="train-from-the-right" task="bpe-train" misses="train-overlaps" of="plain"
# Pairs are merged from the right. From left to right, a a a becomes aa a.
# ko: 오른쪽부터 합쳤습니다. 왼쪽부터 합쳐 a a a는 aa a가 됩니다.
# -             i = 0
# -             while i < len(word) - 1:
# +             i = len(word) - 2
# +             while i >= 0:

# -                 i += 1
# +                 i -= 1

# %% mistake="train-replaces-text" task="bpe-train" misses="train-overlaps"
# Tokens joined by spaces are replaced as text: the end of a longer token passes for the first of the pair. Compare whole tokens.
# ko: 토큰을 공백으로 이어 문자열로 바꾸면 더 긴 토큰의 끝부분이 쌍의 첫째로 여겨집니다. 토큰을 통째로 비교하세요.
def train_bpe(text, num_merges):
    words = Counter(" ".join(f"{byte:02x}" for byte in piece.encode()) for piece in re.findall(r"\s?\S+|\s+", text))
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, count in words.items():
            tokens = word.split()
            for pair in zip(tokens, tokens[1:]):
                counts[pair] += count
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], bytes.fromhex(pair[0]), bytes.fromhex(pair[1])))
        merges.append((bytes.fromhex(best[0]), bytes.fromhex(best[1])))
        replaced = Counter()
        for word, count in words.items():
            replaced[word.replace(" ".join(best), "".join(best))] += count
        words = replaced
    return merges

# %% mistake="train-first-place-only" task="bpe-train" misses="train-order train-ties train-bytes train-overlaps" of="plain"
# Only the first pair of each piece is merged. It becomes one token everywhere.
# ko: 조각마다 첫 번째 쌍만 합쳤습니다. 모든 곳에서 합쳐야 합니다.
# -                     word[i : i + 2] = [best[0] + best[1]]
# +                     word[i : i + 2] = [best[0] + best[1]]
# +                     break

# %% mistake="train-never-merged" task="bpe-train" misses="train-order train-ties train-pieces train-bytes train-overlaps train-end" of="plain"
# The pair is noted but never merged in the pieces, so the same pair wins again and again.
# ko: 쌍을 기록만 하고 조각에서 합치지 않아 같은 쌍이 거듭 뽑힙니다.
# - word[i : i + 2] = [best[0] + best[1]]
# + pass

# %% mistake="train-counts-add-up" task="bpe-train" misses="train-order train-ties train-pieces train-bytes train-overlaps train-end" of="plain"
# The counts of the rounds before are kept. After each merge they must begin anew.
# ko: 앞 차례의 횟수가 남아 있습니다. 병합할 때마다 새로 세어야 합니다.
# -     for _ in range(num_merges):
# -         counts = {}
# +     counts = {}
# +     for _ in range(num_merges):

# %% mistake="train-counted-once" task="bpe-train" misses="train-order train-ties train-pieces train-bytes train-overlaps"
# The pairs are counted once, at the beginning. After each merge there are new tokens, so they must be counted again.
# ko: 쌍을 처음에 한 번만 세었습니다. 병합할 때마다 새 토큰이 생기므로 다시 세어야 합니다.
def train_bpe(text, num_merges):
    counts = Counter()
    for piece in re.findall(r"\s?\S+|\s+", text):
        tokens = [bytes([b]) for b in piece.encode()]
        counts.update(zip(tokens, tokens[1:]))
    return sorted(counts, key=lambda pair: (counts[pair], pair), reverse=True)[:num_merges]

# %% mistake="train-characters" task="bpe-train" misses="train-bytes"
# Characters are merged, and turned into bytes afterwards. A Korean syllable is three bytes, which are merged first.
# ko: 글자를 합친 다음 바이트로 바꾸었습니다. 한글 한 글자는 세 바이트이고, 그 바이트부터 합칩니다.
def train_bpe(text, num_merges):
    words = [list(piece) for piece in re.findall(r"\s?\S+|\s+", text)]
    merges = []
    for _ in range(num_merges):
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append((best[0].encode(), best[1].encode()))
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges

# %% mistake="train-strings" task="bpe-train" misses="train-runs"
# The merges are pairs of str. They must be pairs of bytes.
# ko: 병합이 str의 쌍입니다. bytes의 쌍이어야 합니다.
def train_bpe(text, num_merges):
    words = [list(piece) for piece in re.findall(r"\s?\S+|\s+", text)]
    merges = []
    for _ in range(num_merges):
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges

# %% mistake="train-ties-by-id" task="bpe-train" misses="train-ties"
# Ties are decided by the ids of the tokens. Newer tokens have greater ids, but not greater bytes.
# ko: 동점을 토큰의 ID로 정했습니다. 나중에 만든 토큰은 ID가 크지만 바이트까지 더 큰 것은 아닙니다.
def train_bpe(text, num_merges):
    words = [list(piece.encode()) for piece in re.findall(r"\s?\S+|\s+", text)]
    spelled = {i: bytes([i]) for i in range(256)}
    merges = []
    for new in range(256, 256 + num_merges):
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        a, b = max(counts, key=lambda pair: (counts[pair], pair))
        spelled[new] = spelled[a] + spelled[b]
        merges.append((spelled[a], spelled[b]))
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == (a, b):
                    word[i : i + 2] = [new]
                i += 1
    return merges

# %% mistake="encode-ids-from-257" task="bpe-encode" misses="encode-order encode-pieces round-trip" of="plain"
# Merge i makes id 256 + i; here it makes 257 + i. The bytes take 0 to 255.
# ko: 병합 i는 ID 256 + i를 만드는데 여기서는 257 + i를 만듭니다. 바이트가 0부터 255까지 차지합니다.
# - ids[left + right] = 256 + i
# + ids[left + right] = 257 + i

# %% mistake="encode-merges-reversed" task="bpe-encode" misses="encode-order encode-pieces" of="plain"
# The merges are applied last first. They apply in the order in which they were learnt.
# ko: 병합을 마지막 것부터 적용했습니다. 배운 차례대로 적용합니다.
# -         for left, right in merges:
# +         for left, right in reversed(merges):

# %% mistake="encode-pieces-joined" task="bpe-encode" misses="encode-pieces" of="plain"
# Tokens reach across the ends of pieces: cut the text first, as in training.
# ko: 토큰이 조각의 끝을 넘습니다. 학습할 때처럼 글을 먼저 자르세요.
# - for piece in re.findall(r"\s?\S+|\s+", text):
# + for piece in [text]:

# %% mistake="encode-whitespace-lost" task="bpe-encode" misses="encode-pieces round-trip" of="plain"
# The whitespace is lost: text.split() drops it.
# ko: 공백이 사라집니다. text.split()은 공백을 버립니다.
# - re.findall(r"\s?\S+|\s+", text)
# + text.split()

# %% mistake="encode-whitespace-behind" task="bpe-encode" misses="encode-pieces" of="plain"
# The whitespace is put behind its word, not in front of the next one as in training.
# ko: 공백을 학습할 때처럼 다음 단어 앞이 아니라 앞 단어 뒤에 붙였습니다.
# - r"\s?\S+|\s+"
# + r"\S+\s?|\s+"

# %% mistake="encode-characters" task="bpe-encode" misses="encode-bytes round-trip" of="plain"
# Characters are taken for bytes: ord of a Korean syllable is no byte. Encode the piece as UTF-8 first.
# ko: 글자를 바이트로 여겼습니다. 한글 한 글자의 ord는 바이트가 아닙니다. 먼저 조각을 UTF-8로 부호화하세요.
# - tokens = [bytes([b]) for b in piece.encode("utf-8")]
# + tokens = [bytes([ord(b) % 256]) for b in piece]

# %% mistake="encode-first-place-only" task="bpe-encode" misses="encode-order" of="plain"
# A merge is applied in one place of each piece only. It applies wherever it fits.
# ko: 병합을 조각마다 한 곳에만 적용했습니다. 맞는 곳 모두에 적용합니다.
# -                     tokens[i : i + 2] = [left + right]
# +                     tokens[i : i + 2] = [left + right]
# +                     break

# %% mistake="encode-shortest-first" task="bpe-encode" misses="encode-order"
# The shortest merge that fits is applied first. Merges apply in the order in which they were learnt, whatever their lengths.
# ko: 맞는 병합 가운데 가장 짧은 것부터 적용했습니다. 병합은 길이와 상관없이 배운 차례대로 적용합니다.
def bpe_encode(text, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    ids = {bytes([b]): b for b in range(256)} | {left + right: 256 + i for i, (left, right) in enumerate(merges)}
    result = []
    for piece in re.findall(r"\s?\S+|\s+", text):
        tokens = [bytes([b]) for b in piece.encode()]
        while fitting := ranks.keys() & set(zip(tokens, tokens[1:])):
            left, right = min(fitting, key=lambda pair: (len(pair[0] + pair[1]), ranks[pair]))
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == (left, right):
                    tokens[i : i + 2] = [left + right]
                i += 1
        result += [ids[token] for token in tokens]
    return result


def bpe_decode(ids, merges):
    return b"".join(bytes([i]) if i < 256 else merges[i - 256][0] + merges[i - 256][1] for i in ids).decode("utf-8", errors="replace")

# %% mistake="encode-longest-first" task="bpe-encode" misses="encode-order" of="encode-shortest-first"
# The longest merge that fits is applied first. Merges apply in the order in which they were learnt, whatever their lengths.
# ko: 맞는 병합 가운데 가장 긴 것부터 적용했습니다. 병합은 길이와 상관없이 배운 차례대로 적용합니다.
# - key=lambda pair: (len(pair[0] + pair[1]), ranks[pair])
# + key=lambda pair: (-len(pair[0] + pair[1]), ranks[pair])

# %% mistake="encode-greedy" task="bpe-encode" misses="encode-order"
# The longest token that fits is taken from the left. Merges apply in their order, which gives other tokens.
# ko: 왼쪽부터 맞는 것 가운데 가장 긴 토큰을 골랐습니다. 병합은 배운 차례대로 적용하며, 그러면 다른 토큰이 나옵니다.
def bpe_encode(text, merges):
    ids = {bytes([b]): b for b in range(256)}
    ids.update({left + right: 256 + i for i, (left, right) in enumerate(merges)})
    result = []
    for piece in re.findall(r"\s?\S+|\s+", text):
        data = piece.encode()
        while data:
            size = max(n for n in range(1, len(data) + 1) if data[:n] in ids)
            result.append(ids[data[:size]])
            data = data[size:]
    return result


def bpe_decode(ids, merges):
    data = b""
    for i in ids:
        data += bytes([i]) if i < 256 else merges[i - 256][0] + merges[i - 256][1]
    return data.decode("utf-8", errors="replace")

# %% mistake="decode-strict" task="bpe-encode" misses="decode-invalid" of="plain"
# Bytes that are no UTF-8 raise. Decode with errors="replace".
# ko: UTF-8이 아닌 바이트에서 오류가 납니다. errors="replace"로 복호화하세요.
# - data.decode("utf-8", errors="replace")
# + data.decode("utf-8")

# %% mistake="decode-ignores" task="bpe-encode" misses="decode-invalid" of="plain"
# Bytes that are no UTF-8 are dropped. They become U+FFFD.
# ko: UTF-8이 아닌 바이트를 버렸습니다. U+FFFD가 되어야 합니다.
# - errors="replace"
# + errors="ignore"

# %% mistake="decode-token-by-token" task="bpe-encode" misses="decode-text round-trip" of="plain"
# Each token is decoded by itself, but a token may end within a character. Join the bytes first.
# ko: 토큰을 하나씩 복호화했습니다. 토큰은 글자 중간에서 끝날 수 있으므로 바이트를 먼저 이어 붙이세요.
# - data = b""
# + data = ""

# - data += bytes([i]) if i < 256 else merges[i - 256][0] + merges[i - 256][1]
# + data += (bytes([i]) if i < 256 else merges[i - 256][0] + merges[i - 256][1]).decode("utf-8", errors="replace")

# - return data.decode("utf-8", errors="replace")
# + return data

# %% mistake="decode-left-part-only" task="bpe-encode" misses="decode-text round-trip decode-invalid" of="plain"
# Of a merge only its left part is spelled. A token is both parts.
# ko: 병합의 왼쪽 부분만 썼습니다. 토큰은 두 부분을 합친 것입니다.
# - merges[i - 256][0] + merges[i - 256][1]
# + merges[i - 256][0]

# %% mistake="decode-strips" task="bpe-encode" misses="decode-text round-trip" of="plain"
# Whitespace at the ends of the text is stripped. Every text must come back as it was.
# ko: 글 양끝의 공백을 없앴습니다. 어떤 글이든 그대로 돌아와야 합니다.
# - return data.decode("utf-8", errors="replace")
# + return data.decode("utf-8", errors="replace").strip()

# %% mistake="rotary-other-direction" task="rotary" misses="rotary-angles" of="plain"
# The pairs are turned the other way: (a, b) becomes (a cos - b sin, a sin + b cos).
# ko: 쌍을 반대 방향으로 돌렸습니다. (a, b)는 (a cos - b sin, a sin + b cos)가 됩니다.
# - cos, sin = np.cos(angles), np.sin(angles)
# + cos, sin = np.cos(angles), -np.sin(angles)

# %% mistake="rotary-flag-swapped" task="rotary" misses="rotary-pairs rotary-halves" of="plain"
# interleaved means the opposite here: True must pair 2i with 2i + 1.
# ko: interleaved의 뜻이 반대입니다. True이면 2i와 2i + 1을 짝지어야 합니다.
# -     if interleaved:
# -         first, second = x[..., 0::2], x[..., 1::2]
# +     if not interleaved:
# +         first, second = x[..., 0::2], x[..., 1::2]

# -     if interleaved:
# -         result[..., 0::2] = new_first
# +     if not interleaved:
# +         result[..., 0::2] = new_first

# %% mistake="rotary-flag-ignored" task="rotary" misses="rotary-halves rotary-base" of="plain"
# interleaved=False is ignored: pairs (i, i + head_dim / 2) are asked for then.
# ko: interleaved=False를 무시했습니다. 그때는 쌍 (i, i + head_dim / 2)를 돌려야 합니다.
# -     head_dim = x.shape[-1]
# +     head_dim = x.shape[-1]
# +     interleaved = True

# %% mistake="rotary-not-interleaved-back" task="rotary" misses="rotary-pairs" of="plain"
# The turned pairs are put side by side as halves. Each feature must stay at its place.
# ko: 돌린 쌍을 절반씩 나란히 놓았습니다. 특징마다 제자리에 있어야 합니다.
# -         result[..., 0::2] = new_first
# -         result[..., 1::2] = new_second
# +         result[..., : head_dim // 2] = new_first
# +         result[..., head_dim // 2 :] = new_second

# %% mistake="rotary-halves-interleaved-back" task="rotary" misses="rotary-halves rotary-base" of="plain"
# The turned halves are interleaved. Each feature must stay at its place.
# ko: 돌린 절반을 교차해 놓았습니다. 특징마다 제자리에 있어야 합니다.
# -     else:
# -         result[..., : head_dim // 2] = new_first
# -         result[..., head_dim // 2 :] = new_second
# +     else:
# +         result[..., 0::2] = new_first
# +         result[..., 1::2] = new_second

# %% mistake="rotary-halves-other-direction" task="rotary" misses="rotary-halves" of="plain"
# With interleaved=False the pairs are turned the other way.
# ko: interleaved=False일 때 쌍을 반대 방향으로 돌렸습니다.
# -         first, second = x[..., : head_dim // 2], x[..., head_dim // 2 :]
# +         first, second = x[..., : head_dim // 2], x[..., head_dim // 2 :]
# +         sin = -sin

# %% mistake="rotary-half-rates" task="rotary" misses="rotary-angles rotary-base" of="plain"
# The exponent is -i / head_dim. It is -2 i / head_dim.
# ko: 지수가 -i / head_dim입니다. -2 i / head_dim이어야 합니다.
# - base ** (-2 * np.arange(head_dim // 2) / head_dim)
# + base ** (-1 * np.arange(head_dim // 2) / head_dim)

# %% mistake="rotary-growing-rates" task="rotary" misses="rotary-angles rotary-base" of="plain"
# The minus of the exponent is missing: the rates must fall from pair to pair.
# ko: 지수의 음의 부호가 빠졌습니다. 쌍이 뒤로 갈수록 변화율이 작아져야 합니다.
# - base ** (-2 *
# + base ** (2 *

# %% mistake="rotary-rates-from-1" task="rotary" misses="rotary-angles rotary-base" of="plain"
# The pairs are counted from 1. Pair 0 is turned by the position itself.
# ko: 쌍을 1부터 세었습니다. 쌍 0은 위치만큼 돌아갑니다.
# - np.arange(head_dim // 2)
# + np.arange(1, head_dim // 2 + 1)

# %% mistake="rotary-positions-ignored" task="rotary" misses="rotary-positions" of="plain"
# The positions are ignored: rows count 0, 1, 2, … whatever they say.
# ko: positions를 무시하고 행마다 0, 1, 2, …로 세었습니다.
# - np.asarray(positions)[:, None] * rates
# + np.arange(x.shape[-2])[:, None] * rates

# %% mistake="rotary-positions-from-first" task="rotary" misses="rotary-positions" of="plain"
# Positions are counted from the first one given. They are absolute.
# ko: 받은 첫 위치부터 세었습니다. 위치는 절대적입니다.
# - np.asarray(positions)[:, None]
# + (np.asarray(positions) - np.asarray(positions)[0])[:, None]

# %% mistake="rotary-positions-sorted" task="rotary" misses="rotary-positions" of="plain"
# The positions are sorted first. Each row keeps its own.
# ko: 위치를 먼저 정렬했습니다. 행마다 자기 위치가 있습니다.
# - np.asarray(positions)[:, None]
# + np.sort(np.asarray(positions))[:, None]

# %% mistake="rotary-positions-counted-on" task="rotary" misses="rotary-positions" of="plain"
# Only the first position is used, and the others count on from it.
# ko: 첫 위치만 쓰고 나머지는 거기서부터 이어서 세었습니다.
# - np.asarray(positions)[:, None]
# + (np.asarray(positions)[0] + np.arange(x.shape[-2]))[:, None]

# %% mistake="rotary-positions-from-1" task="rotary" misses="rotary-pairs" of="plain"
# Positions are counted from 1: position 0 is turned by nothing.
# ko: 위치를 1부터 세었습니다. 위치 0은 돌리지 않습니다.
# - np.asarray(positions)[:, None]
# + (np.asarray(positions) + 1)[:, None]

# %% mistake="rotary-base-ignored" task="rotary" misses="rotary-base" of="plain"
# base is ignored: 10000 is written out.
# ko: base를 무시하고 10000을 그대로 썼습니다.
# - rates = base ** (
# + rates = 10000.0 ** (

# %% mistake="rotary-default-base" task="rotary" misses="rotary-angles" of="plain"
# The default base is 10000.
# ko: base의 기본값은 10000입니다.
# - base=10000.0
# + base=1000.0

# %% mistake="rotary-odd-unchecked" task="rotary" misses="rotary-odd" of="plain"
# An odd head_dim isn't refused with a ValueError of its own.
# ko: 홀수 head_dim을 ValueError로 막지 않았습니다.
# -     if head_dim % 2:
# -         raise ValueError(f"head_dim must be even. Received: head_dim={head_dim}")

# %% mistake="rotary-odd-silent" task="rotary" misses="rotary-odd" of="plain"
# The ValueError should name head_dim and the value received.
# ko: ValueError에 head_dim과 받은 값을 적어야 합니다.
# - raise ValueError(f"head_dim must be even. Received: head_dim={head_dim}")
# + raise ValueError("The number of features must be even.")

# %% mistake="rotary-cos-only" task="rotary" misses="rotary-pairs" of="plain"
# Features are only multiplied by cos. Half of the turn is missing: the sine parts.
# ko: 특징에 cos만 곱했습니다. 회전의 나머지 절반인 sin 부분이 빠졌습니다.
# - new_first = first * cos - second * sin
# + new_first = first * cos

# - new_second = first * sin + second * cos
# + new_second = second * cos

# %% mistake="rotary-plus-plus" task="rotary" misses="rotary-pairs" of="plain"
# One of the sines needs a minus: (a cos - b sin, a sin + b cos).
# ko: sin 하나에는 음의 부호가 필요합니다: (a cos - b sin, a sin + b cos).
# - first * cos - second * sin
# + first * cos + second * sin

# %% mistake="norm-mean-subtracted" task="rms-norm" misses="norm-values" of="plain"
# The mean is taken off, as in layer normalisation. RMSNorm leaves it.
# ko: 계층 정규화처럼 평균을 뺐습니다. RMSNorm은 평균을 빼지 않습니다.
# -         x = ops.cast(inputs, "float32")
# +         x = ops.cast(inputs, "float32")
# +         x = x - ops.mean(x, axis=-1, keepdims=True)

# %% mistake="norm-no-root" task="rms-norm" misses="norm-values" of="plain"
# The square root is missing.
# ko: 제곱근이 빠졌습니다.
# - x / ops.sqrt(mean_square + self.epsilon)
# + x / (mean_square + self.epsilon)

# %% mistake="norm-over-tokens" task="rms-norm" misses="norm-values" of="plain"
# The mean is taken over the tokens. It is taken over the last axis.
# ko: 토큰을 따라 평균을 구했습니다. 마지막 축을 따라 구해야 합니다.
# - ops.mean(x * x, axis=-1, keepdims=True)
# + ops.mean(x * x, axis=-2, keepdims=True)

# %% mistake="norm-epsilon-outside" task="rms-norm" misses="norm-epsilon" of="plain"
# epsilon is added outside the root. It belongs inside, to the mean square.
# ko: epsilon을 제곱근 밖에서 더했습니다. 제곱근 안에서 제곱평균에 더해야 합니다.
# - ops.sqrt(mean_square + self.epsilon)
# + (ops.sqrt(mean_square) + self.epsilon)

# %% mistake="norm-epsilon-missing" task="rms-norm" misses="norm-epsilon" of="plain"
# epsilon isn't added at all.
# ko: epsilon을 더하지 않았습니다.
# - mean_square + self.epsilon
# + mean_square

# %% mistake="norm-epsilon-ignored" task="rms-norm" misses="norm-epsilon" of="plain"
# The epsilon given is ignored: 1e-6 is written out.
# ko: 받은 epsilon을 무시하고 1e-6을 그대로 썼습니다.
# - mean_square + self.epsilon
# + mean_square + 1e-6

# %% mistake="norm-default-epsilon" task="rms-norm" misses="norm-epsilon" of="plain"
# The default of epsilon is 1e-6.
# ko: epsilon의 기본값은 1e-6입니다.
# - epsilon=1e-6
# + epsilon=1e-3

# %% mistake="norm-float16-inside" task="rms-norm" misses="norm-float32" of="plain"
# It computes in the type of its inputs: in float16 squares overflow. Cast to float32 first.
# ko: 입력의 자료형으로 계산합니다. float16에서는 제곱이 넘칩니다. 먼저 float32로 바꾸세요.
# - x = ops.cast(inputs, "float32")
# + x = inputs

# - ops.cast(self.scale, "float32")
# + self.scale

# %% mistake="norm-cast-too-late" task="rms-norm" misses="norm-float32" of="plain"
# The squares are computed before the cast to float32, where they overflow already.
# ko: float32로 바꾸기 전에 제곱을 계산해 거기서 이미 넘칩니다.
# - mean_square = ops.mean(x * x, axis=-1, keepdims=True)
# + mean_square = ops.mean(ops.cast(inputs * inputs, "float32"), axis=-1, keepdims=True)

# %% mistake="norm-scale-zeros" task="rms-norm" misses="norm-scale norm-float32" of="plain"
# The scale begins as zeros. It begins as ones.
# ko: scale이 0으로 시작합니다. 1로 시작해야 합니다.
# - initializer="ones"
# + initializer="zeros"

# %% mistake="norm-scale-frozen" task="rms-norm" misses="norm-scale" of="plain"
# The scale isn't trained.
# ko: scale이 학습되지 않습니다.
# - initializer="ones", name="scale"
# + initializer="ones", trainable=False, name="scale"

# %% mistake="norm-scale-scalar" task="rms-norm" misses="norm-scale" of="plain"
# There is one scale for all features. Each feature has its own: (dim,).
# ko: 모든 특징에 scale이 하나뿐입니다. 특징마다 하나씩 (dim,)이어야 합니다.
# - shape=(input_shape[-1],)
# + shape=(1,)

# %% mistake="norm-scale-unused" task="rms-norm" misses="norm-scale" of="plain"
# The scale is made but never used.
# ko: scale을 만들기만 하고 쓰지 않았습니다.
# - x / ops.sqrt(mean_square + self.epsilon) * ops.cast(self.scale, "float32")
# + x / ops.sqrt(mean_square + self.epsilon)

# %% mistake="norm-one-plus-scale" task="rms-norm" misses="norm-scale norm-values" of="plain"
# It multiplies by 1 + scale, but the scale begins as ones.
# ko: 1 + scale을 곱했지만 scale은 1로 시작합니다.
# - ops.cast(self.scale, "float32")
# + (1 + ops.cast(self.scale, "float32"))

# %% mistake="norm-with-bias" task="rms-norm" misses="norm-scale" of="plain"
# There is a bias too. RMSNorm has none.
# ko: 편향도 있습니다. RMSNorm에는 편향이 없습니다.
# -         self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="scale")
# +         self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="scale")
# +         self.bias = self.add_weight(shape=(input_shape[-1],), initializer="zeros", name="bias")

# %% mistake="norm-config-missing" task="rms-norm" misses="norm-config" of="plain"
# epsilon is missing in get_config: a layer made from it has the default.
# ko: get_config에 epsilon이 없습니다. 거기서 만든 계층은 기본값을 씁니다.
# -         config["epsilon"] = self.epsilon

# %% mistake="norm-config-other-name" task="rms-norm" misses="norm-config" of="plain"
# get_config calls epsilon something else, so from_config can't pass it on.
# ko: get_config에서 epsilon을 다른 이름으로 불러 from_config가 넘겨줄 수 없습니다.
# - config["epsilon"]
# + config["eps"]

# %% mistake="swiglu-sigmoid" task="swiglu" misses="swiglu-values" of="plain"
# The gate is a sigmoid. silu(z) is z * sigmoid(z).
# ko: 게이트가 시그모이드입니다. silu(z)는 z * sigmoid(z)입니다.
# - gate * ops.sigmoid(gate) * self.up(inputs)
# + ops.sigmoid(gate) * self.up(inputs)

# %% mistake="swiglu-silu-on-up" task="swiglu" misses="swiglu-values" of="plain"
# silu is on `up`; it belongs on `gate`.
# ko: silu가 `up`에 있습니다. `gate`에 있어야 합니다.
# - gate * ops.sigmoid(gate) * self.up(inputs)
# + gate * ops.silu(self.up(inputs))

# %% mistake="swiglu-gelu" task="swiglu" misses="swiglu-values" of="plain"
# The gate is a GELU. silu(z) is z * sigmoid(z).
# ko: 게이트가 GELU입니다. silu(z)는 z * sigmoid(z)입니다.
# - gate * ops.sigmoid(gate)
# + ops.gelu(gate)

# %% mistake="swiglu-added" task="swiglu" misses="swiglu-values" of="plain"
# Gate and up are added. They are multiplied.
# ko: gate와 up을 더했습니다. 곱해야 합니다.
# - gate * ops.sigmoid(gate) * self.up(inputs)
# + gate * ops.sigmoid(gate) + self.up(inputs)

# %% mistake="swiglu-no-activation" task="swiglu" misses="swiglu-values" of="plain"
# There is no activation: gate times up alone.
# ko: 활성화 함수 없이 gate와 up을 곱하기만 했습니다.
# - gate * ops.sigmoid(gate) * self.up(inputs)
# + gate * self.up(inputs)

# %% mistake="swiglu-with-residual" task="swiglu" misses="swiglu-values" of="plain"
# The inputs are added. The residual connection belongs to the block.
# ko: 입력을 더했습니다. 잔차 연결은 블록이 할 일입니다.
# - return self.down(gate * ops.sigmoid(gate) * self.up(inputs))
# + return inputs + self.down(gate * ops.sigmoid(gate) * self.up(inputs))

# %% mistake="swiglu-gate-with-bias" task="swiglu" misses="swiglu-weights" of="plain"
# The gate has a bias. None of the three kernels has one.
# ko: gate에 편향이 있습니다. 세 커널에는 편향이 없습니다.
# -         self.gate = keras.layers.Dense(ff_dim, use_bias=False)
# +         self.gate = keras.layers.Dense(ff_dim)

# %% mistake="swiglu-down-with-bias" task="swiglu" misses="swiglu-weights" of="plain"
# down has a bias. None of the three kernels has one.
# ko: down에 편향이 있습니다. 세 커널에는 편향이 없습니다.
# - keras.layers.Dense(input_shape[-1], use_bias=False)
# + keras.layers.Dense(input_shape[-1])

# %% mistake="swiglu-up-missing" task="swiglu" misses="swiglu-weights swiglu-values" of="plain"
# There is no up: silu of the gate alone goes through down.
# ko: up이 없습니다. silu를 거친 gate만 down으로 갑니다.
# - gate * ops.sigmoid(gate) * self.up(inputs)
# + gate * ops.sigmoid(gate)

# %% mistake="swiglu-gate-twice" task="swiglu" misses="swiglu-weights swiglu-values" of="plain"
# The gate stands in for up as well. They are two kernels.
# ko: gate가 up의 자리도 맡고 있습니다. 둘은 서로 다른 커널입니다.
# - self.up(inputs)
# + self.gate(inputs)

# %% mistake="swiglu-narrow-output" task="swiglu" misses="swiglu-builds" of="plain"
# down goes to ff_dim. It goes back to the width of the inputs.
# ko: down의 출력이 ff_dim입니다. 입력의 너비로 되돌려야 합니다.
# - keras.layers.Dense(input_shape[-1], use_bias=False)
# + keras.layers.Dense(self.ff_dim, use_bias=False)

# %% mistake="swiglu-two-thirds" task="swiglu" misses="swiglu-weights swiglu-values" of="plain"
# The width inside is two thirds of ff_dim. ff_dim is the width inside already.
# ko: 안쪽의 너비가 ff_dim의 3분의 2입니다. ff_dim이 곧 안쪽의 너비입니다.
# -         self.gate = keras.layers.Dense(ff_dim, use_bias=False)
# -         self.up = keras.layers.Dense(ff_dim, use_bias=False)
# +         self.gate = keras.layers.Dense(2 * ff_dim // 3, use_bias=False)
# +         self.up = keras.layers.Dense(2 * ff_dim // 3, use_bias=False)

# %% mistake="swiglu-config-missing" task="swiglu" misses="swiglu-config" of="plain"
# get_config is missing: a layer can't be made from it.
# ko: get_config가 없어 계층을 다시 만들 수 없습니다.
# -         config["ff_dim"] = self.ff_dim

# %% mistake="swiglu-config-other-value" task="swiglu" misses="swiglu-config" of="plain"
# get_config holds another width than the layer has.
# ko: get_config에 계층과 다른 너비가 들어 있습니다.
# - config["ff_dim"] = self.ff_dim
# + config["ff_dim"] = self.down.units

# %% mistake="swiglu-frozen" task="swiglu" misses="swiglu-weights swiglu-values" of="plain"
# Its kernels aren't trained.
# ko: 커널이 학습되지 않습니다.
# -         self.down = keras.layers.Dense(input_shape[-1], use_bias=False)
# +         self.down = keras.layers.Dense(input_shape[-1], use_bias=False, trainable=False)

# %% mistake="grouped-tiled" task="grouped-attention" misses="grouped-groups" of="plain"
# Heads are shared in turn: query head h uses head h % num_kv_heads. Neighbours share: h // (num_heads / num_kv_heads).
# ko: 헤드를 번갈아 나누어 썼습니다(h % num_kv_heads). 이웃끼리, 곧 h // (num_heads / num_kv_heads)로 나누어 써야 합니다.
# - keys = ops.repeat(k, group, axis=1)
# + keys = ops.tile(k, (1, group, 1, 1))

# - values = ops.repeat(v, group, axis=1)
# + values = ops.tile(v, (1, group, 1, 1))

# %% mistake="grouped-values-tiled" task="grouped-attention" misses="grouped-groups" of="plain"
# Keys are repeated and values are tiled: a query head gets the value of another group.
# ko: 키는 repeat하고 값은 tile했습니다. 쿼리 헤드가 다른 그룹의 값을 받습니다.
# - values = ops.repeat(v, group, axis=1)
# + values = ops.tile(v, (1, group, 1, 1))

# %% mistake="grouped-keys-tiled" task="grouped-attention" misses="grouped-whole" of="plain"
# Values are repeated and keys are tiled: a query head is compared with another group's keys.
# ko: 값은 repeat하고 키는 tile했습니다. 쿼리 헤드가 다른 그룹의 키와 비교됩니다.
# - keys = ops.repeat(k, group, axis=1)
# + keys = ops.tile(k, (1, group, 1, 1))

# %% mistake="grouped-not-causal" task="grouped-attention" misses="grouped-causal grouped-chunks grouped-whole grouped-ends" of="plain"
# Nothing is hidden: every position sees those after it.
# ko: 아무것도 가리지 않아 모든 위치가 자기 뒤를 봅니다.
# - scores = ops.where(future, -1e9, scores)
# + scores = scores

# %% mistake="grouped-hides-itself" task="grouped-attention" misses="grouped-causal grouped-cache grouped-chunks grouped-whole grouped-ends" of="plain"
# A position doesn't see itself.
# ko: 위치가 자기 자신을 보지 못합니다.
# - np.arange(past + seq_len)[None, :] > positions[:, None]
# + np.arange(past + seq_len)[None, :] >= positions[:, None]

# %% mistake="grouped-mask-without-past" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# Behind a cache the mask counts new positions from 0, and hides the past from them.
# ko: 캐시 뒤에서 마스크가 새 위치를 0부터 세어 과거까지 가립니다.
# - np.arange(past + seq_len)[None, :] > positions[:, None]
# + np.arange(past + seq_len)[None, :] > np.arange(seq_len)[:, None]

# %% mistake="grouped-mask-only-without-cache" task="grouped-attention" misses="grouped-chunks" of="plain"
# With a cache nothing is hidden, which is right for one new token only.
# ko: 캐시가 있으면 아무것도 가리지 않는데, 새 토큰이 하나일 때만 맞습니다.
# - scores = ops.where(future, -1e9, scores)
# + scores = ops.where(future, -1e9, scores) if cache is None else scores

# %% mistake="grouped-positions-restart" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# Positions begin at 0 behind the cache. They go on at past_len.
# ko: 캐시 뒤에서 위치가 다시 0부터 시작합니다. past_len부터 이어져야 합니다.
# -         q = ops.cast(rotary(q, positions), "float32")
# -         k = ops.cast(rotary(k, positions), "float32")
# +         q = ops.cast(rotary(q, np.arange(seq_len)), "float32")
# +         k = ops.cast(rotary(k, np.arange(seq_len)), "float32")

# %% mistake="grouped-query-positions-restart" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# Behind the cache the queries' positions begin at 0, though the keys' go on.
# ko: 캐시 뒤에서 키의 위치는 이어지는데 쿼리의 위치는 0부터 시작합니다.
# - q = ops.cast(rotary(q, positions), "float32")
# + q = ops.cast(rotary(q, np.arange(seq_len)), "float32")

# %% mistake="grouped-turned-again" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# The cached keys are turned again with each call. They are cached as they are used.
# ko: 캐시의 키를 호출할 때마다 다시 돌렸습니다. 이미 돌린 키가 캐시에 있습니다.
# -             k = ops.concatenate([cache[0], k], axis=2)
# +             k = ops.concatenate([ops.cast(rotary(cache[0], np.arange(past)), "float32"), k], axis=2)

# %% mistake="grouped-no-rotary" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# There are no positions: queries and keys must be turned by rotary.
# ko: 위치 정보가 없습니다. 쿼리와 키를 rotary로 돌려야 합니다.
# -         q = ops.cast(rotary(q, positions), "float32")
# -         k = ops.cast(rotary(k, positions), "float32")

# %% mistake="grouped-keys-not-turned" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# Only the queries are turned. The keys are too.
# ko: 쿼리만 돌렸습니다. 키도 돌려야 합니다.
# -         k = ops.cast(rotary(k, positions), "float32")

# %% mistake="grouped-queries-not-turned" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# Only the keys are turned. The queries are too.
# ko: 키만 돌렸습니다. 쿼리도 돌려야 합니다.
# -         q = ops.cast(rotary(q, positions), "float32")

# %% mistake="grouped-values-turned" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# The values are turned as well. Only queries and keys are.
# ko: 값까지 돌렸습니다. 쿼리와 키만 돌립니다.
# -         k = ops.cast(rotary(k, positions), "float32")
# +         k = ops.cast(rotary(k, positions), "float32")
# +         v = ops.cast(rotary(v, positions), "float32")

# %% mistake="grouped-halves" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# Queries and keys are turned in halves. The pairs are interleaved.
# ko: 쿼리와 키를 절반씩 짝지어 돌렸습니다. 쌍은 교차(interleaved)해야 합니다.
# - rotary(q, positions)
# + rotary(q, positions, interleaved=False)

# - rotary(k, positions)
# + rotary(k, positions, interleaved=False)

# %% mistake="grouped-unscaled" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# The scores aren't divided by the square root of head_dim.
# ko: 점수를 head_dim의 제곱근으로 나누지 않았습니다.
# - ops.matmul(q, ops.transpose(keys, (0, 1, 3, 2))) / np.sqrt(self.head_dim)
# + ops.matmul(q, ops.transpose(keys, (0, 1, 3, 2)))

# %% mistake="grouped-scaled-by-d-model" task="grouped-attention" misses="grouped-whole grouped-ends" of="plain"
# The scores are divided by the square root of d_model. It is head_dim's.
# ko: 점수를 d_model의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.
# - np.sqrt(self.head_dim)
# + np.sqrt(self.d_model)

# %% mistake="grouped-softmax-over-queries" task="grouped-attention" misses="grouped-causal grouped-cache grouped-chunks grouped-whole grouped-ends" of="plain"
# The softmax goes over the queries. It goes over the keys.
# ko: 소프트맥스를 쿼리 축으로 구했습니다. 키 축이어야 합니다.
# - ops.softmax(scores, axis=-1)
# + ops.softmax(scores, axis=-2)

# %% mistake="grouped-cache-replaced" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# The cache holds the new keys and values only. The old ones come first.
# ko: 캐시에 새 키와 값만 들어 있습니다. 옛것이 앞에 있어야 합니다.
# - return self.output_dense(merged), (k, v)
# + return self.output_dense(merged), (k[:, :, past:], v[:, :, past:])

# %% mistake="grouped-cache-repeated" task="grouped-attention" misses="grouped-builds" of="plain"
# The cache holds the repeated heads. It is num_kv_heads that are kept, which is what saves memory.
# ko: 캐시에 반복한 헤드가 들어 있습니다. num_kv_heads개만 두어야 메모리가 절약됩니다.
# - return self.output_dense(merged), (k, v)
# + return self.output_dense(merged), (keys, values)

# %% mistake="grouped-cache-newest-first" task="grouped-attention" misses="grouped-chunks" of="plain"
# The new keys and values are put in front of the old ones.
# ko: 새 키와 값을 옛것 앞에 붙였습니다.
# - ops.concatenate([cache[0], k], axis=2)
# + ops.concatenate([k, cache[0]], axis=2)

# - ops.concatenate([cache[1], v], axis=2)
# + ops.concatenate([v, cache[1]], axis=2)

# %% mistake="grouped-cache-exchanged" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# Keys and values are exchanged in the cache.
# ko: 캐시에서 키와 값이 뒤바뀌었습니다.
# - return self.output_dense(merged), (k, v)
# + return self.output_dense(merged), (v, k)

# %% mistake="grouped-values-not-cached" task="grouped-attention" misses="grouped-cache grouped-chunks" of="plain"
# The cached values aren't used: the newest value stands in for all of them.
# ko: 캐시의 값을 쓰지 않고 가장 새로운 값으로 대신했습니다.
# - v = ops.concatenate([cache[1], v], axis=2)
# + v = ops.repeat(v[:, :, -1:], past + seq_len, axis=2)

# %% mistake="grouped-output-alone" task="grouped-attention" misses="grouped-builds" of="plain"
# It returns the output alone. (output, (keys, values)) is asked for.
# ko: 출력만 돌려주었습니다. (output, (keys, values))를 돌려주어야 합니다.
# - return self.output_dense(merged), (k, v)
# + return self.output_dense(merged)

# %% mistake="grouped-biases" task="grouped-attention" misses="grouped-weights" of="plain"
# The output projection has a bias. None of the four has one.
# ko: 출력 투영에 편향이 있습니다. 네 커널에는 편향이 없습니다.
# - self.output_dense = keras.layers.Dense(d_model, use_bias=False)
# + self.output_dense = keras.layers.Dense(d_model)

# %% mistake="grouped-no-output-projection" task="grouped-attention" misses="grouped-weights grouped-groups grouped-ends" of="plain"
# The merged heads aren't projected.
# ko: 합친 헤드를 투영하지 않았습니다.
# - self.output_dense(merged)
# + merged

# %% mistake="grouped-heads-not-merged-back" task="grouped-attention" misses="grouped-causal grouped-chunks grouped-whole grouped-ends" of="plain"
# The heads are merged without the transpose, so positions and heads are mixed.
# ko: 전치하지 않고 헤드를 합쳐 위치와 헤드가 섞였습니다.
# - ops.reshape(ops.transpose(heads, (0, 2, 1, 3)), (batch, seq_len, self.d_model))
# + ops.reshape(heads, (batch, seq_len, self.d_model))

# %% mistake="grouped-split-without-transpose" task="grouped-attention" misses="grouped-causal grouped-chunks grouped-whole grouped-ends" of="plain"
# The heads are split by a reshape alone, which mixes positions and heads: transpose afterwards.
# ko: reshape만으로 헤드를 나누어 위치와 헤드가 섞였습니다. 그다음 전치하세요.
# - ops.transpose(ops.reshape(x, (batch, seq_len, heads, self.head_dim)), (0, 2, 1, 3))
# + ops.reshape(x, (batch, heads, seq_len, self.head_dim))

# %% mistake="grouped-config-missing" task="grouped-attention" misses="grouped-config" of="plain"
# num_kv_heads is missing in get_config.
# ko: get_config에 num_kv_heads가 없습니다.
# - num_heads=self.num_heads, num_kv_heads=self.num_kv_heads
# + num_heads=self.num_heads

# %% mistake="grouped-config-exchanged" task="grouped-attention" misses="grouped-config" of="plain"
# get_config gives num_kv_heads the number of query heads.
# ko: get_config의 num_kv_heads에 쿼리 헤드의 수가 들어 있습니다.
# - num_kv_heads=self.num_kv_heads)
# + num_kv_heads=self.num_heads)

# %% mistake="grouped-unchecked" task="grouped-attention" misses="grouped-divides" of="plain"
# Nothing is checked: what doesn't divide must raise a ValueError that names it.
# ko: 아무것도 확인하지 않습니다. 나누어떨어지지 않으면 그것을 적은 ValueError를 일으켜야 합니다.
# -         if d_model % num_heads != 0:
# -             raise ValueError(f"d_model must be divisible by num_heads. Received: d_model={d_model}, num_heads={num_heads}")

# -         if num_heads % num_kv_heads != 0:
# -             raise ValueError(
# -                 f"num_heads must be divisible by num_kv_heads. Received: num_heads={num_heads}, num_kv_heads={num_kv_heads}"
# -             )

# %% mistake="grouped-groups-unchecked" task="grouped-attention" misses="grouped-divides" of="plain"
# It isn't checked that num_kv_heads divides num_heads.
# ko: num_kv_heads가 num_heads를 나누는지 확인하지 않습니다.
# -         if num_heads % num_kv_heads != 0:
# -             raise ValueError(
# -                 f"num_heads must be divisible by num_kv_heads. Received: num_heads={num_heads}, num_kv_heads={num_kv_heads}"
# -             )

# %% mistake="grouped-error-without-a-value" task="grouped-attention" misses="grouped-divides" of="plain"
# The ValueError should name both arguments with the values received.
# ko: ValueError에 두 인수와 받은 값을 모두 적어야 합니다.
# - f"d_model must be divisible by num_heads. Received: d_model={d_model}, num_heads={num_heads}"
# + f"d_model must be divisible by num_heads. Received: num_heads={num_heads}"

# %% mistake="grouped-keeps-its-own-cache" task="grouped-attention" misses="grouped-cache" of="plain"
# The layer keeps the past in itself, so that two sequences are mixed. All of the past is in cache.
# ko: 계층이 과거를 스스로 간직해 두 시퀀스가 섞입니다. 과거는 모두 cache에 있습니다.
# -             k = ops.concatenate([cache[0], k], axis=2)
# -             v = ops.concatenate([cache[1], v], axis=2)
# +             k = ops.concatenate([self.past[0], k], axis=2)
# +             v = ops.concatenate([self.past[1], v], axis=2)
# +         self.past = (k, v)

# %% mistake="window-one-more" task="window-mask" misses="window-values window-edges" of="plain"
# The window is one too wide: position i sees `window` positions, itself included.
# ko: 윈도가 하나 더 넓습니다. 위치 i는 자기 자신까지 `window`개를 봅니다.
# - i - j < window
# + i - j <= window

# %% mistake="window-inverted" task="window-mask" misses="window-values window-sinks window-edges" of="plain"
# The mask is inverted: 1 hides, 0 keeps.
# ko: 마스크가 뒤집혔습니다. 1이 가리고 0이 남깁니다.
# - mask = np.ones((size, size))
# + mask = np.zeros((size, size))

# - mask[i, j] = 0.0
# + mask[i, j] = 1.0

# %% mistake="window-future-seen" task="window-mask" misses="window-values window-edges" of="plain"
# The future isn't hidden.
# ko: 미래를 가리지 않았습니다.
# - for j in range(i + 1):
# + for j in range(size):

# %% mistake="window-not-limited" task="window-mask" misses="window-values window-edges" of="plain"
# The window isn't applied: it is the look-ahead mask.
# ko: 윈도를 적용하지 않아 룩어헤드 마스크와 같습니다.
# - if i - j < window or j < sinks:
# + if i - j < size or j < sinks:

# %% mistake="window-sinks-ignored" task="window-mask" misses="window-sinks window-edges" of="plain"
# The sinks are ignored.
# ko: sinks를 무시했습니다.
# - i - j < window or j < sinks
# + i - j < window

# %% mistake="window-one-sink-more" task="window-mask" misses="window-values window-sinks window-edges" of="plain"
# There is one sink too many: they are positions 0 to sinks - 1, and none by default.
# ko: 싱크가 하나 많습니다. 위치 0부터 sinks - 1까지이고, 기본은 하나도 없습니다.
# - j < sinks
# + j <= sinks

# %% mistake="window-first-sink-only" task="window-mask" misses="window-sinks window-edges" of="plain"
# Only position 0 is a sink, however many are asked for.
# ko: 몇 개를 요청하든 위치 0만 싱크입니다.
# - j < sinks
# + j < min(sinks, 1)

# %% mistake="window-sinks-only" task="window-mask" misses="window-sinks window-edges" of="plain"
# With sinks the window is forgotten.
# ko: 싱크가 있으면 윈도를 잊습니다.
# - i - j < window or j < sinks
# + (j < sinks if sinks else i - j < window)

# %% mistake="window-sinks-in-the-future" task="window-mask" misses="window-sinks window-edges"
# A position sees sinks that come after it. Only those in its past are seen.
# ko: 자기보다 뒤에 있는 싱크까지 봅니다. 앞에 있는 것만 보아야 합니다.
def create_window_mask(size, window, sinks=0):
    distance = np.arange(size)[:, None] - np.arange(size)
    mask = ((distance < 0) | (distance >= window)).astype("float32")
    mask[:, :sinks] = 0
    return mask

# %% mistake="window-both-sides" task="window-mask" misses="window-values window-edges"
# The window reaches to both sides. Nobody sees what comes after it.
# ko: 윈도가 양쪽으로 뻗습니다. 자기 뒤는 아무도 보지 못합니다.
def create_window_mask(size, window, sinks=0):
    i, j = np.indices((size, size))
    seen = (np.abs(i - j) < window) | ((j < sinks) & (j <= i))
    return 1.0 - seen

# %% mistake="window-blocks" task="window-mask" misses="window-values"
# The positions are cut into blocks of `window`. The window slides along with each position.
# ko: 위치를 `window`개씩 블록으로 잘랐습니다. 윈도는 위치를 따라 미끄러집니다.
def create_window_mask(size, window, sinks=0):
    i, j = np.indices((size, size))
    seen = (j <= i) & ((i // window == j // window) | (j < sinks))
    return 1.0 - seen

# %% mistake="window-minus-infinity" task="window-mask" misses="window-values window-edges"
# Hidden places hold -inf. In the lecture's convention 1 hides.
# ko: 가린 곳에 -inf가 들어 있습니다. 강의의 관례에서는 1이 가립니다.
def create_window_mask(size, window, sinks=0):
    i, j = np.indices((size, size))
    seen = (j <= i) & ((i - j < window) | (j < sinks))
    return np.where(seen, 0.0, -np.inf)

# %% mistake="streaming-output-not-rescaled" task="streaming-softmax" misses="streaming-blocks streaming-large streaming-mask streaming-hidden" of="plain"
# When the maximum rises, the output so far isn't rescaled.
# ko: 최댓값이 커질 때 지금까지의 출력을 다시 스케일하지 않았습니다.
# - output = output * correction +
# + output = output +

# %% mistake="streaming-total-not-rescaled" task="streaming-softmax" misses="streaming-blocks streaming-large streaming-mask streaming-hidden" of="plain"
# When the maximum rises, the sum so far isn't rescaled.
# ko: 최댓값이 커질 때 지금까지의 합을 다시 스케일하지 않았습니다.
# - total = total * correction +
# + total = total +

# %% mistake="streaming-own-maxima" task="streaming-softmax" misses="streaming-blocks streaming-large streaming-mask streaming-hidden" of="plain"
# Each block takes its own maximum, and the sums of blocks don't fit together.
# ko: 블록마다 자기 최댓값을 써서 블록의 합이 서로 맞지 않습니다.
# - new = np.maximum(maximum, np.max(scores, axis=-1, keepdims=True))
# + new = np.max(scores, axis=-1, keepdims=True)

# - correction = np.exp(maximum - shift)
# + correction = 1.0

# %% mistake="streaming-no-maximum" task="streaming-softmax" misses="streaming-large" of="plain"
# No maximum is taken off, so large scores overflow.
# ko: 최댓값을 빼지 않아 큰 점수에서 넘칩니다.
# - shift = np.where(np.isinf(new), 0.0, new)
# + shift = 0.0

# - correction = np.exp(maximum - shift)
# + correction = 1.0

# %% mistake="streaming-maximum-from-0" task="streaming-softmax" misses="streaming-large" of="plain"
# The running maximum begins at 0: where all scores are far below, everything becomes 0.
# ko: 최댓값이 0에서 시작합니다. 점수가 모두 그보다 훨씬 작으면 전부 0이 됩니다.
# - maximum = np.full((*shape, 1), -np.inf)
# + maximum = np.zeros((*shape, 1))

# %% mistake="streaming-maximum-of-all" task="streaming-softmax" misses="streaming-large" of="plain"
# One maximum serves all queries. Each query has its own.
# ko: 모든 쿼리가 최댓값 하나를 함께 씁니다. 쿼리마다 따로 있어야 합니다.
# - np.max(scores, axis=-1, keepdims=True)
# + np.max(scores, keepdims=True)

# %% mistake="streaming-last-block-dropped" task="streaming-softmax" misses="streaming-one-block streaming-blocks streaming-large streaming-mask streaming-hidden" of="plain"
# Keys behind the last whole block are left out.
# ko: 마지막 온전한 블록 뒤의 키를 빠뜨렸습니다.
# - range(0, key_len, block_size)
# + range(0, key_len - key_len % block_size, block_size)

# %% mistake="streaming-unscaled" task="streaming-softmax" misses="streaming-one-block streaming-blocks streaming-mask streaming-hidden" of="plain"
# The scores aren't divided by the square root of key_dim.
# ko: 점수를 key_dim의 제곱근으로 나누지 않았습니다.
# - np.swapaxes(key[..., start:stop, :], -1, -2) / np.sqrt(query.shape[-1])
# + np.swapaxes(key[..., start:stop, :], -1, -2)

# %% mistake="streaming-mask-ignored" task="streaming-softmax" misses="streaming-mask streaming-hidden" of="plain"
# The mask is ignored.
# ko: 마스크를 무시했습니다.
# - np.where(mask[..., start:stop] > 0.5, -np.inf, scores)
# + scores

# %% mistake="streaming-mask-inverted" task="streaming-softmax" misses="streaming-mask streaming-hidden" of="plain"
# The mask is inverted: 1 hides, 0 keeps.
# ko: 마스크가 뒤집혔습니다. 1이 가리고 0이 남깁니다.
# - mask[..., start:stop] > 0.5
# + mask[..., start:stop] < 0.5

# %% mistake="streaming-weak-mask" task="streaming-softmax" misses="streaming-mask streaming-hidden" of="plain"
# A constant such as -100 hides keys only if their scores aren't high.
# ko: -100 같은 상수는 점수가 높지 않은 키만 가립니다.
# - np.where(mask[..., start:stop] > 0.5, -np.inf, scores)
# + scores - 100.0 * mask[..., start:stop]

# %% mistake="streaming-hidden-rows-nan" task="streaming-softmax" misses="streaming-hidden" of="plain"
# Wholly hidden rows are NaN: 0 divided by 0. They must be zeros.
# ko: 모두 가려진 행이 0 나누기 0으로 NaN이 됩니다. 0이어야 합니다.
# - return np.where(total > 0, output / np.where(total > 0, total, 1.0), 0.0)
# + return output / total

# %% mistake="streaming-hidden-block-nan" task="streaming-softmax" misses="streaming-mask streaming-hidden" of="plain"
# A block whose keys are all hidden gives -inf - -inf, which is NaN, and everything after it is NaN too.
# ko: 키가 모두 가려진 블록에서 -inf - -inf가 NaN이 되고 그 뒤도 모두 NaN이 됩니다.
# - shift = np.where(np.isinf(new), 0.0, new)
# + shift = new

# %% mistake="streaming-not-divided" task="streaming-softmax" misses="streaming-one-block streaming-blocks streaming-mask streaming-hidden" of="plain"
# The output isn't divided by the sum in the end.
# ko: 마지막에 출력을 합으로 나누지 않았습니다.
# - return np.where(total > 0, output / np.where(total > 0, total, 1.0), 0.0)
# + return output

# %% mistake="streaming-divided-in-each-block" task="streaming-softmax" misses="streaming-blocks streaming-mask streaming-hidden" of="plain"
# The output is divided by the sum in each block, and in the end again.
# ko: 블록마다 출력을 합으로 나누고 끝에서 또 나누었습니다.
# -         maximum = new
# +         maximum = new
# +         output = output / np.where(total > 0, total, 1.0)
# +         total = np.where(total > 0, 1.0, 0.0)

# %% mistake="streaming-whole" task="streaming-softmax" misses="streaming-memory"
# All scores are there at once: block_size isn't used.
# ko: 모든 점수를 한꺼번에 만들었습니다. block_size를 쓰지 않았습니다.
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    if mask is not None:
        scores = np.where(np.broadcast_to(mask, scores.shape) > 0.5, -np.inf, scores)
    highest = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isinf(highest), 0.0, highest))
    total = weights.sum(axis=-1, keepdims=True)
    return weights @ value / np.where(total > 0, total, 1.0)

# %% mistake="streaming-whole-scores-in-blocks" task="streaming-softmax" misses="streaming-memory"
# The softmax goes block by block, but the scores of all keys are made beforehand.
# ko: 소프트맥스는 블록마다 구하지만 모든 키의 점수를 먼저 만들어 둡니다.
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    if mask is not None:
        scores = np.where(np.broadcast_to(mask, scores.shape) > 0.5, -np.inf, scores)
    maximum = np.full((*scores.shape[:-1], 1), -np.inf)
    total, output = np.zeros_like(maximum), 0.0
    for start in range(0, key.shape[-2], block_size):
        block = scores[..., start : start + block_size]
        new = np.maximum(maximum, block.max(axis=-1, keepdims=True))
        shift = np.where(np.isinf(new), 0.0, new)
        weights, correction = np.exp(block - shift), np.exp(maximum - shift)
        total = total * correction + weights.sum(axis=-1, keepdims=True)
        output = output * correction + weights @ value[..., start : start + block_size, :]
        maximum = new
    return output / np.where(total > 0, total, 1.0)

# %% mistake="streaming-blocks-kept" task="streaming-softmax" misses="streaming-memory"
# The weights of all blocks are kept in a list until the end, which is all scores again.
# ko: 모든 블록의 점수를 끝까지 리스트에 모아 두므로 결국 모든 점수가 있습니다.
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    blocks = []
    for start in range(0, key.shape[-2], block_size):
        scores = query @ np.swapaxes(key[..., start : start + block_size, :], -1, -2) / np.sqrt(query.shape[-1])
        if mask is not None:
            hidden = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))[..., start : start + block_size] > 0.5
            scores = np.where(hidden, -np.inf, scores)
        blocks.append(scores)
    highest = np.max([block.max(axis=-1, keepdims=True) for block in blocks], axis=0)
    highest = np.where(np.isinf(highest), 0.0, highest)
    weights = [np.exp(block - highest) for block in blocks]
    total = sum(block.sum(axis=-1, keepdims=True) for block in weights)
    output = sum(w @ value[..., i * block_size : (i + 1) * block_size, :] for i, w in enumerate(weights))
    return output / np.where(total > 0, total, 1.0)

# %% mistake="streaming-queries-in-blocks" task="streaming-softmax" misses="streaming-memory"
# The queries are taken in blocks, and each block sees all keys at once: it is keys and values that are taken block by block.
# ko: 쿼리를 블록으로 나누고 블록마다 모든 키를 한꺼번에 봅니다. 블록으로 나눌 것은 키와 값입니다.
def streaming_attention(query, key, value, block_size, mask=None):
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    if mask is not None:
        mask = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    parts = []
    for start in range(0, query.shape[-2], block_size):
        scores = query[..., start : start + block_size, :] @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
        if mask is not None:
            scores = np.where(mask[..., start : start + block_size, :] > 0.5, -np.inf, scores)
        highest = np.max(scores, axis=-1, keepdims=True)
        weights = np.exp(scores - np.where(np.isinf(highest), 0.0, highest))
        total = weights.sum(axis=-1, keepdims=True)
        parts.append(weights @ value / np.where(total > 0, total, 1.0))
    return np.concatenate(parts, axis=-2)

# %% mistake="encode-tokens" task="bpe-encode" misses="encode-runs" of="plain"
# The tokens themselves are returned. Return their ids: a byte is its own number, merge i makes 256 + i.
# ko: 토큰 자체를 돌려주었습니다. ID를 돌려주세요. 바이트는 그 수이고, 병합 i는 256 + i를 만듭니다.
# - result.extend(ids[token] for token in tokens)
# + result.extend(tokens)

# %% mistake="rotary-first-half-alone" task="rotary" misses="rotary-shape" of="plain"
# Only the first number of each turned pair is returned. A pair that is turned has two new numbers, and both go back to their places.
# ko: 돌린 쌍의 첫 번째 수만 돌려주었습니다. 쌍을 돌리면 새 수가 둘 나오고, 둘 다 제자리로 돌아가야 합니다.
# - return result
# + return new_first

# %% mistake="norm-mean-square-alone" task="rms-norm" misses="norm-builds" of="plain"
# The mean square of each vector is returned, one number a vector. Divide the vector by its root.
# ko: 벡터마다 제곱 평균 하나를 돌려주었습니다. 벡터를 그 제곱근으로 나누세요.
# - ops.cast(x / ops.sqrt(mean_square + self.epsilon) * ops.cast(self.scale, "float32"), inputs.dtype)
# + ops.cast(mean_square, inputs.dtype)

# %% mistake="streaming-returns-sums" task="streaming-softmax" misses="streaming-shape" of="plain"
# The running sums are returned beside the output. Return the output alone.
# ko: 출력과 함께 누적합까지 돌려주었습니다. 출력만 돌려주세요.
# - return np.where(total > 0, output / np.where(total > 0, total, 1.0), 0.0)
# + return np.where(total > 0, output / np.where(total > 0, total, 1.0), 0.0), total

# %% mistake="window-first-row-alone" task="window-mask" misses="window-shape" of="plain"
# One row is returned. The mask has a row for each position.
# ko: 한 행만 돌려주었습니다. 마스크에는 위치마다 한 행이 있습니다.
# - return mask
# + return mask[-1]
