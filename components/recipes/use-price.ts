'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Config } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { RecipeEstimateWire, RecipeWire } from '#lib/contract/recipe-schemas';

export interface RunPrice extends Pick<RecipeEstimateWire, 'gems' | 'steps' | 'mentions'> {
  /** It is of other inputs still. */
  isAsking: boolean;
}

const NO_MENTIONS: RunPrice['mentions'] = [];

/** What a run with these inputs costs, by the default until the server has said so. */
export function usePrice({ id, gems, steps }: RecipeWire, config: Config): RunPrice {
  const inputs = JSON.stringify(config);
  const asked = useSettled(inputs, PRICE_PAUSE_MS);
  const query = useQuery({ ...runEstimateQuery(id, asked), placeholderData: keepPreviousData });
  const isAsking = query.isPending || query.isPlaceholderData || asked !== inputs;
  return { ...(query.data ?? { gems, steps, mentions: NO_MENTIONS }), isAsking };
}
