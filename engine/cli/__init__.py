"""The command line: everything a race can do without Discord."""
