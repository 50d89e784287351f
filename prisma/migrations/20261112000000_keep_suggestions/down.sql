DROP FUNCTION "keepSuggestions"(uuid, jsonb, timestamptz);
