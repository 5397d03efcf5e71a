# %% [markdown] backends="torch"
# torch.* throughout: masked_fill, nan_to_num, torch tensors into the callable


# %% task="padding-mask"
import torch

def create_padding_mask(token_ids, pad_id=0):
    return (torch.as_tensor(token_ids) == pad_id).float().unsqueeze(1).unsqueeze(2)


# %% task="look-ahead-mask"
import torch

def create_look_ahead_mask(size):
    return torch.triu(torch.ones(size, size), diagonal=1)


# %% task="decoder-mask"
import torch

def create_decoder_mask(token_ids, pad_id=0):
    padding = create_padding_mask(token_ids, pad_id)
    return torch.maximum(padding, create_look_ahead_mask(padding.shape[-1]))


# %% task="masked-softmax"
import torch

def masked_softmax(scores, mask):
    scores, mask = torch.as_tensor(scores), torch.as_tensor(mask)
    lowered = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.nan_to_num(torch.softmax(lowered, dim=-1))


# %% task="keras-mask"
import torch

def to_keras_attention_mask(mask):
    mask = ~torch.as_tensor(mask).bool()
    return mask.squeeze(1) if mask.dim() == 4 else mask.unsqueeze(0)


# %% task="leak-test"
import torch

def leaks_future(attend, seq_len, dim):
    torch.manual_seed(0)
    x = torch.randn(1, seq_len, dim)
    before = torch.as_tensor(attend(x))
    for t in range(1, seq_len):
        changed = x.clone()
        changed[:, t:] = torch.randn(1, seq_len - t, dim)
        if not torch.allclose(torch.as_tensor(attend(changed))[:, :t], before[:, :t], atol=1e-5):
            return True
    return False
