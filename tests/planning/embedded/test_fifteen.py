"""The fifteen requests that must work with no mind, with their arguments."""

from __future__ import annotations

from typing import Any


def test_an_animal_is_classified(kit: Any):
    assert kit.args_of(kit.ask("What animal is in this picture?", "cat.jpg"), "image-classification") == {
        "image": "cat.jpg"
    }


def test_objects_are_found_once_for_place_and_number(kit: Any):
    """Finding and counting are one detection."""
    planned = kit.ask("Find every object in a.jpg and tell me how many there are", "a.jpg")

    assert kit.tasks_of(planned) == ["object-detection"]
    assert kit.args_of(planned, "object-detection") == {"image": "a.jpg"}


def test_a_sign_is_read_and_then_spoken(kit: Any):
    planned = kit.ask("What does this sign say? Read it aloud", "sign.jpg")

    assert kit.args_of(planned, "text-to-speech") == {"text": "<resource>-0"}


def test_two_analyses_of_a_transcript_run_side_by_side(kit: Any):
    """Neither waits for the other."""
    planned = kit.ask("Transcribe this recording, then give me its named entities and its sentiment", "talk.mp3")

    asr = "automatic-speech-recognition"
    assert kit.edges_of(planned) == {(asr, "token-classification"), (asr, "text-classification")}


def test_the_cleaned_sound_is_transcribed(kit: Any):
    planned = kit.ask("Clean up the noise in this recording and transcribe it", "noisy.wav")

    assert kit.args_of(planned, "automatic-speech-recognition") == {"audio": "<resource>-0"}


def test_a_description_in_detail_is_all_that_can_be_seen(kit: Any):
    planned = kit.ask("Describe photo.jpg in as much detail as you can", "photo.jpg")

    assert kit.tasks_of(planned) == [
        "image-classification",
        "image-to-text",
        "object-detection",
        "optical-character-recognition",
    ]
    assert kit.edges_of(planned) == set()


def test_the_original_is_the_untranslated_text(kit: Any):
    planned = kit.ask("Translate 'Where is the station?' to Portuguese and say the original aloud")

    assert kit.args_of(planned, "translation") == {"text": "Where is the station?", "target": "pt"}
    assert kit.args_of(planned, "text-to-speech") == {"text": "Where is the station?"}


def test_what_others_are_compared_to_goes_first(kit: Any):
    planned = kit.ask("Which of b.jpg and c.jpg is more like a.jpg?", "b.jpg", "c.jpg", "a.jpg")

    assert kit.args_of(planned, "image-feature-extraction") == {"image": ["a.jpg", "b.jpg", "c.jpg"]}


def test_each_of_three_pictures_gets_its_detection(kit: Any):
    planned = kit.ask("How many cats are in these three pictures altogether?", "1.jpg", "2.jpg", "3.jpg")

    assert [t.args["image"].name for t in planned.plan.tasks] == ["1.jpg", "2.jpg", "3.jpg"]
    assert kit.tasks_of(planned) == ["object-detection"] * 3


def test_sounds_of_a_recording_and_of_a_video(kit: Any):
    """The video goes in as it is: taking its sound is the executor's business."""
    for name in ("clip.wav", "clip.mp4"):
        assert kit.args_of(kit.ask("What sounds are in this clip?", name), "audio-classification") == {"audio": name}


def test_people_are_listed_from_the_article_and_not_from_its_summary(kit: Any):
    planned = kit.ask("Summarize this article in three sentences and list the people in it", "article.txt")

    assert kit.args_of(planned, "summarization") == {"text": "article.txt", "sentences": 3}
    assert kit.args_of(planned, "token-classification") == {"text": "article.txt"}


def test_the_original_of_a_sign_is_its_text(kit: Any):
    planned = kit.ask("Read what the sign says, translate it to Portuguese, and read me the original", "sign.png")

    ocr = "optical-character-recognition"
    assert kit.edges_of(planned) == {(ocr, "translation"), (ocr, "text-to-speech")}


def test_four_turns_build_on_each_other(kit: Any):
    """A picture, what is written on it, who is named there, the names aloud."""
    text = kit.resource("ocr.txt", text="Ann met Bob", made_by="optical-character-recognition")
    lines = kit.resource("lines.json", data=[], made_by="optical-character-recognition")
    entities = kit.resource("entities.json", data=[], made_by="token-classification")
    first = kit.turn("Here is a picture", asked=["memo.png"])
    second = kit.turn("what's written on it?", made=[text, lines])
    third = kit.turn("who are the people named there?", made=[entities])

    reading = kit.ask("what's written on it?", history=[first])
    naming = kit.ask("who are the people named there?", history=[first, second])
    speaking = kit.ask("now read the names aloud", history=[first, second, third])

    assert kit.args_of(reading, "optical-character-recognition") == {"image": "memo.png"}
    assert kit.args_of(naming, "token-classification") == {"text": "ocr.txt"}
    assert kit.args_of(speaking, "text-to-speech") == {"text": "entities.json#PERSON"}
    assert kit.tasks_of(speaking) == ["text-to-speech"]


def test_a_painting_is_planned_whether_or_not_anyone_can_paint(kit: Any):
    planned = kit.ask("Paint me a watercolor of a fox")

    assert kit.args_of(planned, "text-to-image") == {"text": "a watercolor of a fox"}


def test_a_fox_is_painted_along_the_edges_that_were_found(kit: Any):
    planned = kit.ask("find the edges of e.jpg and then paint a fox along them", "e.jpg")

    assert kit.args_of(planned, "canny-text-to-image") == {"text": "a fox", "image": "<resource>-0"}
    assert kit.tasks_of(planned) == ["canny-control", "canny-text-to-image"]


def test_small_talk_has_a_reply_and_no_tasks(kit: Any):
    for words in ("Hello!", "Thank you very much", "What can you do?", "", "Olá", "你好", "Guten Morgen"):
        planned = kit.ask(words)
        assert planned.reply, words
        assert not planned.plan.tasks
        assert planned.fault is None
