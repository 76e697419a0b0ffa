import type { QueryClient } from '@tanstack/react-query';
import { changeRemovals, unsent } from '#components/generations/removals';
import { toast } from '#components/ui/toast';
import { dropFromHistory } from '#lib/client/history-queries';
import { partingApi } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const UNDO_MS = 10_000;
const AT_ONCE = 4;

/** Deletes results and their files after ten seconds in which it can be undone; at once when the page is left. */
export function removeLater(client: QueryClient, requests: readonly RequestWire[]): void {
  const ids = requests.map(({ request_id }) => request_id);
  const left = [...ids];
  const kept: string[] = [];
  let answers = 0;
  let reason = '';
  changeRemovals('add', ids);
  const waiting = new AbortController();
  const sendAll = () => carryOut(ids.length);
  unsent.add(sendAll);
  const timer = setTimeout(() => void carryOut(AT_ONCE), UNDO_MS);
  // nothing is sent any more once the page is gone
  addEventListener('pagehide', sendAll, { signal: waiting.signal });
  const dismiss = toast({
    title: ids.length === 1 ? 'Deleted' : `${ids.length} deleted`,
    description: 'The files go too, everywhere their address was used. No gems are returned.',
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  });

  function undo() {
    clearTimeout(timer);
    unsent.delete(sendAll);
    waiting.abort();
    dismiss();
    changeRemovals('delete', ids);
  }
  async function carryOut(most: number) {
    clearTimeout(timer);
    dismiss();
    while (left.length > 0) await Promise.all(left.splice(0, most).map(remove));
  }
  async function remove(request_id: string) {
    await partingApi.deleteRequest({ params: { request_id } }).catch((error: Error) => {
      kept.push(request_id);
      reason = error.message;
    });
    if (++answers < ids.length) return;
    dropFromHistory(client, new Set(ids.filter(id => !kept.includes(id))));
    unsent.delete(sendAll);
    waiting.abort();
    // what is gone stays hidden: lists that have it still are asked for anew
    changeRemovals('delete', kept);
    for (const queryKey of [['requests', 'pages'], ['collections'], ['runs']])
      void client.invalidateQueries({ queryKey });
    if (reason) toast({ title: `${kept.length} were not deleted.`, description: reason, tone: 'bad' });
  }
}
