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

/** Callbacks for the outcome of a draft that was sent under a key. */
interface Sent {
  onSent: (key: string) => void;
  /** Called when a model's request was refused; the refusal may be stored under the key for good. */
  onRefused: (key: string) => void;
  onClose: () => void;
}

/** Sends an edit, by a recipe or a model, under the key of its draft. */
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
      // a submission that was given up stays on the stage, under its key
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

/** Uploads the drawing, submits it, and opens the page that `submit` returns, unless the dialog has been closed. */
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
      // navigating to another page closes the dialog by itself and leaves the focus on the new page
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
