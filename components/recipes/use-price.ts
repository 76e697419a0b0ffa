'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Config } from '#components/studio/config';
import { PRICE_PAUSE_MS, useSettled } from '#components/ui/use-settled';
import { runEstimateQuery } from '#lib/client/recipe-queries';
import type { RecipeEstimateWire, RecipeWire } from '#lib/contract/recipe-schemas';
import type { Issue } from '#lib/errors';

export interface RunPrice extends Pick<RecipeEstimateWire, 'gems' | 'steps' | 'mentions'> {
  /** Issues for which the server would refuse the inputs; an input left empty is reported on submit. */
  issues: readonly Issue[];
  /** Whether a run would cost this: neither is an input faulty, nor a required list empty. */
  isCharged: boolean;
  /** Whether the price is still that of other inputs. */
  isAsking: boolean;
}

const NONE: never[] = [];

/** Returns the price of a run with these inputs; until the server has answered, that of the defaults. */
export function usePrice({ id, gems, steps, input_schema }: RecipeWire, config: Config): RunPrice {
  const inputs = JSON.stringify(config);
  const asked = useSettled(inputs, PRICE_PAUSE_MS);
  const query = useQuery({ ...runEstimateQuery(id, asked), placeholderData: keepPreviousData });
  const isAsking = query.isPending || query.isPlaceholderData || asked !== inputs;
  const answer = query.data ?? { gems, steps, mentions: NONE, issues: NONE };
  const isGiven = (name = '') => String(config[name] ?? '') !== '';
  const faults = answer.issues.filter(({ path }) => path === '' || isGiven(path.split('/')[1]));
  const lacksList = input_schema.required.some(
    name => input_schema.properties[name]?.type === 'array' && !isGiven(name),
  );
  return {
    ...answer,
    issues: isAsking ? NONE : faults,
    isCharged: !lacksList && faults.length === 0,
    isAsking,
  };
}
