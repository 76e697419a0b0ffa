import type { Config } from '#components/studio/config';

/** A draft with its undo and redo history. */
export interface DraftHistory {
  past: readonly Config[];
  now: Config;
  future: readonly Config[];
  /** Field of the last change, when it changed a single one, and the time of that change in milliseconds. */
  last?: { field: string; at: number };
}

const MOST = 100;
/** Changes of the same field that are less than this apart form one undo step. */
const PAUSE_MS = 800;

export const beginDraft = (now: Config): DraftHistory => ({ past: [], now, future: [] });

/** Returns the draft after a change at time `at`. Typing into one field without a pause is a single undo step. */
export function changedDraft(before: DraftHistory, next: Config, at: number): DraftHistory {
  const [field, more] = fieldsThatDiffer(before.now, next);
  if (field === undefined) return before;
  const isOngoing = more === undefined && before.last?.field === field && at - before.last.at < PAUSE_MS;
  return {
    past: isOngoing ? before.past : [...before.past, before.now].slice(-MOST),
    now: next,
    future: [],
    ...(more === undefined && { last: { field, at } }),
  };
}

export function undoneDraft({ past, now, future }: DraftHistory): DraftHistory {
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : { past, now, future };
}

export function redoneDraft({ past, now, future }: DraftHistory): DraftHistory {
  const [next, ...rest] = future;
  return next ? { past: [...past, now], now: next, future: rest } : { past, now, future };
}

const fieldsThatDiffer = (a: Config, b: Config): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    name => JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
