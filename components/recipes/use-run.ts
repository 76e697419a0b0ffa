import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/errors';
import { isDoubleClick } from '#components/generations/is-double-click';
import type { Config } from '#components/studio/config';
import { once } from '#components/ui/once';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import type { Issue } from '#lib/errors';

/**
 * Starts runs of a recipe. A press whose response was lost is sent again with its key, which starts nothing twice;
 * other inputs get a new key, because the old one would return the earlier run.
 */
export function useRun(recipe: string) {
  const queries = useQueryClient();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [isSending, setSending] = useState(false);
  const { queryKey } = runsQuery(recipe);

  /** Returns whether the run was accepted. */
  async function start(inputs: Config, gems: number): Promise<boolean> {
    if (isDoubleClick(`run ${recipe}`)) return true;
    setSending(true);
    try {
      const run = await once(`run ${recipe}`, inputs, key => {
        const headers = { 'idempotency-key': key, 'max-gems': String(gems) };
        return api.startRun({ params: { recipe }, body: inputs, headers });
      });
      setIssues([]);
      queries.setQueryData(queryKey, (runs = []) => [run, ...runs.filter(one => one.run_id !== run.run_id)]);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIssues(error.issues?.length ? error.issues : [{ path: '', message: error.message }]);
      return false;
    } finally {
      setSending(false);
      // a list in flight does not have the run yet; a run whose response was lost may continue
      void queries.invalidateQueries({ queryKey });
    }
  }

  return { start, issues, isSending, clear: () => setIssues([]) };
}
