'use client';

import { useEffect, useRef } from 'react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { fitConfig, type Config } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { showComposer } from '#components/studio/show-composer';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { studioApi } from '#lib/client/studio-api';
import { api } from '#lib/client/queries';

/** Fills the form once as the URL asks (`settingsHref`, `remixHref`), and clears the query. */
export function useReuse(entry: CatalogEntry) {
  const query = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const done = useRef('');
  useEffect(() => {
    const asked = query.toString();
    const id = query.get('from');
    if (!id || done.current === asked) return;
    done.current = asked;
    const shared = query.get('shared');
    void fill(entry, shared ? readShared(shared, id) : readOwn(id, query.get('seed') === 'same'));
    router.replace(path, { scroll: false });
  }, [query, path, router, entry]);
  useEffect(() => {
    if (query.size === 0) done.current = '';
  }, [query]);
}

let newest: Promise<Config> | undefined;

async function fill(entry: CatalogEntry, reading: Promise<Config>) {
  newest = reading;
  try {
    const { config } = fitConfig(entry, await reading);
    // other settings were requested meanwhile
    if (newest !== reading) return;
    changeDraft(entry, () => config);
    showComposer();
  } catch (error) {
    toast({ title: 'The settings cannot be read.', description: (error as Error).message, tone: 'bad' });
  }
}

async function readOwn(id: string, keepSeed: boolean): Promise<Config> {
  const { config } = await api.getRequest({ params: { request_id: id } });
  const { seed, ...settings } = config;
  return keepSeed ? { ...settings, seed } : settings;
}

/** Returns the settings of a shared item without its seed. They include no media, which stay with their owner. */
async function readShared(token: string, id: string): Promise<Config> {
  const { items } = await studioApi.getShared({ params: { token }, query: { request_id: id } });
  const settings = items[0]?.settings;
  if (!settings) throw new Error('The page is shared without its settings.');
  const { seed: _seed, ...rest } = settings;
  return rest;
}
