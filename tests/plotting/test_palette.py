"""Colours: valid, distinct, and visible on light and dark pages."""

import re

import numpy as np
import pytest

from mpgk_core.plotting.palette import class_colours, scale_colours

LIGHT_PAGE, DARK_PAGE = "#ffffff", "#0e1117"


def is_hexadecimal(colour):
    return re.fullmatch("#[0-9a-f]{6}", colour) is not None


def luminance(colour):
    """Relative luminance as the WCAG define it."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("n_classes", range(41))
def test_every_class_has_a_colour_of_its_own(n_classes):
    colours = class_colours(n_classes)
    assert len(colours) == len(set(colours)) == n_classes
    assert all(map(is_hexadecimal, colours))


def test_more_classes_keep_the_colours_of_the_first():
    assert class_colours(40)[:12] == class_colours(12)
    assert class_colours(12)[:3] == class_colours(3)


def test_very_many_classes_have_valid_colours():
    colours = class_colours(3000)
    assert len(colours) == 3000
    assert all(map(is_hexadecimal, colours))


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
@pytest.mark.parametrize("colour", class_colours(10))
def test_first_ten_colours_show_on_every_page(colour, page):
    assert contrast(colour, page) >= 1.5


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE])
def test_whole_scale_shows_on_every_page(page):
    colours = scale_colours(np.linspace(0, 1, 101))
    assert min(contrast(colour, page) for colour in colours) >= 1.5


def test_scale_depends_on_the_order_of_numbers_only_through_their_values():
    values = np.array([3.0, -1.0, 7.0, 3.0])
    colours = scale_colours(values)
    assert all(map(is_hexadecimal, colours))
    assert colours[0] == colours[3]
    assert len(set(colours)) == 3
    assert scale_colours(values[::-1]) == colours[::-1]
    assert scale_colours(values * 10 + 5) == colours


def test_scale_runs_from_blue_to_orange():
    low, high = scale_colours(np.array([0.0, 1.0]))
    assert int(low[5:], 16) > int(low[1:3], 16)
    assert int(high[1:3], 16) > int(high[5:], 16)


def test_equal_numbers_get_the_middle_of_the_scale():
    middle = scale_colours(np.array([0.0, 0.5, 1.0]))[1]
    assert scale_colours(np.array([4.0, 4.0])) == [middle, middle]
    assert scale_colours(np.array([-2.0])) == [middle]


def test_no_numbers_get_no_colours():
    assert scale_colours(np.array([])) == []


def test_scale_spans_the_largest_numbers():
    largest = np.finfo(np.float64).max
    ends = scale_colours(np.array([0.0, 1.0]))
    assert scale_colours(np.array([-largest, largest])) == ends
