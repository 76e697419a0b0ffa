import { useRef } from 'react';
import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';

/**
 * Sends what must not be done twice, under an Idempotency-Key: the same one for as long as the same is sent and nobody knows what became
 * of it. Whoever holds this should outlive the form, which may be closed and opened again after a lost answer.
 */
export function useOnce() {
  const open = useRef<{ key: string; sent: string }>(undefined);
  return async function once<T>(body: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const sent = JSON.stringify(body);
    if (open.current?.sent !== sent) open.current = { key: randomKey(), sent };
    try {
      const answer = await send(open.current.key);
      open.current = undefined;
      return answer;
    } catch (error) {
      // whoever is not let in learns nothing of the key
      if (error instanceof ApiError && !error.isPassing && error.code !== 'unauthorized') open.current = undefined;
      throw error;
    }
  };
}

export type Once = ReturnType<typeof useOnce>;
