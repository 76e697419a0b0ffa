-- An é is one sign from now on, also where it was written as two: tags that look the same are one. Another encoding knows no forms.
DO $$ BEGIN
  IF current_setting('server_encoding') = 'UTF8' THEN
    INSERT INTO request_tags (account_id, tag, request_id)
    SELECT account_id, normalize(tag, NFC), request_id FROM request_tags WHERE tag IS NOT NFC NORMALIZED
    ON CONFLICT DO NOTHING;
    DELETE FROM request_tags WHERE tag IS NOT NFC NORMALIZED;
  END IF;
END $$;
