import { z } from 'zod';
import type { ErrorCode } from '#lib/errors';
import { architectureList } from '#lib/contract/catalog-entry';
import * as cast from '#lib/contract/cast-schemas';
import * as wire from '#lib/contract/schemas';
import { MEDIA_KINDS } from '#lib/media-kind';

/** One endpoint: what it takes, what it answers, how it can refuse. `null` is an answer without a body. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call; without it, whoever has an API key or a session. */
  auth?: 'anyone' | 'session' | 'operator';
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  /** Request headers beside Authorization, lower case. */
  headers: z.ZodObject;
  /** Absent: no body is read. */
  body?: z.ZodType;
  responses: Record<number, z.ZodType | null>;
  /** Refusals beside unauthorized, request_too_large and internal_error, which any operation can give. */
  errors: readonly ErrorCode[];
  /** The code of every 400 of this operation (decision 2). */
  invalid: 'invalid_config' | 'invalid_request';
}

const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine(n => n >= from && n <= to, `a whole number from ${from} to ${to}`)
    .meta({ type: 'integer', minimum: from, maximum: to });

const none = z.object({});
const said = <S extends z.ZodType>(description: string, schema: S) => schema.meta({ description });
const page = z.object({
  limit: said('How many at most; 50 when left out', whole(1, 200).default(50)),
  cursor: said('next_cursor of the page before', z.string().min(1).max(200).optional()),
});
const byArchitecture = z.object({ architecture: said('An id of the catalog', z.string()) });
const byRequest = z.object({ request_id: z.string() });
const byUpload = z.object({ upload_id: z.string() });
const byCharacter = z.object({ character_id: z.string() });
const byReference = z.object({ reference_id: z.string() });
const body = z.record(z.string(), z.unknown(), 'a JSON object: a partial config of the architecture');

const statuses = wire.requestStatus.options;
const list = <const T extends string>(words: readonly T[]) =>
  z
    .string()
    .transform(text => text.split(','))
    .pipe(z.array(z.enum(words)).max(words.length));

const flag = z.enum(['true', 'false']).transform(text => text === 'true');

const requestFilter = page.extend({
  status: said('One or more of them, separated by commas', list(statuses).optional()),
  architecture: said('Those of one architecture', z.string().min(1).max(100).optional()),
  type: said('image, video, audio, separated by commas', list(MEDIA_KINDS).optional()),
  q: said('Words of the prompt', z.string().min(1).max(200).optional()),
  mention: said(
    'Those that mentioned this handle',
    z
      .string()
      .regex(/^@?[a-z][a-z0-9_-]{0,14}$/i, 'the handle of a character or reference')
      .transform(text => text.replace('@', '').toLowerCase())
      .optional(),
  ),
  favourite: said('true: only favourites, false: only others', flag.optional()),
  removed: said('true: only those removed from the history, false: only those that are in it', flag.optional()),
  ids: said(
    'Up to 50 request ids, separated by commas: to poll many at once',
    z
      .string()
      .transform(text => text.split(','))
      .pipe(z.array(z.uuid('request ids separated by commas')).max(50, 'at most 50 request ids'))
      .optional(),
  ),
});

const submitErrors = [
  'invalid_config',
  'insufficient_gems',
  'content_blocked',
  'forbidden',
  'architecture_not_found',
  'price_above_limit',
  'submission_in_progress',
  'architecture_retired',
  'too_many_requests',
  'content_restricted',
] as const;

/** Every operation of `/v1`. Drives parsing, the response check, OpenAPI, the client and the conformance test. */
export const operations = {
  generate: {
    method: 'POST',
    path: '/v1/{architecture}/generate',
    summary: 'Submit a generation',
    params: byArchitecture,
    query: none,
    headers: z.object({
      'idempotency-key': said(
        'Yours to choose, new for each submit: sent again, it answers with the first request and charges nothing',
        z.string().min(1, '1 to 255 characters').max(255, '1 to 255 characters').optional(),
      ),
      'max-gems': said('Refuses a higher price; nothing is charged then', whole(0, 999_999_999).optional()),
      'pomona-account': said(
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
    method: 'POST',
    path: '/v1/{architecture}/estimate',
    summary: 'Price a generation without submitting it',
    params: byArchitecture,
    query: none,
    headers: none,
    body,
    responses: { 200: wire.estimate },
    errors: [
      'invalid_config',
      'content_blocked',
      'architecture_not_found',
      'architecture_retired',
      'content_restricted',
    ],
    invalid: 'invalid_config',
  },
  listArchitectures: {
    method: 'GET',
    path: '/v1/architectures',
    summary: 'The catalog: every architecture with its fields, tokens, defaults, schema and price',
    params: none,
    query: none,
    headers: z.object({
      'if-none-match': said('The ETag of an earlier answer: 304 when nothing changed', z.string().optional()),
    }),
    responses: { 200: architectureList, 304: null },
    errors: [],
    invalid: 'invalid_request',
  },
  listRequests: {
    method: 'GET',
    path: '/v1/requests',
    summary: 'Requests of the account, newest first',
    params: none,
    query: requestFilter,
    headers: none,
    responses: { 200: wire.listOf(wire.request) },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  getRequest: {
    method: 'GET',
    path: '/v1/requests/{request_id}',
    summary: 'A request with its resolved config, mentions and inputs',
    params: byRequest,
    query: none,
    headers: none,
    responses: { 200: wire.requestDetail },
    errors: ['request_not_found'],
    invalid: 'invalid_request',
  },
  deleteRequest: {
    method: 'DELETE',
    path: '/v1/requests/{request_id}',
    summary: 'Remove a finished request from the history, and its media; its row stays readable',
    params: byRequest,
    query: none,
    headers: none,
    responses: { 204: null },
    errors: ['request_not_found', 'request_live'],
    invalid: 'invalid_request',
  },
  setFavourite: {
    method: 'PUT',
    path: '/v1/requests/{request_id}/favourite',
    summary: 'Mark a request as a favourite',
    params: byRequest,
    query: none,
    headers: none,
    responses: { 200: wire.request },
    errors: ['request_not_found'],
    invalid: 'invalid_request',
  },
  unsetFavourite: {
    method: 'DELETE',
    path: '/v1/requests/{request_id}/favourite',
    summary: 'Take the mark of a favourite away',
    params: byRequest,
    query: none,
    headers: none,
    responses: { 200: wire.request },
    errors: ['request_not_found'],
    invalid: 'invalid_request',
  },
  getStatus: {
    method: 'GET',
    path: '/v1/requests/{request_id}/status',
    summary: 'State of a request; with wait, answers when it is final or the time is up',
    params: byRequest,
    query: z.object({ wait: said('Seconds to wait for a final state', whole(0, 60).default(0)) }),
    headers: z.object({
      'if-none-match': said('The ETag of an earlier answer: 304 when nothing changed', z.string().optional()),
    }),
    responses: { 200: wire.request, 304: null },
    errors: ['invalid_request', 'request_not_found'],
    invalid: 'invalid_request',
  },
  cancelRequest: {
    method: 'POST',
    path: '/v1/requests/{request_id}/cancel',
    summary: 'Stop a live request; nothing is refunded',
    params: byRequest,
    query: none,
    headers: none,
    responses: { 200: wire.request },
    errors: ['request_not_found', 'request_finished'],
    invalid: 'invalid_request',
  },
  getAccount: {
    method: 'GET',
    path: '/v1/account',
    summary: 'The gem balance',
    params: none,
    query: none,
    headers: none,
    responses: { 200: wire.account },
    errors: [],
    invalid: 'invalid_request',
  },
  listLedger: {
    method: 'GET',
    path: '/v1/account/ledger',
    summary: 'Every movement of gems, newest first',
    params: none,
    query: page,
    headers: none,
    responses: { 200: wire.listOf(wire.ledgerEntry) },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  listUploads: {
    method: 'GET',
    path: '/v1/uploads',
    summary: 'Uploads of the account, newest first',
    params: none,
    query: page,
    headers: none,
    responses: { 200: wire.listOf(cast.upload) },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  createUpload: {
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Open an upload: a signed address that takes one file',
    params: none,
    query: none,
    headers: none,
    body: cast.newUpload,
    responses: { 200: cast.uploadTicket },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  deleteUpload: {
    method: 'DELETE',
    path: '/v1/uploads/{upload_id}',
    summary: 'Remove an upload and its file',
    params: byUpload,
    query: none,
    headers: none,
    responses: { 204: null },
    errors: ['upload_not_found'],
    invalid: 'invalid_request',
  },
  listCharacters: {
    method: 'GET',
    path: '/v1/characters',
    summary: 'Saved characters of the account, newest first',
    params: none,
    query: page,
    headers: none,
    responses: { 200: wire.listOf(cast.character) },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  createCharacter: {
    method: 'POST',
    path: '/v1/characters',
    summary: 'Save a character',
    params: none,
    query: none,
    headers: none,
    body: cast.newCharacter,
    responses: { 201: cast.character },
    errors: ['invalid_request', 'forbidden', 'handle_taken'],
    invalid: 'invalid_request',
  },
  getCharacter: {
    method: 'GET',
    path: '/v1/characters/{character_id}',
    summary: 'A saved character of the account',
    params: byCharacter,
    query: none,
    headers: none,
    responses: { 200: cast.character },
    errors: ['character_not_found'],
    invalid: 'invalid_request',
  },
  deleteCharacter: {
    method: 'DELETE',
    path: '/v1/characters/{character_id}',
    summary: 'Delete a character; its handle is free from then on',
    params: byCharacter,
    query: none,
    headers: none,
    responses: { 204: null },
    errors: ['character_not_found'],
    invalid: 'invalid_request',
  },
  listReferences: {
    method: 'GET',
    path: '/v1/references',
    summary: 'Saved references of the account, newest first',
    params: none,
    query: page,
    headers: none,
    responses: { 200: wire.listOf(cast.reference) },
    errors: ['invalid_request'],
    invalid: 'invalid_request',
  },
  createReference: {
    method: 'POST',
    path: '/v1/references',
    summary: 'Save a reference',
    params: none,
    query: none,
    headers: none,
    body: cast.newReference,
    responses: { 201: cast.reference },
    errors: ['invalid_request', 'forbidden', 'handle_taken'],
    invalid: 'invalid_request',
  },
  getReference: {
    method: 'GET',
    path: '/v1/references/{reference_id}',
    summary: 'A saved reference of the account',
    params: byReference,
    query: none,
    headers: none,
    responses: { 200: cast.reference },
    errors: ['reference_not_found'],
    invalid: 'invalid_request',
  },
  deleteReference: {
    method: 'DELETE',
    path: '/v1/references/{reference_id}',
    summary: 'Delete a reference; its handle is free from then on',
    params: byReference,
    query: none,
    headers: none,
    responses: { 204: null },
    errors: ['reference_not_found'],
    invalid: 'invalid_request',
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
