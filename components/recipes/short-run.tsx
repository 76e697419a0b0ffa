'use client';

import { useQueries } from '@tanstack/react-query';
import { axesFor } from '#components/matrix/axes';
import type { Config } from '#components/studio/config';
import { ShortOfGems } from '#components/studio/short-of-gems';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Options when the balance is insufficient for a run: one changed input, priced by the server, or more gems. */
export function ShortRun({
  recipe,
  entry,
  config,
  balance,
  setField,
}: {
  recipe: string;
  /** The recipe in the shape that the form reads. */
  entry: CatalogEntry;
  config: Config;
  balance: number;
  setField: (name: string, value: unknown) => void;
}) {
  const settled = useSettled(config, PRICE_PAUSE_MS);
  const changes = axesFor(entry, [], settled, 0).flatMap(({ field, title, values }) =>
    values
      .filter(({ value }) => value !== settled[field])
      .map(({ label, value }) => ({ field, name: `${title} ${label}`, value })),
  );
  const answers = useQueries({
    queries: changes.map(({ field, value }) =>
      runEstimateQuery(recipe, JSON.stringify({ ...settled, [field]: value })),
    ),
  });
  // the best change is unknown until all estimates have arrived
  const isKnown = settled === config && answers.every(({ isPending }) => !isPending);
  const [best] = changes
    .map((change, at) => ({ ...change, gems: answers[at]?.data?.gems ?? Infinity }))
    .filter(({ gems }) => gems <= balance)
    .toSorted((a, b) => b.gems - a.gems);
  return (
    <ShortOfGems affordable={isKnown && best ? { ...best, take: () => setField(best.field, best.value) } : undefined} />
  );
}
