"""`circuit`: check a circuit code, or make a random one, and print what it is like."""

from __future__ import annotations

import os
from argparse import Namespace
from collections import Counter

from engine.cli.table import print_line
from engine.gt.circuit import Circuit, load_circuit
from engine.gt.code import CodeError
from engine.gt.generate import random_circuit


def circuit(arguments: Namespace) -> int:
    """Validate, then print facts."""
    text = arguments.code
    if text == "random":
        seed = arguments.seed if arguments.seed is not None else int.from_bytes(os.urandom(4), "big")
        text = random_circuit(seed, arguments.tiles, arguments.stock)
    try:
        found = load_circuit(text, stock=arguments.stock, reverse=arguments.reverse)
    except CodeError as error:
        for fault in error.faults:
            print_line(f"{fault.name}: {fault.reason}")
        raise
    for line in facts(found):
        print_line(line)
    return 0


def facts(found: Circuit) -> list[str]:
    """What a circuit is like, line by line."""
    spaces = found.spaces.values()
    limits = Counter(space.limit for space in spaces if space.limit)
    levels = Counter(tile.level for tile in found.tiles)
    pole = found.grid[0]
    return [
        f"{found.id} {found.name}".strip() or "(no name)",
        f"code    {found.code}",
        f"tiles   {len(found.tiles)}: " + ", ".join(f"{count} {level}" for level, count in levels.items()),
        f"rows    {found.length // 2}, spaces {len(found.spaces)}",
        f"pole    {pole} ({found.spaces[pole].edge}), grid {' '.join(found.grid)}",
        "limits  " + (", ".join(f"{count} spaces at {limit}" for limit, count in sorted(limits.items())) or "none"),
        f"hash    {found.hash}",
        "map     " + " ".join(f"({tile.q},{tile.r})" for tile in found.tiles),
    ]
