-- In a transaction of its own: the one before has to stop whoever writes `requests` for a moment, and this one works for a while beside them.
INSERT INTO request_mentions (account_id, handle, request_id)
SELECT account_id, mention ->> 'handle', id FROM requests, jsonb_array_elements(mentions) mention WHERE mentions <> '[]'
ON CONFLICT DO NOTHING;
