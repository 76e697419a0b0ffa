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
  /** Of what may have been sent before; a new one is minted otherwise. */
  key?: string | undefined;
}

/** Submits what belongs together, the first one first. Comes back only with an answer of the server to each, or when it is given up. */
export function press(submissions: readonly NewSubmission[], onAccepted: Accepted): Promise<Submission[]> {
  const group = randomKey();
  const createdAt = Date.now();
  const made = submissions.map(({ key = randomKey(), architecture, type, body, gems, aspect, place, ...given }) => {
    // what was sent under its key before may have been accepted
    const { isUnsure } = readVisit().find(one => one.key === key) ?? given;
    return { key, group, architecture, type, body, gems, aspect, createdAt, place, isUnsure };
  });
  writeVisit([...made, ...readVisit().filter(({ key }) => made.every(one => one.key !== key))]);
  return Promise.all(made.map(submission => begin(submission, onAccepted)));
}

/** What has no answer yet; within a press the first one stands first. */
export function sendAgain(onAccepted: Accepted): void {
  const open = readVisit().filter(isOpen);
  for (const submission of open.toSorted((a, b) => a.createdAt - b.createdAt)) void begin(submission, onAccepted);
}

const sending = new Map<string, Promise<Submission>>();

const PATIENCE_MS = [500, 1000, 2000, 4000, 8000];

let line: Promise<unknown> = Promise.resolve();

/** Sends at once; what fills a matrix stands in line, so that a full account is asked for one of them at a time. */
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

/** How long a place of a matrix waits for room before it asks again. */
const ROOM_MS = 2000;

/** What was refused is another attempt the next time, the same one in every tab that has its place. */
export const nextTry = (refused: Submission): NewSubmission => ({
  ...refused,
  key: refused.place && `${refused.key}+`,
  isUnsure: undefined,
});

/** Whether it is to be sent: nobody has given it up or taken it away. */
const isWanted = (key: string): boolean => readVisit().some(one => one.key === key && isOpen(one));

async function send(submission: Submission, onAccepted: Accepted): Promise<Submission> {
  const { key, architecture, body, gems, place } = submission;
  const headers = { 'idempotency-key': key, 'max-gems': String(gems) };
  for (let tries = 0; ; tries++) {
    const before = readVisit().find(one => one.key === key);
    if (!before || !isOpen(before)) return before ?? submission;
    try {
      // until its answer is here, nobody knows of a try
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
        // given up meanwhile, it is known not to have been accepted
        else if (!before.isUnsure) dismissSubmission(key);
        continue;
      }
      if (!error.isPassing) {
        // whoever is not let in learns nothing of the key: what was sent before may have been accepted
        const isGivenUp = code === 'unauthorized' || undefined;
        if (place && !isGivenUp) notePlace(place, undefined, nextTry(submission));
        const refusal = { code, message, issues, retryAfter, isGivenUp };
        // its place offers it for what it costs now
        if (place && code === 'price_above_limit') dismissSubmission(key);
        else changeSubmission(key, { refusal, isWaiting: false, isUnsure: isGivenUp && before.isUnsure });
        return { ...submission, refusal };
      }
      const fault = status >= 500 ? message : undefined;
      // nothing is charged where there is no room; any other try may have been accepted
      changeSubmission(key, { isWaiting: true, fault, isUnsure: before.isUnsure || code !== 'out_of_space' });
      if (isWanted(key)) await untilLater(retryAfter ? retryAfter * 1000 : (PATIENCE_MS[tries] ?? 15_000), key);
    }
  }
}

/** A while, or until the network is back, or it is not wanted any more. */
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
