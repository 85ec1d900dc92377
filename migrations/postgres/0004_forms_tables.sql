-- The forms of causes, differences and states are those of format 2, in which an enum's case has no member `_0`. Schemas with sessions of format 1
-- are refused.
COMMENT ON COLUMN @snapshots.format IS 'of states';

-- The documents about apps: editions, migrations and rollouts.
CREATE TABLE @documents (
  kind text COLLATE "C",               -- edition, migration or rollout
  app text COLLATE "C",
  name text COLLATE "C",               -- of an edition its number with 12 digits, of a migration the hashes of its definitions, of a rollout nothing
  version bigint NOT NULL,             -- counts the changes, so that of two changes at the same time one is made
  body text NOT NULL,                  -- JSON
  "check" bigint NOT NULL,             -- a keyed hash of the other columns
  PRIMARY KEY (kind, app, name)
);

DROP TABLE @editions;
DROP TABLE @app_migrations;
DROP TABLE @rollouts;
DELETE FROM @settings WHERE name IN ('rows of app_migrations', 'rows of rollouts');
