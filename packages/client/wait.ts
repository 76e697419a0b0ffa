import { pause } from './pause.ts';
import { routes } from './routes.ts';
import { callFor, PATIENCE, type Sender } from './send.ts';
import type { Generation } from './wire.ts';

export interface WaitOptions {
  /** Called with each new state, including the final one. */
  onUpdate?: (request: Generation) => void;
  signal?: AbortSignal | undefined;
}

const LONGEST_POLL = 60;
/** Seconds per poll with `onUpdate`, short enough for a progress bar. An unchanged state is a 304 without a body. */
const WATCHED_POLL = 2;

/** Reads the headers and the request from a response; the request is undefined when it has not changed (304). */
const lookOf = async (response: Response) => ({
  headers: response.headers,
  request: response.status === 304 ? undefined : ((await response.json()) as Generation),
});

const isLive = ({ status }: Generation) => status === 'queued' || status === 'in_progress';

/** Waits until a request is final, by long polling. Aborting ends the wait but does not cancel the request. */
export async function wait(sender: Sender, id: string, options: WaitOptions = {}): Promise<Generation> {
  const { onUpdate, signal } = options;
  // the server holds a response back for up to `seconds`, which must stay well below the timeout of the attempt
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
    // a server with too many waiting clients responds immediately, so the client pauses instead
    const early = seconds * 1000 - (Date.now() - began);
    if (early > 500) await pause(Math.min(early, Number(headers.get('retry-after') ?? 1) * 1000), signal);
  }
}
