import { queryOptions } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';

// Queries of what an account organises its requests with.

export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async ({ signal }) => (await studioApi.listCollections({ signal })).data,
  staleTime: 30_000,
});

/** A collection with all of its items. */
export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['collections', id],
    queryFn: ({ signal }) => studioApi.getCollection({ params: { collection_id: id }, signal }),
  });

export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: async ({ signal }) => (await studioApi.listShares({ signal })).data,
});

/** Presets and styles, newest first. */
export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: async ({ signal }) => (await studioApi.listPresets({ signal })).data,
  staleTime: 30_000,
});

/** Tags of the account, those on most requests first. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await studioApi.listTags({ signal })).data,
  staleTime: 30_000,
});
