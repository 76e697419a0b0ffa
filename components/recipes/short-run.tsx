'use client';

import { useQueries } from '@tanstack/react-query';
import { axesFor } from '#components/matrix/axes';
import type { Config } from '#components/studio/config';
import { ShortOfGems } from '#components/studio/short-of-gems';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** When the gems do not suffice for a run: the one input whose change makes it affordable, as the server prices it, and the way to more. */
export function ShortRun({
  recipe,
  entry,
  config,
  balance,
  setField,
}: {
  recipe: string;
  /** The recipe as its form reads it. */
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
  // until all have answered the best is not known
  const isKnown = settled === config && answers.every(({ isPending }) => !isPending);
  const [best] = changes
    .map((change, at) => ({ ...change, gems: answers[at]?.data?.gems ?? Infinity }))
    .filter(({ gems }) => gems <= balance)
    .toSorted((a, b) => b.gems - a.gems);
  return (
    <ShortOfGems affordable={isKnown && best ? { ...best, take: () => setField(best.field, best.value) } : undefined} />
  );
}
