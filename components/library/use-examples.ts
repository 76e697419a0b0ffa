'use client';

import { use } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { OwnAccountPage } from '#components/account/own-account-page';
import { byCode } from '#components/ui/on-demand';
import { examplesQuery } from '#lib/client/prompt-queries';
import type { ExampleWire } from '#lib/contract/library-schemas';

/** Returns the example result of a model that an operator chose; undefined if there is none. */
export const useExample = (architecture: string): ExampleWire | undefined =>
  useQuery({ ...examplesQuery, select: examples => examples.find(one => one.architecture === architecture) }).data;

/** For operators: whether a result is the example of its model, and a function to change that. Null for other users. */
export function useExampleChoice(requestId: string): { isOn: boolean; toggle: () => void } | null {
  const queries = useQueryClient();
  const mayChoose = use(OwnAccountPage) !== null;
  const { data: isOn = false } = useQuery({
    ...examplesQuery,
    enabled: mayChoose,
    select: examples => examples.some(({ request_id }) => request_id === requestId),
  });
  if (!mayChoose) return null;
  const toggle = () =>
    byCode(
      import('#components/library/change-example'),
      ({ changeExample }) => changeExample(queries, requestId, !isOn),
      'The example was not changed.',
    );
  return { isOn, toggle };
}
