'use client';

import { useCallback } from 'react';
import { useRouter } from 'next/navigation';
import { fitConfig, modelOf, type Config } from '#components/studio/config';
import type { Settings } from '#components/studio/read-snippet';
import { writeDraft } from '#components/studio/use-draft';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

type Update = (change: (config: Config) => Config) => void;

/** Fills the form from settings, going to the form of their architecture when it is another one. */
export function useTakeSettings(entry: CatalogEntry, entries: readonly CatalogEntry[], update: Update) {
  const router = useRouter();
  const take = useCallback(
    ({ architecture, config: given }: Settings) => {
      const target = architecture === undefined ? entry : entries.find(({ id }) => id === architecture);
      if (!target) {
        toast({ title: `There is no model ${architecture} here.`, description: 'Nothing was changed.', tone: 'bad' });
        return;
      }
      const { config, dropped } = fitConfig(target, given);
      if (target === entry) update(() => config);
      else {
        writeDraft(target, config);
        router.push(`/create/${target.id}`);
      }
      toast({
        title: `Settings of ${target.name}, ${modelOf(target, config)}`,
        description: dropped.length ? `Not used: ${dropped.join(', ')}.` : 'All of them are in the form.',
      });
    },
    [entry, entries, update, router],
  );
  const takeFile = useCallback(
    async (file: File): Promise<boolean> => {
      const { readFileSettings } = await import('#components/studio/read-file-settings');
      const settings = await readFileSettings(file);
      if (settings) take(settings);
      return settings !== null;
    },
    [take],
  );
  return { take, takeFile };
}
