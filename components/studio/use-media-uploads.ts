'use client';

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '#client/errors';
import { withReason } from '#components/ui/on-demand';
import { createStore } from '#components/ui/store';
import { uploadsQuery } from '#lib/client/cast-queries';
import type { MediaKind } from '#lib/media-kind';

export interface PendingUpload {
  id: number;
  field: string;
  name: string;
  /** Address of the local bytes, to show at once. */
  preview: string;
  /** 0 to 1. */
  part: number;
  error?: string | undefined;
  /** Its address, once it is there: it waits for those of its field that were chosen before it. */
  url?: string;
  /** Sends it once more; not there when it is the file itself that cannot be used. */
  again?: (() => void) | undefined;
}

export interface MediaUploads {
  pending: readonly PendingUpload[];
  start: (field: string, media: MediaKind, file: File) => void;
  /** Stops an upload under way, or clears away one that failed. */
  stop: (id: number) => void;
}

/** How a file that cannot be used is refused. */
const OF_THE_FILE = [400, 413];

const createPending = () => createStore<readonly PendingUpload[]>([]);
/** Of forms whose drafts are kept, by their ids: what is on its way stays known while another form is on the page. */
const kept = new Map<string, ReturnType<typeof createPending>>();

function pendingOf(form: string) {
  const store = kept.get(form) ?? createPending();
  kept.set(form, store);
  return store;
}

/** The fields of a form that files are on their way to, as it is now. */
export const awaitedFields = (form: string): string[] =>
  pendingOf(form)
    .get()
    .map(({ field }) => field);

/** What is on its way to a form, and what failed, as it changes. */
export function usePendingUploads(form: string): readonly PendingUpload[] {
  const { get, subscribe } = pendingOf(form);
  return useSyncExternalStore(subscribe, get, get);
}

const controllers = new Map<number, AbortController>();
let next = 1;

/**
 * Uploads of a form: several at a time, each with its progress; `onDone` gets the address for the field. Those of a form whose draft
 * is kept, told by its id, outlive it as the draft does.
 */
export function useMediaUploads(onDone: (field: string, url: string) => void, form?: string): MediaUploads {
  const [own] = useState(createPending);
  const { get, set, subscribe } = form ? pendingOf(form) : own;
  const pending = useSyncExternalStore(subscribe, get, get);
  const queries = useQueryClient();

  const drop = useCallback(
    (id: number) => {
      controllers.get(id)?.abort();
      controllers.delete(id);
      for (const upload of get()) if (upload.id === id) URL.revokeObjectURL(upload.preview);
      set(get().filter(upload => upload.id !== id));
    },
    [get, set],
  );

  // nobody could stop what is on its way to a form that is gone
  useEffect(
    () => () => {
      for (const { id } of own.get()) drop(id);
    },
    [own, drop],
  );

  /** Hands over what is there, in the order in which it was chosen: the prompt names files by their numbers. */
  const handOver = useCallback(() => {
    const waiting = new Set<string>();
    for (const { id, field, url, error } of get()) {
      if (url === undefined && error === undefined) waiting.add(field);
      if (url === undefined || waiting.has(field)) continue;
      drop(id);
      onDone(field, url);
    }
  }, [get, drop, onDone]);

  const stop = useCallback(
    (id: number) => {
      drop(id);
      handOver();
    },
    [drop, handOver],
  );

  const start = useCallback<MediaUploads['start']>(
    (field, media, file) => {
      const id = next++;
      const change = (part: Partial<PendingUpload>) =>
        set(get().map(upload => (upload.id === id ? { ...upload, ...part } : upload)));
      set([...get(), { id, field, name: file.name, preview: URL.createObjectURL(file), part: 0 }]);
      void send();

      async function send() {
        const controller = new AbortController();
        controllers.set(id, controller);
        change({ part: 0, error: undefined, again: undefined });
        try {
          const { uploadFile } = await import('#lib/client/upload-file').catch(withReason);
          const { url } = await uploadFile(file, {
            media,
            inTurn: true,
            onProgress: part => change({ part }),
            signal: controller.signal,
          });
          change({ url, part: 1 });
          handOver();
          void queries.invalidateQueries({ queryKey: uploadsQuery.queryKey });
        } catch (error) {
          if (controller.signal.aborted) return;
          const { message, status = 0 } = error as Partial<ApiError>;
          change({ error: message, again: OF_THE_FILE.includes(status) ? undefined : () => void send() });
          handOver();
        }
      }
    },
    [handOver, queries, get, set],
  );

  return useMemo(() => ({ pending, start, stop }), [pending, start, stop]);
}
