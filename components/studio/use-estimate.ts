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
  /** Issues for which the server would refuse the config. */
  issues: readonly Issue[];
  mentions: EstimateWire['mentions'];
}

/** Returns the price of a config: immediately by the shared rule, then from the server if media or mentions matter. */
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
    // handles may have been added or deleted meanwhile, on another page or in another tab
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const gems = priceOf(entry, config);
  if (!matters) return { gems, issues: [], mentions: [] };
  // a refetch keeps the known data; placeholder data belong to another config, and offline they would stay
  const isAsking = (isFetching && !data) || isPlaceholderData || asked !== body;
  const refused = error instanceof ApiError && !error.isPassing ? [{ path: '', message: error.message }] : [];
  const issues = (data?.issues ?? refused).filter(({ path }) => path !== '/prompt' || String(config.prompt).trim());
  return {
    gems: isAsking || !data ? gems : data.gems,
    issues: isAsking ? [] : issues,
    mentions: data?.mentions ?? [],
  };
}
