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
/** The prompt of whichever form was used last goes along to one that has none yet. */
const LAST_PROMPT = 'pomona.prompt';

const drafts = new Map<string, DraftHistory>();
const { subscribe, tell } = createSignal();

/**
 * The draft of a model or a recipe, kept in this browser for each of them. The first render has the defaults, as the server's
 * does; what is kept is read after it.
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

/** The draft of a form as it is now, which may be later than what is drawn of it, or as it will be opened. */
export const draftOf = (entry: CatalogEntry): Config => withLastPrompt(entry, keptDraft(entry)).now;

/** Changes the draft of a form, whether it is on the page or not. It can be undone. */
export const changeDraft = (entry: CatalogEntry, next: (config: Config) => Config): void =>
  change(entry, draft => changedDraft(draft, next(draft.now), Date.now()));

export const undoDraft = (entry: CatalogEntry): void => change(entry, undoneDraft);

export const redoDraft = (entry: CatalogEntry): void => change(entry, redoneDraft);

function change(entry: CatalogEntry, next: (draft: DraftHistory) => DraftHistory) {
  const after = next(keptDraft(entry));
  if (after === drafts.get(entry.id)) return;
  drafts.set(entry.id, after);
  writeDraft(entry, after.now);
  tell();
}

const keptDraft = (entry: CatalogEntry): DraftHistory =>
  drafts.get(entry.id) ?? beginDraft(fitConfig(entry, readOwn<Config>(storeOf(entry.id), {})).config);

function withLastPrompt(entry: CatalogEntry, draft: DraftHistory): DraftHistory {
  // nothing goes along to the form of a recipe
  const prompt = draft.now.prompt || isRecipe(entry) ? null : readOwn<unknown>(LAST_PROMPT, null);
  return prompt && typeof prompt === 'string' ? { ...draft, now: { ...draft.now, prompt } } : draft;
}

function writeDraft(entry: CatalogEntry, config: Config) {
  keepOwn(storeOf(entry.id), changedFields(entry, config));
  if (!isRecipe(entry)) keepOwn(LAST_PROMPT, String(config.prompt ?? ''));
}

/** Each tab goes on with its own, whatever is written in others; a new one begins with what was written last. */
const readOwn = <T>(name: string, none: T): T => readKept(name, readKept(name, none), 'sessionStorage');

function keepOwn(name: string, value: unknown) {
  keep(name, value, 'sessionStorage');
  keep(name, value);
}
