"""`torch.nn.Transformer` with the course's embeddings and output around it, trained in a plain PyTorch loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.training.sizes import PAD, Size
from benchmarks.training.trainees import ADAM, Entry, device_bytes, weight_value


class TorchTransformer(nn.Module):
    """Logits (batch, target_len, vocab_size) of source and target ids, as the course's model computes them."""

    positions: Tensor
    look_ahead: Tensor

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.scale = size.d_model**0.5
        self.source_table = nn.Embedding(size.vocab_size, size.d_model)
        self.target_table = self.source_table if size.tie_weights else nn.Embedding(size.vocab_size, size.d_model)
        sizes = {"nhead": size.num_heads, "dim_feedforward": size.ff_dim, "dropout": 0.0}
        how = {"layer_norm_eps": 1e-6, "batch_first": True, "norm_first": True}
        layers = {"num_encoder_layers": size.num_layers, "num_decoder_layers": size.num_layers}
        self.transformer = nn.Transformer(size.d_model, **sizes, **how, **layers)
        self.output = None if size.tie_weights else nn.Linear(size.d_model, size.vocab_size)
        angles = np.arange(size.max_len)[:, None] / 10000 ** (np.arange(0, size.d_model, 2) / size.d_model)
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(size.max_len, size.d_model)
        self.register_buffer("positions", torch.tensor(table, dtype=torch.float32))
        ahead = torch.ones(size.max_len, size.max_len, dtype=torch.bool).triu(1)  # True hides
        self.register_buffer("look_ahead", ahead)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits (batch, target_len, vocab_size) for ids (batch, source_len), (batch, target_len)."""
        length = target.shape[1]
        hidden_source = source == PAD
        mixed = self.transformer(
            self.source_table(source) * self.scale + self.positions[: source.shape[1]],
            self.target_table(target) * self.scale + self.positions[:length],
            tgt_mask=self.look_ahead[:length, :length],
            src_key_padding_mask=hidden_source,
            tgt_key_padding_mask=target == PAD,
            memory_key_padding_mask=hidden_source,
        )
        if self.output is None:
            return functional.linear(mixed, self.target_table.weight)
        return self.output(mixed)


class TorchTrainee:
    """The model and its loop. See `benchmarks.training.trainees.Trainee`."""

    def __init__(self, entry: Entry, size: Size) -> None:
        self._place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self._place.type == "cuda":
            torch.set_float32_matmul_precision("high")  # TensorFloat-32, as TensorFlow and JAX do
        model = TorchTransformer(size)
        set_weights(model, size)
        self.parameters = sum(parameter.numel() for parameter in model.parameters())
        self.device = torch.cuda.get_device_name() if self._place.type == "cuda" else "CPU"
        self.versions = f"torch {torch.__version__}"
        self._model = model.to(self._place)
        rate, beta_2, epsilon = ADAM["learning_rate"], ADAM["beta_2"], ADAM["epsilon"]
        self._optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, beta_2), eps=epsilon, fused=True)
        self._mixed = entry.precision == "bfloat16"
        self._step = torch.compile(self._loss_of) if entry.compiled else self._loss_of
        source, target = size.batches()
        self._batches: Any = [
            (source[i : i + size.batch], target[i : i + size.batch]) for i in range(0, len(source), size.batch)
        ]
        if entry.feed == "tf.data":
            import tensorflow as tf

            tf.config.set_visible_devices([], "GPU")
            fed = tf.data.Dataset.from_tensor_slices((source, target)).batch(size.batch)
            self._batches = fed.prefetch(tf.data.AUTOTUNE).as_numpy_iterator

    def _loss_of(self, source: Tensor, target: Tensor) -> Tensor:
        with torch.autocast(self._place.type, torch.bfloat16, enabled=self._mixed):
            logits = self._model(source, target[:, :-1])
        return functional.cross_entropy(logits.float().flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)

    def _on_device(self, ids: np.ndarray) -> Tensor:
        return torch.from_numpy(ids).long().to(self._place, non_blocking=True)

    def loss(self) -> float:
        """See `Trainee`. In training mode: `torch.nn` has another way of evaluating, which isn't the one that is timed."""
        source, target = next(iter(self._fed()))
        with torch.no_grad():
            return float(self._loss_of(self._on_device(source), self._on_device(target)))

    def turn(self) -> float:
        """See `Trainee`."""
        loss = torch.zeros(())
        for source, target in self._fed():
            loss = self._step(self._on_device(source), self._on_device(target))
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self._optimizer.step()
        return float(loss)

    def _fed(self) -> Any:
        return self._batches() if callable(self._batches) else self._batches

    def device_bytes(self) -> int | None:
        """See `Trainee`."""
        return device_bytes("torch")


def set_weights(model: TorchTransformer, size: Size) -> None:
    """Give the model the numbers that `weight_value` gives to the Keras models; PyTorch keeps matrices (out, in)."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            shape = tuple(parameter.shape)
            if "table" in name:
                value = weight_value(shape, size)
            elif "in_proj" in name:  # query, key and value below each other
                value = np.concatenate(3 * [weight_value((size.d_model, *shape[1:]), size).T])
            else:
                is_scale = "norm" in name and name.endswith("weight")
                value = weight_value(shape[::-1], size, is_scale).T
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(value)))
