import { EngineError, type ProbeResult } from '#lib/engines/engine';

/** What a look at a server showed; when it could not be looked at, why. */
export async function probed(look: () => Promise<Omit<ProbeResult, 'ok'> & { ok?: boolean }>): Promise<ProbeResult> {
  try {
    return { ok: true, ...(await look()) };
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, models: [], detail: error.message };
    throw error;
  }
}
