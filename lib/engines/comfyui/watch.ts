import type { WebSocket } from 'undici';
import { z } from 'zod';
import type { Snapshot } from '#lib/engines/engine';
import { parseJson } from '#lib/engines/engine-refusal';
import { sum } from '#lib/sum';

type Running = Extract<Snapshot, { state: 'running' }>;

/** A WebSocket message of the server. */
const Message = z.object({
  type: z.string(),
  data: z.object({
    prompt_id: z.string().optional(),
    node: z.string().nullish(),
    value: z.number().optional(),
    max: z.number().optional(),
    nodes: z
      .record(z.string(), z.object({ value: z.number(), max: z.number() }))
      .optional()
      .catch(undefined),
  }),
});

const FRAME_BYTES = 2_000_000;
const FRAME_TYPES = { 1: 'image/jpeg', 2: 'image/png' } as const;

/** Creates a reader of a job's messages. It returns a snapshot, 'over' when the job has ended, or null otherwise. */
export function createReader(id: string, steps: string[]): (message: unknown) => Running | 'over' | null {
  const done = new Map<string, number>();
  let progress = 0;

  function note(node: string, value: number, max: number): void {
    if (steps.length ? steps.includes(node) : max > 1) done.set(node, Math.min(1, value / max));
  }

  return message => {
    if (typeof message !== 'string') return frameOf(message);
    const parsed = Message.safeParse(parseJson(message));
    if (!parsed.success) return null;
    const { type, data } = parsed.data;
    if (data.prompt_id !== undefined && data.prompt_id !== id) return null;
    if (type === 'executing' && data.node === null && data.prompt_id === id) return 'over';
    if (type === 'execution_start' || type === 'executing') return { state: 'running', told: true };
    // messages about the queue go to all clients and say nothing about this job
    if (type !== 'progress' && type !== 'progress_state') return null;
    if (type === 'progress' && data.node && data.max) note(data.node, data.value ?? 0, data.max);
    for (const [node, { value, max }] of Object.entries(data.nodes ?? {})) if (max > 0) note(node, value, max);
    if (!done.size) return data.prompt_id === id ? { state: 'running', told: true } : null;
    // an unforeseen node must not reduce the progress
    progress = Math.max(progress, sum([...done.values()]) / Math.max(steps.length, done.size));
    return { state: 'running', progress, told: true };
  };
}

/** Reads a preview frame: two 32-bit numbers for event and image format, then the image. */
function frameOf(message: unknown): Running | null {
  if (!(message instanceof ArrayBuffer) || message.byteLength < 9 || message.byteLength > FRAME_BYTES) return null;
  const head = new DataView(message);
  const contentType = FRAME_TYPES[head.getUint32(4) as keyof typeof FRAME_TYPES];
  if (head.getUint32(0) !== 1 || !contentType) return null;
  return { state: 'running', frame: { contentType, bytes: new Uint8Array(message, 8) } };
}

/**
 * Merges the unread messages of a socket into one snapshot, so that a slow reader gets the latest state in constant
 * memory. `next` returns null after `quietMs` without a message, and 'over' when the job or the socket has ended.
 */
export function createInbox(socket: WebSocket, read: ReturnType<typeof createReader>, signal: AbortSignal) {
  let waiting: Running | null = null;
  let over = false;
  let wake = () => {};
  const end = () => ((over = true), wake());
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => {
    const seen = read(data);
    if (seen === 'over') end();
    else if (seen) {
      waiting = { ...waiting, ...seen };
      wake();
    }
  });
  // each error is followed by a close event
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', end);
  signal.addEventListener('abort', end, { once: true });

  return {
    async next(quietMs: number): Promise<Running | 'over' | null> {
      if (!waiting && !over) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, quietMs);
        await promise;
        clearTimeout(timer);
      }
      const seen = waiting;
      waiting = null;
      return seen ?? (over ? 'over' : null);
    },
    close() {
      signal.removeEventListener('abort', end);
      socket.close();
    },
  };
}
