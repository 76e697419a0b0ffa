import { z } from 'zod';
import type { AccountOperation } from '#lib/contract/engine-operations';
import * as shape from '#lib/contract/library-schemas';
import { described, ids, none, text } from '#lib/contract/values';

const plain = { params: none, query: none, headers: none, auth: 'session', invalid: 'invalid_request' } as const;
const byCollection = z.object({ collection_id: z.string() });
const byShare = z.object({ share_id: z.string() });
const byPreset = z.object({ preset_id: z.string() });
const missing = ['invalid_request', 'not_found'] as const;

/** What an account puts together for itself, and shows to others. */
export const libraryOperations = {
  listCollections: {
    ...plain,
    method: 'GET',
    path: '/api/collections',
    summary: 'Collections of the account, the last changed first',
    responses: { 200: shape.collectionList },
    errors: [],
  },
  createCollection: {
    ...plain,
    method: 'POST',
    path: '/api/collections',
    summary: 'Make a collection, of these requests if there are any',
    body: shape.newCollection,
    responses: { 201: shape.collectionDetail },
    errors: ['invalid_request', 'request_not_found', 'quota_exceeded'],
  },
  getCollection: {
    ...plain,
    method: 'GET',
    path: '/api/collections/{collection_id}',
    summary: 'A collection with everything in it, in the order that its owner gave it',
    params: byCollection,
    responses: { 200: shape.collectionDetail },
    errors: ['not_found'],
  },
  changeCollection: {
    ...plain,
    method: 'PATCH',
    path: '/api/collections/{collection_id}',
    summary: 'Change name, notes or cover',
    params: byCollection,
    body: shape.patchCollection,
    responses: { 200: shape.collectionDetail },
    errors: missing,
  },
  removeCollection: {
    ...plain,
    method: 'DELETE',
    path: '/api/collections/{collection_id}',
    summary: 'Remove a collection; what is in it stays in the history',
    params: byCollection,
    responses: { 204: null },
    errors: ['not_found'],
  },
  putItems: {
    ...plain,
    method: 'PUT',
    path: '/api/collections/{collection_id}/items',
    summary: 'Put requests into a collection, or move those that are in it',
    params: byCollection,
    body: shape.putItems,
    responses: { 200: shape.collectionDetail },
    errors: [...missing, 'request_not_found', 'quota_exceeded'],
  },
  takeItems: {
    ...plain,
    method: 'DELETE',
    path: '/api/collections/{collection_id}/items',
    summary: 'Take requests out of a collection',
    params: byCollection,
    query: z.object({ ids: ids(200) }),
    responses: { 200: shape.collectionDetail },
    errors: missing,
  },

  listShares: {
    ...plain,
    method: 'GET',
    path: '/api/shares',
    summary: 'Pages that the account shares, newest first',
    responses: { 200: shape.shareList },
    errors: [],
  },
  createShare: {
    ...plain,
    method: 'POST',
    path: '/api/shares',
    summary: 'Share a page of a result or a collection; the same once more gives the page that there is',
    body: shape.newShare,
    responses: { 201: shape.share },
    errors: ['invalid_request', 'not_found', 'request_not_found', 'media_expired', 'quota_exceeded'],
  },
  endShare: {
    ...plain,
    method: 'DELETE',
    path: '/api/shares/{share_id}',
    summary: 'End a shared page: its address leads nowhere from then on',
    params: byShare,
    responses: { 204: null },
    errors: ['not_found'],
  },
  getShared: {
    ...plain,
    auth: 'anyone',
    method: 'GET',
    path: '/api/shared/{token}',
    summary: 'What a shared page shows',
    params: z.object({ token: z.string() }),
    responses: { 200: shape.shared },
    errors: ['not_found', 'media_expired'],
  },

  listPresets: {
    ...plain,
    method: 'GET',
    path: '/api/presets',
    summary: 'Presets and styles of the account, newest first',
    responses: { 200: shape.presetList },
    errors: [],
  },
  createPreset: {
    ...plain,
    method: 'POST',
    path: '/api/presets',
    summary: 'Save settings under a name, or a part of a prompt as a style',
    body: shape.newPreset,
    responses: { 201: shape.preset },
    errors: ['invalid_request', 'quota_exceeded'],
  },
  renamePreset: {
    ...plain,
    method: 'PATCH',
    path: '/api/presets/{preset_id}',
    summary: 'Give a preset or style another name',
    params: byPreset,
    body: shape.patchPreset,
    responses: { 200: shape.preset },
    errors: missing,
  },
  removePreset: {
    ...plain,
    method: 'DELETE',
    path: '/api/presets/{preset_id}',
    summary: 'Remove a preset or style',
    params: byPreset,
    responses: { 204: null },
    errors: ['not_found'],
  },
  findPrompts: {
    ...plain,
    method: 'GET',
    path: '/api/prompts',
    summary: 'The last prompts of the account, each once, newest first',
    query: z.object({ q: described('Words of the prompt', text(1, 200).optional()) }),
    responses: { 200: shape.promptList },
    errors: ['invalid_request'],
  },
} as const satisfies Record<string, AccountOperation>;
