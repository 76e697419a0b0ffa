import '#lib/contract/without-eval';
import { z } from 'zod';
import { line, text } from '#lib/contract/values';

// Wire shapes of the ways into an account, under /api. Bodies are also the schemas of the forms.

/** The pattern of browsers' e-mail fields: it takes operator@localhost too. */
export const email = z
  .string('an e-mail address such as ada@example.com, of at most 254 characters')
  .trim()
  .max(254)
  .regex(z.regexes.html5Email);

/** A password that is being chosen. */
export const newPassword = z.string('10 to 200 characters long').min(10).max(200);

/** A password that is being tried: whatever was chosen once. */
export const password = z.string('1 to 200 characters long').min(1).max(200);

const isNotEmail = ({ email, password }: { email: string; password: string }) =>
  password.trim().toLowerCase() !== email.trim().toLowerCase();

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
  .refine(isNotEmail, { path: ['password'], error: 'something other than the e-mail address' });

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
