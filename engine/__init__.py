"""The rules of every game, as pure functions of immutable values."""
