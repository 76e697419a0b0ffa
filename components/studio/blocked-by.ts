import type { PendingUpload } from '#components/studio/use-media-uploads';
import { many } from '#lib/contract/words';

type Pending = Pick<PendingUpload, 'error' | 'again'>;

/** Returns why nothing can be submitted now, or null. Facts that the server has not sent yet do not block. */
export function blockedBy(facts: {
  total: number;
  balance: number | undefined;
  count: number;
  live: number;
  /** Maximum number of requests in flight; undefined until the server has sent it. */
  mostLive: number | undefined;
  /** Uploads that are in progress or have failed. */
  pending: readonly Pending[];
  hasFaults: boolean;
}): string | null {
  const { total, balance, count, live, mostLive, pending, hasFaults } = facts;
  const awaited = awaiting(pending);
  if (awaited) return awaited;
  if (hasFaults) return 'Correct what is marked above.';
  if (balance !== undefined && balance < total) return tooDear(total, balance);
  if (mostLive === undefined || live + count <= mostLive) return null;
  if (live === 0) return `At most ${mostLive} run at a time.`;
  return `At most ${mostLive} run at a time; ${live} do. Wait for one or cancel one.`;
}

/** Returns why pending or failed uploads block a submit: a request made now would lack those files. */
export function awaiting(pending: readonly Pending[]): string | undefined {
  if (pending.some(({ error }) => error === undefined)) return 'Wait until the upload is done.';
  return pending.length > 0 ? `${mendOf(pending)}.` : undefined;
}

/** Returns what to do about uploads that have failed. A refused file cannot be tried again. */
export const mendOf = (failed: readonly Pending[]): string =>
  failed.some(({ again }) => again) ? 'Try the file again, or clear it' : 'Clear the refused file';

/** Returns the message for a price that exceeds the balance. */
export const tooDear = (total: number, balance: number): string =>
  `This costs ${many(total, 'gem')}, and you have ${balance.toLocaleString('en')}.`;
