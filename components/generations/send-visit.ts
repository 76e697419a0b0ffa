import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';
import {
  dismissSubmission,
  isOpen,
  onVisit,
  readVisit,
  writeVisit,
  type Accepted,
  type Submission,
} from '#components/generations/visit';
import { notePlace } from '#components/matrix/matrices';
import { api } from '#lib/client/queries';

type Given = Pick<Submission, 'architecture' | 'type' | 'body' | 'gems' | 'aspect' | 'place' | 'isUnsure'>;

export interface NewSubmission extends Given {
  /** Key of a submission that may have been sent before; by default a new one is created. */
  key?: string | undefined;
}

/** Submits requests that belong together, in order. Resolves when each is answered by the server or given up. */
export function press(submissions: readonly NewSubmission[], onAccepted: Accepted): Promise<Submission[]> {
  const group = randomKey();
  const createdAt = Date.now();
  const made = submissions.map(({ key = randomKey(), architecture, type, body, gems, aspect, place, ...given }) => {
    // a submission sent earlier under the same key may have been accepted
    const { isUnsure } = readVisit().find(one => one.key === key) ?? given;
    return { key, group, architecture, type, body, gems, aspect, createdAt, place, isUnsure };
  });
  writeVisit([...made, ...readVisit().filter(({ key }) => made.every(one => one.key !== key))]);
  return Promise.all(made.map(submission => begin(submission, onAccepted)));
}

/** Sends all submissions without an answer again, oldest press first, and each press in its order. */
export function sendAgain(onAccepted: Accepted): void {
  const open = readVisit().filter(isOpen);
  for (const submission of open.toSorted((a, b) => a.createdAt - b.createdAt)) void begin(submission, onAccepted);
}

const sending = new Map<string, Promise<Submission>>();

const PATIENCE_MS = [500, 1000, 2000, 4000, 8000];

let line: Promise<unknown> = Promise.resolve();

/** Sends immediately; submissions of a matrix queue up, so that a full account is asked for one of them at a time. */
function begin(submission: Submission, onAccepted: Accepted): Promise<Submission> {
  const { key, place } = submission;
  const begun = sending.get(key);
  if (begun) return begun;
  const sent = (place ? line : Promise.resolve())
    .then(() => send(submission, onAccepted))
    .finally(() => sending.delete(key));
  if (place) line = sent.catch(() => {});
  sending.set(key, sent);
  return sent;
}

export const changeSubmission = (key: string, part: Partial<Submission>) =>
  writeVisit(readVisit().map(submission => (submission.key === key ? { ...submission, ...part } : submission)));

/** Pause before a submission of a matrix asks again for room. */
const ROOM_MS = 2000;

/** Returns the next attempt of a refused submission. In a matrix its key is derived, so that all tabs have the same. */
export const nextTry = (refused: Submission): NewSubmission => ({
  ...refused,
  key: refused.place && `${refused.key}+`,
  isUnsure: undefined,
});

/** Whether a submission should still be sent: it was not given up or dismissed. */
const isWanted = (key: string): boolean => readVisit().some(one => one.key === key && isOpen(one));

async function send(submission: Submission, onAccepted: Accepted): Promise<Submission> {
  const { key, architecture, body, gems, place } = submission;
  const headers = { 'idempotency-key': key, 'max-gems': String(gems) };
  for (let tries = 0; ; tries++) {
    const before = readVisit().find(one => one.key === key);
    if (!before || !isOpen(before)) return before ?? submission;
    try {
      // until the answer arrives, the outcome of this attempt is unknown
      changeSubmission(key, { isUnsure: true });
      const request = await api.generate({ params: { architecture }, body, headers });
      const requestId = request.request_id;
      onAccepted(request);
      if (place) notePlace(place, requestId);
      changeSubmission(key, { requestId, isWaiting: false });
      return { ...submission, requestId };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, issues, retryAfter } = error;
      if (place && code === 'too_many_requests') {
        changeSubmission(key, { isUnsure: before.isUnsure });
        if (isWanted(key)) await untilLater(ROOM_MS, key);
        // given up meanwhile, and known not to have been accepted
        else if (!before.isUnsure) dismissSubmission(key);
        continue;
      }
      if (!error.isPassing) {
        // an unauthorized response does not tell whether an earlier attempt with this key was accepted
        const isGivenUp = code === 'unauthorized' || undefined;
        if (place && !isGivenUp) notePlace(place, undefined, nextTry(submission));
        const refusal = { code, message, issues, retryAfter, isGivenUp };
        // its place in the matrix offers it at the current price
        if (place && code === 'price_above_limit') dismissSubmission(key);
        else changeSubmission(key, { refusal, isWaiting: false, isUnsure: isGivenUp && before.isUnsure });
        return { ...submission, refusal };
      }
      const fault = status >= 500 ? message : undefined;
      // `out_of_space` means that nothing was charged; any other attempt may have been accepted
      changeSubmission(key, { isWaiting: true, fault, isUnsure: before.isUnsure || code !== 'out_of_space' });
      if (isWanted(key)) await untilLater(retryAfter ? retryAfter * 1000 : (PATIENCE_MS[tries] ?? 15_000), key);
    }
  }
}

/** Resolves after `ms`, when the network is back, or when the submission is no longer wanted. */
function untilLater(ms: number, key: string): Promise<void> {
  return new Promise(done => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      forget();
      done();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
    const forget = onVisit(() => isWanted(key) || go());
  });
}
