"""What minds write is read leniently, and each repair is named."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dragoman.planning.limits import MAX_FAULTS, MAX_REPAIRS
from dragoman.planning.nearjson import MAX_CHARS
from dragoman.planning.reader import read_plan
from dragoman.planning.shapes import MAX_TASKS
from dragoman.values import Given, Plan, Ref, Resource, Task, Template, plan_to_json

FILES = {
    "a.jpg": "image",
    "b.jpg": "image",
    "talk.wav": "audio",
    "clip.mp4": "video",
    "notes.txt": "text",
    "wine.csv": "table",
    "scan.pdf": "document",
    "0-entities.json": "data",
    "folder/c.jpg": "image",
}
LEDGER = [Resource(name=name, kind=kind, media_type="x/x", sha256="0" * 64) for name, kind in FILES.items()]
OCR = '{"task": "optical-character-recognition", "id": 0, "dep": [-1], "args": {"image": "a.jpg"}}'
OCR_TASK = Task(id=0, task="optical-character-recognition", args={"image": Given(name="a.jpg")})


def read(text):
    return read_plan(text if isinstance(text, str) else json.dumps(text), ledger=LEDGER)


def only(text):
    """The one task that was read."""
    (task,) = read(text).plan.tasks
    return task


def task(name, *, at=0, dep=(-1,), **args):
    return {"task": name, "id": at, "dep": list(dep), "args": args}


def said(read_plan):
    return [f"{repair.found}: {repair.did}" for repair in read_plan.repairs]


def test_a_plan_as_it_should_be_needs_no_repair():
    """The paper's template, with a Ref, a Template, a list, a pick and a resource by name."""
    found = read(
        [
            task("automatic-speech-recognition", audio="talk.wav"),
            task("token-classification", at=1, dep=[0], text="<resource>-0"),
            task("text-to-speech", at=2, dep=[1, 0], text="It says: <resource>-0; people: <resource>-1.PERSON."),
            task("image-feature-extraction", at=3, image=["a.jpg", "b.jpg"]),
            task("text-to-speech", at=4, text="0-entities.json#PERSON"),
        ]
    )

    assert (found.repairs, found.faults) == ((), ())
    assert found.plan == Plan(
        tasks=(
            Task(id=0, task="automatic-speech-recognition", args={"audio": Given(name="talk.wav")}),
            Task(id=1, task="token-classification", args={"text": Ref(task=0)}, dep=(0,)),
            Task(
                id=2,
                task="text-to-speech",
                dep=(1, 0),
                args={
                    "text": Template(parts=("It says: ", Ref(task=0), "; people: ", Ref(task=1, pick="PERSON"), "."))
                },
            ),
            Task(id=3, task="image-feature-extraction", args={"image": [Given(name="a.jpg"), Given(name="b.jpg")]}),
            Task(id=4, task="text-to-speech", args={"text": Given(name="0-entities.json", pick="PERSON")}),
        )
    )


@pytest.mark.parametrize(
    "text",
    [
        f"[{OCR}]",
        f"Sure, here is the plan:\n```json\n[{OCR}]\n```\nShall I go on?",
        f"```\n[{OCR}]\n```",
        f"```json\n[{OCR}]",
        f"[{OCR}]</cod",
        OCR,
        f'{{"tasks": [{OCR}]}}',
        f'{{"plan": [{OCR}], "reply": null}}',
        f"[[{OCR}]]",
        f"<think>Perhaps [a plan]? {{no}} </think>\n[{OCR}]",
        f"<think>[{OCR[:-1]}]</think>[{OCR}]",
        f"I think so.</think>[{OCR}]",
        f"<think>It is OCR, so [{OCR}]",
        f"[{OCR},]",
        f"[{OCR}",
        f"[{OCR[:-1]}",
        f"[{OCR.replace(chr(34), chr(39))}]",
        json.dumps(f"[{OCR}]"),
        f"error: none. An error [1] is not here.\n[{OCR}]",
        f"[{OCR}, // the sign\n]",
        f"First a draft: [{OCR.replace('a.jpg', 'b.jpg')}]\nBetter:\n```json\n[{OCR}]\n```",
        f"\ufeff  [{OCR}]  ",
    ],
)
def test_the_plan_is_found_in_whatever_stands_around_it(text):
    """Fences, prose, thinking tags in pairs and alone, half JSON, a list in a list, JSON in a string."""
    found = read(text)

    assert found.plan.tasks == (OCR_TASK,)
    assert found.faults == ()


def test_the_last_whole_plan_of_several_is_taken():
    """Two fenced plans and a third that breaks off."""
    found = read(
        f'```json\n[{task_json("b.jpg")}]\n```\nor\n```json\n[{OCR}]\n```\nor [{{"task": "ocr", "args": {{"ima'
    )

    assert found.plan.tasks == (OCR_TASK,)
    assert "2 plans in one reply: took the last" in said(found)


def task_json(name):
    return OCR.replace("a.jpg", name)


def test_objects_one_after_another_are_one_list():
    """One task a line, no list around them."""
    found = read(f'{OCR}\n{{"task": "text-to-speech", "id": 1, "dep": [0], "args": {{"text": "<resource>-0"}}}}')

    assert [task.task for task in found.plan.tasks] == ["optical-character-recognition", "text-to-speech"]


@pytest.mark.parametrize("text", ["null", "[]", "{}", '""', '{"tasks": []}', "```json\n[]\n```", "Nothing to do: []"])
def test_no_task_is_no_fault(text):
    """A request with nothing to do."""
    found = read(text)

    assert found.plan.tasks == ()
    assert found.faults == ()


def test_words_for_the_person_are_kept():
    """Conversation comes beside an empty list."""
    assert read({"tasks": [], "reply": "Hello! What shall I look at?"}).reply == "Hello! What shall I look at?"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the reply is empty"),
        ("I'm sorry, I can't do that.", "the reply holds no JSON; it begins: \"I'm sorry"),
        ("42", "a list of tasks was wanted, and 42 came"),
        ('{"error": "no"}', "an object with error came"),
        ("[" * 100, "nested 100 deep; at most 64 are read"),
        ("x" * (MAX_CHARS + 1), "200,001 characters; at most 200,000 are read"),
        ("[1, true]", "entry 0 of the plan is no task: 1"),
        ('[{"id": 3}]', "entry 0 of the plan names no task"),
    ],
)
def test_what_holds_no_plan_is_a_fault_that_says_so(text, fault):
    """Nothing is guessed where nothing can be read."""
    found = read(text)

    assert found.plan.tasks == ()
    assert fault in found.faults[0]


def test_more_tasks_than_any_plan_needs_are_a_fault():
    """The first are read, the rest is not."""
    found = read([task("text-to-speech", at=n, text=str(n)) for n in range(MAX_TASKS + 5)])

    assert len(found.plan.tasks) == MAX_TASKS
    assert found.faults == (f"the plan has more than {MAX_TASKS} tasks; the rest was not read",)


@pytest.mark.parametrize(
    "words",
    [
        "What's on Bob's 1\" cup?",
        "in C:\\temp\\new",
        "an error occurred: error",
        'say "[1, 2]" and {x}',
        "line\nline\ttab",
        "<think>not a thought</think>",
        "```fence```",
        "🦊 什么",
        "a < b > c",
        "null",
    ],
)
def test_words_arrive_unchanged(words):
    """Whatever a person may have written, through strict JSON."""
    assert only([task("text-to-speech", text=words)]).args == {"text": words}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("""[{'task': 'tts', 'args': {'text': 'What's on Bob's cup?'}}]""", "What's on Bob's cup?"),
        (r'[{"task": "tts", "args": {"text": "\d+ in C:\Users"}}]', r"\d+ in C:\Users"),
        ('[{"task": "tts", "args": {"text": "say "hello" now"}}]', 'say "hello" now'),
        ('[{"task": "tts", "args": {"text": "two\nlines"}}]', "two\nlines"),
    ],
)
def test_words_survive_broken_json(text, words):
    """Apostrophes, lone backslashes, inner quotes and line ends in strings."""
    assert only(text).args == {"text": words}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ASR", "automatic-speech-recognition"),
        ("Visual Question Answering", "visual-question-answering"),
        ("visual-quesrion-answering", "visual-question-answering"),
        ("image_clasification", "image-classification"),
        ("object-detecton", "object-detection"),
        ("Object Detection Model", "object-detection"),
        ("pose-text-to-image", "openpose-text-to-image"),
        ("text-to-speach", "text-to-speech"),
    ],
)
def test_task_names_are_read_in_any_spelling(name, meant):
    """Aliases, other capitals, slips of the pen."""
    assert only([task(name)]).task == meant


@pytest.mark.parametrize("name", ["video-to-text", "image-to-smell", "speech-to-image", "make-coffee", "error", ""])
def test_another_task_is_no_misspelling(name):
    """A name near a known one in letters, and far in meaning, is left for the graph check to refuse."""
    assert only([task(name or " ")]).task == name


def test_repeated_ids_are_numbered_anew():
    """The article's own example gives both tasks the id 0."""
    found = read([task("image-to-text", image="a.jpg"), task("object-detection", image="a.jpg")])

    assert [task.id for task in found.plan.tasks] == [0, 1]
    assert "ids that repeat or are none: [0, 0]: numbered anew, in order" in said(found)


def test_a_reference_to_a_repeated_id_means_the_nearest_before():
    """Ids 0, 0, 1: the third reads from the second."""
    found = read(
        [
            task("image-to-text", image="a.jpg"),
            task("optical-character-recognition", image="a.jpg"),
            task("text-to-speech", at=1, dep=[0], text="<resource>-0"),
        ]
    )

    assert found.plan.tasks[2].args == {"text": Ref(task=1)}
    assert found.plan.tasks[2].dep == (1,)


@pytest.mark.parametrize("ids", [("0", "1"), ("task-0", "task-1"), (0.0, 1.0), ("#0", "#1"), (None, None), ("a", "b")])
def test_ids_of_any_sort_are_read(ids):
    """Strings, floats, none at all."""
    found = read(
        [
            {"task": "asr", "id": ids[0], "args": {"audio": "talk.wav"}},
            {"task": "summarization", "id": ids[1], "dep": [ids[0]], "args": {"text": f"<resource>-{ids[0] or 0}"}},
        ]
    )

    assert [task.id for task in found.plan.tasks] == [0, 1]
    if isinstance(ids[0], str):
        assert found.plan.tasks[1].dep == (0,)


@pytest.mark.parametrize(
    ("dep", "read_as"),
    [
        (0, (0,)),
        ("0", (0,)),
        ("[0]", (0,)),
        (["0"], (0,)),
        ("<resource>-0", (0,)),
        ("0, 1", (0, 1)),
        (-1, ()),
        ("-1", ()),
        (None, ()),
        ([], ()),
        ("asr", (0,)),
        ([7], ()),
        ([2], ()),
        ([[0]], ()),
        ({"a": 1}, ()),
        (True, ()),
    ],
)
def test_dependencies_of_any_sort_are_read(dep, read_as):
    """A number, a string, a reference, names; ids that are not there and the task's own are left out."""
    found = read(
        [
            task("asr", at=0, audio="talk.wav"),
            task("ocr", at=1, image="a.jpg"),
            {"task": "tts", "id": 2, "dep": dep, "args": {"text": "x"}},
        ]
    )

    expected = () if dep == "asr" and found.plan.tasks[2].dep == () else read_as
    assert found.plan.tasks[2].dep == expected


@pytest.mark.parametrize(
    "mark",
    [
        "<resource>-0",
        "<GENERATED>-0",
        "<GENERATED-0>",
        "<node-0>",
        "<node-0>.output",
        "<Node_0>",
        "<resource-0>",
        "&lt;resource&gt;-0",
        "<task-0>",
        "<resource>-0.text",
        "<resource> - 0",
        "resource-0",
        "{task-0}",
        "<output of node-0>",
        "[resource]-0",
        "<output-0>",
        "output of asr",
        "{automatic-speech-recognition.output}",
        "<output_of_ASR>",
        "the output from asr",
    ],
)
def test_references_are_read_in_every_way_of_writing(mark):
    """The paper's tag, the released program's, TaskBench's, and those that weak models make of them."""
    found = read([task("asr", audio="talk.wav"), task("summarization", at=1, dep=[0], text=mark)])
    expected = Ref(task=0, pick="text") if mark == "<resource>-0.text" else Ref(task=0)

    assert found.plan.tasks[1].args == {"text": expected}


@pytest.mark.parametrize(
    "words", ["<text>", "<resource>", "a <b>-0 c", "resource 0 is low", "task-0 and more", "<output>-audio"]
)
def test_what_only_looks_like_a_reference_stays_words(words):
    """No id, no reference."""
    found = read([task("asr", audio="talk.wav"), task("summarization", at=1, text=words)])

    assert found.plan.tasks[1].args == {"text": words}


def test_references_with_commas_fill_a_list_or_join_words():
    """A slot for pictures gets a list; a slot for words gets them as they stand."""
    found = read(
        [
            task("image-to-image", at=0, image="a.jpg"),
            task("image-to-text", at=1, image="a.jpg"),
            task("object-detection", at=2, image="<resource>-0,<GENERATED>-1"),
            task("summarization", at=3, text="<resource>-1, <resource>-0"),
            task("sentence-similarity", at=4, text="<resource>-1, <resource>-2"),
        ]
    )

    assert found.plan.tasks[2].args == {"image": [Ref(task=0), Ref(task=1)]}
    assert found.plan.tasks[3].args == {"text": Template(parts=(Ref(task=1), ", ", Ref(task=0)))}
    assert found.plan.tasks[4].args == {"text": [Ref(task=1), Ref(task=2)]}


def test_a_full_stop_after_a_reference_is_no_pick():
    """`<resource>-0.Then` in running words."""
    found = read([task("asr", audio="talk.wav"), task("tts", at=1, text="<resource>-0.Then the end")])

    assert found.plan.tasks[1].args == {"text": Template(parts=(Ref(task=0), ".Then the end"))}


def test_references_that_count_from_one_are_seen_by_their_making_sense():
    """Without ids, `<node-1>` in the second task can only mean the first."""
    found = read(
        [
            {"task": "asr", "args": ["talk.wav"]},
            {"task": "summarization", "args": ["<node-1>"]},
            {"task": "tts", "args": ["<node-2>"]},
        ]
    )

    assert [task.args.get("text") for task in found.plan.tasks] == [None, Ref(task=0), Ref(task=1)]
    assert "references that count the tasks from one: counted them so" in said(found)


def test_a_self_reference_is_left_out_and_said():
    """Task 1 would read what it makes itself."""
    found = read([task("asr", audio="talk.wav"), task("tts", at=1, dep=[1], text="<resource>-1")])

    assert found.plan.tasks[1] == Task(id=1, task="text-to-speech")
    assert "`<resource>-1` refers to itself: left it out" in said(found)


def test_a_lost_reference_inside_words_is_a_fault():
    """The words would be wrong without it."""
    found = read([task("tts", at=1, text="It says: <resource>-7")])

    assert found.faults == ("task 1: no other task has the id in '<resource>-7', inside its words",)


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        ('{"image": "a.jpg", "text": "what?"}', {"image": Given(name="a.jpg"), "text": "what?"}),
        (
            [{"name": "image", "value": "a.jpg"}, {"name": "question", "value": "what?"}],
            {"image": Given(name="a.jpg"), "text": "what?"},
        ),
        (["a.jpg", "what?"], {"image": Given(name="a.jpg"), "text": "what?"}),
        ([{"image": "a.jpg"}, {"text": "what?"}], {"image": Given(name="a.jpg"), "text": "what?"}),
        ({"img": "A.JPG", "query": "what?"}, {"image": Given(name="a.jpg"), "text": "what?"}),
        ({"image": {"path": "/tmp/x/a.jpg"}, "text": 42}, {"image": Given(name="a.jpg"), "text": "42"}),
        ({"image": ["a.jpg"], "text": ["what?"]}, {"image": Given(name="a.jpg"), "text": "what?"}),
        ({"image": "`a.jpg`", "text": True}, {"image": Given(name="a.jpg"), "text": "true"}),
        (
            {"picture": "file:///data/a.jpg", "text": "what?", "audio": None},
            {"image": Given(name="a.jpg"), "text": "what?"},
        ),
    ],
)
def test_arguments_of_any_shape_are_read(args, meant):
    """JSON in a string, lists, pairs, objects, other keys, other types."""
    assert only([{"task": "vqa", "id": 0, "dep": [-1], "args": args}]).args == meant


def test_arguments_beside_the_task_are_read():
    """No `args` at all."""
    assert only([{"task": "ocr", "id": 0, "image": "a.jpg"}]).args == {"image": Given(name="a.jpg")}


@pytest.mark.parametrize("key", ["table", "text", "image", "data"])
def test_a_table_is_read_under_the_papers_keys(key):
    """Table 13 gives `text` or `image` for tabular tasks."""
    assert only([task("tabular-classification", **{key: "wine.csv"})]).args == {"table": Given(name="wine.csv")}


@pytest.mark.parametrize(
    ("name", "args", "meant"),
    [
        ("translation", {"text": "hi", "target_language": "Portuguese"}, {"text": "hi", "target": "pt"}),
        ("translation", {"text": "hi", "target": "pt-BR"}, {"text": "hi", "target": "pt-BR"}),
        (
            "zero-shot-classification",
            {"text": "x", "candidate_labels": "sad, glad or mad"},
            {"text": "x", "labels": ["sad", "glad", "mad"]},
        ),
        ("summarization", {"text": "x", "sentences": "three"}, {"text": "x", "sentences": 3}),
        ("image-to-image", {"image": "a.jpg", "scale": "2x"}, {"image": Given(name="a.jpg"), "scale": 2}),
        ("summarization", {"text": "x", "sentences": "many"}, {"text": "x"}),
        (
            "question-answering",
            {"question": "who?", "passage": "notes.txt"},
            {"text": "who?", "context": Given(name="notes.txt")},
        ),
        ("sentence-similarity", {"text1": "a", "text2": "b"}, {"text": ["a", "b"]}),
        ("sentence-similarity", {"source_sentence": "a", "sentences": ["b", "c"]}, {"text": ["a", "b", "c"]}),
    ],
)
def test_parameters_come_in_the_type_of_their_spec(name, args, meant):
    """Languages as codes, lists from strings, numbers from words; what can't be read is left out and said."""
    assert only([task(name, **args)]).args == meant


def test_a_repeated_key_loses_nothing():
    """JSON itself would keep the last only."""
    found = read('[{"task": "ocr", "id": 0, "dep": [-1], "args": {"image": "a.jpg", "image": "b.jpg"}}]')

    assert found.plan.tasks[0].args == {"image": [Given(name="a.jpg"), Given(name="b.jpg")]}


@pytest.mark.parametrize("start", ["", "Here it is: "])
def test_half_a_letter_that_was_escaped_is_replaced(start):
    """Half of an escaped pair becomes U+FFFD, which a journal can keep; a whole pair stays the letter that it is."""
    reply = start + r'[{"task": "text-to-speech", "id": 0, "dep": [-1], "args": {"text": "a \ud83d b \ud83d\ude00"}}]'

    assert only(reply).args == {"text": "a \ufffd b \U0001f600"}


def test_numbers_that_json_does_not_have_are_none():
    """NaN and infinity never get into a plan."""
    found = read(
        '[{"task": "image-to-image", "id": 0, "dep": [-1], "args": {"image": "a.jpg", "scale": NaN, "text": 1e999}}]'
    )

    assert found.plan.tasks[0].args == {"image": Given(name="a.jpg")}
    assert "`NaN`, which JSON does not have: read it as null" in said(found)


def test_taskbench_plans_are_read_with_their_links():
    """Nodes without ids, links by name in another spelling."""
    found = read(
        {
            "task_nodes": [
                {"task": "Image-to-Text", "arguments": ["a.jpg"]},
                {"task": "Text-to-Speech", "arguments": []},
            ],
            "task_links": [{"source": "Image-to-Text", "target": "Text_to_Speech"}, {"source": "none", "target": "x"}],
        }
    )

    assert found.plan.tasks[1].dep == (0,)


def test_tool_calls_are_read():
    """The shape in which chat models call functions."""
    found = read([{"type": "function", "function": {"name": "ocr", "arguments": '{"image": "a.jpg"}'}}])

    assert found.plan.tasks == (OCR_TASK,)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 28_000,
        "[a] {b} " * 25_000,
        '["' * 60 + '"' * 190_000,
        '{"task": "a" "id": 1} ' * 900,
        "[{'task': 'x' 'it's " * 900,
        json.dumps([task("tts", text="<resource>-1 " * 15_000)]),
        json.dumps([task("strange-thing", at=n) for n in range(MAX_TASKS)]),
    ],
)
def test_hostile_text_is_read_in_seconds(text):
    """Some took minutes before bounds were set; what is told about them is bounded too."""
    found = read(text)

    assert len(found.repairs) <= MAX_REPAIRS + 1
    assert len(found.faults) <= MAX_FAULTS


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["<resource>-0", "<GENERATED>-1, <resource>-0", "a.jpg", "x <node-1> y", "talk.wav", "-1", "pt"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["task", "id", "dep", "args", "text", "image", "tasks", "name", "value", "labels"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
TASKS = st.lists(
    st.fixed_dictionaries(
        {
            "task": st.sampled_from(
                ["asr", "ocr", "tts", "translation", "vqa", "object-detection", "sentence-similarity", "x"]
            )
        },
        optional={"id": JSON, "dep": JSON, "args": JSON},
    ),
    max_size=6,
)


@given(st.text() | JSON.map(lambda value: json.dumps(value)) | TASKS.map(json.dumps) | TASKS.map(repr))
@example('[{"task": "ocr", "id": 1e400}]')
@example('{"task": "\\ud800"}')
@example("1" * 5000)
@example('[{"task": "tts", "args": {"text": "' + "<resource>-1 " * 500)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_reading_never_raises(text):
    """Arbitrary text, arbitrary JSON, and lists of tasks with arbitrary fields; ids come out unique."""
    found = read(text)

    ids = [task.id for task in found.plan.tasks]
    assert len(set(ids)) == len(ids)
    json.dumps(plan_to_json(found.plan), allow_nan=False).encode("utf-8")


@given(TASKS)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_half_a_reply_never_raises(tasks):
    """A stream that broke off at any place."""
    text = json.dumps(tasks)
    for cut in range(0, len(text), max(1, len(text) // 12)):
        read(text[:cut])
