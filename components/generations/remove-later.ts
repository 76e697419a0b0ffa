import type { QueryClient } from '@tanstack/react-query';
import { nameOf } from '#components/generations/name-of';
import { changeRemovals, unsent } from '#components/generations/removals';
import { toast } from '#components/ui/toast';
import { isText, undoOf } from '#components/ui/use-undo-keys';
import { beginning } from '#lib/beginning';
import { dropFromHistory } from '#lib/client/drop-from-history';
import { partingApi } from '#lib/client/parting-api';
import type { RequestWire } from '#lib/contract/schemas';

const UNDO_MS = 10_000;
const AT_ONCE = 4;

/** Cancels the deletion that can still be undone, if any, and returns its requests. */
let takeBack = (): readonly RequestWire[] => [];

/**
 * Deletes results and their files after ten seconds in which it can be undone, or immediately when the page is left.
 * Deletions made meanwhile join them: separate notices would push each other away, along with their Undo.
 */
export function removeLater(client: QueryClient, requests: readonly RequestWire[]): void {
  const all = [...takeBack(), ...requests];
  const ids = idsOf(all);
  const left = [...ids];
  const kept: string[] = [];
  let answers = 0;
  let reason = '';
  changeRemovals('add', ids);
  const waiting = new AbortController();
  const sendAll = () => carryOut(ids.length);
  unsent.add(sendAll);
  const timer = setTimeout(() => void carryOut(AT_ONCE), UNDO_MS);
  // once the page is unloaded, nothing can be sent
  addEventListener('pagehide', sendAll, { signal: waiting.signal });
  const undo = () => changeRemovals('delete', idsOf(takeBack()));
  // a shortcut, because the notice cannot be reached from the viewer
  const onKey = (event: KeyboardEvent) => {
    if (undoOf(event) !== 'undo' || hasOwnUndo(event.target)) return;
    event.preventDefault();
    ignoreHeld();
    undo();
    toast({ title: ids.length === 1 ? 'Restored' : `${ids.length} restored`, tone: 'good' });
  };
  addEventListener('keydown', onKey, { signal: waiting.signal, capture: true });
  const dismiss = toast({
    title: ids.length === 1 ? 'Deleted' : `${ids.length} deleted`,
    description: 'Links to the files stop working. No gems are refunded.',
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  });
  takeBack = () => {
    takeBack = () => [];
    clearTimeout(timer);
    unsent.delete(sendAll);
    waiting.abort();
    dismiss();
    return all;
  };

  async function carryOut(most: number) {
    takeBack = () => [];
    removeEventListener('keydown', onKey, { capture: true });
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
    // deleted requests stay hidden, while lists that still have them are refetched
    changeRemovals('delete', kept);
    for (const queryKey of [['requests', 'pages'], ['collections'], ['runs']])
      void client.invalidateQueries({ queryKey });
    if (!reason) return;
    // the user may be at another result by now, so the message names this one
    const again = all.filter(({ request_id: id }) => kept.includes(id));
    const title =
      ids.length === 1
        ? `“${beginning(nameOf(all[0]!), 60)}” was not deleted.`
        : `${kept.length} of ${ids.length} were not deleted.`;
    const action = { label: 'Try again', onPress: () => removeLater(client, again) };
    toast({ title, description: reason, tone: 'bad', action });
  }
}

const idsOf = (requests: readonly RequestWire[]) => requests.map(({ request_id }) => request_id);

/** Whether the target has its own undo: a text field, a form, or a mask with its strokes. */
const hasOwnUndo = (target: EventTarget | null): boolean =>
  isText(target) ||
  (target instanceof Element &&
    (target.closest('form') !== null || !!target.closest('[role=dialog]')?.querySelector('canvas')));

/** Ignores repeats of the keys that are held down, which would undo something else. */
function ignoreHeld() {
  const released = new AbortController();
  const { signal } = released;
  addEventListener('keydown', event => event.repeat && event.preventDefault(), { signal, capture: true });
  addEventListener('keyup', () => released.abort(), { signal });
}
