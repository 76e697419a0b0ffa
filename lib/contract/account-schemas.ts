import '#lib/contract/without-eval';
import { z } from 'zod';
import { CHANNELS, NOTICES, type Mute } from '#lib/events';
import { SCOPES } from '#lib/scopes';
import { listOf, mediaType, timestamp } from '#lib/contract/schemas';
import { count, future, gems, line, text, uuid, wholeNumber } from '#lib/contract/values';

// Wire shapes of the session-only acts under /api. Bodies are also the schemas of the forms.

const amount = z.int().min(0);

/** The pattern of browsers' e-mail fields: it takes operator@localhost too. */
export const email = z
  .string('an e-mail address such as ada@example.com, of at most 254 characters')
  .trim()
  .max(254)
  .regex(z.regexes.html5Email);

/** A password that is being chosen. */
export const newPassword = z.string('10 to 200 characters long').min(10).max(200);

/** A password that is being tried: whatever was chosen once. */
const password = z.string('1 to 200 characters long').min(1).max(200);

const isNotEmail = ({ email, password }: { email: string; password: string }) =>
  password.trim().toLowerCase() !== email.trim().toLowerCase();

// sign-in

/** A code of the second step: six digits of an app, or a recovery code. */
const code = z.string('a code of 6 to 20 characters').trim().min(6).max(20);

export const signIn = z.object({
  email,
  password,
  /** Asked for after the right password where the account has a second step. */
  code: code.optional(),
});

/** What browsers make of WebAuthn's answers; the library checks what is in them. */
const webauthn = <S extends z.ZodRawShape>(response: S) =>
  z.object({
    id: text(1, 2_000),
    rawId: text(1, 2_000),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: text(1, 4_000), ...response }),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  });
/** For the browser's own interface, as it is. */
export const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
export const signedChallenge = webauthn({
  authenticatorData: text(1, 8_000),
  signature: text(1, 8_000),
  userHandle: text(0, 200).optional(),
});
export const newPasskey = z.object({
  name: line(60),
  credential: webauthn({
    attestationObject: text(1, 20_000),
    transports: z.array(text(1, 40)).max(10).default([]),
  }),
});

export const secondStepBegun = z.object({ secret: z.string(), uri: z.string() });
export const secondStepCode = z.object({ code });
/** Told this once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const signUp = z
  .object({
    email,
    name: line(100).nullish(),
    password: newPassword,
    /** The token of an invitation link, when SIGN_UP is `invite`. */
    invite: text(0, 200).optional(),
  })
  .refine(isNotEmail, { path: ['password'], error: 'something else than the e-mail address' });

/** Where a link is mailed to. */
export const mailedLink = z.object({ email });
/** The same for a way in, from which its reader goes on to a page. */
export const wayIn = mailedLink.extend({
  next: z
    .string('a path of the studio')
    .max(2_000)
    .regex(/^\/[!-~]*$/)
    .optional(),
});
export type WayInWire = z.infer<typeof wayIn>;
export const passwordReset = z.object({ token: text(1, 200), password: newPassword });
export const emailToken = z.object({ token: text(1, 200) });
export const changePassword = z.object({
  /** Not needed by an account that has no password yet. */
  current_password: password.optional(),
  password: newPassword,
});

export const account = z.object({
  id: uuid,
  email: z.string(),
  /** Whether its holder showed that they read its mail. */
  email_verified: z.boolean(),
  name: z.string().nullable(),
  operator: z.boolean(),
  balance: amount,
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

// API keys

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
  monthly_budget: amount.nullable(),
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

// notices

const MUTES = NOTICES.flatMap(kind => CHANNELS.map((channel): Mute => `${kind}:${channel}`));
export const noticeSettings = z.object({
  /** A charge that leaves fewer gems raises a notice; null: none does. */
  low_balance: gems(1).nullable(),
  /** What is switched off. */
  muted: z.array(z.enum(MUTES)),
});
export const notices = z.object({
  data: z.array(
    z.object({
      id: uuid,
      kind: z.enum(NOTICES),
      title: z.string(),
      text: z.string(),
      /** Where to do something about it: a path of the studio. */
      href: z.string(),
      seen: z.boolean(),
      created_at: timestamp,
    }),
  ),
  settings: noticeSettings,
  /** Whether this deployment sends mail. */
  mail: z.boolean(),
});
export const seenNotices = z.object({ newest: z.uuid('the id of a notice') });
export type NoticesWire = z.infer<typeof notices>;

// gems

export const autoTopUp = z.object({
  /** A submit that would leave fewer gems than this tops up first. */
  threshold: gems(),
  /** Gems bought at a time; several times as many when one is not enough for the price. */
  gems: gems(1),
  /** Most gems bought automatically in a calendar month (UTC). */
  monthly_limit: gems(1),
});

export const gemsOverview = z.object({
  balance: amount,
  /** Most requests that may be live at a time. */
  in_flight_limit: count,
  /** Gems of payments that went back and that were spent before; they are taken when gems are bought next. */
  owed: amount,
  auto_top_up: autoTopUp.nullable(),
  /** Gems bought automatically in this calendar month (UTC). */
  auto_topped_up: amount,
  payment: z.object({
    provider: z.enum(['manual', 'stripe']),
    /** Whether a top-up can be had now: an allowance from the operator, or Stripe. */
    available: z.boolean(),
    /** Whether auto top-up can pay now: an allowance, or a saved payment method. */
    automatic: z.boolean(),
    /** `manual`: gems still to be booked this month. */
    allowance: amount.nullable(),
    /** `stripe`: in the smallest unit of the currency, such as cents. */
    price_per_gem: z.number().positive().nullable(),
    currency: z.string().nullable(),
    /** Such as `visa …4242`. */
    method: z.string().nullable(),
  }),
});

export const topUp = z.object({ gems: gems(1) });
export const payment = z.object({
  id: uuid,
  provider: z.enum(['manual', 'stripe']),
  purpose: z.enum(['top_up', 'auto_top_up']),
  status: z.enum(['open', 'succeeded', 'failed']),
  gems: amount,
  /** In the smallest unit of the currency; null on the statement of a `manual` deployment. */
  amount: count.nullable(),
  currency: z.string().nullable(),
  /** What went back by refunds and disputes, in the same unit, and the gems that it had bought. */
  amount_returned: count,
  gems_returned: amount,
  error: z.string().nullable(),
  created_at: timestamp,
});
/** `url`: where the payment is made, when it is not made yet. */
export const openedTopUp = z.object({ payment, url: z.url().nullable(), balance: amount });

export const usage = z.object({
  days: z.int(),
  /** First and last day (UTC), both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  totals: z.object({ requests: count, failed: count, gems: amount }),
  /** Days and architectures without requests are left out. `gems` are net of refunds. */
  rows: z.array(
    z.object({
      date: z.iso.date(),
      architecture: z.string(),
      type: mediaType,
      requests: count,
      failed: count,
      gems: amount,
    }),
  ),
});

export const keyList = z.object({ data: z.array(apiKey) });
export const paymentList = listOf(payment);

export type AccountProfileWire = z.infer<typeof profile>;
export type SessionWire = z.infer<typeof session>;
export type AccountFactsWire = z.infer<typeof account>;
export type ApiKeyWire = z.infer<typeof apiKey>;
export type GemsOverviewWire = z.infer<typeof gemsOverview>;
export type PaymentWire = z.infer<typeof payment>;
export type UsageWire = z.infer<typeof usage>;

/** One of the limits of a deployment. */
export const limit = z.strictObject({
  /** The setting that changes it. */
  setting: z.string(),
  about: z.string(),
  unit: z.enum(['bytes', 'seconds']).nullable(),
  most: z.number(),
});

export const quotas = z.strictObject({ data: z.array(limit.extend({ used: z.number() })) });
