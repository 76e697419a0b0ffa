import type { EngineErrorCode } from '#lib/engines/engine';
import { markTroubled } from '#lib/worker/servers';

/** Consecutive failures after which a server rests. */
const MOST_FAILURES = 3;
/** Errors that indicate a fault of the server rather than of the job. */
const ITS_OWN: readonly EngineErrorCode[] = ['engine_error', 'timeout'];

const failures = new Map<string, number>();

export const noteSuccess = (server: string): void => void failures.delete(server);

/**
 * Counts a failure of a server. A server that fails every job quickly would attract all requests and use up their
 * attempts, so after several failures in a row it rests until its next probe, and again after each further failure,
 * until a job succeeds.
 */
export async function noteFailure(server: string, code: EngineErrorCode): Promise<void> {
  if (!ITS_OWN.includes(code)) return;
  const count = (failures.get(server) ?? 0) + 1;
  failures.set(server, count);
  if (count >= MOST_FAILURES) await markTroubled(server, `${count} jobs in a row failed here, so it rests`);
}
