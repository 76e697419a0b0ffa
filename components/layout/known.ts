'use client';

import { useState, type ReactNode } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Answer } from '#lib/client/answer';

const given = new WeakMap<readonly Answer[], QueryClient>();

/** Gives pages what the server had at hand, so that the first render knows it, and nobody asks for it while the page comes to life. */
export function Known({ answers, children }: { answers: readonly Answer[]; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => {
    // the way back shows the document of before, and what the page knows is newer
    if (given.get(answers) === queries) return;
    given.set(answers, queries);
    for (const [key, data] of answers) queries.setQueryData(key, data);
  });
  return children;
}
