'use client';

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { baseConfig, changedFields, fitConfig, isRecipe, type Config } from '#components/studio/config';
import {
  beginDraft,
  changedDraft,
  redoneDraft,
  undoneDraft,
  type DraftHistory,
} from '#components/studio/draft-history';
import { rememberArchitecture } from '#components/studio/last-architecture';
import { keep, readKept } from '#components/ui/kept';
import { createSignal } from '#components/ui/store';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const storeOf = (id: string) => `pomona.draft.${id}`;
/** Storage key of the prompt last written in any form; a form without a prompt starts with it. */
const LAST_PROMPT = 'pomona.prompt';

const drafts = new Map<string, DraftHistory>();
const { subscribe, tell } = createSignal();

/**
 * Returns the draft of a model or a recipe, each of which is stored in this browser. The first render has the defaults,
 * as on the server; the stored draft is read afterwards.
 */
export function useDraft(entry: CatalogEntry): DraftHistory {
  const blank = useMemo(() => beginDraft(baseConfig(entry)), [entry]);
  useEffect(() => {
    change(entry, draft => withLastPrompt(entry, draft));
    if (!isRecipe(entry)) rememberArchitecture(entry.id);
  }, [entry]);
  return useSyncExternalStore(
    subscribe,
    () => drafts.get(entry.id) ?? blank,
    () => blank,
  );
}

/** Returns the current draft of a form (maybe newer than the rendered one), or the one it will open with. */
export const draftOf = (entry: CatalogEntry): Config => withLastPrompt(entry, keptDraft(entry)).now;

/**
 * Changes the draft of a form, mounted or not, as a step that can be undone. Other forms start with its prompt, unless
 * it is not the user's own.
 */
export const changeDraft = (entry: CatalogEntry, next: (config: Config) => Config, { isOwnPrompt = true } = {}): void =>
  change(entry, draft => changedDraft(draft, next(draft.now), Date.now()), isOwnPrompt);

export const undoDraft = (entry: CatalogEntry): void => change(entry, undoneDraft);

export const redoDraft = (entry: CatalogEntry): void => change(entry, redoneDraft);

function change(entry: CatalogEntry, next: (draft: DraftHistory) => DraftHistory, isOwnPrompt = true) {
  const before = keptDraft(entry);
  const after = next(before);
  if (after === drafts.get(entry.id)) return;
  drafts.set(entry.id, after);
  keepOwn(storeOf(entry.id), changedFields(entry, after.now));
  const { prompt } = after.now;
  // an automatic prompt stays one when other fields change
  const isNew = !prompt || prompt !== before.now.prompt;
  if (isOwnPrompt && isNew && !isRecipe(entry)) keepOwn(LAST_PROMPT, String(prompt ?? ''));
  tell();
}

const keptDraft = (entry: CatalogEntry): DraftHistory =>
  drafts.get(entry.id) ?? beginDraft(fitConfig(entry, readOwn<Config>(storeOf(entry.id), {})).config);

function withLastPrompt(entry: CatalogEntry, draft: DraftHistory): DraftHistory {
  // the form of a recipe does not take over the last prompt
  const prompt = draft.now.prompt || isRecipe(entry) ? null : readOwn<unknown>(LAST_PROMPT, null);
  return prompt && typeof prompt === 'string' ? { ...draft, now: { ...draft.now, prompt } } : draft;
}

/** Each tab keeps its own values, whatever other tabs write; a new tab starts with the values written last. */
const readOwn = <T>(name: string, none: T): T => readKept(name, readKept(name, none), 'sessionStorage');

function keepOwn(name: string, value: unknown) {
  keep(name, value, 'sessionStorage');
  keep(name, value);
}
