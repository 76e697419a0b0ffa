import Bowser from 'bowser';
import type { Session } from '#lib/accounts/sessions';
import type { SessionWire } from '#lib/contract/account-schemas';

/** Converts a session to the form that the holder sees; `current` is the id of the session of the request. */
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

/** Returns a readable name for a user agent. */
function deviceName(userAgent: string): string {
  // the library throws on an empty user agent
  const { browser, os } = Bowser.parse(userAgent || 'unknown');
  const names = [browser.name, os.name].filter(Boolean);
  return names.length > 0 ? names.join(' on ') : 'Unknown browser';
}
