import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { password } from '#lib/contract/sign-in-schemas';
import { count, line, text, uuid } from '#lib/contract/values';

// Wire shapes of accounts, their sign-in methods and sessions, under /api. Forms validate with the body schemas too.

export const account = z.object({
  id: uuid,
  email: z.string(),
  /** Whether the account holder is known to receive mail at the address, by a mailed link or a sign-in provider. */
  email_verified: z.boolean(),
  name: z.string().nullable(),
  operator: z.boolean(),
  balance: count,
  may_generate: z.boolean(),
  may_create_cast: z.boolean(),
  in_flight_limit: count,
  created_at: timestamp,
});

/** `account` is null when the password is right but a second-step code is needed before the session starts. */
export const signedIn = z.object({ account: account.nullable() });

export const signInWay = z.object({
  id: uuid,
  /** `password`, `passkey`, `github`, `google` or `oidc`. */
  provider: z.string(),
  /** Name that the account holder gave a passkey. */
  name: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

const session = z.object({
  id: uuid,
  /** Whether this is the session that makes the request. */
  current: z.boolean(),
  /** Browser and system, such as `Firefox on Windows`. */
  device: z.string(),
  /** Network address at sign-in. */
  address: z.string(),
  created_at: timestamp,
  /** Time of last use, to the minute. */
  last_used_at: timestamp,
});
export const sessionList = z.object({ data: z.array(session) });

/** Second step that is asked for after the password; null when it is off. */
export const secondStep = z.object({ since: timestamp, recovery_codes_left: count }).nullable();

export const profile = account.extend({ sign_ins: z.array(signInWay), second_step: secondStep });
export const patchProfile = z.object({ name: line(100).nullable() });
/** `confirm` repeats the account's e-mail address. */
export const deleteAccount = z.object({ confirm: text(0, 254), password: password.optional() });

export type AccountProfileWire = z.infer<typeof profile>;
export type SessionWire = z.infer<typeof session>;
export type AccountFactsWire = z.infer<typeof account>;

/** A limit of the deployment. */
export const limit = z.strictObject({
  /** Name of the setting that changes the limit. */
  setting: z.string(),
  about: z.string(),
  unit: z.enum(['bytes', 'seconds']).nullable(),
  most: z.number(),
});

export const quotas = z.strictObject({ data: z.array(limit.extend({ used: z.number() })) });
