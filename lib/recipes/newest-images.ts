import { pool } from '#lib/db/client';
import type { StoredResult } from '#lib/db/schema';
import { toRenditions } from '#lib/generations/to-wire';

/** Returns the preview of the first result of the account's newest run of each recipe, by recipe id. */
export async function newestImages(accountId: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ recipe: string; result: StoredResult }>({
    name: 'newest_images_of_recipes',
    text: `
      select distinct on (runs.recipe) runs.recipe, r.result
      from (select * from recipe_runs where account_id = $1 and status = 'completed' order by id desc limit 50) runs
      join requests r on r.run_id = runs.id
      cross join lateral jsonb_array_elements_text(runs.results) with ordinality as of_step (id, place)
      where r.status = 'completed' and r.type <> 'audio' and r.removed_at is null
        and (r.kept or (r.result ->> 'expiresAt')::timestamptz > now())
        and runs.steps -> (r.run_part ->> 'step')::int ->> 'id' = of_step.id
      order by runs.recipe, runs.id desc, of_step.place, r.id`,
    values: [accountId],
  });
  return new Map(
    rows.flatMap(({ recipe, result }) => {
      const { preview_url } = toRenditions(result);
      return preview_url ? [[recipe, preview_url] as const] : [];
    }),
  );
}
