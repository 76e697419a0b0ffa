'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Config } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { RecipeEstimateWire, RecipeWire } from '#lib/contract/recipe-schemas';

export type RunPrice = Pick<RecipeEstimateWire, 'gems' | 'steps' | 'mentions'>;

const NO_MENTIONS: RunPrice['mentions'] = [];

/** What a run with these inputs costs, by the default until the server has said so. */
export function usePrice({ id, gems, steps }: RecipeWire, config: Config): RunPrice {
  const asked = useSettled(JSON.stringify(config), PRICE_PAUSE_MS);
  const { data } = useQuery({ ...runEstimateQuery(id, asked), placeholderData: keepPreviousData });
  return data ?? { gems, steps, mentions: NO_MENTIONS };
}
