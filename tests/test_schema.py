"""Models of data files: every mistake is named with its part, its field and what to do."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from mpgk_core.errors import UnreadableFileError
from mpgk_core.schema import FieldError, Table, checked, converted, require


class Wheel(Table, frozen=True):
    spokes: Annotated[int, Meta(ge=3, le=40)] = 8


class Cart(Table, frozen=True):
    name: Annotated[str, Meta(pattern=r"\A\w+\Z", description="one word")]
    colour: Literal["red", "blue"] = "red"
    load: Annotated[float, Meta(ge=0, le=1)] | None = None
    wheels: dict[str, Wheel] = {}  # noqa: RUF012  msgspec copies it
    trailers: Annotated[tuple["Wheel", ...], Meta(max_length=2)] = ()

    def __post_init__(self):
        require(self.name != "none", "name", "This name is taken.", "Choose another.")


class Yard(Table, frozen=True):
    carts: tuple[Cart, ...]


def refusal(content):
    with pytest.raises(UnreadableFileError) as caught:
        checked(Yard, content, "yard.toml", "cart")
    return str(caught.value)


def cart(**fields):
    return {"carts": [{"name": "first"}, {"name": "second", **fields}]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (3, "This is 3. It must be a table."),
        ({}, "Field 'carts': This field is missing. Add it."),
        ({"carts": 3}, "Field 'carts': This is 3. It must be a list."),
        ({"carts": [7]}, "Cart 1: This is 7. It must be a table."),
        ({"carts": [{}]}, "Cart 1, field 'name': This field is missing. Add it."),
        (cart(name="a b"), "Cart 2, field 'name': This is 'a b'. It must be one word."),
        (cart(name=3), "Cart 2, field 'name': This is 3. It must be one word."),
        (cart(name="none"), "Cart 2, field 'name': This name is taken. Choose another."),
        (cart(colour="green"), "field 'colour': This is 'green'. It must be one of blue, red."),
        (cart(load=2), "field 'load': This is 2. It must be a number from 0 to 1."),
        (cart(load=float("nan")), "field 'load': This is nan. It must be a number from 0 to 1."),
        (cart(load="1"), "field 'load': This is '1'. It must be a number from 0 to 1."),
        (cart(wheels=[]), "Cart 2, field 'wheels': This is []. It must be a table."),
        (
            cart(wheels={"left": {}, "right": {"spokes": 2}}),
            "field 'wheels.right.spokes': This is 2. It must be a whole number from 3 to 40.",
        ),
        (
            cart(wheels={"left": {"hub": 2}}),
            "field 'wheels.left.hub': This field is unknown. The fields here are spokes.",
        ),
        (cart(trailers=[{}, {"spokes": True}]), "field 'trailers.2.spokes': This is True."),
        (cart(trailers=[{}] * 3), "It must be a list of at most 2 items."),
    ],
)
def test_a_mistake_is_named_with_its_place(content, message):
    found = refusal(content)
    assert found.startswith("yard.toml: ")
    assert message in found


class Load(Table, frozen=True):
    weight: Annotated[float, Meta(ge=0)] = 0.0
    height: Annotated[int, Meta(le=4)] = 0
    crates: Annotated[tuple[str, ...], Meta(min_length=1)] = ("",)


@pytest.mark.parametrize(
    ("field", "value", "demand"),
    [
        ("weight", -1, "a number of at least 0"),
        ("height", 5, "a whole number of at most 4"),
        ("crates", [], "a list of at least 1 item"),
    ],
)
def test_one_bound_is_named_alone(field, value, demand):
    with pytest.raises(FieldError) as caught:
        converted(Load, {field: value})
    assert caught.value.remedy == f"It must be {demand}."


def test_what_fits_is_returned_with_its_defaults():
    yard = checked(Yard, cart(wheels={"left": {}}, load=1), "yard.toml", "cart")
    assert yard.carts[1].wheels["left"].spokes == 8
    assert yard.carts[1].load == 1.0
    assert yard == checked(Yard, cart(wheels={"left": {}}, load=1.0), "yard.toml", "cart")


def test_a_part_of_a_file_is_named_with_its_prefix():
    with pytest.raises(FieldError) as caught:
        converted(Wheel, {"spokes": 1}, ["wheels", "left"])
    assert caught.value.path == ["wheels", "left", "spokes"]
