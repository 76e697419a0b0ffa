'use client';

import { useCallback, useMemo, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '#client/errors';
import { uploadsQuery } from '#lib/client/queries';
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

/** Uploads of a form: several at a time, each with its progress; `onDone` gets the address for the field. */
export function useMediaUploads(onDone: (field: string, url: string) => void): MediaUploads {
  const [pending, setPending] = useState<readonly PendingUpload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const next = useRef(1);
  const queryClient = useQueryClient();

  const stop = useCallback((id: number) => {
    controllers.current.get(id)?.abort();
    controllers.current.delete(id);
    setPending(all => {
      for (const upload of all) if (upload.id === id) URL.revokeObjectURL(upload.preview);
      return all.filter(upload => upload.id !== id);
    });
  }, []);

  const start = useCallback<MediaUploads['start']>(
    (field, media, file) => {
      const id = next.current++;
      const change = (part: Partial<PendingUpload>) =>
        setPending(all => all.map(upload => (upload.id === id ? { ...upload, ...part } : upload)));
      setPending(all => [...all, { id, field, name: file.name, preview: URL.createObjectURL(file), part: 0 }]);
      void send();

      async function send() {
        const controller = new AbortController();
        controllers.current.set(id, controller);
        change({ part: 0, error: undefined, again: undefined });
        try {
          const { uploadFile } = await import('#lib/client/upload-file');
          const { url } = await uploadFile(file, {
            media,
            onProgress: part => change({ part }),
            signal: controller.signal,
          });
          if (!controllers.current.has(id)) return;
          stop(id);
          onDone(field, url);
          void queryClient.invalidateQueries({ queryKey: uploadsQuery.queryKey });
        } catch (error) {
          if (controller.signal.aborted) return;
          const { message, status = 0 } = error as Partial<ApiError>;
          change({ error: message, again: OF_THE_FILE.includes(status) ? undefined : () => void send() });
        }
      }
    },
    [onDone, queryClient, stop],
  );

  return useMemo(() => ({ pending, start, stop }), [pending, start, stop]);
}
