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
  const left = [...ids];
  const kept: string[] = [];
  let reason = '';
  let running: Promise<void> | undefined;
  let parting: Promise<unknown> | undefined;
  const carryOut = () => (running ??= removeThem());
  const waiting = new AbortController();
  const timer = setTimeout(() => void carryOut(), UNDO_MS);
  const part = () => {
    // nothing is sent any more once the page is gone
    parting = Promise.all(left.splice(0).map(act));
    void carryOut();
  };
  addEventListener('pagehide', part, { signal: waiting.signal });
  const dismiss = toast({
    title: ids.length === 1 ? 'Deleted' : `${ids.length} deleted`,
    description: 'The files go too, everywhere their address was used. No gems are returned.',
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  });

  function undo() {
    clearTimeout(timer);
    waiting.abort();
    dismiss();
    hide(set => ids.forEach(id => set.delete(id)));
  }
  function act(request_id: string) {
    return partingApi.deleteRequest({ params: { request_id } }).catch((error: Error) => {
      kept.push(request_id);
      reason = error.message;
    });
  }
  async function removeThem() {
    clearTimeout(timer);
    dismiss();
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map(act));
    await parting;
    waiting.abort();
    dropFromHistory(client, new Set(ids.filter(id => !kept.includes(id))));
    hide(set => ids.forEach(id => set.delete(id)));
    void client.invalidateQueries({ queryKey: ['requests', 'pages'] });
    if (reason) toast({ title: `${kept.length} were not deleted.`, description: reason, tone: 'bad' });
  }
}
