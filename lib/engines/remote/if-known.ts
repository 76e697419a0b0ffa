import { EngineRefusal } from '#lib/engines/engine-refusal';

/**
 * What a call comes to; null when the server says, in JSON, that it knows nothing (any more) of what it is asked about. A bare
 * 404 is no such word: it may come from whatever stands before the server.
 */
export async function ifKnown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404 && error.json !== undefined) return null;
    throw error;
  }
}
