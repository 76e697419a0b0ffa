'use client';

import { useEffect, useRef, useState } from 'react';
import { operatorApi } from '#lib/client/operator-api';
import { ApiError } from '#client/errors';
import type { TrialStateWire, TrialWire } from '#lib/contract/engine-schemas';

export interface TrialView {
  state: TrialStateWire;
  /** URL of the latest preview frame. */
  frame: string | null;
}

/** Runs one trial at a time. Starting another one, or leaving the page, stops it. */
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
