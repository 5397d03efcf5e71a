"""What a task that asks for attention from scratch forbids: the attentions of Keras, PyTorch and JAX."""

from __future__ import annotations

from autograder.base.text import Text
from autograder.grading import Forbidden

__all__ = ["BUILT_IN_ATTENTION"]

BUILT_IN_ATTENTION = Forbidden(
    places=(
        "keras.layers:MultiHeadAttention.call",
        "keras.layers:GroupQueryAttention.call",
        "keras.layers:GroupedQueryAttention.call",
        "keras.layers:Attention.call",
        "keras.layers:AdditiveAttention.call",
        # whatever name the op was imported under, it calls one of these
        "keras.src.backend.tensorflow.nn:dot_product_attention",
        "keras.src.backend.jax.nn:dot_product_attention",
        "keras.src.backend.torch.nn:dot_product_attention",
        "keras.ops:dot_product_attention",
        "keras.ops.nn:dot_product_attention",
        "torch.nn.functional:scaled_dot_product_attention",
        "torch.nn.functional:multi_head_attention_forward",
        "torch.nn:MultiheadAttention.forward",
        "jax.nn:dot_product_attention",
    ),
    text=Text(
        "It uses a built-in attention layer or op; this task asks for attention from scratch.",
        "내장 어텐션 층이나 연산을 사용했습니다. 이 과제에서는 어텐션을 직접 구현해야 합니다.",
    ),
    inner_names=frozenset(
        {
            "_compute_attention",
            "dot_product_attention",
            "flash_attention",
            "multi_head_attention_forward",
            "scaled_dot_product_attention",
        }
    ),
    outer_names=frozenset(
        {
            "AdditiveAttention",
            "GroupQueryAttention",
            "GroupedQueryAttention",
            "MultiHeadAttention",
            "MultiheadAttention",
        }
    ),
)
