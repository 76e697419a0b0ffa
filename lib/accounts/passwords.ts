import { hash, verify } from '@node-rs/argon2';
import { newPassword } from '#lib/contract/sign-in-schemas';
import { invalid } from '#lib/errors';
import { lengthOf, mustBe } from '#lib/issue';
import { randomToken } from '#lib/ids';
import { singleton } from '#lib/singleton';

/** Hashes a password with argon2id and the library's default parameters (19 MiB, 2 passes), which the hash contains. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Verifies a password. Takes as long without a stored hash, so that timing does not reveal which accounts exist. */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> =>
  verify(stored ?? (await nobodysHash()), password);

const nobodysHash = () => singleton('auth.nobodys-hash', () => hashPassword(randomToken(32)));

/** Throws `invalid_request` when a new password is not acceptable. */
export function requireGoodPassword(password: string, email: string): void {
  const path = '/password';
  const rule = newPassword.safeParse(password).error?.issues[0]?.message;
  if (rule) throw invalid('invalid_request', [mustBe(path, rule, password, { show: lengthOf })]);
  if (!sameText(password, email)) return;
  throw invalid('invalid_request', [{ path, message: 'password must be something other than the e-mail address.' }]);
}

const sameText = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
