"""Words that only hand something over."""

import pytest

from dragoman.planning.arrivals import reply_to_arrival
from dragoman.planning.planner import plan
from dragoman.values import Request, Resource

POSTER = Resource(name="poster.png", kind="image", media_type="image/png", sha256="a")


@pytest.mark.parametrize(
    "words",
    [
        "a picture",
        "Here is a picture.",
        "here's my photo",
        "this is a poster",
        "look at this",
        "Here is a picture of my cat",
        "two photos from our trip to Lisbon",
        "Aqui está uma foto.",
        "Hier ist ein Bild.",
        "这是一张图片。",
        "recording",
    ],
)
async def test_what_came_is_named_and_the_wish_is_asked_for(words: str):
    """Chat, not a refusal: the next turn says what is wanted."""
    planned = await plan(Request(words=words, resources=(POSTER,)), mind=None)

    assert planned.reply == "I have poster.png. What shall I do with it?"
    assert planned.plan.tasks == ()
    assert planned.fault is None


@pytest.mark.parametrize(
    "words", ["What is in this picture?", "Sharpen this image", "read it", "flurb the picture", "is this a picture?"]
)
def test_a_wish_is_no_bare_handing_over(words: str):
    """A question, an order, a word that nobody knows."""
    assert reply_to_arrival(Request(words=words, resources=(POSTER,))) is None


def test_nothing_came():
    """The words alone."""
    assert reply_to_arrival(Request(words="a picture")) is None
