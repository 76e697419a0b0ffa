-- The words of a prompt, for the index that searches the history. Words end at spaces and punctuation, whatever the language and
-- the locale of the database; scripts that put no spaces between words are taken character by character. What is too long for a
-- word, or for the index, counts by its beginning.
CREATE FUNCTION prompt_words(prompt text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY(
    SELECT left(word, 64) FROM regexp_split_to_table(
      regexp_replace(lower(left(prompt, 200000)), '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3040-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF])', ' \1 ', 'g'),
      '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u303F\uFF00-\uFF0F]+') word
    WHERE word <> ''))
$$;
--> statement-breakpoint
-- Every word that these begin. Null when there is none in them.
CREATE FUNCTION words_beginning(beginnings text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg('''' || beginning || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(prompt_words(beginnings))) beginning
$$;
