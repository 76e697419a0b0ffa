'use client';

import { useEffect, useRef, useState } from 'react';
import { operatorApi } from '#lib/client/operator-api';
import { ApiError } from '#client/errors';
import type { TrialStateWire, TrialWire } from '#lib/contract/engine-schemas';

export interface TrialView {
  state: TrialStateWire;
  /** The last picture of it in the making. */
  frame: string | null;
}

/** One trial at a time: how it goes, and a way to stop it. Leaving the page stops it too. */
export function useTrial() {
  const [view, setView] = useState<TrialView | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(trial: TrialWire): Promise<void> {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const show = (state: TrialStateWire) =>
      signal.aborted ||
      setView(before => ({ state, frame: (state.state === 'running' && state.frame) || (before?.frame ?? null) }));
    setRunning(true);
    setView({ state: { state: 'queued', position: null }, frame: null });
    try {
      for await (const state of await operatorApi.tryEngine({ body: trial, signal })) show(state);
    } catch (error) {
      if (!signal.aborted) show({ state: 'failed', code: 'refused', message: wordsOf(error) });
    }
    if (!signal.aborted) setRunning(false);
  }

  function stop(): void {
    running.current?.abort();
    setRunning(false);
    setView(null);
  }

  return { view, isRunning, start, stop };
}

function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'The connection broke before it was done. Try again.';
}
