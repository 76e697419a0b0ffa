import { many } from '#lib/contract/words';

/** Why nothing can be submitted now, or null. What the server has not said yet is no reason. */
export function blockedBy(facts: {
  total: number;
  balance: number | undefined;
  count: number;
  live: number;
  /** Most that may be live at a time. */
  mostLive: number | undefined;
  /** Files on their way, and those that failed. */
  pending: readonly { error?: string | undefined }[];
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

/** For what has files on their way, or that failed: made now, it would be without them. */
export function awaiting(pending: readonly { error?: string | undefined }[]): string | undefined {
  if (pending.some(({ error }) => error === undefined)) return 'Wait until the upload is done.';
  return pending.length > 0 ? 'Try the file again, or clear it.' : undefined;
}

/** For what costs more than there is. */
export const tooDear = (total: number, balance: number): string =>
  `This costs ${many(total, 'gem')}, and you have ${balance.toLocaleString('en')}.`;
