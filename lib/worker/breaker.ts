import type { EngineErrorCode } from '#lib/engines/engine';
import { markTroubled } from '#lib/worker/servers';

/** Jobs in a row that a server may fail. */
const MOST_FAILURES = 3;
/** What speaks against the server rather than against the job. */
const ITS_OWN: readonly EngineErrorCode[] = ['engine_error', 'timeout'];

const failures = new Map<string, number>();

export const noteSuccess = (server: string): void => void failures.delete(server);

/**
 * A server that answers and fails whatever it gets would be the fastest of all, and spoil the attempts of every request. After some
 * failures in a row it rests until its next probe, and again after each further failure, until a job succeeds.
 */
export async function noteFailure(server: string, code: EngineErrorCode): Promise<void> {
  if (!ITS_OWN.includes(code)) return;
  const count = (failures.get(server) ?? 0) + 1;
  failures.set(server, count);
  if (count >= MOST_FAILURES) await markTroubled(server, `${count} jobs in a row failed here, so it rests`);
}
