import { useMemo } from 'react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MediaFile } from '#components/media/picture';
import { charactersQuery, referencesQuery, uploadsQuery } from '#lib/client/cast-queries';
import { findMade } from '#lib/client/find-made';

const UPLOAD = '/media/upload/';
const ENTITY = '/media/entity/';

/** Returns what is known of the files at these URLs. Results, uploads and the cast have smaller renditions to show. */
export function useMediaFiles(urls: readonly string[]): MediaFile[] {
  const queries = useQueryClient();
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
    return urls.map(url => known.get(url) ?? findMade(queries, url) ?? unknown(url));
  }, [urls, uploads, characters, references, queries]);
}

/**
 * Placeholder for a URL. Uploads and the cast count as large until known, to avoid loading them whole, and so do files
 * from elsewhere, which the browser may not load.
 */
const unknown = (url: string): MediaFile => ({ url, bytes: IS_SHOWN.test(url) ? null : Infinity });

/** Results beyond the loaded lists, and files that are their own address. */
const IS_SHOWN = /^data:|\/media\/(?!upload\/|entity\/)/;
