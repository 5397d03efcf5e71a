"""A notebook as JupyterLab, Colab and VS Code save it after a student opened, filled and ran it.

Each writes its own metadata, ids, outputs and indentation; the answers are the same.
"""

from __future__ import annotations

import copy
import json
import uuid
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Saves = Callable[[Json], bytes]

# What a cell may have shown, as each program keeps it.
PRINTED: Json = {"output_type": "stream", "name": "stdout", "text": ["20 points\n", "✓\n"]}
RAISED: Json = {
    "output_type": "error",
    "ename": "CheckFailed",
    "evalue": "softmax: the whole table adds up to 1",
    "traceback": ["\x1b[31m✗ softmax: the whole table adds up to 1\x1b[0m"],
}
DRAWN: Json = {
    "output_type": "display_data",
    "data": {"text/plain": ["<Figure size 640x480 with 1 Axes>"], "image/png": "iVBORw0KGgo=\n"},
    "metadata": {},
}


def _code_cells(notebook: Json) -> list[Json]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _lines(source: str | list[str]) -> list[str]:
    return "".join(source).splitlines(keepends=True)


def by_jupyterlab(notebook: Json) -> bytes:
    """JupyterLab writes nbformat 4.5, keeps ids and all metadata, and adds what the kernel says of its language."""
    saved = copy.deepcopy(notebook)
    saved["metadata"]["language_info"] = {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.11.7",
    }
    for number, cell in enumerate(_code_cells(saved), start=1):
        cell["execution_count"] = number
        cell["outputs"] = copy.deepcopy([PRINTED, RAISED, DRAWN])
        cell["metadata"].setdefault("jupyter", {})["outputs_hidden"] = False
        cell["metadata"]["editable"] = cell["metadata"].get("editable", True)
        cell["metadata"]["slideshow"] = {"slide_type": ""}
    return json.dumps(saved, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def by_colab(notebook: Json, *, forgets: bool = False) -> bytes:
    """Colab writes nbformat 4.0: no cell has an id but in its metadata; forms, a runtime's type, outputs with its own media types.

    Args:
        notebook: the notebook that was opened.
        forgets: whether all metadata but Colab's is lost, as after copying the cells into a notebook that was made in Colab.
    """
    cells = []
    for number, cell in enumerate(notebook["cells"], start=1):
        own: Json = {"id": uuid.uuid5(uuid.NAMESPACE_OID, str(number)).hex[:12]}
        kept = {} if forgets else {name: value for name, value in cell["metadata"].items() if name != "jupyter"}
        saved: Json = {"cell_type": cell["cell_type"], "source": _lines(cell["source"]), "metadata": {**kept, **own}}
        if cell["cell_type"] == "code":
            saved["metadata"]["colab"] = {"base_uri": "https://localhost:8080/", "height": 35}
            saved["metadata"]["outputId"] = str(uuid.uuid5(uuid.NAMESPACE_URL, str(number)))
            saved["metadata"]["collapsed"] = False
            if cell["metadata"].get("jupyter", {}).get("source_hidden"):
                saved["metadata"]["cellView"] = "form"
            said: Json = {
                "output_type": "execute_result",
                "data": {
                    "text/plain": ["'20 points'"],
                    "application/vnd.google.colaboratory.intrinsic+json": {"type": "string"},
                    "text/html": ["<div id='df-1'><script>google.colab.kernel.accessAllowed</script></div>"],
                },
                "metadata": {},
                "execution_count": number,
            }
            saved["execution_count"] = number
            saved["outputs"] = [copy.deepcopy(PRINTED), {**RAISED, "evalue": "ignored"}, copy.deepcopy(DRAWN), said]
        cells.append(saved)
    kept_metadata = {} if forgets else notebook["metadata"]
    metadata = {
        **kept_metadata,
        "colab": {
            "name": "Copy of a notebook.ipynb",
            "provenance": [{"file_id": "1aB", "timestamp": 1}],
            "gpuType": "T4",
            "toc_visible": True,
            "collapsed_sections": [cells[0]["metadata"]["id"]],
        },
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
        "accelerator": "GPU",
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
    }
    whole = {"nbformat": 4, "nbformat_minor": 0, "metadata": metadata, "cells": cells}
    return json.dumps(whole, indent=2, ensure_ascii=False).encode()


def by_forgetful_colab(notebook: Json) -> bytes:
    """See `by_colab`."""
    return by_colab(notebook, forgets=True)


def by_vs_code(notebook: Json) -> bytes:
    """VS Code keeps ids, names the kernel as the student's environment is called, and marks cells with their language."""
    saved = copy.deepcopy(notebook)
    saved["metadata"] |= {
        "kernelspec": {"display_name": ".venv (3.12.3)", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.12.3", "pygments_lexer": "ipython3"},
        "orig_nbformat": 4,
        "vscode": {"interpreter": {"hash": "31f2aee4e71d21fbe5cf8b01ff0e069b9275f58929596ceb00d14d90e3e16cd6"}},
    }
    for number, cell in enumerate(_code_cells(saved), start=1):
        cell["metadata"] |= {"vscode": {"languageId": "python"}, "notebookRunGroups": {"groupValue": "1"}}
        cell["execution_count"] = number
        cell["outputs"] = [
            copy.deepcopy(PRINTED),
            {**RAISED, "traceback": ["\x1b[0;31m---\x1b[0m", "Cell \x1b[0;32mIn[7], line 1\x1b[0m\n"]},
            {**DRAWN, "data": {**DRAWN["data"], "application/vnd.jupyter.widget-view+json": {"model_id": "1"}}},
        ]
    saved["cells"].append(
        {"cell_type": "code", "execution_count": None, "id": "2f4c9d10", "metadata": {}, "outputs": [], "source": []}
    )
    return json.dumps(saved, indent=1, ensure_ascii=False).replace("\n", "\r\n").encode()


PROGRAMS: dict[str, Saves] = {
    "jupyterlab": by_jupyterlab,
    "colab": by_colab,
    "colab-forgets": by_forgetful_colab,
    "vs-code": by_vs_code,
}
