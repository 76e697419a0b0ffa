import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';
import { keep, readKept } from '#components/ui/kept';

interface Attempt {
  key: string;
  sent: string;
}

const attempts = new Map<string, Attempt>();

/**
 * Sends a request that must not be executed twice, with an Idempotency-Key. The key is reused while the same body is
 * sent for `act` and the outcome is unknown, across pages and reloads of this tab.
 */
export async function once<T>(act: string, body: unknown, send: (key: string) => Promise<T>): Promise<T> {
  const sent = JSON.stringify(body);
  const before = attempts.get(act) ?? readKept<Attempt | undefined>(nameOf(act), undefined, 'sessionStorage');
  const attempt = before?.sent === sent ? before : { key: randomKey(), sent };
  attempts.set(act, attempt);
  keep(nameOf(act), attempt, 'sessionStorage');
  const settle = () => {
    if (attempts.get(act) !== attempt) return;
    attempts.delete(act);
    keep(nameOf(act), undefined, 'sessionStorage');
  };
  try {
    const answer = await send(attempt.key);
    settle();
    return answer;
  } catch (error) {
    // an unauthorized response does not tell what became of earlier requests with this key
    if (error instanceof ApiError && !error.isPassing && error.code !== 'unauthorized') settle();
    throw error;
  }
}

const nameOf = (act: string) => `pomona.once.${act}`;
