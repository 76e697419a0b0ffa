import { z } from 'zod';
import type { ErrorCode, InvalidCode } from '#lib/errors';
import { architectureList } from '#lib/contract/catalog-entry';
import type { Scope } from '#lib/scopes';
import * as cast from '#lib/contract/cast-schemas';
import * as wire from '#lib/contract/schemas';
import { recipeOperations } from '#lib/contract/recipe-operations';
import * as hooks from '#lib/contract/webhook-schemas';
import { described, flag, ids, none, page, tag, text, whole, words } from '#lib/contract/values';

/** One endpoint: what it takes, what it answers, how it can refuse. `null` is an answer without a body. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call; without it, whoever has an API key or a session. */
  auth?: 'anyone' | 'session' | 'recent session' | 'operator';
  /** What an API key must be allowed to do; a session may do everything. */
  scope?: Scope;
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  /** Request headers beside Authorization, lower case. */
  headers: z.ZodObject;
  /** Absent: no body is read. */
  body?: z.ZodType;
  /** How large the body may be, in bytes and in names and values, where others of its kind may not. */
  large?: { bytes: number; values: number };
  responses: Record<number, z.ZodType | null>;
  /** The answer comes line by line, as things happen: each line is JSON of the shape that the response has. */
  lines?: true;
  /** Refusals beside those that any operation can give. */
  errors: readonly ErrorCode[];
  /** The code of every 400 of this operation. */
  invalid: InvalidCode;
}

/** Refusals that any operation can give. */
export const ANYWHERE = [
  'unauthorized',
  'forbidden',
  'request_too_large',
  'rate_limited',
  'internal_error',
  'out_of_space',
] as const;

const byArchitecture = z.object({ architecture: described('An id of the catalog', z.string()) });
/** What operations of `/v1` belong to, in the order of the reference. */
export const TAGS = [
  'Requests',
  'Catalog',
  'Recipes',
  'Account',
  'Uploads',
  'Characters',
  'References',
  'Webhooks',
] as const;

export interface PublicOperation extends Operation {
  tag: (typeof TAGS)[number];
  scope: Scope;
}

const byRequest = z.object({ request_id: z.string() });
const byUpload = z.object({ upload_id: z.string() });
const byCharacter = z.object({ character_id: z.string() });
const byWebhook = z.object({ webhook_id: z.string() });
const byDelivery = byWebhook.extend({ delivery_id: z.string() });
const byReference = z.object({ reference_id: z.string() });
const byTag = byRequest.extend({ tag: tag() });
/** What of it is right is for the architecture to say. */
const body = z
  .record(z.string(), z.unknown(), 'a JSON object: a partial config of the architecture')
  .meta({ id: 'GenerateRequest' });

const requestFilter = page.extend({
  status: described('One or more of them, separated by commas', words(wire.requestStatus.options).optional()),
  architecture: described('Those of one architecture', text(1, 100).optional()),
  type: described('image, video, audio, separated by commas', words(wire.mediaType.options).optional()),
  q: described('Words of the prompt', text(1, 200).optional()),
  mention: described(
    'Those that mentioned this handle',
    z
      .string('the handle of a character or reference')
      .regex(/^@?[a-z][a-z0-9_-]{0,14}$/i)
      .transform(text => text.replace('@', '').toLowerCase())
      .optional(),
  ),
  favourite: described('true: only favourites, false: only others', flag().optional()),
  kept: described('true: only those whose result is kept', flag().optional()),
  expiring: described('true: only those whose result expires within a week', flag().optional()),
  collection: described('Those of this collection of the studio', z.uuid('the id of a collection').optional()),
  tag: described('Those that the account has given this tag', tag().optional()),
  removed: described('true: only those removed from the history, false: only those that are in it', flag().optional()),
  ids: described('Up to 50 request ids, separated by commas: to poll many at once', ids(50).optional()),
});

const submitErrors = [
  'invalid_config',
  'insufficient_gems',
  'content_blocked',
  'quota_exceeded',
  'architecture_not_found',
  'price_above_limit',
  'submission_in_progress',
  'architecture_retired',
  'too_many_requests',
  'content_restricted',
] as const;

const plain = { params: none, query: none, headers: none, invalid: 'invalid_request' } as const;

/** Every operation of `/v1`. Drives parsing, the response check, OpenAPI, the client and the conformance test. */
export const operations = {
  generate: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'POST',
    path: '/v1/{architecture}/generate',
    summary: 'Submit a generation',
    params: byArchitecture,
    headers: z.object({
      'idempotency-key': described(
        'Yours to choose, new for each submit: sent again, it answers with the first request and charges nothing',
        z.string('text of 1 to 255 characters').min(1).max(255).optional(),
      ),
      'max-gems': described('Refuses a higher price; nothing is charged then', whole(0, 999_999_999).optional()),
      'pomona-webhook': described(
        'An https address that is told when this request ends, beside the webhooks of the account',
        z.string('an https address of at most 2,000 characters').min(1).max(2_000).optional(),
      ),
      'pomona-account': described(
        'The account that is to pay: refuses to charge another one, whose session took the place of the first meanwhile',
        z.uuid('the id of an account').optional(),
      ),
    }),
    body,
    responses: { 202: wire.request, 200: wire.request },
    errors: submitErrors,
    invalid: 'invalid_config',
  },
  estimate: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'POST',
    path: '/v1/{architecture}/estimate',
    summary: 'Price a generation without submitting it',
    params: byArchitecture,
    body,
    responses: { 200: wire.estimate },
    errors: [
      'invalid_config',
      'content_blocked',
      'architecture_not_found',
      'architecture_retired',
      'too_many_requests',
      'content_restricted',
    ],
    invalid: 'invalid_config',
  },
  listArchitectures: {
    ...plain,
    tag: 'Catalog',
    scope: 'read',
    method: 'GET',
    path: '/v1/architectures',
    summary: 'The catalog: every architecture with its fields, tokens, defaults, schema and price',
    headers: z.object({
      'if-none-match': described('The ETag of an earlier answer: 304 when nothing changed', z.string().optional()),
    }),
    responses: { 200: architectureList, 304: null },
    errors: [],
  },
  listRequests: {
    ...plain,
    tag: 'Requests',
    scope: 'read',
    method: 'GET',
    path: '/v1/requests',
    summary: 'Requests of the account, newest first',
    query: requestFilter,
    responses: { 200: wire.requestList },
    errors: ['invalid_request'],
  },
  getRequest: {
    ...plain,
    tag: 'Requests',
    scope: 'read',
    method: 'GET',
    path: '/v1/requests/{request_id}',
    summary: 'A request with its resolved config, mentions and inputs',
    params: byRequest,
    responses: { 200: wire.requestDetail },
    errors: ['request_not_found'],
  },
  deleteRequest: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'DELETE',
    path: '/v1/requests/{request_id}',
    summary: 'Remove a finished request from the history, and its media; its row stays readable',
    params: byRequest,
    responses: { 204: null },
    errors: ['request_not_found', 'request_live'],
  },
  setFavourite: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'PUT',
    path: '/v1/requests/{request_id}/favourite',
    summary: 'Mark a request as a favourite',
    params: byRequest,
    responses: { 200: wire.request },
    errors: ['request_not_found'],
  },
  unsetFavourite: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'DELETE',
    path: '/v1/requests/{request_id}/favourite',
    summary: 'Take the mark of a favourite away',
    params: byRequest,
    responses: { 200: wire.request },
    errors: ['request_not_found'],
  },
  keepResult: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'PUT',
    path: '/v1/requests/{request_id}/keep',
    summary: 'Keep the result beyond its 30 days; it counts as stored by the account',
    params: byRequest,
    responses: { 200: wire.request },
    errors: ['request_not_found', 'media_expired', 'quota_exceeded'],
  },
  releaseResult: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'DELETE',
    path: '/v1/requests/{request_id}/keep',
    summary: 'Give the result back to its 30 days, or to a week where those are over',
    params: byRequest,
    responses: { 200: wire.request },
    errors: ['request_not_found', 'media_expired'],
  },
  addTag: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'PUT',
    path: '/v1/requests/{request_id}/tags/{tag}',
    summary: 'Give a request a tag, to find it again; 20 at most',
    params: byTag,
    responses: { 200: wire.requestDetail },
    errors: ['invalid_request', 'request_not_found', 'quota_exceeded'],
  },
  removeTag: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'DELETE',
    path: '/v1/requests/{request_id}/tags/{tag}',
    summary: 'Take a tag away from a request',
    params: byTag,
    responses: { 200: wire.requestDetail },
    errors: ['invalid_request', 'request_not_found'],
  },
  getRequestStatus: {
    ...plain,
    tag: 'Requests',
    scope: 'read',
    method: 'GET',
    path: '/v1/requests/{request_id}/status',
    summary: 'State of a request; with wait, answers when it is final or the time is up',
    params: byRequest,
    query: z.object({ wait: described('Seconds to wait for a final state', whole(0, 60).default(0)) }),
    headers: z.object({
      'if-none-match': described('The ETag of an earlier answer: 304 when nothing changed', z.string().optional()),
    }),
    responses: { 200: wire.request, 304: null },
    errors: ['invalid_request', 'request_not_found'],
  },
  cancelRequest: {
    ...plain,
    tag: 'Requests',
    scope: 'generate',
    method: 'POST',
    path: '/v1/requests/{request_id}/cancel',
    summary: 'Stop a live request; nothing is refunded',
    params: byRequest,
    responses: { 200: wire.request },
    errors: ['request_not_found', 'request_finished'],
  },
  ...recipeOperations,
  getAccount: {
    ...plain,
    tag: 'Account',
    scope: 'account',
    method: 'GET',
    path: '/v1/account',
    summary: 'The gem balance',
    responses: { 200: wire.account },
    errors: [],
  },
  listLedger: {
    ...plain,
    tag: 'Account',
    scope: 'account',
    method: 'GET',
    path: '/v1/account/ledger',
    summary: 'Every movement of gems, newest first',
    query: page,
    responses: { 200: wire.ledgerList },
    errors: ['invalid_request'],
  },
  listUploads: {
    ...plain,
    tag: 'Uploads',
    scope: 'read',
    method: 'GET',
    path: '/v1/uploads',
    summary: 'Uploads of the account, newest first',
    query: page,
    responses: { 200: cast.uploadList },
    errors: ['invalid_request'],
  },
  createUpload: {
    ...plain,
    tag: 'Uploads',
    scope: 'uploads',
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Open an upload: a signed address that takes one file',
    body: cast.newUpload,
    responses: { 200: cast.uploadTicket },
    errors: ['invalid_request', 'quota_exceeded'],
  },
  deleteUpload: {
    ...plain,
    tag: 'Uploads',
    scope: 'uploads',
    method: 'DELETE',
    path: '/v1/uploads/{upload_id}',
    summary: 'Remove an upload and its file',
    params: byUpload,
    responses: { 204: null },
    errors: ['upload_not_found'],
  },
  listCharacters: {
    ...plain,
    tag: 'Characters',
    scope: 'read',
    method: 'GET',
    path: '/v1/characters',
    summary: 'Saved characters of the account, newest first',
    query: page,
    responses: { 200: cast.characterList },
    errors: ['invalid_request'],
  },
  createCharacter: {
    ...plain,
    tag: 'Characters',
    scope: 'cast',
    method: 'POST',
    path: '/v1/characters',
    summary: 'Save a character',
    body: cast.newCharacter,
    responses: { 201: cast.character },
    errors: ['invalid_request', 'quota_exceeded', 'handle_taken', 'too_many_requests'],
  },
  getCharacter: {
    ...plain,
    tag: 'Characters',
    scope: 'read',
    method: 'GET',
    path: '/v1/characters/{character_id}',
    summary: 'A saved character of the account',
    params: byCharacter,
    responses: { 200: cast.character },
    errors: ['character_not_found'],
  },
  changeCharacter: {
    ...plain,
    tag: 'Characters',
    scope: 'cast',
    method: 'PATCH',
    path: '/v1/characters/{character_id}',
    summary: 'Change a character; its handle stays, and requests keep what they used',
    params: byCharacter,
    body: cast.patchCharacter,
    responses: { 200: cast.character },
    errors: ['invalid_request', 'quota_exceeded', 'character_not_found', 'too_many_requests'],
  },
  deleteCharacter: {
    ...plain,
    tag: 'Characters',
    scope: 'cast',
    method: 'DELETE',
    path: '/v1/characters/{character_id}',
    summary: 'Delete a character; its handle is free from then on',
    params: byCharacter,
    responses: { 204: null },
    errors: ['character_not_found'],
  },
  listReferences: {
    ...plain,
    tag: 'References',
    scope: 'read',
    method: 'GET',
    path: '/v1/references',
    summary: 'Saved references of the account, newest first',
    query: page,
    responses: { 200: cast.referenceList },
    errors: ['invalid_request'],
  },
  createReference: {
    ...plain,
    tag: 'References',
    scope: 'cast',
    method: 'POST',
    path: '/v1/references',
    summary: 'Save a reference',
    body: cast.newReference,
    responses: { 201: cast.reference },
    errors: ['invalid_request', 'quota_exceeded', 'handle_taken', 'too_many_requests'],
  },
  getReference: {
    ...plain,
    tag: 'References',
    scope: 'read',
    method: 'GET',
    path: '/v1/references/{reference_id}',
    summary: 'A saved reference of the account',
    params: byReference,
    responses: { 200: cast.reference },
    errors: ['reference_not_found'],
  },
  changeReference: {
    ...plain,
    tag: 'References',
    scope: 'cast',
    method: 'PATCH',
    path: '/v1/references/{reference_id}',
    summary: 'Change a reference; its handle stays, and requests keep what they used',
    params: byReference,
    body: cast.patchReference,
    responses: { 200: cast.reference },
    errors: ['invalid_request', 'quota_exceeded', 'reference_not_found', 'too_many_requests'],
  },
  deleteReference: {
    ...plain,
    tag: 'References',
    scope: 'cast',
    method: 'DELETE',
    path: '/v1/references/{reference_id}',
    summary: 'Delete a reference; its handle is free from then on',
    params: byReference,
    responses: { 204: null },
    errors: ['reference_not_found'],
  },
  listWebhooks: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'Addresses that are told what happens, newest first',
    responses: { 200: hooks.webhookList },
    errors: [],
  },
  createWebhook: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Have an address told what happens; the answer shows its secret this once',
    body: hooks.newWebhook,
    responses: { 201: hooks.createdWebhook },
    errors: ['invalid_request', 'quota_exceeded'],
  },
  getWebhook: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'A webhook of the account',
    params: byWebhook,
    responses: { 200: hooks.webhook },
    errors: ['webhook_not_found'],
  },
  changeWebhook: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Change a webhook, or switch it off or on; off, it gives up what it still owes',
    params: byWebhook,
    body: hooks.patchWebhook,
    responses: { 200: hooks.webhook },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  deleteWebhook: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook and what it still owes',
    params: byWebhook,
    responses: { 204: null },
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/secret',
    summary: 'Give a webhook another secret, shown this once; messages are signed with both for a while',
    params: byWebhook,
    body: hooks.rotateSecret,
    responses: { 200: hooks.createdWebhook },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  testWebhook: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    summary: 'Send a message that says nothing but that messages arrive',
    params: byWebhook,
    responses: { 202: hooks.delivery },
    errors: ['invalid_request', 'webhook_not_found', 'webhook_disabled'],
  },
  listDeliveries: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    summary: 'Messages to a webhook with how each try went, newest first; kept for 14 days',
    params: byWebhook,
    query: page.extend({
      status: described('One or more of them, separated by commas', words(hooks.deliveryStatus.options).optional()),
    }),
    responses: { 200: hooks.deliveryList },
    errors: ['invalid_request', 'webhook_not_found'],
  },
  getDelivery: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
    summary: 'A message to a webhook with what was sent',
    params: byDelivery,
    responses: { 200: hooks.deliveryDetail },
    errors: ['webhook_not_found'],
  },
  resendDelivery: {
    ...plain,
    tag: 'Webhooks',
    scope: 'account',
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
    summary: 'Send a message again at once, under its own id',
    params: byDelivery,
    responses: { 202: hooks.delivery },
    errors: ['webhook_not_found', 'webhook_disabled'],
  },
} as const satisfies Record<string, PublicOperation>;

export type OperationId = keyof typeof operations;
