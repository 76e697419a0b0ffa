import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';
import { keep, readKept } from '#components/ui/kept';

interface Attempt {
  key: string;
  sent: string;
}

const attempts = new Map<string, Attempt>();

/**
 * Sends what must not be done twice, under an Idempotency-Key: the same one for as long as the same is sent for `act` and nobody knows
 * what became of it, whatever page one looks at meanwhile, reloads of this tab included.
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
    // whoever is not let in learns nothing of the key
    if (error instanceof ApiError && !error.isPassing && error.code !== 'unauthorized') settle();
    throw error;
  }
}

const nameOf = (act: string) => `pomona.once.${act}`;
