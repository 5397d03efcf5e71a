# %% [markdown]
# checks written with classes and nested functions


# %% task="detect-inverted-mask"
class Influence:
    def __init__(self, attend, length=7, dim=5):
        self.attend, self.rng = attend, np.random.default_rng(51)
        self.x = self.rng.normal(size=(1, length, dim))
        self.y = self.of(self.x)

    def of(self, x):
        return np.array(to_numpy(self.attend(x)), dtype="float64")

    def row(self, j):
        x = np.array(self.x)
        x[0, j] += self.rng.normal(size=x.shape[-1])
        return np.abs(self.of(x) - self.y)[0].max(axis=-1)

    def matrix(self):
        return np.stack([self.row(j) for j in range(self.x.shape[1])], axis=1)


def detect_inverted_mask(attend):
    return float(np.triu(Influence(attend).matrix(), k=1).max() > 3e-5)


# %% task="detect-swapped-arguments"
def detect_swapped_arguments(build):
    def is_wrong(num_heads, width):
        attend = build(d_model=num_heads * width, num_heads=num_heads)
        _, weights = attend(np.zeros((3, 5, num_heads * width)))
        return len(to_numpy(weights)[0]) != num_heads

    return is_wrong(2, 3) or is_wrong(3, 2)


# %% task="detect-head-scaling"
def detect_head_scaling(weigh):
    def logistic(z):
        return 1 / (1 + np.exp(-z))

    # two keys, one of them zero: a weight is the logistic function of a scaled score
    num_heads, width = 4, 6
    query = np.ones((1, 1, num_heads * width), dtype="float32")
    key = np.stack([query[:, 0], 0 * query[:, 0]], axis=1)
    weights = to_numpy(weigh(query, key, num_heads))
    return not np.allclose(weights[0, :, 0, 0], logistic(width / np.sqrt(width)), atol=1e-3)
