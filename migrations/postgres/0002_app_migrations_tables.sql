-- A session may go on with another definition, so each state names its own. NULL in a state that was stored before: then it is the one of the
-- session's first entry.
ALTER TABLE @snapshots ADD COLUMN definition text COLLATE "C";

-- Documents that say how sessions move from one definition of an app to another.
CREATE TABLE @app_migrations (
  app text COLLATE "C",
  old text COLLATE "C",                -- the hashes of the definitions
  new text COLLATE "C",
  document text NOT NULL,              -- canonical JSON
  since bigint NOT NULL,
  author text,                         -- the operator who put it
  PRIMARY KEY (app, old, new)
);

-- The newest rollout of each app.
CREATE TABLE @rollouts (
  app text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,             -- counts the changes, so that of two changes at the same time one is made
  content text NOT NULL                -- JSON
);
