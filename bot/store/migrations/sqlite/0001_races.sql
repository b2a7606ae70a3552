-- The first schema. Times are milliseconds since 1970 (UTC); longer values are JSON texts.

CREATE TABLE guilds (
  id INTEGER PRIMARY KEY,
  locale TEXT NOT NULL,
  zone TEXT NOT NULL,
  settings TEXT NOT NULL
) STRICT;

CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  locale TEXT NOT NULL,
  zone TEXT NOT NULL,
  quiet_from INTEGER,
  quiet_to INTEGER
) STRICT;

CREATE TABLE races (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'racing', 'paused', 'held', 'finished', 'cancelled')),
  host INTEGER NOT NULL,
  track TEXT NOT NULL,
  options TEXT NOT NULL,
  clock TEXT NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  version INTEGER NOT NULL,
  number INTEGER NOT NULL,
  header TEXT NOT NULL,
  seed BLOB,
  guild INTEGER,
  channel INTEGER,
  message INTEGER,
  reason TEXT NOT NULL,
  interaction INTEGER UNIQUE
) STRICT;
CREATE INDEX races_by_status ON races (status);
CREATE INDEX races_by_channel ON races (channel, status);
CREATE INDEX races_by_change ON races (changed);

CREATE TABLE seats (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  name TEXT NOT NULL,
  player INTEGER,
  driver TEXT NOT NULL,
  stand_in TEXT NOT NULL,
  colour TEXT NOT NULL,
  car TEXT NOT NULL,
  misses INTEGER NOT NULL,
  resigned INTEGER NOT NULL,
  PRIMARY KEY (race, seat)
) STRICT;
CREATE INDEX seats_by_player ON seats (player);

CREATE TABLE entries (
  race TEXT NOT NULL REFERENCES races (id),
  number INTEGER NOT NULL CHECK (number > 0),
  actor TEXT NOT NULL CHECK (actor IN ('driver', 'order', 'ai', 'clock', 'steward')),
  cause TEXT NOT NULL,
  at INTEGER NOT NULL,
  events TEXT NOT NULL,
  action TEXT,
  undo_to INTEGER,
  seat INTEGER,
  player INTEGER,
  interaction INTEGER,
  PRIMARY KEY (race, number),
  CHECK ((action IS NULL) <> (undo_to IS NULL))
) STRICT;
-- An interaction is applied at most once, whatever Discord delivers.
CREATE UNIQUE INDEX entries_by_interaction ON entries (interaction) WHERE interaction IS NOT NULL;

CREATE TABLE snapshots (
  race TEXT PRIMARY KEY REFERENCES races (id),
  number INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE drafts (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  number INTEGER NOT NULL,
  actions TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (race, seat)
) STRICT;

CREATE TABLE orders (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actions TEXT NOT NULL,
  PRIMARY KEY (race, seat, kind)
) STRICT;

CREATE TABLE deadlines (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('driver', 'ai')),
  clock TEXT NOT NULL,
  since INTEGER NOT NULL,
  due INTEGER NOT NULL,
  wakes INTEGER,
  allowed INTEGER NOT NULL,
  remaining INTEGER,
  PRIMARY KEY (race, seat)
) STRICT;
CREATE INDEX deadlines_by_wake ON deadlines (wakes);

CREATE TABLE votes (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  voter INTEGER NOT NULL,
  PRIMARY KEY (race, seat, voter)
) STRICT;

CREATE TABLE announced (
  race TEXT PRIMARY KEY REFERENCES races (id),
  number INTEGER NOT NULL
) STRICT;

CREATE TABLE results (
  race TEXT NOT NULL REFERENCES races (id),
  seat INTEGER NOT NULL,
  game TEXT NOT NULL,
  track TEXT NOT NULL,
  driver TEXT NOT NULL,
  place INTEGER NOT NULL,
  status TEXT NOT NULL,
  score INTEGER NOT NULL,
  way TEXT NOT NULL,
  at INTEGER NOT NULL,
  player INTEGER,
  guild INTEGER,
  PRIMARY KEY (race, seat)
) STRICT;
CREATE INDEX results_by_player ON results (player, game);
CREATE INDEX results_by_track ON results (game, track, score);

CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  track TEXT NOT NULL,
  options TEXT NOT NULL,
  opens INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  seed BLOB NOT NULL,
  title TEXT NOT NULL,
  par INTEGER
) STRICT;

CREATE TABLE challenge_runs (
  race TEXT PRIMARY KEY REFERENCES races (id),
  challenge TEXT NOT NULL REFERENCES challenges (id),
  player INTEGER NOT NULL,
  started INTEGER NOT NULL,
  score INTEGER,
  guild INTEGER
) STRICT;
CREATE INDEX runs_by_challenge ON challenge_runs (challenge, score);

CREATE TABLE ratings (
  player INTEGER NOT NULL,
  game TEXT NOT NULL,
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  races INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  PRIMARY KEY (player, game)
) STRICT;

CREATE TABLE circuits (
  game TEXT NOT NULL,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  player INTEGER NOT NULL,
  created INTEGER NOT NULL,
  guild INTEGER,
  PRIMARY KEY (game, name)
) STRICT;

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  cause TEXT NOT NULL,
  race TEXT,
  seat INTEGER,
  player INTEGER,
  guild INTEGER,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_race ON audit (race, at);

CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

-- A move written through this view is checked and counted by the database itself, so that the usual move (one entry,
-- nothing else) is one statement: a single trip to the writer's thread.
CREATE VIEW moves AS SELECT 0 AS version, * FROM entries;
CREATE TRIGGER move_written INSTEAD OF INSERT ON moves
BEGIN
  UPDATE races SET version = version + 1, number = NEW.number, changed = NEW.at
    WHERE id = NEW.race AND version = NEW.version AND number = NEW.number - 1;
  SELECT RAISE(ABORT, 'conflict') WHERE changes() = 0;
  INSERT INTO entries (race, number, actor, cause, at, events, action, undo_to, seat, player, interaction)
    VALUES (NEW.race, NEW.number, NEW.actor, NEW.cause, NEW.at, NEW.events, NEW.action, NEW.undo_to, NEW.seat,
            NEW.player, NEW.interaction);
END;
