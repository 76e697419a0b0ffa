'use client';

import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '#components/ui/store';
import { toast } from '#components/ui/toast';
import { dropFromHistory } from '#lib/client/history-queries';
import { partingApi } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const UNDO_MS = 10_000;
const AT_ONCE = 4;

const hidden = createStore<ReadonlySet<string>>(new Set());

/** Requests that are as good as deleted: no list shows them, and for ten seconds they can be had back. */
export const useRemovals = hidden.useValue;

function hide(change: (ids: Set<string>) => void) {
  const next = new Set(hidden.get());
  change(next);
  hidden.set(next);
}

/** Deletes results and their files after ten seconds in which it can be undone; at once when the page is left. */
export function removeLater(client: QueryClient, requests: readonly RequestWire[]): void {
  const ids = requests.map(({ request_id }) => request_id);
  hide(set => ids.forEach(id => set.add(id)));
  const waiting = new AbortController();
  const timer = setTimeout(() => void carryOut(), UNDO_MS);
  addEventListener('pagehide', () => void carryOut(), { signal: waiting.signal });
  const dismiss = toast({
    title: ids.length === 1 ? 'Deleted' : `${ids.length} deleted`,
    description: 'The files go too, everywhere their address was used. No gems are returned.',
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  });

  function stopWaiting() {
    clearTimeout(timer);
    waiting.abort();
    dismiss();
  }
  function undo() {
    stopWaiting();
    hide(set => ids.forEach(id => set.delete(id)));
  }
  async function carryOut() {
    stopWaiting();
    const kept: string[] = [];
    let reason = '';
    const act = (request_id: string) =>
      partingApi.deleteRequest({ params: { request_id } }).catch((error: Error) => {
        kept.push(request_id);
        reason = error.message;
      });
    for (let from = 0; from < ids.length; from += AT_ONCE) await Promise.all(ids.slice(from, from + AT_ONCE).map(act));
    dropFromHistory(client, new Set(ids.filter(id => !kept.includes(id))));
    hide(set => ids.forEach(id => set.delete(id)));
    void client.invalidateQueries({ queryKey: ['requests', 'pages'] });
    if (reason) toast({ title: `${kept.length} were not deleted.`, description: reason, tone: 'bad' });
  }
}
