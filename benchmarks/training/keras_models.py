"""The models of Keras layers: the course's, and the same with the blocks of Keras and of keras-hub in it.

All share the course's embeddings, masks, final normalisations, output and loss (notebooks 06 and 07). Only the encoder and
decoder blocks differ, so that a difference in speed is theirs.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from benchmarks.training.course_code import definitions

MODEL = (
    "06-transformer: PositionalEncoding create_padding_mask create_look_ahead_mask create_decoder_mask TokenEmbedding "
    "Transformer build_transformer"
)
BLOCKS = {
    # the student's own attention of notebook 03 in the blocks of notebook 05
    "course": (
        "03-multi-head-attention: MultiHeadAttention",
        "05-encoder-decoder-blocks: FeedForward EncoderBlock DecoderBlock",
    ),
    # `keras.layers.MultiHeadAttention` in blocks, as notebook 06 allows
    "keras": ("06-transformer: EncoderBlock DecoderBlock",),
    "keras-hub": (),
}
LOSS = "07-training: masked_loss"


def course_code(kind: str) -> SimpleNamespace:
    """Return the names of the course with the blocks of one kind.

    Raises:
        ImportError: keras-hub is asked for and isn't installed.
    """
    given = keras_hub_blocks() if kind == "keras-hub" else None
    return definitions(*BLOCKS[kind], MODEL, LOSS, before=given)


def keras_hub_blocks() -> dict[str, type]:
    """Return keras-hub's encoder and decoder layer with the arguments and masks of the course's blocks."""
    import keras_hub
    from keras import ops

    def sizes(num_heads: int, ff_dim: int, dropout: float, norm_first: bool) -> dict[str, Any]:
        how = {"normalize_first": norm_first, "layer_norm_epsilon": 1e-6, "dropout": dropout}
        return {"intermediate_dim": ff_dim, "num_heads": num_heads, **how}

    class EncoderBlock(keras_hub.layers.TransformerEncoder):
        def __init__(self, d_model: int, num_heads: int, ff_dim: int, dropout: float, norm_first: bool) -> None:
            super().__init__(**sizes(num_heads, ff_dim, dropout, norm_first))

        def compute_mask(self, inputs: Any, previous_mask: Any = None) -> None:
            """Let no mask go on: Keras would take the course's for its own."""

        def call(self, x: Any, mask: Any) -> Any:
            return super().call(x, padding_mask=ops.equal(mask[:, 0, 0], 0))

    class DecoderBlock(keras_hub.layers.TransformerDecoder):
        def __init__(self, d_model: int, num_heads: int, ff_dim: int, dropout: float, norm_first: bool) -> None:
            super().__init__(**sizes(num_heads, ff_dim, dropout, norm_first))

        def compute_mask(self, inputs: Any, previous_mask: Any = None) -> None:
            """Let no mask go on: Keras would take the course's for its own."""

        def build(self, x_shape: Any, memory_shape: Any) -> None:  # Keras wants the names of `call`
            super().build(x_shape, memory_shape)

        def call(self, x: Any, memory: Any, self_mask: Any, memory_mask: Any) -> Any:
            return super().call(
                x,
                memory,
                decoder_attention_mask=ops.equal(self_mask[:, 0], 0),
                encoder_padding_mask=ops.equal(memory_mask[:, 0, 0], 0),
                use_causal_mask=False,  # it is in the mask
            )

    return {"EncoderBlock": EncoderBlock, "DecoderBlock": DecoderBlock}
