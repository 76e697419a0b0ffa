'use client';

import { useState, type ReactNode } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Answer } from '#lib/client/answer';

const given = new WeakMap<readonly Answer[], QueryClient>();

/** Puts answers of the server into the query cache, so that the first render has them without any request. */
export function Known({ answers, children }: { answers: readonly Answer[]; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => {
    // going back renders an earlier document again, whose answers are older than the cache
    if (given.get(answers) === queries) return;
    given.set(answers, queries);
    for (const [key, data] of answers) queries.setQueryData(key, data);
  });
  return children;
}
