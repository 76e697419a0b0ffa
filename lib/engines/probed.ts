import { EngineError, type ProbeResult } from '#lib/engines/engine';

/** Returns the result of a probe; an `EngineError` becomes the `detail` of a result that is not ok. */
export async function probed(look: () => Promise<Omit<ProbeResult, 'ok'> & { ok?: boolean }>): Promise<ProbeResult> {
  try {
    return { ok: true, ...(await look()) };
  } catch (error) {
    if (error instanceof EngineError) return { ok: false, models: [], detail: error.message };
    throw error;
  }
}
