'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQueryClient } from '@tanstack/react-query';
import { usePress } from '#components/generations/use-press';
import { dismiss } from '#components/generations/visit';
import { aspectOf, baseConfig, changedFields, type Config } from '#components/studio/config';
import { priceOf } from '#lib/catalog/price';
import { api } from '#lib/client/queries';
import { runsQuery } from '#lib/client/recipe-queries';
import { uploadFile } from '#lib/client/upload-file';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** Uploads what was drawn, sends the edit and goes to where it is seen. */
export function useSend(onSent: () => void) {
  const router = useRouter();
  const client = useQueryClient();
  const press = usePress();
  const [fault, setFault] = useState('');
  const [isSending, setSending] = useState(false);

  async function sending(drawn: Promise<Blob>, send: (url: string) => Promise<string>) {
    setSending(true);
    setFault('');
    try {
      const { url } = await uploadFile(new File([await drawn], 'drawn.png', { type: 'image/png' }), { media: 'image' });
      const address = await send(url);
      onSent();
      router.push(address);
    } catch (error) {
      setFault((error as Error).message);
      setSending(false);
    }
  }

  const byRecipe = (recipe: RecipeWire, key: string, copy: Promise<Blob>, inputsOf: (url: string) => Config) =>
    sending(copy, async url => {
      const headers = { 'idempotency-key': key, 'max-gems': String(recipe.gems) };
      await api.startRun({ params: { recipe: recipe.id }, body: inputsOf(url), headers });
      void client.invalidateQueries({ queryKey: runsQuery(recipe.id).queryKey });
      return `/recipes/${recipe.id}`;
    });

  const byModel = (entry: CatalogEntry, mask: Promise<Blob>, fieldsOf: (url: string) => Config) =>
    sending(mask, async url => {
      const config = { ...baseConfig(entry), ...fieldsOf(url) };
      const { id: architecture, type } = entry;
      const [sent] = await press([
        {
          architecture,
          type,
          body: changedFields(entry, config),
          gems: priceOf(entry, config),
          aspect: aspectOf(entry, config),
        },
      ]);
      if (sent?.refusal) {
        dismiss(sent.key);
        throw new Error(sent.refusal.message);
      }
      return `/create/${architecture}`;
    });

  return { byRecipe, byModel, fault, isSending };
}
