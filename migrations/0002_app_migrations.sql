-- Documents that say how sessions move from one definition of an app to another.
CREATE TABLE app_migrations (
  app TEXT NOT NULL,
  old TEXT NOT NULL REFERENCES definitions (hash),
  new TEXT NOT NULL REFERENCES definitions (hash),
  document TEXT NOT NULL,              -- canonical JSON
  since INTEGER NOT NULL,
  author TEXT,                         -- the operator who put it
  "check" INTEGER NOT NULL,
  PRIMARY KEY (app, old, new)
) STRICT, WITHOUT ROWID;

-- The newest rollout of each app.
CREATE TABLE rollouts (
  app TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,            -- counts the changes
  content TEXT NOT NULL,               -- JSON
  "check" INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
