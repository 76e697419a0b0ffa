'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQueryClient } from '@tanstack/react-query';
import type { NewSubmission } from '#components/generations/send-visit';
import { usePress } from '#components/generations/use-press';
import { dismissSubmission } from '#components/generations/visit';
import { beginRun } from '#components/recipes/begin-run';
import { aspectOf, baseConfig, changedFields, type Config } from '#components/studio/config';
import { toast } from '#components/ui/toast';
import { useIsHere } from '#components/ui/use-is-here';
import { priceOf } from '#lib/catalog/price';
import { uploadFile } from '#lib/client/upload-file';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** What becomes of a draft that was sent under a key. */
interface Sent {
  onSent: (key: string) => void;
  /** A model refused it, which may stand under the key for good. */
  onRefused: (key: string) => void;
  onClose: () => void;
}

/** Sends an edit of what was drawn, by a recipe or by a model, under the key of its draft. */
export function useSend({ onSent, onRefused, onClose }: Sent) {
  const queries = useQueryClient();
  const press = usePress();
  const { send, fault, isSending } = useUploadAndGo({ onSent, onClose });

  const byRecipe = (recipe: RecipeWire, key: string, copy: Promise<Blob>, inputsOf: (url: string) => Config) =>
    send(key, copy, async url => {
      const request = await beginRun(queries, { recipe: recipe.id, inputs: inputsOf(url), key, gems: recipe.gems });
      return request ? `/create/${request.architecture}` : `/recipes/${recipe.id}#runs`;
    });

  const byModel = (entry: CatalogEntry, key: string, mask: Promise<Blob>, fieldsOf: (url: string) => Config) =>
    send(key, mask, async url => {
      const [sent] = await press([toSubmission(entry, { ...baseConfig(entry), ...fieldsOf(url) }, key)]);
      const refusal = sent?.refusal;
      // what was given up stands on the stage, under its key
      if (refusal && !refusal.isGivenUp) {
        onRefused(key);
        dismissSubmission(key);
      }
      if (refusal) throw new Error(refusal.message);
      return `/create/${entry.id}`;
    });

  return { byRecipe, byModel, fault, isSending };
}

const toSubmission = (entry: CatalogEntry, config: Config, key: string): NewSubmission => ({
  key,
  architecture: entry.id,
  type: entry.type,
  body: changedFields(entry, config),
  gems: priceOf(entry, config),
  aspect: aspectOf(entry, config),
});

/** Uploads what was drawn, sends what `submit` makes of it and goes to where that is seen, unless the dialog was closed meanwhile. */
function useUploadAndGo({ onSent, onClose }: Pick<Sent, 'onSent' | 'onClose'>) {
  const router = useRouter();
  const [fault, setFault] = useState('');
  const [isSending, setSending] = useState(false);
  const isHere = useIsHere();

  async function send(key: string, drawn: Promise<Blob>, submit: (url: string) => Promise<string>) {
    setSending(true);
    setFault('');
    try {
      const { url } = await uploadFile(new File([await drawn], 'drawn.png', { type: 'image/png' }), { media: 'image' });
      const address = await submit(url);
      onSent(key);
      if (!isHere.current) return;
      router.push(address);
      // the dialog goes with the page that it lies over: the focus is then on the next one
      if (new URL(address, location.href).pathname === location.pathname) onClose();
    } catch (error) {
      const { message } = error as Error;
      setFault(message);
      setSending(false);
      if (!isHere.current) toast({ title: 'Your edit was not confirmed.', description: message, tone: 'bad' });
    }
  }

  return { send, fault, isSending };
}
