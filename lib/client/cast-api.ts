import { queryOptions } from '@tanstack/react-query';
import { accountApi } from '#lib/client/account-api';
import type { CharacterWire } from '#lib/contract/cast-schemas';

// What the pages of the cast do beside `/v1`.

/** Makes a character public, so that everybody may mention it, or private again. */
export const setVisibility = (id: string, visibility: CharacterWire['visibility']): Promise<CharacterWire> =>
  accountApi[visibility === 'public' ? 'publishCharacter' : 'unpublishCharacter']({ params: { character_id: id } });

/** Whether a handle is free, and one like it that is. */
export const handleQuery = (handle: string) =>
  queryOptions({
    queryKey: ['handles', handle],
    queryFn: ({ signal }) => accountApi.getHandle({ params: { handle }, signal }),
    staleTime: 5000,
  });
