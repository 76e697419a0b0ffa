'use client';

import { useSyncExternalStore } from 'react';
import { ApiError } from '#client/errors';
import { api } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import type { Issue } from '#lib/errors';
import type { MediaKind } from '#lib/media-kind';

/** One request of a press of Create: what was sent, and what came of it. Newest first in the list. */
export interface Submission {
  /** The Idempotency-Key: minted before the first byte leaves and kept until an answer came, so that nothing is charged twice. */
  key: string;
  /** The press that it belongs to: what was made together stands together. */
  group: string;
  architecture: string;
  type: MediaKind;
  body: Record<string, unknown>;
  /** The price that the button showed; the server charges no more. */
  gems: number;
  /** Width over height of what will come; null for sound. */
  aspect: number | null;
  createdAt: number;
  requestId?: string;
  refusal?: Refusal;
  /** Sent at least once without an answer; sent again by itself, under the same key. */
  isWaiting?: boolean;
  /** The place in a matrix that it fills. Such ones are sent one after another, as there is room for them. */
  place?: string | undefined;
}

export interface Refusal {
  code: string;
  message: string;
  issues: readonly Issue[];
  retryAfter?: number | undefined;
}

const STORE = 'pomona.visit';
/** Whose the studio's memory in this browser is. */
const OWNER = 'pomona.owner';
const MOST = 120;
const NONE: readonly Submission[] = [];

let submissions: readonly Submission[] | undefined;
const listeners = new Set<() => void>();

function read(): readonly Submission[] {
  if (submissions) return submissions;
  try {
    const kept = sessionStorage.getItem(STORE);
    // what the server drew stands as it is while there is nothing
    submissions = kept === null ? NONE : (JSON.parse(kept) as Submission[]);
  } catch {
    // storage is switched off, or something else wrote there
    submissions = NONE;
  }
  return submissions;
}

function write(list: readonly Submission[]) {
  submissions = list.slice(0, MOST);
  try {
    sessionStorage.setItem(STORE, JSON.stringify(submissions));
  } catch {
    // full or switched off: the page still knows them
  }
  for (const listener of listeners) listener();
}

const change = (key: string, part: Partial<Submission>) =>
  write(read().map(submission => (submission.key === key ? { ...submission, ...part } : submission)));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The submissions of this visit (this tab, reloads included), newest first. */
export const useVisit = (): readonly Submission[] => useSyncExternalStore(subscribe, read, () => NONE);

export type NewSubmission = Pick<Submission, 'architecture' | 'type' | 'body' | 'gems' | 'aspect' | 'place'>;

type Accepted = (request: RequestWire) => void;

/** Submits what belongs together, the first one first. Comes back only with an answer of the server to each. */
export function press(submissions: readonly NewSubmission[], onAccepted: Accepted): Promise<Submission[]> {
  const group = crypto.randomUUID();
  const createdAt = Date.now();
  const made = submissions.map(({ architecture, type, body, gems, aspect, place }) => {
    return { key: crypto.randomUUID(), group, architecture, type, body, gems, aspect, createdAt, place };
  });
  write([...made, ...read()]);
  return Promise.all(made.map(submission => begin(submission, onAccepted)));
}

export const dismiss = (key: string) => write(read().filter(submission => submission.key !== key));

const isSending = new Set<string>();
/** The account that this page was made for, and that pays for what it sends. */
let payer: string | undefined;

/**
 * After a reload: whatever has no answer yet is sent again under its own key. What somebody else left in this browser,
 * drafts included, is forgotten instead: it must not be charged to `owner`, nor be read by them.
 */
export function resumeVisit(owner: string, onAccepted: Accepted) {
  payer = owner;
  try {
    for (const storage of [localStorage, sessionStorage]) claim(storage, owner);
  } catch {
    // storage is switched off: nothing is left in it
  }
  const open = read().filter(({ key, requestId, refusal }) => !requestId && !refusal && !isSending.has(key));
  // within a press the first one stands first
  for (const submission of open.toSorted((a, b) => a.createdAt - b.createdAt)) void begin(submission, onAccepted);
}

function claim(storage: Storage, owner: string) {
  const before = storage.getItem(OWNER);
  if (before !== null && before !== owner) {
    for (const key of Object.keys(storage)) if (key.startsWith('pomona.')) storage.removeItem(key);
    if (storage === sessionStorage) write(NONE);
  }
  storage.setItem(OWNER, owner);
}

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
  const headers = { 'idempotency-key': key, 'max-gems': String(gems), ...(payer && { 'pomona-account': payer }) };
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
