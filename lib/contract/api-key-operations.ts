import { z } from 'zod';
import * as shape from '#lib/contract/api-key-schemas';
import { plain, type StudioOperation } from '#lib/contract/operation';
import { browser } from '#lib/contract/values';

const byKey = z.object({ key_id: z.string() });

/** Operations of an account holder on API keys and on what apps are granted. */
export const apiKeyOperations = {
  listKeys: {
    ...plain,
    auth: 'session',
    method: 'GET',
    path: '/api/account/keys',
    summary: 'API keys of the account, newest first, including the last hundred revoked or expired ones',
    responses: { 200: shape.keyList },
    errors: [],
  },
  createKey: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/api/account/keys',
    summary: 'Create an API key; the answer shows it, only this once',
    body: shape.newApiKey,
    responses: { 201: shape.createdApiKey },
    errors: ['invalid_request', 'quota_exceeded'],
  },
  rollKey: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/api/account/keys/{key_id}/roll',
    summary: 'Roll an API key: create a new secret, shown only this once; the old one goes on working for a while',
    params: byKey,
    body: shape.rollApiKey,
    responses: { 200: shape.createdApiKey },
    errors: ['invalid_request', 'not_found'],
  },
  changeKey: {
    ...plain,
    auth: 'session',
    method: 'PATCH',
    path: '/api/account/keys/{key_id}',
    summary: 'Change the monthly budget of an API key, or of an app, from the next request on',
    params: byKey,
    body: shape.changeApiKey,
    responses: { 200: shape.apiKey },
    errors: ['invalid_request', 'not_found'],
  },
  revokeKey: {
    ...plain,
    auth: 'session',
    method: 'DELETE',
    path: '/api/account/keys/{key_id}',
    summary: 'Revoke an API key from the next request on; with cancel, also cancel its live requests',
    params: byKey,
    query: z.object({ cancel: z.enum(['true', 'false']).default('false') }),
    responses: { 200: z.object({ key: shape.apiKey, cancelled: z.int().min(0) }) },
    errors: ['invalid_request', 'not_found'],
  },
  answerConsent: {
    ...plain,
    auth: 'session',
    method: 'POST',
    path: '/oauth/consent/{uid}/answer',
    headers: browser,
    summary: 'Authorize an app for the account, or refuse it; the answer says where the browser goes next',
    params: z.object({ uid: z.string() }),
    body: shape.consent,
    responses: { 200: z.object({ redirect_to: z.string() }) },
    errors: ['invalid_request', 'not_found', 'quota_exceeded'],
  },
} as const satisfies Record<string, StudioOperation>;
