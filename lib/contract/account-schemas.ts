import '#lib/contract/without-eval';
import { z } from 'zod';
import { timestamp } from '#lib/contract/schemas';
import { password } from '#lib/contract/sign-in-schemas';
import { count, line, text, uuid } from '#lib/contract/values';

// Wire shapes of an account and of who is signed in to it, under /api. Bodies are also the schemas of the forms.

export const account = z.object({
  id: uuid,
  email: z.string(),
  /** Whether its holder showed that they read its mail. */
  email_verified: z.boolean(),
  name: z.string().nullable(),
  operator: z.boolean(),
  balance: count,
  may_generate: z.boolean(),
  may_create_cast: z.boolean(),
  in_flight_limit: count,
  created_at: timestamp,
});

/** Null: what was sent is right, and nobody is signed in before the code of the second step comes with the password. */
export const signedIn = z.object({ account: account.nullable() });

export const signInWay = z.object({
  id: uuid,
  /** `password`, `passkey`, `github`, `google` or `oidc`. */
  provider: z.string(),
  /** What its holder calls a passkey. */
  name: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

const session = z.object({
  id: uuid,
  /** The browser that asks. */
  current: z.boolean(),
  /** Such as `Firefox on Windows`. */
  device: z.string(),
  /** Of the network, when it signed in. */
  address: z.string(),
  created_at: timestamp,
  /** To the minute. */
  last_used_at: timestamp,
});
export const sessionList = z.object({ data: z.array(session) });

/** Asked for after the password; null when it is not. */
export const secondStep = z.object({ since: timestamp, recovery_codes_left: count }).nullable();

export const profile = account.extend({ sign_ins: z.array(signInWay), second_step: secondStep });
export const patchProfile = z.object({ name: line(100).nullable() });
/** `confirm` repeats the account's e-mail address. */
export const deleteAccount = z.object({ confirm: text(0, 254), password: password.optional() });

export type AccountProfileWire = z.infer<typeof profile>;
export type SessionWire = z.infer<typeof session>;
export type AccountFactsWire = z.infer<typeof account>;

/** One of the limits of a deployment. */
export const limit = z.strictObject({
  /** The setting that changes it. */
  setting: z.string(),
  about: z.string(),
  unit: z.enum(['bytes', 'seconds']).nullable(),
  most: z.number(),
});

export const quotas = z.strictObject({ data: z.array(limit.extend({ used: z.number() })) });
