import { findCaller, type Caller } from '#lib/accounts/callers';
import { pool } from '#lib/db/client';
import { hashOf } from '#lib/oauth/records';
import { resourceOf } from '#lib/oauth/resource';

/** Whom an access token for `/mcp` lets act; null when it is none, or over, or what it stands for was cut off. */
export async function verifyAccessToken(token: string, address: string): Promise<Caller | null> {
  const { rows } = await pool().query<{ hash: Buffer }>({
    name: 'find_access_token',
    text: `select k.hash from oauth_records r join api_keys k on k.id = r.key_id
      where r.model = 'AccessToken' and r.hash = $1 and r.expires_at > now() and r.payload->>'aud' = $2`,
    values: [hashOf(token), resourceOf()],
  });
  return rows[0] ? findCaller(rows[0].hash, address) : null;
}
