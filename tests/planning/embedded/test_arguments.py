"""What goes into the slots and parameters: files, quotes, references, languages, numbers, classes, prompts."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "image"),
    [
        ("Describe the first picture", "a.jpg"),
        ("Describe the second one", "b.jpg"),
        ("Describe the last photo", "c.jpg"),
        ("Describe b.jpg", "b.jpg"),
        ("b.jpg: describe it", "b.jpg"),
        ("There are three photos; have a look at c.jpg and describe it", "c.jpg"),
    ],
)
def test_ordinals_and_names_pick_one_of_several(kit: Any, words: str, image: str):
    assert kit.args_of(kit.ask(words, "a.jpg", "b.jpg", "c.jpg"), "image-to-text") == {"image": image}


@pytest.mark.parametrize(
    "words", ["Describe both pictures", "Describe these", "Describe all of them", "Describe each photo"]
)
def test_all_of_several_get_a_task_each(kit: Any, words: str):
    planned = kit.ask(words, "a.jpg", "b.jpg")

    assert [t.args["image"].name for t in planned.plan.tasks] == ["a.jpg", "b.jpg"]


def test_a_path_and_a_url_are_found_by_their_last_part(kit: Any):
    """The flow names a resource by its file name, however the words reach it."""
    assert kit.args_of(kit.ask("Describe photos/a.jpg", "a.jpg"), "image-to-text") == {"image": "a.jpg"}
    assert kit.args_of(kit.ask("Describe https://example.org/x/a.jpg", "a.jpg"), "image-to-text") == {"image": "a.jpg"}


def test_a_url_whose_name_tells_nothing_is_the_resource_that_no_other_name_means(kit: Any):
    """What was fetched bears the name that the server gave it."""
    planned = kit.ask("Compare a.jpg with https://example.org/photo?id=3", "a.jpg", "download.jpg")

    assert kit.args_of(planned, "image-feature-extraction")["image"] == ["download.jpg", "a.jpg"]


def test_a_file_name_with_spaces_is_one_name(kit: Any):
    planned = kit.ask("Describe my cat photo.jpg please", kit.resource("my cat photo.jpg", "image"))

    assert kit.args_of(planned, "image-to-text") == {"image": "my cat photo.jpg"}


@pytest.mark.parametrize(
    ("words", "target", "source"),
    [
        ("Translate notes.txt into French", "fr", None),
        ("Translate notes.txt from German to Brazilian Portuguese", "pt-BR", "de"),
        ("Put this German letter into English", "en", "de"),
        ("翻译成葡萄牙语", "pt", None),
        ("Übersetze das ins Englische", "en", None),
        ("Traduza isto para inglês", "en", None),
        ("tranlsate this to portugese", "pt", None),
    ],
)
def test_languages_become_codes(kit: Any, words: str, target: str, source: str | None):
    args = kit.args_of(kit.ask(words, "notes.txt"), "translation")

    assert (args["target"], args.get("source")) == (target, source)


def test_two_languages_are_two_translations(kit: Any):
    planned = kit.ask("Translate notes.txt into German and French", "notes.txt")

    assert [t.args["target"] for t in planned.plan.tasks] == ["de", "fr"]


def test_a_language_that_nobody_named_is_said_to_be_assumed(kit: Any):
    planned = kit.ask("Translate letter.txt", "letter.txt")

    assert kit.args_of(planned, "translation")["target"] == "en"
    assert any("assumed" in note for note in planned.notes)


@pytest.mark.parametrize(
    ("words", "name", "labels"),
    [
        ("Is this a cat or a dog?", "zero-shot-image-classification", ["cat", "dog"]),
        (
            "Sort this picture into beach, city and forest",
            "zero-shot-image-classification",
            ["beach", "city", "forest"],
        ),
        ("Find the traffic cones and a red umbrella", "zero-shot-object-detection", ["traffic cones", "red umbrella"]),
        ('Classify "Goal!" as sports, politics or tech', "zero-shot-classification", ["sports", "politics", "tech"]),
    ],
)
def test_classes_are_listed_without_articles(kit: Any, words: str, name: str, labels: list[str]):
    assert kit.args_of(kit.ask(words, "x.jpg"), name)["labels"] == labels


@pytest.mark.parametrize(
    ("words", "name", "args"),
    [
        ("Shorten notes.txt to 4 sentences", "summarization", {"text": "notes.txt", "sentences": 4}),
        ("Fasse notes.txt in zwei Sätzen zusammen", "summarization", {"text": "notes.txt", "sentences": 2}),
        ("用三句话总结 notes.txt", "summarization", {"text": "notes.txt", "sentences": 3}),
    ],
)
def test_numbers_of_sentences(kit: Any, words: str, name: str, args: dict[str, Any]):
    assert kit.args_of(kit.ask(words, "notes.txt"), name) == args


def test_how_many_times_larger(kit: Any):
    assert kit.args_of(kit.ask("Make a.png 4 times larger", "a.png"), "image-to-image")["scale"] == 4
    assert kit.args_of(kit.ask("Upscale a.png 2x", "a.png"), "image-to-image")["scale"] == 2


def test_the_column_to_predict(kit: Any):
    assert kit.args_of(kit.ask("Predict the price column of h.csv", "h.csv"), "tabular-regression")["column"] == "price"


@pytest.mark.parametrize(
    ("words", "prompt"),
    [
        ("Draw a picture of a red house", "a red house"),
        ("Please paint a watercolour of the sea", "a watercolour of the sea"),
        ("Could you generate an image of two dogs in the snow?", "two dogs in the snow"),
        ("Male mir ein Aquarell von einem Fuchs", "ein Aquarell von einem Fuchs"),
        ("画一只狐狸", "狐狸"),
        ("A fox in the snow: can you paint that?", "A fox in the snow"),
    ],
)
def test_what_is_to_be_painted_stands_in_the_persons_words(kit: Any, words: str, prompt: str):
    assert prompt in kit.args_of(kit.ask(words), "text-to-image")["text"]


def test_a_picture_of_a_summary_is_painted_from_the_summary(kit: Any):
    planned = kit.ask("Summarize a.txt and illustrate the summary", "a.txt")

    assert kit.edges_of(planned) == {("summarization", "text-to-image")}


def test_the_names_aloud_are_the_people_found(kit: Any):
    planned = kit.ask("List the people in a.txt and read their names aloud", "a.txt")

    assert kit.args_of(planned, "text-to-speech") == {"text": "<resource>-0.PERSON"}


def test_a_question_goes_in_without_its_wrapping(kit: Any):
    planned = kit.ask("Could you please tell me what colour the car in street.jpg is?", "street.jpg")

    args = kit.args_of(planned, "visual-question-answering")
    assert args["image"] == "street.jpg"
    assert args["text"].startswith("What colour the car")


@pytest.mark.parametrize(
    ("words", "name", "file"),
    [
        ("Is the man smiling?", "visual-question-answering", "a.jpg"),
        ("Who signed it?", "document-question-answering", "contract.pdf"),
        ("Which city is the largest?", "table-question-answering", "cities.csv"),
        ("When did the war end?", "question-answering", "history.txt"),
    ],
)
def test_who_answers_a_free_question_is_told_by_what_it_is_about(kit: Any, words: str, name: str, file: str):
    assert kit.tasks_of(kit.ask(words, file)) == [name]


def test_boxes_found_before_go_into_the_masks(kit: Any):
    planned = kit.ask("Detect the objects in desk.jpg and make a mask for each box", "desk.jpg")

    assert kit.args_of(planned, "mask-generation") == {"image": "desk.jpg", "boxes": "<resource>-0"}


def test_the_voice_speaks_the_language_of_the_translation(kit: Any):
    planned = kit.ask("Translate 'Good morning' into German and read the translation aloud")

    assert kit.args_of(planned, "text-to-speech") == {"text": "<resource>-0", "target": "de"}


def test_a_stereo_pair_goes_in_together(kit: Any):
    planned = kit.ask("Depth map from the stereo pair l.png and r.png", "l.png", "r.png")

    assert kit.args_of(planned, "depth-estimation") == {"image": "l.png", "right": "r.png"}
