'use client';

import { useCallback, useEffect, useState } from 'react';
import { baseConfig, changedFields, fitConfig, type Config } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const storeOf = (id: string) => `pomona.draft.${id}`;
/** The prompt of whichever form was used last goes along to one that has none yet. */
const LAST_PROMPT = 'pomona.prompt';
/** Read by the server too, so that /create opens where one left. */
const LAST_ARCHITECTURE = 'architecture';

type Update = (change: (config: Config) => Config) => void;

/** The config of a form, kept in this browser for each architecture. The first render has the defaults, as the server's does. */
export function useDraft(entry: CatalogEntry): [Config, Update] {
  const [config, setConfig] = useState(() => baseConfig(entry));
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const { config: draft } = fitConfig(entry, readDraft(entry.id));
    // oxlint-disable-next-line react/set-state-in-effect -- storage exists in the browser only
    setConfig(draft);
    setRead(true);
    document.cookie = `${LAST_ARCHITECTURE}=${entry.id}; path=/create; samesite=lax; max-age=31536000`;
  }, [entry]);
  useEffect(() => {
    if (isRead) writeDraft(entry, config);
  }, [entry, config, isRead]);
  return [config, useCallback(change => setConfig(change), [])];
}

function readDraft(id: string): Config {
  try {
    const draft = JSON.parse(localStorage.getItem(storeOf(id)) ?? '{}') as Config;
    return { ...draft, prompt: draft.prompt || localStorage.getItem(LAST_PROMPT) || '' };
  } catch {
    // storage is switched off, or something else wrote there
    return {};
  }
}

/** Leaves a config for the form of that architecture to open with. */
export function writeDraft(entry: CatalogEntry, config: Config) {
  try {
    localStorage.setItem(storeOf(entry.id), JSON.stringify(changedFields(entry, config)));
    localStorage.setItem(LAST_PROMPT, String(config.prompt ?? ''));
  } catch {
    // full or switched off: the form itself still has it
  }
}
