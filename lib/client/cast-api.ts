import { queryOptions } from '@tanstack/react-query';
import { accountApi } from '#lib/client/account-api';
import { readApiError } from '#lib/client/api-error';
import type { CharacterWire } from '#lib/contract/cast-schemas';

// What the pages of the cast do beside `/v1`.

/** Makes a character public, so that everybody may mention it, or private again. */
export async function setVisibility(id: string, visibility: CharacterWire['visibility']): Promise<CharacterWire> {
  const response = await fetch(`/api/characters/${id}/publish`, {
    method: visibility === 'public' ? 'POST' : 'DELETE',
  });
  if (!response.ok) throw await readApiError(response);
  return (await response.json()) as CharacterWire;
}

/** Whether a handle is free, and one like it that is. */
export const handleQuery = (handle: string) =>
  queryOptions({
    queryKey: ['handles', handle],
    queryFn: ({ signal }) => accountApi.getHandle({ params: { handle }, signal }),
    staleTime: 5000,
  });
