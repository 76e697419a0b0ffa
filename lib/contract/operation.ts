import type { z } from 'zod';
import type { AnswerHeader } from '#lib/contract/answer-headers';
import { meantAccount, none } from '#lib/contract/values';
import type { ErrorCode, InvalidCode } from '#lib/errors';
import type { Scope } from '#lib/scopes';

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
  /** Absent: no body is read. One that takes undefined may be left out. */
  body?: z.ZodType;
  /** How large the body may be, in bytes and in names and values, where others of its kind may not. */
  large?: { bytes: number; values: number };
  responses: Record<number, z.ZodType | null>;
  /** Headers that answers with a status may have, beside those of every operation. */
  tells?: Record<number, readonly AnswerHeader[]>;
  /** The answer comes line by line, as things happen: each line is JSON of the shape that the response has. */
  lines?: true;
  /** Refusals beside those that any operation can give. */
  errors: readonly ErrorCode[];
  /** The code of every 400 of this operation. */
  invalid: InvalidCode;
}

/** What an operation is where it says nothing else: it reads nothing but its path. */
export const plain = { params: none, query: none, headers: none, invalid: 'invalid_request' } as const;

/** Every header that an operation takes: those of an account are held to whom it is meant for. */
export const takenHeaders = ({ auth, headers }: Operation): z.ZodObject =>
  auth === 'anyone' ? headers : headers.extend({ 'pomona-account': meantAccount });

/** Whether all of the body has a default. */
export const mayLeaveOut = (body: z.ZodType): boolean => body.safeParse(undefined).success;

/** Refusals that any operation can give. */
export const ANYWHERE = [
  'unauthorized',
  'forbidden',
  'request_too_large',
  'too_many_requests',
  'rate_limited',
  'internal_error',
  'out_of_space',
] as const;

/** Every refusal that an operation can give: whatever takes a header can refuse it. */
export const refusalsOf = (operation: Operation): ErrorCode[] => {
  const takesHeaders = Object.keys(takenHeaders(operation).shape).length > 0;
  return [...new Set([...operation.errors, ...(takesHeaders ? [operation.invalid] : []), ...ANYWHERE])];
};

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

/** An act of the app: for anyone, for whoever is signed in in this browser, or for an operator who is. API keys do not count. */
export type StudioOperation = Operation & Required<Pick<Operation, 'auth'>>;
