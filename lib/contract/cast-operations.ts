import { z } from 'zod';
import { character, handle } from '#lib/contract/cast-schemas';
import { plain, type StudioOperation } from '#lib/contract/operation';

const byCharacter = z.object({ character_id: z.string() });

/** Cast operations that the pages use beside `/v1`. */
export const castOperations = {
  getHandle: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/handles/{handle}',
    summary: 'Whether a handle is free, and if not, a similar free one; only saving reserves it',
    params: z.object({ handle }),
    responses: { 200: z.object({ handle, available: z.boolean(), suggestion: handle.nullable() }) },
    errors: ['invalid_request'],
  },
  publishCharacter: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/api/characters/{character_id}/publish',
    summary: 'Publish a character so that everybody may mention it',
    params: byCharacter,
    responses: { 200: character },
    errors: ['character_not_found'],
  },
  unpublishCharacter: {
    ...plain,
    auth: 'session',
    method: 'DELETE',
    path: '/api/characters/{character_id}/publish',
    summary: 'Make a character private again',
    params: byCharacter,
    responses: { 200: character },
    errors: ['character_not_found'],
  },
} as const satisfies Record<string, StudioOperation>;
