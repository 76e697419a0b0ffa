'use client';

import { useQueries } from '@tanstack/react-query';
import type { Cell } from '#components/matrix/axes';
import { changedFields, needsEstimate } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { priceOf } from '#lib/catalog/price';
import { api } from '#lib/client/queries';

/** Returns the price of each place, by the shared rule or the server if media or mentions matter; and an issue. */
export function useCellPrices(cells: readonly Cell[]): { prices: number[]; issue: string | undefined } {
  const asked = cells.map(({ entry, config }) =>
    needsEstimate(entry, config) ? JSON.stringify([entry.id, changedFields(entry, config)]) : '',
  );
  const settled = useSettled(asked.join('\n'), PRICE_PAUSE_MS).split('\n');
  const wanted = [...new Set(settled)].filter(Boolean);
  const answers = useQueries({
    queries: wanted.map(text => ({
      queryKey: ['estimate', 'cell', text],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const [architecture, body] = JSON.parse(text) as [string, Record<string, unknown>];
        return api.estimate({ params: { architecture }, body, signal });
      },
      staleTime: 30_000,
      refetchOnMount: 'always' as const,
    })),
  });
  const answerOf = (text: string) => answers[wanted.indexOf(text)];
  return {
    prices: cells.map(({ entry, config }, index) => answerOf(asked[index]!)?.data?.gems ?? priceOf(entry, config)),
    issue: asked.flatMap(text => answerOf(text)?.data?.issues ?? [])[0]?.message,
  };
}
