-- The first schema. Times are milliseconds since 1970 (UTC); longer values are JSON texts.

CREATE TABLE guilds (
  id BIGINT PRIMARY KEY,
  locale TEXT NOT NULL,
  zone TEXT NOT NULL,
  settings TEXT NOT NULL
);

CREATE TABLE people (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  locale TEXT NOT NULL,
  zone TEXT NOT NULL,
  quiet_from BIGINT,
  quiet_to BIGINT
);

CREATE TABLE races (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'racing', 'paused', 'held', 'finished', 'cancelled')),
  host BIGINT NOT NULL,
  track TEXT NOT NULL,
  options TEXT NOT NULL,
  clock TEXT NOT NULL,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  version BIGINT NOT NULL,
  number BIGINT NOT NULL,
  header TEXT NOT NULL,
  seed BYTEA,
  guild BIGINT,
  channel BIGINT,
  message BIGINT,
  reason TEXT NOT NULL,
  interaction BIGINT UNIQUE
);
CREATE INDEX races_by_status ON races (status);
CREATE INDEX races_by_channel ON races (channel, status);
CREATE INDEX races_by_change ON races (changed);

CREATE TABLE seats (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  name TEXT NOT NULL,
  player BIGINT,
  driver TEXT NOT NULL,
  stand_in TEXT NOT NULL,
  colour TEXT NOT NULL,
  car TEXT NOT NULL,
  misses BIGINT NOT NULL,
  resigned BIGINT NOT NULL,
  PRIMARY KEY (race, seat)
);
CREATE INDEX seats_by_player ON seats (player);

CREATE TABLE entries (
  race TEXT NOT NULL REFERENCES races (id),
  number BIGINT NOT NULL CHECK (number > 0),
  actor TEXT NOT NULL CHECK (actor IN ('driver', 'order', 'ai', 'clock', 'steward')),
  cause TEXT NOT NULL,
  at BIGINT NOT NULL,
  events TEXT NOT NULL,
  action TEXT,
  undo_to BIGINT,
  seat BIGINT,
  player BIGINT,
  interaction BIGINT,
  PRIMARY KEY (race, number),
  CHECK ((action IS NULL) <> (undo_to IS NULL))
);
-- An interaction is applied at most once, whatever Discord delivers.
CREATE UNIQUE INDEX entries_by_interaction ON entries (interaction) WHERE interaction IS NOT NULL;

CREATE TABLE snapshots (
  race TEXT PRIMARY KEY REFERENCES races (id),
  number BIGINT NOT NULL,
  body BYTEA NOT NULL
);

CREATE TABLE drafts (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  number BIGINT NOT NULL,
  actions TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (race, seat)
);

CREATE TABLE orders (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  kind TEXT NOT NULL,
  actions TEXT NOT NULL,
  PRIMARY KEY (race, seat, kind)
);

CREATE TABLE deadlines (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('driver', 'ai')),
  clock TEXT NOT NULL,
  since BIGINT NOT NULL,
  due BIGINT NOT NULL,
  wakes BIGINT,
  allowed BIGINT NOT NULL,
  remaining BIGINT,
  PRIMARY KEY (race, seat)
);
CREATE INDEX deadlines_by_wake ON deadlines (wakes);

CREATE TABLE votes (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  voter BIGINT NOT NULL,
  PRIMARY KEY (race, seat, voter)
);

CREATE TABLE announced (
  race TEXT PRIMARY KEY REFERENCES races (id),
  number BIGINT NOT NULL
);

CREATE TABLE results (
  race TEXT NOT NULL REFERENCES races (id),
  seat BIGINT NOT NULL,
  game TEXT NOT NULL,
  track TEXT NOT NULL,
  driver TEXT NOT NULL,
  place BIGINT NOT NULL,
  status TEXT NOT NULL,
  score BIGINT NOT NULL,
  way TEXT NOT NULL,
  at BIGINT NOT NULL,
  player BIGINT,
  guild BIGINT,
  PRIMARY KEY (race, seat)
);
CREATE INDEX results_by_player ON results (player, game);
CREATE INDEX results_by_track ON results (game, track, score);

CREATE TABLE challenges (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  track TEXT NOT NULL,
  options TEXT NOT NULL,
  opens BIGINT NOT NULL,
  closes BIGINT NOT NULL,
  seed BYTEA NOT NULL,
  title TEXT NOT NULL,
  par BIGINT
);

CREATE TABLE challenge_runs (
  race TEXT PRIMARY KEY REFERENCES races (id),
  challenge TEXT NOT NULL REFERENCES challenges (id),
  player BIGINT NOT NULL,
  started BIGINT NOT NULL,
  score BIGINT,
  guild BIGINT
);
CREATE INDEX runs_by_challenge ON challenge_runs (challenge, score);

CREATE TABLE ratings (
  player BIGINT NOT NULL,
  game TEXT NOT NULL,
  mu DOUBLE PRECISION NOT NULL,
  sigma DOUBLE PRECISION NOT NULL,
  races BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  PRIMARY KEY (player, game)
);

CREATE TABLE circuits (
  game TEXT NOT NULL,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  player BIGINT NOT NULL,
  created BIGINT NOT NULL,
  guild BIGINT,
  PRIMARY KEY (game, name)
);

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  action TEXT NOT NULL,
  cause TEXT NOT NULL,
  race TEXT,
  seat BIGINT,
  player BIGINT,
  guild BIGINT,
  details TEXT NOT NULL
);
CREATE INDEX audit_by_race ON audit (race, at);

CREATE TABLE marks (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);
