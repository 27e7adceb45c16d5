"""Prompts are filled strictly, and values stay what they are."""

from pathlib import Path

import pytest

from dragoman.minds.prompt import Prompt, load_prompt


def test_a_value_is_never_rendered_again():
    """A file name that looks like a slot, a backslash, quotes and line ends."""
    prompt = Prompt("Files: {{files}}. Words: {{ words }}.")

    assert prompt.render(files="{{words}}", words='a\\1 "b"\n') == 'Files: {{words}}. Words: a\\1 "b"\n.'


@pytest.mark.parametrize("values", [{}, {"files": "a", "other": "b"}, {"other": "b"}])
def test_a_slot_too_few_or_too_many_is_an_error(values):
    """Both are named."""
    with pytest.raises(ValueError, match=r"no value for .*no slot for"):
        Prompt("{{files}} {{words}}").render(**values)


def test_json_in_a_prompt_is_no_slot():
    """Braces of examples stay."""
    assert Prompt('{"a": {"b": 1}} {{x}}').render(x="1") == '{"a": {"b": 1}} 1'


def test_the_hash_follows_the_words(tmp_path: Path):
    """One letter more, another hash; the same file, the same."""
    (tmp_path / "p.md").write_text("Plan: {{tasks}}\n", "utf-8")
    prompt = load_prompt(tmp_path / "p.md")

    assert prompt.hash == Prompt("Plan: {{tasks}}").hash
    assert prompt.hash != Prompt("Plan: {{tasks}}!").hash
    assert prompt.slots == {"tasks"}
