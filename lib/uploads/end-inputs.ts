import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Tx } from '#lib/db/client';
import { media, presets, recipeRuns, requests } from '#lib/db/schema';
import { endFiles, LONG_AGO } from '#lib/media/end-files';
import type { MediaRow } from '#lib/media/find-media';
import { MEDIA_DAYS } from '#lib/media/lifetime';
import { storage } from '#lib/storage/store';

/** Ends those of the account's files that are stored inputs and that nothing uses any more. */
export async function endInputs(tx: Tx, accountId: string, mediaIds: string[]): Promise<void> {
  if (!mediaIds.length) return;
  // of concurrent removals of the last two uses, the lock makes the later one see the earlier one
  const inputs = await tx
    .select({ id: media.id, key: media.key })
    .from(media)
    .where(and(inArray(media.id, mediaIds), eq(media.kind, 'input'), gt(media.expiresAt, sql`now()`)))
    .orderBy(media.id)
    .for('no key update');
  const unused: string[] = [];
  for (const input of inputs) if (!(await isUsed(tx, accountId, input))) unused.push(input.id);
  await endFiles(tx, unused, LONG_AGO);
}

/**
 * Whether an input belongs to a request in the history, to a recipe run, which may be retried, or to a preset, or may
 * do so soon: a live request is fetching its files, or the last use, which set the expiry, is recent and of no
 * request.
 */
async function isUsed(tx: Tx, accountId: string, { id, key }: Pick<MediaRow, 'id' | 'key'>): Promise<boolean> {
  const ours = sql`account_id = ${accountId}`;
  const named = sql`${`$.** ? (@ == ${JSON.stringify(storage().url(key))})`}::jsonpath`;
  const files = sql`jsonb_path_query_array(inputs, '$[*].mediaId')`;
  // the planner takes an `exists` to end early in a scan of the history, and each condition to leave 1 % of it, so that
  // the index of media ids is used alone only because of `materialized` and of two conditions that mean the same
  const { rows } = await tx.execute<{ used: boolean }>(sql`
    with owners as materialized (
      select removed_at is null or run_id is not null as stays, finished_at from ${requests}
      where ${ours} and inputs <> '[]' and ${files} ? ${id} and ${files} @> to_jsonb(${id}::text)
    ), runs as materialized (
      select id from ${recipeRuns} where ${ours} and inputs @? ${named}
    )
    select exists (select from owners where stays) or exists (select from runs)
      or exists (select from ${presets} where ${ours} and body @? ${named})
      or exists (select from ${requests} where ${ours} and finished_at is null and not fetched and worker is not null)
      or used_at > now() - interval '15 minutes' and not exists (select from owners where finished_at >= used_at) used
    from ${media}, lateral (select expires_at - make_interval(hours => ${MEDIA_DAYS * 24}) as used_at) last
    where id = ${id}`);
  return rows[0]!.used;
}
