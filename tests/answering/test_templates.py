"""The plain answer: the request first, nothing invented, nothing left out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from scenes import CAT, OUT, data, done, failed, file, found, scene, skipped, task, words

from dragoman.answering.templates import findings, plain_answer
from dragoman.values import Ref


def test_a_picture_is_named_with_the_experts_confidence():
    """Three cat labels: the group first, then the labels."""
    answer = plain_answer(
        scene("What animal is this?", (task(0, "image-classification", image="c.png"), done(0, data("labels", CAT))))
    )

    assert answer.text.startswith("c.png most likely shows a cat (93 % sure); the closest labels are tabby (55 %)")
    assert answer.claims[0].tasks == (0,)


def test_a_weak_guess_is_called_one():
    """The best label has a share of 9 %."""
    rows = [{"label": "missile", "score": 0.09}]
    answer = plain_answer(
        scene("What?", (task(0, "image-classification", image="c.png"), done(0, data("labels", rows))))
    )

    assert "hard to place; my best guesses are missile (9 %)" in answer.text


def test_the_count_equals_the_boxes():
    """Two cups and a spoon."""
    step = (task(0, "object-detection", image="a.jpg"), done(0, data("boxes", found("cup", "cup", "spoon"))))

    assert "I found 3 objects: 2 cups and 1 spoon" in plain_answer(scene("Find every object", step)).text


def test_a_total_over_several_pictures_comes_first_and_rests_on_all():
    """How many cats in these three pictures altogether?"""
    steps = [
        (task(n, "object-detection", image=f"{n}.jpg"), done(n, data("boxes", found(*labels))))
        for n, labels in enumerate((["cat", "cat"], ["dog"], ["cat", "person"]))
    ]

    claims = findings(scene("How many cats are in these three pictures altogether?", *steps))

    assert claims[0].text == "There are 3 cats in the 3 pictures together."
    assert claims[0].tasks == (0, 1, 2)


def test_what_was_asked_for_and_not_found_is_said():
    """Lions wanted, cups found."""
    step = (task(0, "object-detection", image="a.jpg"), done(0, data("boxes", found("cup"))))

    assert "I found no lions, among 1 object in all (1 cup)" in plain_answer(scene("How many lions?", step)).text


def test_a_number_of_things_in_general_is_no_noun():
    """`how many there are`, `how many objects`, `count them all`."""
    step = (task(0, "object-detection", image="a.jpg"), done(0, data("boxes", found("cup"))))

    for asked in ("Find every object and tell me how many there are", "How many things?", "count them all"):
        assert "I found 1 object: 1 cup" in plain_answer(scene(asked, step)).text


def test_people_are_counted_under_any_of_their_names():
    """`person` boxes for a question about people, in English and in Chinese."""
    step = (task(0, "object-detection", image="a.jpg"), done(0, data("boxes", found("person", "person", "dog"))))

    for asked in ("How many people are there?", "图里有几个人？"):
        assert "I found 2 people, among 3 objects in all" in plain_answer(scene(asked, step)).text


def test_an_annotated_picture_is_named_with_its_whole_path():
    """The path stands in the answer and in its resources."""
    step = (
        task(0, "object-detection", image="a.jpg"),
        done(0, data("boxes", found("cat")), file("0-object-detection.png")),
    )
    answer = plain_answer(scene("Find every object", step))

    assert str(OUT / "0-object-detection.png") in answer.text
    assert [resource.name for resource in answer.resources] == ["0-object-detection.png"]


def test_read_and_spoken_text():
    """A sign, read aloud."""
    answer = plain_answer(
        scene(
            "What does it say? Read it aloud.",
            (
                task(0, "optical-character-recognition", image="s.png"),
                done(0, words("NO PARKING"), data("lines", [{"text": "NO PARKING", "score": 0.97}])),
            ),
            (
                task(1, "text-to-speech", text=Ref(task=0)),
                done(1, file("1-text-to-speech.wav", "audio", "speech", duration_s=1.24)),
            ),
        )
    )

    assert "s.png says: “NO PARKING” (read with 97 % confidence)" in answer.text
    assert f"Read aloud (1.2 s): {OUT}/1-text-to-speech.wav" in answer.text


def test_silence_is_called_silence():
    """An empty transcript is no quotation of nothing."""
    step = (task(0, "automatic-speech-recognition", audio="a.wav"), done(0, words("")))

    assert "I heard no speech in a.wav." in plain_answer(scene("Transcribe", step)).text


def test_only_the_kinds_of_names_that_were_asked_for():
    """People asked for, places not told; all told when entities are asked for."""
    rows = [
        {"entity_group": "PERSON", "word": "Ada Lovelace"},
        {"entity_group": "GPE", "word": "London"},
        {"entity_group": "PERSON", "word": "Ada Lovelace"},
    ]
    step = (task(0, "token-classification", text="article.txt"), done(0, data("entities", rows)))

    people = plain_answer(scene("List the people in it", step)).claims[0].text
    everything = plain_answer(scene("Give me its named entities", step)).claims[0].text
    none = plain_answer(scene("Which companies are in it?", step)).claims[0].text

    assert people == "Named are people: Ada Lovelace."
    assert everything == "Named are people: Ada Lovelace; places: London."
    assert none == "I found no organisations in it."


def test_the_picture_that_is_most_alike_is_named_first():
    """C is more like a than b."""
    rows = [{"name": "b.jpg", "score": 0.31}, {"name": "c.jpg", "score": 0.82}]
    step = (task(0, "image-feature-extraction", image="a.jpg"), done(0, data("likeness", rows)))

    assert (
        "c.jpg (0.82) is more like a.jpg than b.jpg (0.31)" in plain_answer(scene("Which is more like a?", step)).text
    )


def test_sentiment_translation_and_summary_speak_for_themselves():
    """Each with its words and its share."""
    answer = plain_answer(
        scene(
            "…",
            (task(0, "text-classification", text="a"), done(0, data("labels", [{"label": "POSITIVE", "score": 0.94}]))),
            (task(1, "translation", text="a", target="pt"), done(1, words("Onde fica a estação?"))),
            (task(2, "summarization", text="article.txt"), done(2, words("It is short."))),
        )
    )

    assert "Its sentiment is positive (94 %)." in answer.text
    assert "In Portuguese: “Onde fica a estação?”" in answer.text
    assert "In short (article.txt): “It is short.”" in answer.text


def test_what_is_not_in_the_text_is_said_so():
    """An answer with its sentence stands as it is; an empty one is no answer."""
    told = (task(0, "question-answering", text="Who?", context="a.txt"), done(0, words("Ada (“Ada wrote it.”)")))
    silent = (task(0, "question-answering", text="Who?", context="a.txt"), done(0, words("")))

    assert plain_answer(scene("Who wrote it?", told)).claims[0].text == "Ada (“Ada wrote it.”)"
    assert plain_answer(scene("Who wrote it?", silent)).claims[0].text == "I did not find that in a.txt."


def test_how_well_a_column_is_predicted_stands_beside_a_guess():
    """Classes by share of right rows, numbers by how far off."""
    classes = {"column": "kind", "accuracy": 0.95, "baseline_accuracy": 0.33, "folds": 10}
    numbers = {"column": "width", "r2": 0.5, "mae": 44.2, "baseline_mae": 65.8, "folds": 10}
    one = (task(0, "tabular-classification", table="t.csv"), done(0, data("quality", classes)))
    two = (task(0, "tabular-regression", table="t.csv"), done(0, data("quality", numbers)))

    assert (
        "`kind`: right for 95 % of the rows (always guessing the commonest: 33 %)" in plain_answer(scene("?", one)).text
    )
    assert "`width`: off by 44.2 on average (guessing the mean: 65.8; r2 0.50)" in plain_answer(scene("?", two)).text


def test_what_could_not_be_done_is_said_with_the_reason():
    """One done, one without an expert, one that needed it."""
    answer = plain_answer(
        scene(
            "…",
            (task(0, "canny-control", image="e.jpg"), done(0, file("0-canny-control.png", output="image"))),
            (task(1, "canny-text-to-image", image=Ref(task=0), text="a fox"), failed(1)),
            (task(2, "image-to-text", image=Ref(task=1)), skipped(2)),
        )
    )

    assert "The edges of e.jpg: " in answer.text
    assert "I couldn't do canny-text-to-image: no expert here." in answer.text
    assert "I didn't start image-to-text:" in answer.text


def test_nothing_done_is_said_plainly():
    """No result at all."""
    answer = plain_answer(scene("Paint a fox", (task(0, "text-to-image", text="a fox"), failed(0))))

    assert answer.text.startswith("I couldn't do it.")
    assert answer.claims == ()


def test_several_looks_at_one_picture_say_what_they_rest_on():
    """A description from labels, boxes and read text is no eyesight."""
    answer = plain_answer(
        scene(
            "Describe it in detail",
            (task(0, "image-classification", image="p.jpg"), done(0, data("labels", CAT))),
            (task(1, "object-detection", image="p.jpg"), done(1, data("boxes", found("cat")))),
            (task(2, "optical-character-recognition", image="p.jpg"), done(2, words(""))),
        )
    )

    assert answer.text.startswith(
        "Put together from image-classification, object-detection and optical-character-recognition; "
        "labels, boxes and read text, not eyesight:"
    )


def test_exactly_the_claims_of_a_changed_outcome_change():
    """Cat becomes dog in one of two pictures."""
    asked = "What is in these pictures?"
    dog = [{"label": "beagle", "score": 0.9, "group": "dog", "group_score": 0.95}]
    one = (task(0, "image-classification", image="a.png"), done(0, data("labels", CAT)))
    two = (task(1, "image-classification", image="b.png"), done(1, data("labels", CAT)))
    other = (two[0], done(1, data("labels", dog)))

    before, after = findings(scene(asked, one, two)), findings(scene(asked, one, other))

    assert [claim.tasks for claim in before] == [claim.tasks for claim in after] == [(0,), (1,)]
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_control_codes_in_read_text_never_reach_the_answer():
    """A sign that holds a terminal command and a direction override."""
    step = (task(0, "optical-character-recognition", image="s.png"), done(0, words("\x1b[31mred\x1b[0m \u202eback")))
    text = plain_answer(scene("Read it", step)).text

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "red back" in text


def test_how_it_was_done_names_every_expert():
    """First person, after the findings."""
    step = (task(0, "image-classification", image="c.png"), done(0, data("labels", CAT)))

    assert plain_answer(scene("What?", step)).text.endswith(
        "How I did it: I used model-0 for image-classification on c.png."
    )
