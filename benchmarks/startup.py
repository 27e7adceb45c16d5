"""What it costs to start: CPU of `dragoman --help`, of `import dragoman`, and what they import. Prints Markdown.

Each call is a process of its own; the figure is the least of some, beside that of a Python that does nothing.
"""

from __future__ import annotations

import resource
import subprocess
import sys

REPEATS = 12
HEAVY = ("torch", "onnxruntime", "httpx", "rich", "numpy", "PIL", "cv2", "av", "spacy", "msgspec")
CALLS = {
    "`python -c pass`": "pass",
    "`import dragoman`": "import dragoman",
    "`from dragoman import Dragoman`": "from dragoman import Dragoman",
    "`dragoman --help`": "from dragoman.cli.main import main; main(['--help'])",
    "`dragoman --version`": "from dragoman.cli.main import main; main(['--version'])",
    "`dragoman ask --help`": "from dragoman.cli.main import main; main(['ask', '--help'])",
}


def cpu_ms(program: str) -> float:
    """User and system time of one process, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def imported(program: str) -> list[str]:
    """Which of the heavy libraries the program has loaded at its end."""
    code = f"{program}\nimport sys; sys.stderr.write(' '.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return [name for name in HEAVY if name in ran.stderr.split()]


def main() -> None:
    rounds = [{name: cpu_ms(program) for name, program in CALLS.items()} for _ in range(REPEATS)]
    least = {name: min(found[name] for found in rounds) for name in CALLS}
    idle_ms = least["`python -c pass`"]
    print("| call | CPU ms | of an idle Python | heavy libraries imported |\n| --- | ---: | ---: | --- |")
    for name, program in CALLS.items():
        heavy = ", ".join(imported(program)) or "none"
        print(f"| {name} | {least[name]:.0f} | {least[name] / idle_ms:.1f} × | {heavy} |")


if __name__ == "__main__":
    main()
