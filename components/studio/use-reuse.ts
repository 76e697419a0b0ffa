'use client';

import { useEffect, useRef } from 'react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { fitConfig, type Config } from '#components/studio/config';
import { fieldFor, type MediaUse } from '#components/studio/entry-rules';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { accountApi } from '#lib/client/account-api';
import { api } from '#lib/client/queries';

type Update = (change: (config: Config) => Config) => void;

/** Fills the form as the address asks (`settingsHref`, `takeHref`), once, and clears the address. */
export function useReuse(entry: CatalogEntry, update: Update) {
  const query = useSearchParams();
  const path = usePathname();
  const router = useRouter();
  const done = useRef('');
  useEffect(() => {
    const asked = query.toString();
    const id = query.get('from') ?? query.get('take');
    if (!id || done.current === asked) return;
    done.current = asked;
    const use = query.get('as') as MediaUse | null;
    const shared = query.get('shared');
    const change = shared ? fetchRemix(entry, shared, id) : fetchChange(entry, id, use, query.get('seed') === 'same');
    change.then(
      change => update(change),
      (error: unknown) =>
        toast({ title: 'The settings cannot be read.', description: (error as Error).message, tone: 'bad' }),
    );
    router.replace(path, { scroll: false });
  }, [query, path, router, entry, update]);
  useEffect(() => {
    if (query.size === 0) done.current = '';
  }, [query]);
}

async function fetchChange(entry: CatalogEntry, id: string, use: MediaUse | null, keepSeed: boolean) {
  const request = await api.getRequest({ params: { request_id: id } });
  if (use) return (config: Config) => putMedia(entry, config, use, request.result?.url);
  const { seed, ...settings } = request.config;
  const { config } = fitConfig(entry, keepSeed ? { ...settings, seed } : settings);
  return () => config;
}

/** The settings of what somebody shared: with another seed, and without media, which stay with their owner. */
async function fetchRemix(entry: CatalogEntry, token: string, id: string) {
  const { items } = await accountApi.getShared({ params: { token } });
  const settings = items.find(({ request_id }) => request_id === id)?.settings;
  if (!settings) throw new Error('The page is shared without its settings.');
  const { seed: _seed, ...rest } = settings;
  const { config } = fitConfig(entry, rest);
  return () => config;
}

/** The config with an address in the field for that use: the first free place. */
function putMedia(entry: CatalogEntry, config: Config, use: MediaUse, url: string | undefined): Config {
  const target = fieldFor(entry, use);
  if (!target || !url) return config;
  const { field, isList } = target;
  if (isList) return { ...config, [field]: [url] };
  const more = use === 'reference' ? entry.image_inputs.references?.additional_field : null;
  if (!config[field] || !more) return { ...config, [field]: url };
  const urls = Array.isArray(config[more]) ? (config[more] as string[]) : [];
  return { ...config, [more]: [...urls, url] };
}
