'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Config } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { RecipeEstimateWire, RecipeWire } from '#lib/contract/recipe-schemas';

export interface RunPrice extends Pick<RecipeEstimateWire, 'gems' | 'steps' | 'mentions'> {
  /** Whether the price is still that of other inputs. */
  isAsking: boolean;
}

const NO_MENTIONS: RunPrice['mentions'] = [];

/** Returns the price of a run with these inputs; until the server has answered, that of the defaults. */
export function usePrice({ id, gems, steps }: RecipeWire, config: Config): RunPrice {
  const inputs = JSON.stringify(config);
  const asked = useSettled(inputs, PRICE_PAUSE_MS);
  const query = useQuery({ ...runEstimateQuery(id, asked), placeholderData: keepPreviousData });
  const isAsking = query.isPending || query.isPlaceholderData || asked !== inputs;
  return { ...(query.data ?? { gems, steps, mentions: NO_MENTIONS }), isAsking };
}
