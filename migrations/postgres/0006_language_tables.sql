-- The definitions are in the words of `language: 1`. Schemas with definitions of before are refused before this migration.
COMMENT ON TABLE @documents IS 'editions, migrations and rollouts; definitions in the words of language 1';
