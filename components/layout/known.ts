'use client';

import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#lib/client/answer';

/** Gives pages what the server had at hand, so that the first render knows it, and nobody asks for it while the page comes to life. */
export function Known({ answers, children }: { answers: readonly Answer[]; children: ReactNode }) {
  const client = useQueryClient();
  useState(() => answers.forEach(([key, data]) => client.setQueryData(key, data)));
  return children;
}
