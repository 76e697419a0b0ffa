import type { z } from 'zod';
import type { AnswerHeader } from '#lib/contract/answer-headers';
import { meantAccount, none } from '#lib/contract/values';
import type { ErrorCode, InvalidCode } from '#lib/errors';
import type { Scope } from '#lib/scopes';

/** An endpoint: its inputs, responses and errors. A response of `null` has no body. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call; by default, any caller with an API key or a session. */
  auth?: 'anyone' | 'session' | 'recent session' | 'operator';
  /** Scope that an API key needs; a session may do everything. */
  scope?: Scope;
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  /** Request headers beside Authorization, in lower case. */
  headers: z.ZodObject;
  /** Schema of the body; without one, no body is read. A body is optional when its schema accepts undefined. */
  body?: z.ZodType;
  /** Body limits in bytes and in names and values, where the usual ones are too small. */
  large?: { bytes: number; values: number };
  responses: Record<number, z.ZodType | null>;
  /** Further response headers, by status. */
  tells?: Record<number, readonly AnswerHeader[]>;
  /** Whether the response is streamed as JSON lines, each of the shape in `responses`. */
  lines?: true;
  /** Errors beside those that any operation can return. */
  errors: readonly ErrorCode[];
  /** Error code of every 400 of this operation. */
  invalid: InvalidCode;
}

/** Defaults of an operation: it reads only its path. */
export const plain = { params: none, query: none, headers: none, invalid: 'invalid_request' } as const;

/** Returns every header that an operation takes; operations of an account also take `Pomona-Account`. */
export const takenHeaders = ({ auth, headers }: Operation): z.ZodObject =>
  auth === 'anyone' ? headers : headers.extend({ 'pomona-account': meantAccount });

/** Whether the body can be left out: its schema accepts undefined. */
export const mayLeaveOut = (body: z.ZodType): boolean => body.safeParse(undefined).success;

/** Errors that any operation can return. */
export const ANYWHERE = [
  'unauthorized',
  'forbidden',
  'request_too_large',
  'too_many_requests',
  'rate_limited',
  'internal_error',
  'out_of_space',
] as const;

/** Returns every error of an operation. Any operation that takes headers can refuse them as invalid. */
export const refusalsOf = (operation: Operation): ErrorCode[] => {
  const takesHeaders = Object.keys(takenHeaders(operation).shape).length > 0;
  return [...new Set([...operation.errors, ...(takesHeaders ? [operation.invalid] : []), ...ANYWHERE])];
};

/** Sections of the `/v1` reference, in order. */
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

/** An operation of the app: for anyone, a browser's session or an operator's session. API keys are not accepted. */
export type StudioOperation = Operation & Required<Pick<Operation, 'auth'>>;
