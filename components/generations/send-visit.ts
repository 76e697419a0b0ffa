import { ApiError } from '#client/errors';
import { randomKey } from '#client/random-key';
import { change, isOpen, payer, read, write, type Accepted, type Submission } from '#components/generations/visit';
import { api } from '#lib/client/queries';

export type NewSubmission = Pick<Submission, 'architecture' | 'type' | 'body' | 'gems' | 'aspect' | 'place'>;

/** Submits what belongs together, the first one first. Comes back only with an answer of the server to each. */
export function press(submissions: readonly NewSubmission[], onAccepted: Accepted): Promise<Submission[]> {
  const group = randomKey();
  const createdAt = Date.now();
  const made = submissions.map(({ architecture, type, body, gems, aspect, place }) => {
    return { key: randomKey(), group, architecture, type, body, gems, aspect, createdAt, place };
  });
  write([...made, ...read()]);
  return Promise.all(made.map(submission => begin(submission, onAccepted)));
}

/** What has no answer yet; within a press the first one stands first. */
export function sendAgain(onAccepted: Accepted): void {
  const open = read().filter(submission => isOpen(submission) && !isSending.has(submission.key));
  for (const submission of open.toSorted((a, b) => a.createdAt - b.createdAt)) void begin(submission, onAccepted);
}

const isSending = new Set<string>();

const PATIENCE_MS = [500, 1000, 2000, 4000, 8000];

let line: Promise<unknown> = Promise.resolve();

/** Sends at once; what fills a matrix stands in line, so that a full account is asked for one of them at a time. */
function begin(submission: Submission, onAccepted: Accepted): Promise<Submission> {
  isSending.add(submission.key);
  if (!submission.place) return send(submission, onAccepted);
  const sent = line.then(() => send(submission, onAccepted));
  line = sent.catch(() => {});
  return sent;
}

/** How long a place of a matrix waits for room before it asks again. */
const ROOM_MS = 2000;

async function send(submission: Submission, onAccepted: Accepted): Promise<Submission> {
  const { key, architecture, body, gems, place } = submission;
  const account = payer();
  const headers = { 'idempotency-key': key, 'max-gems': String(gems), ...(account && { 'pomona-account': account }) };
  try {
    for (let tries = 0; ; tries++) {
      if (place && !read().some(one => one.key === key)) return submission;
      try {
        const request = await api.generate({ params: { architecture }, body, headers });
        const requestId = request.request_id;
        onAccepted(request);
        change(key, { requestId, isWaiting: false });
        return { ...submission, requestId };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (place && error.code === 'too_many_requests') {
          await untilLater(ROOM_MS);
          continue;
        }
        if (!error.isPassing) {
          const { code, message, issues, retryAfter } = error;
          change(key, { refusal: { code, message, issues, retryAfter }, isWaiting: false });
          return { ...submission, refusal: { code, message, issues, retryAfter } };
        }
        change(key, { isWaiting: true });
        await untilLater(PATIENCE_MS[tries] ?? 15_000);
      }
    }
  } finally {
    isSending.delete(key);
  }
}

/** A while, or until the network is back. */
function untilLater(ms: number): Promise<void> {
  return new Promise(done => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      done();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
  });
}
