import { createHmac } from 'node:crypto';
import { randomToken } from '#lib/ids';
import { isSameSecret, secret } from '#lib/secrets';

// a browser that signed in to an account before keeps a way in while others try its password

const seal = (accountId: string, device: string): string =>
  createHmac('sha256', secret('session')).update(`device ${accountId} ${device}`).digest('base64url');

/** What a browser is given to be known by. It opens nothing. */
export function makeDeviceToken(accountId: string): string {
  const device = randomToken(16);
  return `${device}.${seal(accountId, device)}`;
}

/** The device of that token, when it signed in to that account. */
export function findDevice(token: string, accountId: string): string | null {
  const [device = '', sealed = ''] = token.split('.');
  return isSameSecret(seal(accountId, device), sealed) ? device : null;
}
