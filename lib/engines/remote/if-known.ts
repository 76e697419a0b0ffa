import { EngineRefusal } from '#lib/engines/engine-refusal';

/**
 * Returns the result of a call; null for a 404 with a JSON body, which means that the server does not know the
 * resource. A 404 without JSON is an error, since it may come from a proxy in front of the server.
 */
export async function ifKnown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EngineRefusal && error.status === 404 && error.json !== undefined) return null;
    throw error;
  }
}
