import { pause } from './pause.ts';
import { routes } from './routes.ts';
import { callFor, PATIENCE, type Sender } from './send.ts';
import type { Generation } from './wire.ts';

export interface WaitOptions {
  /** Called with each new state, the final one too. */
  onUpdate?: (request: Generation) => void;
  signal?: AbortSignal | undefined;
}

const LONGEST_POLL = 60;
/** Often enough for a progress bar; an unchanged state is a 304 without a body. */
const WATCHED_POLL = 2;

/** What a look saw; no request where nothing has changed. */
const lookOf = async (response: Response) => ({
  headers: response.headers,
  request: response.status === 304 ? undefined : ((await response.json()) as Generation),
});

const isLive = ({ status }: Generation) => status === 'queued' || status === 'in_progress';

/** Waits until a request is final, with one open call at a time. Aborting stops the waiting, not the request. */
export async function wait(sender: Sender, id: string, options: WaitOptions = {}): Promise<Generation> {
  const { onUpdate, signal } = options;
  // an answer that is held back must come before it is given up, with a third of the time to spare
  const most = Math.max(1, Math.floor(((sender.timeout ?? PATIENCE) * 2) / 3));
  const seconds = Math.min(onUpdate ? WATCHED_POLL : LONGEST_POLL, most);
  let etag: string | undefined;
  for (;;) {
    const began = Date.now();
    const { headers, request } = await callFor(lookOf, sender, routes.getRequestStatus, {
      params: { request_id: id },
      query: { wait: seconds },
      headers: { 'if-none-match': etag },
      signal,
    });
    if (request) {
      etag = headers.get('etag') ?? undefined;
      onUpdate?.(request);
      if (!isLive(request)) return request;
    }
    // a server that is asked by too many answers at once instead of waiting
    const early = seconds * 1000 - (Date.now() - began);
    if (early > 500) await pause(Math.min(early, Number(headers.get('retry-after') ?? 1) * 1000), signal);
  }
}
