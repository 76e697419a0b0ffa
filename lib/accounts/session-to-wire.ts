import Bowser from 'bowser';
import type { Session } from '#lib/accounts/sessions';
import type { SessionWire } from '#lib/contract/account-schemas';

/** A session as the holder of the account sees it; `current` is the id of the one that asks. */
export const sessionToWire = (
  { id, userAgent, address, createdAt, lastUsedAt }: Session,
  current: string,
): SessionWire => ({
  id,
  current: id === current,
  device: deviceName(userAgent),
  address,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt.toISOString(),
});

/** What a browser calls itself, in words. */
function deviceName(userAgent: string): string {
  // the library refuses an empty one
  const { browser, os } = Bowser.parse(userAgent || 'unknown');
  const names = [browser.name, os.name].filter(Boolean);
  return names.length > 0 ? names.join(' on ') : 'Unknown browser';
}
