import { findCaller, type Caller } from '#lib/accounts/callers';
import { pool } from '#lib/db/client';
import { resourceOf } from '#lib/oauth/resource';
import { SCOPES } from '#lib/scopes';
import { hashSecret } from '#lib/secrets';

/**
 * Returns the caller of an access token for `/mcp`; null when the token is unknown or expired, or its key is revoked.
 * A token may have fewer scopes than the user granted, if the app asked for fewer.
 */
export async function verifyAccessToken(token: string, address: string): Promise<Caller | null> {
  const { rows } = await pool().query<{ hash: Buffer; scope: string }>({
    name: 'find_access_token',
    text: `select k.hash, coalesce(r.payload->>'scope', '') as scope from oauth_records r join api_keys k on k.id = r.key_id
      where r.model = 'AccessToken' and r.hash = $1 and r.expires_at > now() and r.payload->>'aud' = $2`,
    values: [hashSecret(token), resourceOf()],
  });
  const caller = rows[0] ? await findCaller(rows[0].hash, address) : null;
  if (!caller) return null;
  const asked = rows[0]!.scope.split(' ');
  return { ...caller, scopes: (caller.scopes ?? SCOPES).filter(scope => asked.includes(scope)) };
}
