-- As of its requests (0041): an account is expected to have few of all files, also where accounts are few.
ALTER TABLE media ALTER COLUMN account_id SET (n_distinct = 1000);
