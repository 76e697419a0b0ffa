import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { count, future, gems, line, uuid, wholeNumber } from '#lib/contract/values';
import { SCOPES } from '#lib/scopes';

// Wire shapes of API keys under /api, and of what apps are granted. Forms validate with the body schemas too.

const scopes = z.array(z.enum(SCOPES)).min(1, 'at least one');

export const apiKey = z.object({
  id: uuid,
  name: z.string(),
  /** App that acts through this key with tokens; the key itself is never handed out. Null for an ordinary key. */
  app: z.object({ returns_to: z.string() }).nullable(),
  last_four: z.string(),
  created_at: timestamp,
  /** What the key may do; null: everything. */
  scopes: scopes.nullable(),
  /** Time of last use, to the minute. */
  last_used_at: timestamp.nullable(),
  /** Network address of that last use. */
  last_address: z.string().nullable(),
  expires_at: timestamp.nullable(),
  monthly_budget: count.nullable(),
  spent_this_month: z.int(),
  /** Maximum number of live requests of the key; null: only the account's own limit applies. */
  in_flight_limit: count.nullable(),
  /** The key before it was rolled, while that one still works. */
  previous: z.object({ last_four: z.string(), until: timestamp, last_used_at: timestamp.nullable() }).nullable(),
  revoked_at: timestamp.nullable(),
});
export const newApiKey = z.object({
  name: line(100),
  /** Left out or null: everything, including scopes added later. */
  scopes: scopes.nullish(),
  expires_at: future().nullish(),
  monthly_budget: gems().nullish(),
  in_flight_limit: wholeNumber(1, 10_000).nullish(),
});
export const changeApiKey = z.object({ monthly_budget: gems().nullable() });
/** What a user grants an app that asks to act for them. */
export const given = newApiKey.pick({ expires_at: true, monthly_budget: true }).extend({ scopes });
/** What the user grants; null when they decline. */
export const consent = z.object({ given: given.nullable() });
/** Hours for which the previous key continues to work. */
export const rollApiKey = z.object({ overlap_hours: wholeNumber(0, 168).default(24) });
/** `key` is shown only this once. */
export const createdApiKey = apiKey.extend({ key: z.string() });

export const keyList = z.object({ data: z.array(apiKey) });

export type ApiKeyWire = z.infer<typeof apiKey>;
