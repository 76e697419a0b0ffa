import { createHmac } from 'node:crypto';
import { randomToken } from '#lib/ids';
import { isSameSecret, secret } from '#lib/secrets';

// a browser that has signed in to an account before can still sign in while others guess the password

const seal = (accountId: string, device: string): string =>
  createHmac('sha256', secret('session')).update(`device ${accountId} ${device}`).digest('base64url');

/** Creates a token by which a browser is recognised later. The token grants no access. */
export function makeDeviceToken(accountId: string): string {
  const device = randomToken(16);
  return `${device}.${seal(accountId, device)}`;
}

/** Returns the device of a token; null unless the device has signed in to the account. */
export function findDevice(token: string, accountId: string): string | null {
  const [device = '', sealed = ''] = token.split('.');
  return isSameSecret(seal(accountId, device), sealed) ? device : null;
}
