'use client';

import { useSyncExternalStore } from 'react';
import { keep, readKept } from '#components/ui/kept';
import { createSignal } from '#components/ui/store';
import type { RequestWire } from '#lib/contract/schemas';
import type { Issue } from '#lib/errors';
import type { MediaKind } from '#lib/media-kind';

/** One request of a press of Create: what was sent, and its outcome. Lists have the newest first. */
export interface Submission {
  /** Idempotency key, created before anything is sent and kept until there is an answer, so that it is charged once. */
  key: string;
  /** Id of its press: submissions of one press are shown together. */
  group: string;
  architecture: string;
  type: MediaKind;
  body: Record<string, unknown>;
  /** Price shown on the button, in gems; the server charges no more. */
  gems: number;
  /** Aspect ratio (width / height) of the expected result; null for audio. */
  aspect: number | null;
  createdAt: number;
  requestId?: string;
  refusal?: Refusal;
  /** Whether it was sent without an answer, and is retried automatically with the same key. */
  isWaiting?: boolean;
  /** Message of the last server error. */
  fault?: string | undefined;
  /** Whether at least one attempt may have been accepted. */
  isUnsure?: boolean | undefined;
  /** Place in a matrix that it fills. Such submissions are sent one after another, as there is room for them. */
  place?: string | undefined;
}

interface Refusal {
  code: string;
  message: string;
  issues: readonly Issue[];
  retryAfter?: number | undefined;
  /** Whether it was given up without a refusal under its key. Sent again, it keeps its key. */
  isGivenUp?: boolean | undefined;
}

const STORE = 'pomona.visit';
/** Storage key of the id of the account whose data this browser stores. */
const OWNER = 'pomona.owner';
const MOST = 120;
const NONE: readonly Submission[] = [];

let submissions: readonly Submission[] | undefined;
const { subscribe, tell } = createSignal();
export const onVisit = subscribe;

// an empty list is the same object as on the server, so that it causes no render after hydration
export const readVisit = (): readonly Submission[] => (submissions ??= readKept(STORE, NONE, 'sessionStorage'));

export function writeVisit(list: readonly Submission[]) {
  submissions = list.filter((submission, place) => place < MOST || isOpen(submission));
  keep(STORE, submissions, 'sessionStorage');
  tell();
}

/** Returns the submissions of this visit (this tab, including reloads), newest first. */
export const useVisit = (): readonly Submission[] => useSyncExternalStore(subscribe, readVisit, () => NONE);

/** Whether the outcome of a submission is still unknown. */
export const isOpen = ({ requestId, refusal }: Submission): boolean => !requestId && !refusal;

export const dismissSubmission = (key: string) => writeVisit(readVisit().filter(submission => submission.key !== key));

export type Accepted = (request: RequestWire) => void;

/**
 * After a reload, sends submissions without an answer again, each with its own key. Data that another user left in this
 * browser, drafts included, are deleted instead: they must not be charged to `account`, nor be readable for them.
 */
export function resumeVisit(account: string, onAccepted: Accepted): void {
  try {
    for (const storage of [localStorage, sessionStorage]) claim(storage, account);
  } catch {
    // storage is disabled, so there is nothing in it
  }
  // loaded only when needed: few pages send anything, and few visits are interrupted
  if (readVisit().some(isOpen))
    import('#components/generations/send-visit').then(
      ({ sendAgain }) => sendAgain(onAccepted),
      () => addEventListener('online', () => resumeVisit(account, onAccepted), { once: true }),
    );
}

function claim(storage: Storage, owner: string) {
  const before = storage.getItem(OWNER);
  if (before !== null && before !== owner) {
    for (const key of Object.keys(storage)) if (key.startsWith('pomona.')) storage.removeItem(key);
    if (storage === sessionStorage) writeVisit(NONE);
  }
  storage.setItem(OWNER, owner);
}
