'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changedFields, needsEstimate, type Config } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { priceOf } from '#lib/catalog/price';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { ApiError } from '#client/errors';
import { api } from '#lib/client/queries';
import type { EstimateWire } from '#lib/contract/schemas';
import type { Issue } from '#lib/errors';

export interface Price {
  gems: number;
  /** What the server would refuse. */
  issues: readonly Issue[];
  mentions: EstimateWire['mentions'];
}

/** The price of a config: by the shared rule at once, confirmed by the server where media or mentions matter. */
export function useEstimate(entry: CatalogEntry, config: Config): Price {
  const matters = needsEstimate(entry, config);
  const body = JSON.stringify(changedFields(entry, config));
  const asked = useSettled(body, PRICE_PAUSE_MS);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['estimate', entry.id, asked],
    queryFn: ({ signal }) =>
      api.estimate({ params: { architecture: entry.id }, body: JSON.parse(asked) as Config, signal }),
    enabled: matters,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // a handle may have come or gone on the page, or in the tab, that one was in meanwhile
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const gems = priceOf(entry, config);
  if (!matters) return { gems, issues: [], mentions: [] };
  // what is known stays while it is asked anew; without a connection the answer to another config stands in
  const isAsking = (isFetching && !data) || isPlaceholderData || asked !== body;
  const refused = error instanceof ApiError && !error.isPassing ? [{ path: '', message: error.message }] : [];
  const issues = (data?.issues ?? refused).filter(({ path }) => path !== '/prompt' || String(config.prompt).trim());
  return {
    gems: isAsking || !data ? gems : data.gems,
    issues: isAsking ? [] : issues,
    mentions: data?.mentions ?? [],
  };
}
