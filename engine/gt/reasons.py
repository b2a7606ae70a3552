"""What the rules say when they say no, in one short English sentence per code.

Whoever speaks another language translates the codes himself; this table serves the notation, the command line and
messages for authors.
"""

from __future__ import annotations

from engine.core.errors import Rejected
from engine.gt.material import Gear, gear_name

REASONS: dict[str, str] = {
    # --- before the race
    "setup/seats": "a race has {least} to {most} drivers, not {seats}",
    "setup/host": "the host must be one of the drivers",
    "setup/colour": "there is no colour {colour}",
    "setup/colour_taken": "two drivers cannot both have the colour {colour}",
    "setup/class": "there is no class {car}",
    "setup/grid_order": "the order of the grid must name every driver exactly once",
    "tyres/already_chosen": "you have chosen your tyres already",
    "tyres/not_in_play": "{tyres} tyres are not in play",
    "grid/not_free": "{space} is not a free place on the grid",
    # --- who and when
    "seat/unknown": "there is no such driver in this race",
    "race/stage": "not now: {stage}",
    "race/stop": "only the host can stop the race, between turns, after a car has finished",
    "turn/not_yours": "it is not your turn",
    "turn/phase": "not now: {phase}",
    "retire/not_now": "you can only retire while you are racing, between turns",
    # --- planning
    "plan/ended": "nothing can follow: the plan ends at the finish, or with the step that loses control",
    "plan/not_adjacent": "no step leads to {space}",
    "plan/direction": "no space lies {direction} of straight on",
    "plan/occupied": "another car stands on {space}",
    "plan/blocked": "other cars leave no way on from here",
    "plan/no_dice": "no die is left that could make another step",
    "plan/yellow_flag": "under a yellow flag {space} may not be entered beside another car",
    "plan/overtaking": "a car beside {space} is in a higher gear than you can reach",
    "plan/certain_loss": "control would certainly be lost on {space}, and this race does not allow that on purpose",
    "plan/unconfirmed": "{dice} on {space} is a certain loss of control; add ! to drive anyway",
    "plan/not_possible": "no dice can make the step to {space}",
    "plan/dice": "{dice} cannot be laid on {space}",
    "plan/nothing_laid": "there is nothing to take back",
    "plan/empty": "a plan needs at least one step",
    # --- rolling and driving
    "mode/already_rolling": "after the first roll the rest of the turn is driven one by one",
    "roll/first_step": "the first step must be made",
    "secure/pointless": "the step is too fast for the limit: no focus can save it",
    "secure/focus": "securing costs {cost} focus, you have {focus}",
    "replan/off": "in this race a plan stands once the dice roll",
    "relay/not_possible": "these dice cannot be laid out so that control is lost there",
    # --- pits
    "pit/lane": "the lane for {lane} is closed to you now",
    "pit/tyres": "{tyres} tyres cannot be fitted here",
    "pit/tyres_later": "in this race the new tyres are chosen when the car leaves the pits",
    # --- taking back, and the clock
    "undo/nothing": "there is nothing to take back",
    "undo/revealed": "what the dice or the bag have shown cannot be taken back",
    "undo/other_seat": "somebody else has acted since: that cannot be taken back",
    "clock/nothing_owed": "nobody waits for that driver now",
}

STAGES: dict[str, str] = {
    "tyres": "the drivers choose their tyres",
    "grid": "the drivers choose their places on the grid",
    "race": "the race has begun",
    "over": "the race is over",
}

PHASES: dict[str, str] = {
    "space": "the plan waits for its next step",
    "dice": "the space chosen waits for its dice",
    "confirm": "the last step is a certain loss of control: ! or back",
    "mode": "the plan is done: one or flat (or back)",
    "roll": "the next step waits: roll, secure or stop",
    "relay": "choose where control is lost: lose and the space",
    "relay_gear": "choose the gear in which control is lost: lose and the gear",
    "side": "choose the side of the road: left or right",
    "pit": "pit stop or stay",
    "pit_tyres": "choose the tyres to fit: tyres and their kind",
}

_DIRECTIONS = {"<": "left", ">": "right"}


def explain(rejected: Rejected) -> str:
    """The sentence for a rejection; a code without one speaks for itself."""
    sentence = REASONS.get(rejected.code)
    if sentence is None:
        return str(rejected)
    words = {key: _word(key, value) for key, value in rejected.params.items()}
    return sentence.format_map(_Spoken(words))


class _Spoken(dict[str, str]):
    """A parameter that was not given is left out of the sentence rather than spoiling it."""

    def __missing__(self, key: str) -> str:
        return f"that {key}"


def _word(key: str, value: object) -> str:
    match key, value:
        case "phase", str():
            return PHASES.get(value, value)
        case "stage", str():
            return STAGES.get(value, value)
        case "direction", str():
            return _DIRECTIONS.get(value, value)
        case "gear", int():
            return gear_name(Gear(value))
        case _:
            return str(value)
