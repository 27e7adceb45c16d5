"""What the scheduler costs: CPU a task, and wall time over the critical path. Prints two tables in Markdown."""

from __future__ import annotations

import asyncio
import random
from time import perf_counter, process_time

from dragoman.execution.scheduler import Scheduler
from dragoman.values import Done, Outcome, Task

Graph = dict[int, tuple[tuple[int, ...], float]]


def chain(count: int, seconds: float) -> Graph:
    return {n: ((n - 1,) if n else (), seconds) for n in range(count)}


def fan(count: int, seconds: float) -> Graph:
    graph: Graph = dict.fromkeys(range(count), ((), seconds))
    graph[count] = (tuple(range(count)), 0.0)
    return graph


def layered(layers: int, width: int, *, seconds: tuple[float, float], seed: int = 7) -> Graph:
    draw = random.Random(seed)
    graph: Graph = {}
    for layer in range(layers):
        for place in range(width):
            above = range((layer - 1) * width, layer * width)
            needs = tuple(draw.sample(above, draw.randint(1, 3))) if layer else ()
            graph[layer * width + place] = (needs, draw.uniform(*seconds))
    return graph


def skewed() -> Graph:
    """One task of 1 s beside a chain of four times 0.25 s."""
    return {0: ((), 1.0), 1: ((), 0.25), 2: ((1,), 0.25), 3: ((2,), 0.25), 4: ((3,), 0.25), 5: ((0, 4), 0.0)}


def critical_path_s(graph: Graph) -> float:
    ends: dict[int, float] = {}
    for number in sorted(graph):
        needs, seconds = graph[number]
        ends[number] = max((ends[need] for need in needs), default=0.0) + seconds
    return max(ends.values())


async def run(graph: Graph) -> None:
    async def serve(task: Task) -> Outcome:
        if seconds := graph[task.id][1]:
            await asyncio.sleep(seconds)
        return Done(task=task.id, model="m", backend="b", outputs=())

    scheduler = Scheduler(serve)
    scheduler.add(Task(id=number, task="t", dep=needs) for number, (needs, _) in graph.items())
    outcomes = await scheduler.run()
    assert len(outcomes) == len(graph)


def best(graph: Graph, *, repeats: int) -> tuple[float, float]:
    """The least CPU and wall seconds of some runs."""
    cpu, wall = [], []
    for _ in range(repeats):
        start_cpu, start = process_time(), perf_counter()
        asyncio.run(run(graph))
        cpu.append(process_time() - start_cpu)
        wall.append(perf_counter() - start)
    return min(cpu), min(wall)


def main() -> None:
    print("| no-op graph | tasks | CPU µs a task |\n| --- | ---: | ---: |")
    for name, graph in (
        ("chain", chain(1000, 0)),
        ("fan-out and join", fan(1000, 0)),
        ("layered", layered(50, 200, seconds=(0, 0))),
    ):
        cpu, _ = best(graph, repeats=5)
        print(f"| {name} | {len(graph):,} | {cpu / len(graph) * 1e6:.1f} |")
    print("\n| sleeping graph | critical path s | wall / critical path |\n| --- | ---: | ---: |")
    for name, graph in (
        ("chain, 40 × 50 ms", chain(40, 0.05)),
        ("fan-out, 100 × 100 ms", fan(100, 0.1)),
        ("layered, 10 × 20, 10–200 ms", layered(10, 20, seconds=(0.01, 0.2))),
        ("skewed, 1 s beside 4 × 0.25 s", skewed()),
    ):
        _, wall = best(graph, repeats=3)
        path = critical_path_s(graph)
        print(f"| {name} | {path:.2f} | {wall / path:.3f} |")


if __name__ == "__main__":
    main()
