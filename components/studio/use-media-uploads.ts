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
  /** Object URL of the local file, for an immediate preview. */
  preview: string;
  /** Progress from 0 to 1. */
  part: number;
  error?: string | undefined;
  /** URL of the uploaded file, held back until the earlier uploads to the same field are done. */
  url?: string;
  /** Retries a failed upload; undefined when the file itself was refused. */
  again?: (() => void) | undefined;
}

export interface MediaUploads {
  pending: readonly PendingUpload[];
  start: (field: string, media: MediaKind, file: File) => void;
  /** Stops an upload in progress, or removes a failed one. */
  stop: (id: number) => void;
}

/** HTTP statuses that refuse the file itself. */
const OF_THE_FILE = [400, 413];

const createPending = () => createStore<readonly PendingUpload[]>([]);
/** Uploads of forms with stored drafts, by form id: they stay known while another form is mounted. */
const kept = new Map<string, ReturnType<typeof createPending>>();

function pendingOf(form: string) {
  const store = kept.get(form) ?? createPending();
  kept.set(form, store);
  return store;
}

/** Returns the fields that have pending or failed uploads at the moment of the call. */
export const awaitedFields = (form: string): string[] =>
  pendingOf(form)
    .get()
    .map(({ field }) => field);

/** Returns the pending and failed uploads of a form, and re-renders when they change. */
export function usePendingUploads(form: string): readonly PendingUpload[] {
  const { get, subscribe } = pendingOf(form);
  return useSyncExternalStore(subscribe, get, get);
}

const controllers = new Map<number, AbortController>();
let next = 1;

/**
 * Uploads of a form: several in parallel, each with its progress; `onDone` gets the URL for the field. With the id of a
 * form whose draft is stored, uploads continue after the form unmounts.
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

  // uploads of a form without an id could no longer be stopped once it is unmounted
  useEffect(
    () => () => {
      for (const { id } of own.get()) drop(id);
    },
    [own, drop],
  );

  /** Delivers finished uploads in the order in which they were chosen, because the prompt names files by number. */
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
