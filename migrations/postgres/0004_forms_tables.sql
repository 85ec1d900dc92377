-- The forms of causes, differences and states are those of format 2, in which an enum's case has no member `_0`. Schemas with sessions of format 1
-- are refused.
COMMENT ON COLUMN @snapshots.format IS 'of states';
