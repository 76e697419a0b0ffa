import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { studioApi } from '#lib/client/studio-api';
import { awaitForms } from '#lib/client/await-forms';
import { charactersQuery, referencesQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import type { CharacterWire, ReferenceWire } from '#lib/contract/cast-schemas';

// Calls and queries of the cast pages, other than their lists.

/** Makes a character public, so that every account may mention it, or private again. */
export const setVisibility = (id: string, visibility: CharacterWire['visibility']): Promise<CharacterWire> =>
  studioApi[visibility === 'public' ? 'publishCharacter' : 'unpublishCharacter']({ params: { character_id: id } });

export const characterQuery = (id: string) =>
  queryOptions({
    queryKey: [...charactersQuery.queryKey, id],
    queryFn: ({ signal }) => api.getCharacter({ params: { character_id: id }, signal }),
    refetchInterval: ({ state }) => awaitForms(state.data?.pictures),
  });

/** Updates the cached queries with a saved or changed character. A new one goes to the front of the list. */
export function putCharacter(client: QueryClient, saved: CharacterWire): void {
  client.setQueryData(characterQuery(saved.id).queryKey, saved);
  client.setQueryData(charactersQuery.queryKey, all => withSaved(all, saved));
}

/** Updates the cached list with a saved or changed reference. */
export const putReference = (client: QueryClient, saved: ReferenceWire): void =>
  void client.setQueryData(referencesQuery.queryKey, all => withSaved(all, saved));

function withSaved<T extends { id: string }>(all: T[] | undefined, saved: T): T[] | undefined {
  const isThere = all?.some(({ id }) => id === saved.id);
  return isThere ? all?.map(other => (other.id === saved.id ? saved : other)) : all && [saved, ...all];
}

/** Whether a handle is free, with a similar free one as a suggestion. */
export const handleQuery = (handle: string) =>
  queryOptions({
    queryKey: ['handles', handle],
    queryFn: ({ signal }) => studioApi.getHandle({ params: { handle }, signal }),
    staleTime: 5000,
  });
