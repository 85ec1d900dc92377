-- Sessions are looked for among a million by app, label, definition and age: each list reads on in one of these, in order of creation.
CREATE INDEX sessions_by_creation ON sessions (created_at);
CREATE INDEX sessions_by_app ON sessions (app, created_at);
CREATE INDEX sessions_by_definition ON sessions (definition, created_at);
CREATE INDEX sessions_by_label ON sessions (label, created_at) WHERE label IS NOT NULL;

-- 1: its clock is moved by hand, so that the time of its newest entry does not tell when it was used.
ALTER TABLE sessions ADD COLUMN manual INTEGER NOT NULL DEFAULT 0;
