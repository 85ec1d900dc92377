-- The forms of differences and states are those of format 3, in which a place is an object. Schemas with sessions of an earlier format are refused before
-- this migration.
COMMENT ON COLUMN @snapshots.format IS 'of states; places are objects since 3';
