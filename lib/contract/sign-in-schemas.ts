import '#lib/contract/without-eval';
import { z } from 'zod';
import { line, text } from '#lib/contract/values';

// Wire shapes of sign-up and sign-in under /api. Forms validate with the body schemas too.

/** An e-mail address, by the pattern of browsers' e-mail fields, which accepts operator@localhost too. */
export const email = z
  .string('an e-mail address such as ada@example.com, of at most 254 characters')
  .trim()
  .max(254)
  .regex(z.regexes.html5Email);

/** A password that is being chosen. */
export const newPassword = z.string('10 to 200 characters long').min(10).max(200);

/** A password that is being tried: lenient, so that any password ever chosen passes. */
export const password = z.string('1 to 200 characters long').min(1).max(200);

const isNotEmail = ({ email, password }: { email: string; password: string }) =>
  password.trim().toLowerCase() !== email.trim().toLowerCase();

/** A second-step code: six digits from an app, or a recovery code. */
const code = z.string('a code of 6 to 20 characters').trim().min(6).max(20);

export const signIn = z.object({
  email,
  password,
  /** Needed when the account has a second step, which the server reveals only after the right password. */
  code: code.optional(),
});

/** A WebAuthn response as browsers serialise it; the WebAuthn library checks the contents. */
const webauthn = <S extends z.ZodRawShape>(response: S) =>
  z.object({
    id: text(1, 2_000),
    rawId: text(1, 2_000),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: text(1, 4_000), ...response }),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  });
/** Options for the browser's WebAuthn API, passed on unchanged. */
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
/** Shown only this once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const signUp = z
  .object({
    email,
    name: line(100).nullish(),
    password: newPassword,
    /** Token of an invitation link, when SIGN_UP is `invite`. */
    invite: text(0, 200).optional(),
  })
  .refine(isNotEmail, { path: ['password'], error: 'something other than the e-mail address' });

/** Address to which a link is mailed. */
export const mailedLink = z.object({ email });
/** Address for a sign-up or password-reset link, and the page to show after its use. */
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
  /** Not needed by an account without a password. */
  current_password: password.optional(),
  password: newPassword,
});
