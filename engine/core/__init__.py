"""What all games share: values, dice, the race record, tracks, the registry."""
