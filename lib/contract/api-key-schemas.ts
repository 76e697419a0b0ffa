import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { count, future, gems, line, uuid, wholeNumber } from '#lib/contract/values';
import { SCOPES } from '#lib/scopes';

// Wire shapes of API keys under /api, and of what apps are given. Bodies are also the schemas of the forms.

const scopes = z.array(z.enum(SCOPES)).min(1, 'at least one');

export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  /** The app that was let in and acts by it with tokens; nobody has the key. Null for a key that somebody has. */
  app: z.object({ returns_to: z.string() }).nullable(),
  last_four: z.string(),
  created_at: timestamp,
  /** What it may do; null: everything. */
  scopes: scopes.nullable(),
  /** To the minute. */
  last_used_at: timestamp.nullable(),
  /** Network address that it was used from then. */
  last_address: z.string().nullable(),
  expires_at: timestamp.nullable(),
  monthly_budget: count.nullable(),
  spent_this_month: z.int(),
  /** Most requests of the key that may be live at a time; null: as many as of the account. */
  in_flight_limit: count.nullable(),
  /** What it was before it was rolled, as long as that goes on working. */
  previous: z.object({ last_four: z.string(), until: timestamp, last_used_at: timestamp.nullable() }).nullable(),
  revoked_at: timestamp.nullable(),
});
export const newApiKey = z.object({
  name: line(100),
  /** Left out or null: everything, whatever comes. */
  scopes: scopes.nullish(),
  expires_at: future().nullish(),
  monthly_budget: gems().nullish(),
  in_flight_limit: wholeNumber(1, 10_000).nullish(),
});
export const changeApiKey = z.object({ monthly_budget: gems().nullable() });
/** What a person gives an app that asks to act for them. */
export const given = newApiKey.pick({ expires_at: true, monthly_budget: true }).extend({ scopes });
/** Null: nothing. */
export const consent = z.object({ given: given.nullable() });
/** Hours that the key goes on working as it was. */
export const rollApiKey = z.object({ overlap_hours: wholeNumber(0, 168).default(24) });
/** `key` is shown this once. */
export const createdApiKey = apiKey.extend({ key: z.string() });

export const keyList = z.object({ data: z.array(apiKey) });

export type ApiKeyWire = z.infer<typeof apiKey>;
