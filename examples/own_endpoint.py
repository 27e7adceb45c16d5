"""Let a language model behind an endpoint of yours plan, choose and write; the experts stay on this machine.

    python examples/own_endpoint.py http://localhost:8080/v1 my-model "What does this sign say?" sign.png

Anything that speaks OpenAI's chat completions will do (vLLM, llama.cpp, Ollama, LocalAI, …). A key is taken from
OPENAI_API_KEY where the endpoint wants one.
"""

import sys

from dragoman import DragomanSync
from dragoman.config import Settings


def main(base_url: str, model: str, words: str, *files: str) -> None:
    """Print the answer and what the language model cost."""
    settings = Settings.from_env(base_url=base_url, mind=model)
    with DragomanSync(settings=settings) as dragoman:
        report = dragoman.ask(words, files=files)
    print(report if report.fault is None else f"{report.fault.says}\n{report.fault.helps}")
    usage = report.usage
    print(f"{usage.llm_calls} calls of {model}, {usage.tokens_in} tokens in, {usage.tokens_out} out")


if __name__ == "__main__":
    main(*sys.argv[1:])
