import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';
import type { Config } from '#components/studio/config';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { Issue } from '#lib/errors';

/** Starts runs of a recipe. A press whose answer was lost is sent again under its key, and starts nothing twice. */
export function useRun(recipe: string) {
  const client = useQueryClient();
  const key = useRef<string>(undefined);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [isSending, setSending] = useState(false);

  /** Whether it was accepted. */
  async function start(inputs: Config, gems: number): Promise<boolean> {
    key.current ??= randomKey();
    setSending(true);
    try {
      const headers = { 'idempotency-key': key.current, 'max-gems': String(gems) };
      const run = await api.startRun({ params: { recipe }, body: inputs, headers });
      key.current = undefined;
      setIssues([]);
      client.setQueryData(runsQuery(recipe).queryKey, (runs = []) => [
        run,
        ...runs.filter(one => one.run_id !== run.run_id),
      ]);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.isPassing) key.current = undefined;
      setIssues(error.issues?.length ? error.issues : [{ path: '', message: error.message }]);
      return false;
    } finally {
      setSending(false);
    }
  }

  return { start, issues, isSending, clear: () => setIssues([]) };
}
