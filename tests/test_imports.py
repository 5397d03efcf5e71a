"""Modules that are taken for missing while a library is imported."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

from autograder.base.imports import as_if_not_installed


def test_a_module_is_missing_within_and_there_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    with as_if_not_installed("this"), pytest.raises(ImportError):
        importlib.import_module("this")
    assert importlib.import_module("this")


def test_a_module_that_is_imported_already_stays() -> None:
    with as_if_not_installed("json"):
        assert importlib.import_module("json") is json
    assert sys.modules["json"] is json


def test_a_module_is_there_again_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    with pytest.raises(RuntimeError), as_if_not_installed("this"):
        raise RuntimeError
    assert "this" not in sys.modules
