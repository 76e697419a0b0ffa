import { hash, verify } from '@node-rs/argon2';
import { newPassword } from '#lib/contract/sign-in-schemas';
import { invalid } from '#lib/errors';
import { lengthOf, mustBe } from '#lib/issue';
import { randomToken } from '#lib/ids';
import { singleton } from '#lib/singleton';

/** argon2id with the library's parameters: 19 MiB, 2 passes; they are part of the hash. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Takes as long when there is no password to compare with, so that time does not tell who has an account. */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> =>
  verify(stored ?? (await nobodysHash()), password);

const nobodysHash = () => singleton('auth.nobodys-hash', () => hashPassword(randomToken(32)));

/** Throws when the password must not be chosen. */
export function requireGoodPassword(password: string, email: string): void {
  const length = newPassword.safeParse(password);
  const rule =
    length.error?.issues[0]?.message ?? (sameText(password, email) && 'something other than the e-mail address');
  if (!rule) return;
  throw invalid('invalid_request', [mustBe('/password', rule, password, { show: lengthOf })]);
}

const sameText = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
