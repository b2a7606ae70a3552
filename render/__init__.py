"""Pictures of a race: pure functions of a view."""
