"""GT Circuit: circuit racing on hexagonal tiles, a die per gear."""
