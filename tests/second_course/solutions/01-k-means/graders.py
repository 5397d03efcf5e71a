"""Hidden graders of 01-k-means."""

from __future__ import annotations

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Probe, expect_array, expect_close, expect_shape, expect_that

from . import reference

DISTANCES, PLACES = Text("the squared distances"), Text("the centers' new places")


def drawn(draw: Draw) -> tuple[Array, Array]:
    """Draw points and centers of sizes that can't stand in for one another; every center has points."""
    n, k, dim = draw.integer(9, 12), draw.integer(2, 3), draw.integer(4, 6)
    centers = draw.normal(k, dim, scale=8.0)
    points = np.concatenate([centers, centers[draw.integers(0, k - 1, n - k)]]) + draw.normal(n, dim)
    return points, centers


def test_distances_shape(probe: Probe, draw: Draw) -> None:
    """A row for each point."""
    points, centers = drawn(draw)
    expect_shape(probe.call("squared_distances", points, centers), (len(points), len(centers)), "(n, k)")


def test_distances_values(probe: Probe, draw: Draw) -> None:
    """Every distance."""
    points, centers = drawn(draw)
    right = reference.squared_distances(points, centers)
    expect_close(probe.call("squared_distances", points, centers), right, DISTANCES)


def test_nearest_shape(probe: Probe, draw: Draw) -> None:
    """One index for each point."""
    points, centers = drawn(draw)
    expect_shape(probe.call("nearest_center", points, centers), (len(points),), "(n,)")


def test_nearest_index(probe: Probe, draw: Draw) -> None:
    """The nearest one, for many points."""
    points, centers = drawn(draw)
    owners = expect_array(probe.call("nearest_center", points, centers), "(n,)")
    right = reference.nearest_center(points, centers)
    expect_that(bool(np.array_equal(owners, right)), Text("A point belongs to another center than its nearest."))


def test_nearest_ties(probe: Probe, draw: Draw) -> None:
    """Two centers at one place."""
    points, centers = drawn(draw)
    doubled = np.concatenate([centers, centers])
    owners = expect_array(probe.call("nearest_center", points, doubled), "(n,)")
    expect_that(bool((owners < len(centers)).all()), Text("Of two equally near centers it isn't the first."))


def test_move_shape(probe: Probe, draw: Draw) -> None:
    """A place for each center."""
    points, centers = drawn(draw)
    expect_shape(probe.call("move_centers", points, centers), centers.shape, "(k, dim)")


def test_move_mean(probe: Probe, draw: Draw) -> None:
    """The means."""
    points, centers = drawn(draw)
    expect_close(probe.call("move_centers", points, centers), reference.move_centers(points, centers), PLACES)


def test_move_lonely(probe: Probe, draw: Draw) -> None:
    """A center far from all points."""
    points, centers = drawn(draw)
    lonely = np.concatenate([centers, centers[:1] + 1000.0])
    moved = expect_shape(probe.call("move_centers", points, lonely), lonely.shape, "(k, dim)")
    expect_that(bool(np.allclose(moved[-1], lonely[-1])), Text("A center without points doesn't stay where it is."))
