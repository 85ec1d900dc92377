-- The forms of causes, differences and states are those of format 2, in which an enum's case has no member `_0`. Databases with entries of format 1
-- are refused.

-- The documents about apps: editions, migrations and rollouts.
CREATE TABLE documents (
  kind TEXT NOT NULL,                  -- edition, migration or rollout
  app TEXT NOT NULL,
  name TEXT NOT NULL,                  -- of an edition its number with 12 digits, of a migration the hashes of its definitions, of a rollout nothing
  version INTEGER NOT NULL,            -- counts the changes, so that of two changes at the same time one is made
  body TEXT NOT NULL,                  -- JSON
  "check" INTEGER NOT NULL,
  PRIMARY KEY (kind, app, name)
) STRICT, WITHOUT ROWID;

DROP TABLE editions;
DROP TABLE app_migrations;
DROP TABLE rollouts;
DELETE FROM marks WHERE name IN ('migrations', 'rollouts');
