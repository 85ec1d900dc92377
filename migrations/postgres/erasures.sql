-- The list of erasures: a schema of its own, in this database or in another one, so that a restore of the journal does not take it back. `@` is
-- replaced by its name. It is created once and can serve several journals.

-- Deleted sessions and forgotten histories.
CREATE TABLE IF NOT EXISTS @erasures (
  journal bytea,                       -- tells the journals apart: SHA-256 of a key of theirs
  number bigint,                       -- counts without a sequence, which a restore of a dump would set back
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  session bigint NOT NULL,             -- the session's number in the journal
  id bytea NOT NULL,                   -- the first half of SHA-256 of the session's id, which does not reveal the id
  revision bigint,                     -- the first revision that was left of the history; NULL: the session was deleted
  is_committed boolean NOT NULL DEFAULT false,  -- false: the commit has not ended, or it is not known how
  PRIMARY KEY (journal, number)
);

-- The newest state of each journal that is known to have been there. A journal that is behind it has lost something.
CREATE TABLE IF NOT EXISTS @marks (
  journal bytea PRIMARY KEY,
  number bigint NOT NULL,              -- counts the marks
  token bytea NOT NULL,                -- a random value, which the journal has, too
  listed bigint NOT NULL               -- the last erasure that was found to be done in the journal, as all before it
);
