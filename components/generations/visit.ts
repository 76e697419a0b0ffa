'use client';

import { useSyncExternalStore } from 'react';
import { keep, readKept } from '#components/ui/kept';
import { createSignal } from '#components/ui/store';
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
  /** What the server said the last time, when it could not take it. */
  fault?: string | undefined;
  /** One try at least may have been accepted, for all that is known. */
  isUnsure?: boolean | undefined;
  /** The place in a matrix that it fills. Such ones are sent one after another, as there is room for them. */
  place?: string | undefined;
}

interface Refusal {
  code: string;
  message: string;
  issues: readonly Issue[];
  retryAfter?: number | undefined;
  /** Nobody refused this under its key, but it is sent no more. Sent again it keeps its key. */
  isGivenUp?: boolean | undefined;
}

const STORE = 'pomona.visit';
/** Whose the studio's memory in this browser is. */
const OWNER = 'pomona.owner';
const MOST = 120;
const NONE: readonly Submission[] = [];

let submissions: readonly Submission[] | undefined;
const { subscribe, tell } = createSignal();
export const onVisit = subscribe;

// what the server drew stands as it is while there is nothing
export const readVisit = (): readonly Submission[] => (submissions ??= readKept(STORE, NONE, 'sessionStorage'));

export function writeVisit(list: readonly Submission[]) {
  submissions = list.filter((submission, place) => place < MOST || isOpen(submission));
  keep(STORE, submissions, 'sessionStorage');
  tell();
}

/** The submissions of this visit (this tab, reloads included), newest first. */
export const useVisit = (): readonly Submission[] => useSyncExternalStore(subscribe, readVisit, () => NONE);

/** Nobody knows yet what came of it. */
export const isOpen = ({ requestId, refusal }: Submission): boolean => !requestId && !refusal;

export const dismissSubmission = (key: string) => writeVisit(readVisit().filter(submission => submission.key !== key));

export type Accepted = (request: RequestWire) => void;

/**
 * After a reload: whatever has no answer yet is sent again under its own key. What somebody else left in this browser,
 * drafts included, is forgotten instead: it must not be charged to `account`, nor be read by them.
 */
export function resumeVisit(account: string, onAccepted: Accepted): void {
  try {
    for (const storage of [localStorage, sessionStorage]) claim(storage, account);
  } catch {
    // storage is switched off: nothing is left in it
  }
  // few pages send anything, and few visits are broken off
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
