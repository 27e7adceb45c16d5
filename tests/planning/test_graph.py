"""A checked plan can run: producers of the right kind, no cycle, nothing missing, each repair named."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.planning.fits import Kinds, fits_slot
from dragoman.planning.graph import check
from dragoman.planning.reader import read_plan
from dragoman.tasks import SPECS
from dragoman.values import Given, Plan, Ref, Resource, Task, Template, needs, refs_in

FILES = {"a.jpg": "image", "talk.wav": "audio", "clip.mp4": "video", "scan.pdf": "document", "wine.csv": "table"}


def resource(name, kind):
    return Resource(name=name, kind=kind, media_type="x/x", sha256="0" * 64)


LEDGER = [resource(name, kind) for name, kind in FILES.items()]


def checked(*tasks, ledger=LEDGER):
    return check(Plan(tasks=tasks), ledger=ledger)


def said(result):
    return [f"{repair.found}: {repair.did}" for repair in result.repairs]


ASR = Task(id=0, task="automatic-speech-recognition", args={"audio": Given(name="talk.wav")})
TTS = Task(id=1, task="text-to-speech", args={"text": Ref(task=0)}, dep=(0,))
TALK = [resource("talk.wav", "audio")]


def test_a_sound_plan_stays_as_it_is():
    """A chain whose kinds fit."""
    result = checked(ASR, TTS)

    assert (result.plan.tasks, result.repairs, result.faults) == ((ASR, TTS), (), ())


@pytest.mark.parametrize(
    ("name", "slot", "producer"),
    [
        ("automatic-speech-recognition", "audio", Given(name="clip.mp4")),
        ("image-to-text", "image", Given(name="clip.mp4")),
        ("summarization", "text", Given(name="scan.pdf")),
        ("text-to-speech", "text", Ref(task=0, pick="segments")),
        ("text-to-speech", "text", [Ref(task=0), "words"]),
        ("text-to-speech", "text", Template(parts=("It says: ", Ref(task=0)))),
    ],
)
def test_what_follows_from_types_needs_no_task(name, slot, producer):
    """Sound and frames of a video, words of a document, the text form of data, lists, words with references."""
    result = checked(ASR, Task(id=1, task=name, args={slot: producer}))

    assert result.plan.tasks[1].args == {slot: producer}
    assert result.faults == ()


def test_dependencies_are_the_references_and_the_order_that_was_asked_for():
    """`dep` left out where a Ref stands, and a bare order kept."""
    ocr = Task(id=1, task="optical-character-recognition", args={"image": Given(name="a.jpg")})
    result = checked(ASR, ocr, Task(id=2, task="text-to-speech", args={"text": Ref(task=1)}, dep=(0,)))

    assert [task.dep for task in result.plan.tasks] == [(), (), (0, 1)]
    assert result.repairs == ()


def test_a_forward_reference_moves_the_task_back():
    """The reader of the result was written first."""
    first = Task(id=0, task="text-to-speech", args={"text": Ref(task=1)})
    second = Task(id=1, task="automatic-speech-recognition", args={"audio": Given(name="talk.wav")})
    result = checked(first, second)

    assert [task.id for task in result.plan.tasks] == [1, 0]
    assert said(result) == ["tasks before the tasks that they need: moved them after these"]


def test_a_cycle_is_broken_at_its_weakest_link():
    """A bare order gives way to a reference."""
    result = checked(msg_dep(ASR, 1), TTS)

    assert [(task.id, task.dep) for task in result.plan.tasks] == [(0, ()), (1, (0,))]
    assert "a cycle: tasks 1 and 0 need each other: left out that 0 needs 1" in said(result)
    assert result.faults == ()


def msg_dep(task, *dep):
    return Task(id=task.id, task=task.task, args=task.args, dep=dep)


def test_a_cycle_of_references_is_a_fault_that_names_it():
    """Two tasks read from one another, and nothing else could be read."""
    one = Task(id=0, task="translation", args={"text": Ref(task=1), "target": "pt"})
    two = Task(id=1, task="translation", args={"text": Ref(task=0), "target": "en"})
    result = checked(one, two, ledger=[])

    assert result.faults == (
        "task 0 (`translation`): `text` is missing, wanted text; "
        "`text` came from task 1, which needs task 0 itself can't be it",
    )


@pytest.mark.parametrize("dep", [(0,), ()])
def test_a_missing_input_is_filled_from_what_the_task_waits_for_or_the_nearest_before(dep):
    """`text` of the translation is what the recording says."""
    result = checked(ASR, Task(id=1, task="translation", args={"target": "pt"}, dep=dep), ledger=TALK)

    assert result.plan.tasks[1].args["text"] == Ref(task=0)
    assert result.plan.tasks[1].dep == (0,)
    assert "`translation` without its `text`: filled it from" in said(result)[0]


def test_a_missing_input_is_filled_with_the_one_unused_resource():
    """Two pictures, one of them in use."""
    pictures = [resource("a.jpg", "image"), resource("b.jpg", "image")]
    first = Task(id=0, task="image-to-text", args={"image": Given(name="a.jpg")})
    result = checked(first, Task(id=1, task="object-detection"), ledger=pictures)

    assert result.plan.tasks[1].args == {"image": Given(name="b.jpg")}
    assert said(result) == ["`object-detection` without its `image`: filled it with `b.jpg`"]


def test_several_candidates_are_a_fault_not_a_guess():
    """Two pictures, none of them in use."""
    result = checked(
        Task(id=0, task="object-detection"), ledger=[resource("a.jpg", "image"), resource("b.jpg", "image")]
    )

    assert result.faults == ("task 0 (`object-detection`): `image` is missing, wanted image",)


def test_a_question_is_never_made_up():
    """Visual question answering with no question, after a task that makes text."""
    vqa = Task(id=1, task="visual-question-answering", args={"image": Given(name="a.jpg")})
    result = checked(ASR, vqa)

    assert result.faults == ("task 1 (`visual-question-answering`): `text` is missing, wanted text (the question)",)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("translation", "`target` is missing, wanted language (language wanted, BCP 47)"),
        ("zero-shot-classification", "`labels` is missing"),
    ],
)
def test_a_missing_parameter_is_a_fault(name, says):
    """What only the person can say."""
    (fault,) = checked(Task(id=0, task=name, args={"text": "x"})).faults

    assert says in fault


def test_a_reference_to_the_wrong_kind_is_replaced_where_one_thing_fits():
    """Read aloud what a speech task made: the text it waits for is further back."""
    again = Task(id=2, task="text-classification", args={"text": Ref(task=1)}, dep=(0, 1))
    result = checked(ASR, TTS, again)

    assert result.plan.tasks[2].args == {"text": Ref(task=0)}
    assert result.plan.tasks[2].dep == (0, 1)
    assert said(result)[0] == "audio as `text` of `text-classification`: left it out, kept the order"


def test_an_argument_in_the_wrong_slot_moves_to_the_right_one():
    """The paper's Table 13 gives text and image for tables."""
    result = checked(Task(id=0, task="tabular-classification", args={"text": Given(name="wine.csv")}))

    assert result.plan.tasks[0].args == {"table": Given(name="wine.csv")}
    assert said(result) == ["table as `text` of `tabular-classification`: moved it to `table`"]


def test_a_reference_to_no_task_is_left_out():
    """Task 7 is not there."""
    result = checked(Task(id=0, task="text-to-speech", args={"text": Ref(task=7)}, dep=(7,)), ledger=[])

    assert result.plan.tasks == (Task(id=0, task="text-to-speech"),)
    assert result.faults == ("task 0 (`text-to-speech`): `text` is missing, wanted text",)


def test_words_that_take_in_no_text_are_a_fault():
    """A sound has no text form."""
    result = checked(ASR, TTS, Task(id=2, task="summarization", args={"text": Template(parts=("Of ", Ref(task=1)))}))

    assert result.faults == ("task 2 (`summarization`): its words take in the text of task 1, which makes none",)


@pytest.mark.parametrize(
    "name", ["http://10.0.0.1/a.png", "/etc/passwd", "../secret.txt", "data:image/png;base64,AA", "other.jpg"]
)
def test_a_file_or_address_that_nobody_handed_over_is_refused(name):
    """Even where another file could stand in."""
    result = checked(
        Task(id=0, task="image-to-text", args={"image": Given(name=name)}), ledger=[resource("a.jpg", "image")]
    )

    assert result.faults == (
        f"task 0 (`image-to-text`): `image` names `{name}`, which is not among the resources: `a.jpg`",
    )


def test_an_invented_name_for_a_result_is_read_as_the_result():
    """`denoised.wav` from the task that it waits for."""
    clean = Task(id=0, task="audio-to-audio", args={"audio": Given(name="talk.wav")})
    asr = Task(id=1, task="automatic-speech-recognition", args={"audio": Given(name="denoised.wav")}, dep=(0,))
    result = checked(clean, asr)

    assert result.plan.tasks[1].args == {"audio": Ref(task=0)}
    assert result.faults == ()


def test_one_wrong_name_of_several_is_a_fault():
    """The right ones alone would be another request."""
    result = checked(Task(id=0, task="image-to-text", args={"image": [Given(name="a.jpg"), Given(name="b.jpg")]}))

    assert "`image` names `b.jpg`, which is not among the resources" in result.faults[0]


def test_a_placeholder_is_filled_where_there_is_one_candidate():
    """`the picture` is no address."""
    result = checked(Task(id=0, task="image-to-text", args={"image": Given(name="the picture")}))

    assert result.plan.tasks[0].args == {"image": Given(name="a.jpg")}


def test_an_unknown_task_is_a_fault_with_the_nearest_name():
    """The rest of the plan is kept."""
    result = checked(ASR, Task(id=1, task="make-coffee"), Task(id=2, task="image-to-txt", dep=(1,)))

    assert result.plan.tasks == (ASR,)
    assert result.faults[1] == "task 2: there is no task `image-to-txt`; the nearest is `image-to-text`"


def test_exact_duplicates_become_one_task():
    """Both transcripts and both of what reads them."""
    again = Task(id=2, task=ASR.task, args=ASR.args)
    loud = Task(id=3, task="text-to-speech", args={"text": Ref(task=2)})
    last = Task(id=4, task="voice-activity-detection", args={"audio": Ref(task=3)})
    result = checked(ASR, TTS, again, loud, last)

    assert [(task.id, task.dep) for task in result.plan.tasks] == [(0, ()), (1, (0,)), (4, (1,))]
    assert said(result) == [
        "the same `automatic-speech-recognition` as task 0: merged it into task 0",
        "the same `text-to-speech` as task 1: merged it into task 1",
    ]


def test_a_merged_duplicate_closes_no_cycle():
    """The second of two equal tasks waits for what needs the first."""
    again = Task(id=2, task=ASR.task, args=ASR.args, dep=(1,))
    result = checked(ASR, TTS, again)

    assert [(task.id, task.dep) for task in result.plan.tasks] == [(0, ()), (1, (0,))]


def test_the_same_task_on_other_input_is_no_duplicate():
    """Two pictures, two captions."""
    tasks = [
        Task(id=n, task="image-to-text", args={"image": Given(name=name)})
        for n, name in enumerate(("a.jpg", "clip.mp4"))
    ]

    assert len(checked(*tasks).plan.tasks) == 2


ARGS = st.one_of(
    st.builds(Ref, task=st.integers(-1, 7), pick=st.sampled_from([None, "text", "labels", "1", "PERSON"])),
    st.builds(Given, name=st.sampled_from([*FILES, "x.png", "the picture", "/etc/passwd"])),
    st.builds(lambda n: Template(parts=("say ", Ref(task=n), "!")), st.integers(0, 7)),
    st.sampled_from(["words", 3, None, {"a": 1}]),
)
PLANS = st.lists(
    st.builds(
        Task,
        id=st.integers(-1, 7),
        task=st.sampled_from([*SPECS, "make-coffee"]),
        args=st.dictionaries(
            st.sampled_from(["text", "image", "audio", "video", "table", "labels", "target", "context", "x"]),
            ARGS | st.lists(ARGS, max_size=3),
            max_size=3,
        ),
        dep=st.lists(st.integers(-1, 8), max_size=3).map(tuple),
    ),
    max_size=8,
).map(lambda tasks: Plan(tasks=tuple(tasks)))


def assert_can_run(plan):
    """Unique ids, each task after those it needs, each Ref to a producer whose outputs fit."""
    done = set()
    kinds = Kinds(resources=LEDGER, producers={task.id: SPECS[task.task] for task in plan.tasks})
    for task in plan.tasks:
        assert task.id not in done
        assert set(needs(task)) <= done
        assert set(needs(task)) == set(task.dep)
        for name, arg in task.args.items():
            for ref in refs_in(arg):
                slot, parameter = SPECS[task.task].slot(name), SPECS[task.task].parameter(name)
                assert slot or parameter
                assert slot is None or fits_slot(kinds.of(ref), slot)
                assert parameter is None or kinds.of(ref) & {"text", "data", "table", "document"}
        done.add(task.id)


@given(PLANS)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_plan_comes_out_fit_to_run_and_stays_so(plan):
    """Arbitrary graphs over the whole catalogue; checking twice changes nothing."""
    once = check(plan, ledger=LEDGER)
    twice = check(once.plan, ledger=LEDGER)

    assert_can_run(once.plan)
    assert twice.plan == once.plan
    assert twice.repairs == ()


@given(PLANS)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_known_task_is_never_dropped_unsaid(plan):
    """Whatever is not in the checked plan was merged or was never a task."""
    result = check(plan, ledger=LEDGER)

    merged = sum("merged" in repair.did for repair in result.repairs)
    assert sum(task.task in SPECS for task in plan.tasks) == len(result.plan.tasks) + merged


@pytest.fixture(scope="module")
def tallies(shared_data):
    """The 1,971 plans of weak language models, read and checked."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    import repairs

    return [repairs.tally(domain, mind, data=shared_data) for domain in repairs.DOMAINS for mind in repairs.MINDS]


def test_real_plans_of_weak_minds_survive(tallies):
    """No crash; at least 95 % of their known nodes and of their type-legal links, in each of the four sets."""
    assert sum(count.plans for count in tallies) == 1971
    for count in tallies:
        assert count.nodes_kept >= 0.95 * count.nodes
        assert count.links_kept >= 0.95 * count.links


def test_real_plans_name_what_was_mended(tallies):
    """Every sort of repair is counted."""
    repairs = sum((count.repairs for count in tallies), Counter())

    assert repairs["tasks without ids: numbered them in order"] > 1900


def test_reading_and_checking_agree_on_the_template():
    """What was checked can be written, read and checked again unchanged."""
    from dragoman.values import plan_to_json

    result = checked(ASR, TTS)
    again = read_plan(json.dumps(plan_to_json(result.plan)), ledger=LEDGER)

    assert again.plan == result.plan
