import { useMemo } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { MediaFile } from '#components/media/picture';
import { charactersQuery, referencesQuery, uploadsQuery } from '#lib/client/cast-queries';

const UPLOAD = '/media/upload/';
const ENTITY = '/media/entity/';

/** Returns what is known of the files at these URLs. The account's uploads and cast have smaller renditions to show. */
export function useMediaFiles(urls: readonly string[]): MediaFile[] {
  const hasCast = urls.some(url => url.includes(ENTITY));
  const { data: uploads } = useInfiniteQuery({ ...uploadsQuery, enabled: urls.some(url => url.includes(UPLOAD)) });
  const { data: characters } = useQuery({ ...charactersQuery, enabled: hasCast });
  const { data: references } = useQuery({ ...referencesQuery, enabled: hasCast });
  return useMemo(() => {
    const cast = [
      ...(characters ?? []).flatMap(({ pictures }) => pictures),
      ...(references ?? []).map(({ picture }) => picture),
    ];
    const own = (uploads?.pages ?? []).flatMap(({ data }) => data);
    const known = new Map([...own, ...cast].map(file => [file?.url, file]));
    return urls.map(url => known.get(url) ?? unknown(url));
  }, [urls, uploads, characters, references]);
}

/** Placeholder for a URL. The account's own files count as large until known, to avoid loading them whole. */
const unknown = (url: string): MediaFile => ({
  url,
  bytes: url.includes(UPLOAD) || url.includes(ENTITY) ? Infinity : null,
});
